"""Glyphs that are drawn twice in one place, so that they look bold: of each, the first counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from redraft.engine.pdf.glyphs.glyphs import Glyph, Show

_NEAR = 0.08  # times the size of the letters


def twins_of(shows: Iterable[Show]) -> Mapping[int, tuple[Glyph, ...]]:
    """Returns the glyphs drawn over another one, by the identity of the first of them."""
    first: dict[tuple[str, int], list[Glyph]] = {}
    twins: dict[int, list[Glyph]] = {}
    for glyph in (glyph for show in shows for glyph in show.glyphs):
        if glyph.is_blank:
            continue
        height = round(glyph.y / 2)
        near = (
            other
            for level in (height, height - 1, height + 1)
            for other in first.get((glyph.text, level), ())
            if other.show is not glyph.show and _is_over(glyph, other)
        )
        twin = next(near, None)
        if twin is None:
            first.setdefault((glyph.text, height), []).append(glyph)
        else:
            twins.setdefault(id(twin), []).append(glyph)
    return {glyph: tuple(others) for glyph, others in twins.items()}


def _is_over(glyph: Glyph, other: Glyph) -> bool:
    near = _NEAR * other.size
    is_level = abs(glyph.x - other.x) < near and abs(glyph.y - other.y) < near
    return is_level and abs(glyph.size - other.size) < near
