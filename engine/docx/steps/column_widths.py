"""The widths of the columns of a table to which a column is added.

A table as wide as it may be keeps its width, and every column gives the same share of its own. The
former widths are recorded, in the grid and in each cell, so that rejecting brings them back.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Final, cast

from lxml import etree

from redraft.engine.docx.accept_reject.part_tree import Settler
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_tables import (
    TC_W,
    W_W,
    forget,
    grid_columns,
    is_ours,
    record,
    record_grid,
    set_property,
    width,
)
from redraft.engine.docx.grid import (
    CELL_INS,
    GRID_COL,
    TBL_GRID,
    TBL_GRID_CHANGE,
    TC_PR_CHANGE,
    grid,
)
from redraft.engine.docx.names import (
    W_BODY,
    W_TBL_PR,
    W_TC_PR,
    W_TYPE,
    Element,
    W,
)
from redraft.engine.docx.property_values import twips

_LAYOUT_WIDTHS = ("dxa", "pct")

# Of a whole document, one block at a time: in one call for each.
_SECTION: Final = etree.XPath(
    "(w:pPr/w:sectPr | following-sibling::w:p/w:pPr/w:sectPr | following-sibling::w:sectPr)[1]",
    namespaces={"w": str(W)},
)


class Widths:
    """Gives a new column its width, and takes it from the others where there is no room.

    Attributes:
        fresh: The new cells.
        grown: The cells that now stretch over the new column too.
    """

    def __init__(self, desk: Desk, table: Element, like: int) -> None:
        self._desk = desk
        self._table = table
        self._like = like
        self.fresh: list[Element] = []
        self.grown: set[Element] = set()

    def settle(self, column: int) -> None:
        """Puts the column into the grid and sets the widths, when all cells are in place."""
        columns, former = grid_columns(self._table, self._desk)
        if not columns:
            return
        wide = [width_of(grid_column) for grid_column in columns]
        new = wide[min(self._like, len(wide) - 1)] or sum(wide) // len(wide)
        factor = self._factor(sum(wide), new)
        if factor < 1 and not former:
            record_grid(self._table, self._desk)
            columns, former = grid_columns(self._table, self._desk)
        if not former:
            factor = 1.0
        self._cells(factor, new)
        for grid_column, size in zip(columns, wide, strict=True):
            if factor < 1:
                grid_column.set(W_W, str(round(size * factor)))
        for side, size in ((columns, round(new * factor)), (former, new)):
            if side:
                fresh = side[0].makeelement(GRID_COL, {W_W: str(size)})
                if column < len(side):
                    side[column].addprevious(fresh)
                else:
                    side[-1].addnext(fresh)

    def narrow(self, cell: Element, start: int, end: int) -> None:
        """Takes the columns from `start` up to `end` off the width of a cell that is recorded."""
        columns, _ = grid_columns(self._table, self._desk)
        less = sum(width_of(column) for column in columns[start:end])
        number, kind = width(cell.find(f"{W_TC_PR}/{TC_W}"))
        if kind == "dxa" and number > less:
            _set_width(cell, number - less, kind)

    def restore(self) -> None:
        """Brings the former widths back when no inserted column is left."""
        table = self._table
        ours = self._desk.ids.ours
        table_grid = grid(table)
        elements = [cell.element for row in table_grid.rows for cell in row.cells]
        if any(is_ours(cell.find(f"{W_TC_PR}/{CELL_INS}"), ours) for cell in elements):
            return
        marks = [table.find(f"{TBL_GRID}/{TBL_GRID_CHANGE}")]
        Settler(table).settle([m for m in marks if m is not None and is_ours(m, ours)], "reject")
        for cell in elements:
            former = cell.find(f"{W_TC_PR}/{TC_PR_CHANGE}/{W_TC_PR}/{TC_W}")
            change = cell.find(f"{W_TC_PR}/{TC_PR_CHANGE}")
            if former is not None and is_ours(change, ours):
                for now in cell.findall(f"{W_TC_PR}/{TC_W}"):
                    now.getparent().replace(now, deepcopy(former))  # pyright: ignore[reportOptionalMemberAccess]  # found below a parent
                forget(cell, self._desk)

    def _factor(self, total: int, new: int) -> float:
        """Returns by how much all columns become narrower: 1 when the table may grow."""
        ours = self._desk.ids.ours
        changes = self._table.iter(TC_PR_CHANGE)
        if not total or not new or not all(is_ours(change, ours) for change in changes):
            return 1.0
        room = max(self._room(), total)
        return min(1.0, room / (total + new))

    def _room(self) -> int:
        """Returns how wide the table may be.

        0 when that is not known, or it has a width of its own.
        """
        properties = self._table.find(W_TBL_PR)
        declared = None if properties is None else properties.find(W("tblW"))
        number, kind = width(declared)
        parent = self._table.getparent()
        if (number and kind in _LAYOUT_WIDTHS) or parent is None or parent.tag != W_BODY:
            return 0
        indent = None if properties is None else properties.find(W("tblInd"))
        return text_width(self._table) - (0 if indent is None else width(indent)[0])

    def _cells(self, factor: float, new: int) -> None:
        """Sets the widths of all cells; a new one has the share of its model, or the column's."""
        for cell in self.fresh:
            declared = cell.find(f"{W_TC_PR}/{TC_W}")
            _, kind = width(declared)
            if declared is None or kind == "dxa":
                _set_width(cell, round(new * factor), "dxa")
            elif factor < 1:
                _scale(cell, factor, 0)
        for row in grid(self._table).rows:
            for grid_cell in row.cells:
                cell = grid_cell.element
                more = new if cell in self.grown else 0
                if cell in self.fresh or (factor == 1.0 and not more):
                    continue
                if width(cell.find(f"{W_TC_PR}/{TC_W}"))[0] and record(cell, self._desk):
                    _scale(cell, factor, more)


def width_of(column: Element) -> int:
    """Returns the width of a column of the grid, in twentieths of a point; 0 when none is said."""
    return max(0, twips(column.get(W_W)) or 0)


def text_width(table: Element) -> int:
    """Returns the width between the margins where a table of the body stands; 0 when not known.

    ECMA-376 Part 1, 17.6.17: the section of a block is the next one that ends behind it.
    """
    sections = cast("list[Element]", _SECTION(table))
    return section_width(sections[0]) if sections else 0


def section_width(section: Element) -> int:
    """Returns the width of a column of text of a section; 0 when not known."""
    size, margins = section.find(W("pgSz")), section.find(W("pgMar"))
    if size is None:
        return 0
    page = twips(size.get(W_W)) or 0
    sides = 0
    if margins is not None:
        sides = sum(abs(twips(margins.get(W(side))) or 0) for side in ("left", "right"))
    columns = section.find(W("cols"))
    number = 1 if columns is None else int(columns.get(W("num"), "1") or 1)
    return max(0, page - sides) // max(1, number)


def _scale(cell: Element, factor: float, more: int) -> None:
    declared = cell.find(f"{W_TC_PR}/{TC_W}")
    number, kind = width(declared)
    if number and kind == "dxa":
        _set_width(cell, round((number + more) * factor), kind)
    elif number and kind == "pct":
        _set_width(cell, round(number * (1.0 if more else factor)), kind)


def _set_width(cell: Element, number: int, kind: str) -> None:
    set_property(cell, TC_W, {W_W: str(number), W_TYPE: kind})
