"""The letters of a piece of a line, of which blocks take what is theirs.

Where the reader says where the lines of a block stand, only letters that are drawn there are its.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.pdf.glyphs.glyphs import Glyph, bounds
from redraft.engine.pdf.glyphs.lines import Piece, end_of, letters, start_of
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream.matrices import Matrix, applied

CELL_GAP: Final = 0.5
"""How far apart, in ems, two cells of a table stand at least; words may be so far apart too."""
SLACK: Final = 0.15
"""How far, in ems, the middle of a glyph may be outside of the line that it is of."""
WAIST: Final = 0.2
"""How far, in ems, the middle of a glyph is above its baseline; lower than that of any letter."""


@dataclass(slots=True, eq=False)
class Stretch:
    """The glyphs of a piece by letter, and which of them blocks have taken.

    `owners` are the glyphs of the letters by their index; `cuts` the letters behind a gap, with
    which a cell of a table may begin; `view` leads to the points in which places are given.
    """

    page: int
    rank: int
    piece: Piece
    glyphs: list[Glyph]
    view: Matrix | None
    text: str
    owners: list[int]
    taken: list[bool]
    cuts: list[int]
    _extent: Box | None = None

    @staticmethod
    def of(page: int, rank: int, piece: Piece, glyphs: list[Glyph], view: Matrix | None) -> Stretch:
        """Cuts a piece into letters, its glyphs being in the order in which they are read."""
        text = ""
        owners: list[int] = []
        for number, glyph in enumerate(glyphs):
            drawn = letters(glyph.text)
            text += drawn
            owners += [number] * len(drawn)
        taken = [False] * len(text)
        cuts = list(_cuts(piece, glyphs, owners))
        return Stretch(page, rank, piece, glyphs, view, text, owners, taken, cuts)

    @property
    def free(self) -> int:
        """The first letter behind those that the cell to the left has taken."""
        return next((at for at, is_taken in enumerate(self.taken) if not is_taken), 0)

    def is_of(self, glyph: Glyph, place: Sequence[Box]) -> bool:
        """Whether a glyph stands in one of the lines of a block; no lines tell nothing."""
        if not place or self.view is None:
            return True
        size = glyph.show.state.size
        x, y = applied(self.view, *applied(glyph.matrix, 0.5 * glyph.width * size, WAIST * size))
        slack = SLACK * glyph.size * abs(self.view[0])
        for box in place:
            if box.x0 - slack <= x <= box.x1 + slack and box.y0 - slack <= y <= box.y1 + slack:
                return True
        return False

    def is_near(self, place: Sequence[Box]) -> bool:
        """Whether a glyph of it may stand in one of the lines of a block: cheaper to ask."""
        if not place or self.view is None:
            return True
        if self._extent is None:
            box, reach = self.piece.frame.upright(self.piece.box), self.piece.size
            corners = [
                applied(self.view, x, y)
                for x in (box.x0 - reach, box.x1 + reach)
                for y in (box.y0 - reach, box.y1 + reach)
            ]
            self._extent = bounds(corners)
        own = self._extent
        for box in place:
            if own.x0 <= box.x1 and own.x1 >= box.x0 and own.y0 <= box.y1 and own.y1 >= box.y0:
                return True
        return False

    def may_take(self, start: int, end: int, place: Sequence[Box]) -> bool:
        """Whether letters [start, end) are free, and in the lines of a block."""
        if any(self.taken[start:end]):
            return False
        ends = (self.owners[start], self.owners[end - 1])
        return all(self.is_of(self.glyphs[at], place) for at in ends)

    def parts(self, wanted: str, starts: Iterable[int], place: Sequence[Box]) -> Iterator[Part]:
        """Yields the parts with which a text may begin, from one of some letters to a gap."""
        for start in starts:
            if start >= len(self.text) or self.text[start] != wanted[0]:
                continue
            for end in reversed((*self.cuts, len(self.text))):
                own = self.text[start:end]
                if own and wanted.startswith(own) and self.may_take(start, end, place):
                    yield Part(self, start, end)
                    break

    def owned(self, wanted: str, place: Sequence[Box]) -> Iterator[Part]:
        """Yields what of the letters in the lines of a block its text may go on with."""
        for part in self.runs(place):
            length = min(part.end - part.start, len(wanted))
            if self.text[part.start : part.start + length] == wanted[:length]:
                yield Part(self, part.start, part.start + length)

    def runs(self, place: Sequence[Box]) -> Iterator[Part]:
        """Yields the free letters that stand in the lines of a block, side by side."""
        start: int | None = None
        for at in range(len(self.text) + 1 if self.is_near(place) else 0):
            is_its = at < len(self.text) and self.may_take(at, at + 1, place)
            if is_its and start is None:
                start = at
            elif not is_its and start is not None:
                yield Part(self, start, at)
                start = None


@dataclass(frozen=True, slots=True)
class Part:
    """Letters [start, end) of a stretch."""

    stretch: Stretch
    start: int
    end: int

    def take(self) -> None:
        """Keeps other blocks from taking it."""
        self.stretch.taken[self.start : self.end] = [True] * (self.end - self.start)


def at_lines(wanted: str, here: Sequence[Stretch], place: Sequence[Box]) -> Iterator[Part]:
    """Where a block may begin: at a piece of which it has all letters."""
    whole = [stretch for stretch in here if wanted.startswith(stretch.text)]
    for stretch in sorted(whole, key=lambda stretch: len(stretch.text) != len(wanted)):
        if stretch.may_take(0, len(stretch.text), place):
            yield Part(stretch, 0, len(stretch.text))


def inside(wanted: str, here: Sequence[Stretch], place: Sequence[Box]) -> Iterator[Part]:
    """Where a block may be inside of a piece, or begin with the words after a label."""
    for stretch in here:
        at = stretch.text.find(wanted)
        while at >= 0:
            if stretch.may_take(at, at + len(wanted), place):
                yield Part(stretch, at, at + len(wanted))
            at = stretch.text.find(wanted, at + 1)
    for stretch in here:
        for at in range(1, min(len(stretch.text), 12)):
            rest = stretch.text[at:]
            if wanted.startswith(rest) and stretch.may_take(at, len(stretch.text), place):
                yield Part(stretch, at, len(stretch.text))


def at_cells(wanted: str, here: Sequence[Stretch], place: Sequence[Box]) -> Iterator[Part]:
    """Where a block may begin: at a piece or behind a gap in it, and end at a gap."""
    for stretch in here:
        yield from stretch.parts(wanted, (0, *stretch.cuts), place)


def followers(
    stretch: Stretch, wanted: str, place: Sequence[Box], *, by_cells: bool
) -> Iterator[Part]:
    """Yields what a block may go on with: all that is left of a piece, else a part up to a gap."""
    start = stretch.free
    length = min(len(stretch.text) - start, len(wanted))
    end = start + length
    is_same = stretch.text[start:end] == wanted[:length]
    if is_same and stretch.may_take(start, end, place):
        yield Part(stretch, start, end)
    elif by_cells and stretch.cuts:
        starts = (start, *(cut for cut in stretch.cuts if cut > start))
        yield from stretch.parts(wanted, starts, place)


def _cuts(piece: Piece, glyphs: Sequence[Glyph], owners: Sequence[int]) -> Iterator[int]:
    """Yields the letters of a piece before which there is a gap as wide as between two cells."""
    for at, (before, after) in enumerate(itertools.pairwise(owners), start=1):
        if before != after:
            one, other = glyphs[before], glyphs[after]
            gap = start_of(piece.frame, other) - end_of(piece.frame, one)
            if gap > CELL_GAP * piece.size:
                yield at


def distance(before: Stretch, after: Stretch) -> float:
    """How little likely it is that one piece follows another in a paragraph."""
    first, second = before.piece, after.piece
    far = 1e6 * (after.page - before.page) + abs(after.rank - before.rank)
    if before.page != after.page or abs(first.frame.angle - second.frame.angle) > 0.01:
        return 1e5 + far
    down = first.v - second.v
    size = max(first.size, second.size)
    if abs(down) < 0.3 * size:
        return abs(second.left - first.right) if second.left > first.left else 1e4 + far
    if 0 < down < 3 * size and second.left < first.right and first.left < second.right + 40 * size:
        return down + 0.2 * abs(first.left - second.left)
    return 1e4 + far
