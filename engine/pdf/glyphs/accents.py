"""Accents that are drawn before their letters, as TeX does: in the order in which they are read.

Pieces of lines go from left to right, and an accent begins behind the left side of a wide letter;
above a capital it is so high that it is a piece by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import Frame, Piece, end_of, start_of

ACCENTS: Final = frozenset("`\u00b4\u02c6\u02dc\u00a8\u02d8\u02d9\u02da\u02c7\u00af\u02dd")
HIGHEST: Final = 0.5
"""How far, in ems, an accent is above the baseline of its letter at most."""

Key = tuple[int, int, int, int]


def as_read(lines: Sequence[Piece]) -> Iterator[tuple[Piece, list[Glyph]]]:
    """Yields pieces with their glyphs; a lone accent is with those of the piece it stands over."""
    if ACCENTS.isdisjoint({glyph.text for piece in lines for glyph in piece.glyphs}):
        for piece in lines:
            yield piece, piece.glyphs
        return
    lone = {id(piece) for piece in lines if _is_lone(piece)}
    over = _letters_below(lines, lone) if lone else {}
    accents = {id(letter): accent for accent, letter in over.values()}
    for piece in lines:
        if id(piece) not in lone or id(piece.inked[0]) not in over:
            yield piece, _before(piece.frame, piece.glyphs, accents)


def _is_lone(piece: Piece) -> bool:
    inked = piece.inked
    return len(inked) == 1 and _is_accent(inked[0])


def _is_accent(glyph: Glyph) -> bool:
    return glyph.text in ACCENTS


def _before(frame: Frame, glyphs: Sequence[Glyph], accents: dict[int, Glyph]) -> list[Glyph]:
    """Puts accents before the letters that are drawn right after them."""
    ordered: list[Glyph] = []
    for glyph in glyphs:
        last = ordered[-1] if ordered else None
        is_late = last is not None and _is_accent(glyph) and _key(glyph) < _key(last)
        if id(glyph) in accents:
            ordered += (accents[id(glyph)], glyph)
        elif is_late and last is not None and _is_over(frame, glyph, last):
            ordered[-1:] = (glyph, last)
        else:
            ordered.append(glyph)
    return ordered


def _letters_below(lines: Sequence[Piece], lone: set[int]) -> dict[int, tuple[Glyph, Glyph]]:
    """Returns lone accents, by identity, with the letters over which they stand."""
    drawn = sorted(
        ((glyph, piece) for piece in lines for glyph in piece.inked),
        key=lambda entry: _key(entry[0]),
    )
    result: dict[int, tuple[Glyph, Glyph]] = {}
    for (accent, own), (letter, host) in itertools.pairwise(drawn):
        if id(own) not in lone or id(host) in lone or not letter.text.isalpha():
            continue
        frame = host.frame
        rise = frame.v(accent.x, accent.y) - frame.v(letter.x, letter.y)
        is_high = own.frame == frame and 0 <= rise < HIGHEST * host.size
        if is_high and _is_over(frame, accent, letter):
            result[id(accent)] = accent, letter
    return result


def _is_over(frame: Frame, accent: Glyph, letter: Glyph) -> bool:
    """Whether the middle of an accent is over a letter."""
    middle = (start_of(frame, accent) + end_of(frame, accent)) / 2
    return start_of(frame, letter) <= middle <= end_of(frame, letter)


def _key(glyph: Glyph) -> Key:
    """Returns a glyph's place in the order of drawing, within its stream."""
    show = glyph.show
    return show.stream, show.index, glyph.element, glyph.offset
