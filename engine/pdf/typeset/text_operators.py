"""Operators that write new text and sets the text state back afterwards (ISO 32000-2, 9.3, 9.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.edited_words import Atom
from redraft.engine.pdf.glyphs.glyphs import Glyph, TextState
from redraft.engine.pdf.glyphs.lines import Frame
from redraft.engine.pdf.stream.matrices import Matrix, inverse, product

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


def raised(chunk: Chunk, up: float) -> Chunk:
    """Puts new text so many points higher on the page."""
    spots: list[Spot] = []
    for spot in chunk.spots:
        x, y = spot.frame.point(spot.u, spot.v)
        u, v = spot.frame.u(x, y + up), spot.frame.v(x, y + up)
        spots.append(replace(spot, u=u, v=v))
    return replace(chunk, spots=tuple(spots))


@dataclass(slots=True)
class Chunker:
    """Writes new text and sets the text state back."""

    home: TextState

    def written(self, chunk: Chunk) -> list[bytes]:
        """Returns the operators."""
        home = self.home
        parts: list[bytes] = []
        for value, name in ((home.spacing, b"Tc"), (home.word_spacing, b"Tw"), (home.rise, b"Ts")):
            if value:
                parts += [b"0", name]
        now = (home.font_name, home.size, home.scale, home.mode, home.fill)
        for run in _runs(chunk.spots):
            want = look_of(run[0].atom, home)
            parts += _changes(now, want)
            now = want
            parts += self._run(run)
        parts += _changes(now, (home.font_name, home.size, home.scale, home.mode, home.fill))
        for value, name in ((home.spacing, b"Tc"), (home.word_spacing, b"Tw"), (home.rise, b"Ts")):
            if value:
                parts += [number(value), name]
        return parts

    def _run(self, run: list[Spot]) -> list[bytes]:
        """Writes characters of one look on one baseline."""
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


def look_of(atom: Atom, home: TextState) -> _Look:
    """Returns font, size, scale, mode and fill colour of a character.

    Refuses what cannot be told.
    """
    state = atom.voice.like.show.state
    if state.looks != home.looks and set(state.looks) != set(home.looks):
        raise RefusedError("The text is drawn with several graphics settings and cannot be moved")
    fill = state.fill if atom.voice.fill is None else atom.voice.fill
    if not fill and home.fill:
        fill = b"0 g"
    scale = state.scale * atom.voice.squeeze
    return atom.voice.font_name, state.size * atom.voice.scale, scale, state.mode, fill


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
    """Splits characters where look, matrix or baseline changes, and at wide gaps.

    Behind a gap the place is said anew: readers add up widths that they have rounded.
    """
    runs: list[list[Spot]] = []
    for spot in spots:
        if runs and _key(runs[-1][-1]) == _key(spot) and _is_behind(runs[-1][-1], spot):
            runs[-1].append(spot)
        else:
            runs.append([spot])
    return runs


def _is_behind(before: Spot, spot: Spot) -> bool:
    """Whether a character stands right behind another one, or a word's gap away."""
    return before.u <= spot.u <= before.u + before.atom.width + before.atom.voice.like.size


def _key(spot: Spot) -> tuple[object, ...]:
    voice = spot.atom.voice
    state = voice.like.show.state
    linear = tuple(round(value, 6) for value in voice.like.matrix[:4])
    fill = state.fill if voice.fill is None else voice.fill
    size = state.size * voice.scale
    look = (voice.font_name, size, state.scale * voice.squeeze, state.mode, fill)
    return (*look, linear, round(spot.v, 4), spot.frame)


def _name(text: str) -> bytes:
    raw = text.encode("latin-1")
    return b"".join(bytes((c,)) if c in _REGULAR else b"#%02x" % c for c in raw)


def number(value: float, digits: int = 6) -> bytes:
    """Writes a number without an exponent."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return (text if text not in ("-0", "") else "0").encode("ascii")


def matrix(value: Matrix) -> bytes:
    """Writes six numbers."""
    return b" ".join(number(entry) for entry in value)


def written_string(codes: bytes) -> bytes:
    """Writes a string: as characters where they are plain, else in hexadecimal."""
    if all(0x20 <= code < 0x7F for code in codes):
        return b"(" + b"".join(_ESCAPES.get(c, bytes((c,))) for c in codes) + b")"
    return b"<" + codes.hex().encode("ascii") + b">"
