"""Which tracked cells, paragraphs and tables a reviewer counts as one change.

Cells that stand one below the other are a column; a new table brings empty paragraphs around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.docx.changes.groups import Group
from engine.docx.grid import CELL_DEL, CELL_INS, CELL_MERGE, Grid, grid, table_of
from engine.docx.names import (
    W_DEL,
    W_INS,
    W_P,
    W_PPR,
    W_RPR,
    W_TC_PR,
    W_TR,
    W_TR_PR,
    W_VAL,
    Element,
    W,
)

_V_MERGE: Final = W("vMerge")
_ROW_MARKS: Final = frozenset({W_INS, W_DEL})
_CELL_MARKS: Final = frozenset({CELL_INS, CELL_DEL, CELL_MERGE})


class Columns:
    """Finds the cell of the same column above a cell."""

    def __init__(self) -> None:
        self._grids: dict[Element, Grid] = {}

    def before(self, element: Element, mark: Element) -> Element | None:
        """The nearest cell above that begins at the same column and carries the same kind of mark.

        Rows in which no cell begins there are passed over: a cell reaches over the column there.
        """
        table = table_of(element)
        if table is None:
            return None
        found = self._grids.get(table)
        if found is None:
            found = self._grids[table] = grid(table)
        cell = found.cell(element)
        for row in reversed(found.rows[: cell.row]):
            other = row.at(cell.start)
            if other is not None and other.start == cell.start:
                return other.element if _has(other.element, str(mark.tag)) else None
        return None


def moves_merge(change: Element) -> bool:
    """Whether a change of the properties of a cell gives it another part in a vertical merge."""
    now, former = change.getparent(), change.find(W_TC_PR)
    return _merge(now) != _merge(former)


def is_blank(group: Group) -> bool:
    """Whether a change is nothing but marks of empty paragraphs."""
    return group.family == "text" and not any(text.strip() for _, text in group.pieces)


def around_table(group: Group) -> Iterator[Element]:
    """The marks of the empty paragraphs beside a table whose rows are tracked."""
    table = table_of(group.place.element)
    for beside in () if table is None else (table.getprevious(), table.getnext()):
        if beside is not None and beside.tag == W_P and all(c.tag == W_PPR for c in beside):
            found = beside.find(f"{W_PPR}/{W_RPR}/{group.marks[0].tag}")
            if found is not None:
                yield found


def row_above(row: Element) -> Element | None:
    """The row right above a row."""
    before = row.getprevious()
    return before if before is not None and before.tag == W_TR else None


def block_marks(element: Element) -> list[Element]:
    """The tracked insertion and deletion of a row or cell."""
    is_row = element.tag == W_TR
    properties = element.find(W_TR_PR if is_row else W_TC_PR)
    tags = _ROW_MARKS if is_row else _CELL_MARKS
    return [] if properties is None else [child for child in properties if child.tag in tags]


def _has(cell: Element, tag: str) -> bool:
    return cell.find(f"{W_TC_PR}/{tag}") is not None


def _merge(properties: Element | None) -> str:
    found = None if properties is None else properties.find(_V_MERGE)
    return "" if found is None else found.get(W_VAL, "continue")
