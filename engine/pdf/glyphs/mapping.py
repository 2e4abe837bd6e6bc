"""Which glyphs draw which characters of a block that the reader has found.

The reader takes its text from MuPDF, joins lines, undoes hyphens and leaves labels out; the glyph
model keeps what is drawn. Both agree on letters and digits, so those are laid side by side, piece
of line by piece of line, and what stands between them follows. Which of several equal words are a
block's is told by where the reader says its lines stand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from redraft.engine.pdf.glyphs.accents import as_read
from redraft.engine.pdf.glyphs.glyph_alignment import Located, Row, marked, tied, with_marks
from redraft.engine.pdf.glyphs.line_stretches import (
    Part,
    Stretch,
    at_cells,
    at_lines,
    distance,
    followers,
    inside,
)
from redraft.engine.pdf.glyphs.lines import Piece, letters
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream.matrices import Matrix

__all__ = ("Finder", "Located", "Reach", "Row")

MOST_STEPS: Final = 4000
FURTHER: Final = 2
"""On which page behind a line its block goes on at the latest."""


class Reach(Enum):
    """How a block may share its lines with others: not at all, within one, or cell by cell.

    Last comes what stands in its lines, however that is cut.
    """

    LINES = auto()
    INSIDE = auto()
    CELLS = auto()
    PLACE = auto()


@dataclass(slots=True)
class Finder:
    """The pieces of some pages, of which located blocks take what is theirs."""

    pages: dict[int, list[Stretch]] = field(default_factory=dict[int, list[Stretch]])
    taken: set[int] = field(default_factory=set[int])

    def add(self, page: int, lines: Sequence[Piece], view: Matrix | None = None) -> None:
        """Makes the pieces of a page (0-based) known.

        Args:
            page: The page.
            lines: Its pieces.
            view: Leads from page space to the points in which the places of blocks are given.
                Without it they tell nothing.
        """
        stretches = self.pages.setdefault(page, [])
        for piece, glyphs in as_read(lines):
            stretches.append(Stretch.of(page, len(stretches), piece, glyphs, view))

    def find(self, known: Iterable[Target]) -> dict[str, Located]:
        """Finds the glyphs of blocks, by their anchors, as far as they can be told.

        First those that begin where a line does: what only a form field shows would else be found
        among the words of another block, which then would not be found. Last those that share all
        their lines with the cell beside them.
        """
        located: dict[str, Located] = {}
        waiting = [target for target in known if target.text.strip()]
        for reach in Reach:
            for target in waiting:
                if target.anchor not in located:
                    block = self.locate(target.text, target.label, target.page, reach, target.place)
                    if block is not None:
                        located[target.anchor] = block
        return located

    def locate(
        self,
        text: str,
        label: str,
        page: int,
        reach: Reach | None = None,
        place: Sequence[Box] = (),
    ) -> Located | None:
        """Finds the glyphs of a block that begins on a page; None when they cannot be told.

        What is found is taken: a block with the same words finds the next place. Without a `reach`
        all of them are tried.
        """
        if reach is None:
            tried = (self.locate(text, label, page, reached, place) for reached in Reach)
            return next((reached for reached in tried if reached is not None), None)
        wanted = letters(text)
        if not wanted:
            return self._marked(text, page, place) if reach is Reach.PLACE else None
        search = _Search(self.pages, page, reach, place)
        lead = letters(label)
        chain = search.chain(lead + wanted) if lead else None
        skip = len(lead) if chain else 0
        chain = chain or search.chain(wanted)
        if chain is None:
            return None
        for part in chain:
            part.take()
        block = tied(text, chain, skip, place)
        if place and not block.is_whole:
            fuller = with_marks(block, chain, skip, self._loose(chain, place))
            block = tied(text, fuller, skip, place) if fuller else block
        return self._taken(block)

    def _marked(self, text: str, page: int, place: Sequence[Box]) -> Located | None:
        """Finds the glyphs of a block without letters, which only its place tells."""
        if not place:
            return None
        block = marked(text, place, self.pages.get(page, ()), self.taken)
        return self._taken(block) if block is not None else None

    def _loose(self, chain: Sequence[Part], place: Sequence[Box]) -> list[Stretch]:
        """Returns the pieces without letters that stand in the lines of a block, from the top."""
        loose = [
            stretch
            for number in sorted({part.stretch.page for part in chain})
            for stretch in self.pages[number]
            if not stretch.text
            and stretch.is_near(place)
            and self.taken.isdisjoint(map(id, stretch.glyphs))
            if all(glyph.is_blank or stretch.is_of(glyph, place) for glyph in stretch.glyphs)
        ]
        return sorted(
            loose,
            key=lambda stretch: (stretch.page, -round(stretch.piece.v, 1), stretch.piece.left),
        )

    def _taken(self, block: Located) -> Located:
        self.taken.update(id(glyph) for row in block.rows for glyph in row.glyphs)
        return block


@dataclass(slots=True)
class _Search:
    """The search for one block, which begins on a page."""

    pages: dict[int, list[Stretch]]
    page: int
    reach: Reach
    place: Sequence[Box]
    steps: int = 0
    near: dict[int, list[Stretch]] = field(default_factory=dict[int, list[Stretch]])

    def chain(self, wanted: str) -> list[Part] | None:
        """Finds the parts of pieces that have some letters, in order."""
        self.steps = 0
        for part in self._starts(wanted):
            rest_of_chain = self._follow(wanted[part.end - part.start :], [part])
            if rest_of_chain is not None:
                return rest_of_chain
        return None

    def _near(self, page: int) -> list[Stretch]:
        """Returns the pieces of a page that have letters and may have some of the block's."""
        if page not in self.near:
            stretches = self.pages.get(page, ())
            self.near[page] = [
                stretch for stretch in stretches if stretch.text and stretch.is_near(self.place)
            ]
        return self.near[page]

    def _starts(self, wanted: str) -> Iterable[Part]:
        here = self._near(self.page)
        if self.reach is Reach.LINES:
            return at_lines(wanted, here, self.place)
        if self.reach is Reach.INSIDE:
            return inside(wanted, here, self.place)
        if self.reach is Reach.CELLS:
            return at_cells(wanted, here, self.place)
        if not self.place:
            return ()
        return itertools.chain.from_iterable(stretch.owned(wanted, self.place) for stretch in here)

    def _follow(self, rest: str, parts: list[Part]) -> list[Part] | None:
        if not rest:
            return parts
        self.steps += 1
        if self.steps > MOST_STEPS:
            return None
        following = sorted(
            self._following(rest, parts),
            key=lambda stretch_part: distance(parts[-1].stretch, stretch_part.stretch),
        )
        for part in following[:6]:
            longer = self._follow(rest[part.end - part.start :], [*parts, part])
            if longer is not None:
                return longer
        return None

    def _following(self, rest: str, parts: Sequence[Part]) -> Iterator[Part]:
        pages = range(parts[0].stretch.page, parts[-1].stretch.page + FURTHER + 1)
        near = itertools.chain.from_iterable(self._near(number) for number in pages)
        if self.reach is Reach.PLACE:
            used = {(id(part.stretch), part.start) for part in parts}
            for stretch in near:
                for part in stretch.owned(rest, self.place):
                    if (id(part.stretch), part.start) not in used:
                        yield part
            return
        used = {id(part.stretch) for part in parts}
        for stretch in near:
            if id(stretch) not in used:
                yield from followers(stretch, rest, self.place, by_cells=self.reach is Reach.CELLS)
