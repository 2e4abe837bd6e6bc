"""Carry out what a plan does to a PDF as a whole: redaction, then pages, then what is stamped.

A new header or page number so stands on every page that is left, and counts the pages as they are
then; page numbers in the plan are those of the file before. In a tracked document a redaction is
refused: its download shows the upload's own pages, which would still hold what was redacted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.page_operations import stamping
from redraft.engine.pdf.page_operations.page_order import arranged
from redraft.engine.pdf.page_operations.pages import arrange
from redraft.engine.pdf.page_operations.redacted_text import Wanted
from redraft.engine.pdf.page_operations.redaction import redact
from redraft.engine.pdf.page_operations.stamping import stamp
from redraft.engine.pdf.page_operations.step_codec import describe
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.objects import saved
from redraft.engine.pdf.stream.protection import drop_usage_rights, drop_xml_form, refuse_protected
from redraft.engine.plan import PAGE_OPERATIONS, Operation, PageOperation, Redact, StampPages

UNREDACTED: Final = (
    "A redaction cannot be a tracked change: the tracked download is the original, which would "
    "still hold the text. Download the PDF with view=clean, upload that without tracked changes, "
    "and redact it there"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The file, what was done as sentences without a stop, and warnings."""

    data: bytes
    done: tuple[str, ...]
    warnings: tuple[str, ...]


def of_pages(operations: Sequence[Operation]) -> tuple[PageOperation, ...]:
    """Returns those operations of a plan that are about the PDF as a whole."""
    return tuple(operation for operation in operations if isinstance(operation, PAGE_OPERATIONS))


def reshape(
    data: bytes,
    operations: Sequence[PageOperation],
    *,
    breaks_signature: bool = False,
    is_verified: bool = True,
) -> Outcome:
    """Carries out operations and verify each step; gives the file as it was when nothing changes.

    Only what was verified once, on the same bytes, need not be again (`is_verified`).

    Raises:
        EditError: it cannot be done, or did not pass its checks.
    """
    done: list[str] = []
    with objects.opened(data) as document:
        warnings = [*refuse_protected(document, breaks_signature=breaks_signature)]
        dropped = drop_usage_rights(document) + drop_xml_form(document)
        if dropped:
            data, warnings = saved(document), [*warnings, *dropped]
    for operation in operations:
        if isinstance(operation, Redact):
            data, count, notes = redact(data, operation)
            places = "1 place" if count == 1 else f"{count} places"
            done.append(f"redacted in {places}")
            warnings += notes
    moved, notes = arrange(data, operations, is_verified=is_verified)
    warnings += notes
    if moved != data:
        done += [
            describe(operation)
            for operation in operations
            if not isinstance(operation, Redact | StampPages)
        ]
        data = moved
    for operation in operations:
        if isinstance(operation, StampPages):
            data = stamp(data, operation, is_verified=is_verified)
            done.append(describe(operation))
    return Outcome(data, tuple(done), tuple(dict.fromkeys(warnings)))


def check(data: bytes, operations: Sequence[PageOperation]) -> None:
    """Says nothing where operations fit the file, as far as that can be told without doing them.

    Raises:
        EditError: as `reshape`.
    """
    if not operations:
        return
    with objects.opened(data) as document:
        arranged(operations, len(document.pages))
    for operation in operations:
        if isinstance(operation, StampPages):
            stamping.check(operation)
        elif isinstance(operation, Redact):
            Wanted(operation).check()


def refuse_tracked(operations: Sequence[Operation]) -> None:
    """Refuses what a tracked PDF cannot show.

    Raises:
        RefusedError: there is such an operation.
    """
    if any(isinstance(operation, Redact) for operation in of_pages(operations)):
        raise RefusedError(UNREDACTED)
