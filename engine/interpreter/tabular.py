"""Tables: rows, columns, new ones."""

from __future__ import annotations

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.addresses import table, within
from redraft.engine.interpreter.command_targets import Side, spot
from redraft.engine.interpreter.commands import InsertRow, NewTable, Options, Place, Unit, Value
from redraft.engine.interpreter.grids import column_cell, row_of
from redraft.engine.interpreter.lines import Lines, folded
from redraft.engine.interpreter.replacing import scoped
from redraft.engine.interpreter.word_questions import say
from redraft.engine.model import Table
from redraft.engine.plan import (
    DeleteColumn,
    DeleteRow,
    InsertColumn,
    InsertTable,
    Operation,
)
from redraft.engine.plan import InsertRow as RowOperation


def insert_row(lines: Lines, command: InsertRow, lookup: str | None) -> list[Operation]:
    """Put a row or column in."""
    cells = tuple(say(cell.text) for cell in command.cells)
    place = command.place or Place("end")
    if command.kind == "column":
        return [_column(lines, place, cells, lookup)]
    grid, anchor, where = _row_spot(lines, place, lookup)
    if len(cells) > grid.columns:
        message = f"The table has {grid.columns} columns; {len(cells)} cells do not fit in a row"
        raise RefusedError(message)
    return [RowOperation(anchor, where, cells)]


def _row_spot(lines: Lines, place: Place, lookup: str | None) -> tuple[Table, str, Side]:
    target = place.target
    side: Side = "before" if place.where in ("before", "top") else "after"
    if isinstance(target, Unit) and target.kind == "row":
        row = row_of(lines, target, lookup)
    elif isinstance(target, Value) and place.where in ("before", "after"):
        row = row_of(lines, Unit("row", target, "contains"), lookup)
    else:
        grid = _table(lines, target, lookup)
        row = grid.rows[-1 if side == "after" else 0]
        if side == "before" and row.is_header:
            side = "after"
    grid = next(grid for grid in lines.tables if row in grid.rows)
    return grid, row.anchor, side


def _column(lines: Lines, place: Place, cells: tuple[str, ...], lookup: str | None) -> InsertColumn:
    target = place.target
    side: Side = "before" if place.where in ("before", "top") else "after"
    if isinstance(target, Unit) and target.kind in ("column", "cell"):
        grid, anchor = column_cell(lines, target, lookup)
    elif isinstance(target, Value) and place.where in ("before", "after"):
        grid, anchor = column_cell(lines, Unit("column", target), lookup)
    else:
        grid = _table(lines, target, lookup)
        anchor = grid.rows[0].cells[-1 if side == "after" else 0].anchor
    if len(cells) > len(grid.rows):
        message = f"The table has {len(grid.rows)} rows; {len(cells)} cells do not fit in a column"
        raise RefusedError(message)
    return InsertColumn(anchor, side, cells)


def _table(lines: Lines, target: Unit | Value | None, lookup: str | None) -> Table:
    if isinstance(target, Value):
        target = Unit("table", target, "contains")
    if target is None or (target.kind == "table" and target.value is None):
        return table(lines, target or Unit("table"))
    if target.kind != "table":
        raise RefusedError("Say at which row or column of the table it should stand")
    inside, _ = within(lines, target, lookup)
    return next(grid for grid in lines.tables if grid.anchor == inside[0].table)


def new_table(lines: Lines, command: NewTable, lookup: str | None) -> list[Operation]:
    """Put a table in that has its first row."""
    anchor, where = spot(lines, command.place, command.options, lookup)
    return [InsertTable(anchor, where, (tuple(say(cell.text) for cell in command.cells),))]


def delete_row(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> list[Operation]:
    """Take a row out, or every row with the words."""
    if options.everywhere and unit.value is not None:
        wanted = folded(unit.value.text)
        row_anchors = dict.fromkeys(
            line.row for line in lines.lines if line.row and wanted in folded(line.text)
        )
        if row_anchors:
            return [DeleteRow(anchor) for anchor in row_anchors]
    if options.nth is not None and unit.number is None and unit.value is None:
        unit = Unit("row", number=options.nth)
    inside, _ = scoped(lines, options, lookup)
    return [DeleteRow(row_of(lines, unit, lookup, inside).anchor)]


def delete_column(lines: Lines, unit: Unit, lookup: str | None) -> list[Operation]:
    """Take a column out."""
    return [DeleteColumn(column_cell(lines, unit, lookup)[1])]
