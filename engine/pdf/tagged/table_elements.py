"""Tables of the structure tree, with the lines of their cells, as grids.

Which cells there are, and which of them are merged, is said by the tree; a cell that is empty is
there all the same. A table of one cell is a box around what stands in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from redraft.engine.pdf.reading.layout import Box, Line, Page, Picture, Place, around
from redraft.engine.pdf.reading.ruled_tables import Grid, GridCell
from redraft.engine.pdf.tagged.elements import TaggedCell, TaggedTable

OVERLAP, ABOVE = 0.3, 3.0
"""How far into or above a part of a table its repeated header may be, in sizes of its letters."""

Tables = Mapping[Place, TaggedTable]


@dataclass(frozen=True, slots=True)
class TaggedGrids:
    """The tables that stand in no other by their places, each with its parts on later pages.

    `headers` are the lines, by `id`, that repeat the header of a table on a later page; the tree
    does not hold them.
    """

    grids: dict[Place, Grid]
    headers: set[int]


def tagged_grids(pages: Sequence[Page], tables: Tables) -> TaggedGrids:
    """Returns the tables of the structure tree.

    Args:
        pages: All pages.
        tables: The cells of the tables by place; lines in cells of other tables are left alone.
    """
    by_table: dict[Place, dict[int, list[Line]]] = {}
    loose: dict[int, list[Line]] = {}
    for page in (page for page in pages if page.is_tagged):
        for line in (line for group in page.groups for line in group.lines):
            if line.tag is None:
                loose.setdefault(page.number, []).append(line)
            elif line.tag.cells:
                lines = by_table.setdefault(line.tag.cells[0][0], {})
                lines.setdefault(page.number, []).append(line)
    is_whole = all(page.is_tagged for page in pages if page.groups)
    pictures = {page.number: page.pictures for page in pages}
    made = TaggedGrids({}, set())
    for place, lines in by_table.items():
        grid = _Reader(tables, is_whole=is_whole).grid(place, lines)
        if grid is not None:
            parts = [_headed(part, grid, loose, made.headers) for part in grid.parts]
            made.grids[place] = _illustrated(replace(grid, parts=tuple(parts)), pictures)
    return made


def _headed(part: Grid, whole: Grid, loose: Mapping[int, Sequence[Line]], headed: set[int]) -> Grid:
    """Adds to a part the row above it that repeats the first row of the table; notes its lines."""
    first = {cell.column: cell for cell in whole.cells if cell.row == 0 and cell.lines}
    above = [
        line
        for line in loose.get(part.page, ())
        if -OVERLAP <= (part.box.y0 - line.box.y1) / line.size <= ABOVE
    ]
    pieces = [piece for line in above for piece in _cells(line)]
    wanted = [_text(cell.lines) for cell in first.values()]
    if not pieces or [_text([piece]) for piece in pieces] != wanted:
        return part
    headed |= {id(line) for line in above}
    cells = [replace(cell, row=cell.row + 1) for cell in part.cells]
    for cell, piece in zip(first.values(), pieces, strict=True):
        made = replace(cell, row_span=1, box=piece.box, lines=(piece,), pictures=(), grids=())
        cells.append(made)
    covered = {column for cell in first.values() for column in _columns(cell)}
    blank = Box(part.box.x0, part.box.y0, part.box.x0, part.box.y0)
    cells += [GridCell(0, at, 1, 1, blank) for at in range(part.columns) if at not in covered]
    return replace(part, rows=part.rows + 1, cells=tuple(cells), repeated=1)


def _cells(line: Line) -> Iterator[Line]:
    """Parts a line at its gaps."""
    for is_gap, run in groupby(line.spans, key=lambda span: span.text == "\t"):
        spans = tuple(run)
        if not is_gap and any(span.text.strip() for span in spans):
            yield Line(around(span.box for span in spans), spans, line.is_level)


def _columns(cell: GridCell) -> range:
    return range(cell.column, cell.column + cell.column_span)


def _text(lines: Sequence[Line]) -> str:
    return " ".join(" ".join(line.text for line in lines).split())


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes grids of the tables that stand so deep in others.

    `is_whole`: all pages are tagged, so that rows without words are empty and not on other pages.
    """

    tables: Tables
    depth: int = 0
    is_whole: bool = True

    def grid(self, place: Place, lines: Mapping[int, Sequence[Line]]) -> Grid | None:
        """Makes a table of the lines of each page; None when the tree does not fit them."""
        table = self.tables.get(place)
        if table is None or table.rows * table.columns < 2:
            return None
        cells = {cell.place: cell for cell in table.cells}
        by_page: dict[int, dict[Place, list[Line]]] = {}
        for page in sorted(lines):
            for line in lines[page]:
                own = self._cell(line)
                if own not in cells:
                    return None
                by_page.setdefault(page, {}).setdefault(own, []).append(line)
        rows = [{cells[own].row for own in by_page[page]} for page in by_page]
        ranges = _ranges(rows, range(table.rows) if self.is_whole else _extent(rows))
        if ranges is None:
            return None
        parts = [
            self._part(table, page, by_page[page], rows)
            for page, rows in zip(by_page, ranges, strict=True)
        ]
        shared = [after.start < before.stop for before, after in pairwise(ranges)]
        first, *others = parts
        rest = zip(others, shared, strict=True)
        return replace(first, parts=tuple(replace(part, resumes=is_cut) for part, is_cut in rest))

    def _cell(self, line: Line) -> Place:
        return line.tag.cells[self.depth][1] if line.tag is not None else ()

    def _part(
        self, table: TaggedTable, page: int, cell_lines: Mapping[Place, Sequence[Line]], rows: range
    ) -> Grid:
        here = [
            cell
            for cell in table.cells
            if cell.row < rows.stop and cell.row + cell.row_span > rows.start
        ]
        filled = {
            cell.place: self._filled(page, cell_lines[cell.place])
            for cell in here
            if cell.place in cell_lines
        }
        boxes = {place: _around(lines, grids) for place, (lines, grids) in filled.items()}
        extents = _Extents.of(here, boxes)
        made: list[GridCell] = []
        for cell in here:
            top = max(cell.row, rows.start)
            down = min(cell.row + cell.row_span, rows.stop) - top
            lines, grids = filled.get(cell.place, ((), ()))
            box = boxes.get(cell.place) or extents.box(cell)
            place = top - rows.start, cell.column, down, cell.column_span
            made.append(GridCell(*place, box, lines, grids=grids))
        box = around(cell.box for cell in made)
        return Grid(page, box, len(rows), table.columns, tuple(made), is_tagged=True)

    def _filled(
        self, page: int, lines: Sequence[Line]
    ) -> tuple[tuple[Line, ...], tuple[Grid, ...]]:
        """Parts the lines of a cell from the tables that stand in it."""
        own: list[Line] = []
        inner: dict[Place, list[Line]] = {}
        deeper = _Reader(self.tables, self.depth + 1, self.is_whole)
        for line in lines:
            cells = line.tag.cells[self.depth + 1 :] if line.tag is not None else ()
            (inner.setdefault(cells[0][0], []) if cells else own).append(line)
        grids: list[Grid] = []
        for place, own_lines in inner.items():
            grid = deeper.grid(place, {page: own_lines})
            if grid is None:
                own += own_lines
            else:
                grids.append(grid)
        return tuple(own), tuple(grids)


def _extent(rows: Sequence[set[int]]) -> range:
    """Returns the rows from the first to the last that has words."""
    return range(
        min(min(row_numbers) for row_numbers in rows),
        max(max(row_numbers) for row_numbers in rows) + 1,
    )


def _ranges(rows: Sequence[set[int]], whole: range) -> list[range] | None:
    """Tells which rows stand on which page; None when a later page has an earlier row.

    A row without words stands with what is above it; a row that is cut stands on both pages.
    """
    starts = [whole.start, *(min(row_numbers) for row_numbers in rows[1:])]
    pairs = list(zip((max(row_numbers) for row_numbers in rows), starts[1:], strict=False))
    if any(end > start for end, start in pairs):
        return None
    stops = [max(end + 1, start) for end, start in pairs]
    return [range(*pair) for pair in zip(starts, [*stops, whole.stop], strict=True)]


def _around(lines: Iterable[Line], grids: Iterable[Grid]) -> Box:
    return around([*(line.box for line in lines), *(grid.box for grid in grids)])


@dataclass(frozen=True, slots=True)
class _Extents:
    """Where the columns and rows of a part are, as far as words tell it."""

    whole: Box
    columns: Mapping[int, Box]
    rows: Mapping[int, Box]

    @staticmethod
    def of(cells: Sequence[TaggedCell], boxes: Mapping[Place, Box]) -> _Extents:
        columns: dict[int, Box] = {}
        rows: dict[int, Box] = {}
        for cell in cells:
            box = boxes.get(cell.place)
            if box is None:
                continue
            if cell.column_span == 1:
                columns[cell.column] = around((box, columns.get(cell.column, box)))
            if cell.row_span == 1:
                rows[cell.row] = around((box, rows.get(cell.row, box)))
        return _Extents(around(boxes.values()), columns, rows)

    def box(self, cell: TaggedCell) -> Box:
        """Returns where a cell without words is."""
        across = self.columns.get(cell.column, self.whole)
        down = self.rows.get(cell.row, self.whole)
        return Box(across.x0, down.y0, across.x1, down.y1)


def _illustrated(grid: Grid, pictures: Mapping[int, Sequence[Picture]]) -> Grid:
    """Returns the pictures that stand within a table to the nearest cell."""
    parts = tuple(_illustrated(part, pictures) for part in grid.parts)
    cells = list(grid.cells)
    for picture in pictures.get(grid.page, ()):
        x, y = picture.box.middle
        if grid.box.holds(x, y):
            near = min(range(len(cells)), key=lambda at: cells[at].box.distance(x, y))
            cells[near] = replace(cells[near], pictures=(*cells[near].pictures, picture))
    return replace(grid, cells=tuple(cells), parts=parts)
