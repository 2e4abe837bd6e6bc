"""Which ground new letters stand on that was blank before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.engine.pdf.glyphs.lines import Frame, end_of, start_of
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.typeset.measuring import width_of
from redraft.engine.pdf.typeset.page_edit import Underline
from redraft.engine.pdf.typeset.placed_lines import Line

LEAN: Final = 0.12
"""How far, in ems, letters lean out of their widths; that ink is not in the way."""
_BELOW, _ABOVE = 0.18, 0.65
_STROKE: Final = 1.0


def fresh_ground(
    line: Line, frame: Frame, size: float, underlined: Sequence[Underline]
) -> Iterator[Box]:
    """Yields the places, as turned, that words of a line take where no letters were before.

    Args:
        line: the line as it is to be.
        frame: its direction.
        size: the size of the letters.
        underlined: the lines under its words, which go along with them.
    """
    if not any(part.is_moved for part in line.placed):
        return
    under = [part.box.y1 + _STROKE for part in underlined if part.box.y1 < line.v]
    low, high = max([line.v - _BELOW * size, *under]), line.v + _ABOVE * size
    inked = [glyph for glyph in line.row.glyphs if not glyph.is_blank] if line.row else []
    old = sorted((start_of(frame, glyph), end_of(frame, glyph)) for glyph in inked)
    for left, right in _between(line, old):
        if right - left > max(0.3, 2 * LEAN * size):
            yield Box(left + LEAN * size, low, right - LEAN * size, high)


def _between(line: Line, old: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yields what is left of the places of words that moved beside the letters that were there."""
    for part in line.placed:
        if not part.is_moved:
            continue
        at, end = part.u, part.u + width_of(part.word)
        for start, stop in old:
            if start - at > 0.3 and at < end:
                yield at, min(start, end)
            at = max(at, stop)
        if end - at > 0.3:
            yield at, end
