"""What operations on tables have in common: the row or cell they name, and the texts they bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.engine import tokens
from redraft.engine.docx.anchors import Place, blocks
from redraft.engine.docx.editing.alternate_copies import refuse_twin
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.tracked_blocks import is_mark_deleted
from redraft.engine.docx.editing.tracked_tables import refuse_undecided
from redraft.engine.docx.grid import Cell, Grid, Row, table_of
from redraft.engine.docx.names import W_P, W_SDT_CONTENT, W_TBL, Element
from redraft.engine.docx.reading.controls import is_locked_around
from redraft.engine.docx.redline.insertion_point import LOCKED
from redraft.engine.errors import PlanError, RefusedError


def named_row(finder: Finder, anchor: str) -> tuple[Place, Grid, Row]:
    """Returns the table and the row that an anchor names; the row is one that the view shows.

    Raises:
        OperationError: it names something else, or the row is deleted.
    """
    place = finder.place(anchor)
    if place.kind != "row":
        raise unable("wrong_kind", f"{anchor} is a {place.kind}, not a row; a row is t1.r2")
    table, table_grid = _table(finder, place, 1, is_whole=True)
    row = table_grid.row(place.element)
    if row.is_deleted:
        raise unable("unknown_block", f"{anchor} is deleted")
    return table, table_grid, row


def named_cell(finder: Finder, anchor: str, *, is_whole: bool = True) -> tuple[Place, Grid, Cell]:
    """Returns the table and the cell that an anchor names; the cell is one that the view shows.

    Args:
        finder: Of the document.
        anchor: As the plan has it.
        is_whole: Whether more of the table is to change than text of the cell.

    Raises:
        OperationError: it names something else, or the cell is deleted.
    """
    place = finder.place(anchor)
    if place.kind != "cell":
        raise unable("wrong_kind", f"{anchor} is a {place.kind}, not a cell; a cell is t1.r2.c3")
    table, table_grid = _table(finder, place, 2, is_whole=is_whole)
    cell = table_grid.cell(place.element)
    if cell.is_deleted:
        raise unable("unknown_block", f"{anchor} is deleted")
    return table, table_grid, cell


def only_paragraph(finder: Finder, anchor: str) -> str:
    """Returns the anchor of the one paragraph of a cell.

    Raises:
        OperationError: it is no cell, is merged into another, or holds more than a paragraph.
    """
    _, _, cell = named_cell(finder, anchor, is_whole=False)
    if cell.is_merged_away:
        message = f"{anchor} is merged into the cell above or before it; name that cell"
        raise unable("merged_away", message)
    inner = list(blocks(cell.element))
    shown = [block for block in inner if not (block.tag == W_P and is_mark_deleted(block))]
    if len(shown) != 1 or shown[0].tag != W_P:
        names = ", ".join(place.anchor for place in _inside(finder, anchor))
        message = f"{anchor} holds more than one paragraph; rewrite one of its blocks: {names}"
        raise unable("cell_has_blocks", message)
    paragraphs = [block for block in inner if block.tag == W_P]
    return f"{anchor}.p{paragraphs.index(shown[0]) + 1}"


def _inside(finder: Finder, anchor: str) -> Iterator[Place]:
    """Yields the blocks of a cell, by name."""
    cell = finder.place(anchor)
    counted = {W_P: 0, W_TBL: 0}
    for block in blocks(cell.element):
        counted[block.tag] += 1
        letter = "p" if block.tag == W_P else "t"
        kind = "paragraph" if block.tag == W_P else "table"
        name = f"{anchor}.{letter}{counted[block.tag]}"
        yield Place(name, cell.part, cell.story, kind, block)


def whole_table(finder: Finder, anchor: str) -> str:
    """Returns the anchor of a table.

    Raises:
        OperationError: it names something else.
    """
    place = finder.place(anchor)
    if place.kind != "table":
        raise unable("wrong_kind", f"{anchor} is a {place.kind}, not a table; a table is t1")
    return anchor


def _table(finder: Finder, place: Place, steps: int, *, is_whole: bool) -> tuple[Place, Grid]:
    element = table_of(place.element)
    if element is None:
        raise unable("unknown_block", f"{place.anchor} stands in no table")
    anchor = place.anchor.rsplit(".", steps)[0]
    table = Place(anchor, place.part, place.story, "table", element)
    try:
        if is_whole:
            refuse_twin(table)
            refuse_undecided(element, finder.survey.ours)
            if is_locked_around(element):
                raise RefusedError(LOCKED)
    except RefusedError as error:
        raise OperationError("read_only", error) from error
    return table, finder.grid(element)


def slots(texts: Sequence[str], is_free: Sequence[bool]) -> list[str]:
    """Returns one text for each place of a row or column, empty ones where nothing was brought.

    Texts are meant place by place when those for merged places are empty, else they are meant for
    the free places one after the other.

    Args:
        texts: What was brought.
        is_free: For each place whether it can take text, or is merged into another.

    Raises:
        OperationError: there are more texts than places.
    """
    for text in texts:
        said(text)
    padded = [*texts, *[""] * (len(is_free) - len(texts))]
    if len(padded) == len(is_free) and not any(
        text.strip() and not free for text, free in zip(padded, is_free, strict=True)
    ):
        return padded
    if len(texts) > sum(is_free):
        merged = len(is_free) - sum(is_free)
        beside = f", and {merged} merged into others" if merged else ""
        cells = "1 cell" if sum(is_free) == 1 else f"{sum(is_free)} cells"
        message = (
            f"{len(texts)} texts were given for {cells} that can take text{beside}; give as many "
            "texts as there are cells"
        )
        raise unable("wrong_cell_count", message)
    rest = iter(texts)
    return [next(rest, "") if free else "" for free in is_free]


def said(text: str) -> str:
    """Returns what a text of a plan will say.

    Raises:
        OperationError: its markup is broken, or tokens of objects stand in it.
    """
    parsed = tokens.parse(text, ())
    if parsed.faults:
        fault = parsed.faults[0]
        raise OperationError(fault.code, PlanError(fault.message))
    return tokens.visible(parsed.pieces)


def refuse_controlled(element: Element, what: str) -> None:
    """Refuses the deletion of a row or cell that has a content control of its own around it.

    Raises:
        OperationError: it has one, which must not be left empty.
    """
    parent = element.getparent()
    if parent is not None and parent.tag == W_SDT_CONTENT:
        message = (
            f"A content control stands around the {what}, which cannot be empty; delete its text "
            "instead"
        )
        raise OperationError("read_only", RefusedError(message))
