"""Lines back into content streams: old codes become the room they took, new text stands beside.

What is taken out of a string is replaced by its advance, so that nothing else moves. New text is
written where the first removed glyph stood, inside the same text object and the same marked
content, and the text state is set back afterwards (ISO 32000-2, 9.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.errors import RefusedError
from engine.pdf.content.glyphs import Glyph, Ink, Show, Stream, TextState
from engine.pdf.content.lexer import Token
from engine.pdf.content.lines import Frame
from engine.pdf.content.matrices import Matrix, applied, inverse, product
from engine.pdf.content.words import Atom
from engine.pdf.layout import Box

_ESCAPES = {0x28: rb"\(", 0x29: rb"\)", 0x5C: rb"\\"}
_REGULAR = frozenset(range(0x21, 0x7F)) - frozenset(b"()<>[]{}/%#")


@dataclass(frozen=True, slots=True)
class Spot:
    """A character at a place: `u` and `v` of its origin in a frame."""

    atom: Atom
    frame: Frame
    u: float
    v: float


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """New text beside a glyph: before it, or after it."""

    anchor: Glyph
    is_after: bool
    spots: tuple[Spot, ...]


@dataclass(slots=True)
class Patch:
    """What changes in the streams of one page."""

    deleted: set[int] = field(default_factory=set[int])
    shows: dict[int, Show] = field(default_factory=dict[int, Show])
    chunks: list[Chunk] = field(default_factory=list[Chunk])
    redrawn: dict[tuple[int, int, int], bytes] = field(
        default_factory=dict[tuple[int, int, int], bytes]
    )

    def redraw(self, ink: Ink, box: Box | None) -> None:
        """Draw a box or line elsewhere in page space, or not at all.

        Raises:
            RefusedError: it is drawn under a matrix that turns it.
        """
        back = inverse(ink.ctm)
        if back is None or abs(back[1]) > 1e-9 or abs(back[2]) > 1e-9:
            raise RefusedError("The words have an underline drawn on its own that cannot be moved")
        new = b""
        if box is not None:
            x0, y0 = applied(back, box.x0, box.y0)
            x1, y1 = applied(back, box.x1, box.y1)
            if box.width < 1e-6 or box.height < 1e-6:
                ends = b" ".join((number(x0), number(y0), b"m", number(x1), number(y1), b"l"))
            else:
                sides = (x0, y0, x1 - x0, y1 - y0)
                ends = b" ".join((*(number(each) for each in sides), b"re"))
            new = ends + b" " + ink.paint.encode("ascii")
        self.redrawn[(ink.stream, ink.start, ink.end)] = new

    def delete(self, glyphs: Iterable[Glyph]) -> None:
        """Take glyphs out."""
        for glyph in glyphs:
            self.deleted.add(id(glyph))
            self.shows[id(glyph.show)] = glyph.show

    def insert(self, chunk: Chunk) -> None:
        """Put new text in."""
        self.chunks.append(chunk)
        self.shows[id(chunk.anchor.show)] = chunk.anchor.show

    def streams(self, held: Sequence[Stream]) -> dict[int, bytes]:
        """Give the new bytes of the streams that change, by their index."""
        changed: dict[int, list[tuple[int, int, bytes]]] = {}
        for show in self.shows.values():
            new = _Rewriter(self, show, held[show.stream]).written()
            place = (show.operator.start, show.operator.end, b" " + new)
            changed.setdefault(show.stream, []).append(place)
        for (stream, start, end), new in self.redrawn.items():
            changed.setdefault(stream, []).append((start, end, new))
        return {number: _spliced(held[number].data, found) for number, found in changed.items()}


def _spliced(data: bytes, places: list[tuple[int, int, bytes]]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for start, end, new in sorted(places):
        parts += [data[at:start], new]
        at = end
    return b"".join((*parts, data[at:]))


@dataclass(slots=True)
class _Rewriter:
    """Writes one operator anew."""

    patch: Patch
    show: Show
    stream: Stream
    parts: list[bytes] = field(default_factory=list[bytes])
    array: list[bytes] = field(default_factory=list[bytes])
    codes: bytes = b""
    kern: float = 0.0
    offset: float = 0.0

    def written(self) -> bytes:
        """Give the bytes that take the operator's place."""
        state = self.show.state
        self.em = state.size * state.scale
        if abs(self.em) < 1e-9:
            raise RefusedError("The text is drawn at size zero and cannot be edited")
        self.offset = self.show.before
        self._prefix()
        before = [c for c in self.patch.chunks if not c.is_after]
        after = [c for c in self.patch.chunks if c.is_after]
        glyphs: dict[int, list[Glyph]] = {}
        for glyph in self.show.glyphs:
            glyphs.setdefault(glyph.element, []).append(glyph)
        for element, token in enumerate(self._elements()):
            if token.kind == "number":
                self._add_kern(token.number)
                self.offset -= token.number / 1000 * self.em
            for glyph in glyphs.get(element, ()) if token.kind == "string" else ():
                self._chunks(chunk for chunk in before if chunk.anchor is glyph)
                self._glyph(glyph)
                self._chunks(chunk for chunk in after if chunk.anchor is glyph)
        self._close()
        return b" ".join(self.parts)

    em: float = 1.0

    def _elements(self) -> tuple[Token, ...]:
        last = self.show.operator.operands[-1]
        return last.items if last.kind == "array" else (last,)

    def _prefix(self) -> None:
        """Write out what the operators for the next line do besides showing a string."""
        operator = self.show.operator
        if operator.name == '"':
            word, char = operator.operands[-3], operator.operands[-2]
            self.parts += [word.data, b"Tw", char.data, b"Tc"]
        if operator.name in ("'", '"'):
            self.parts.append(b"T*")

    def _glyph(self, glyph: Glyph) -> None:
        if id(glyph) in self.patch.deleted:
            self._add_kern(-glyph.advance / self.em * 1000)
        else:
            self._flush_kern()
            self.codes += glyph.code
        self.offset += glyph.advance

    def _add_kern(self, amount: float) -> None:
        self._flush_codes()
        self.kern += amount

    def _flush_codes(self) -> None:
        if self.codes:
            self.array.append(written_string(self.codes))
            self.codes = b""

    def _flush_kern(self) -> None:
        if abs(self.kern) > 1e-6:
            self.array.append(number(self.kern))
        self.kern = 0.0

    def _close(self) -> None:
        self._flush_codes()
        self._flush_kern()
        if self.array:
            self.parts.append(b"[" + b" ".join(self.array) + b"] TJ")
            self.array = []

    def _chunks(self, chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            self._close()
            self.parts += _Chunker(self.show.state).written(chunk)
            self.parts += [matrix(self.show.line), b"Tm"]
            self.kern = -self.offset / self.em * 1000


@dataclass(slots=True)
class _Chunker:
    """Writes new text and sets the text state back."""

    home: TextState

    def written(self, chunk: Chunk) -> list[bytes]:
        """Give the operators."""
        home = self.home
        parts: list[bytes] = []
        for value, name in ((home.spacing, b"Tc"), (home.word_spacing, b"Tw"), (home.rise, b"Ts")):
            if value:
                parts += [b"0", name]
        now = (home.font_name, home.size, home.scale, home.mode, home.fill)
        for run in _runs(chunk.spots):
            want = _look(run[0].atom, home)
            parts += _changes(now, want)
            now = want
            parts += self._run(run)
        parts += _changes(now, (home.font_name, home.size, home.scale, home.mode, home.fill))
        for value, name in ((home.spacing, b"Tc"), (home.word_spacing, b"Tw"), (home.rise, b"Ts")):
            if value:
                parts += [number(value), name]
        return parts

    def _run(self, run: list[Spot]) -> list[bytes]:
        """Write characters of one look on one baseline."""
        first = run[0]
        voice = first.atom.voice
        like = voice.like
        back = inverse(self.home.ctm)
        if back is None:
            raise RefusedError("The text is drawn flat and cannot be edited")
        scale = like.show.state.scale
        a, b, c, d, _, _ = like.matrix
        x, y = first.frame.point(first.u, first.v)
        page = (a / scale, b / scale, c, d, x, y)
        items: list[bytes] = []
        codes = b""
        em = voice.unit
        for spot, following in zip(run, [*run[1:], None], strict=True):
            codes += spot.atom.char.code
            if following is None:
                break
            kern = (spot.atom.width - (following.u - spot.u)) / em * 1000
            if abs(kern) > 0.05:
                items += [written_string(codes), number(kern, 3)]
                codes = b""
        if codes:
            items.append(written_string(codes))
        return [matrix(product(page, back)), b"Tm", b"[" + b" ".join(items) + b"] TJ"]


_Look = tuple[str, float, float, int, bytes]


def _look(atom: Atom, home: TextState) -> _Look:
    """Give font, size, scale, mode and fill colour of a character; refuse what cannot be told."""
    state = atom.voice.like.show.state
    if state.looks != home.looks and set(state.looks) != set(home.looks):
        raise RefusedError("The text is drawn with several graphics settings and cannot be moved")
    fill = state.fill if atom.voice.fill is None else atom.voice.fill
    if not fill and home.fill:
        fill = b"0 g"
    scale = state.scale * atom.voice.squeeze
    return atom.voice.font_name, state.size, scale, state.mode, fill


def _changes(now: _Look, want: _Look) -> list[bytes]:
    parts: list[bytes] = []
    if now[:2] != want[:2]:
        parts += [b"/" + _name(want[0]), number(want[1]), b"Tf"]
    if now[2] != want[2]:
        parts += [number(want[2] * 100), b"Tz"]
    if now[3] != want[3]:
        parts += [str(want[3]).encode(), b"Tr"]
    if now[4] != want[4] and (want[4] or now[4]):
        parts.append(want[4] or b"0 g")
    return parts


def _runs(spots: Sequence[Spot]) -> list[list[Spot]]:
    """Split characters where look, matrix or baseline changes."""
    runs: list[list[Spot]] = []
    for spot in spots:
        if runs and _key(runs[-1][-1]) == _key(spot) and spot.u >= runs[-1][-1].u:
            runs[-1].append(spot)
        else:
            runs.append([spot])
    return runs


def _key(spot: Spot) -> tuple[object, ...]:
    voice = spot.atom.voice
    state = voice.like.show.state
    linear = tuple(round(value, 6) for value in voice.like.matrix[:4])
    fill = state.fill if voice.fill is None else voice.fill
    look = (voice.font_name, state.size, state.scale * voice.squeeze, state.mode, fill)
    return (*look, linear, round(spot.v, 4), spot.frame)


def _name(text: str) -> bytes:
    raw = text.encode("latin-1")
    return b"".join(bytes((c,)) if c in _REGULAR else b"#%02x" % c for c in raw)


def number(value: float, digits: int = 6) -> bytes:
    """Write a number without an exponent."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return (text if text not in ("-0", "") else "0").encode("ascii")


def matrix(value: Matrix) -> bytes:
    """Write six numbers."""
    return b" ".join(number(each) for each in value)


def written_string(codes: bytes) -> bytes:
    """Write a string: as characters where they are plain, else in hexadecimal."""
    if all(0x20 <= code < 0x7F for code in codes):
        return b"(" + b"".join(_ESCAPES.get(c, bytes((c,))) for c in codes) + b")"
    return b"<" + codes.hex().encode("ascii") + b">"
