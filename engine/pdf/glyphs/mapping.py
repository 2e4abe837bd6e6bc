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

    def add(self, page: int, found: Sequence[Piece], view: Matrix | None = None) -> None:
        """Make the pieces of a page (0-based) known.

        Args:
            page: The page.
            found: Its pieces.
            view: Leads from page space to the points in which the places of blocks are given.
                Without it they tell nothing.
        """
        held = self.pages.setdefault(page, [])
        for piece, glyphs in as_read(found):
            held.append(Stretch.of(page, len(held), piece, glyphs, view))

    def find(self, known: Iterable[Target]) -> dict[str, Located]:
        """Find the glyphs of blocks, by their anchors, as far as they can be told.

        First those that begin where a line does: what only a form field shows would else be found
        among the words of another block, which then would not be found. Last those that share all
        their lines with the cell beside them.
        """
        found: dict[str, Located] = {}
        waiting = [each for each in known if each.text.strip()]
        for reach in Reach:
            for each in waiting:
                if each.anchor not in found:
                    held = self.locate(each.text, each.label, each.page, reach, each.place)
                    if held is not None:
                        found[each.anchor] = held
        return found

    def locate(
        self,
        text: str,
        label: str,
        page: int,
        reach: Reach | None = None,
        place: Sequence[Box] = (),
    ) -> Located | None:
        """Find the glyphs of a block that begins on a page; None when they cannot be told.

        What is found is taken: a block with the same words finds the next place. Without a `reach`
        all of them are tried.
        """
        if reach is None:
            tried = (self.locate(text, label, page, each, place) for each in Reach)
            return next((each for each in tried if each is not None), None)
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
        found = tied(text, chain, skip, place)
        if place and not found.is_whole:
            fuller = with_marks(found, chain, skip, self._loose(chain, place))
            found = tied(text, fuller, skip, place) if fuller else found
        return self._taken(found)

    def _marked(self, text: str, page: int, place: Sequence[Box]) -> Located | None:
        """Find the glyphs of a block without letters, which only its place tells."""
        if not place:
            return None
        found = marked(text, place, self.pages.get(page, ()), self.taken)
        return self._taken(found) if found is not None else None

    def _loose(self, chain: Sequence[Part], place: Sequence[Box]) -> list[Stretch]:
        """Give the pieces without letters that stand in the lines of a block, from the top."""
        found = [
            each
            for number in sorted({part.stretch.page for part in chain})
            for each in self.pages[number]
            if not each.text and each.is_near(place) and self.taken.isdisjoint(map(id, each.glyphs))
            if all(glyph.is_blank or each.is_of(glyph, place) for glyph in each.glyphs)
        ]
        return sorted(found, key=lambda each: (each.page, -round(each.piece.v, 1), each.piece.left))

    def _taken(self, found: Located) -> Located:
        self.taken.update(id(glyph) for row in found.rows for glyph in row.glyphs)
        return found


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
        """Find the parts of pieces that have some letters, in order."""
        self.steps = 0
        for part in self._starts(wanted):
            found = self._follow(wanted[part.end - part.start :], [part])
            if found is not None:
                return found
        return None

    def _near(self, page: int) -> list[Stretch]:
        """Give the pieces of a page that have letters and may have some of the block's."""
        if page not in self.near:
            held = self.pages.get(page, ())
            self.near[page] = [each for each in held if each.text and each.is_near(self.place)]
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
        return itertools.chain.from_iterable(each.owned(wanted, self.place) for each in here)

    def _follow(self, rest: str, held: list[Part]) -> list[Part] | None:
        if not rest:
            return held
        self.steps += 1
        if self.steps > MOST_STEPS:
            return None
        following = sorted(
            self._following(rest, held),
            key=lambda each: distance(held[-1].stretch, each.stretch),
        )
        for part in following[:6]:
            found = self._follow(rest[part.end - part.start :], [*held, part])
            if found is not None:
                return found
        return None

    def _following(self, rest: str, held: Sequence[Part]) -> Iterator[Part]:
        pages = range(held[0].stretch.page, held[-1].stretch.page + FURTHER + 1)
        near = itertools.chain.from_iterable(self._near(number) for number in pages)
        if self.reach is Reach.PLACE:
            used = {(id(part.stretch), part.start) for part in held}
            for each in near:
                for part in each.owned(rest, self.place):
                    if (id(part.stretch), part.start) not in used:
                        yield part
            return
        used = {id(part.stretch) for part in held}
        for each in near:
            if id(each) not in used:
                yield from followers(each, rest, self.place, by_cells=self.reach is Reach.CELLS)
