"""How wide words are on the page, and where their characters stand in them."""

from __future__ import annotations

import itertools
from typing import Final

from engine.pdf.content.glyphs import Glyph
from engine.pdf.content.lines import Frame, start_of
from engine.pdf.content.words import Word

KERN: Final = 0.12
"""How much closer or further off, in ems, a letter stands that belongs to the one before it."""


def width_of(word: Word) -> float:
    """Give a word's width; glyphs that stood beside each other keep their distance."""
    return offsets(word)[-1] + word.atoms[-1].width


def offsets(word: Word) -> list[float]:
    """Give where each character of a word begins, from the word's start, in points."""
    found = [0.0]
    for before, after in itertools.pairwise(word.atoms):
        step = before.pitch
        if before.glyph and after.glyph:
            frame = Frame(before.glyph.angle)
            own = start_of(frame, after.glyph) - start_of(frame, before.glyph)
            if word.is_whole or _is_beside(before.glyph, after.glyph, own):
                step = own * before.voice.squeeze
        found.append(found[-1] + step)
    return found


def _is_beside(before: Glyph, after: Glyph, step: float) -> bool:
    """Whether a glyph stood right behind another one, perhaps a little closer or further off."""
    gap = step - before.ink_width
    is_level = abs(before.y - after.y) < 1e-6 or abs(before.angle) > 1e-6
    return before.show is after.show and is_level and abs(gap) < KERN * before.size


def old_start(word: Word) -> float:
    """Give where a word began that stood whole in a row."""
    glyph = word.atoms[0].glyph
    if glyph is None or word.row is None:
        return 0.0
    return start_of(word.row.piece.frame, glyph)
