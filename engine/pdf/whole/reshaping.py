"""Carry out what a plan does to a PDF as a whole: redaction, then pages, then what is stamped.

A new header or page number so stands on every page that is left, and counts the pages as they are
then; page numbers in the plan are those of the file before. In a tracked document all of it is
refused: its download shows the upload's own pages with notes, which can show none of this, and
which would still hold what was redacted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.errors import RefusedError
from engine.page_operations import (
    PAGE_OPERATIONS,
    DeletePages,
    InsertPage,
    MovePages,
    PageOperation,
    Redact,
    RotatePages,
    StampPages,
)
from engine.pdf.content import objects
from engine.pdf.content.protection import drop_usage_rights, refuse_protected
from engine.pdf.whole import stamping
from engine.pdf.whole.order import arranged
from engine.pdf.whole.pages import arrange
from engine.pdf.whole.redaction import redact
from engine.pdf.whole.saving import saved
from engine.pdf.whole.stamping import stamp
from engine.pdf.whole.wanted import Wanted
from engine.plan import Operation

UPLOAD_UNTRACKED: Final = "upload the PDF again without tracked changes to make this edit"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The file, what was done as sentences without a stop, and warnings."""

    data: bytes
    done: tuple[str, ...]
    warnings: tuple[str, ...]


def of_pages(operations: Sequence[Operation]) -> tuple[PageOperation, ...]:
    """Give those operations of a plan that are about the PDF as a whole."""
    return tuple(each for each in operations if isinstance(each, PAGE_OPERATIONS))


def reshape(
    data: bytes, operations: Sequence[PageOperation], *, breaks_signature: bool = False
) -> Outcome:
    """Carry out operations and verify each step; gives the file as it was when nothing changes.

    Raises:
        EditError: it cannot be done, or did not pass its checks.
    """
    done: list[str] = []
    with objects.opened(data) as document:
        warnings = [*refuse_protected(document, breaks_signature=breaks_signature)]
        dropped = drop_usage_rights(document)
        if dropped:
            data, warnings = saved(document), [*warnings, *dropped]
    for each in operations:
        if isinstance(each, Redact):
            data, count, found = redact(data, each)
            places = "1 place" if count == 1 else f"{count} places"
            done.append(f"redacted in {places}")
            warnings += found
    moved, found = arrange(data, operations)
    warnings += found
    if moved != data:
        done += [_said(each) for each in operations if not isinstance(each, Redact | StampPages)]
        data = moved
    for each in operations:
        if isinstance(each, StampPages):
            data = stamp(data, each)
            done.append(f"{each.kind.replace('_', ' ')} added")
    return Outcome(data, tuple(done), tuple(dict.fromkeys(warnings)))


def _said(operation: PageOperation) -> str:
    match operation:
        case DeletePages():
            return f"{_pages(operation.first, operation.last)} deleted"
        case MovePages():
            return (
                f"{_pages(operation.first, operation.last)} moved {operation.where} page "
                f"{operation.to}"
            )
        case RotatePages():
            return f"{_pages(operation.first, operation.last)} turned by {operation.degrees}°"
        case InsertPage():
            return f"blank page inserted {operation.where} page {operation.at}"
        case _:
            return ""


def _pages(first: int, last: int) -> str:
    names = ["the last" if each == -1 else str(each) for each in (first, last)]
    return f"page {names[0]}" if first == last else f"pages {names[0]} to {names[1]}"


def check(data: bytes, operations: Sequence[PageOperation]) -> None:
    """Say nothing where operations fit the file, as far as that can be told without doing them.

    Raises:
        EditError: as `reshape`.
    """
    if not operations:
        return
    with objects.opened(data) as document:
        arranged(operations, len(document.pages))
    for each in operations:
        if isinstance(each, StampPages):
            stamping.check(each)
        elif isinstance(each, Redact):
            Wanted(each).check()


def refuse_tracked(operations: Sequence[Operation]) -> None:
    """Refuse what a tracked PDF cannot show.

    Raises:
        RefusedError: there is such an operation.
    """
    found = of_pages(operations)
    if any(isinstance(each, Redact) for each in found):
        message = (
            "A redaction cannot be a tracked change: the tracked download is the original, which "
            f"would still hold the text; {UPLOAD_UNTRACKED}"
        )
        raise RefusedError(message)
    if found:
        message = (
            "Pages deleted, moved, turned or inserted, headers, footers, page numbers and "
            "watermarks cannot be shown as tracked changes on the original pages of a PDF; "
            f"{UPLOAD_UNTRACKED}"
        )
        raise RefusedError(message)
