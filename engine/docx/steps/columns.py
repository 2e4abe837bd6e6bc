"""Inserting and deleting columns of tables.

A column is the cells that stand over the same columns of the grid. A cell of another row that
stretches over the place grows or shrinks by it, tracked as a change of its properties. A table that
has no room to grow keeps its width: all columns give some of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, unable
from redraft.engine.docx.editing.block_deletion import drop_emptied
from redraft.engine.docx.editing.conditional_formats import suit_cell
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Addition, Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import is_written_table
from redraft.engine.docx.editing.tracked_tables import (
    CELL_MARKS,
    fill_cell,
    forget,
    is_ours,
    is_recordable,
    mark_cell,
    new_cell,
    put_beside,
    record,
    set_property,
    set_span,
    strike,
)
from redraft.engine.docx.grid import (
    CELL_DEL,
    CELL_INS,
    H_MERGE,
    Cell,
    Grid,
    Row,
    drop_columns,
    grid,
    growth,
    span,
)
from redraft.engine.docx.judging.validity import counts, written_counts
from redraft.engine.docx.names import W_TC_PR, W_VAL, Element
from redraft.engine.docx.steps.column_widths import Widths
from redraft.engine.docx.steps.table_places import named_cell, refuse_controlled, said, slots
from redraft.engine.errors import RefusedError
from redraft.engine.plan import DeleteColumn, InsertColumn

_RAGGED = (
    "The rows of this table begin at different columns, so that a new column would not stand "
    "in line; insert it beside a column that all rows have"
)
_CROSSED = (
    "Another row has cells that reach over the edge of this column; change the text of its cells "
    "instead"
)
_WIDE = "This cell stretches over several columns; name a cell of the one column to be deleted"
_FOREIGN = (
    "Another author's change of a merged cell is in the way; accept or reject that change first"
)
_PENDING = (
    "A column was inserted and another deleted under the same merged cell; accept or reject the "
    "earlier change first"
)
_NOTHING_LEFT = (
    "A merged cell stretches over this column and over others that are deleted too, so that "
    "nothing would be left of it; delete one column, accept that, and then delete the next one"
)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a row gets its cell of a new column, or which cell grows instead of it.

    Attributes:
        row: The row.
        beside: The cell that the new one stands beside.
        is_after: On which side.
        grown: The cell that reaches over the place.
        is_covered: Whether the place is in the middle of cells merged in the old way (hMerge).
    """

    row: Row
    beside: Cell | None = None
    is_after: bool = True
    grown: Cell | None = None
    is_covered: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it takes text."""
        return self.beside is not None and not self.is_covered


@dataclass(frozen=True, slots=True)
class ColumnInsertion:
    """A new column beside that of a cell; texts by row."""

    table: Place
    at: Element
    where: Literal["before", "after"]
    texts: Mapping[Element, str]
    reach: Reach
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The table."""
        return (self.table,)

    def write(self, desk: Desk) -> bool:
        """Puts a cell into every row, marked as inserted, and the column into the grid."""
        desk.note_place(self.table)
        table = self.table.element
        table_grid = grid(table)
        cell = table_grid.cell(self.at)
        is_after = self.where == "after"
        edge = _edge(table_grid, cell, desk, is_after=is_after)
        widths = Widths(desk, table, cell.end - 1 if is_after else cell.start)
        for row in table_grid.rows:
            spot = _spot(row, edge, is_after=is_after)
            if spot.grown is not None:
                record(spot.grown.element, desk)
                set_span(spot.grown.element, _span(spot.grown) + 1)
                widths.grown.add(spot.grown.element)
            elif spot.beside is not None:
                self._cell(desk, spot, spot.beside, widths)
        widths.settle(edge)
        return True

    def _cell(self, desk: Desk, spot: _Spot, beside: Cell, widths: Widths) -> None:
        fresh = new_cell(desk, beside.element)
        put_beside(beside.element, fresh, is_after=spot.is_after)
        if spot.is_covered:
            set_property(fresh, H_MERGE, {W_VAL: "continue"})
        widths.fresh.append(fresh)
        mark_cell(fresh, CELL_INS, desk)
        suit_cell(desk, self.table.element, spot.row.element, fresh)
        fill_cell(desk, fresh, beside.element, self.texts.get(spot.row.element, ""))


@dataclass(frozen=True, slots=True)
class ColumnDeletion:
    """A column, to be deleted; the reach names its cells."""

    table: Place
    reach: Reach
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The table."""
        return (self.table,)

    def write(self, desk: Desk) -> bool:
        """Marks every cell of the column and all in it as deleted; what is ours is gone."""
        table = self.table.element
        table_grid = grid(table)
        cells = (cell for row in table_grid.rows for cell in row.cells)
        cell = next((cell for cell in cells if cell.element in self.reach.gone), None)
        if cell is None:
            return False  # they went with rows that the same plan deletes
        desk.note_place(self.table)
        deleted, narrowed = _column(table_grid, cell)
        is_new = is_written_table(table, desk.ids.ours)
        written = [
            target for target in deleted if is_new or _is_written(target.element, desk.ids.ours)
        ]
        widths = Widths(desk, table, 0)
        for target in narrowed:
            if _span(target) <= cell.span:
                raise RefusedError(_NOTHING_LEFT)
            if growth(target.element) > 0 and len(written) < len(deleted):
                raise RefusedError(_PENDING)
            if not is_new:
                record(target.element, desk)
            set_span(target.element, _span(target) - cell.span)
            widths.narrow(target.element, cell.start, cell.end)
            forget(target.element, desk)
        struck = [
            target.element for target in deleted if target not in written and not _is_struck(target)
        ]
        strike(desk, self.table, struck)
        for element in struck:
            mark_cell(element, CELL_DEL, desk)
        if written:
            for target in written:
                _remove(target.element)
            if len(written) == len(deleted):
                columns = range(cell.start, cell.end)
                drop_columns(table, columns, lambda target: is_ours(target, desk.ids.ours))
            widths.restore()
            drop_emptied(desk, self.table)
        return True


def insertion(finder: Finder, operation: InsertColumn) -> ColumnInsertion:
    """Resolves the insertion of a column.

    Raises:
        OperationError: there is no such cell, the texts do not fit, or the rows are not in line.
    """
    table, table_grid, cell = named_cell(finder, operation.target)
    is_after = operation.where == "after"
    edge = cell.end if is_after else cell.start
    spots = [_spot(row, edge, is_after=is_after) for row in table_grid.rows]
    for spot in spots:
        if spot.beside is None and spot.grown is None and (spot.row.before or spot.row.after):
            raise unable("merged_cells", _RAGGED)
        if spot.grown is not None:
            _check(spot.grown.element, finder.survey.ours, -1)
    shown = [spot for spot in spots if not spot.row.is_deleted]
    texts = slots(operation.cells, [spot.is_free for spot in shown])
    added = [
        Addition(spot.beside.element, "after" if spot.is_after else "before", not said(text))
        for spot, text in zip(shown, texts, strict=True)
        if spot.beside is not None
    ]
    by_row = {spot.row.element: text for spot, text in zip(shown, texts, strict=True)}
    reach = Reach(added=tuple(added))
    return ColumnInsertion(table, cell.element, operation.where, by_row, reach)


def deletion(finder: Finder, operation: DeleteColumn) -> ColumnDeletion:
    """Resolves the deletion of a column.

    Raises:
        OperationError: there is no such cell, it is the last column, or merged cells are in the
            way.
    """
    table, table_grid, cell = named_cell(finder, operation.target)
    ours = finder.survey.ours
    deleted, narrowed = _column(table_grid, cell)
    for row in table_grid.shown:
        if all(target in deleted for target in row.shown):
            message = f"Nothing would be left of a row; delete the rows or the table {table.anchor}"
            raise unable("last_column", message)
    for target in deleted:
        if target.is_covered or _before_covered(table_grid, target):
            raise unable("merged_cells", _CROSSED)
        refuse_controlled(target.element, "cell")
    is_struck = not all(_is_written(target.element, ours) for target in deleted)
    for target in narrowed:
        _check(target.element, ours, 1 if is_struck else 0)
        if _span(target) <= cell.span:
            raise unable("merged_cells", _NOTHING_LEFT)
    less: dict[Element, Mapping[str, int]] = {}
    is_new = is_written_table(table.element, ours)
    for target in deleted:
        is_lost = is_new or _is_written(target.element, ours)
        objects = counts([target.element]) if is_lost else written_counts(target.element, ours)
        less |= (
            {target.element: {name: -number for name, number in objects.items()}} if objects else {}
        )
    reach = Reach(gone=frozenset(target.element for target in deleted), counts=less)
    return ColumnDeletion(table, reach)


def _check(cell: Element, ours: Mapping[int, str], against: int) -> None:
    """Refuses to change how far a cell stretches.

    Raises:
        OperationError: another author's change stands on it, or one of ours to the other side
            (`against`), so that the columns it covers would no longer be known.
    """
    if not is_recordable(cell, ours):
        raise unable("merged_cells", _FOREIGN)
    if growth(cell) * against > 0:
        raise unable("merged_cells", _PENDING)


def _edge(table_grid: Grid, cell: Cell, desk: Desk, *, is_after: bool) -> int:
    """Returns where the new column goes: behind those that the same edit put there before."""
    if not is_after:
        return cell.start
    edge = cell.end
    row = table_grid.rows[cell.row]
    following = row.at(edge)
    while following is not None and _is_fresh(following.element, desk):
        edge = following.end
        following = row.at(edge)
    return edge


def _spot(row: Row, edge: int, *, is_after: bool) -> _Spot:
    """Returns where the cell of a new column goes in a row."""
    crossing = row.at(edge)
    if crossing is not None and crossing.start < edge:
        return _Spot(row, grown=crossing)
    left = next((cell for cell in row.cells if cell.end == edge), None)
    right = crossing
    if left is None and right is None:
        return _Spot(row)
    is_covered = left is not None and right is not None and right.is_covered
    if left is not None and (is_after or right is None):
        return _Spot(row, left, is_after=True, is_covered=is_covered)
    return _Spot(row, right, is_after=False, is_covered=is_covered)


def _column(table_grid: Grid, cell: Cell) -> tuple[list[Cell], list[Cell]]:
    """Returns the cells that go with the column of a cell, and those that only become narrower.

    Raises:
        OperationError: cells of other rows reach over an edge of the column.
    """
    whole: list[Cell] = []
    narrowed: list[Cell] = []
    for row in table_grid.rows:
        here = [
            candidate
            for candidate in row.cells
            if candidate.start < cell.end and candidate.end > cell.start
        ]
        if not here:
            continue
        if len(here) > 1:
            raise unable("merged_cells", _WIDE)
        candidate = here[0]
        if (candidate.start, candidate.end) == (cell.start, cell.end):
            whole.append(candidate)
        elif candidate.start <= cell.start and cell.end <= candidate.end:
            narrowed.append(candidate)
        else:
            raise unable("merged_cells", _CROSSED)
    return whole, narrowed


def _before_covered(table_grid: Grid, cell: Cell) -> bool:
    following = table_grid.rows[cell.row].at(cell.end)
    return following is not None and following.is_covered


def _span(cell: Cell) -> int:
    """Returns the columns that a cell stretches over now, a pending change of it counted."""
    return span(cell.element.find(W_TC_PR))


def _is_written(cell: Element, ours: Mapping[int, str]) -> bool:
    return is_ours(cell.find(f"{W_TC_PR}/{CELL_INS}"), ours)


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _is_struck(cell: Cell) -> bool:
    properties = cell.element.find(W_TC_PR)
    return properties is not None and any(child.tag in CELL_MARKS for child in properties)


def _is_fresh(cell: Element, desk: Desk) -> bool:
    mark = cell.find(f"{W_TC_PR}/{CELL_INS}")
    return is_ours(mark, desk.ids.ours) and not is_ours(mark, desk.state.ours)
