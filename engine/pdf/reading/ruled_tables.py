"""Tables that are ruled: the grid comes from the lines on the page, the text goes into its cells.

[x] merged cells  [x] open sides  [x] tables in cells  [x] gaps between the strokes of a border
[-] tables with horizontal rules only (see `engine.pdf.reading.aligned_tables`)
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from redraft.engine.pdf.reading.frames import TOLERANCE, Frame, frames
from redraft.engine.pdf.reading.layout import Box, Group, Line, Page, Picture, Span, around

THIN = 5.0
STRADDLING = 0.2


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of the grid; rows and columns count from 0, the spans cover whole ones."""

    row: int
    column: int
    row_span: int
    column_span: int
    box: Box
    lines: tuple[Line, ...] = ()
    pictures: tuple[Picture, ...] = ()
    grids: tuple[Grid, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in it."""
        return not (self.lines or self.pictures or self.grids)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with its text; `parts` are what of it stands on the pages that follow.

    Of such a part, `repeated` counts the rows at its top that only repeat the header, and `resumes`
    says that the row after them goes on with the last row of the page before. Of a table that
    `is_tagged` the structure tree tells all of this.
    """

    page: int
    box: Box
    rows: int
    columns: int
    cells: tuple[GridCell, ...]
    is_ruled: bool = True
    parts: tuple[Grid, ...] = ()
    repeated: int = 0
    resumes: bool = False
    is_tagged: bool = False


def find_grids(
    page: Page, is_box: Callable[[Grid], bool] | None = None
) -> tuple[list[Grid], list[Group]]:
    """Finds the ruled tables of a page.

    Args:
        page: The page.
        is_box: Whether something that is ruled like a table is only a box around what stands in it.

    Returns:
        The tables, and the groups of the page without the lines that stand in them.
    """
    grids: list[Grid] = []
    groups = list(page.groups)
    pending = frames(page.rules)
    while pending:
        frame = pending.pop(0)
        inner = [other for other in pending if _is_inside(other, frame)]
        parted = [(group, _pieces(group, frame.box)) for group in groups]
        inside = [piece for _, pieces in parted for piece, is_inside in pieces if is_inside]
        grid = _grid(frame, inner, inside, page)
        if grid is None or (is_box is not None and is_box(grid)):
            continue
        grids.append(grid)
        pending = [other for other in pending if other not in inner]
        groups = [
            remaining for group, pieces in parted if (remaining := _left(group, pieces)) is not None
        ]
    return grids, groups


def _is_inside(one: Frame, other: Frame) -> bool:
    """Whether a frame stands in one cell of another."""
    box = one.box
    cell = other.cells[other.nearest(*box.middle)].box
    return cell.holds(box.x0, box.y0) and cell.holds(box.x1, box.y1)


def _grid(frame: Frame, inner: Sequence[Frame], lines: list[Line], page: Page) -> Grid | None:
    """Fills a frame; None for what is no table: a diagram, or a box around something."""
    nested: list[Grid] = []
    taken: list[Frame] = []
    for inner_frame in inner:
        if any(_is_inside(inner_frame, other) for other in taken):
            continue
        parted = [piece for line in lines for piece in _parted(line, inner_frame.box)]
        mine = [piece for piece, is_inside in parted if is_inside]
        deeper = [
            other for other in inner if other is not inner_frame and _is_inside(other, inner_frame)
        ]
        made = _grid(inner_frame, deeper, mine, page)
        if made is not None:
            taken.append(inner_frame)
            nested.append(made)
            lines = [piece for piece, is_inside in parted if not is_inside]
    cells = _filled(frame, lines, page.pictures, nested)
    if sum(1 for cell in cells if cell.lines or cell.grids) < 2 or _is_crossed(cells):
        return None
    if not _parts_rows(frame, cells):
        return None
    return _without_thin(
        Grid(page.number, frame.box, len(frame.ys) - 1, len(frame.xs) - 1, tuple(cells))
    )


def _parted(line: Line, box: Box) -> list[tuple[Line, bool]]:
    """Parts a line where it enters or leaves a rectangle; each piece says whether it is inside."""
    if not box.y0 <= (line.box.y0 + line.box.y1) / 2 <= box.y1:
        return [(line, False)]
    pieces: list[tuple[Line, bool]] = []
    low, high = 2 * (box.x0 - TOLERANCE), 2 * (box.x1 + TOLERANCE)
    for is_inside, run in groupby(
        line.spans, key=lambda span: low <= span.box.x0 + span.box.x1 <= high
    ):
        spans = _trimmed(list(run))
        if spans:
            part = Line(around([s.box for s in spans]), tuple(spans), line.is_level, line.tag)
            pieces.append((part, is_inside))
    return pieces


def _filled(
    frame: Frame, inside: Iterable[Line], pictures: Iterable[Picture], nested: Iterable[Grid]
) -> list[GridCell]:
    """Assigns each span and picture to the cell that its middle lies in, or to the nearest one."""
    lines: list[list[Line]] = [[] for _ in frame.cells]
    for line in inside:
        spans: dict[int, list[Span]] = {}
        for span in line.spans:
            spans.setdefault(frame.nearest(*span.box.middle), []).append(span)
        for number, cell_parts in spans.items():
            piece = _trimmed(cell_parts)
            if piece:
                box = around([span.box for span in piece])
                lines[number].append(Line(box, tuple(piece), line.is_level, line.tag))
    filled = [
        GridCell(c.row, c.column, c.row_span, c.column_span, c.box, tuple(cell_parts))
        for c, cell_parts in zip(frame.cells, lines, strict=True)
    ]
    for grid in nested:
        number = frame.nearest(*grid.box.middle)
        filled[number] = replace(filled[number], grids=(*filled[number].grids, grid))
    for picture in pictures:
        number = frame.nearest(*picture.box.middle)
        if filled[number].box.holds(*picture.box.middle):
            cell_parts = filled[number].pictures
            filled[number] = replace(filled[number], pictures=(*cell_parts, picture))
    return filled


def _parts_rows(frame: Frame, cells: Sequence[GridCell]) -> bool:
    """Whether cells stand beside each other, unless the frame is one column of them.

    Boxes of different width under one another have no cells beside them, only what is outside.
    """
    beside: Counter[int] = Counter()
    for drawn, cell in zip(frame.cells, cells, strict=True):
        if not (drawn.is_open and cell.is_empty):
            beside.update(range(cell.row, cell.row + cell.row_span))
    return len(frame.xs) < 3 or max(beside.values()) > 1


def _is_crossed(cells: Sequence[GridCell]) -> bool:
    """Whether lines stand on the borders between cells, as the numbers of a chart's axis do."""
    bottom = max(cell.box.y1 for cell in cells)
    lines = crossed = 0
    for cell in cells:
        top, low = cell.box.y0, cell.box.y1
        for line in cell.lines:
            lines += 1
            reach = 0.25 * line.box.height
            middle = line.box.middle[1]
            is_below = middle - top < reach and cell.row > 0
            crossed += is_below or (low - middle < reach and low < bottom)
    return crossed > STRADDLING * lines


def _trimmed(spans: list[Span]) -> list[Span]:
    """Drops blank spans at both ends; none are left of blank ones."""
    if spans and spans[0].text.strip() and spans[-1].text.strip():
        return spans
    inked = [number for number, span in enumerate(spans) if span.text.strip()]
    return spans[inked[0] : inked[-1] + 1] if inked else []


def _pieces(group: Group, box: Box) -> list[tuple[Line, bool]]:
    """Parts the lines of a group by a rectangle; none where the group is above or below it."""
    if group.box.y0 > box.y1 or group.box.y1 < box.y0:
        return []
    return [piece for line in group.lines for piece in _parted(line, box)]


def _left(group: Group, pieces: Sequence[tuple[Line, bool]]) -> Group | None:
    """Returns a group without its pieces that are inside; None where nothing is left of it."""
    lines = tuple(piece for piece, is_inside in pieces if not is_inside)
    if not pieces or lines == group.lines:
        return group
    return Group(around(line.box for line in lines), lines) if lines else None


def _without_thin(grid: Grid) -> Grid:
    """Drops empty rows and columns that are as thin as the gap in a border of two strokes."""
    filled = [cell for cell in grid.cells if not cell.is_empty or cell.box.height > THIN]
    rows = sorted({cell.row for cell in filled})
    filled = [cell for cell in grid.cells if not cell.is_empty or cell.box.width > THIN]
    columns = sorted({cell.column for cell in filled})
    if len(rows) == grid.rows and len(columns) == grid.columns:
        return grid
    cells: list[GridCell] = []
    for cell in grid.cells:
        row_span = sum(cell.row <= row < cell.row + cell.row_span for row in rows)
        column_span = sum(cell.column <= c < cell.column + cell.column_span for c in columns)
        if row_span and column_span:
            row, column = bisect_left(rows, cell.row), bisect_left(columns, cell.column)
            cells.append(
                replace(cell, row=row, column=column, row_span=row_span, column_span=column_span)
            )
    return replace(grid, rows=len(rows), columns=len(columns), cells=tuple(cells))
