"""Words onto lines: change as few lines as can be, reflow to the paragraph's end where it must.

A line whose words all stay is not touched. A line that changes keeps its break where that looks
right; else it is filled and what is left over goes to the next line, until a break falls where it
was before.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.edited_words import Word, squeezed
from redraft.engine.pdf.glyphs.lines import end_of, start_of
from redraft.engine.pdf.glyphs.mapping import Row
from redraft.engine.pdf.typeset import line_breaks
from redraft.engine.pdf.typeset.columns import DROP, TAB, Column, is_parted, left_of, right_of
from redraft.engine.pdf.typeset.line_breaks import GAPING, WIDEST, Option
from redraft.engine.pdf.typeset.measuring import old_start, tightest_blank, usual_blank, width_of
from redraft.engine.pdf.typeset.placed_lines import Line, Placed, too_long

SLIGHT: Final = (0.985, 0.97)
"""How much narrower letters are set, where nobody sees it, before a line is broken."""
SQUEEZES: Final = (0.97, 0.94, 0.91, 0.88, 0.85)
LOOSE: Final = 0.25
TOLERANCE: Final = 0.3
# What a line costs that is set anew, and one more line.
_CHANGED, _FURTHER = 5.0, 500.0


class NoRoomError(RefusedError):
    """There is no room for the new text; the message says how much is too much."""


@dataclass(slots=True)
class Typesetter:
    """Sets the words of one paragraph into its rows; `page` counts from 1, for messages.

    `keeps_breaks`: every line ends behind the words with which it ended, narrower if it must be.
    """

    words: Sequence[Word]
    rows: Sequence[Row]
    column: Column
    mapped: frozenset[int]
    page: int
    is_last_part: bool = True
    keeps_breaks: bool = False
    narrowest: float = 1.0
    widest: float = 1.0
    _widths: list[float] = field(default_factory=list[float], init=False)
    _lefts: dict[int, float] = field(default_factory=dict[int, float], init=False)
    _owns: dict[int, list[int]] = field(default_factory=dict[int, list[int]], init=False)

    def set(self) -> list[Line]:
        """Returns the lines; `words`, `narrowest` and `widest` then say what was set otherwise.

        Raises:
            NoRoomError: there is no room.
        """
        self._widths = [width_of(word) for word in self.words]
        if self.keeps_breaks:
            return self._kept()
        chosen = line_breaks.best(self._options, len(self.words)) if self._is_prose() else []
        if chosen:
            return self._chosen(chosen)
        lines: list[Line] = []
        at = 0
        for number, row in enumerate(self.rows):
            line, at = self._row(number, row, at)
            lines.append(line)
        bottom = lines[-1].v
        size = self.rows[0].piece.size
        while at < len(self.words):
            bottom -= self.column.leading
            stop = self._filled(at, self.column.right - self.column.left)
            if bottom - DROP * size < self.column.floor - TOLERANCE:
                self._refuse(at)
            lines.append(self._line(None, bottom, self.column.left, at, stop))
            at = stop
        return lines

    def _kept(self) -> list[Line]:
        """Sets each row with the words that stood in it, as much narrower as they need to be.

        Raises:
            NoRoomError: a row has no words left, or would be set too narrow.
        """
        lines: list[Line] = []
        at = 0
        for number, row in enumerate(self.rows):
            stop = self._old_break(number, at)
            if stop is None or stop <= at:
                self._refuse(at)
            if self._intact(row, at) != stop:
                self._narrow(at, stop, self._room(row))
            line, at = self._row(number, row, at, stop)
            lines.append(line)
        return lines

    def _narrow(self, at: int, stop: int, room: float) -> None:
        """Makes words narrower until they fit on a line."""
        words = list(self.words)
        for squeeze in (1.0, *line_breaks.NARROWINGS, *SQUEEZES):
            narrow = [squeezed(word, squeeze) for word in words[at:stop]]
            self.words = [*words[:at], *narrow, *words[stop:]] if squeeze < 1 else words
            if self._width(at, stop) <= room + TOLERANCE:
                self.narrowest = min(self.narrowest, squeeze)
                return
        self._refuse(at)

    def _is_prose(self) -> bool:
        """Whether the paragraph is justified by the blanks between its words."""
        glued = sum(word.is_glued and before.hyphen is None
                    for before, word in itertools.pairwise(self.words))  # fmt: skip
        return self.column.alignment == "justified" and glued < 0.25 * len(self.words)

    def _options(self, number: int, at: int) -> Iterator[Option]:
        """Yields the lines that may be set at a place of the paragraph from a word on."""
        row = self.rows[number] if number < len(self.rows) else None
        intact = None if row is None else self._intact(row, at)
        if intact is not None:
            if intact > at:
                yield Option(intact, 0.0)
            return
        if row is None and not self._is_free(number):
            return
        usual, tightest, count = self._natural(), self._tightest(), len(self.words)
        left = self.column.left if row is None else self._left(row)
        room = self.column.right - left
        price = _CHANGED if row is not None else _FURTHER
        letters = blanks = 0.0
        for stop in range(at + 1, count + 1):
            word = self.words[stop - 1]
            letters += self._widths[stop - 1]
            blanks += stop > at + 1 and not word.is_glued
            is_end = stop == count and self.is_last_part
            hyphen = word.hyphen.width if word.hyphen and not is_end else 0.0
            width = letters + hyphen
            if is_end and width + blanks * usual <= room + TOLERANCE:
                yield Option(stop, price)
            elif blanks and width + tightest * blanks * usual <= room + TOLERANCE:
                yield from line_breaks.spread(stop, price, width, int(blanks), usual, room)
            elif width <= room + TOLERANCE and not blanks:
                yield Option(stop, price + line_breaks.cost_of(GAPING + 1))
            else:
                narrow = line_breaks.narrowing(width, int(blanks), usual, room, tightest)
                if narrow is not None:
                    yield Option(stop, price + narrow[1], narrow[0])
                return

    def _is_free(self, number: int) -> bool:
        """Whether there is room for a further line, counted with the lines there are."""
        further = number - len(self.rows) + 1
        bottom = self.rows[-1].piece.v - further * self.column.leading
        return bottom - DROP * self.rows[0].piece.size >= self.column.floor - TOLERANCE

    def _chosen(self, options: Sequence[Option]) -> list[Line]:
        """Sets the lines that were chosen, and clear what is left of the old ones."""
        words, at = list(self.words), 0
        for option in options:
            if option.squeeze != 1:
                narrow = [squeezed(word, option.squeeze) for word in words[at : option.stop]]
                words[at : option.stop] = narrow
            self.narrowest = min(self.narrowest, option.squeeze)
            self.widest = max(self.widest, option.squeeze)
            at = option.stop
        self.words = words
        lines: list[Line] = []
        at = 0
        for number, option in enumerate(options):
            if number < len(self.rows):
                row = self.rows[number]
                lines.append(self._row(number, row, at, option.stop)[0])
            else:
                v = self.rows[-1].piece.v - (number - len(self.rows) + 1) * self.column.leading
                lines.append(self._line(None, v, self.column.left, at, option.stop))
            at = option.stop
        return [*lines, *(Line(row, row.piece.v) for row in self.rows[len(options) :])]

    def _row(self, number: int, row: Row, at: int, chosen: int | None = None) -> tuple[Line, int]:
        """Sets a row anew from a word on; it ends where that was chosen, or else looks right."""
        start = self._left(row)
        intact = self._intact(row, at)
        if intact is not None:
            placed = [
                Placed(word, old_start(word), is_moved=False) for word in self.words[at:intact]
            ]
            return Line(row, row.piece.v, placed, has_hyphen=True), intact
        if at >= len(self.words):
            return Line(row, row.piece.v), at
        if chosen is not None:
            return self._line(row, row.piece.v, start, at, chosen), chosen
        stop = self._old_break(number, at)
        room = self._room(row)
        if stop is None or not self._is_fitting(row, at, stop, room):
            stop = self._filled(at, room, row)
        return self._line(row, row.piece.v, start, at, stop), stop

    def _intact(self, row: Row, at: int) -> int | None:
        """Returns the index after a row's words where all of them stand in it as before."""
        stop = at
        glyphs: list[int] = []
        own = self._own(row)
        if own and (at >= len(self.words) or id(self.words[at].atoms[0].glyph) != own[0]):
            return None
        while stop < len(self.words) and self.words[stop].row is row:
            glyphs += [id(atom.glyph) for atom in self.words[stop].atoms]
            stop += 1
        ends_paragraph = stop == len(self.words) and self.is_last_part
        hyphen = self.words[stop - 1].hyphen if stop > at else None
        hyphen_stays = hyphen is None or not ends_paragraph
        # What is added at the end of a paragraph goes on behind its last words.
        goes_on = row is self.rows[-1] and self.is_last_part and stop < len(self.words)
        return stop if glyphs == own and hyphen_stays and not goes_on else None

    def _own(self, row: Row) -> list[int]:
        """Returns the glyphs of a row that words are made of, by identity."""
        own = self._owns.get(id(row))
        if own is None:
            inked = (id(glyph) for glyph in row.glyphs if not glyph.is_blank)
            own = self._owns[id(row)] = [
                inked_glyph for inked_glyph in inked if inked_glyph in self.mapped
            ]
        return own

    def _left(self, row: Row) -> float:
        """Returns where a row begins."""
        left = self._lefts.get(id(row))
        if left is None:
            left = self._lefts[id(row)] = left_of(row)
        return left

    def _old_break(self, number: int, at: int) -> int | None:
        """Returns the index of the word with which the next row began, if it still is a word."""
        for row in self.rows[number + 1 : number + 2]:
            for index in range(at + 1, len(self.words)):
                if self.words[index].row is row:
                    return index
            return None
        return len(self.words)

    def _room(self, row: Row) -> float:
        """Returns how wide the line that replaces a row may be."""
        if self.column.alignment == "right":
            return (self.column.flush or right_of(row)) - self.column.reach
        if self.column.alignment == "centre":
            middle = (left_of(row) + right_of(row)) / 2
            return 2 * min(middle - self.column.reach, self.column.right - middle)
        return self.column.right - left_of(row)

    def _is_fitting(self, row: Row, at: int, stop: int, room: float) -> bool:
        """Whether words fill a line neither too much nor too little."""
        gaps, width = self._gaps(at, stop), self._extent(row, at, stop)
        if self.column.alignment == "justified" and gaps:
            natural = self._natural()
            if stop < len(self.words):
                gap = natural + (room - width) / gaps
                return self._tightest() * natural <= gap <= WIDEST * natural
        if width > room + TOLERANCE:
            return False
        if stop >= len(self.words):
            return True
        following = width_of(self.words[stop]) + self._natural()
        return room - width < max(following, LOOSE * room)

    def _filled(self, at: int, room: float, row: Row | None = None) -> int:
        """Returns the index after as many words as fit on a line."""
        squeeze = 1 - self._tightest() if self.column.alignment == "justified" else 0.0
        stop = at + 1
        while stop < len(self.words):
            slack = squeeze * self._natural() * self._gaps(at, stop + 1)
            if self._extent(row, at, stop + 1) - slack > room + TOLERANCE:
                break
            stop += 1
        if width_of(self.words[at]) > room + TOLERANCE:
            self._refuse(at)
        return stop

    def _line(self, row: Row | None, v: float, start: float, at: int, stop: int) -> Line:
        """Places words [at, stop) on a line."""
        words = self.words[at:stop]
        width = self._width(at, stop)
        is_last = stop >= len(self.words) and self.is_last_part
        extra = 0.0
        gaps = self._gaps(at, stop)
        if self.column.alignment == "justified" and gaps:
            natural = self._natural()
            extra = (self.column.right - start - width) / gaps
            if natural + extra > GAPING * natural or (is_last and extra > 0):
                extra = 0.0
        elif self.column.alignment in ("right", "centre"):
            start = self._shifted(row, start, width)
        line = Line(row, v)
        for word, u in zip(words, self._starts(row, start, at, stop, extra), strict=True):
            is_moved = word.row is not row or row is None or u != old_start(word)
            line.placed.append(Placed(word, u, is_moved))
        if stop < len(self.words):
            line.has_hyphen = self.words[stop].is_glued
        else:
            line.has_hyphen = not self.is_last_part
        return line

    def _shifted(self, row: Row | None, start: float, width: float) -> float:
        """Keeps the right edge or the middle of a line where it was."""
        host = row or self.rows[-1]
        right, left = right_of(host), left_of(host)
        if self.column.alignment == "right":
            return (self.column.flush or right) - width
        return (left + right - width) / 2

    def _starts(
        self, row: Row | None, start: float, at: int, stop: int, extra: float = 0.0
    ) -> list[float]:
        """Returns where words [at, stop) begin on a line; `extra` is what each blank is wider.

        A word that stands after a wide gap keeps its place if what is before leaves room, or its
        right edge where that is what the lines around it share.
        """
        starts: list[float] = []
        u, least, tab = start, start, None
        for index in range(at, stop):
            word = self.words[index]
            if index > at:
                gap = self._gap(index)
                least = u + (0.0 if word.is_glued else self._natural())
                u += gap + (0.0 if word.is_glued else extra)
                stands = self._tab_of(row, index)
                if stands is not None:
                    tab = len(starts), least
                    u = max(stands, least)
            if row is not None and word.row is row and abs(u - old_start(word)) <= 0.005:
                u = old_start(word)
            starts.append(u)
            u += width_of(word)
        if tab is not None:
            first, least = tab
            flush = self.column.flush
            over = u - (self.column.right if flush is None else flush)
            if flush is not None or over > TOLERANCE:
                over = min(over, starts[first] - least)
                starts[first:] = [begin - over for begin in starts[first:]]
        return starts

    def _extent(self, row: Row | None, at: int, stop: int) -> float:
        """Returns how wide words are on a row, with the gaps before tab stops as they become."""
        if row is None or self.column.alignment != "left" or not is_parted(row):
            return self._width(at, stop)
        start, last = self._left(row), self.words[stop - 1]
        end = self._starts(row, start, at, stop)[-1] + width_of(last)
        return end - start + self._hyphen(stop)

    def _tab_of(self, row: Row | None, index: int) -> float | None:
        """Returns where a word stood after a wide gap; None where it did not."""
        word = self.words[index]
        kept = (atom.glyph for atom in word.atoms if atom.glyph is not None)
        first = next(kept, word.atoms[0].voice.like)
        if row is None or self.column.alignment == "justified" or first not in row.glyphs:
            return None
        inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
        at = inked.index(first) if first in inked else 0
        frame, size = row.piece.frame, row.piece.size
        if not at or start_of(frame, first) - end_of(frame, inked[at - 1]) <= TAB * size:
            return None
        return start_of(frame, first)

    def _gap(self, index: int) -> float:
        """Returns the blank before a word: as it was where both neighbours are the same."""
        word = self.words[index]
        if word.is_glued:
            return 0.0
        before = self.words[index - 1]
        first, last = word.atoms[0].glyph, before.atoms[-1].glyph
        row, natural = self._home(word), self._natural()
        if row is None or self._home(before) is not row or first is None or last is None:
            return natural
        if self.column.alignment == "justified" and not self.keeps_breaks:
            return natural
        inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
        if inked.index(first) != inked.index(last) + 1:
            return natural
        gap = start_of(row.piece.frame, first) - end_of(row.piece.frame, last)
        return gap if self.column.alignment != "justified" or gap > WIDEST * natural else natural

    def _home(self, word: Word) -> Row | None:
        """Returns the row in which a word stood.

        One that was made narrower only where lines stay.
        """
        if word.row is not None or not self.keeps_breaks:
            return word.row
        first = word.atoms[0].glyph
        return next((row for row in self.rows if first in row.glyphs), None)

    def _gaps(self, at: int, stop: int) -> int:
        return sum(not word.is_glued for word in self.words[at + 1 : stop])

    def _width(self, at: int, stop: int) -> float:
        width = sum(width_of(word) for word in self.words[at:stop])
        width += sum(self._gap(index) for index in range(at + 1, stop))
        return width + self._hyphen(stop)

    def _hyphen(self, stop: int) -> float:
        """Returns the width of the hyphen that a line has which ends before a word."""
        last = self.words[stop - 1]
        is_broken = stop < len(self.words) or not self.is_last_part
        return last.hyphen.width if last.hyphen and is_broken else 0.0

    def _natural(self) -> float:
        """Returns the usual blank between words: that of the paragraph, else the font's space."""
        if self._space is None:
            rows = self.rows[-1:] if self.column.alignment == "justified" else self.rows
            self._space = usual_blank(rows, self.rows[0].piece.size, self.words[0].atoms[0].voice)
        return self._space

    _space: float | None = None

    def _tightest(self) -> float:
        """Returns the narrowest blank as a part of the usual one."""
        if self._least is None:
            size = self.rows[0].piece.size
            self._least = tightest_blank(self.words, size, self._natural())
        return self._least

    _least: float | None = None

    def _refuse(self, at: int) -> NoReturn:
        """Says how much is too much."""
        left = sum(len(word.text) + 1 for word in self.words[at:])
        room = self._room(self.rows[0])
        is_too_wide = width_of(self.words[at]) > room + TOLERANCE
        if len(self.rows) == 1 and (is_too_wide or self.column.alignment in ("right", "centre")):
            message = f"Text does not fit its place on page {self.page} ({room:.0f} pt)"
            raise NoRoomError(message)
        room = max(self.column.right - self.column.left, 1.0)
        rest = sum(width_of(word) + self._natural() for word in self.words[at:])
        count = max(1, -int(-rest // room))
        raise NoRoomError(too_long(count, left, self.page))
