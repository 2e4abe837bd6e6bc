"""Put what stands on a page into reading order.

A page is read in columns only where prose stands in columns: items that cross the gutter part the
page into sections, and in each the left column is read before the right one. Everything else is
read row by row.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, groupby
from statistics import median
from typing import Protocol, TypeVar

from redraft.engine.pdf.reading.layout import Box, Group, around

WIDE = 0.6
ROW = 3.0
STEP = 2.0
CROSSED = 0.15
FEWEST_LINES = 3
FEWEST_CHARACTERS = 12


class Placed(Protocol):
    """Anything that stands somewhere on a page."""

    @property
    def box(self) -> Box:
        """Where it stands."""
        ...


Item = TypeVar("Item", bound=Placed)


def in_reading_order(items: Sequence[Item]) -> list[Item]:
    """Orders items of one page: columns left to right, each from top to bottom.

    Text that does not run from left to right comes last, in the order of the page's stream.
    """
    level: list[Item] = []
    turned: list[Item] = []
    for item in items:
        is_turned = isinstance(item, Group) and not item.lines[0].is_level
        (turned if is_turned else level).append(item)
    return _in_columns(level) + turned


def interleaved(ordered: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Puts items whose order is not known between those whose order is told.

    Each goes before the first one that stands below it in its column, or beside or below it where
    it has no column; without one it comes last.
    """
    before: dict[int, list[Item]] = {}
    for item in others:
        box = item.box
        below = [
            at for at, ordered_block in enumerate(ordered) if ordered_block.box.y0 >= box.y0 - ROW
        ]
        under = (at for at in below if _are_in_line(ordered[at].box, box))
        before.setdefault(next(under, next(iter(below), len(ordered))), []).append(item)
    places = range(len(ordered) + 1)
    return [x for at in places for x in (*before.get(at, ()), *ordered[at : at + 1])]


def _are_in_line(one: Box, other: Box) -> bool:
    return one.x0 < other.x1 and one.x1 > other.x0


def columns(items: Sequence[Item]) -> list[list[Item]]:
    """Parts the items of a page by its columns of prose; what crosses a gutter comes first."""
    middle = gutter(items)
    if middle is None:
        return [list(items)]
    left, right, crossing = _parted(items, middle)
    return [crossing, *columns(left), *columns(right)]


def _parted(items: Sequence[Item], middle: float) -> tuple[list[Item], list[Item], list[Item]]:
    """Returns what stands to the left of the middle of a gutter, to its right, and across it."""
    left: list[Item] = []
    right: list[Item] = []
    crossing: list[Item] = []
    for item in items:
        if item.box.x1 <= middle + 1:
            left.append(item)
        elif item.box.x0 >= middle - 1:
            right.append(item)
        else:
            crossing.append(item)
    return left, right, crossing


def _in_columns(items: Sequence[Item]) -> list[Item]:
    middle = gutter(items)
    if middle is None:
        return _by_rows(items)
    left, right, crossing = _parted(items, middle)
    ordered: list[Item] = []
    for bar in _by_rows(crossing):
        above, left = _split(left, _middle(bar))
        beside, right = _split(right, _middle(bar))
        ordered += (*_in_columns(above), *_in_columns(beside), bar)
    return [*ordered, *_in_columns(left), *_in_columns(right)]


def _split(items: Sequence[Item], height: float) -> tuple[list[Item], list[Item]]:
    """Returns the items whose middle is above a height, and the others."""
    above = [item for item in items if _middle(item) < height]
    return above, [item for item in items if _middle(item) >= height]


def _middle(item: Placed) -> float:
    return (item.box.y0 + item.box.y1) / 2


def _by_rows(items: Sequence[Item]) -> list[Item]:
    """Sorts from top to bottom; what starts at nearly the same height goes from left to right."""
    ordered = sorted(items, key=lambda item: item.box.y0)
    rows: list[list[Item]] = []
    for item in ordered:
        if rows and item.box.y0 - rows[-1][0].box.y0 <= ROW:
            rows[-1].append(item)
        else:
            rows.append([item])
    return [item for row in rows for item in sorted(row, key=lambda i: i.box.x0)]


def gutter(items: Sequence[Placed]) -> float | None:
    """Finds the middle of the widest strip with prose on both sides; None if there is none.

    Hardly anything crosses it: the heights of the items there add up to a small share of what
    stands in the fullest strip. Items over most of the width do not count.
    """
    if len(items) < 2:
        return None
    page = around(item.box for item in items)
    boxes = [item.box for item in items if item.box.width <= WIDE * page.width]
    steps = [page.x0 + STEP * n for n in range(1, int(page.width / STEP))]
    changes = [0.0] * (len(steps) + 1)
    for box in boxes:
        start, end = bisect_right(steps, box.x0), bisect_left(steps, box.x1)
        if start < end:
            changes[start] += box.height
            changes[end] -= box.height
    cover = list(accumulate(changes))[:-1]
    lowest = CROSSED * max(cover, default=0.0)
    strips: list[tuple[int, float]] = []
    start = 0
    for is_empty, run in groupby([height <= lowest for height in cover]):
        count = sum(1 for _ in run)
        if is_empty and count > 1:
            strips.append((count, steps[start] + (count - 1) * STEP / 2))
        start += count
    for _, middle in sorted(strips, reverse=True):
        sides = (
            [item for item in items if item.box.x1 <= middle + 1],
            [item for item in items if item.box.x0 >= middle - 1],
        )
        if all(_is_prose(side) for side in sides):
            return middle
    return None


def _is_prose(items: Sequence[Placed]) -> bool:
    """Whether a column, or several, hold lines that run on, not labels beside something."""
    lines = [line for item in items if isinstance(item, Group) for line in item.lines]
    if len(lines) < FEWEST_LINES:
        return False
    if median(len(line.text) for line in lines) < FEWEST_CHARACTERS:
        return False
    column = around(line.box for line in lines)
    is_filled = median(line.box.width for line in lines) >= column.width / 2
    return is_filled or gutter(items) is not None
