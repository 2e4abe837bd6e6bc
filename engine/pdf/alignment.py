"""Tables without rules: three rows or more whose cells stand under one another.

[x] text, number and mixed columns  [-] cells of several lines: such a row ends the table
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from engine.pdf.grids import Grid, GridCell
from engine.pdf.layout import Box, Group, Line, Span, around
from engine.pdf.order import columns
from engine.pdf.passages import label_of

FEWEST_ROWS = 3
CELL_GAP = 1.0
ROW_GAP = 2.2
SHORT = 16
LONG = 44
FULL = 0.6
LEADERS = "....."


@dataclass(frozen=True, slots=True)
class Strip:
    """What stands on one baseline of a page, over all groups; each cell is a line of its own."""

    box: Box
    cells: tuple[Line, ...]
    lines: tuple[Line, ...]


def find_aligned(groups: Sequence[Group], page: int) -> tuple[list[Grid], list[Group]]:
    """Find tables without rules.

    Returns:
        The tables, and the groups without the lines that are now in tables.
    """
    grids: list[Grid] = []
    rest: list[Group] = []
    for held in columns(groups):
        taken: set[int] = set()
        for run in _runs(_strips(held)):
            extents = _extents(run)
            if _is_table(run, extents):
                grids.append(_grid(run, extents, page))
                taken |= {id(line) for strip in run for line in strip.lines}
        rest += [kept for group in held if (kept := _without(group, taken)) is not None]
    return grids, rest


def _strips(groups: Sequence[Group]) -> list[Strip]:
    lines = sorted(
        (line for group in groups for line in group.lines if line.is_level),
        key=lambda line: line.box.y0 + line.box.y1,
    )
    strips: list[list[Line]] = []
    for line in lines:
        middle = (line.box.y0 + line.box.y1) / 2
        last = strips[-1][-1].box if strips else None
        if last is not None and abs((last.y0 + last.y1) / 2 - middle) < 0.25 * line.size:
            strips[-1].append(line)
        else:
            strips.append([line])
    return [_strip(found) for found in strips]


def _strip(lines: list[Line]) -> Strip:
    cells = [cell for line in lines for cell in _cells(line)]
    ordered = tuple(sorted(cells, key=lambda cell: cell.box.x0))
    return Strip(around(cell.box for cell in ordered), ordered, tuple(lines))


def _cells(line: Line) -> list[Line]:
    """Split a line where a gap is wide."""
    cells: list[list[Span]] = [[]]
    for span in line.spans:
        if span.text == "\t" and span.box.width > CELL_GAP * line.size:
            cells.append([])
        else:
            cells[-1].append(span)
    return [
        Line(around(span.box for span in spans), tuple(spans), line.is_level)
        for spans in cells
        if any(span.text.strip() for span in spans)
    ]


def _runs(strips: list[Strip]) -> list[list[Strip]]:
    """Give the runs of strips that have several cells each and follow one another closely."""
    runs: list[list[Strip]] = []
    open_run: list[Strip] = []
    for strip in strips:
        follows = bool(open_run) and strip.box.y0 - open_run[-1].box.y1 < ROW_GAP * (
            strip.cells[0].size
        )
        if len(strip.cells) < 2:
            open_run = []
        elif follows:
            open_run.append(strip)
        else:
            open_run = [strip]
            runs.append(open_run)
    return [run for run in runs if len(run) >= FEWEST_ROWS]


def _extents(run: list[Strip]) -> list[tuple[float, float]]:
    """Join the extents of cells that overlap into columns."""
    extents: list[tuple[float, float]] = []
    for x0, x1 in sorted((c.box.x0, c.box.x1) for strip in run for c in strip.cells):
        if extents and x0 < extents[-1][1]:
            extents[-1] = extents[-1][0], max(extents[-1][1], x1)
        else:
            extents.append((x0, x1))
    return extents


def _is_table(run: list[Strip], extents: list[tuple[float, float]]) -> bool:
    """Whether cells stand alone in their columns and are neither prose nor labels of a list."""
    if len(extents) < 2:
        return False
    rows = [[_column_of(cell, extents) for cell in strip.cells] for strip in run]
    if any(one == other for row in rows for one, other in pairwise(row)):
        return False
    if any(LEADERS in cell.text for strip in run for cell in strip.cells):
        return False
    if sum(len(row) for row in rows) < FULL * len(rows) * len(extents):
        return False
    by_column = [
        [c for strip in run for c in strip.cells if _column_of(c, extents) == number]
        for number in range(len(extents))
    ]
    if all(_is_label(cell) for cell in by_column[0]):
        return False
    widths = [median(_breadth(cell) for cell in held) for held in by_column]
    sparse = [w for w, held in zip(widths, by_column, strict=True) if 2 * len(held) < len(run)]
    if max(sparse, default=0) > SHORT:
        return False
    return max(widths) <= LONG and (min(widths[1:]) <= SHORT or max(widths) <= 2 * SHORT)


def _breadth(cell: Line) -> float:
    """Give the width of a cell in halves of its type size: letters, or half as many ideographs."""
    return 2 * cell.box.width / cell.size if cell.size else 0.0


def _is_label(cell: Line) -> bool:
    """Whether a cell is nothing but a bullet or number; a word after it makes it one to read."""
    box = cell.box
    after = Span("\tx", Box(box.x1, box.y0, box.x1 + 1, box.y1), cell.size)
    shown = Line(box, (*cell.spans, after))
    label = label_of(shown)
    return label is not None and len(cell.text.strip()) <= len(label)


def _column_of(cell: Line, extents: list[tuple[float, float]]) -> int:
    return next(n for n, (x0, x1) in enumerate(extents) if x0 <= cell.box.x0 <= x1)


def _grid(run: list[Strip], extents: list[tuple[float, float]], page: int) -> Grid:
    cells: list[GridCell] = []
    for row, strip in enumerate(run):
        held = {_column_of(cell, extents): cell for cell in strip.cells}
        for column, (x0, x1) in enumerate(extents):
            box = Box(x0, strip.box.y0, x1, strip.box.y1)
            lines = (held[column],) if column in held else ()
            cells.append(GridCell(row, column, 1, 1, box, lines))
    return Grid(page, around(strip.box for strip in run), len(run), len(extents), tuple(cells))


def _without(group: Group, taken: set[int]) -> Group | None:
    lines = tuple(line for line in group.lines if id(line) not in taken)
    if len(lines) == len(group.lines):
        return group
    return Group(around(line.box for line in lines), lines) if lines else None
