"""Frames of ruled tables: the grid that connected rules of a page draw, before any text is in it.

[x] merged cells: a border that is not drawn  [x] open sides: rules that end where none closes them
[x] double rules: one border  [x] frames inside a cell of another  [-] slanted rules
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redraft.engine.pdf.reading.layout import Box, around

TOLERANCE = 3.0
GAP = 0.5
SHORTEST = 6.0
FULLEST = 4000


@dataclass(frozen=True, slots=True)
class FrameCell:
    """A cell of a frame; rows and columns count from 0, the spans cover whole ones.

    `is_open`: it stands at a side, and neither that nor its top or bottom is ruled all along.
    """

    row: int
    column: int
    row_span: int
    column_span: int
    box: Box
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """A grid of rules: `xs` and `ys` are its borders, `at` the cell that covers a field of it."""

    box: Box
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[FrameCell, ...]
    at: dict[tuple[int, int], int]

    def nearest(self, x: float, y: float) -> int:
        """Returns the number of the cell that a point lies in, or of the nearest one."""
        row = min(max(bisect_right(self.ys, y) - 1, 0), len(self.ys) - 2)
        column = min(max(bisect_right(self.xs, x) - 1, 0), len(self.xs) - 2)
        return self.at[row, column]


def frames(rules: Sequence[Box]) -> list[Frame]:
    """Finds the frames that the rules of a page draw, those that hold others before them."""
    long = [rule for rule in rules if max(rule.width, rule.height) >= SHORTEST]
    if len(long) < 3 or len(long) > FULLEST:
        return []
    framed = [made for connected in _connected(long) if (made := _frame(connected)) is not None]
    return sorted(framed, key=lambda frame: -frame.box.width * frame.box.height)


def is_flat(rule: Box) -> bool:
    """Whether a rule lies."""
    return rule.width >= rule.height


def _connected(rules: Sequence[Box]) -> list[list[Box]]:
    """Sorts rules into sets that touch each other, by sweeping from top to bottom."""
    ordered = sorted(rules, key=lambda rule: rule.y0)
    parents = list(range(len(ordered)))
    open_ones: list[int] = []
    for number, rule in enumerate(ordered):
        still: list[int] = []
        for other in open_ones:
            connected = ordered[other]
            if connected.y1 + TOLERANCE < rule.y0:
                continue
            still.append(other)
            if connected.x0 - TOLERANCE <= rule.x1 and rule.x0 - TOLERANCE <= connected.x1:
                parents[_root(parents, other)] = _root(parents, number)
        still.append(number)
        open_ones = still
    sets: dict[int, list[Box]] = {}
    for number, rule in enumerate(ordered):
        sets.setdefault(_root(parents, number), []).append(rule)
    return [connected for connected in sets.values() if len(connected) > 2]


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def _levels(values: Iterable[float]) -> list[float]:
    """Merges coordinates that are nearly the same."""
    levels: list[float] = []
    for value in sorted(values):
        if not levels or value - levels[-1] > TOLERANCE:
            levels.append(value)
    return levels


def _frame(rules: list[Box]) -> Frame | None:
    """Makes the frame of connected rules; None where they part nothing."""
    flat = [rule for rule in rules if is_flat(rule)]
    upright = [rule for rule in rules if not is_flat(rule)]
    ys = _levels((rule.y0 + rule.y1) / 2 for rule in flat)
    xs = _levels((rule.x0 + rule.x1) / 2 for rule in upright)
    if not xs or not ys:
        return None
    xs = _closed(xs, [(r.y0, r.x0, r.x1) for r in flat])
    ys = _closed(ys, [(r.x0, r.y0, r.y1) for r in upright])
    if len(ys) < 2 or len(xs) < 2 or len(ys) * len(xs) > FULLEST:
        return None
    cells = _cells(xs, ys, flat, upright)
    if len(cells) < 2:
        return None
    return _compressed(xs, ys, cells)


def _closed(levels: list[float], across: list[tuple[float, float, float]]) -> list[float]:
    """Adds the sides that no rule closes, where two rules across or more end at the same place.

    Args:
        levels: The borders that are drawn.
        across: The rules across them: the place of each, its start and its end.
    """
    low, high = min(start for _, start, _ in across), max(end for _, _, end in across)
    sides = list(levels)
    if low < levels[0] - 2 * TOLERANCE:
        ends = _levels(place for place, start, _ in across if start - low <= TOLERANCE)
        sides = [low, *sides] if len(ends) > 1 else sides
    if high > levels[-1] + 2 * TOLERANCE:
        ends = _levels(place for place, _, end in across if high - end <= TOLERANCE)
        sides = [*sides, high] if len(ends) > 1 else sides
    return sides


def _cells(
    xs: list[float], ys: list[float], flat: list[Box], upright: list[Box]
) -> list[FrameCell]:
    sides = _Sides(_by_level(flat, ys), _by_level(upright, xs))
    taken: set[tuple[int, int]] = set()
    cells: list[FrameCell] = []
    for row in range(len(ys) - 1):
        for column in range(len(xs) - 1):
            if (row, column) in taken:
                continue
            middle = (ys[row] + ys[row + 1]) / 2
            last = column + 1
            while last < len(xs) - 1 and not sides.upright_at(last, middle):
                last += 1
            below = row + 1
            while below < len(ys) - 1 and not any(
                sides.flat_at(below, (xs[i] + xs[i + 1]) / 2) for i in range(column, last)
            ):
                below += 1
            taken |= {(r, c) for r in range(row, below) for c in range(column, last)}
            box = Box(xs[column], ys[row], xs[last], ys[below])
            is_open = sides.is_open(row, column, below, last, box)
            cells.append(FrameCell(row, column, below - row, last - column, box, is_open))
    return cells


@dataclass(frozen=True, slots=True)
class _Sides:
    """The rules on each level of a frame; one may be drawn in pieces with a small gap between."""

    flat: list[list[Box]]
    upright: list[list[Box]]

    def flat_at(self, level: int, x: float) -> bool:
        return any(rule.x0 - GAP <= x <= rule.x1 + GAP for rule in self.flat[level])

    def is_open(self, row: int, column: int, below: int, last: int, box: Box) -> bool:
        """Whether a cell, given by the levels of its sides, is not closed to the outside."""
        x, y = box.middle
        is_beside = (column == 0 and not self.upright_at(column, y)) or (
            last == len(self.upright) - 1 and not self.upright_at(last, y)
        )
        return is_beside and not (self.flat_at(row, x) and self.flat_at(below, x))

    def upright_at(self, level: int, y: float) -> bool:
        return any(rule.y0 - GAP <= y <= rule.y1 + GAP for rule in self.upright[level])


def _by_level(rules: list[Box], levels: list[float]) -> list[list[Box]]:
    """Sorts rules by the levels they lie on; one between two near ones lies on both."""
    by_level: list[list[Box]] = [[] for _ in levels]
    for rule in rules:
        x, y = rule.middle
        place = y if is_flat(rule) else x
        first = bisect_right(levels, place - TOLERANCE - 0.01)
        for number in range(first, bisect_right(levels, place + TOLERANCE)):
            by_level[number].append(rule)
    return by_level


def _compressed(xs: list[float], ys: list[float], cells: list[FrameCell]) -> Frame:
    """Drops the rows and columns that no cell starts in: their borders part nothing."""
    rows = sorted({cell.row for cell in cells})
    columns = sorted({cell.column for cell in cells})
    made: list[FrameCell] = []
    for cell in cells:
        row_span = sum(cell.row <= row < cell.row + cell.row_span for row in rows)
        column_span = sum(cell.column <= c < cell.column + cell.column_span for c in columns)
        row, column = rows.index(cell.row), columns.index(cell.column)
        made.append(FrameCell(row, column, row_span, column_span, cell.box, cell.is_open))
    at = {
        (row, column): number
        for number, cell in enumerate(made)
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    }
    lefts = tuple(xs[column] for column in columns)
    tops = tuple(ys[row] for row in rows)
    box = around(cell.box for cell in made)
    return Frame(box, (*lefts, box.x1), (*tops, box.y1), tuple(made), at)
