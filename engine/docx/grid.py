"""The grid of a table: which physical cell covers which grid columns of which row.

Columns count from 0. The cells of a row cover `before` up to its `end` without gap or overlap, so
that a column meets at most one cell of a row. Cells and rows that are deleted but pending still
stand in the file and count. A cell whose width in columns is part of a tracked change covers the
wider of its two spans, for the columns that it gave up or took are still there.

[x] gridSpan, pending too  [x] gridBefore, gridAfter  [x] vMerge, hMerge, tracked merges
[x] rows and cells in content controls and custom XML (`engine.docx.anchors`)
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final, Literal

from redraft.engine.docx.anchors import cells, rows
from redraft.engine.docx.names import W_DEL, W_TC_PR, W_TR_PR, W_VAL, Element, W
from redraft.engine.docx.property_values import number, value

GRID_SPAN: Final = W("gridSpan")
GRID_BEFORE: Final = W("gridBefore")
GRID_AFTER: Final = W("gridAfter")
V_MERGE: Final = W("vMerge")
H_MERGE: Final = W("hMerge")
TC_PR_CHANGE: Final = W("tcPrChange")
CELL_INS: Final = W("cellIns")
CELL_DEL: Final = W("cellDel")
CELL_MERGE: Final = W("cellMerge")
TBL_GRID: Final = W("tblGrid")
GRID_COL: Final = W("gridCol")
TBL_GRID_CHANGE: Final = W("tblGridChange")
_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell over the columns from `start` up to `end`.

    `merge` says how it takes part in a vertical merge; `is_covered` that it is merged into the cell
    before it; `is_deleted` that its deletion, or its row's, is pending.
    """

    element: Element
    row: int
    start: int
    span: int
    merge: Literal["", "restart", "continue"]
    is_covered: bool
    is_deleted: bool

    @property
    def end(self) -> int:
        """The first column behind it."""
        return self.start + self.span

    @property
    def is_merged_away(self) -> bool:
        """Whether another cell is shown in its place."""
        return self.is_covered or self.merge == "continue"


@dataclass(frozen=True, slots=True)
class Row:
    """A row whose cells begin behind `before` columns and leave out `after` at the end."""

    element: Element
    index: int
    before: int
    cells: tuple[Cell, ...]
    after: int
    is_deleted: bool

    @property
    def end(self) -> int:
        """The first column behind its last cell."""
        return self.cells[-1].end if self.cells else self.before

    @property
    def shown(self) -> tuple[Cell, ...]:
        """The cells whose deletion is not pending."""
        return tuple(cell for cell in self.cells if not cell.is_deleted)

    def at(self, column: int) -> Cell | None:
        """Returns the cell over a column."""
        return next((cell for cell in self.cells if cell.start <= column < cell.end), None)

    def starting(self, column: int) -> Cell | None:
        """Returns the cell that begins at a column and whose deletion is not pending."""
        return next((cell for cell in self.shown if cell.start == column), None)


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of one table, not of the tables in it."""

    table: Element
    rows: tuple[Row, ...]
    _cells: dict[Element, Cell] = field(repr=False, compare=False)
    _rows: dict[Element, Row] = field(repr=False, compare=False)

    @property
    def shown(self) -> tuple[Row, ...]:
        """The rows whose deletion is not pending."""
        return tuple(row for row in self.rows if not row.is_deleted)

    def cell(self, element: Element) -> Cell:
        """Returns the place of a physical cell of this table."""
        return self._cells[element]

    def row(self, element: Element) -> Row:
        """Returns the place of a physical row of this table."""
        return self._rows[element]

    def beside(self, row: Row, step: Literal[-1, 1]) -> Row | None:
        """Returns the shown row above (-1) or below (1) a row."""
        places = range(row.index + step, len(self.rows) if step == 1 else -1, step)
        return next((self.rows[at] for at in places if not self.rows[at].is_deleted), None)


def grid(table: Element) -> Grid:
    """Returns the grid of a table as it stands in the file."""
    table_rows: list[Row] = []
    known: dict[Element, Cell] = {}
    for index, element in enumerate(rows(table)):
        row = _row(element, index)
        table_rows.append(row)
        known.update((cell.element, cell) for cell in row.cells)
    return Grid(table, tuple(table_rows), known, {row.element: row for row in table_rows})


def cells_of(row: Element) -> tuple[Cell, ...]:
    """Returns the cells of a row as they stand, the row taken for the first one of its table."""
    return _row(row, 0).cells


def table_of(element: Element) -> Element | None:
    """Returns the innermost table around a row or cell."""
    return next(element.iterancestors(W("tbl")), None)


def span(properties: Element | None) -> int:
    """Returns over how many columns a cell with these properties stretches (17.4.17, gridSpan)."""
    return max(1, min(number(value(properties, GRID_SPAN)) or 1, _MOST))


def vanishing(table: Element, deleted: Collection[Element]) -> set[int]:
    """Returns the columns that nothing stands over once cells are gone.

    A cell that a pending change makes wider or narrower gives up the columns in question.

    Args:
        table: Before they go.
        deleted: Cells, and rows with all their cells.
    """
    lost: set[int] = set()
    remaining: set[int] = set()
    for row in grid(table).rows:
        if row.element in deleted:
            continue
        for cell in row.cells:
            if cell.element in deleted:
                lost.update(range(cell.start, cell.end))
            elif not growth(cell.element):
                remaining.update(range(cell.start, cell.end))
    return lost - remaining


def drop_columns(
    table: Element, columns: Collection[int], is_like: Callable[[Element], bool]
) -> None:
    """Takes columns out of the grid of a table, and out of a recorded one of the same shape.

    Args:
        table: Whose columns went.
        columns: Which.
        is_like: Whether a record of the grid is by those whose columns went; another's stays.
    """
    table_grid = table.find(TBL_GRID)
    if table_grid is None or not columns:
        return
    now = table_grid.findall(GRID_COL)
    change = table_grid.find(TBL_GRID_CHANGE)
    is_recorded = change is not None and is_like(change)
    former = table_grid.findall(f"{TBL_GRID_CHANGE}/{TBL_GRID}/{GRID_COL}") if is_recorded else []
    for side in (now, former if len(former) == len(now) else []):
        for index, column in enumerate(side):
            parent = column.getparent()
            if index in columns and parent is not None:
                parent.remove(column)


def growth(cell: Element) -> int:
    """Returns by how many columns a pending change widens a cell; negative: narrows it."""
    properties = cell.find(W_TC_PR)
    former = None if properties is None else properties.find(f"{TC_PR_CHANGE}/{W_TC_PR}")
    return 0 if former is None else span(properties) - span(former)


def _row(element: Element, index: int) -> Row:
    properties = element.find(W_TR_PR)
    is_deleted = properties is not None and properties.find(W_DEL) is not None
    before = _left_out(properties, GRID_BEFORE)
    column = before
    row_cells: list[Cell] = []
    for cell in cells(element):
        made = _cell(cell, index, column, is_deleted=is_deleted)
        column = made.end
        row_cells.append(made)
    return Row(
        element, index, before, tuple(row_cells), _left_out(properties, GRID_AFTER), is_deleted
    )


def _left_out(properties: Element | None, tag: str) -> int:
    return max(0, min(number(value(properties, tag)) or 0, _MOST))


def _cell(element: Element, row: int, start: int, *, is_deleted: bool) -> Cell:
    properties = element.find(W_TC_PR)
    if properties is None:
        return Cell(element, row, start, 1, "", is_covered=False, is_deleted=is_deleted)
    former = properties.find(f"{TC_PR_CHANGE}/{W_TC_PR}")
    wide = span(properties) if former is None else max(span(properties), span(former))
    across = properties.find(H_MERGE)
    return Cell(
        element,
        row,
        start,
        wide,
        _merge(properties),
        is_covered=across is not None and across.get(W_VAL, "continue") != "restart",
        is_deleted=is_deleted or properties.find(CELL_DEL) is not None,
    )


def _merge(properties: Element) -> Literal["", "restart", "continue"]:
    tracked = properties.find(CELL_MERGE)
    if tracked is not None:
        # 17.13.5.3 (cellMerge): `rest` begins the merged cell, `cont` goes on with it.
        value = tracked.get(V_MERGE)
        return "continue" if value == "cont" else "restart" if value == "rest" else ""
    merge = properties.find(V_MERGE)
    if merge is None:
        return ""
    return "restart" if merge.get(W_VAL, "continue") == "restart" else "continue"
