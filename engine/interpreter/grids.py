"""Rows, columns, and cells named by both in one breath: "Q4 revenue", "revenue for Q4"."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.interpreter.addresses import matching, table
from redraft.engine.interpreter.commands import Unit, Value
from redraft.engine.interpreter.lines import Line, Lines, folded
from redraft.engine.interpreter.search import Hit, narrowed, the_only
from redraft.engine.interpreter.structure import resolve, single
from redraft.engine.model import Row, Table

_T = TypeVar("_T")

_FILLERS = frozenset({"of", "for", "in", "the", "'s"})
# What people call what stands in a cell: "the Q4 revenue figure".
_CALLED = frozenset({"figure", "value", "number", "amount", "cell", "entry"})


def crossing(anchors: Collection[str], lines: Lines, name: str) -> list[list[Line]]:
    """The cells whose row's and column's heads are together the words of a name.

    Args:
        anchors: The lines that count.
        lines: The document.
        name: Words in either order.

    Returns:
        The lines of each such cell.
    """
    by_cell: dict[str, list[Line]] = {}
    for line in lines.lines:
        if line.cell:
            by_cell.setdefault(line.cell, []).append(line)
    words = [word for word in folded(name).split() if word not in _FILLERS]
    cells = _crossing(anchors, lines.tables, by_cell, words)
    if not cells and words and words[-1] in _CALLED:
        return _crossing(anchors, lines.tables, by_cell, words[:-1])
    return cells


def _crossing(
    anchors: Collection[str],
    tables: Sequence[Table],
    by_cell: Mapping[str, list[Line]],
    words: Sequence[str],
) -> list[list[Line]]:
    wanted = sorted(words)
    return [
        by_cell[cell]
        for grid in tables
        for cell in _meeting(grid, by_cell, wanted)
        if cell in by_cell and all(line.anchor in anchors for line in by_cell[cell])
    ]


def heads(lines: Lines, anchor: str) -> tuple[str, str]:
    """What the cell of a line stands under and beside: the heads of its column and of its row."""
    line = next(line for line in lines.lines if line.anchor == anchor)
    grid = next(grid for grid in lines.tables if grid.anchor == line.table)
    row, own = next(
        (row, cell) for row in grid.rows for cell in row.cells if cell.anchor == line.cell
    )
    top = next((cell for cell in grid.rows[0].cells if cell.column == own.column), own)
    above, beside = (
        " ".join(
            line_of_cell.text for line_of_cell in lines.lines if line_of_cell.cell == cell.anchor
        )
        for cell in (top, row.cells[0])
    )
    return above, beside


def _meeting(grid: Table, by_cell: Mapping[str, list[Line]], wanted: list[str]) -> list[str]:
    def words(cell: str) -> list[str]:
        text = " ".join(line.text for line in by_cell.get(cell, ()))
        return [word for word in folded(text).split() if word not in _FILLERS]

    heads = {cell.column: words(cell.anchor) for cell in grid.rows[0].cells}
    return [
        cell.anchor
        for row in grid.rows[1:]
        for cell in row.cells[1:]
        if heads.get(cell.column)
        and sorted(words(row.cells[0].anchor) + heads[cell.column]) == wanted
    ]


def row_of(
    lines: Lines, unit: Unit, lookup: str | None, inside: Sequence[Line] | None = None
) -> Row:
    """The row that a unit counts or that holds its words, `inside` being where it is looked for.

    Raises:
        NotFoundError, AmbiguousError: There is none, or several.
    """
    if unit.address is not None:
        region = single(lines, resolve(lines, unit.address))
        return next(row for grid in lines.tables for row in grid.rows if row.anchor == region.row)
    if unit.number is not None:
        grid = table(lines, unit.table or Unit("table"))
        shown = [row for row in grid.rows if not row.is_repeated]
        return _counted(shown, unit.number)
    row_lines = matching(lines, Unit("row", unit.value, "contains"))
    anchors = None if inside is None else {line.anchor for line in inside}
    row_lines = [line for line in row_lines if anchors is None or line.anchor in anchors]
    anchor = _only_one(lines, row_lines, [line.row for line in row_lines], lookup)
    return next(row for grid in lines.tables for row in grid.rows if row.anchor == anchor)


def column_cell(lines: Lines, unit: Unit, lookup: str | None) -> tuple[Table, str]:
    """A table, and the cell of its first row in the column that a unit counts or names.

    Raises:
        NotFoundError, AmbiguousError: There is none, or several.
    """
    if unit.address is not None:
        region = single(lines, resolve(lines, unit.address))
        grid = next(grid for grid in lines.tables if region.column.startswith(f"{grid.anchor}."))
        return grid, region.column
    if unit.number is not None:
        grid = table(lines, unit.table or Unit("table"))
        return grid, _counted(grid.rows[0].cells, unit.number).anchor
    if unit.value is None:
        raise RefusedError("Say which column is meant, by the words at its top")
    wanted = folded(unit.value.text)
    heads_called_so = [line for line in lines.lines if line.table and folded(line.text) == wanted]
    tops = {cell.anchor for grid in lines.tables for cell in grid.rows[0].cells}
    heads_called_so = [line for line in heads_called_so if line.cell in tops]
    anchor = _only_one(lines, heads_called_so, [line.cell for line in heads_called_so], lookup)
    name = next(line.table for line in heads_called_so if line.cell == anchor)
    grid = next(grid for grid in lines.tables if grid.anchor == name)
    place = next(c.column for row in grid.rows for c in row.cells if c.anchor == anchor)
    top = next((c.anchor for c in grid.rows[0].cells if c.column == place), anchor)
    return grid, top


def cells_of(texts: Sequence[str], count: int) -> tuple[Value, ...]:
    """The cells of a new row, quoted or written as one text; none where they are not as many."""
    if len(texts) == count:
        return tuple(map(Value, texts))
    text = texts[0] if len(texts) == 1 else ""
    for mark in ("|", "\t", ";", " / ", ", ", ","):
        cells = [part.strip() for part in text.strip(" |").split(mark)]
        if len(cells) == count and count > 1 and all(cells):
            return tuple(map(Value, cells))
    return ()


def _only_one(
    lines: Lines, candidates: Sequence[Line], anchors: Sequence[str], lookup: str | None
) -> str:
    if not candidates:
        raise NotFoundError
    if len(set(anchors)) == 1:
        return anchors[0]
    meant = narrowed(lines, [Hit(line, 0, len(line.text)) for line in candidates], lookup)
    kept = {hit.line.anchor for hit in meant}
    left = {anchor for line, anchor in zip(candidates, anchors, strict=True) if line.anchor in kept}
    if len(left) == 1:
        return left.pop()
    first = {anchor: line for line, anchor in reversed([*zip(candidates, anchors, strict=True)])}
    places = [Hit(line, 0, len(line.text)) for anchor, line in first.items() if anchor in left]
    line = the_only(lines, places[::-1]).line
    return next(anchor for other, anchor in zip(candidates, anchors, strict=True) if other is line)


def _counted(pool: Sequence[_T], number: int) -> _T:
    index = number - 1 if number > 0 else number
    if not -len(pool) <= index < len(pool):
        raise NotFoundError
    return pool[index]
