"""The characters of a block and the glyphs that draw them, line by line.

Letters are tied already; the marks between them follow, those drawn between their glyphs in order.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Container, Sequence
from dataclasses import dataclass

from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.line_stretches import Part, Stretch
from redraft.engine.pdf.glyphs.lines import Piece, is_gap, letters
from redraft.engine.pdf.reading.layout import Box


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

    @property
    def is_whole(self) -> bool:
        """Whether every character has its glyph."""
        return not any(
            glyph is None and not char.isspace()
            for char, glyph in zip(self.text, self.glyphs, strict=True)
        )


def marked(
    text: str, place: Sequence[Box], here: Sequence[Stretch], taken: Container[int]
) -> Located | None:
    """Returns the glyph of each character of a block without letters.

    All marks that stand in its lines.

    Args:
        text: The block's text.
        place: Its lines.
        here: The pieces of its page.
        taken: The glyphs of other blocks, by identity.
    """
    rows: list[Row] = []
    for stretch in here:
        if not stretch.is_near(place):
            continue
        inked = (glyph for glyph in stretch.glyphs if not glyph.is_blank)
        own = [
            drawn_glyph
            for drawn_glyph in inked
            if id(drawn_glyph) not in taken and stretch.is_of(drawn_glyph, place)
        ]
        if own:
            _add_row(rows, stretch, own)
    drawn = [glyph for row in rows for glyph in row.glyphs]
    wanted = [at for at, char in enumerate(text) if not char.isspace()]
    if len(drawn) != len(wanted) or any(letters(glyph.text) for glyph in drawn):
        return None
    if not all(_same(glyph, text[at]) for glyph, at in zip(drawn, wanted, strict=True)):
        return None
    glyphs: list[Glyph | None] = [None] * len(text)
    for glyph, at in zip(drawn, wanted, strict=True):
        glyphs[at] = glyph
    return Located(text, tuple(glyphs), tuple(rows))


def tied(text: str, chain: Sequence[Part], skip: int, place: Sequence[Box]) -> Located:
    """Returns the glyph of each character.

    Args:
        text: A block's text.
        chain: What of the pieces has its letters, in order, and pieces of marks between them.
        skip: How many letters at the beginning of the chain are the label's.
        place: The lines of the block.
    """
    rows: list[Row] = []
    drawn: list[Glyph] = []
    owners: list[int] = []
    marks = _marks_before_letters(text)
    for number, part in enumerate(chain):
        at = len(owners) - skip
        is_bare = number > 0 and 0 < at < len(marks) and not marks[at]
        if part.end == 0:
            glyphs = part.stretch.glyphs
            drawn += glyphs
            _add_row(rows, part.stretch, glyphs)
            continue
        is_last = number == len(chain) - 1
        glyphs, letter_owners = _cut(part, place, is_last=is_last, is_bare=is_bare)
        owners += [len(drawn) + owner for owner in letter_owners]
        drawn += glyphs
        _add_row(rows, part.stretch, glyphs)
    places = _places(text, drawn, owners[skip:])
    first = min((at for at in places if at is not None), default=0)
    label = {id(glyph) for glyph in drawn[:first]}
    for row in rows:
        row.glyphs = [glyph for glyph in row.glyphs if id(glyph) not in label]
    glyphs_of = tuple(None if at is None else drawn[at] for at in places)
    return Located(text, glyphs_of, tuple(row for row in rows if row.glyphs))


def with_marks(
    located: Located, chain: Sequence[Part], skip: int, loose: Sequence[Stretch]
) -> list[Part] | None:
    """Puts pieces of marks between the parts where just their marks are missing.

    None if nowhere.
    """
    missing: dict[int, str] = {}
    count = skip
    for char, glyph in zip(located.text, located.glyphs, strict=True):
        count += len(letters(char))
        if glyph is None and not char.isspace():
            missing[count] = missing.get(count, "") + char
    waiting = list(loose)
    full: list[Part] = []
    count, is_fuller = 0, False
    for part in (*chain, None):
        taken = _run_of(waiting, missing.get(count, ""))
        full += [Part(stretch, 0, 0) for stretch in taken]
        is_fuller = is_fuller or bool(taken)
        if part is not None:
            full.append(part)
            count += part.end - part.start
    return full if is_fuller else None


def _run_of(waiting: list[Stretch], marks: str) -> list[Stretch]:
    """Takes the pieces that follow one another and have some marks, and those before them away."""
    for start in range(len(waiting) if marks else 0):
        drawn = ""
        for end in range(start, len(waiting)):
            drawn += unicodedata.normalize("NFKC", "".join(waiting[end].piece.text.split()))
            if drawn == unicodedata.normalize("NFKC", marks):
                taken = waiting[start : end + 1]
                del waiting[: end + 1]
                return taken
    return []


def _marks_before_letters(text: str) -> list[str]:
    """Returns for each letter of a text the marks between it and the letter before."""
    ordered: list[str] = []
    marks = ""
    for char in text:
        count = len(letters(char))
        if count:
            ordered += [marks, *[""] * (count - 1)]
            marks = ""
        elif not char.isspace():
            marks += char
    return ordered


def _cut(
    part: Part, place: Sequence[Box], *, is_last: bool, is_bare: bool
) -> tuple[list[Glyph], list[int]]:
    """Returns the glyphs of a part with marks and blanks beside its letters, and letters' owners.

    `is_bare`: no mark of the block is before its letters. One that is drawn there, apart from them,
    is another block's.
    """
    stretch = part.stretch
    low, high = 0, len(stretch.glyphs)
    if part.start > 0:
        low = stretch.owners[part.start - 1] + 1
    if part.end < len(stretch.text):
        high = stretch.owners[part.end]
    first, last = stretch.owners[part.start], stretch.owners[part.end - 1]
    if low or is_bare:
        low = _after_blank(stretch, low, first)
    if part.end < len(stretch.text) and (is_last or part.end in stretch.cuts):
        high = _before_blank(stretch, last + 1, high)
    glyphs = stretch.glyphs
    others = [
        at
        for at in (*range(low, first), *range(last + 1, high))
        if not (glyphs[at].is_blank or stretch.is_of(glyphs[at], place))
    ]
    low = max((at + 1 for at in others if at < first), default=low)
    high = min((at for at in others if at > last), default=high)
    return glyphs[low:high], [owner - low for owner in stretch.owners[part.start : part.end]]


def _after_blank(stretch: Stretch, low: int, high: int) -> int:
    """Leaves marks that are parted by a blank from the block's first letter to what is before."""
    while high > low and not _is_parted(stretch, high):
        high -= 1
    return high


def _before_blank(stretch: Stretch, low: int, high: int) -> int:
    while low < high and not (stretch.glyphs[low].is_blank or _is_parted(stretch, low)):
        low += 1
    return low


def _is_parted(stretch: Stretch, at: int) -> bool:
    """Whether a blank or an empty place is before a glyph."""
    before = stretch.glyphs[at - 1]
    return before.is_blank or is_gap(stretch.piece.frame, before, stretch.glyphs[at])


def _add_row(rows: list[Row], stretch: Stretch, glyphs: list[Glyph]) -> None:
    """Adds glyphs as a row, or to the row whose baseline they share."""
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
    """Returns for each character the index of its glyph among those drawn."""
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
    """Finds the marks between two letters: those drawn between the letters' glyphs, in order."""
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
        if match is None and len(marks) == len(wanted) and drawn[marks[at]].is_unknown:
            match = at
        if match is not None:
            places[index] = marks[match]
            at = match + 1 if len(drawn[marks[match]].text) == 1 else match


def _same(glyph: Glyph, char: str) -> bool:
    """Whether a glyph draws a mark; MuPDF reads the hyphen that some fonts have as a soft one."""
    if char in glyph.text or unicodedata.normalize("NFKC", char) in unicodedata.normalize(
        "NFKC", glyph.text
    ):
        return True
    kinds = [unicodedata.category(letter) for letter in (char, glyph.text[:1] or " ")]
    return kinds[1] == "Pd" and (kinds[0] == "Pd" or char == "\u00ad")
