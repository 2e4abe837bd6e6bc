"""Which lines of a block end on purpose: as those of an address do, or the last of a paragraph.

A line of a paragraph is broken where its next word no longer fits. A line into which the next word
would have fitted was ended by its author, and so was one after which a gap begins. The reader may
well give such lines as one block; set anew, they stay apart.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from statistics import median
from typing import Final

from redraft.engine.pdf.glyphs.lines import is_gap
from redraft.engine.pdf.glyphs.mapping import Row
from redraft.engine.pdf.typeset.columns import (
    BLANK,
    Setting,
    Surroundings,
    first_word_width,
    is_broken,
    setting_of,
)

SLACK: Final = 0.5
"""How much room is left over, in ems, where the next word would surely have fitted."""
FAR: Final = 3.0
"""The same where the next line goes on in the middle of a sentence."""
GAP: Final = 0.3
"""How much further down than the others, in ems, the first line of another paragraph stands."""
_ENDS: Final = re.compile(r"[.!?:;\u3002\uff01\uff1f][\"'\u2019\u201d)\]]*$")
_LEADER: Final = re.compile(r"(?:\. ?){3,}\S{0,8}$")
_NUMBER: Final = re.compile(r"[^\w\s]{0,3}\d[\d.,:/]*[^\w\s]{0,3}")
_ABBREVIATION: Final = re.compile(r"\b[A-Z][a-z]{0,2}\.$")


def split(rows: Sequence[Row], around: Surroundings) -> list[list[Row]]:
    """Splits rows behind those that end on purpose.

    Args:
        rows: Rows of one block that follow each other in one column.
        around: What else is on their page.
    """
    if len(rows) < 2:
        return [list(rows)]
    ends = {*_short(setting_of(rows, around)), *_before_gaps(rows)}
    starts = [0, *sorted(end + 1 for end in ends)]
    return [list(rows[start:stop]) for start, stop in itertools.pairwise([*starts, len(rows)])]


def _short(setting: Setting) -> list[int]:
    """Returns the rows into which the first word of the next one would have fitted."""
    rows, alignment = setting.rows, setting.alignment
    widths = [right - left for left, right in zip(setting.lefts, setting.rights, strict=True)]
    is_ragged_left = alignment in ("right", "centre")
    ends = widths if is_ragged_left else setting.rights
    apart = [_is_apart(above, below) for above, below in itertools.pairwise(rows)]
    # Lines that all begin anew show nothing of the column they were filled to.
    edge = max(ends) if is_ragged_left or not all(apart) else setting.edge
    short: list[int] = []
    for index, (above, below) in enumerate(itertools.pairwise(rows)):
        size = above.piece.size
        room = (min(edge, setting.limits[index]) if apart[index] else max(ends)) - ends[index]
        slack = SLACK if apart[index] else FAR
        wanted = (BLANK + slack) * size + first_word_width(below)
        is_listed = _has_leader(above) or (_is_number(above) and _is_number(below))
        if is_listed or (wanted < room and not is_broken(above)):
            short.append(index)
    return short


def _is_apart(above: Row, below: Row) -> bool:
    """Whether a sentence ends or something of its own begins between two rows."""
    first = _text(below)[:1]
    return _ends_sentence(above) or first.isupper() or first.isdigit()


def _is_number(row: Row) -> bool:
    """Whether a row is one number, as in a column of a table."""
    return _NUMBER.fullmatch(_text(row)) is not None


def _has_leader(row: Row) -> bool:
    """Whether a row ends with dots that lead to what stands beside it, however few."""
    inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
    is_dot = len(inked) > 1 and inked[-1].text == "."
    return _LEADER.search(_text(row)) is not None or (
        is_dot and is_gap(row.piece.frame, inked[-2], inked[-1])
    )


def _before_gaps(rows: Sequence[Row]) -> list[int]:
    """Returns the rows that end a sentence before one further down than lines of a paragraph."""
    steps = [above.piece.v - below.piece.v for above, below in itertools.pairwise(rows)]
    if len(steps) < 2:
        return []
    usual = median(sorted(steps)[: (len(steps) + 1) // 2])
    return [
        index
        for index, step in enumerate(steps)
        if step - usual > GAP * rows[index].piece.size and _ends_sentence(rows[index])
    ]


def _ends_sentence(row: Row) -> bool:
    text = _text(row)
    return _ENDS.search(text) is not None and _ABBREVIATION.search(text) is None


def _text(row: Row) -> str:
    return "".join(glyph.text for glyph in row.glyphs).strip()
