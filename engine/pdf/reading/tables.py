"""Tables of a page into tables of the tree.

Anchors of a cell's blocks are `p2.b7.r1.c2.b1`; the rows that stand on the next page count in a
block of that page: `p3.b1.r2.c2.b1`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from redraft.engine.model import Block, Cell, Image, Inline, ListItem, Paragraph, Row, Table, Text
from redraft.engine.pdf.reading.layout import Group, Places
from redraft.engine.pdf.reading.paragraphs import Passage, Typography, joined, passages, spans_of
from redraft.engine.pdf.reading.ruled_tables import Grid, GridCell
from redraft.engine.pdf.reading.span_inlines import inlines

_ENDS = (".", "!", "?", ":", ";")


def table(
    grid: Grid,
    anchor_of: Callable[[int], str],
    ordinary: Typography,
    places: Places | None = None,
) -> Table:
    """Makes a table; a cell merged over rows is there once, and `continues` below.

    Args:
        grid: The table and its parts on the pages that follow.
        anchor_of: Gives the next anchor of a page.
        ordinary: What is ordinary in the document.
        places: Takes the lines of the blocks of the cells.
    """
    places = {} if places is None else places
    anchor = anchor_of(grid.page)
    rows = _rows(grid, anchor, ordinary, places)
    rows[0] = replace(rows[0], is_header=True)
    for part in grid.parts:
        more = _rows(part, anchor_of(part.page), ordinary, places)
        rows += [replace(row, is_repeated=True) for row in more[: part.repeated]]
        more = more[part.repeated :]
        if part.resumes:
            last = next(n for n in range(len(rows) - 1, -1, -1) if not rows[n].is_repeated)
            rows[last] = _resumed(rows[last], more.pop(0), places)
        rows += more
    return Table(anchor, tuple(rows), grid.columns)


def _rows(grid: Grid, anchor: str, ordinary: Typography, places: Places) -> list[Row]:
    by_row: list[list[GridCell]] = [[] for _ in range(grid.rows)]
    for cell in sorted(grid.cells, key=lambda grid_cell: grid_cell.column):
        for number in range(cell.row, cell.row + cell.row_span):
            by_row[number].append(cell)
    rows: list[Row] = []
    for number, across in enumerate(by_row):
        cells: list[Cell] = []
        at = f"{anchor}.r{number + 1}"
        for cell in across:
            name = f"{at}.c{len(cells) + 1}"
            is_first = cell.row == number
            content = _blocks(cell, name, grid.page, ordinary, places) if is_first else ()
            cells.append(Cell(name, content, cell.column, cell.column_span, not is_first))
        rows.append(Row(at, tuple(cells)))
    return rows


def _blocks(
    cell: GridCell, anchor: str, page: int, ordinary: Typography, places: Places
) -> tuple[Block, ...]:
    """Makes the paragraphs of a cell, then its pictures and tables."""
    texts: list[Passage] = []
    if cell.lines:
        texts = joined(list(passages(Group(cell.box, cell.lines), page, ordinary)))
    made: list[Block] = []
    for number, passage in enumerate(texts, start=1):
        content = inlines(spans_of(passage, ordinary.hyphens))
        name = f"{anchor}.b{number}"
        places[name] = passage.lines
        if passage.label is None:
            made.append(Paragraph(name, content))
        else:
            made.append(list_item(passage, name, 0, content))
    for number, picture in enumerate(cell.pictures, start=len(texts) + 1):
        image = Image(picture.id, picture.alt, picture.id)
        made.append(Paragraph(f"{anchor}.b{number}", (image,)))
    for number, grid in enumerate(cell.grids, start=len(made) + 1):
        name = f"{anchor}.b{number}"
        made.append(table(grid, lambda _, name=name: name, ordinary, places))
    return tuple(made)


def list_item(passage: Passage, anchor: str, depth: int, content: tuple[Inline, ...]) -> ListItem:
    """Makes a list item; a bullet has no label of its own."""
    label = "" if passage.label == "•" else passage.label or ""
    return ListItem(anchor, depth, content, label, ordered=bool(label))


def _resumed(row: Row, rest: Row, places: Places) -> Row:
    """Joins a row with what of it stands on the next page."""
    more = {cell.column: cell.blocks for cell in rest.cells}
    cells = tuple(
        replace(cell, blocks=_continued(cell.blocks, more.get(cell.column, ()), places))
        for cell in row.cells
    )
    return replace(row, cells=cells)


def _continued(blocks: Sequence[Block], more: Sequence[Block], places: Places) -> tuple[Block, ...]:
    """Joins the blocks of a cell; a sentence that goes on stays one paragraph."""
    if not (blocks and more):
        return (*blocks, *more)
    last, first = blocks[-1], more[0]
    if not isinstance(last, Paragraph | ListItem) or not isinstance(first, Paragraph):
        return (*blocks, *more)
    before, after = _words(last.content), _words(first.content)
    if before.endswith(_ENDS) or not after[:1].islower():
        return (*blocks, *more)
    whole = replace(last, content=_one(last.content, first.content))
    places[last.anchor] = (*places.get(last.anchor, ()), *places.get(first.anchor, ()))
    return (*blocks[:-1], whole, *more[1:])


def _one(before: tuple[Inline, ...], after: tuple[Inline, ...]) -> tuple[Inline, ...]:
    last, first = before[-1], after[0]
    if isinstance(last, Text) and isinstance(first, Text) and last.marks == first.marks:
        return (*before[:-1], Text(f"{last.text} {first.text}", last.marks), *after[1:])
    return (*before, Text(" "), *after)


def _words(content: Sequence[Inline]) -> str:
    return "".join(inline.text for inline in content if isinstance(inline, Text))
