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
from redraft.engine.pdf.edit.emphasis_runs import is_starred
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
class Wish:
    """Characters of a block of the upload that are to look otherwise, and how."""

    anchor: str
    places: tuple[int, ...]
    property: str
    value: str


def refuse_untraceable(plan: EditPlan) -> None:
    """Refuse what has no form as a tracked change of a PDF.

    Raises:
        RefusedError: an operation on whole pages is among those of the plan.
    """
    refuse_tracked(plan.operations)


def with_gaps(plan: EditPlan) -> tuple[EditPlan, tuple[str, ...]]:
    """Leave the gap of what is deleted, as it is seen on the original pages; gives warnings."""
    closing = [each for each in plan.operations if isinstance(each, DeleteBlocks) and each.close_up]
    if not closing:
        return plan, ()
    operations = tuple(
        structs.replace(each, close_up=False) if isinstance(each, DeleteBlocks) else each
        for each in plan.operations
    )
    message = "The gap of the deleted text stays: a tracked PDF shows it struck on its own page"
    return replace(plan, operations=operations), (message,)


def is_of_looks(plan: EditPlan) -> bool:
    """Whether a plan changes nothing but looks and links."""
    return all(isinstance(each, LOOKS) for each in plan.operations)


def words_changed(comparison: Comparison) -> Counter[tuple[str, int, str]]:
    """Give the changes of words, which a new look, or other pages, must leave as they were.

    They are told by the words of the block, the first of them, and the new ones: pages may move.
    """
    return Counter(
        (each.target.text, each.start, each.after)
        for each in comparison.found
        if each.formatting is None
    )


def wishes(base: bytes, working: bytes, plan: EditPlan) -> list[Wish]:
    """Say which characters of the baseline a plan gives another look or link.

    Raises:
        RefusedError: some of them are not in it: they are a tracked change themselves.
        EditError: the plan does not fit the document.
    """
    if not (is_starred(plan) or any(isinstance(each, LOOKS) for each in plan.operations)):
        return []
    edits = resolve(plan, known_in(working))
    if not (edits.looks or edits.links):
        return []
    kept = kept_words(base, working)
    found: list[Wish] = []
    for name, value, each in _asked(edits):
        target, places = kept.get(each.anchor, (None, []))
        held = [places[at] for at in range(each.start, min(each.end, len(places)))]
        if target is None or not held or _is_new(held):
            message = (
                "The words are new: they are a tracked change that is still open, which shows no "
                "other look or link of them; accept that change first, then make this edit"
            )
            raise RefusedError(message)
        kept_here = (place for place in held if place is not None)
        shown = tuple(place for place in kept_here if not target.text[place].isspace())
        found.append(Wish(target.anchor, shown, name, value))
    return found


def _asked(edits: Edits) -> Iterator[tuple[str, str, Look | Linking]]:
    for look in edits.looks:
        if look.fill:
            yield "colour", colour_of(look.fill.encode("ascii")), look
        for name, is_on in (("bold", look.bold), ("italic", look.italic)):
            if is_on is not None:
                yield name, "on" if is_on else "off", look
    for link in edits.links:
        yield "link", seven_bit(link.url), link


def _is_new(held: Sequence[int | None]) -> bool:
    return any(place is None for place in held)


def refuse_unseen(comparison: Comparison, wished: Sequence[Wish]) -> None:
    """Make sure that every look that was asked for is among the changes, or as it was at first.

    Raises:
        RefusedError: one is not.
    """
    for wish in wished:
        dresses = comparison.dresses.get(wish.anchor, ())
        seen = [
            range(each.start, each.end)
            for each in comparison.found
            if each.target.anchor == wish.anchor
            and each.formatting is not None
            and (each.formatting[0], each.formatting[2]) == (wish.property, wish.value)
        ]
        for place in wish.places:
            dress = dresses[place] if place < len(dresses) else None
            if dress is None or not (
                getattr(dress, wish.property) == wish.value or any(place in held for held in seen)
            ):
                raise RefusedError(UNTRACED)


def refuse_moved(
    now: Comparison, before: Callable[[], Comparison], made: Sequence[Revision]
) -> None:
    """Make sure that words go in one block and come in another only where edits have said so.

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
    own = ((f"{each.anchor}{each.kind}", each.before, each.after) for each in made)
    (gone, come), (ours, others) = _net(_stretches(before())), _net(own)
    if moved - ((gone + ours) & (come + others)):
        raise RefusedError(MOVED)


def _stretches(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """Give each change of words once: its block, what goes and what comes."""
    seen: set[tuple[object, ...]] = set()
    for each in comparison.found:
        is_more = bool(each.stretches) and each.place in seen
        if each.formatting is None and not is_more:
            seen.add(each.place)
            yield f"{each.target.anchor}{each.is_block}", each.before, each.after


def _net(stretches: Iterable[tuple[str, str, str]]) -> tuple[Counter[str], Counter[str]]:
    """Count the words that go from their block altogether, and those that are new in it."""
    blocks: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for block, before, after in stretches:
        gone, come = blocks.setdefault(block, (Counter(), Counter()))
        gone.update(each for each in tokens(before) if is_word(each))
        come.update(each for each in tokens(after) if is_word(each))
    total = (Counter[str](), Counter[str]())
    for gone, come in blocks.values():
        total[0].update(gone - come)
        total[1].update(come - gone)
    return total
