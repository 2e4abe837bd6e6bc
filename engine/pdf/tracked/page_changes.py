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
from redraft.engine.pdf.page_operations.step_codec import decode_steps, describe, touched
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
class PageChangeNote:
    """What is said of a change: on which page, from 0, of the file before it is first seen."""

    shaping: Shaping
    page: int
    remarks: tuple[Remarked, ...]


def shaped(base: bytes, shapings: Sequence[Shaping], *, is_verified: bool = True) -> Shaped:
    """Carries out changes of pages on the baseline.

    Args:
        base: the baseline.
        shapings: the changes, in order.
        is_verified: whether the pages are held against each other, which is most of the work; they
            were when a change was made or settled.

    Raises:
        EditError: one cannot be carried out there.
    """
    pages = _shown(_pages(base), shapings)
    for shaping in shapings:
        operations = decode_steps(shaping.steps)
        outcome = reshape(base, operations, breaks_signature=True, is_verified=is_verified)
        base = outcome.data
    return Shaped(base, pages)


def _pages(data: bytes) -> tuple[int | None, ...]:
    with objects.opened(data) as document:
        return tuple(range(len(document.pages)))


def _shown(pages: tuple[int | None, ...], shapings: Sequence[Shaping]) -> tuple[int | None, ...]:
    for shaping in shapings:
        pages = _arranged(pages, decode_steps(shaping.steps))
    return pages


def _arranged(
    pages: Sequence[int | None], operations: Sequence[PageOperation]
) -> tuple[int | None, ...]:
    slots = arranged(operations, len(pages))
    return tuple(None if slot.origin is None else pages[slot.origin] for slot in slots)


def stamps(shapings: Sequence[Shaping]) -> list[Shaping]:
    """Returns of changes of pages what was stamped on all of them."""
    stamped = (
        (shaping, tuple(s for s in shaping.steps if s.kind == "stamp")) for shaping in shapings
    )
    return [replace(shaping, steps=steps) for shaping, steps in stamped if steps]


def name(shaping: Shaping) -> str:
    """Returns a change of pages its id, which stays while others come and go."""
    words = "\0".join((shaping.uid, *(repr(step) for step in shaping.steps)))
    return f"c{hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def sentence(shaping: Shaping) -> str:
    """Says what a change of pages did, as a sentence without a stop."""
    words = "; ".join(_said(operation) for operation in decode_steps(shaping.steps))
    return words[:1].upper() + words[1:]


def _said(operation: PageOperation) -> str:
    if isinstance(operation, StampPages) and operation.text.strip():
        return f"{describe(operation)} to all pages: {operation.text.strip()}"
    return (
        f"{describe(operation)} to all pages"
        if isinstance(operation, StampPages)
        else describe(operation)
    )


def notes_of(base: bytes, shapings: Sequence[Shaping]) -> Iterator[PageChangeNote]:
    """Says what a reader is told of each change, on the pages of the baseline that it concerns."""
    pages = _pages(base)
    for shaping in shapings:
        operations = decode_steps(shaping.steps)
        remarks: list[Remarked] = []
        first = len(pages)
        for operation in operations:
            places = touched(operation, len(pages))
            first = min(first, places[0])
            page_numbers = [
                page for page in (pages[number] for number in places) if page is not None
            ]
            remarks += [Remarked(page, _remark(operation, pages)) for page in page_numbers or [0]]
        yield PageChangeNote(shaping, first, tuple(remarks))
        pages = _arranged(pages, operations)


def _remark(operation: PageOperation, pages: Sequence[int | None]) -> str:
    """Says on a page of the baseline what happened to it; pages are counted as there."""
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
    """Adds a change of pages of a file that had `count`; what the log says of pages goes along."""
    slots = arranged(decode_steps(shaping.steps), count)
    pages = {slot.origin: number for number, slot in enumerate(slots) if slot.origin is not None}
    return replace(log, entries=renumbered(log.entries, pages), shapings=(*log.shapings, shaping))


def refuse_deleted(changed: Iterable[int], operations: Sequence[PageOperation], count: int) -> None:
    """Refuses to delete pages with open changes, which rejecting the deletion could not bring back.

    Args:
        changed: the pages, from 0, on which there are open changes.
        operations: what is to be done.
        count: how many pages there are.

    Raises:
        RefusedError: one of them is to be deleted.
    """
    gone = {
        page
        for operation in operations
        if isinstance(operation, DeletePages)
        for page in touched(operation, count)
    }
    deleted = sorted(gone.intersection(changed))
    if deleted:
        message = (
            f"Page {deleted[0] + 1} has tracked changes that are still open; accept or reject them "
            "first, then delete the page"
        )
        raise RefusedError(message)


def refuse_hidden(comparison: Comparison, now: Shaped) -> None:
    """Refuses changes on pages that the baseline does not have, as there is no place to show them.

    Raises:
        RefusedError: there is one.
    """
    if any(now.pages[difference.page] is None for difference in comparison.differences):
        message = (
            "A page that was inserted is a tracked change that is still open, and what is on it "
            "cannot be shown as another; accept that change first, then make this edit"
        )
        raise RefusedError(message)


def accepted(log: Log, chosen: set[str], base: bytes) -> tuple[Log, Shaped]:
    """Moves the chosen changes of pages into the baseline; gives the new one, too.

    Raises:
        RefusedError: one that was made before is not among them.
    """
    taken = [shaping for shaping in log.shapings if name(shaping) in chosen]
    if tuple(taken) != log.shapings[: len(taken)]:
        raise RefusedError(IN_ORDER.format("accept", "before"))
    steps = tuple(Edits(pages=list(shaping.steps)) for shaping in taken)
    left = log.shapings[len(taken) :]
    return replace(log, accepted=(*log.accepted, *steps), shapings=left), shaped(base, taken)


def rejected(log: Log, chosen: set[str], base: bytes) -> Log:
    """Forgets the chosen changes of pages; what the log says of pages goes along.

    Raises:
        RefusedError: one that was made after is not among them.
    """
    remaining = [shaping for shaping in log.shapings if name(shaping) not in chosen]
    if tuple(remaining) != log.shapings[: len(remaining)]:
        raise RefusedError(IN_ORDER.format("reject", "after"))
    if len(remaining) == len(log.shapings):
        return log
    count = len(_shown(_pages(base), remaining))
    back = _before(log.shapings[len(remaining) :], count)
    return replace(log, entries=renumbered(log.entries, back), shapings=tuple(remaining))


def _before(shapings: Sequence[Shaping], count: int) -> dict[int, int]:
    """Says which page, from 0, each page was before changes of a file of `count` pages.

    Pages that the changes inserted were none before, and are not in it.
    """
    pages = _shown(tuple(range(count)), shapings)
    return {page: origin for page, origin in enumerate(pages) if origin is not None}


def carried_over(edits: Edits, before: Shaped, after: Shaped) -> Edits:
    """Returns changes of the baseline in one shape under the anchors they have in another.

    Raises:
        RefusedError: a block reads otherwise there.
    """
    touched = edits.touched()
    if before.data == after.data or not touched:
        return edits
    pages = before.pages, after.pages
    anchors = found_again(known_in(before.data), known_in(after.data), pages)
    if any(anchor not in anchors for anchor in touched):
        raise RefusedError(SHAPED)
    return renamed(edits, anchors)
