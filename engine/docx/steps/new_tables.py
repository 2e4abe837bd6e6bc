"""Inserting tables.

A new table looks like the nearest one of the document: its style, borders, the shading and text of
its first and second row. Where there is none it has the style Table Grid, or borders of its own,
and a bold first row. Between two tables, and at the end of a cell or story, stands a paragraph.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Final, Literal

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import refuse_twin
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.baseline_paragraphs import let_stand
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.placement import side_of
from redraft.engine.docx.editing.step import Addition, Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import mark, new_paragraph
from redraft.engine.docx.editing.tracked_tables import (
    TC_W,
    W_W,
    fill_cell,
    insert_row_mark,
    new_cell,
    set_property,
    width,
)
from redraft.engine.docx.grid import GRID_COL, TBL_GRID, Row, grid
from redraft.engine.docx.names import (
    W_BODY,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SDT,
    W_SDT_CONTENT,
    W_SECT_PR,
    W_TBL,
    W_TBL_PR,
    W_TC,
    W_TC_PR,
    W_TR,
    W_TR_PR,
    W_TYPE,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.redline.new_runs import emphasised
from redraft.engine.docx.steps.column_widths import section_width, text_width
from redraft.engine.docx.steps.table_places import said
from redraft.engine.errors import RefusedError
from redraft.engine.model import Mark
from redraft.engine.plan import InsertTable

_W_INS: Final = W("ins")
_KEPT: Final = frozenset(
    map(
        W,
        (
            *("tblStyle", "bidiVisual", "tblStyleRowBandSize", "tblStyleColBandSize"),
            *("tblBorders", "tblCellMar", "tblLook"),
        ),
    )
)
_TBL_STYLE: Final = W("tblStyle")
_LOOK: Final = W("tblLook")
_LATER: Final = frozenset(map(W, ("tblBorders", "shd", "tblCellMar", "tblLook")))
_FIRST_ROW: Final = 0x20
_GRID_NAME: Final = "table grid"
_EDGES: Final = ("top", "left", "bottom", "right", "insideH", "insideV")
_NARROW: Final = 4320
_USUAL: Final = 9000
_BLOCKS: Final = frozenset({W_P, W_TBL})


@dataclass(frozen=True, slots=True)
class TableInsertion:
    """A new table beside a paragraph or table, its rows all of one length."""

    beside: Place
    where: Literal["before", "after"]
    rows: tuple[tuple[str, ...], ...]
    has_header: bool
    model: Element | None
    size: int
    reach: Reach
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The block beside which it stands."""
        return (self.beside,)

    def write(self, desk: Desk) -> bool:
        """Puts the table in, and the paragraphs that it needs around it, all marked as inserted."""
        standing, beside = side_of(desk, self.beside, self.where)
        table = etree.Element(W_TBL)
        fresh = [table]
        is_after = self.where == "after"
        let_stand(desk, self.beside.part, beside if is_after else beside.getprevious())
        if is_after:
            beside.addnext(table)
        else:
            beside.addprevious(table)
        before = _block(table, forward=False)
        if before is not None and before.tag == W_TBL:
            table.addprevious(paragraph := self._paragraph())
            fresh.insert(0, paragraph)
        following = _block(table, forward=True)
        if following is None or following.tag == W_TBL:
            table.addnext(paragraph := self._paragraph())
            fresh.append(paragraph)
        at = standing.index(beside) + is_after
        standing[at:at] = fresh
        for block in fresh:
            if block.tag == W_P:
                mark(block, _W_INS, desk.ids, desk.stamp)
        self._fill(desk, table)
        return True

    def _paragraph(self) -> Element:
        """Returns an empty paragraph in the style of the table's neighbour, without its layout."""
        return new_paragraph(_plain(self.beside.element))

    def _fill(self, desk: Desk, table: Element) -> None:
        columns = len(self.rows[0])
        column_width = max(1, self.size // columns)
        table.append(
            _properties(desk, self.model, column_width * columns, has_header=self.has_header)
        )
        columns_of_grid = etree.SubElement(table, TBL_GRID)
        for _ in range(columns):
            etree.SubElement(columns_of_grid, GRID_COL, {W_W: str(column_width)})
        models = _models(self.model)
        for index, texts in enumerate(self.rows):
            is_header = self.has_header and index == 0
            row = etree.SubElement(table, W_TR)
            if is_header:
                etree.SubElement(etree.SubElement(row, W_TR_PR), W("tblHeader"))
            insert_row_mark(row, desk)
            looks = models[0 if is_header else 1] if models else ()
            for column, text in enumerate(texts):
                like = looks[min(column, len(looks) - 1)] if looks else None
                self._cell(desk, row, like, text, column_width, is_bold=is_header and not models)

    def _cell(
        self, desk: Desk, row: Element, like: Element | None, text: str, size: int, *, is_bold: bool
    ) -> None:
        cell = new_cell(desk, like)
        row.append(cell)
        set_property(cell, TC_W, {W_W: str(size), W_TYPE: "dxa"})
        if like is None:
            properties = _plain(self.beside.element)
            own = cell[-1].find(W_PPR)
            if properties is not None and own is not None:
                for child in reversed(properties):
                    own.insert(0, deepcopy(child))
        fill_cell(desk, cell, like, text)
        for run in cell.iter(W_R) if is_bold else ():
            look = run.find(W_RPR)
            bold = emphasised(etree.Element(W_RPR) if look is None else look, Mark.BOLD, Mark(0))
            if look is None:
                run.insert(0, bold)


def insertion(finder: Finder, operation: InsertTable) -> TableInsertion:
    """Resolves the insertion of a table.

    Raises:
        OperationError: there is no such block, or the table has no cells.
    """
    place = finder.place(operation.block)
    if place.kind not in ("paragraph", "table"):
        raise unable("wrong_kind", f"{operation.block} is no paragraph or table")
    try:
        refuse_twin(place)
    except RefusedError as error:
        raise OperationError("read_only", error) from error
    most = max((len(row) for row in operation.rows), default=0)
    if not most:
        raise unable("no_effect", "A table needs at least one row with one cell")
    rows = tuple((*row, *[""] * (most - len(row))) for row in operation.rows)
    texts = [said(text) for row in rows for text in row]
    addition = Addition(place.element, operation.where, is_empty=not any(texts))
    package = finder.survey.package
    roots = [package.tree(part) for part in dict.fromkeys((place.part, package.main))]
    model = next(
        (nearest for root in roots if (nearest := _nearest(root, place.element)) is not None), None
    )
    return TableInsertion(
        place,
        operation.where,
        rows,
        operation.header_row,
        model,
        _size(place, package.tree(package.main)),
        Reach(added=(addition,)),
    )


def _block(element: Element, *, forward: bool) -> Element | None:
    """Returns the paragraph or table beside an element, seen through content controls."""
    for other in _beside(element, forward=forward):
        if other.tag in _BLOCKS:
            return other
        if other.tag == W_SDT:
            inner = other.find(W_SDT_CONTENT)
            children = [] if inner is None else [child for child in inner if child.tag in _BLOCKS]
            if children:
                return children[0 if forward else -1]
    return None


def _beside(element: Element, *, forward: bool) -> Iterator[Element]:
    """Yields what stands beside an element, and beside the content controls around it."""
    yield from element.itersiblings(preceding=not forward)
    parent = element.getparent()
    control = None if parent is None else parent.getparent()
    if parent is not None and parent.tag == W_SDT_CONTENT and control is not None:
        yield from _beside(control, forward=forward)


def _nearest(root: Element, anchor: Element) -> Element | None:
    """Returns the nearest table that can be a model.

    Two rows and columns at least, best before it.
    """
    around = {anchor, *anchor.iterancestors()}
    last: Element | None = None
    is_behind = False
    for element in root.iter(W_TBL, anchor.tag):
        is_behind = is_behind or element is anchor
        is_model = element.tag == W_TBL and (element is anchor or element not in around)
        if is_model and len(_models(element)) == 2:
            if is_behind and element is not anchor:
                return element if last is None else last
            last = element
    return last


def _models(table: Element | None) -> tuple[tuple[Element, ...], ...]:
    """Returns the cells of the first and of the second row of a table.

    None when it is not simple.
    """
    if table is None or next((t for t in table.iter(W_TBL) if t is not table), None) is not None:
        return ()
    shown = grid(table).shown[:2]
    if len(shown) < 2 or any(len(row.shown) < 2 or not _is_simple(row) for row in shown):
        return ()
    return tuple(tuple(cell.element for cell in row.shown) for row in shown)


def _is_simple(row: Row) -> bool:
    return not any(cell.is_merged_away or cell.span > 1 for cell in row.shown)


def _size(place: Place, main: Element) -> int:
    """Returns how wide a table beside a block may be."""
    cell = next(place.element.iterancestors(W_TC), None)
    if cell is not None:
        number, kind = width(cell.find(f"{W_TC_PR}/{TC_W}"))
        return number - 230 if kind == "dxa" and number > 1000 else _NARROW
    if place.story == "textbox":
        return _NARROW
    parent = place.element.getparent()
    if parent is not None and parent.tag == W_BODY:
        return text_width(place.element) or _USUAL
    sections = list(main.iter(W_SECT_PR))
    return (section_width(sections[-1]) if sections else 0) or _USUAL


def _plain(block: Element) -> Element | None:
    """Returns the style of a paragraph as properties of a new one.

    No heading, no list, no layout.
    """
    properties = block.find(W_PPR) if block.tag == W_P else None
    style = None if properties is None else properties.find(W("pStyle"))
    if properties is None or style is None or "eading" in style.get(W_VAL, ""):
        return None
    if properties.find(W("numPr")) is not None:
        return None
    plain = etree.Element(W_PPR)
    plain.append(deepcopy(style))
    return plain


def _properties(desk: Desk, model: Element | None, size: int, *, has_header: bool) -> Element:
    """Returns the properties of a new table."""
    source = None if model is None else model.find(W_TBL_PR)
    made = etree.Element(W_TBL_PR)
    if source is not None:
        made.extend([deepcopy(child) for child in source if child.tag in _KEPT])
    else:
        style = _grid_style(desk)
        if style:
            etree.SubElement(made, _TBL_STYLE, {W_VAL: style})
        else:
            made.append(_borders())
    at = next((i for i, child in enumerate(made) if child.tag in _LATER), len(made))
    made.insert(at, etree.Element(W("tblW"), {W_W: str(size), W_TYPE: "dxa"}))
    look = made.find(_LOOK)
    if look is not None and not has_header:
        value = look.get(W_VAL, "")
        if value:
            look.set(W_VAL, f"{int(value, 16) & ~_FIRST_ROW:04X}")
        look.set(W("firstRow"), "0")
    return made


def _grid_style(desk: Desk) -> str:
    """Returns the id of the style Table Grid, empty when the document has none."""
    for part in desk.package.related(desk.package.main, "styles"):
        for style in desk.package.tree(part).iter(W("style")):
            name = style.find(W("name"))
            is_grid = name is not None and name.get(W_VAL, "").lower() == _GRID_NAME
            if is_grid and style.get(W_TYPE) == "table":
                return style.get(W("styleId"), "")
    return ""


def _borders() -> Element:
    borders = etree.Element(W("tblBorders"))
    for edge in _EDGES:
        attributes = {W_VAL: "single", W("sz"): "4", W("space"): "0", W("color"): "auto"}
        etree.SubElement(borders, W(edge), attributes)
    return borders
