"""Which lines a piece of structure means: the section V, the row containing V, table 2."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from redraft.engine.errors import AmbiguousError, NotFoundError, RefusedError
from redraft.engine.interpreter.commands import Address, Options, Unit, Value
from redraft.engine.interpreter.lines import Line, Lines, folded, label, unnumbered
from redraft.engine.interpreter.outline import is_caption
from redraft.engine.interpreter.search import Hit, ambiguous, hits, narrowed, not_found, the_only
from redraft.engine.interpreter.structure import candidate, resolve, single, tables_in
from redraft.engine.model import Heading, ListItem, Paragraph, Table

_NUMBER = re.compile(r"\d+(?:\.\d+)*\.?")
_LONGEST_TITLE = 100
_TYPED_BULLET = re.compile(r"\s*[•◦▪●‣·]\s")
_TITLE_STYLES = {"title", "titel", "titre", "título", "titolo"}


def headings(lines: Lines) -> list[Line]:
    """The headings of the body; where there are none, short lines that could be some."""
    body = [line for line in lines.lines if line.story.kind == "body" and not line.table]
    real = [line for line in body if isinstance(line.block, Heading)]
    return real or [line for line in body if 0 < len(line.text.strip()) <= _LONGEST_TITLE]


def heading(lines: Lines, value: Value, lookup: str | None) -> Line:
    """Find the heading a person names: exactly, then without its number, then containing it."""
    candidates = headings(lines)
    if _NUMBER.fullmatch(value.text.strip()):
        return _numbered(lines, candidates, value, lookup)
    wanted = folded(value.text)
    bare = folded(unnumbered(value.text))
    steps: tuple[Callable[[Line], bool], ...] = (
        lambda line: folded(f"{label(line.block)} {line.text}") == wanted,
        lambda line: folded(line.text) == wanted,
        lambda line: folded(unnumbered(line.text)) in (wanted, bare),
        lambda line: folded(line.text) == bare,
        lambda line: isinstance(line.block, Heading) and wanted in folded(line.text),
    )
    for step in steps:
        headings_called_so = [line for line in candidates if step(line)]
        if headings_called_so:
            return one_line(lines, headings_called_so, lookup)
    raise not_found(lines, value.text)


def _numbered(lines: Lines, candidates: Sequence[Line], value: Value, lookup: str | None) -> Line:
    """The heading with a number, written by Word or typed: `section 2` is not `12.` or `2.1`."""
    wanted = value.text.strip().rstrip(".")
    digits = [
        line for line in candidates if folded(line.text) == wanted or _number_of(line) == wanted
    ]
    if not digits:
        raise not_found(lines, value.text)
    return one_line(lines, digits, lookup)


def _number_of(line: Line) -> str:
    typed = line.text[: len(line.text.strip()) - len(unnumbered(line.text))]
    digits = _NUMBER.search(label(line.block) or typed)
    return digits[0].rstrip(".") if digits else ""


def one_line(lines: Lines, candidates: Sequence[Line], lookup: str | None) -> Line:
    """The line that is meant among several: the only one, or the only one near `lookup`.

    Raises:
        AmbiguousError: There are several.
    """
    if len(candidates) == 1:
        return candidates[0]
    whole = [Hit(line, 0, len(line.text)) for line in candidates]
    return the_only(lines, narrowed(lines, whole, lookup)).line


def section(lines: Lines, start: Line) -> list[Line]:
    """The lines of the section a heading opens, the heading first."""
    return [
        line for line in lines.lines if line.anchor == start.anchor or start.anchor in line.headings
    ]


def matching(lines: Lines, unit: Unit) -> list[Line]:
    """Lines of the kind a unit says, whose text matches its value."""
    if unit.value is None and unit.number is not None and unit.kind == "paragraph":
        return [counted(lines.lines, unit.number)]
    if unit.value is None:
        message = f"Say which {unit.kind} is meant, for example by words in it"
        raise RefusedError(message)
    pool = [line for line in lines.lines if _is_kind(line, unit)]
    fitting = [line for line in pool if _matches(line, unit)]
    if not fitting and unit.match == "is":
        quote = unit.value.text
        fitting = list(dict.fromkeys(hit.line for hit in hits(pool, quote, Options())))
    if not fitting:
        raise not_found(lines, unit.value.text)
    if unit.kind == "paragraph" and len(fitting) > 1:
        # A heading is called a paragraph only where nothing else is.
        fitting = [line for line in fitting if not isinstance(line.block, Heading)] or fitting
    # Who says "paragraph" speaks of the text, unless the words are only in a header or note.
    return [line for line in fitting if line.story.kind == "body"] or fitting


def counted(pool: Sequence[Line], number: int) -> Line:
    """The paragraph of the body that a number counts, from 1, -1 the last; a title is none.

    Raises:
        NotFoundError: There are not as many.
        RefusedError: List items stand before it, of which nobody said whether they count.
    """
    shown = [
        line
        for line in pool
        if line.story.kind == "body" and not line.table and line.text.strip()
        if isinstance(line.block, (Paragraph, ListItem)) and not is_styled_title(line)
    ]
    alone = [line for line in shown if isinstance(line.block, Paragraph)]
    index = number - 1 if number > 0 else number
    if not -len(alone) <= index < len(alone):
        raise NotFoundError
    if not -len(shown) <= index < len(shown) or shown[index].anchor != alone[index].anchor:
        message = (
            "It is not clear whether list items count as paragraphs here; name words of the"
            ' paragraph, as: the paragraph containing "A"'
        )
        raise RefusedError(message)
    return alone[index]


def _is_kind(line: Line, unit: Unit) -> bool:
    match unit.kind:
        case "bullet":
            return isinstance(line.block, ListItem) or bool(_TYPED_BULLET.match(line.text))
        case "heading":
            return isinstance(line.block, Heading)
        case "footnote" | "notes":
            return line.story.kind in ("footnote", "endnote")
        case "row" | "cell":
            return bool(line.table)
        case _:
            return True


def _matches(line: Line, unit: Unit) -> bool:
    quote = unit.value.text if unit.value else ""
    places = hits([line], quote, Options())
    text = line.text.strip()
    match unit.match:
        case "is":
            return folded(text) == folded(quote)
        case "contains":
            return bool(places)
        case "starts":
            return any(not line.text[: hit.start].strip() for hit in places)
        case "ends":
            return any(not line.text[hit.end :].strip(" .;,") for hit in places)


def is_styled_title(line: Line) -> bool:
    """Whether a line has the style of a document's title, which is no heading of a section."""
    style = getattr(line.block, "style", "")
    return isinstance(style, str) and style.casefold() in _TITLE_STYLES


def items_of_list(lines: Lines) -> list[Line]:
    """The items of the document's only list; of the only one with bullets, where others count.

    Raises:
        NotFoundError, AmbiguousError: There is no list, or several.
    """
    items = [at for at, line in enumerate(lines.body) if isinstance(line.block, ListItem)]
    items = [at for at in items if not label(lines.body[at].block)] or items
    if not items:
        raise NotFoundError(reason="There is no list")
    if items != list(range(items[0], items[-1] + 1)):
        raise AmbiguousError("There are several lists; say after or before which item")
    return [lines.body[at] for at in items]


def title(lines: Lines) -> Line:
    """The line that is the document's title: by its style, else the first heading near the top."""
    body = [line for line in lines.lines if line.story.kind == "body" and line.text.strip()]
    for line in body:
        if is_styled_title(line):
            return line
    if body and isinstance(body[0].block, Heading):
        return body[0]
    first_level = [
        line for line in body if isinstance(line.block, Heading) and line.block.level == 1
    ]
    if len(first_level) == 1:
        return first_level[0]
    has_headings = any(isinstance(line.block, Heading) for line in body)
    if body and not has_headings and is_caption(body[0]):
        return body[0]
    raise NotFoundError(reason="No line of the document is marked as its title")


def table(lines: Lines, unit: Unit) -> Table:
    """The table a unit counts, the last one for -1; the only one when it counts none."""
    body = [table for table in lines.tables if re.match(r"t\d", table.anchor)]
    if unit.address is not None:
        region = single(lines, resolve(lines, unit.address))
        return next(table for table in body if table.anchor == region.table)
    if not body:
        raise NotFoundError
    if unit.value is not None:
        anchor = _named_table(lines, unit.value)
        return next(table for table in body if table.anchor == anchor)
    if unit.number is None:
        if len(body) > 1:
            message = f"The document has {len(body)} tables; say which one, as: table 2"
            regions = tables_in(lines)
            picked = [one for one in regions if one.table in lines.chosen]
            if len(picked) != 1:
                raise AmbiguousError(message, tuple(candidate(one) for one in regions))
            return next(table for table in body if table.anchor == picked[0].table)
        return body[0]
    index = unit.number - 1 if unit.number > 0 else unit.number
    if not -1 <= index < len(body):
        raise NotFoundError
    return body[index]


def within(lines: Lines, scope: Unit, lookup: str | None) -> tuple[list[Line], str]:
    """The lines of a scope, and the scope as `engine.plan.FindReplace` writes it (empty: no such).

    Raises:
        NotFoundError, AmbiguousError: No such place, or several.
    """
    if scope.address is not None:
        return addressed(lines, scope.address)
    match scope.kind:
        case "header" | "footer" | "notes" | "body" | "document":
            return _stories(lines, scope)
        case "table" | "row":
            return _tabular(lines, scope, lookup)
        case "section":
            start = _section_start(lines, scope, lookup)
            clause = next((one for one in lines.clauses if one.line.anchor == start.anchor), None)
            if clause is not None and not isinstance(start.block, Heading):
                return list(lines.body[clause.start : clause.end]), ""
            return section(lines, start), f"section:{start.anchor}"
        case "footnote":
            return footnote(lines, scope, lookup), ""
        case "cell" if scope.column is not None:
            return cell(lines, scope, lookup), ""
        case "column":
            raise RefusedError("The built-in editor cannot look into one column only")
        case "title":
            line = title(lines)
        case _:
            line = one_line(lines, matching(lines, scope), lookup)
    return [line], f"block:{line.anchor}"


def addressed(lines: Lines, address: Address, *, in_part: bool = False) -> tuple[list[Line], str]:
    """The lines of an address, and how a plan writes the place where it can.

    Raises:
        RefusedError: It is a part of a line, and `in_part` does not allow that.
    """
    regions = resolve(lines, address)
    inside = [line for region in regions for line in region.lines]
    is_part = any(region.span is not None for region in regions)
    if is_part and not in_part:
        message = f"The built-in editor cannot look into one {address.kind} only"
        raise RefusedError(message)
    if len(regions) != 1 or is_part or regions[0].column:
        return inside, ""
    one = single(lines, regions)
    if one.row or one.table:
        return inside, f"row:{one.row}" if one.row else f"table:{one.table}"
    if len(inside) == 1:
        return inside, f"block:{inside[0].anchor}"
    is_all = inside == section(lines, inside[0])
    return inside, f"section:{inside[0].anchor}" if is_all else ""


def _stories(lines: Lines, scope: Unit) -> tuple[list[Line], str]:
    written, kinds = {
        "header": ("headers", ("header",)),
        "footer": ("footers", ("footer",)),
        "notes": ("notes", ("footnote", "endnote")),
        "body": ("body", ("body",)),
    }.get(scope.kind, ("all", ()))
    return [line for line in lines.lines if not kinds or line.story.kind in kinds], written


def _tabular(lines: Lines, scope: Unit, lookup: str | None) -> tuple[list[Line], str]:
    if scope.kind == "table":
        anchor = _table_anchor(lines, scope, lookup)
        return [line for line in lines.lines if line.table == anchor], f"table:{anchor}"
    if scope.value is None and scope.number is not None:
        anchor = _row_at(table(lines, scope.table or Unit("table")), scope.number)
    else:
        anchor = _one(list(dict.fromkeys(line.row for line in matching(lines, scope))))
    return [line for line in lines.lines if line.row == anchor], f"row:{anchor}"


def _row_at(grid: Table, number: int) -> str:
    shown = [row for row in grid.rows if not row.is_repeated]
    index = number - 1 if number > 0 else number
    if not -len(shown) <= index < len(shown):
        raise NotFoundError
    return shown[index].anchor


def _section_start(lines: Lines, scope: Unit, lookup: str | None) -> Line:
    if scope.value is None:
        raise RefusedError("Say which section is meant, by its heading")
    return heading(lines, scope.value, lookup)


def _table_anchor(lines: Lines, scope: Unit, lookup: str | None) -> str:
    if scope.value is None:
        return table(lines, scope).anchor
    return _named_table(lines, scope.value)


def _named_table(lines: Lines, name: Value) -> str:
    """The table that has a word in its first row, just above or below it, or in its heading.

    Where there is only one table, that one is meant whatever one word it is called.
    """
    body = [line for line in lines.lines if line.story.kind == "body"]
    wanted = name.text.casefold()
    anchors = list(dict.fromkeys(line.table for line in body if line.table))
    near: list[str] = []
    for anchor in anchors:
        inside = [index for index, line in enumerate(body) if line.table == anchor]
        first_row = [body[i].text for i in inside if body[i].row == body[inside[0]].row]
        beside = [line.text for line in (*body[: inside[0]][-1:], *body[inside[-1] + 1 :][:1])]
        heads = [line.text for line in body if line.anchor in body[inside[0]].headings]
        if any(wanted in text.casefold() for text in (*first_row, *beside, *heads)):
            near.append(anchor)
    is_sole = len(anchors) == 1 and (name.is_quoted or len(name.text.split()) == 1)
    return _one(anchors if is_sole else near)


def _one(anchors: Sequence[str]) -> str:
    if not anchors:
        raise NotFoundError
    if len(anchors) > 1:
        raise ambiguous(len(anchors))
    return anchors[0]


def footnote(lines: Lines, unit: Unit, lookup: str | None) -> list[Line]:
    """The lines of the note with a number, or of the only note with these words."""
    if unit.number is None:
        line = one_line(lines, matching(lines, unit), lookup)
        return [other for other in lines.lines if other.story.anchor == line.story.anchor]
    number = str(unit.number)
    for kind in ("footnote", "endnote"):
        notes = [
            line
            for line in lines.lines
            if line.story.kind == kind and number in (line.story.label, line.story.anchor[2:])
        ]
        labelled = [line for line in notes if line.story.label == number]
        if notes:
            return labelled or notes
    raise NotFoundError


def cell(lines: Lines, unit: Unit, lookup: str | None) -> list[Line]:
    """The lines of one cell: by its words, or by words of its row and its column's first cell."""
    if unit.column is None:
        line = one_line(lines, matching(lines, unit), lookup)
        return [other for other in lines.lines if other.cell == line.cell]
    wanted = folded(unit.column.text)
    rows = {line.row for line in matching(lines, Unit("row", unit.value, "contains"))}
    named = {line.cell for line in lines.lines if line.cell and folded(line.text) == wanted}
    cell_lines: list[str] = []
    for table in lines.tables:
        heads = [cell.column for cell in table.rows[0].cells if cell.anchor in named]
        cell_lines += [
            cell.anchor
            for row in table.rows[1:]
            for cell in row.cells
            if row.anchor in rows and cell.column in heads
        ]
    anchor = _one(cell_lines)
    return [line for line in lines.lines if line.cell == anchor]
