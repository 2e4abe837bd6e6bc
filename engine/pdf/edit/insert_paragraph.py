"""New paragraphs in the white space below a block, in its font, size and column."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.erase_block import padded
from redraft.engine.pdf.edit.shift_column import tail
from redraft.engine.pdf.fonts.fallback import PREFIX
from redraft.engine.pdf.fonts.fonts import Char
from redraft.engine.pdf.glyphs.edited_words import CANNOT_FOLLOW, Atom, Voice, Word, voice_of
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import ASCENT, DESCENT, Piece, start_of
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.resolved_edits import Insertion
from redraft.engine.pdf.typeset.columns import DROP, RISE, Column, column, left_of, right_of
from redraft.engine.pdf.typeset.faces import note, voiced
from redraft.engine.pdf.typeset.measuring import DEFAULT_SPACE, offsets, width_of
from redraft.engine.pdf.typeset.page_edit import PageEdit, refuse_unless_editable
from redraft.engine.pdf.typeset.text_operators import Chunk, Spot

PARAGRAPH_GAP: Final = 1.5
AIR, APART = 0.5, 2.1
"""Ems that are left above the line below; baselines so far apart are those of two paragraphs."""
WIDEST_GAP: Final = 2.6
GAPING: Final = 1.5
"""A blank of a justified line is wider by so many blanks at most."""
MARGIN: Final = 36.0


def insert(page_edits: Mapping[int, PageEdit], located: Located, insertion: Insertion) -> None:
    """Sets new paragraphs below a block.

    Raises:
        RefusedError: there is no room below it, or its text cannot be followed.
    """
    last = located.rows[-1]
    rows = [row for row in located.rows if row.page == last.page and _in_column(row, last)]
    page_edit = page_edits[last.page]
    inked = [glyph for glyph in last.glyphs if not glyph.is_blank]
    refuse_unless_editable(page_edit, inked)
    _Inserter(page_edit, rows, inked, insertion).insert()


def _in_column(row: Row, last: Row) -> bool:
    overlaps = left_of(row) < right_of(last) and left_of(last) < right_of(row)
    return row.piece.frame == last.piece.frame and row.piece.v >= last.piece.v and overlaps


@dataclass(slots=True)
class _Inserter:
    """Sets paragraphs below rows; `inked` are the visible glyphs of the last one."""

    page_edit: PageEdit
    rows: Sequence[Row]
    inked: list[Glyph]
    insertion: Insertion
    is_pushed: bool = False

    def insert(self) -> None:
        shape = column(self.rows, self.page_edit.around)
        voice = self._voice()
        label = self._label() if self.insertion.is_bullet else []
        lines = [
            (number == 0, words, number < len(broken) - 1)
            for text in self.insertion.text.split("\n")
            for broken in (self._broken(text, voice, shape),)
            for number, words in enumerate(broken)
        ]
        size, v = self.rows[0].piece.size, self.rows[-1].piece.v
        gap = self._gap(shape)
        levels: list[float] = []
        for is_first, _, _ in lines:
            v -= gap if is_first else shape.leading
            levels.append(v)
        floor = self._floor(shape, gap)
        depth = floor - v + DROP * size
        if depth > 0 and not self._make_room(shape, depth, self.rows[-1].piece.v - v):
            free = max(0.0, self.rows[-1].piece.v - DROP * size - floor)
            needed = self.rows[-1].piece.v - v
            message = (
                f"No room for the new paragraph on page {self.page_edit.number} (needs "
                f"{needed:.0f} pt, {free:.0f} pt free); shorten it, or add the words to an "
                "existing paragraph"
            )
            raise RefusedError(message)
        spots: list[Spot] = []
        for (is_first, words, goes_on), level in zip(lines, levels, strict=True):
            start = left_of(self.rows[0]) if is_first and label else shape.left
            spots += self._labelled(label, level) if is_first else []
            is_spread = goes_on and shape.alignment == "justified"
            room = shape.right - start if is_spread else 0.0
            spots += self._spots(words, start, level, self._stretch(words, room))
        self.page_edit.patch.insert(Chunk(self.inked[-1], True, tuple(spots)))
        self._declare(spots)

    def _make_room(self, shape: Column, least: float, whole: float) -> bool:
        """Moves down what follows in the column, if there is room for it; says whether there was.

        By the `whole` height of what is new, so that the distances stay; else by the `least`.
        """
        last = self.rows[-1].piece
        if abs(last.frame.angle) > 0.01 or not self.page_edit.may_push:
            return False
        band = (min(shape.left, *map(left_of, self.rows)), shape.right)
        try:
            below = tail(self.page_edit, last.v - DROP * last.size, band)
            room = below.room()
            if not below.things or room < least:
                return False
            wanted = whole if self.insertion.is_bullet else max(whole, least)
            below.make_room(wanted if wanted <= room else least)
        except RefusedError:
            return False
        self.is_pushed = True
        return True

    def _voice(self) -> Voice:
        """Speaks as most letters of the last row do; dots that lead somewhere are none."""
        letters = [glyph for glyph in self.inked if glyph.text[:1].isalnum()]
        faces = Counter(self._face(glyph) for glyph in letters or self.inked)
        face = faces.most_common(1)[0][0]
        return voice_of(next(glyph for glyph in self.inked if self._face(glyph) == face))

    @staticmethod
    def _face(glyph: Glyph) -> tuple[int, str, float]:
        return glyph.show.stream, glyph.show.state.font_name, round(glyph.size, 1)

    def _label(self) -> list[Glyph]:
        """Finds the bullet of the block: a mark or two left of its first row."""
        row = self.rows[0]
        size, left = row.piece.size, left_of(row)
        own = {id(glyph) for glyph in row.glyphs}
        for piece in (row.piece, *self.page_edit.pieces):
            if abs(piece.v - row.piece.v) > 0.3 * size or piece.frame != row.piece.frame:
                continue
            label = [
                glyph
                for glyph in piece.inked
                if id(glyph) not in own and 0 < left - start_of(piece.frame, glyph) < 5 * size
            ]
            if 0 < len(label) < 3:
                return label
        message = "The bullet of the list is drawn, not written; insert a plain paragraph"
        raise RefusedError(message)

    def _labelled(self, label: Sequence[Glyph], level: float) -> list[Spot]:
        frame = self.rows[0].piece.frame
        spots: list[Spot] = []
        for glyph in label:
            if glyph.show.stream != self.inked[-1].show.stream:
                raise RefusedError(CANNOT_FOLLOW)
            atom = Atom(glyph.text, voice_of(glyph), Char(glyph.code, glyph.text, glyph.width))
            rise = frame.v(glyph.x, glyph.y) - self.rows[0].piece.v
            spots.append(Spot(atom, frame, start_of(frame, glyph), level + rise))
        return spots

    def _broken(self, text: str, voice: Voice, shape: Column) -> list[list[Word]]:
        """Breaks a paragraph into lines."""
        lines: list[list[Word]] = []
        room, at = shape.right - shape.left, 0.0
        plain = [
            Word([Atom(c, voice, voice.font.encode(c) or Char(b"", c, 0.0)) for c in written])
            for written in text.split()
        ]
        for word in voiced(self.page_edit, plain):
            width = width_of(word)
            if width > room:
                message = f'"{word.text}" is wider than its column on page {self.page_edit.number}'
                raise RefusedError(message)
            if not lines or at + self._space(voice) + width > room:
                lines.append([word])
                at = width
            else:
                lines[-1].append(word)
                at += self._space(voice) + width
        return lines

    def _space(self, voice: Voice) -> float:
        space = voice.font.encode(" ")
        return space.width * voice.unit if space else DEFAULT_SPACE * self.rows[0].piece.size

    def _stretch(self, words: Sequence[Word], room: float) -> float:
        """Returns what each blank is wider so that words fill a line; 0 where it would gape."""
        blank = self._space(words[0].atoms[0].voice)
        free = room - sum(width_of(word) for word in words) - blank * (len(words) - 1)
        stretch = free / max(1, len(words) - 1)
        return stretch if 0 < stretch < GAPING * blank else 0.0

    def _spots(
        self, words: Sequence[Word], start: float, level: float, stretch: float
    ) -> list[Spot]:
        frame = self.rows[0].piece.frame
        spots: list[Spot] = []
        u = start
        for word, following in itertools.zip_longest(words, words[1:]):
            for atom, offset in zip(word.atoms, offsets(word), strict=True):
                spots.append(Spot(atom, frame, u + offset, level))
            u += width_of(word)
            voice = word.atoms[-1].voice
            space = voice.font.encode(" ")
            if following is not None and space is not None:
                if voice.font_name.startswith(PREFIX):
                    note(self.page_edit, voice, space.code)
                spots.append(Spot(Atom(" ", voice, space), frame, u, level))
            u += self._space(voice) + stretch
        return spots

    def _others(self) -> list[Piece]:
        own = {id(row.piece) for row in self.rows}
        frame = self.rows[0].piece.frame
        return [
            piece
            for piece in self.page_edit.pieces
            if id(piece) not in own and abs(piece.frame.angle - frame.angle) < 0.01
        ]

    def _gap(self, shape: Column) -> float:
        """Returns the distance from one paragraph to the next, as it is above or below this one."""
        size = self.rows[0].piece.size
        gaps: list[float] = []
        for piece in self._others():
            if abs(piece.size - size) > 0.1 * size or piece.left > shape.right:
                continue
            if piece.right < shape.left:
                continue
            for distance in (
                piece.v - self.rows[0].piece.v,
                self.rows[-1].piece.v - piece.v,
            ):
                if 0.9 * shape.leading < distance < WIDEST_GAP * shape.leading:
                    gaps.append(distance)
        if self.insertion.is_bullet:
            return min(gaps, default=shape.leading)
        # Where nothing near says how far paragraphs are apart, they must not be read as one.
        return max(min(gaps, default=APART * size), PARAGRAPH_GAP * shape.leading)

    def _floor(self, shape: Column, gap: float) -> float:
        """Returns how far down new lines may reach: to what stands below, else to the margin."""
        last = self.rows[-1].piece
        frame, size = last.frame, last.size
        page = frame.turned(self.page_edit.around.page)
        pieces = [*self._others(), last]
        left = min(piece.left for piece in pieces) - page.x0
        top = page.y1 - max(piece.v + ASCENT * piece.size for piece in pieces)
        floor = page.y0 + max(MARGIN, min(left, top))
        for piece in self._others():
            if (
                piece.v < last.v - 0.3 * size
                and piece.left < shape.right
                and piece.right > shape.left
            ):
                is_alike = abs(piece.size - size) < 0.1 * size
                air = APART - RISE - DROP if is_alike and gap >= APART * size else AIR
                floor = max(floor, piece.v + RISE * piece.size + air * size)
        for ink in self.page_edit.model.inks:
            box = frame.turned(ink.box)
            if box.x0 < shape.right and box.x1 > shape.left:
                if box.y1 <= last.v:
                    floor = max(floor, box.y1 + 0.3 * size)
                elif box.y0 <= last.v:
                    floor = max(floor, box.y0 + 0.3 * size)
        return floor

    def _declare(self, spots: Sequence[Spot]) -> None:
        """Says where the page may look different, and that it must have been blank there."""
        frame, size = self.rows[0].piece.frame, self.rows[0].piece.size
        clip = self.inked[-1].show.state.clip
        for level in {spot.v for spot in spots}:
            on_level = [spot for spot in spots if spot.v == level]
            left = min(spot.u for spot in on_level)
            right = max(spot.u + spot.atom.width for spot in on_level)
            extent = Box(left, level - DESCENT * size, right, level + ASCENT * size)
            self.page_edit.declared.append(frame.upright(padded(extent, size)))
            ink = frame.upright(Box(left, level - 0.18 * size, right, level + 0.65 * size))
            if not self.is_pushed:
                self.page_edit.fresh.append(ink)
            if clip is not None and not (clip.x0 - 1 <= ink.x0 and ink.x1 <= clip.x1 + 1):
                message = (
                    f"The new text would be cut off by a frame on page {self.page_edit.number}"
                )
                raise RefusedError(message)
            if clip is not None and not (clip.y0 - 1 <= ink.y0 and ink.y1 <= clip.y1 + 1):
                message = (
                    f"The new text would be cut off by a frame on page {self.page_edit.number}"
                )
                raise RefusedError(message)
