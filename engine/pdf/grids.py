"""Tables that are ruled: the grid comes from the lines on the page, the text goes into its cells.

[x] merged cells: a border that is not drawn  [-] tables with horizontal rules only  [-] tables
without rules
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from engine.pdf.layout import Box, Group, Line, Page, Picture, Span, around

TOLERANCE = 3.0
SHORTEST = 6.0
FULLEST = 4000


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


@dataclass(frozen=True, slots=True)
class Grid:
    """A ruled table with its text."""

    page: int
    box: Box
    rows: int
    columns: int
    cells: tuple[GridCell, ...]


def find_grids(page: Page) -> tuple[list[Grid], list[Group]]:
    """Find the ruled tables of a page.

    Returns:
        The tables, and the groups of the page without the lines that stand in them.
    """
    grids: list[Grid] = []
    groups = list(page.groups)
    for rules in _connected(page.rules):
        frame = _frame(rules, page.number)
        if frame is None:
            continue
        inside = [
            piece
            for group in groups
            for line in group.lines
            for piece, is_inside in _parted(line, frame.box)
            if is_inside
        ]
        cells = _filled(frame.cells, inside, page.pictures)
        if sum(1 for cell in cells if cell.lines) < 2:
            continue
        grids.append(replace(frame, cells=cells))
        groups = [kept for group in groups if (kept := _without(group, frame.box)) is not None]
    return grids, groups


def _is_flat(rule: Box) -> bool:
    return rule.width >= rule.height


def _connected(rules: tuple[Box, ...]) -> list[list[Box]]:
    """Sort rules into sets that touch each other, by sweeping from top to bottom."""
    long = [rule for rule in rules if max(rule.width, rule.height) >= SHORTEST]
    sets: list[tuple[Box, list[Box]]] = []
    if len(long) > FULLEST:
        return []
    for rule in sorted(long, key=lambda r: r.y0):
        touching = [held for held in sets if _near(held[0], rule)]
        members = [rule, *(member for _, held in touching for member in held)]
        sets = [held for held in sets if held not in touching]
        sets.append((around((rule, *(box for box, _ in touching))), members))
    return [members for _, members in sets]


def _near(one: Box, other: Box) -> bool:
    return (
        one.x0 - TOLERANCE <= other.x1
        and other.x0 - TOLERANCE <= one.x1
        and one.y0 - TOLERANCE <= other.y1
        and other.y0 - TOLERANCE <= one.y1
    )


def _levels(values: Iterable[float]) -> list[float]:
    """Merge coordinates that are nearly the same."""
    levels: list[float] = []
    for value in sorted(values):
        if not levels or value - levels[-1] > TOLERANCE:
            levels.append(value)
    return levels


def _frame(rules: list[Box], page: int) -> Grid | None:
    """Make the empty grid of connected rules; None where they are not at least two rows."""
    flat = [rule for rule in rules if _is_flat(rule)]
    upright = [rule for rule in rules if not _is_flat(rule)]
    ys = _levels((rule.y0 + rule.y1) / 2 for rule in flat)
    xs = _levels((rule.x0 + rule.x1) / 2 for rule in upright)
    if len(ys) < 3 or len(xs) < 2 or (len(ys) * len(xs)) > FULLEST:
        return None
    cells = _cells(xs, ys, flat, upright)
    box = Box(xs[0], ys[0], xs[-1], ys[-1])
    found = _compressed(Grid(page, box, len(ys) - 1, len(xs) - 1, tuple(cells)))
    return found if found.rows > 1 else None


def _cells(xs: list[float], ys: list[float], flat: list[Box], upright: list[Box]) -> list[GridCell]:
    taken: set[tuple[int, int]] = set()
    cells: list[GridCell] = []
    for row in range(len(ys) - 1):
        for column in range(len(xs) - 1):
            if (row, column) in taken:
                continue
            middle = (ys[row] + ys[row + 1]) / 2
            last = column + 1
            while last < len(xs) - 1 and not _upright_at(upright, xs[last], middle):
                last += 1
            below = row + 1
            while below < len(ys) - 1 and not any(
                _flat_at(flat, ys[below], (xs[i] + xs[i + 1]) / 2) for i in range(column, last)
            ):
                below += 1
            taken |= {(r, c) for r in range(row, below) for c in range(column, last)}
            box = Box(xs[column], ys[row], xs[last], ys[below])
            cells.append(GridCell(row, column, below - row, last - column, box))
    return cells


def _upright_at(upright: list[Box], x: float, y: float) -> bool:
    return any(abs((r.x0 + r.x1) / 2 - x) <= TOLERANCE and r.y0 <= y <= r.y1 for r in upright)


def _flat_at(flat: list[Box], y: float, x: float) -> bool:
    return any(abs((r.y0 + r.y1) / 2 - y) <= TOLERANCE and r.x0 <= x <= r.x1 for r in flat)


def _parted(line: Line, box: Box) -> list[tuple[Line, bool]]:
    """Part a line where it enters or leaves a rectangle; each piece says whether it is inside."""
    if not box.y0 <= line.box.middle[1] <= box.y1:
        return [(line, False)]
    pieces: list[tuple[Line, bool]] = []
    for is_inside, run in groupby(
        line.spans, key=lambda s: box.x0 - TOLERANCE <= s.box.middle[0] <= box.x1 + TOLERANCE
    ):
        spans = _trimmed(list(run))
        if spans:
            held = Line(around(span.box for span in spans), tuple(spans), line.is_level)
            pieces.append((held, is_inside))
    return pieces


def _filled(
    cells: tuple[GridCell, ...], inside: list[Line], pictures: tuple[Picture, ...]
) -> tuple[GridCell, ...]:
    """Give each span and picture to the cell that its middle lies in, or to the nearest one."""
    lines: list[list[Line]] = [[] for _ in cells]
    for line in inside:
        spans: dict[int, list[Span]] = {}
        for span in line.spans:
            spans.setdefault(_nearest(cells, span.box), []).append(span)
        for number, held in spans.items():
            piece = _trimmed(held)
            if piece:
                box = around(span.box for span in piece)
                lines[number].append(Line(box, tuple(piece), line.is_level))
    filled = [replace(c, lines=tuple(held)) for c, held in zip(cells, lines, strict=True)]
    for picture in pictures:
        number = _nearest(cells, picture.box)
        if filled[number].box.holds(*picture.box.middle):
            held = filled[number].pictures
            filled[number] = replace(filled[number], pictures=(*held, picture))
    return tuple(filled)


def _nearest(cells: tuple[GridCell, ...], box: Box) -> int:
    return min(range(len(cells)), key=lambda number: cells[number].box.distance(*box.middle))


def _trimmed(spans: list[Span]) -> list[Span]:
    """Drop blank spans at both ends; none are left of blank ones."""
    inked = [number for number, span in enumerate(spans) if span.text.strip()]
    return spans[inked[0] : inked[-1] + 1] if inked else []


def _without(group: Group, box: Box) -> Group | None:
    lines = tuple(piece for line in group.lines for piece, is_in in _parted(line, box) if not is_in)
    if lines == group.lines:
        return group
    return Group(around(line.box for line in lines), lines) if lines else None


def _compressed(frame: Grid) -> Grid:
    """Drop the rows and columns that no cell starts in: their borders part nothing."""
    rows = sorted({cell.row for cell in frame.cells})
    columns = sorted({cell.column for cell in frame.cells})
    cells = tuple(
        replace(
            cell,
            row=rows.index(cell.row),
            column=columns.index(cell.column),
            row_span=sum(cell.row <= row < cell.row + cell.row_span for row in rows),
            column_span=sum(cell.column <= c < cell.column + cell.column_span for c in columns),
        )
        for cell in frame.cells
    )
    return replace(frame, rows=len(rows), columns=len(columns), cells=cells)
