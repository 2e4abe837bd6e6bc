"""Inserting and deleting rows of tables.

A new row looks like its neighbour; beside the first or the last row of a table, which often look
different from the others, it looks like the row behind it on the other side. Where it comes between
two cells of a vertical merge it goes on with the merge. When the row in which a merged cell begins
is deleted, the next row takes over the merge and its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, Literal

from lxml import etree

from redraft.engine import tokens
from redraft.engine.docx.anchors import Place, blocks, cells
from redraft.engine.docx.editing.anchored_elements import Finder, unable
from redraft.engine.docx.editing.block_deletion import drop_emptied
from redraft.engine.docx.editing.conditional_formats import suit_row
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.new_paragraph import fill
from redraft.engine.docx.editing.step import Addition, Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import delete_row
from redraft.engine.docx.editing.tracked_tables import (
    fill_cell,
    insert_row_mark,
    is_ours,
    is_recordable,
    mark_like,
    new_cell,
    outermost,
    pattern_of,
    put_beside,
    record,
    record_like,
    set_property,
    strike,
)
from redraft.engine.docx.grid import (
    GRID_SPAN,
    H_MERGE,
    V_MERGE,
    Cell,
    Grid,
    Row,
    cells_of,
    span,
)
from redraft.engine.docx.judging.validity import counts, written_counts
from redraft.engine.docx.names import W_DEL, W_INS, W_P, W_TC_PR, W_TR, W_TR_PR, W_VAL, Element, W
from redraft.engine.docx.property_values import is_on
from redraft.engine.docx.steps.table_places import named_row, refuse_controlled, said, slots
from redraft.engine.errors import RefusedError
from redraft.engine.plan import DeleteRow, InsertRow

_HEADER: Final = W("tblHeader")
_TBL_PR_EX: Final = W("tblPrEx")
_NOT_COPIED: Final = frozenset(
    map(W, ("cnfStyle", "divId", "ins", "del", "trPrChange", "tblPrExChange"))
)
_TOGETHER: Final = (
    "Two rows that share a merged cell cannot be deleted together when the cell begins in one of "
    "them; delete one after the other"
)


@dataclass(frozen=True, slots=True)
class RowInsertion:
    """A new row beside a row, modelled on another; texts by the cell of the model."""

    table: Place
    beside: Element
    where: Literal["before", "after"]
    model: Element
    is_header: bool
    merging: frozenset[int]
    texts: Mapping[Element, str]
    reach: Reach
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The table."""
        return (self.table,)

    def write(self, desk: Desk) -> bool:
        """Puts the row in, all of it marked as inserted."""
        desk.note_place(self.table)
        if self.beside.getparent() is None:
            message = "A row was to be inserted beside a row that the same edit takes away"
            raise RefusedError(message)
        row = etree.Element(W_TR)
        for tag in (_TBL_PR_EX, W_TR_PR):
            copy = _copied(self.model.find(tag))
            if copy is not None:
                row.append(copy)
        properties = row.find(W_TR_PR)
        if properties is not None and not self.is_header:
            for header in properties.findall(_HEADER):
                properties.remove(header)
            if not len(properties):
                row.remove(properties)
        put_beside(self._edge(desk), row, is_after=self.where == "after")
        insert_row_mark(row, desk)
        shape = cells_of(self.model)
        for cell in shape:
            self._cell(desk, row, cell)
        suit_row(desk, self.table.element, row, [cell.element for cell in shape])
        return True

    def _edge(self, desk: Desk) -> Element:
        """Returns the row that the new one follows.

        Behind rows that the same edit put there before.
        """
        row = self.beside
        while self.where == "after":
            following = outermost(row, is_last=True).getnext()
            if following is None or not _is_fresh(following, desk):
                break
            row = following
        return row

    def _cell(self, desk: Desk, row: Element, like: Cell) -> None:
        """A cell like that of the model; a pending change of its column holds for it too."""
        fresh = new_cell(desk, like.element)
        row.append(fresh)
        properties = like.element.find(W_TC_PR)
        wide = span(properties)
        if wide > 1:
            set_property(fresh, GRID_SPAN, {W_VAL: str(wide)})
        if like.is_covered:
            set_property(fresh, H_MERGE, {W_VAL: "continue"})
        elif properties is not None and properties.find(H_MERGE) is not None:
            set_property(fresh, H_MERGE, {W_VAL: "restart"})
        if like.start in self.merging:
            set_property(fresh, V_MERGE, {W_VAL: "continue"})
        record_like(fresh, like.element, desk)
        mark_like(fresh, like.element, desk)
        fill_cell(desk, fresh, like.element, self.texts.get(like.element, ""))


@dataclass(frozen=True, slots=True)
class _Heir:
    """A cell that takes over a vertical merge from the cell above, and its text."""

    element: Element
    above: Element
    text: str


@dataclass(frozen=True, slots=True)
class RowDeletion:
    """A row to be deleted, and the cells below that take over its vertical merges."""

    table: Place
    row: Element
    heirs: tuple[_Heir, ...]
    reach: Reach
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = field(default=())

    @property
    def places(self) -> tuple[Place, ...]:
        """The table."""
        return (self.table,)

    def write(self, desk: Desk) -> bool:
        """Marks the row and all in it as deleted; a row of ours is gone."""
        desk.note_place(self.table)
        parent = self.row.getparent()
        if parent is None or self.row.find(f"{W_TR_PR}/{W_DEL}") is not None:
            return False  # another operation of the plan has deleted it
        if any(_takes_over(cell, desk) for cell in cells(self.row)):
            raise RefusedError(_TOGETHER)
        for heir in self.heirs:
            _hand_over(desk, heir)
        if is_ours(self.row.find(f"{W_TR_PR}/{W_INS}"), desk.ids.ours):
            parent.remove(self.row)
            drop_emptied(desk, self.table)
            return True
        strike(desk, self.table, [self.row])
        delete_row(self.row, desk.ids, desk.stamp)
        return True


def insertion(finder: Finder, operation: InsertRow) -> RowInsertion:
    """Resolves the insertion of a row.

    Raises:
        OperationError: there is no such row, or the texts do not fit.
    """
    table, table_grid, row = named_row(finder, operation.target)
    is_after = operation.where == "after"
    upper = row if is_after else table_grid.beside(row, -1)
    lower = table_grid.beside(row, 1) if is_after else row
    model = _model(table_grid, row, upper, lower, is_after=is_after)
    merging = _merging(upper, lower)
    starts = {cell.start for cell in model.shown}
    if not merging <= starts:
        message = (
            f"A merged cell reaches over the place beside {operation.target} in another column"
        )
        raise unable("vertical_merge", message)
    free = [cell.start not in merging and not cell.is_covered for cell in model.shown]
    texts = slots(operation.cells, free)
    addition = Addition(row.element, operation.where, is_empty=not any(map(said, texts)))
    header = row.element.find(f"{W_TR_PR}/{_HEADER}")
    is_header = is_on(header) and (not is_after or (lower is not None and _is_header(lower)))
    by_cell = {cell.element: text for cell, text in zip(model.shown, texts, strict=True)}
    return RowInsertion(
        table,
        row.element,
        operation.where,
        model.element,
        is_header,
        frozenset(merging),
        by_cell,
        Reach(added=(addition,), like=frozenset(cell for cell, text in by_cell.items() if text)),
    )


def deletion(finder: Finder, operation: DeleteRow) -> RowDeletion:
    """Resolves the deletion of a row.

    Raises:
        OperationError: there is no such row, it is the last one, or a merged cell is in the way.
    """
    table, table_grid, row = named_row(finder, operation.target)
    if len(table_grid.shown) == 1:
        message = (
            f"{operation.target} is the only row left; delete the table {table.anchor} instead"
        )
        raise unable("last_row", message)
    refuse_controlled(row.element, "row")
    below = table_grid.beside(row, 1)
    heirs: list[_Heir] = []
    if below is not None:
        for cell in row.shown:
            other = below.starting(cell.start)
            if cell.merge == "restart" and other is not None and other.merge == "continue":
                heirs.append(_heir(finder, table, cell, other))
    is_written = is_ours(row.element.find(f"{W_TR_PR}/{W_INS}"), finder.survey.ours)
    objects = (
        counts([row.element]) if is_written else written_counts(row.element, finder.survey.ours)
    )
    less = {name: -number for name, number in objects.items()}
    reach = Reach(
        gone=frozenset({row.element}),
        counts={row.element: less} if less else {},
    )
    return RowDeletion(table, row.element, tuple(heirs), reach)


def _model(
    table_grid: Grid, row: Row, upper: Row | None, lower: Row | None, *, is_after: bool
) -> Row:
    """Returns the row that a new one looks like."""
    other = lower if is_after else upper
    if other is None or _layout(other) != _layout(row):
        return row
    shown = table_grid.shown
    is_edge = row is shown[0] if is_after else row is shown[-1] and other is not shown[0]
    return other if is_edge or (_is_header(row) and not _is_header(other)) else row


def _layout(row: Row) -> list[tuple[int, int]]:
    return [(cell.start, cell.span) for cell in row.shown]


def _is_header(row: Row) -> bool:
    return is_on(row.element.find(f"{W_TR_PR}/{_HEADER}"))


def _merging(upper: Row | None, lower: Row | None) -> set[int]:
    """Returns the columns in which a vertical merge goes from one row on into the other."""
    if upper is None or lower is None:
        return set()
    starts: set[int] = set()
    for cell in lower.shown:
        above = upper.starting(cell.start)
        if cell.merge == "continue" and above is not None and above.merge:
            starts.add(cell.start)
    return starts


def _heir(finder: Finder, table: Place, cell: Cell, below: Cell) -> _Heir:
    """Returns the cell that takes over a merge.

    Raises:
        OperationError: what the merged cell holds cannot be carried over.
    """
    inner, own = list(blocks(cell.element)), list(blocks(below.element))
    text = ""
    is_simple = len(inner) == len(own) == 1 and inner[0].tag == own[0].tag == W_P
    if is_simple:
        lines = [
            finder.survey.line(Place("", table.part, table.story, "paragraph", paragraph))
            for paragraph in (inner[0], own[0])
        ]
        text = lines[0].text
        is_simple = (
            not lines[1].text
            and "\t" not in text
            and "\n" not in text
            and not any(unit.lock for unit in lines[0].units)
            and is_recordable(below.element, finder.survey.ours)
        )
    if not is_simple:
        message = (
            "A merged cell that holds more than one line of text begins in this row and reaches "
            "into the next one; delete the rows it covers, or its text, first"
        )
        raise unable("merged_cells", message)
    return _Heir(below.element, cell.element, text)


def _hand_over(desk: Desk, heir: _Heir) -> None:
    record(heir.element, desk)
    set_property(heir.element, V_MERGE, {W_VAL: "restart"})
    if heir.text:
        fill(desk, _only(heir.element), pattern_of(heir.above), tokens.escape(heir.text))


def _takes_over(cell: Element, desk: Desk) -> bool:
    """Returns whether a cell took over a vertical merge in this very edit."""
    properties = cell.find(W_TC_PR)
    change = None if properties is None else properties.find(W("tcPrChange"))
    if properties is None or change is None or is_ours(change, desk.state.ours):
        return False
    now, former = properties.find(V_MERGE), change.find(f"{W_TC_PR}/{V_MERGE}")
    return is_ours(change, desk.ids.ours) and (
        now is not None
        and now.get(W_VAL) == "restart"
        and former is not None
        and former.get(W_VAL, "continue") == "continue"
    )


def _only(cell: Element) -> Element:
    return next(blocks(cell))


def _is_fresh(element: Element, desk: Desk) -> bool:
    mark = element.find(f"{W_TR_PR}/{W_INS}") if element.tag == W_TR else None
    return is_ours(mark, desk.ids.ours) and not is_ours(mark, desk.state.ours)


def _copied(properties: Element | None) -> Element | None:
    """Returns a copy of a row's properties without what belongs to its place and history."""
    if properties is None:
        return None
    copy = deepcopy(properties)
    copy.tail = None
    for child in list(copy):
        if child.tag in _NOT_COPIED:
            copy.remove(child)
    return copy if len(copy) else None
