"""Edit the text of a located block: take out, put in, set anew the lines that change."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.attached_marks import Follower
from redraft.engine.pdf.edit.erase_block import extent_of, padded
from redraft.engine.pdf.edit.recolour import is_colour, recolour
from redraft.engine.pdf.edit.shift_column import tail
from redraft.engine.pdf.fonts import fallback
from redraft.engine.pdf.glyphs.edited_words import (
    CANNOT_FOLLOW,
    Change,
    Composer,
    Voice,
    Word,
    first_changed,
    is_right_to_left,
    old,
    squeezed,
    widened,
)
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import ASCENT, DESCENT
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.resolved_edits import Look
from redraft.engine.pdf.typeset.background import fresh_ground
from redraft.engine.pdf.typeset.block_parts import by_line, parts, placed, within
from redraft.engine.pdf.typeset.changes_by_look import cut_by_look
from redraft.engine.pdf.typeset.columns import (
    DROP,
    Alignment,
    Column,
    column,
    left_of,
    setting_of,
    sideways,
)
from redraft.engine.pdf.typeset.faces import note, styled, voiced
from redraft.engine.pdf.typeset.line_ends import split
from redraft.engine.pdf.typeset.measuring import offsets, width_of
from redraft.engine.pdf.typeset.page_edit import (
    PageEdit,
    Underline,
    refuse_unless_editable,
    underlines,
)
from redraft.engine.pdf.typeset.placed_lines import Line, Placed
from redraft.engine.pdf.typeset.text_operators import Chunk, Spot
from redraft.engine.pdf.typeset.typesetter import SLIGHT, SQUEEZES, NoRoomError, Typesetter


def rewrite(
    page_edits: Mapping[int, PageEdit],
    located: Located,
    changes: Sequence[Change],
    looks: Sequence[Look] = (),
    *,
    keeps_breaks: bool = False,
) -> None:
    """Carries out changes of a block's text, which must not overlap, on its pages.

    Looks change no text; a block gets either. `keeps_breaks`: its lines end as they did.

    Raises:
        RefusedError: it cannot be done without damage; says why. The pages are half edited then.
    """
    if is_right_to_left(located.text) or any(is_right_to_left(change.text) for change in changes):
        raise RefusedError("Text that is written from right to left cannot be edited in a PDF yet")
    is_code = "\n" in located.text
    for line, own, seen in reversed(list(by_line(located, changes, looks))):
        _rewrite(page_edits, line, own, seen, _How(is_code, keeps_breaks))


@dataclass(frozen=True, slots=True)
class _How:
    """How lines are set: those of code, and those that are to end as they did."""

    is_code: bool
    keeps_breaks: bool


def _rewrite(
    page_edits: Mapping[int, PageEdit],
    located: Located,
    changes: Sequence[Change],
    looks: Sequence[Look],
    how: _How,
) -> None:
    """Carries out changes of a block, or of one line of code."""
    cut = cut_by_look(located, changes)
    wanted = [widened(located, part) for part in placed(located.text, cut)]
    for part in looks:
        same = Change(part.start, part.end, located.text[part.start : part.end])
        wanted.append(widened(located, same))
    stretches = parts(located)
    # From the bottom up: what grows may move what is below, with what was changed there.
    for stretch in reversed(stretches):
        page_edit = page_edits[stretch[0].page]
        pieces = split(stretch, page_edit.around)
        for rows in reversed(pieces):
            ours = within(located, rows, wanted, is_first=rows[0] is located.rows[0])
            if ours and is_colour(looks):
                recolour(page_edit, located, rows, ours, looks)
            elif ours:
                is_last = rows[-1] is not stretch[-1] or stretch is stretches[-1]
                part = _Part(page_edit, located, rows, ours, is_last, how, looks)
                if len(rows) == 1 < len(pieces):
                    alignment = setting_of(stretch, page_edit.around).alignment
                    part.alignment = "left" if alignment == "justified" else alignment
                part.rewrite()


@dataclass(slots=True)
class _Part:
    """The rows of a block that follow each other in one column of one page.

    `alignment` is theirs where they do not show it themselves. `is_last`: the block does not go on
    behind them in another column or on another page, or they end on purpose.
    """

    page_edit: PageEdit
    located: Located
    rows: list[Row]
    changes: list[Change]
    is_last: bool
    how: _How
    looks: Sequence[Look] = ()
    alignment: Alignment | None = None
    words: list[Word] = field(default_factory=list[Word])
    anchor: tuple[Glyph, bool] | None = None
    lines: dict[int, list[Underline]] = field(default_factory=dict[int, list[Underline]])
    is_pushed: bool = False

    def rewrite(self) -> None:
        goes_on = not self.is_last
        composer = Composer(self.located, self.rows, self.changes, goes_on, self._looks())
        self.words = voiced(self.page_edit, composer.compose())
        mapped = composer.mapped
        if not self.words:
            lines = [Line(row, row.piece.v) for row in self.rows]
        else:
            lines = self._set(mapped)
        homes = {id(glyph): row for row in self.rows for glyph in row.glyphs}
        for line in lines:
            self._write(line, homes, mapped)
        for row in self.rows:
            placed = [(line, change) for line in lines for change in line.placed]
            lines_of = self.lines.get(id(row), [])
            Follower(self.page_edit, row, row.glyphs, placed, lines_of).follow()

    def _looks(self) -> dict[tuple[int, int], Callable[[Glyph], Voice]]:
        """Returns the voices of the changes that keep their characters."""
        voices: dict[tuple[int, int], Callable[[Glyph], Voice]] = {}
        for change in self.changes:
            for look in self.looks:
                if change.start < look.end and look.start < change.end:
                    text = self.located.text[look.start : look.end]
                    voice = partial(_in_look, self.page_edit, look=look, text=text)
                    voices[change.start, change.end] = voice
        return voices

    def _set(self, mapped: frozenset[int]) -> list[Line]:
        """Sets the lines; where there is no room, with narrower letters from the change on."""
        shape = column(self.rows, self.page_edit.around)
        alignment = "left" if self.how.is_code else self.alignment or shape.alignment
        shape = replace(shape, alignment=alignment)
        number = self.page_edit.number
        setter = Typesetter(self.words, self.rows, shape, mapped, number, self.is_last)
        setter.keeps_breaks = self.how.keeps_breaks
        refusal: NoRoomError | None = None
        lines: list[Line] = []
        try:
            lines = setter.set()
        except NoRoomError as error:
            if setter.keeps_breaks:
                raise
            refusal = error
        if len(self.rows) == 1 and len(lines) != 1:
            one = self._on_one_line(shape, mapped)
            if one:
                return one
        if refusal is None:
            self._warn(setter.narrowest, setter.widest)
            return lines
        nearer = replace(shape, floor=shape.depth)
        return (
            self._pushed(shape, mapped)
            or self._nearer(nearer, mapped)
            or self._squeezed(nearer, mapped, refusal)
        )

    def _nearer(self, shape: Column, mapped: frozenset[int]) -> list[Line]:
        """Sets the lines so that they come nearer to what follows, which cannot be moved.

        None where not even that gives room.
        """
        setter = Typesetter(
            self.words, self.rows, shape, mapped, self.page_edit.number, self.is_last
        )
        try:
            lines = setter.set()
        except NoRoomError:
            return []
        self._warn(setter.narrowest, setter.widest)
        return lines

    def _on_one_line(self, shape: Column, mapped: frozenset[int]) -> list[Line]:
        """Sets a single line so that it stays one: beyond its column, or hardly narrower.

        None where it cannot.
        """
        row, around = self.rows[0], self.page_edit.around
        ways = [(free, 1.0) for free in sideways(row, around, shape)]
        ways += [(shape, squeeze) for squeeze in SLIGHT]
        for free, squeeze in ways:
            words = [squeezed(word, squeeze) for word in self.words] if squeeze < 1 else self.words
            setter = Typesetter(words, self.rows, free, mapped, self.page_edit.number, self.is_last)
            try:
                lines = setter.set()
            except NoRoomError:
                continue
            if len(lines) == 1:
                self._warn(squeeze, 1.0)
                return lines
        return []

    def _squeezed(self, shape: Column, mapped: frozenset[int], refusal: NoRoomError) -> list[Line]:
        """Sets the lines with narrower letters from the change on.

        Raises:
            NoRoomError: `refusal`, where even that gives no room.
        """
        number = self.page_edit.number
        first = first_changed(self.words)
        for squeeze in SQUEEZES:
            words = [*self.words[:first], *(squeezed(word, squeeze) for word in self.words[first:])]
            setter = Typesetter(words, self.rows, shape, mapped, number, self.is_last)
            try:
                lines = setter.set()
            except NoRoomError:
                continue
            if squeeze * setter.narrowest >= SQUEEZES[-1]:
                self._warn(squeeze * setter.narrowest, 1.0)
                return lines
        raise refusal

    def _pushed(self, shape: Column, mapped: frozenset[int]) -> list[Line]:
        """Sets further lines where what follows is, and moves that down.

        None where it cannot be.
        """
        last = self.rows[-1].piece
        may_push = self.is_last and self.page_edit.may_push and not shape.is_running
        if not may_push or abs(last.frame.angle) > 0.01:
            return []
        band = (min(shape.left, *map(left_of, self.rows)), shape.right)
        try:
            below = tail(self.page_edit, last.v - DROP * last.size, band)
        except RefusedError:
            return []
        for count in range(1, int(below.room() / shape.leading) + 1):
            lower = replace(shape, floor=shape.floor - count * shape.leading)
            setter = Typesetter(
                self.words, self.rows, lower, mapped, self.page_edit.number, self.is_last
            )
            try:
                lines = setter.set()
            except NoRoomError:
                continue
            try:
                below.make_room(count * shape.leading)
            except RefusedError:
                return []
            self.is_pushed = True
            return lines
        return []

    def _warn(self, narrowest: float, widest: float) -> None:
        how = (
            (round(100 * (1 - narrowest)), "narrower to make room"),
            (round(100 * (widest - 1)), "wider so that no line gapes"),
        )
        for percent, what in how:
            if percent:
                text = f"The text on page {self.page_edit.number} was set {percent} % {what}"
                self.page_edit.warnings.append(text)

    def _write(self, line: Line, homes: Mapping[int, Row], mapped: frozenset[int]) -> None:
        row = line.row
        staying = {
            id(atom.glyph) for part in line.placed if not part.is_moved for atom in part.word.atoms
        }
        last = line.placed[-1] if line.placed else None
        if last is not None and last.word.hyphen is not None and line.has_hyphen:
            staying |= {id(last.word.hyphen.glyph)} if not last.is_moved else set()
        gone = _gone(row, staying, mapped) if row is not None else []
        if row is not None and gone:
            self._remove(row, gone)
        for group in _groups(line.placed):
            self._anchor_at(row, group, line.placed, gone)
            self._insert(line, group, homes)
        if last is not None and not last.is_moved:
            self.anchor = (_last_glyph(last), True)
        if not (self.is_pushed and line.row is None):  # what was there has moved
            frame, size = self.rows[0].piece.frame, self.rows[0].piece.size
            boxes = fresh_ground(line, frame, size, self.lines.get(id(line.row), ()))
            self.page_edit.fresh += [frame.upright(box) for box in boxes]

    def _remove(self, row: Row, gone: list[Glyph]) -> None:
        inked = [glyph for glyph in gone if not glyph.is_blank]
        refuse_unless_editable(self.page_edit, inked)
        self.page_edit.patch.delete(gone)
        if inked:
            frame = row.piece.frame
            extent = extent_of(row, inked)
            whole = extent_of(row, [glyph for glyph in row.glyphs if not glyph.is_blank])
            self.lines[id(row)] = underlines(self.page_edit, frame, extent, whole)
            self.page_edit.declared.append(frame.upright(padded(extent, row.piece.size)))

    def _anchor_at(
        self, row: Row | None, group: list[Placed], placed: list[Placed], gone: list[Glyph]
    ) -> None:
        """Chooses beside which glyph new text is written."""
        if row is None:
            return
        at = placed.index(group[0])
        low, high = -1, len(row.glyphs)
        if at:
            low = row.glyphs.index(_last_glyph(placed[at - 1]))
        end = at + len(group)
        if end < len(placed):
            high = row.glyphs.index(_first_glyph(placed[end]))
        removed = {id(glyph) for glyph in gone}
        free = row.glyphs[low + 1 : high]
        first = next((glyph for glyph in free if id(glyph) in removed), None)
        if first is not None:
            self.anchor = (first, False)
        elif low >= 0:
            self.anchor = (row.glyphs[max(low, high - 1)], True)
        elif row.glyphs:
            self.anchor = (row.glyphs[0], False)

    def _insert(self, line: Line, group: list[Placed], homes: Mapping[int, Row]) -> None:
        if self.anchor is None:
            raise RefusedError(CANNOT_FOLLOW)
        glyph, is_after = self.anchor
        frame = self.rows[0].piece.frame
        at = line.placed.index(group[0])
        spots = self._blank_before(line, line.placed[at - 1], group[0], glyph) if at else []
        is_last = group[-1] is line.placed[-1]
        for part, following in zip(group, [*group[1:], None], strict=True):
            for atom, offset in zip(part.word.atoms, offsets(part.word), strict=True):
                if atom.voice.like.show.stream != glyph.show.stream:
                    raise RefusedError(CANNOT_FOLLOW)
                rise = _rise(atom.voice.like, homes)
                spots.append(Spot(atom, frame, part.u + offset, line.v + rise))
            spots += self._blank(part, following, line.v, is_end=is_last and following is None)
        last = group[-1].word
        if last.hyphen is not None and is_last and line.has_hyphen:
            u = group[-1].u + width_of(last)
            spots.append(Spot(last.hyphen, frame, u, line.v))
        self.page_edit.patch.insert(Chunk(glyph, is_after, tuple(spots)))
        self._declare(line, spots, glyph)

    def _blank_before(self, line: Line, before: Placed, first: Placed, anchor: Glyph) -> list[Spot]:
        """Writes a space between a word that stays and a new one where none is."""
        last, row = _last_glyph(before), line.row
        following = row.glyphs[row.glyphs.index(last) + 1 :][:1] if row is not None else []
        if any(glyph.is_blank for glyph in following) or last.show.stream != anchor.show.stream:
            return []
        return self._blank(before, first, line.v, is_end=False)

    def _blank(
        self, word: Placed, following: Placed | None, v: float, *, is_end: bool
    ) -> list[Spot]:
        """Writes the space character after a word where the font has one."""
        if is_end or (following is not None and following.word.is_glued):
            return []
        voice = word.word.atoms[-1].voice
        space = voice.font.encode(" ")
        if space is None:
            return []
        if voice.font_name.startswith(fallback.PREFIX):
            note(self.page_edit, voice, space.code)
        u = word.u + width_of(word.word)
        frame = self.rows[0].piece.frame
        model = old(voice.like)
        blank = type(model)(" ", voice, space)
        return [Spot(blank, frame, u, v)]

    def _declare(self, line: Line, spots: list[Spot], anchor: Glyph) -> None:
        """Says where the page may look different; refuses what would be clipped away."""
        frame, size = self.rows[0].piece.frame, self.rows[0].piece.size
        spots = [spot for spot in spots if spot.atom.text.strip()] or spots
        left = min(spot.u for spot in spots)
        right = max(spot.u + spot.atom.width for spot in spots)
        low = min(spot.v - DESCENT * spot.atom.voice.like.size for spot in spots)
        high = max(spot.v + ASCENT * spot.atom.voice.like.size for spot in spots)
        extent = Box(left, low, right, high)
        self.page_edit.declared.append(frame.upright(padded(extent, size)))
        clip = anchor.show.state.clip
        ink = frame.upright(Box(left, line.v, right, line.v + 0.5 * size))
        if clip is not None and not (
            clip.x0 - 1 <= ink.x0
            and ink.x1 <= clip.x1 + 1
            and clip.y0 - 1 <= ink.y0
            and ink.y1 <= clip.y1 + 1
        ):
            message = f"The new text would be cut off by a frame on page {self.page_edit.number}"
            raise RefusedError(message)


def _in_look(page_edit: PageEdit, glyph: Glyph, *, look: Look, text: str) -> Voice:
    return styled(page_edit, glyph, look, text)


def _gone(row: Row, staying: set[int], mapped: frozenset[int]) -> list[Glyph]:
    """Returns what leaves a row: glyphs that do not stay, blanks after them, hyphens of its end."""
    gone: list[Glyph] = []
    was_gone = False
    inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
    for glyph in row.glyphs:
        if glyph.is_blank:
            if was_gone:
                gone.append(glyph)
            continue
        was_gone = id(glyph) not in staying
        if was_gone and id(glyph) not in mapped and glyph is not inked[-1]:
            raise RefusedError(CANNOT_FOLLOW)
        if was_gone:
            gone.append(glyph)
    return gone


def _groups(placed: Sequence[Placed]) -> list[list[Placed]]:
    """Returns the runs of neighbouring words that are written anew."""
    runs = itertools.groupby(placed, key=lambda part: part.is_moved)
    return [list(run) for is_moved, run in runs if is_moved]


def _first_glyph(placed: Placed) -> Glyph:
    glyph = placed.word.atoms[0].glyph
    if glyph is None:
        raise RefusedError(CANNOT_FOLLOW)
    return glyph


def _last_glyph(placed: Placed) -> Glyph:
    glyph = placed.word.atoms[-1].glyph
    if glyph is None:
        raise RefusedError(CANNOT_FOLLOW)
    return glyph


def _rise(glyph: Glyph, homes: Mapping[int, Row]) -> float:
    """Returns how far a glyph stands above the baseline of its old row."""
    row = homes.get(id(glyph))
    return row.piece.frame.v(glyph.x, glyph.y) - row.piece.v if row else 0.0
