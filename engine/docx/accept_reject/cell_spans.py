"""Cells that stretch over several tracked columns of which only some are decided on.

A cell has one record of its former properties (17.13.5.36, tcPrChange), whose `w:gridSpan` says how
wide it was before any of the columns under it came or went. Deciding on one of these columns makes
the cell, or what is recorded of it, one column wider or narrower; the record stands until the last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from lxml import etree

from redraft.engine.docx.grid import (
    CELL_DEL,
    CELL_INS,
    CELL_MERGE,
    GRID_SPAN,
    TC_PR_CHANGE,
    grid,
    growth,
    span,
)
from redraft.engine.docx.names import W_TBL, W_TC_PR, W_VAL, Element, W

_IN_FRONT: Final = frozenset(map(W, ("cnfStyle", "tcW")))
_CELL_MARKS: Final = frozenset({CELL_INS, CELL_DEL, CELL_MERGE})
_SIGN: Final = {CELL_INS: 1, CELL_DEL: -1}


@dataclass(frozen=True, slots=True)
class Stretched:
    """A cell over columns that are decided on: by how many more these make it wider.

    `is_open` says that other columns under it are still to be decided on, `is_last` that no column
    of its table is.
    """

    cell: Element
    wider: int
    is_open: bool
    is_last: bool

    @property
    def change(self) -> Element | None:
        """The record of what it was."""
        return self.cell.find(f"{W_TC_PR}/{TC_PR_CHANGE}")

    def settle(self, action: Literal["accept", "reject"]) -> None:
        """Let the cell, or its record, be as wide as it is without the columns decided on.

        A record that no longer says anything else than the cell goes, and so does one of widths
        once there is no column left for which they changed.
        """
        properties = self.cell.find(W_TC_PR)
        former = properties if properties is None else properties.find(f"{TC_PR_CHANGE}/{W_TC_PR}")
        if properties is None or former is None:
            return
        if action == "accept":
            _set_span(former, span(former) + self.wider)
        else:
            _set_span(properties, span(properties) - self.wider)
        change = self.change
        if change is None or self.is_open:
            return
        if self.is_last and action == "reject":
            kept = [child for child in properties if child.tag in _CELL_MARKS]
            properties[:] = [*former, *kept]
        elif self.is_last or _said(properties, change) == _said(former):
            properties.remove(change)


def _said(properties: Element, change: Element | None = None) -> list[bytes]:
    return [etree.tostring(child, method="c14n") for child in properties if child is not change]


def stretched(marks: Collection[Element]) -> list[Stretched]:
    """The cells over columns that are decided on whose record is not to go with these.

    That is so where other columns under the cell are left, and where the record is not among the
    marks.

    Args:
        marks: All that are decided on, before anything is settled.
    """
    chosen = set(marks)
    spans: list[Stretched] = []
    for table in _tables(marks):
        spans += _of_table(table, chosen)
    return spans


def _tables(marks: Iterable[Element]) -> Iterable[Element]:
    tables: dict[Element, None] = {}
    for mark in marks:
        table = next(mark.iterancestors(W_TBL), None) if mark.tag in _SIGN else None
        if table is not None:
            tables[table] = None
    return tables


def _of_table(table: Element, chosen: Collection[Element]) -> Iterable[Stretched]:
    rows = grid(table).rows
    cells = [cell for row in rows for cell in row.cells]
    wide = [cell for cell in cells if growth(cell.element)]
    if not wide:
        return
    decided: dict[int, int] = {}
    left: set[int] = set()
    for cell in cells:
        for mark in cell.element.iterfind(f"{W_TC_PR}/*"):
            if mark.tag in _SIGN and mark in chosen:
                decided.update(dict.fromkeys(range(cell.start, cell.end), _SIGN[str(mark.tag)]))
            elif mark.tag in _SIGN:
                left.update(range(cell.start, cell.end))
    for cell in wide:
        columns = range(cell.start, cell.end)
        wider = sum(decided[at] for at in columns if at in decided and at not in left)
        is_open = any(at in left for at in columns)
        made = Stretched(cell.element, wider, is_open, is_last=not left)
        is_chosen = made.change in chosen
        if (is_open and is_chosen) or (
            (is_open or not is_chosen) and any(at in decided for at in columns)
        ):
            yield made


def _set_span(properties: Element, columns: int) -> None:
    span = properties.find(GRID_SPAN)
    if span is not None and columns > 1:
        span.set(W_VAL, str(columns))
    elif span is not None:
        properties.remove(span)
    elif columns > 1:
        span = properties.makeelement(GRID_SPAN)
        span.set(W_VAL, str(columns))
        at = sum(child.tag in _IN_FRONT for child in properties)
        properties.insert(at, span)
