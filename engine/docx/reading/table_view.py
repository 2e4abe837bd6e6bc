"""The grid of a table in one view: which rows and cells there are, and over which columns.

[x] gridBefore, gridAfter  [x] gridSpan  [x] vMerge, hMerge  [x] tracked rows and cells  [x] tracked
merges  [x] header rows
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from redraft.engine.docx.anchors import cells as physical_cells
from redraft.engine.docx.anchors import rows as physical_rows
from redraft.engine.docx.names import (
    W_AUTHOR,
    W_DEL,
    W_ID,
    W_INS,
    W_TBL_PR,
    W_TC_PR,
    W_TR_PR,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.property_values import in_view, is_on, number, value
from redraft.engine.model import Change, View


class CellShape(NamedTuple):
    """A cell and its place; `continues` when it is merged into the one above or before it."""

    anchor: str
    element: Element
    column: int
    span: int
    continues: bool


class RowShape(NamedTuple):
    """A row and its cells, on a grid that counts from 0."""

    anchor: str
    cells: tuple[CellShape, ...]
    is_header: bool
    change: Change | None


def rows(table: Element, anchor: str, view: View) -> Iterator[RowShape]:
    """The rows of a table that a view shows, those without any cell left out."""
    merged: set[int] = set()
    for index, element in enumerate(physical_rows(table), start=1):
        outer = _first(element, W_TR_PR)
        change = None if outer is None else _change(outer)
        if change is not None and _is_gone(change, view):
            continue
        properties = in_view(outer, _TR_PR_CHANGE, view)
        cells = tuple(_cells(element, f"{anchor}.r{index}", properties, view, merged))
        if not cells:
            continue
        yield RowShape(
            f"{anchor}.r{index}",
            cells,
            properties is not None and is_on(properties.find(_HEADER)),
            change if view == "markup" else None,
        )


def style_name(table: Element) -> str:
    """The id of a table's style."""
    return value(table.find(W_TBL_PR), _TBL_STYLE) or ""


def _cells(
    row: Element, anchor: str, properties: Element | None, view: View, merged: set[int]
) -> Iterator[CellShape]:
    """The cells of a row; `merged` are the columns where merges with the row above stand open."""
    column = max(0, min(number(value(properties, _GRID_BEFORE)) or 0, _MOST))
    above = merged.copy()
    merged.clear()
    for index, element in enumerate(physical_cells(row), start=1):
        outer = _first(element, W_TC_PR)
        if outer is None:
            yield CellShape(f"{anchor}.c{index}", element, column, 1, False)
            column += 1
            continue
        if _is_cell_gone(outer, view):
            continue
        in_force = in_view(outer, _TC_PR_CHANGE, view)
        span = max(1, min(number(value(in_force, _GRID_SPAN)) or 1, _MOST))
        down = _merge(in_force, _V_MERGE)
        if down == "restart" or (down and column in above):
            merged.add(column)
        continues = (down == "continue" and column in merged) or (
            index > 1 and _merge(in_force, _H_MERGE) == "continue"
        )
        tracked = outer.find(_CELL_MERGE)
        if tracked is not None:
            # `rest` is where the merged cell begins (ECMA-376 Part 1, 17.13.5.3).
            continues = tracked.get(_MERGED_BEFORE if view == "original" else _MERGED) == "cont"
        yield CellShape(f"{anchor}.c{index}", element, column, span, continues)
        column += span


def _first(parent: Element, tag: str) -> Element | None:
    """The properties of an element, which stand first or at least before its content."""
    first = parent[0] if len(parent) else None
    return first if first is None or first.tag == tag else parent.find(tag)


def _merge(properties: Element | None, tag: str) -> str:
    """How a cell takes part in merges of a kind: `restart`, `continue`, or not at all.

    One that goes on with nothing is a cell by itself, for otherwise nobody would see its text.
    """
    merge = None if properties is None else properties.find(tag)
    return "" if merge is None else merge.get(W_VAL, "continue")


def _change(properties: Element) -> Change | None:
    for tag in (W_DEL, W_INS):
        mark = properties.find(tag)
        if mark is not None:
            kind = "deletion" if tag == W_DEL else "insertion"
            return Change(kind, mark.get(W_AUTHOR, ""), mark.get(W_ID, ""))
    return None


def _is_gone(change: Change, view: View) -> bool:
    gone = {"final": "deletion", "original": "insertion", "markup": ""}[view]
    return change.kind == gone


def _is_cell_gone(properties: Element, view: View) -> bool:
    tag = {"final": _CELL_DEL, "original": _CELL_INS}.get(view)
    return tag is not None and properties.find(tag) is not None


_TR_PR_CHANGE, _TC_PR_CHANGE = W("trPrChange"), W("tcPrChange")
_GRID_BEFORE, _GRID_SPAN, _HEADER = W("gridBefore"), W("gridSpan"), W("tblHeader")
_V_MERGE, _H_MERGE, _CELL_MERGE = W("vMerge"), W("hMerge"), W("cellMerge")
_MERGED, _MERGED_BEFORE = W("vMerge"), W("vMergeOrig")
_MOST = 1000
_CELL_INS, _CELL_DEL, _TBL_STYLE = W("cellIns"), W("cellDel"), W("tblStyle")
