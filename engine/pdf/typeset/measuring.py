"""How wide words are on the page, and where their characters stand in them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from statistics import median
from typing import Final

from redraft.engine.pdf.glyphs.edited_words import Voice, Word
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import WORD_GAP, end_of, frame_of, start_of
from redraft.engine.pdf.glyphs.mapping import Row
from redraft.engine.pdf.typeset.columns import TAB
from redraft.engine.pdf.typeset.line_breaks import TIGHTEST

KERN: Final = 0.12
"""How much closer or further off, in ems, a letter stands that belongs to the one before it."""

DEFAULT_SPACE: Final = 0.26
READABLE: Final = 0.17
"""The least gap, in ems, that any reader takes for a blank."""


def width_of(word: Word) -> float:
    """Returns a word's width; glyphs that stood beside each other keep their distance."""
    return offsets(word)[-1] + word.atoms[-1].width


def offsets(word: Word) -> Sequence[float]:
    """Returns where each character of a word begins, from the word's start, in points."""
    key = (len(word.atoms), word.is_whole)
    if word.measured is not None and word.measured[0] == key:
        return word.measured[1]
    distances = [0.0]
    for before, after in itertools.pairwise(word.atoms):
        step: float | None = None
        if before.glyph and after.glyph:
            frame = frame_of(before.glyph.angle)
            own = start_of(frame, after.glyph) - start_of(frame, before.glyph)
            if word.is_whole or _is_beside(before.glyph, after.glyph, own):
                step = own * before.voice.squeeze
        distances.append(distances[-1] + (before.pitch if step is None else step))
    word.measured = key, distances
    return distances


def _is_beside(before: Glyph, after: Glyph, step: float) -> bool:
    """Whether a glyph stood right behind another one, perhaps a little closer or further off."""
    gap = step - before.ink_width
    is_level = abs(before.y - after.y) < 1e-6 or abs(before.angle) > 1e-6
    return before.show is after.show and is_level and abs(gap) < KERN * before.size


def old_start(word: Word) -> float:
    """Returns where a word began that stood whole in a row."""
    glyph = word.atoms[0].glyph
    if glyph is None or word.row is None:
        return 0.0
    return start_of(word.row.piece.frame, glyph)


def usual_blank(rows: Sequence[Row], size: float, voice: Voice) -> float:
    """Returns the usual blank between the words of rows, else the space of a voice."""
    gaps: list[float] = []
    for row in rows:
        inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
        frame = row.piece.frame
        for before, after in itertools.pairwise(inked):
            gap = start_of(frame, after) - end_of(frame, before)
            if WORD_GAP * size < gap < TAB * size:
                gaps.append(gap)
    if gaps:
        return median(gaps)
    space = voice.font.encode(" ")
    return space.width * voice.unit if space else DEFAULT_SPACE * size


def tightest_blank(words: Sequence[Word], size: float, usual: float) -> float:
    """Returns the narrowest blank between words as a part of the usual one.

    Where a font has no blank of its own, it is read from the gap, which must be wide enough.
    """
    fonts = {id(font): font for font in (word.atoms[-1].voice.font for word in words)}
    if all(font.encode(" ") is not None for font in fonts.values()):
        return TIGHTEST
    return min(1.0, max(TIGHTEST, READABLE * size / usual))
