"""Pages deleted, moved, turned, inserted or stamped, as tracked changes of a PDF.

What is done to whole pages has no annotation of its own. It is kept beside the file, one change an
edit, and told in notes on the pages of the baseline. Words are compared with the baseline *as
shaped*: with the open changes of pages carried out on it, so that a page that went takes no words
along, and one that moved takes none elsewhere. Page numbers of a change of pages are those of the
file that it was made on; so such changes are accepted from the first on, and rejected from the last
on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.compare.comparison import Comparison
from redraft.engine.pdf.edit.replay import found_again, renamed
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.page_operations.execute_steps import reshape
from redraft.engine.pdf.page_operations.page_order import arranged
from redraft.engine.pdf.page_operations.step_codec import restored, said, touched
from redraft.engine.pdf.resolved_edits import Edits
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.tracked.change_log import Log, Shaping, renumbered
from redraft.engine.plan import (
    DeletePages,
    InsertPage,
    MovePages,
    PageOperation,
    RotatePages,
    StampPages,
)

IN_ORDER = (
    "Changes of pages build on each other: {} it together with those that were made {} it, or one "
    "after the other"
)

SHAPED = (
    "Without the changes of pages that are still open the text reads otherwise; accept or reject "
    "those first, or all changes at once"
)


@dataclass(frozen=True, slots=True)
class Shaped:
    """The baseline with changes of pages; `pages` says of which of its pages, from 0, each is.

    None is a blank page that was inserted.
    """

    data: bytes
    pages: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Remarked:
    """A sentence about a page of the baseline, from 0."""

    page: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a change: on which page, from 0, of the file before it is first seen."""

    shaping: Shaping
    page: int
    remarks: tuple[Remarked, ...]


def shaped(base: bytes, shapings: Sequence[Shaping], *, is_verified: bool = True) -> Shaped:
    """Carry out changes of pages on the baseline.

    Args:
        base: the baseline.
        shapings: the changes, in order.
        is_verified: whether the pages are held against each other, which is most of the work; they
            were when a change was made or settled.

    Raises:
        EditError: one cannot be carried out there.
    """
    pages = _shown(_pages(base), shapings)
    for each in shapings:
        operations = restored(each.steps)
        outcome = reshape(base, operations, breaks_signature=True, is_verified=is_verified)
        base = outcome.data
    return Shaped(base, pages)


def _pages(data: bytes) -> tuple[int | None, ...]:
    with objects.opened(data) as document:
        return tuple(range(len(document.pages)))


def _shown(pages: tuple[int | None, ...], shapings: Sequence[Shaping]) -> tuple[int | None, ...]:
    for each in shapings:
        pages = _arranged(pages, restored(each.steps))
    return pages


def _arranged(
    pages: Sequence[int | None], operations: Sequence[PageOperation]
) -> tuple[int | None, ...]:
    slots = arranged(operations, len(pages))
    return tuple(None if slot.origin is None else pages[slot.origin] for slot in slots)


def stamps(shapings: Sequence[Shaping]) -> list[Shaping]:
    """Give of changes of pages what was stamped on all of them."""
    held = ((each, tuple(s for s in each.steps if s.kind == "stamp")) for each in shapings)
    return [replace(each, steps=steps) for each, steps in held if steps]


def name(shaping: Shaping) -> str:
    """Give a change of pages its id, which stays while others come and go."""
    words = "\0".join((shaping.uid, *(repr(each) for each in shaping.steps)))
    return f"c{hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def sentence(shaping: Shaping) -> str:
    """Say what a change of pages did, as a sentence without a stop."""
    words = "; ".join(_said(each) for each in restored(shaping.steps))
    return words[:1].upper() + words[1:]


def _said(operation: PageOperation) -> str:
    if isinstance(operation, StampPages) and operation.text.strip():
        return f"{said(operation)} to all pages: {operation.text.strip()}"
    return (
        f"{said(operation)} to all pages" if isinstance(operation, StampPages) else said(operation)
    )


def told(base: bytes, shapings: Sequence[Shaping]) -> Iterator[Told]:
    """Say what a reader is told of each change, on the pages of the baseline that it concerns."""
    pages = _pages(base)
    for shaping in shapings:
        operations = restored(shaping.steps)
        found: list[Remarked] = []
        first = len(pages)
        for each in operations:
            places = touched(each, len(pages))
            first = min(first, places[0])
            held = [page for page in (pages[number] for number in places) if page is not None]
            found += [Remarked(page, _remark(each, pages)) for page in held or [0]]
        yield Told(shaping, first, tuple(found))
        pages = _arranged(pages, operations)


def _remark(operation: PageOperation, pages: Sequence[int | None]) -> str:
    """Say on a page of the baseline what happened to it; pages are counted as there."""
    match operation:
        case DeletePages():
            return "This page was deleted"
        case RotatePages():
            return f"This page was turned by {operation.degrees}°"
        case MovePages():
            origin = pages[operation.to_page - 1 if operation.to_page > 0 else -1]
            beside = "an inserted page" if origin is None else f"page {origin + 1}"
            return f"This page was moved {operation.where} {beside}"
        case InsertPage():
            return f"A blank page was inserted {operation.where} this page"
        case _:
            words = _said(operation)
            return words[:1].upper() + words[1:]


def added(log: Log, shaping: Shaping, count: int) -> Log:
    """Add a change of pages of a file that had `count`; what the log says of pages goes along."""
    slots = arranged(restored(shaping.steps), count)
    pages = {slot.origin: number for number, slot in enumerate(slots) if slot.origin is not None}
    return replace(log, entries=renumbered(log.entries, pages), shapings=(*log.shapings, shaping))


def refuse_deleted(changed: Iterable[int], operations: Sequence[PageOperation], count: int) -> None:
    """Refuse to delete pages with open changes, which rejecting the deletion could not bring back.

    Args:
        changed: the pages, from 0, on which there are open changes.
        operations: what is to be done.
        count: how many pages there are.

    Raises:
        RefusedError: one of them is to be deleted.
    """
    gone = {
        page
        for each in operations
        if isinstance(each, DeletePages)
        for page in touched(each, count)
    }
    held = sorted(gone.intersection(changed))
    if held:
        message = (
            f"Page {held[0] + 1} has tracked changes that are still open; accept or reject them "
            "first, then delete the page"
        )
        raise RefusedError(message)


def refuse_hidden(comparison: Comparison, now: Shaped) -> None:
    """Refuse changes on pages that the baseline does not have, as there is no place to show them.

    Raises:
        RefusedError: there is one.
    """
    if any(now.pages[each.page] is None for each in comparison.found):
        message = (
            "A page that was inserted is a tracked change that is still open, and what is on it "
            "cannot be shown as another; accept that change first, then make this edit"
        )
        raise RefusedError(message)


def accepted(log: Log, chosen: set[str], base: bytes) -> tuple[Log, Shaped]:
    """Move the chosen changes of pages into the baseline; gives the new one, too.

    Raises:
        RefusedError: one that was made before is not among them.
    """
    taken = [each for each in log.shapings if name(each) in chosen]
    if tuple(taken) != log.shapings[: len(taken)]:
        raise RefusedError(IN_ORDER.format("accept", "before"))
    steps = tuple(Edits(pages=list(each.steps)) for each in taken)
    left = log.shapings[len(taken) :]
    return replace(log, accepted=(*log.accepted, *steps), shapings=left), shaped(base, taken)


def rejected(log: Log, chosen: set[str], base: bytes) -> Log:
    """Forget the chosen changes of pages; what the log says of pages goes along.

    Raises:
        RefusedError: one that was made after is not among them.
    """
    kept = [each for each in log.shapings if name(each) not in chosen]
    if tuple(kept) != log.shapings[: len(kept)]:
        raise RefusedError(IN_ORDER.format("reject", "after"))
    if len(kept) == len(log.shapings):
        return log
    count = len(_shown(_pages(base), kept))
    back = _before(log.shapings[len(kept) :], count)
    return replace(log, entries=renumbered(log.entries, back), shapings=tuple(kept))


def _before(shapings: Sequence[Shaping], count: int) -> dict[int, int]:
    """Say which page, from 0, each page was before changes of a file of `count` pages."""
    pages = _shown(tuple(range(count)), shapings)
    return {now: was for now, was in enumerate(pages) if was is not None}


def carried_over(edits: Edits, before: Shaped, after: Shaped) -> Edits:
    """Give changes of the baseline in one shape under the anchors they have in another.

    Raises:
        RefusedError: a block reads otherwise there.
    """
    touched = edits.touched()
    if before.data == after.data or not touched:
        return edits
    pages = before.pages, after.pages
    anchors = found_again(known_in(before.data), known_in(after.data), pages)
    if any(each not in anchors for each in touched):
        raise RefusedError(SHAPED)
    return renamed(edits, anchors)
