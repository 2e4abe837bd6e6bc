"""Which tracked cells, paragraphs and tables a reviewer counts as one change.

Cells that stand one below the other are a column; a new table brings empty paragraphs around it.
A column that comes or goes changes the widths of those beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.engine.docx.changes.change_group import Group
from redraft.engine.docx.changes.format_changes import COLUMN_WIDTHS, OF_WIDTHS
from redraft.engine.docx.grid import (
    CELL_DEL,
    CELL_INS,
    CELL_MERGE,
    TBL_GRID_CHANGE,
    Grid,
    grid,
    growth,
    table_of,
)
from redraft.engine.docx.names import (
    W_DEL,
    W_INS,
    W_P,
    W_PPR,
    W_RPR,
    W_TBL,
    W_TC_PR,
    W_TR,
    W_TR_PR,
    W_VAL,
    Element,
    W,
)

TC_PR_CHANGE: Final = W("tcPrChange")
_V_MERGE: Final = W("vMerge")
_ROW_MARKS: Final = frozenset({W_INS, W_DEL})
_CELL_MARKS: Final = frozenset({CELL_INS, CELL_DEL, CELL_MERGE})


class Columns:
    """Finds the cell of the same column above a cell."""

    def __init__(self) -> None:
        self._grids: dict[Element, Grid] = {}

    def before(self, element: Element, mark: Element) -> Element | None:
        """The nearest cell above that begins at the same column and carries the same kind of mark.

        Rows are passed over in which no cell begins there, or one that reaches over the column and
        is wider or narrower for it.
        """
        table = table_of(element)
        if table is None:
            return None
        columns = self._grids.get(table)
        if columns is None:
            columns = self._grids[table] = grid(table)
        cell = columns.cell(element)
        for row in reversed(columns.rows[: cell.row]):
            other = row.at(cell.start)
            if other is None or other.start != cell.start:
                continue
            if _has(other.element, str(mark.tag)):
                return other.element
            if not growth(other.element):
                return None
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
            mark = beside.find(f"{W_PPR}/{W_RPR}/{group.marks[0].tag}")
            if mark is not None:
                yield mark


def settle_widths(groups: Sequence[Group]) -> list[Group]:
    """The changes with those of widths put to the column of their table they were made for.

    Without an edit to tell it, that is a column of the same author, of the same date if there is
    one. A changed grid names no author (17.13.5.33): it goes with the first column of its table,
    and without a column with the cells that have another width.
    """
    columns: dict[tuple[object, ...], Group] = {}
    for group in groups:
        if group.family == "cell" and not group.edits:
            for key in _keys(group):
                columns.setdefault(key, group)
    taken: set[Group] = set()
    rest: dict[Element | None, list[Group]] = {}
    for group in groups:
        if not _is_of_widths(group):
            continue
        keys = _keys(group)[2:] if _is_grid(group) else _keys(group)[:2]
        column = next((columns[key] for key in keys if key in columns), None)
        if column is None:
            rest.setdefault(_table(group), []).append(group)
        else:
            column.marks += group.marks
            taken.add(group)
    for alone in rest.values():
        taken.update(_join_widths(alone))
    return [group for group in groups if group not in taken]


def _join_widths(groups: Sequence[Group]) -> list[Group]:
    """Put the cells of one author to the changed grid of their table, which is theirs then.

    Returns:
        The changes that are no longer their own.
    """
    frame = next((group for group in groups if _is_grid(group)), None)
    cells = [group for group in groups if not _is_grid(group)]
    if frame is None or not cells:
        return []
    frame.author, frame.date = cells[0].author, cells[0].date
    frame.formatting = tuple(
        difference for difference in frame.formatting if difference[0] == COLUMN_WIDTHS
    )
    gone = [cell for cell in cells if cell.author == frame.author]
    for cell in gone:
        frame.marks += cell.marks
    return gone


def _keys(group: Group) -> list[tuple[object, ...]]:
    """How a column is looked up, the most telling first."""
    table = _table(group)
    return [(table, group.author, group.date), (table, group.author), (table,)]


def _table(group: Group) -> Element | None:
    element = group.place.element
    return element if element.tag == W_TBL else table_of(element)


def _is_grid(group: Group) -> bool:
    return group.marks[0].tag == TBL_GRID_CHANGE


def _is_of_widths(group: Group) -> bool:
    """Whether a change by nobody of ours is of the widths of columns and nothing else."""
    return (
        group.family == "format"
        and not group.edits
        and group.marks[0].tag in (TBL_GRID_CHANGE, TC_PR_CHANGE)
        and all(name in OF_WIDTHS for name, _, _ in group.formatting)
    )


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
    merge = None if properties is None else properties.find(_V_MERGE)
    return "" if merge is None else merge.get(W_VAL, "continue")
