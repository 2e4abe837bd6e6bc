"""Close the gap that deleted blocks leave: what follows in the column moves up to their place."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.shift_column import tail
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.typeset.columns import RISE, column, left_of, right_of
from redraft.engine.pdf.typeset.page_edit import PageEdit

_LEAST: Final = 1.0


def close(page_edits: Mapping[int, PageEdit], gone: Sequence[Located]) -> None:
    """Moves up what follows blocks that were taken out, which stood below one another.

    Args:
        page_edits: the pages, with the blocks already taken out.
        gone: those blocks, in reading order.

    Raises:
        RefusedError: it cannot be done without damage; says why.
    """
    rows = [row for located in gone for row in located.rows]
    first, last = rows[0], rows[-1]
    page_edit = page_edits[first.page]
    if any(row.page != first.page or abs(row.piece.frame.angle) > 0.01 for row in rows):
        message = (
            f"Cannot close the gap on page {page_edit.number}: the text runs over pages, or is "
            "turned; delete it and leave the gap"
        )
        raise RefusedError(message)
    if any(above.piece.v < below.piece.v for above, below in itertools.pairwise(rows)):
        message = (
            f"Cannot close the gap on page {page_edit.number}: the text runs over columns; delete "
            "it and leave the gap"
        )
        raise RefusedError(message)
    shape = column(rows, page_edit.around)
    band = (min(shape.left, *map(left_of, rows)), max(shape.right, *map(right_of, rows)))
    column_below = tail(page_edit, last.piece.v - 0.05 * last.piece.size, band)
    up = _top(first) - column_below.highest
    if column_below.things and up > _LEAST:
        column_below.move(up)


def _top(row: Row) -> float:
    return row.piece.v + RISE * row.piece.size
