"""Lines back into content streams: old codes become the room they took, new text stands beside.

What is taken out of a string is replaced by its advance, so that nothing else moves. New text is
written where the first removed glyph stood, inside the same text object and the same marked
content, and the text state is set back afterwards (ISO 32000-2, 9.4).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.edited_words import Atom
from redraft.engine.pdf.glyphs.glyphs import Glyph, Ink, Show, Stream
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream.lexer import Token
from redraft.engine.pdf.stream.matrices import IDENTITY, Matrix, applied, inverse
from redraft.engine.pdf.typeset.text_operators import (
    Chunk,
    Chunker,
    Spot,
    look_of,
    matrix,
    number,
    raised,
    written_string,
)

# In thousandths of the em, and in points: less is the error of counting.
_NEAR, _LEVEL = 0.005, 0.03


@dataclass(slots=True)
class Patch:
    """What changes in the streams of one page."""

    deleted: set[int] = field(default_factory=set[int])
    shows: dict[int, Show] = field(default_factory=dict[int, Show])
    chunks: list[Chunk] = field(default_factory=list[Chunk])
    redrawn: dict[tuple[int, int, int], bytes] = field(
        default_factory=dict[tuple[int, int, int], bytes]
    )
    moved: dict[int, float] = field(default_factory=dict[int, float])
    twins: Mapping[int, Sequence[Glyph]] = field(default_factory=dict[int, Sequence[Glyph]])
    carried: dict[tuple[int, int, int], tuple[Ink, float]] = field(
        default_factory=dict[tuple[int, int, int], tuple[Ink, float]]
    )

    def redraw(self, ink: Ink, boxes: Sequence[Box]) -> None:
        """Draws a box or line elsewhere in page space, in several places, or not at all.

        Raises:
            RefusedError: it is drawn under a matrix that turns it.
        """
        back = inverse(ink.ctm)
        if back is None or abs(back[1]) > 1e-9 or abs(back[2]) > 1e-9:
            raise RefusedError("The words have an underline drawn on its own that cannot be moved")
        parts: list[bytes] = []
        for box in boxes:
            x0, y0 = applied(back, box.x0, box.y0)
            x1, y1 = applied(back, box.x1, box.y1)
            if box.width < 1e-6 or box.height < 1e-6:
                parts += [number(x0), number(y0), b"m", number(x1), number(y1), b"l"]
            else:
                sides = (x0, y0, x1 - x0, y1 - y0)
                parts += [*(number(side) for side in sides), b"re"]
            parts.append(ink.paint.encode("ascii"))
        self.redrawn[(ink.stream, ink.start, ink.end)] = b" ".join(parts)

    def move(self, show: Show, up: float) -> None:
        """Shows strings higher on the page by so many points more."""
        self.moved[id(show)] = self.moved.get(id(show), 0.0) + up
        self.shows[id(show)] = show

    def carry(self, ink: Ink, up: float) -> None:
        """Draws something that is no text higher on the page by so many points more."""
        place = (ink.stream, ink.start, ink.end)
        self.carried[place] = (ink, self.carried.get(place, (ink, 0.0))[1] + up)

    def delete(self, glyphs: Iterable[Glyph]) -> None:
        """Takes glyphs out, and what is drawn over them."""
        for first in glyphs:
            for glyph in (first, *self.twins.get(id(first), ())):
                self.deleted.add(id(glyph))
                self.shows[id(glyph.show)] = glyph.show

    def insert(self, chunk: Chunk) -> None:
        """Puts new text in, and over it once more what stands for text that is drawn twice."""
        anchor = chunk.anchor
        for glyph in (anchor, *self.twins.get(id(anchor), ())):
            across, up = glyph.x - anchor.x, glyph.y - anchor.y
            spots = chunk.spots if glyph is anchor else self._over(chunk.spots, across, up)
            self.chunks.append(Chunk(glyph, chunk.is_after, spots))
            self.shows[id(glyph.show)] = glyph.show

    def _over(self, spots: Sequence[Spot], across: float, up: float) -> tuple[Spot, ...]:
        """Draws spots again, so many points aside, as the text is drawn that they are like."""
        moved: list[Spot] = []
        for spot in spots:
            like = spot.atom.voice.like
            twin = next(iter(self.twins.get(id(like), ())), like)
            x, y = spot.frame.point(spot.u, spot.v)
            u = spot.frame.u(x + across, y + up)
            atom = replace(spot.atom, voice=replace(spot.atom.voice, like=twin), glyph=None)
            moved.append(Spot(atom, spot.frame, u, spot.frame.v(x + across, y + up)))
        return tuple(moved)

    def streams(self, streams: Sequence[Stream]) -> dict[int, bytes]:
        """Returns the new bytes of the streams that change, by their index."""
        changed: dict[int, list[tuple[int, int, bytes]]] = {}
        for show in self.shows.values():
            new = _Rewriter(self, show, streams[show.stream]).written()
            place = (show.operator.start, show.operator.end, b" " + new)
            changed.setdefault(show.stream, []).append(place)
        for place, (ink, up) in self.carried.items():
            if place not in self.redrawn:
                x, y = shift_of(ink.ctm, up)
                there, back = (
                    b"1 0 0 1 %s %s cm" % (number(dx), number(dy)) for dx, dy in ((x, y), (-x, -y))
                )
                drawn = streams[ink.stream].data[ink.start : ink.end]
                new = b" ".join((b"", there, drawn, back, b""))
                changed.setdefault(ink.stream, []).append((ink.start, ink.end, new))
        for (stream, start, end), new in self.redrawn.items():
            changed.setdefault(stream, []).append((start, end, new))
        return {
            number: _spliced(streams[number].data, splices) for number, splices in changed.items()
        }


def shift_of(ctm: Matrix, up: float) -> tuple[float, float]:
    """Says in user space how far a shift upwards on the page is.

    Raises:
        RefusedError: the space is flat.
    """
    back = inverse(ctm)
    if back is None:
        raise RefusedError("Something below is drawn flat and cannot be moved")
    return up * back[2], up * back[3]


def _spliced(data: bytes, places: list[tuple[int, int, bytes]]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for start, end, new in sorted(places):
        parts += [data[at:start], new]
        at = end
    return b"".join((*parts, data[at:]))


@dataclass(slots=True)
class _Rewriter:
    """Writes one operator anew.

    `offset` is where the text position stood in the operator as it was, `place` where what is
    written so far leaves it; both are distances from the line matrix in text space.
    """

    patch: Patch
    show: Show
    stream: Stream
    parts: list[bytes] = field(default_factory=list[bytes])
    array: list[bytes] = field(default_factory=list[bytes])
    codes: bytes = b""
    place: float = 0.0
    offset: float = 0.0

    def written(self) -> bytes:
        """Returns the bytes that take the operator's place."""
        state = self.show.state
        self.em = state.size * state.scale
        if abs(self.em) < 1e-9:
            raise RefusedError("The text is drawn at size zero and cannot be edited")
        self.offset = self.place = self.show.before
        self._prefix()
        up = self.patch.moved.get(id(self.show), 0.0)
        self.line = self.show.line
        if up:
            a, b, c, d, e, f = self.show.line
            x, y = shift_of(state.ctm, up)
            self.line = (a, b, c, d, e + x, f + y)
            self._set_line()
        chunks: dict[tuple[int, bool], list[Chunk]] = {}
        for chunk in self.patch.chunks:
            chunks.setdefault((id(chunk.anchor), chunk.is_after), []).append(chunk)
        glyphs: dict[int, list[Glyph]] = {}
        for glyph in self.show.glyphs:
            glyphs.setdefault(glyph.element, []).append(glyph)
        for element, token in enumerate(self._elements()):
            if token.kind == "number":
                self.offset -= token.number / 1000 * self.em
            for glyph in glyphs.get(element, ()) if token.kind == "string" else ():
                self._chunks(chunks.get((id(glyph), False), ()))
                self._glyph(glyph)
                self._chunks(chunks.get((id(glyph), True), ()))
        self._close()
        if up:
            self.line = self.show.line
            self._set_line()
            self._close()
        return b" ".join(self.parts)

    em: float = 1.0
    line: Matrix = IDENTITY

    def _set_line(self) -> None:
        self.parts += [matrix(self.line), b"Tm"]
        self.place = 0.0

    def _elements(self) -> tuple[Token, ...]:
        last = self.show.operator.operands[-1]
        return last.items if last.kind == "array" else (last,)

    def _prefix(self) -> None:
        """Writes out what the operators for the next line do besides showing a string."""
        operator = self.show.operator
        if operator.name == '"':
            word, char = operator.operands[-3], operator.operands[-2]
            self.parts += [word.data, b"Tw", char.data, b"Tc"]
        if operator.name in ("'", '"'):
            self.parts.append(b"T*")

    def _glyph(self, glyph: Glyph) -> None:
        if id(glyph) not in self.patch.deleted:
            self._step(self.offset)
            self.codes += glyph.code
            self.place += glyph.advance
        self.offset += glyph.advance

    def _step(self, offset: float) -> None:
        """Brings the text position to an offset, by a number of the array where it is elsewhere."""
        amount = (self.place - offset) / self.em * 1000
        if abs(amount) > _NEAR:
            self._flush_codes()
            self.array.append(number(amount, 4))
            self.place = offset

    def _flush_codes(self) -> None:
        if self.codes:
            self.array.append(written_string(self.codes))
            self.codes = b""

    def _close(self) -> None:
        self._step(self.offset)
        self._flush_codes()
        if len(self.array) == 1 and self.array[0][:1] in (b"(", b"<"):
            self.parts.append(self.array[0] + b" Tj")
        elif self.array:
            self.parts.append(b"[" + b" ".join(self.array) + b"] TJ")
        self.array = []

    def _chunks(self, chunks: Iterable[Chunk]) -> None:
        up = self.patch.moved.get(id(self.show), 0.0)
        for part in chunks:
            chunk = raised(part, up) if up else part
            for is_inline, run in itertools.groupby(chunk.spots, key=self._is_inline):
                spots = tuple(run)
                if is_inline:
                    self._insert(spots)
                    continue
                self._close()
                self.parts += Chunker(self.show.state).written(replace(chunk, spots=spots))
                self._set_line()

    def _is_inline(self, spot: Spot) -> bool:
        """Whether a new character can stand in the array among the old ones.

        It looks like those and stands on their baseline; such text leaves the text matrix alone, so
        that what follows keeps its place to the last bit, and readers that round the widths that
        they add up go on rounding those.
        """
        home, first = self.show.state, self.show.glyphs[0]
        now = (home.font_name, home.size, home.scale, home.mode, home.fill)
        if self.line != self.show.line or look_of(spot.atom, home) != now or home.size <= 0:
            return False
        sides = zip(spot.atom.voice.like.matrix[:4], first.matrix[:4], strict=True)
        is_level = abs(spot.v - spot.frame.v(first.x, first.y)) <= _LEVEL
        return is_level and all(abs(a - b) <= 1e-6 * first.unit for a, b in sides)

    def _insert(self, spots: Iterable[Spot]) -> None:
        """Puts new characters into the array."""
        first, scale = self.show.glyphs[0], self.show.state.scale
        start = self.show.before + self._lead()
        for spot in spots:
            along = spot.u - spot.frame.u(first.x, first.y)
            self._step(start + along * scale / first.unit)
            self.codes += spot.atom.char.code
            self.place += self._advance(spot.atom)

    def _lead(self) -> float:
        """Returns how far the first glyph stands from where the operator began."""
        kerns = 0.0
        for token in self._elements()[: self.show.glyphs[0].element]:
            kerns -= token.number / 1000 * self.em if token.kind == "number" else 0.0
        return kerns

    def _advance(self, atom: Atom) -> float:
        state = self.show.state
        word = state.word_spacing if atom.char.code == b" " else 0.0
        return (atom.char.width * state.size + state.spacing + word) * state.scale
