"""Can what an edit does to a PDF be shown on the pages of the upload, and is it shown there?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.errors import RefusedError
from engine.pdf.content.comparison import Comparison, kept_words
from engine.pdf.content.dressing import colour_of
from engine.pdf.content.edits import Edits, Linking, Look
from engine.pdf.content.linking import seven_bit
from engine.pdf.content.resolution import resolve
from engine.pdf.content.targets import known_in
from engine.pdf.starring import is_starred
from engine.pdf.whole.reshaping import refuse_tracked
from engine.plan import DeleteBlocks, EditPlan, FormatText, RemoveLink, SetLink

LOOKS = (FormatText, SetLink, RemoveLink)
UNTRACED = (
    "The edit cannot be shown as a tracked change: its place in the upload cannot be told. "
    "Upload the PDF without tracked changes to make this edit"
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
        replace(each, close_up=False) if isinstance(each, DeleteBlocks) else each
        for each in plan.operations
    )
    message = "The gap of the deleted text stays: a tracked PDF shows it struck on its own page"
    return replace(plan, operations=operations), (message,)


def is_of_looks(plan: EditPlan) -> bool:
    """Whether a plan changes nothing but looks and links."""
    return all(isinstance(each, LOOKS) for each in plan.operations)


def words_changed(comparison: Comparison) -> list[tuple[str, int, int, str]]:
    """Give the changes of words, which a new look must leave as they were."""
    return [(*each.place, each.after) for each in comparison.found if each.formatting is None]


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
