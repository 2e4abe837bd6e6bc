"""Writes what is tracked in tables: rows, cells and their properties, the grid, struck content.

[x] w:trPr/w:ins (17.13.5.16), w:del (17.13.5.12)  [x] w:cellIns (17.13.5.2), w:cellDel (17.13.5.1)
[x] w:tcPrChange (17.13.5.36)  [x] w:tblGridChange (17.13.5.33): the former widths of the columns,
the new column with its own width among them, as Word records them
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Final

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.new_paragraph import fill
from redraft.engine.docx.editing.tracked_blocks import (
    delete_row,
    is_mark_deleted,
    is_mark_inserted,
    is_written_table,
    mark,
    new_paragraph,
    strike_line,
)
from redraft.engine.docx.formatting.model_paragraphs import Pattern
from redraft.engine.docx.grid import (
    CELL_DEL,
    CELL_INS,
    CELL_MERGE,
    GRID_COL,
    GRID_SPAN,
    H_MERGE,
    TBL_GRID,
    TBL_GRID_CHANGE,
    TC_PR_CHANGE,
    V_MERGE,
)
from redraft.engine.docx.names import (
    TEXT_BOXES,
    W_DEL,
    W_INS,
    W_P,
    W_PPR,
    W_SDT_CONTENT,
    W_TBL,
    W_TC,
    W_TC_PR,
    W_TR,
    W_TR_PR,
    W_TYPE,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import revision, write
from redraft.engine.errors import RefusedError

CELL_MARKS: Final = frozenset({CELL_INS, CELL_DEL, CELL_MERGE})
TC_W: Final = W("tcW")
W_W: Final = W("w")
_TR_PR_CHANGE: Final = W("trPrChange")
_CNF_STYLE: Final = W("cnfStyle")
# ECMA-376 Part 1, 17.4.69 (tcPr): the children up to the vertical merge, in order.
_ORDER: Final = (_CNF_STYLE, TC_W, GRID_SPAN, H_MERGE, V_MERGE)
_NOT_COPIED: Final = frozenset(
    {_CNF_STYLE, GRID_SPAN, H_MERGE, V_MERGE, W("headers"), TC_PR_CHANGE, *CELL_MARKS}
)
_UNDECIDED: Final = (
    "Another author has inserted, deleted or merged cells in this table; accept or reject these "
    "changes first"
)


def refuse_undecided(table: Element, ours: Mapping[int, str]) -> None:
    """Refuses a table in which another author's decision on cells is pending.

    Raises:
        RefusedError: so it is.
    """
    for cell_mark in table.iter(*CELL_MARKS):
        if revision_id(cell_mark) not in ours:
            raise RefusedError(_UNDECIDED)


def insert_row_mark(row: Element, desk: Desk) -> None:
    """Marks a new row as inserted."""
    properties = row.find(W_TR_PR)
    if properties is None:
        properties = etree.Element(W_TR_PR)
        before = [child for child in row if child.tag == W("tblPrEx")]
        row.insert(len(before), properties)
    properties.append(_stamped(W_INS, desk))


def mark_cell(cell: Element, tag: str, desk: Desk, edit: str = "") -> None:
    """Marks a cell as inserted (`w:cellIns`) or deleted (`w:cellDel`), by another edit if named."""
    properties = cell_properties(cell)
    change = properties.find(TC_PR_CHANGE)
    at = len(properties) if change is None else properties.index(change)
    properties.insert(at, _stamped(tag, desk, edit))


def mark_like(cell: Element, model: Element, desk: Desk) -> None:
    """Marks a cell of a new row as the cell it is modelled on.

    The column is still to be decided.
    """
    properties = model.find(W_TC_PR)
    for child in () if properties is None else list(properties):
        edit = desk.ids.ours.get(revision_id(child))
        if child.tag in (CELL_INS, CELL_DEL) and edit is not None:
            mark_cell(cell, str(child.tag), desk, edit)


def cell_properties(cell: Element) -> Element:
    """Returns the properties of a cell, made when there are none."""
    properties = cell.find(W_TC_PR)
    if properties is None:
        properties = etree.Element(W_TC_PR)
        cell.insert(0, properties)
    return properties


def is_ours(element: Element | None, ours: Mapping[int, str]) -> bool:
    """Returns whether a mark is there and ours."""
    return element is not None and revision_id(element) in ours


def is_recordable(cell: Element, ours: Mapping[int, str]) -> bool:
    """Returns whether no change of another author stands on the properties of a cell."""
    change = cell.find(f"{W_TC_PR}/{TC_PR_CHANGE}")
    return change is None or is_ours(change, ours)


def new_cell(desk: Desk, model: Element | None) -> Element:
    """Returns an empty inserted cell that looks like another: its borders, shading and paragraph.

    The cell spans one column and takes part in no merge; its mark as a cell is not set.
    """
    cell = etree.Element(W_TC)
    properties = None if model is None else model.find(W_TC_PR)
    if properties is not None:
        copy = deepcopy(properties)
        copy.tail = None
        for child in list(copy):
            if child.tag in _NOT_COPIED:
                copy.remove(child)
        if len(copy):
            cell.append(copy)
    pattern = pattern_of(model)
    paragraph = new_paragraph(pattern.properties)
    cell.append(paragraph)
    mark(paragraph, W_INS, desk.ids, desk.stamp)
    return cell


def pattern_of(cell: Element | None) -> Pattern:
    """Returns what the text of a cell looks like.

    Of its first paragraph that has any, else the first.
    """
    paragraphs = [] if cell is None else list(own_paragraphs(cell))
    written = [p for p in paragraphs if next(p.iter(W("t"), W("delText")), None) is not None]
    lender = next(iter(written or paragraphs), None)
    return Pattern(None if lender is None else lender.find(W_PPR), lender)


def fill_cell(desk: Desk, cell: Element, model: Element | None, text: str) -> None:
    """Writes the text of a new cell that stands in the tree."""
    if text:
        fill(desk, cell[-1], pattern_of(model), text)


def own_paragraphs(element: Element) -> Iterator[Element]:
    """Yields all paragraphs in an element, those of nested tables too, those of text boxes not."""
    for paragraph in element.iter(W_P):
        for ancestor in paragraph.iterancestors():
            if ancestor is element:
                yield paragraph
                break
            if ancestor.tag in TEXT_BOXES:
                break


def strike(desk: Desk, place: Place, elements: Iterable[Element]) -> None:
    """Strikes all that rows or cells hold, rows of nested tables too; what is ours in them goes.

    Args:
        desk: Who edits.
        place: The table, whose change is noted already.
        elements: Rows, cells or the table itself.

    Raises:
        RefusedError: something in them is locked, or a field reaches out of a paragraph.
    """
    for element in elements:
        paragraphs = list(own_paragraphs(element))
        written = [inner for inner in paragraphs if _strike_paragraph(desk, place, inner)]
        for table in reversed(list(element.iter(W_TBL))):
            parent = table.getparent()
            is_inside = table is not element and not _is_in_box(table, element)
            if is_inside and parent is not None and _is_given_up(table, desk):
                parent.remove(table)
        for row in list(element.iter(W_TR)):
            if row is not element and not _is_in_box(row, element):
                _strike_row(desk, row)
        for paragraph in reversed(written):
            parent = paragraph.getparent()
            if parent is not None and _is_bare(paragraph) and _is_spare(paragraph):
                parent.remove(paragraph)


def _strike_row(desk: Desk, row: Element) -> None:
    """Deletes a row whose words are struck; one of ours with nothing left in it is gone."""
    parent = row.getparent()
    is_written = is_ours(row.find(f"{W_TR_PR}/{W_INS}"), desk.ids.ours)
    if is_written and all(map(_is_bare, row.iter(W_P))) and parent is not None:
        parent.remove(row)
    else:
        delete_row(row, desk.ids, desk.stamp)


def _strike_paragraph(desk: Desk, place: Place, paragraph: Element) -> bool:
    """Strikes a paragraph; whether its mark is an insertion of ours."""
    inner = Place("", place.part, place.story, "paragraph", paragraph)
    strike_line(line := desk.survey.line(inner), desk.stamp)
    write(line, desk.ids)
    if is_mark_inserted(paragraph, desk.ids.ours):
        return True
    if not is_mark_deleted(paragraph):
        mark(paragraph, W_DEL, desk.ids, desk.stamp)
    return False


def _is_given_up(table: Element, desk: Desk) -> bool:
    """Returns whether a table is ours and nothing is left in it once its words are struck."""
    return is_written_table(table, desk.ids.ours) and all(map(_is_bare, table.iter(W_P)))


def _is_bare(paragraph: Element) -> bool:
    return all(child.tag == W_PPR for child in paragraph)


def _is_spare(paragraph: Element) -> bool:
    """Returns whether the cell or story of a paragraph ends in another one (17.4.65, tc)."""
    parent = paragraph.getparent()
    others = [] if parent is None else [child for child in parent if child.tag in (W_P, W_TBL)]
    others = [child for child in others if child is not paragraph]
    return bool(others) and others[-1].tag == W_P


def _is_in_box(row: Element, element: Element) -> bool:
    for ancestor in row.iterancestors():
        if ancestor is element:
            return False
        if ancestor.tag in TEXT_BOXES:
            return True
    return False


def record(cell: Element, desk: Desk) -> bool:
    """Records the properties of a cell before they change.

    Returns:
        Whether they may change: another author's tracked change of them is not overwritten.
    """
    properties = cell_properties(cell)
    if is_ours(properties.find(CELL_INS), desk.ids.ours):
        return True
    change = properties.find(TC_PR_CHANGE)
    if change is not None:
        return is_ours(change, desk.ids.ours)
    former = etree.Element(W_TC_PR)
    former.extend([deepcopy(child) for child in properties if child.tag not in CELL_MARKS])
    change = _stamped(TC_PR_CHANGE, desk)
    change.append(former)
    properties.append(change)
    return True


def record_like(cell: Element, model: Element, desk: Desk) -> None:
    """Records for a new cell the former width and span of the cell it is modelled on.

    A column that is taken back then takes back its part of the new cell too: the record belongs to
    the edit that made the column.
    """
    change = model.find(f"{W_TC_PR}/{TC_PR_CHANGE}")
    edit = None if change is None else desk.ids.ours.get(revision_id(change))
    if change is None or edit is None:
        return
    properties = cell_properties(cell)
    former = deepcopy(properties)
    holder = etree.Element(W_TC)
    holder.append(former)
    for tag in (TC_W, GRID_SPAN):
        recorded = change.find(f"{W_TC_PR}/{tag}")
        set_property(holder, tag, None if recorded is None else _attributes(recorded))
    made = _stamped(TC_PR_CHANGE, desk, edit)
    made.append(former)
    properties.append(made)


def forget(cell: Element, desk: Desk) -> None:
    """Drops the record of a cell of which all is as it was."""
    properties = cell.find(W_TC_PR)
    change = None if properties is None else properties.find(TC_PR_CHANGE)
    if properties is None or change is None or not is_ours(change, desk.ids.ours):
        return
    now = [child for child in properties if child.tag not in (TC_PR_CHANGE, *CELL_MARKS)]
    former = list(change[0]) if len(change) else []
    if [_canonical(child) for child in now] == [_canonical(child) for child in former]:
        properties.remove(change)
        if not len(properties):
            cell.remove(properties)


def set_property(cell: Element, tag: str, attributes: Mapping[str, str] | None) -> None:
    """Sets or, by None, take away a property of a cell: its width, span or merge."""
    properties = cell_properties(cell)
    for child in properties.findall(tag):
        properties.remove(child)
    if attributes is None:
        return
    at = 0
    while at < len(properties) and properties[at].tag in _ORDER[: _ORDER.index(tag)]:
        at += 1
    properties.insert(at, etree.Element(tag, dict(attributes)))


def set_span(cell: Element, columns: int) -> None:
    """Lets a cell stretch over a number of columns."""
    set_property(cell, GRID_SPAN, {W_VAL: str(columns)} if columns > 1 else None)


def grid_columns(table: Element, desk: Desk) -> tuple[list[Element], list[Element]]:
    """Returns the columns of a table's grid, and of its former grid when we recorded it."""
    grid = table.find(TBL_GRID)
    if grid is None:
        return [], []
    change = grid.find(TBL_GRID_CHANGE)
    is_recorded = change is not None and is_ours(change, desk.ids.ours)
    former = grid.findall(f"{TBL_GRID_CHANGE}/{TBL_GRID}/{GRID_COL}") if is_recorded else []
    return grid.findall(GRID_COL), former


def record_grid(table: Element, desk: Desk) -> None:
    """Records the widths of the columns before they change; another's record stays."""
    grid = table.find(TBL_GRID)
    if grid is None or grid.find(TBL_GRID_CHANGE) is not None:
        return
    former = etree.Element(TBL_GRID)
    former.extend([deepcopy(column) for column in grid.findall(GRID_COL)])
    # 17.13.5.33: a change of the grid names neither author nor date.
    identifier = str(desk.ids.ours_for(desk.stamp.edit))
    change = etree.SubElement(grid, TBL_GRID_CHANGE, {W("id"): identifier})
    change.append(former)


def outermost(element: Element, *, is_last: bool) -> Element:
    """Returns the content control at whose edge a row or cell stands, or the element itself.

    What is put beside a row is not to fall into the control of that row.
    """
    parent = element.getparent()
    while parent is not None and parent.tag == W_SDT_CONTENT:
        step = element.getnext() if is_last else element.getprevious()
        control = parent.getparent()
        if step is not None or control is None:
            break
        element, parent = control, control.getparent()
    return element


def put_beside(element: Element, fresh: Element, *, is_after: bool) -> None:
    """Puts a new row or cell beside another, outside of a content control at its edge."""
    edge = outermost(element, is_last=is_after)
    if is_after:
        edge.addnext(fresh)
    else:
        edge.addprevious(fresh)


def width(element: Element | None) -> tuple[int, str]:
    """Returns a width as written and its type (17.18.90, ST_TblWidth).

    0 when it is not a plain number.
    """
    value = "" if element is None else element.get(W_W, "")
    kind = "auto" if element is None else element.get(W_TYPE, "dxa")
    return (int(value) if value.isdecimal() else 0), kind


def _stamped(tag: str, desk: Desk, edit: str = "") -> Element:
    stamp = desk.stamp
    return revision(tag, desk.ids.ours_for(edit or stamp.edit), stamp.author, stamp.date)


def _attributes(element: Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in element.items()}


def _canonical(element: Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)
