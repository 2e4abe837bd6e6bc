"""Which glyphs draw which characters of a block that the reader has found.

The reader takes its text from MuPDF, joins lines, undoes hyphens and leaves labels out; the glyph
model keeps what is drawn. Both agree on letters and digits, so those are laid side by side, piece
of line by piece of line, and what stands between them follows.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from engine.pdf.content.glyphs import Glyph
from engine.pdf.content.lines import Piece, end_of, is_gap, letters, start_of
from engine.pdf.content.targets import Target

MOST_STEPS: Final = 4000
FURTHER: Final = 2
"""On which page behind a line its block goes on at the latest."""
CELL_GAP: Final = 0.5
"""How far apart, in ems, two cells of a table stand at least; words may be so far apart too."""


class Reach(Enum):
    """How a block may share its lines with others: not at all, within one, or cell by cell."""

    LINES = auto()
    INSIDE = auto()
    CELLS = auto()


@dataclass(slots=True, eq=False)
class Row:
    """One line of a located block: its glyphs that belong to the block, from left to right.

    `page` is the page's 0-based index.
    """

    page: int
    piece: Piece
    glyphs: list[Glyph]


@dataclass(frozen=True, slots=True)
class Located:
    """A block's text with the glyph of each character; None for blanks and what was not found."""

    text: str
    glyphs: tuple[Glyph | None, ...]
    rows: tuple[Row, ...]


@dataclass(slots=True, eq=False)
class _Stretch:
    """The glyphs of a piece by letter, and which of them other blocks have taken.

    `cuts` are the letters behind a gap, with which a cell of a table may begin.
    """

    page: int
    rank: int
    piece: Piece
    text: str
    owners: list[int]
    taken: list[bool]
    cuts: list[int]

    @property
    def free(self) -> int:
        """The first letter behind those that the cell to the left has taken."""
        return next((at for at, is_taken in enumerate(self.taken) if not is_taken), 0)

    def parts(self, wanted: str, starts: Iterable[int]) -> Iterator[_Part]:
        """Give the parts with which a text may begin, from one of some letters to a gap."""
        for start in starts:
            if start >= len(self.text) or self.text[start] != wanted[0]:
                continue
            for end in reversed((*self.cuts, len(self.text))):
                own = self.text[start:end]
                if own and wanted.startswith(own) and not any(self.taken[start:end]):
                    yield _Part(self, start, end)
                    break


@dataclass(slots=True)
class Finder:
    """The pieces of some pages, of which located blocks take what is theirs."""

    pages: dict[int, list[_Stretch]] = field(default_factory=dict[int, list["_Stretch"]])
    steps: int = 0
    by_cells: bool = False

    def add(self, page: int, found: Sequence[Piece]) -> None:
        """Make the pieces of a page (0-based) known."""
        for piece in found:
            text = ""
            owners: list[int] = []
            for number, glyph in enumerate(piece.glyphs):
                drawn = letters(glyph.text)
                text += drawn
                owners += [number] * len(drawn)
            taken = [False] * len(text)
            held, cuts = self.pages.setdefault(page, []), list(_cuts(piece, owners))
            held.append(_Stretch(page, len(held), piece, text, owners, taken, cuts))

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
                    held = self.locate(each.text, each.label, each.page, reach)
                    if held is not None:
                        found[each.anchor] = held
        return found

    def locate(
        self, text: str, label: str, page: int, reach: Reach | None = None
    ) -> Located | None:
        """Find the glyphs of a block that begins on a page; None when they cannot be told.

        What is found is taken: a block with the same words finds the next place. Without a `reach`
        all of them are tried.
        """
        if reach is None:
            tried = (self.locate(text, label, page, each) for each in Reach)
            return next((each for each in tried if each is not None), None)
        wanted = letters(text)
        if not wanted:
            return None
        self.steps = 0
        lead = letters(label)
        here = [each for each in self.pages.get(page, ()) if each.text]
        chain = self._chain(lead + wanted, here, reach) if lead else None
        skip = len(lead) if chain else 0
        chain = chain or self._chain(wanted, here, reach)
        if chain is None:
            return None
        return _located(text, chain, skip)

    def _chain(self, wanted: str, here: list[_Stretch], reach: Reach) -> list[_Part] | None:
        for part in _STARTS[reach](wanted, here):
            self.by_cells = reach is Reach.CELLS
            found = self._follow(wanted[part.end - part.start :], [part])
            if found is not None:
                for each in found:
                    each.stretch.taken[each.start : each.end] = [True] * (each.end - each.start)
                return found
        return None

    def _follow(self, rest: str, held: list[_Part]) -> list[_Part] | None:
        if not rest:
            return held
        self.steps += 1
        if self.steps > MOST_STEPS:
            return None
        used = {id(part.stretch) for part in held}
        pages = range(held[0].stretch.page, held[-1].stretch.page + FURTHER + 1)
        following = [
            part
            for each in itertools.chain.from_iterable(self.pages.get(n, ()) for n in pages)
            if each.text and id(each) not in used
            for part in _followers(each, rest, by_cells=self.by_cells)
        ]
        following.sort(key=lambda each: _distance(held[-1].stretch, each.stretch))
        for part in following[:6]:
            found = self._follow(rest[part.end - part.start :], [*held, part])
            if found is not None:
                return found
        return None


@dataclass(frozen=True, slots=True)
class _Part:
    """Letters [start, end) of a stretch."""

    stretch: _Stretch
    start: int
    end: int


def _at_lines(wanted: str, here: Sequence[_Stretch]) -> Iterator[_Part]:
    """Where a block may begin: at a piece of which it has all letters."""
    whole = [each for each in here if len(each.text) <= len(wanted) and _begins(each, wanted)]
    for each in sorted(whole, key=lambda each: len(each.text) != len(wanted)):
        yield _Part(each, 0, len(each.text))


def _inside(wanted: str, here: Sequence[_Stretch]) -> Iterator[_Part]:
    """Where a block may be inside of a piece, or begin with the words after a label."""
    for each in here:
        at = each.text.find(wanted)
        while at >= 0:
            if not any(each.taken[at : at + len(wanted)]):
                yield _Part(each, at, at + len(wanted))
            at = each.text.find(wanted, at + 1)
    for each in here:
        for at in range(1, min(len(each.text), 12)):
            if wanted.startswith(each.text[at:]) and not any(each.taken[at:]):
                yield _Part(each, at, len(each.text))


def _at_cells(wanted: str, here: Sequence[_Stretch]) -> Iterator[_Part]:
    """Where a block may begin: at a piece or behind a gap in it, and end at a gap."""
    for each in here:
        yield from each.parts(wanted, (0, *each.cuts))


_STARTS: Final = {Reach.LINES: _at_lines, Reach.INSIDE: _inside, Reach.CELLS: _at_cells}


def _begins(stretch: _Stretch, wanted: str) -> bool:
    """Whether a block goes on with the whole piece, or ends within it."""
    length = min(len(stretch.text), len(wanted))
    return stretch.text[:length] == wanted[:length] and not any(stretch.taken[:length])


def _followers(stretch: _Stretch, wanted: str, *, by_cells: bool) -> Iterator[_Part]:
    """Give what a block may go on with: all that is left of a piece, else a part up to a gap."""
    start = stretch.free
    length = min(len(stretch.text) - start, len(wanted))
    end = start + length
    if stretch.text[start:end] == wanted[:length] and not any(stretch.taken[start:end]):
        yield _Part(stretch, start, end)
    elif by_cells and stretch.cuts:
        yield from stretch.parts(wanted, (start, *(cut for cut in stretch.cuts if cut > start)))


def _cuts(piece: Piece, owners: Sequence[int]) -> Iterator[int]:
    """Give the letters of a piece before which there is a gap as wide as between two cells."""
    for at, (before, after) in enumerate(itertools.pairwise(owners), start=1):
        if before != after:
            one, other = piece.glyphs[before], piece.glyphs[after]
            gap = start_of(piece.frame, other) - end_of(piece.frame, one)
            if gap > CELL_GAP * piece.size:
                yield at


def _distance(before: _Stretch, after: _Stretch) -> float:
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


def _located(text: str, chain: list[_Part], skip: int) -> Located:
    """Give each character its glyph; the first `skip` letters of the chain are the label's."""
    rows: list[Row] = []
    drawn: list[Glyph] = []
    owners: list[int] = []
    marks = _marks_before_letters(text)
    for number, part in enumerate(chain):
        at = len(owners) - skip
        is_bare = number > 0 and 0 < at < len(marks) and not marks[at]
        glyphs, letter_owners = _cut(part, is_last=number == len(chain) - 1, is_bare=is_bare)
        owners += [len(drawn) + each for each in letter_owners]
        drawn += glyphs
        _add_row(rows, part.stretch, glyphs)
    places = _places(text, drawn, owners[skip:])
    first = min((at for at in places if at is not None), default=0)
    label = {id(glyph) for glyph in drawn[:first]}
    for row in rows:
        row.glyphs = [glyph for glyph in row.glyphs if id(glyph) not in label]
    glyphs_of = tuple(None if at is None else drawn[at] for at in places)
    return Located(text, glyphs_of, tuple(row for row in rows if row.glyphs))


def _marks_before_letters(text: str) -> list[str]:
    """Give for each letter of a text the marks between it and the letter before."""
    found: list[str] = []
    marks = ""
    for char in text:
        count = len(letters(char))
        if count:
            found += [marks, *[""] * (count - 1)]
            marks = ""
        elif not char.isspace():
            marks += char
    return found


def _cut(part: _Part, *, is_last: bool, is_bare: bool) -> tuple[list[Glyph], list[int]]:
    """Give the glyphs of a part with marks and blanks beside its letters, and letters' owners.

    `is_bare`: no mark of the block is before its letters. One that is drawn there, apart from them,
    is another block's.
    """
    stretch = part.stretch
    low, high = 0, len(stretch.piece.glyphs)
    if part.start > 0:
        low = stretch.owners[part.start - 1] + 1
    if part.end < len(stretch.text):
        high = stretch.owners[part.end]
    owners = [each - low for each in stretch.owners[part.start : part.end]]
    if low or is_bare:
        low_kept = _after_blank(stretch.piece, low, stretch.owners[part.start])
        owners = [each - (low_kept - low) for each in owners]
        low = low_kept
    if part.end < len(stretch.text) and (is_last or part.end in stretch.cuts):
        high = _before_blank(stretch.piece, stretch.owners[part.end - 1] + 1, high)
    return stretch.piece.glyphs[low:high], owners


def _after_blank(piece: Piece, low: int, high: int) -> int:
    """Leave marks that are parted by a blank from the block's first letter to what is before."""
    while high > low and not _is_parted(piece, high):
        high -= 1
    return high


def _before_blank(piece: Piece, low: int, high: int) -> int:
    while low < high and not (piece.glyphs[low].is_blank or _is_parted(piece, low)):
        low += 1
    return low


def _is_parted(piece: Piece, at: int) -> bool:
    """Whether a blank or an empty place is before a glyph."""
    before = piece.glyphs[at - 1]
    return before.is_blank or is_gap(piece.frame, before, piece.glyphs[at])


def _add_row(rows: list[Row], stretch: _Stretch, glyphs: list[Glyph]) -> None:
    """Add glyphs as a row, or to the row whose baseline they share."""
    before = rows[-1] if rows else None
    if (
        before is not None
        and before.page == stretch.page
        and before.piece.frame == stretch.piece.frame
        and abs(before.piece.v - stretch.piece.v) < 0.2 * stretch.piece.size
        and stretch.piece.left >= before.piece.right - 0.1 * stretch.piece.size
    ):
        before.glyphs += glyphs
    else:
        rows.append(Row(stretch.page, stretch.piece, list(glyphs)))


def _places(text: str, drawn: list[Glyph], owners: list[int]) -> list[int | None]:
    """Give for each character the index of its glyph among those drawn."""
    places: list[int | None] = [None] * len(text)
    letter = 0
    for index, char in enumerate(text):
        count = len(letters(char))
        if count:
            places[index] = owners[letter]
            letter += count
    known = [index for index, place in enumerate(places) if place is not None]
    bounds = [-1, *known, len(text)]
    for left, right in itertools.pairwise(bounds):
        if right - left > 1:
            _fill(text, drawn, places, left, right)
    return places


def _fill(text: str, drawn: list[Glyph], places: list[int | None], left: int, right: int) -> None:
    """Find the marks between two letters: those drawn between the letters' glyphs, in order."""
    low = places[left] if left >= 0 else None
    high = places[right] if right < len(text) else None
    free = range((-1 if low is None else low) + 1, len(drawn) if high is None else high)
    marks = [at for at in free if not drawn[at].is_blank and not letters(drawn[at].text)]
    wanted = [index for index in range(left + 1, right) if not text[index].isspace()]
    if left < 0 and len(marks) > len(wanted):
        marks = marks[len(marks) - len(wanted) :]
    at = 0
    for index in wanted:
        match = next(
            (n for n in range(at, len(marks)) if _same(drawn[marks[n]], text[index])), None
        )
        if match is None and len(marks) == len(wanted):
            match = at
        if match is not None:
            places[index] = marks[match]
            at = match + 1 if len(drawn[marks[match]].text) == 1 else match


def _same(glyph: Glyph, char: str) -> bool:
    return char in unicodedata.normalize("NFKC", glyph.text) or (
        unicodedata.category(char) == "Pd" and unicodedata.category(glyph.text[:1] or " ") == "Pd"
    )
