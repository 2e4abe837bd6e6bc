"""Can what an edit does to a PDF be shown on the pages of the upload, and is it shown there?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from redraft.engine.diff import is_word, tokens
from redraft.engine.errors import RefusedError
from redraft.engine.model import Revision
from redraft.engine.pdf.compare.character_looks import colour_of
from redraft.engine.pdf.compare.comparison import Comparison, kept_words
from redraft.engine.pdf.edit.emphasis_runs import has_emphasis
from redraft.engine.pdf.edit.link_annotations import seven_bit
from redraft.engine.pdf.edit.resolution import resolve
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.page_operations.execute_steps import refuse_tracked
from redraft.engine.pdf.resolved_edits import Edits, Linking, Look
from redraft.engine.plan import DeleteBlocks, EditPlan, FormatText, RemoveLink, SetLink

LOOKS = (FormatText, SetLink, RemoveLink)
UNTRACED = (
    "The edit cannot be shown as a tracked change: its place in the upload cannot be told. "
    "Upload the PDF without tracked changes to make this edit"
)

MOVED = (
    "The edit was not kept: with it the page reads in other paragraphs than before, and words that "
    "it leaves alone would be listed as changed; word it otherwise, or upload the PDF without "
    "tracked changes to make this edit"
)


@dataclass(frozen=True, slots=True)
class WantedLook:
    """Characters of a block of the upload that are to look otherwise, and how."""

    anchor: str
    places: tuple[int, ...]
    property: str
    value: str


def refuse_untraceable(plan: EditPlan) -> None:
    """Refuses what has no form as a tracked change of a PDF.

    Raises:
        RefusedError: an operation on whole pages is among those of the plan.
    """
    refuse_tracked(plan.operations)


def with_gaps(plan: EditPlan) -> tuple[EditPlan, tuple[str, ...]]:
    """Leaves the gap of what is deleted, as it is seen on the original pages; gives warnings."""
    closing = [
        operation
        for operation in plan.operations
        if isinstance(operation, DeleteBlocks) and operation.close_up
    ]
    if not closing:
        return plan, ()
    operations = tuple(
        structs.replace(operation, close_up=False)
        if isinstance(operation, DeleteBlocks)
        else operation
        for operation in plan.operations
    )
    message = "The gap of the deleted text stays: a tracked PDF shows it struck on its own page"
    return replace(plan, operations=operations), (message,)


def is_of_looks(plan: EditPlan) -> bool:
    """Whether a plan changes nothing but looks and links."""
    return all(isinstance(operation, LOOKS) for operation in plan.operations)


def words_changed(comparison: Comparison) -> Counter[tuple[str, int, str]]:
    """Returns the changes of words, which a new look, or other pages, must leave as they were.

    They are told by the words of the block, the first of them, and the new ones: pages may move.
    """
    return Counter(
        (difference.target.text, difference.start, difference.after)
        for difference in comparison.differences
        if difference.formatting is None
    )


def wanted_looks(base: bytes, working: bytes, plan: EditPlan) -> list[WantedLook]:
    """Says which characters of the baseline a plan gives another look or link.

    Raises:
        RefusedError: some of them are not in it: they are a tracked change themselves.
        EditError: the plan does not fit the document.
    """
    if not (has_emphasis(plan) or any(isinstance(look, LOOKS) for look in plan.operations)):
        return []
    edits = resolve(plan, known_in(working))
    if not (edits.looks or edits.links):
        return []
    words_by_anchor = kept_words(base, working)
    wanted: list[WantedLook] = []
    for name, value, look in _asked(edits):
        target, places = words_by_anchor.get(look.anchor, (None, []))
        old_places = [places[at] for at in range(look.start, min(look.end, len(places)))]
        if target is None or not old_places or _is_new(old_places):
            message = (
                "The words are new: they are a tracked change that is still open, which shows no "
                "other look or link of them; accept that change first, then make this edit"
            )
            raise RefusedError(message)
        kept_here = (place for place in old_places if place is not None)
        shown = tuple(place for place in kept_here if not target.text[place].isspace())
        wanted.append(WantedLook(target.anchor, shown, name, value))
    return wanted


def _asked(edits: Edits) -> Iterator[tuple[str, str, Look | Linking]]:
    for look in edits.looks:
        if look.fill:
            yield "colour", colour_of(look.fill.encode("ascii")), look
        for name, is_on in (("bold", look.bold), ("italic", look.italic)):
            if is_on is not None:
                yield name, "on" if is_on else "off", look
    for link in edits.links:
        yield "link", seven_bit(link.url), link


def _is_new(old_places: Sequence[int | None]) -> bool:
    return any(place is None for place in old_places)


def refuse_unseen(comparison: Comparison, wanted: Sequence[WantedLook]) -> None:
    """Makes sure that every look that was asked for is among the changes, or as it was at first.

    Raises:
        RefusedError: one is not.
    """
    for look in wanted:
        looks = comparison.looks.get(look.anchor, ())
        seen = [
            range(difference.start, difference.end)
            for difference in comparison.differences
            if difference.target.anchor == look.anchor
            and difference.formatting is not None
            and (difference.formatting[0], difference.formatting[2]) == (look.property, look.value)
        ]
        for place in look.places:
            look_of_character = looks[place] if place < len(looks) else None
            if look_of_character is None or not (
                getattr(look_of_character, look.property) == look.value
                or any(place in seen_places for seen_places in seen)
            ):
                raise RefusedError(UNTRACED)


def refuse_moved(
    now: Comparison, before: Callable[[], Comparison], made: Sequence[Revision]
) -> None:
    """Makes sure that words go in one block and come in another only where edits have said so.

    Args:
        now: the changes with the edit.
        before: gives those without it; asked only where there are such words.
        made: what the edit did.

    Raises:
        RefusedError: words that nobody touched would be listed as changed.
    """
    gone, come = _net(_stretches(now))
    moved = gone & come
    if not moved:
        return
    own = (
        (f"{revision.anchor}{revision.kind}", revision.before, revision.after) for revision in made
    )
    (gone, come), (ours, others) = _net(_stretches(before())), _net(own)
    if moved - ((gone + ours) & (come + others)):
        raise RefusedError(MOVED)


def _stretches(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """Yields each change of words once: its block, what goes and what comes."""
    seen: set[tuple[object, ...]] = set()
    for difference in comparison.differences:
        is_more = bool(difference.stretches) and difference.place in seen
        if difference.formatting is None and not is_more:
            seen.add(difference.place)
            yield (
                f"{difference.target.anchor}{difference.is_block}",
                difference.before,
                difference.after,
            )


def _net(stretches: Iterable[tuple[str, str, str]]) -> tuple[Counter[str], Counter[str]]:
    """Counts the words that go from their block altogether, and those that are new in it."""
    blocks: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for block, before, after in stretches:
        gone, come = blocks.setdefault(block, (Counter(), Counter()))
        gone.update(token for token in tokens(before) if is_word(token))
        come.update(token for token in tokens(after) if is_word(token))
    total = (Counter[str](), Counter[str]())
    for gone, come in blocks.values():
        total[0].update(gone - come)
        total[1].update(come - gone)
    return total
