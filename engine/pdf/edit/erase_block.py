"""Take a whole block out of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redraft.engine.pdf.edit.attached_marks import Follower
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import ASCENT, DESCENT, end_of, letters, start_of
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.typeset.columns import left_of
from redraft.engine.pdf.typeset.page_edit import PageEdit, refuse_unless_editable, underlines


def erase(page_edits: Mapping[int, PageEdit], located: Located, label: str) -> None:
    """Takes a whole block out, its bullet or number with it, and leaves the gap.

    Raises:
        RefusedError: it cannot be done without damage; says why.
    """
    for number, row in enumerate(located.rows):
        page_edit = page_edits[row.page]
        glyphs = list(row.glyphs)
        if number == 0:
            glyphs = [*_label_of(page_edit, row, label), *glyphs]
        inked = [glyph for glyph in glyphs if not glyph.is_blank]
        refuse_unless_editable(page_edit, inked)
        frame = row.piece.frame
        extent = extent_of(row, inked)
        lines = underlines(page_edit, frame, extent, extent)
        page_edit.patch.delete(glyphs)
        page_edit.declared.append(frame.upright(padded(extent, row.piece.size)))
        Follower(page_edit, row, glyphs, [], lines).follow()


def _label_of(page_edit: PageEdit, row: Row, label: str) -> list[Glyph]:
    """Finds the glyphs of a bullet or number before a block's first row."""
    glyphs = row.piece.glyphs
    if row.glyphs[0] not in glyphs:
        return []
    before = glyphs[: glyphs.index(row.glyphs[0])]
    if any(not glyph.is_blank for glyph in before):
        text = "".join(glyph.text for glyph in before)
        return before if letters(text) == letters(label) else []
    size = row.piece.size
    for piece in page_edit.pieces:
        is_level = abs(piece.v - row.piece.v) < 0.3 * size and piece.frame == row.piece.frame
        is_beside = 0 < left_of(row) - piece.right < 5 * size and len(piece.inked) < 8
        if is_level and is_beside and letters(piece.text) == letters(label):
            return piece.glyphs
    return []


def extent_of(row: Row, glyphs: Sequence[Glyph]) -> Box:
    """Returns the box around glyphs of a row, in turned coordinates, by their font sizes."""
    frame = row.piece.frame
    levels = [(frame.v(glyph.x, glyph.y), glyph.size) for glyph in glyphs]
    return Box(
        min(start_of(frame, glyph) for glyph in glyphs),
        min(v - DESCENT * size for v, size in levels),
        max(end_of(frame, glyph) for glyph in glyphs),
        max(v + ASCENT * size for v, size in levels),
    )


def padded(box: Box, size: float) -> Box:
    """Returns a box with room for slanted and accented letters."""
    return Box(box.x0 - 0.3 * size, box.y0 - 0.1 * size, box.x1 + 0.3 * size, box.y1 + 0.15 * size)
