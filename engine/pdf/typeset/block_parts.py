"""A block in its parts: lines of code, rows that follow each other, the changes of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.edited_words import Change, slid, trimmed
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.resolved_edits import Look
from redraft.engine.pdf.typeset.columns import left_of, right_of


def placed(text: str, changes: Sequence[Change]) -> list[Change]:
    """Trims changes and moves them to where words are whole, but none into the next one."""
    small = sorted((trimmed(text, change) for change in changes), key=lambda change: change.start)
    moved = [slid(text, change) for change in small]
    for number, following in enumerate(small[1:]):
        if moved[number].end >= following.start:
            moved[number] = small[number]
    return moved


def by_line(
    located: Located, changes: Sequence[Change], looks: Sequence[Look]
) -> Iterator[tuple[Located, list[Change], list[Look]]]:
    """Parts a block of code into its lines, which are not filled like those of a paragraph.

    Any other block is given as it is.

    Raises:
        RefusedError: a change takes or brings an end of a line.
    """
    if "\n" not in located.text:
        yield located, list(changes), list(looks)
        return
    if any("\n" in located.text[edit.start : edit.end] + edit.text for edit in changes):
        message = "Lines of code cannot be joined or parted in a PDF; change words within a line"
        raise RefusedError(message)
    start = 0
    for text in located.text.split("\n"):
        end = start + len(text)
        glyphs = located.glyphs[start:end]
        drawn = {id(glyph) for glyph in glyphs if glyph is not None}
        rows = tuple(row for row in located.rows if any(id(g) in drawn for g in row.glyphs))
        yield (
            Located(text, glyphs, rows),
            [
                Change(edit.start - start, edit.end - start, edit.text)
                for edit in changes
                if start <= edit.start and edit.end <= end
            ],
            [
                replace(edit, start=max(0, edit.start - start), end=min(end, edit.end) - start)
                for edit in looks
                if edit.start < end and start < edit.end
            ],
        )
        start = end + 1


def parts(located: Located) -> list[list[Row]]:
    """Splits the rows of a block where the next one is not below: another column, another page."""
    parts: list[list[Row]] = []
    ends = (0.0, 0.0)
    for row in located.rows:
        above, ends = ends, (left_of(row), right_of(row))
        overlaps = ends[0] < above[1] and above[0] < ends[1]
        if parts and overlaps and _is_below(parts[-1][-1], row):
            parts[-1].append(row)
        else:
            parts.append([row])
    return parts


def _is_below(above: Row, below: Row) -> bool:
    first, second = above.piece, below.piece
    if above.page != below.page or first.frame != second.frame:
        return False
    size = max(first.size, second.size)
    return 0.5 * size < first.v - second.v < 3 * size


def within(
    located: Located, rows: Sequence[Row], changes: Sequence[Change], *, is_first: bool
) -> list[Change]:
    """Cuts changes to the characters of some rows; new text goes where the change begins."""
    own = {id(glyph) for row in rows for glyph in row.glyphs}
    indexes = [n for n, glyph in enumerate(located.glyphs) if glyph and id(glyph) in own]
    if not indexes:
        return []
    low, high = min(indexes), max(indexes) + 1
    parts: list[Change] = []
    for change in changes:
        start, end = max(change.start, low), min(change.end, high)
        begins = low <= change.start < high or change.start == high == change.end
        begins = begins or (is_first and change.start < low)
        if start < end or (begins and change.text):
            start, end = min(start, high), max(end, min(start, high))
            parts.append(Change(start, end, change.text if begins else ""))
    return parts
