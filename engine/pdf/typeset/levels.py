"""What stands on the level of a row, and how far the row may reach to either side.

All positions are in the turned coordinates of the row's frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.pdf.glyphs.lines import ASCENT, DESCENT, Piece
from redraft.engine.pdf.glyphs.mapping import Row
from redraft.engine.pdf.reading.layout import Box

MARGIN: Final = 0.35
"""The air beside a line, in ems; twice as much beside other text."""


@dataclass(frozen=True, slots=True)
class Level:
    """A row with both its ends, and the boxes of what stands on its level: text and other ink."""

    row: Row
    left: float
    right: float
    pieces: Sequence[Box]
    inks: Sequence[Box]


def level_of(
    row: Row, left: float, right: float, others: Sequence[Piece], inks: Sequence[Box]
) -> Level:
    """Finds what stands on the level of a row."""
    v, size = row.piece.v, row.piece.size
    low, high = v, v + 0.6 * size
    near = [
        piece.box
        for piece in others
        if piece.v - DESCENT * piece.size < high and piece.v + ASCENT * piece.size > low
    ]
    return Level(row, left, right, near, [box for box in inks if box.y0 < high and box.y1 > low])


def limit_of(level: Level, page: Box) -> float:
    """Returns where the next thing to the right of a row begins, less a little air."""
    size, end = level.row.piece.size, level.right
    air = MARGIN * size
    limit = page.x1 - 2 * air
    for box in level.pieces:
        if box.x0 >= end - 0.1 * size:
            limit = min(limit, box.x0 - 2 * air)
    for box in level.inks:
        if box.x0 >= end - 0.5:
            limit = min(limit, box.x0 - air)
        elif box.x1 >= end - 0.5 and box.x0 <= level.left:
            limit = min(limit, box.x1 - air)
    return max(limit, end)


def reach_of(level: Level, page: Box) -> float:
    """Returns where the next thing to the left of a row ends, and a little air."""
    size, start = level.row.piece.size, level.left
    air = MARGIN * size
    reach = page.x0 + 2 * air
    for box in level.pieces:
        if box.x1 <= start + 0.1 * size:
            reach = max(reach, box.x1 + 2 * air)
    for box in level.inks:
        if box.x1 <= start + 0.5:
            reach = max(reach, box.x1 + air)
        elif box.x0 <= start + 0.5 and box.x1 >= level.right:
            reach = max(reach, box.x0 + air)
    return min(reach, start)
