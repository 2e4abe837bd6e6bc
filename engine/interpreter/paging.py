"""Pages of a PDF, what is written on all of them, and redaction."""

from __future__ import annotations

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.commands import OnPages, RedactText, ReplaceUnit, StampAll, Unit
from redraft.engine.interpreter.lines import Lines
from redraft.engine.interpreter.replacing import replace_unit
from redraft.engine.plan import (
    DeletePages,
    InsertPage,
    MovePages,
    Operation,
    Redact,
    RotatePages,
    StampPages,
)

_NO_PAGES = (
    "A Word document has no fixed pages: pages, watermarks, page numbers and redactions are edits"
    " of a PDF"
)


def _refuse_without_pages(lines: Lines) -> None:
    if lines.document.format != "pdf":
        raise RefusedError(_NO_PAGES)


def on_pages(lines: Lines, command: OnPages, lookup: str | None) -> list[Operation]:
    """Delete, move or turn pages, or insert a blank one."""
    _refuse_without_pages(lines)
    ranges, where = command.ranges, command.where or "after"
    match command.action:
        case "delete":
            return [DeletePages(first, last) for first, last in ranges]
        case "rotate":
            return [RotatePages(first, last, command.degrees) for first, last in ranges]
        case "move":
            return [MovePages(first, last, command.to, where) for first, last in ranges]
        case "insert":
            return [InsertPage(command.to, where)]


def redact(lines: Lines, command: RedactText, lookup: str | None) -> list[Operation]:
    """Take words out of the whole file."""
    _refuse_without_pages(lines)
    options = command.options
    if options.scopes or options.nth is not None or lookup:
        message = (
            "A redaction takes the words out of the whole file; it cannot be limited to a place"
        )
        raise RefusedError(message)
    return [Redact(command.find.text, options.match_case is True, options.whole_word)]


def stamp(lines: Lines, command: StampAll, lookup: str | None) -> list[Operation]:
    """Write a line on every page; a header or footer that is there gets the words instead."""
    kind = command.kind
    if kind in ("header", "footer"):
        unit = Unit(kind)
        is_there = any(line.story.kind == kind for line in lines.lines)
        if lines.document.format != "pdf" or is_there:
            return replace_unit(lines, ReplaceUnit(unit, command.text, command.options), lookup)
    _refuse_without_pages(lines)
    return [StampPages(kind, command.text.text)]
