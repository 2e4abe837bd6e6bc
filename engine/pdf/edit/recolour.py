"""Letters in another colour: each is drawn where it stands, with the code that it has.

Setting a paragraph anew would draw its ligatures as letters and forget how its letters were
spaced: other words would come to stand in other lines, for a look that moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.engine.pdf.edit.erase_block import extent_of, padded
from redraft.engine.pdf.glyphs.edited_words import Change, old
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import start_of
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.resolved_edits import Look
from redraft.engine.pdf.typeset.page_edit import PageEdit, refuse_unless_editable
from redraft.engine.pdf.typeset.text_operators import Chunk, Spot


def is_colour(looks: Sequence[Look]) -> bool:
    """Whether all looks are colours, which need no other letters."""
    return bool(looks) and all(look.bold is None and look.italic is None for look in looks)


def recolour(
    page_edit: PageEdit,
    located: Located,
    rows: Sequence[Row],
    changes: Sequence[Change],
    looks: Sequence[Look],
) -> None:
    """Draws the letters of changes, which keep their words, in the colours of looks.

    Raises:
        RefusedError: the letters are drawn in a way that cannot be edited.
    """
    fills: dict[int, bytes] = {}
    for change in changes:
        for look in looks:
            if change.start < look.end and look.start < change.end:
                fill = look.fill.encode("ascii")
                glyphs = located.glyphs[change.start : change.end]
                fills.update({id(glyph): fill for glyph in glyphs if glyph is not None})
    for row in rows:
        for run in _runs(row, fills):
            _draw(page_edit, row, run, fills[id(run[0])])


def _runs(row: Row, fills: dict[int, bytes]) -> Iterator[list[Glyph]]:
    """Yields letters of one colour that follow each other, and the blanks among them."""
    run: list[Glyph] = []
    for glyph in row.glyphs:
        fill = fills.get(id(glyph))
        if run and fill is None and glyph.is_blank:
            fill = fills[id(run[0])]
        if run and (fill != fills[id(run[0])] or not _is_beside(run[-1], glyph)):
            yield _trimmed(run)
            run = []
        if fill is not None and (run or not glyph.is_blank):
            run.append(glyph)
    if run:
        yield _trimmed(run)


def _is_beside(one: Glyph, other: Glyph) -> bool:
    """Whether two glyphs are drawn by one stream, in the same marked content."""
    return (one.show.stream, one.show.tags) == (other.show.stream, other.show.tags)


def _trimmed(run: list[Glyph]) -> list[Glyph]:
    while run[-1].is_blank:
        run.pop()
    return run


def _draw(page_edit: PageEdit, row: Row, run: Sequence[Glyph], fill: bytes) -> None:
    inked = [glyph for glyph in run if not glyph.is_blank]
    refuse_unless_editable(page_edit, inked)
    frame = row.piece.frame
    spots: list[Spot] = []
    for glyph in run:
        atom = old(glyph)
        atom = replace(atom, voice=replace(atom.voice, fill=fill), glyph=None)
        spots.append(Spot(atom, frame, start_of(frame, glyph), frame.v(glyph.x, glyph.y)))
    page_edit.patch.delete(list(run))
    page_edit.patch.insert(Chunk(run[0], False, tuple(spots)))
    page_edit.declared.append(frame.upright(padded(extent_of(row, inked), row.piece.size)))
