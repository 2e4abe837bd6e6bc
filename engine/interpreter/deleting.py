"""Delete: words, sentences, blocks, sections."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.addresses import cell, heading, matching, section, table, title
from redraft.engine.interpreter.clause_ends import refuse_unclear_end
from redraft.engine.interpreter.coded import coded
from redraft.engine.interpreter.commands import Address, DeleteText, DeleteUnit, Options, Unit
from redraft.engine.interpreter.lines import Line, Lines
from redraft.engine.interpreter.objects import delete_image, delete_note
from redraft.engine.interpreter.replacing import scoped, sentence_hit, sought
from redraft.engine.interpreter.search import Hit, hits, narrowed, not_found, the_one, the_only
from redraft.engine.interpreter.structure import resolve
from redraft.engine.interpreter.tabular import delete_column, delete_row
from redraft.engine.interpreter.word_questions import replaced, whole, without
from redraft.engine.model import Heading, ListItem
from redraft.engine.plan import DeleteBlocks, DeleteColumn, DeleteRow, Operation, SetList


def delete_text(lines: Lines, command: DeleteText, lookup: str | None) -> list[Operation]:
    """Take words out, with the blank that must go; a line of nothing else goes whole."""
    options = command.options
    line = coded(lines, command.find)
    if line is not None and not options.everywhere and options.nth is None:
        return _line_out(lines, line, close_up=options.close_up)
    places, _ = sought(lines, command.find.text, options, lookup)
    if not options.everywhere or not places:
        places = [the_one(lines, places, command.find.text, options, lookup)]
    if not command.find.is_quoted:
        _refuse_headings(places)
    return [
        operation
        for hit in places
        for operation in _taken_out(lines, hit, close_up=options.close_up)
    ]


def _refuse_headings(places: Sequence[Hit]) -> None:
    """Refuse where the name of a section is deleted: who says so may mean the section."""
    for hit in places:
        if isinstance(hit.line.block, Heading) and hit.text.strip() == hit.line.text.strip():
            message = (
                f"“{hit.text}” is a heading; write: delete the section “{hit.text}”, or: delete the"
                f" heading “{hit.text}”"
            )
            raise RefusedError(message)


# A typed bullet or number, which does not stay where all words behind it go.
_MARKER = re.compile(r"\s*(?:[•◦▪●○■□‣·*–—-]|\(?(?:\d{1,3}|[a-z])[.)])\s")  # noqa: RUF001


def _taken_out(lines: Lines, hit: Hit, *, close_up: bool = False) -> list[Operation]:
    marker = _MARKER.match(hit.line.text)
    words = hit.line.text[marker.end() if marker else 0 :].strip()
    is_all = hit.text.strip() in (words, hit.line.text.strip())
    if is_all and not hit.line.table and hit.line.story.kind == "body":
        return _line_out(lines, hit.line, close_up=close_up)
    try:
        return [replaced(without(hit), "")]
    except RefusedError:
        return [replaced(hit, "")]


def _line_out(lines: Lines, line: Line, *, close_up: bool = False) -> list[Operation]:
    """Take a paragraph out; where a text box hangs on it, its words, so that the box stays."""
    hosts = {story.host for story in lines.document.stories if story.kind == "textbox"}
    if line.anchor not in hosts:
        return [DeleteBlocks(line.anchor, line.anchor, close_up)]
    emptied: list[Operation] = [replaced(whole(line), "")]
    if isinstance(line.block, ListItem):
        emptied.append(SetList(line.anchor, line.anchor, "none"))
    return emptied


def delete_unit(lines: Lines, command: DeleteUnit, lookup: str | None) -> list[Operation]:
    """Take a piece of structure out."""
    unit, options = command.unit, command.options
    if unit.address is not None:
        return _addressed(lines, unit.address, options)
    match unit.kind:
        case "section":
            return [_section(lines, command, lookup)]
        case "sentence":
            return _taken_out(lines, sentence_hit(lines, unit, options, lookup))
        case "title":
            return _line_out(lines, title(lines), close_up=options.close_up)
        case "table":
            anchor = table(lines, unit).anchor
            return [DeleteBlocks(anchor, anchor)]
        case "heading" if unit.value is not None and unit.match == "is":
            line = heading(lines, unit.value, lookup)
            return _line_out(lines, line, close_up=options.close_up)
        case "paragraph" | "line" | "bullet" | "heading":
            return _blocks(lines, command, lookup)
        case "cell":
            return [replaced(whole(line), "") for line in cell(lines, unit, lookup) if line.text]
        case _:
            return _object(lines, unit, options, lookup)


def _addressed(lines: Lines, address: Address, options: Options) -> list[Operation]:
    """Take out every place that an address means."""
    regions = resolve(lines, address)
    if options.scopes or options.excepts or options.nth is not None:
        raise RefusedError("Say in one breath which piece is meant, as: the first row of table 2")
    spans = _joined([region.span for region in regions if region.span is not None])
    operations = [
        operation
        for span in spans
        for operation in _taken_out(lines, span, close_up=options.close_up)
    ]
    for region in regions:
        if region.span is not None:
            continue
        if region.row:
            operations.append(DeleteRow(region.row))
        elif region.column:
            operations.append(DeleteColumn(region.column))
        elif len(region.lines) == 1 and not region.table:
            operations += _line_out(lines, region.lines[0], close_up=options.close_up)
        else:
            refuse_unclear_end(lines, region)
            operations.append(DeleteBlocks(region.first, region.last, options.close_up))
    return operations


def _joined(spans: Sequence[Hit]) -> list[Hit]:
    """Stretches of one line that follow each other as one, the blanks between them included."""
    joined: list[Hit] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.line is span.line and not span.line.text[last.end : span.start].strip():
            joined[-1] = Hit(span.line, last.start, span.end)
        else:
            joined.append(span)
    return joined


def _object(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> list[Operation]:
    match unit.kind:
        case "row":
            return delete_row(lines, unit, options, lookup)
        case "column":
            return delete_column(lines, unit, lookup)
        case "footnote" | "notes":
            return delete_note(lines, unit, options, lookup)
        case "image":
            return delete_image(lines, unit)
        case _:
            message = f"The built-in editor cannot delete a {unit.kind}"
            raise RefusedError(message)


def _section(lines: Lines, command: DeleteUnit, lookup: str | None) -> Operation:
    if command.unit.value is None:
        raise RefusedError("Say which section is meant, by its heading")
    if command.options.nth is not None:
        message = "Say which item of the section is meant by its words, or by its number"
        raise RefusedError(message)
    start = heading(lines, command.unit.value, lookup)
    inside = section(lines, start)
    last = inside[-1]
    return DeleteBlocks(start.anchor, last.table or last.anchor, command.options.close_up)


def _blocks(lines: Lines, command: DeleteUnit, lookup: str | None) -> list[Operation]:
    options = command.options
    inside, _ = scoped(lines, options, lookup)
    anchors = {line.anchor for line in inside}
    quote = command.unit.value.text if command.unit.value else ""
    fitting = [line for line in matching(lines, command.unit) if line.anchor in anchors]
    if not fitting:
        raise not_found(lines, quote)
    meant = fitting if options.everywhere else [_one(lines, fitting, command, lookup)]
    if command.unit.kind == "line" and any(line.table for line in meant):
        raise RefusedError("These words stand in a table; say whether the cell or the row is meant")
    return [
        operation
        for line in meant
        for operation in _line_out(lines, line, close_up=options.close_up)
    ]


def _one(lines: Lines, candidates: Sequence[Line], command: DeleteUnit, lookup: str | None) -> Line:
    whole_lines = [Hit(line, 0, len(line.text)) for line in candidates]
    if command.options.nth is not None:
        value = command.unit.value
        return the_one(lines, whole_lines, value.text if value else "", command.options, None).line
    quote = command.unit.value.text if command.unit.value else ""
    in_them = hits(candidates, quote, command.options)
    meant = narrowed(lines, in_them or whole_lines, lookup)
    left = {hit.line.anchor for hit in meant}
    return the_only(lines, [hit for hit in whole_lines if hit.line.anchor in left]).line
