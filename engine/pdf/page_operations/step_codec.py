"""Operations on pages as the plain values that are stored, and back; and what they do, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import asdict

from redraft.engine.errors import CorruptDocumentError
from redraft.engine.pdf.resolved_edits import PageStep
from redraft.engine.plan import (
    DeletePages,
    InsertPage,
    MovePages,
    PageOperation,
    RotatePages,
    StampPages,
)

_KINDS: Final[dict[str, type[Any]]] = {
    "delete": DeletePages,
    "move": MovePages,
    "rotate": RotatePages,
    "insert": InsertPage,
    "stamp": StampPages,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def encode_steps(operations: Sequence[PageOperation]) -> list[PageStep]:
    """Returns operations, none of which is a redaction, as values that can be stored."""
    return [PageStep(_NAMES[type(operation)], asdict(operation)) for operation in operations]


def decode_steps(steps: Sequence[PageStep]) -> tuple[PageOperation, ...]:
    """Returns the operations that were stored.

    Raises:
        CorruptDocumentError: these are not values that `encode_steps` made.
    """
    try:
        return tuple(_KINDS[step.kind](**step.values) for step in steps)
    except (KeyError, TypeError) as error:
        message = "The stored state of the document is damaged"
        raise CorruptDocumentError(message) from error


def describe(operation: PageOperation) -> str:
    """Says what an operation did, without a stop; empty for a redaction, which says how often."""
    match operation:
        case DeletePages():
            return f"{_pages(operation.first_page, operation.last_page)} deleted"
        case MovePages():
            moved = _pages(operation.first_page, operation.last_page)
            return f"{moved} moved {operation.where} {_pages(operation.to_page, operation.to_page)}"
        case RotatePages():
            turned = _pages(operation.first_page, operation.last_page)
            return f"{turned} turned by {operation.degrees}°"
        case InsertPage():
            return f"blank page inserted {operation.where} {_pages(operation.page, operation.page)}"
        case StampPages():
            return f"{operation.kind.replace('_', ' ')} added"
        case _:
            return ""


def _pages(first: int, last: int) -> str:
    names = ["the last page" if number == -1 else str(number) for number in (first, last)]
    if first == last:
        return names[0] if first == -1 else f"page {first}"
    return f"pages {names[0]} to {names[1]}"


def touched(operation: PageOperation, count: int) -> range:
    """Returns the pages, from 0, that an operation on a file of `count` pages is seen on.

    A blank page is seen beside another; what is on all pages is told on the first.
    """
    match operation:
        case DeletePages() | MovePages() | RotatePages():
            ends = (operation.first_page, operation.last_page)
            first, last = (count if n == -1 else n for n in ends)
            return range(first - 1, last)
        case InsertPage():
            at = count if operation.page == -1 else operation.page
            return range(at - 1, at)
        case _:
            return range(1)
