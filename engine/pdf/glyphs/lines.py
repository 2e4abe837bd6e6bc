"""Glyphs into pieces of lines: what stands on one baseline without a gap that parts columns.

Positions along and across a baseline are `u` and `v`: page space turned so that text runs to the
right and lines follow each other downwards, v growing upwards.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final

from redraft.engine.pdf.glyphs.glyphs import Glyph, PageModel
from redraft.engine.pdf.reading.layout import Box, around

PIECE_GAP: Final = 1.0
WORD_GAP: Final = 0.16
ASCENT: Final = 0.95
DESCENT: Final = 0.32


@dataclass(frozen=True, slots=True)
class Frame:
    """The turned coordinates of a baseline direction, in radians."""

    angle: float
    cos: float = field(init=False, compare=False, repr=False)
    sin: float = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cos", math.cos(self.angle))
        object.__setattr__(self, "sin", math.sin(self.angle))

    def u(self, x: float, y: float) -> float:
        """Returns the distance along the baseline."""
        return x * self.cos + y * self.sin

    def v(self, x: float, y: float) -> float:
        """Returns the distance across it."""
        return y * self.cos - x * self.sin

    def point(self, u: float, v: float) -> tuple[float, float]:
        """Returns the point of page space."""
        return u * self.cos - v * self.sin, u * self.sin + v * self.cos

    def turned(self, box: Box) -> Box:
        """Returns a box of page space in turned coordinates."""
        corners = [(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
        us, vs = [self.u(x, y) for x, y in corners], [self.v(x, y) for x, y in corners]
        return Box(min(us), min(vs), max(us), max(vs))

    def upright(self, box: Box) -> Box:
        """Returns a box of turned coordinates in page space."""
        corners = [self.point(u, v) for u in (box.x0, box.x1) for v in (box.y0, box.y1)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(slots=True, eq=False)
class Piece:
    """Glyphs of one baseline from left to right; `v` is the baseline of most of them."""

    frame: Frame
    v: float
    size: float
    glyphs: list[Glyph] = field(default_factory=list[Glyph])
    _ends: tuple[int, float, float] = field(default=(0, 0.0, 0.0), init=False, repr=False)

    @property
    def inked(self) -> list[Glyph]:
        """The glyphs that are not blank."""
        return [glyph for glyph in self.glyphs if not glyph.is_blank]

    @property
    def left(self) -> float:
        """Where the first visible glyph begins."""
        return self._measured()[1]

    @property
    def right(self) -> float:
        """Where the last visible glyph ends."""
        return self._measured()[2]

    def _measured(self) -> tuple[int, float, float]:
        """How many glyphs there are, and both ends; glyphs are only ever added to a piece."""
        if self._ends[0] != len(self.glyphs):
            seen = self.inked or self.glyphs
            left = min(start_of(self.frame, glyph) for glyph in seen)
            right = max(end_of(self.frame, glyph) for glyph in seen)
            self._ends = len(self.glyphs), left, right
        return self._ends

    @property
    def box(self) -> Box:
        """The extent in turned coordinates, by the size of the font."""
        return Box(self.left, self.v - DESCENT * self.size, self.right, self.v + ASCENT * self.size)

    @property
    def text(self) -> str:
        """The characters, with a blank where a gap says so."""
        parts: list[str] = []
        before: Glyph | None = None
        for glyph in self.glyphs:
            if before is not None and is_gap(self.frame, before, glyph):
                parts.append(" ")
            parts.append(glyph.text)
            before = glyph
        return "".join(parts)


@lru_cache(maxsize=64)
def frame_of(angle: float) -> Frame:
    """Returns the frame of a direction."""
    return Frame(angle)


def start_of(frame: Frame, glyph: Glyph) -> float:
    """Returns where a glyph begins along its baseline."""
    return frame.u(glyph.x, glyph.y)


def end_of(frame: Frame, glyph: Glyph) -> float:
    """Returns where a glyph ends along its baseline, spacing left out."""
    return start_of(frame, glyph) + glyph.ink_width


def is_gap(frame: Frame, before: Glyph, after: Glyph) -> bool:
    """Whether two neighbours are parted by an empty place that reads as a blank."""
    if before.is_blank or after.is_blank:
        return False
    return start_of(frame, after) - end_of(frame, before) > WORD_GAP * max(before.size, after.size)


def letters(text: str) -> str:
    """Returns letters and digits only, compatibility forms taken apart, for comparing."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isalnum())


def pieces(model: PageModel) -> list[Piece]:
    """Groups the glyphs of a page, in the order in which their first ones are drawn.

    Those that are drawn over others are left out.
    """
    over = {id(twin) for twins in model.twins.values() for twin in twins}
    runs: list[Piece] = []
    for show in model.shows:
        font = show.state.font
        if font is None or font.is_vertical:
            continue
        # The glyphs of a string are of one size and direction, as a rule.
        shape: tuple[float, ...] = ()
        angle = size = 0.0
        for glyph in show.glyphs:
            if glyph.matrix[:4] != shape:
                shape, angle, size = glyph.matrix[:4], glyph.angle, glyph.size
            if size <= 0 or id(glyph) in over:
                continue
            if not (runs and _goes_on(runs[-1], glyph, angle, size)):
                frame = frame_of(round(angle, 4))
                runs.append(Piece(frame, frame.v(glyph.x, glyph.y), size))
            runs[-1].glyphs.append(glyph)
    lines = [line for line in _merged(runs) if line.inked]
    for line in lines:
        line.size, line.v = _usual(line)
    return lines


def _usual(piece: Piece) -> tuple[float, float]:
    """Returns the size of most glyphs of a piece and the baseline of those of that size."""
    counts: dict[float, int] = {}
    for glyph in piece.inked:
        key = round(glyph.size, 1)
        counts[key] = counts.get(key, 0) + 1
    size = max(counts, key=lambda key: counts[key])
    host = next(glyph for glyph in piece.inked if round(glyph.size, 1) == size)
    return host.size, piece.frame.v(host.x, host.y)


def _goes_on(run: Piece, glyph: Glyph, angle: float, own: float) -> bool:
    """Whether a glyph follows a run on its baseline, or raised or lowered beside it.

    `angle` and `own` are the glyph's direction and size.
    """
    if abs(angle - run.frame.angle) > 0.01:
        return False
    size = max(run.size, own)
    rise = abs(run.frame.v(glyph.x, glyph.y) - run.v)
    if rise > (0.12 if abs(own - run.size) < 0.1 * size else 0.55) * size:
        return False
    gap = start_of(run.frame, glyph) - end_of(run.frame, run.glyphs[-1])
    return -0.5 * size < gap < PIECE_GAP * size


def _merged(runs: list[Piece]) -> list[Piece]:
    """Joins runs that continue each other though other things are drawn between them."""
    ranks = {id(run): rank for rank, run in enumerate(runs)}
    ordered = sorted(runs, key=lambda run: (run.frame.angle, round(-run.v, 1), run.left))
    joined: list[Piece] = []
    for run in ordered:
        host = next(
            (run_before for run_before in reversed(joined[-40:]) if _joins(run_before, run)), None
        )
        if host is None:
            joined.append(run)
            continue
        ranks[id(host)] = min(ranks[id(host)], ranks[id(run)])
        if run.size > host.size:
            host.v, host.size = run.v, run.size
        both = (*host.glyphs, *run.glyphs)
        host.glyphs = sorted(both, key=partial(start_of, host.frame))
    return sorted(joined, key=lambda run_before: ranks[id(run_before)])


def _joins(host: Piece, run: Piece) -> bool:
    if abs(host.frame.angle - run.frame.angle) > 0.01:
        return False
    size = max(host.size, run.size)
    similar = abs(host.size - run.size) < 0.1 * size
    if abs(host.v - run.v) > (0.12 if similar else 0.5) * size:
        return False
    limit = (PIECE_GAP if similar else 0.3) * size
    ahead = run.left - host.right
    behind = host.left - run.right
    return -0.3 * size < ahead < limit or -0.3 * size < behind < limit


def extent(boxes: Iterable[Box]) -> Box | None:
    """Returns the box around several; None around nothing."""
    listed = list(boxes)
    return around(listed) if listed else None
