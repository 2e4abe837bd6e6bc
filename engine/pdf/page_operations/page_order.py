"""Which pages a PDF has after operations on its pages, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.engine.errors import NotFoundError, PlanError, RefusedError
from redraft.engine.plan import DeletePages, InsertPage, MovePages, PageOperation, RotatePages


@dataclass(frozen=True, slots=True)
class Slot:
    """A page of the new file: the old page `origin` from 0, turned clockwise by `turn` degrees.

    A blank one has no origin, and the size of the old page `like`.
    """

    origin: int | None
    like: int
    turn: int = 0


def arranged(operations: Sequence[PageOperation], count: int) -> list[Slot]:
    """Returns the pages in their new order; all numbers are those of the old file.

    Raises:
        NotFoundError: a page that is not there.
        PlanError: a page is to be moved and is deleted, or a number makes no sense.
        RefusedError: no page would be left.
    """
    slots = [Slot(number, number) for number in range(count)]
    for operation in operations:
        match operation:
            case DeletePages():
                gone = _pages(operation.first_page, operation.last_page, count)
                slots = [slot for slot in slots if slot.origin not in gone]
            case MovePages():
                slots = _moved(slots, operation, count)
            case RotatePages():
                slots = _turned(slots, operation, count)
            case InsertPage():
                at = _page(operation.page, count)
                place = _place(slots, at, operation.where)
                slots.insert(place, Slot(None, at))
            case _:
                pass
    if not any(slot.origin is not None for slot in slots):
        raise RefusedError("A PDF must keep at least one of its pages")
    return slots


def _page(number: int, count: int) -> int:
    """Returns the index of a page; -1 is the last."""
    if number == -1:
        return count - 1
    if not 1 <= number <= count:
        pages = "1 page" if count == 1 else f"{count} pages"
        message = f"Page {number} does not exist; the PDF has {pages}"
        raise NotFoundError(message)
    return number - 1


def _pages(first: int, last: int, count: int) -> range:
    start, end = _page(first, count), _page(last, count)
    if end < start:
        message = f"Pages {first} to {last}: the last comes before the first"
        raise PlanError(message)
    return range(start, end + 1)


def _place(slots: Sequence[Slot], at: int, where: str) -> int:
    """Returns where something beside an old page goes."""
    index = next((n for n, slot in enumerate(slots) if slot.origin == at), None)
    if index is None:
        message = f"Page {at + 1} is deleted, so nothing can be put beside it"
        raise PlanError(message)
    return index + (where == "after")


def _moved(slots: Sequence[Slot], operation: MovePages, count: int) -> list[Slot]:
    moved = _pages(operation.first_page, operation.last_page, count)
    to = _page(operation.to_page, count)
    if to in moved:
        message = f"Page {to + 1} is one of the pages to be moved, so they cannot go beside it"
        raise PlanError(message)
    taken = [slot for slot in slots if slot.origin in moved]
    if len(taken) < len(moved):
        raise PlanError("A page is both deleted and moved")
    rest = [slot for slot in slots if slot.origin not in moved]
    place = _place(rest, to, operation.where)
    return [*rest[:place], *taken, *rest[place:]]


def _turned(slots: Sequence[Slot], operation: RotatePages, count: int) -> list[Slot]:
    if operation.degrees % 90:
        message = f"A page is turned by a multiple of 90 degrees, not by {operation.degrees}"
        raise PlanError(message)
    turned = _pages(operation.first_page, operation.last_page, count)
    return [
        replace(slot, turn=(slot.turn + operation.degrees) % 360) if slot.origin in turned else slot
        for slot in slots
    ]
