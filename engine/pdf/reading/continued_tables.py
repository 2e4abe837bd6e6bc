"""Tables that a page break parts: the parts of one table are read as one.

[x] a header that the next page repeats  [x] a row that goes on on the next page
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.ruled_tables import Grid, GridCell

NEAR = 3.0
MOST_REPEATED = 3
_ENDS = (".", "!", "?", ":", ";")

Thing = TypeVar("Thing")


def with_continuations(items: Sequence[Thing | Grid]) -> list[Thing | Grid]:
    """Joins tables that follow one another directly, the next one on the next page."""
    joined: list[Thing | Grid] = []
    for item in items:
        last = joined[-1] if joined else None
        if isinstance(item, Grid) and isinstance(last, Grid) and _goes_on(last, item):
            joined[-1] = replace(last, parts=(*last.parts, _part(last, item)))
        else:
            joined.append(item)
    return joined


def _goes_on(before: Grid, after: Grid) -> bool:
    """Whether a table stands on the page after another and has its columns, but no new header."""
    if before.is_tagged or after.is_tagged:
        return False
    last = before.parts[-1] if before.parts else before
    if after.page != last.page + 1 or after.columns != before.columns:
        return False
    if after.columns < 2 or after.is_ruled != before.is_ruled:
        return False
    if _repeated(before, after):
        return True
    sides = zip(_sides(last), _sides(after), strict=True)
    if not all(_are_near(one, other, is_ruled=before.is_ruled) for one, other in sides):
        return False
    return not (_is_bold(before) and _is_bold(after))


def _are_near(one: tuple[float, float], other: tuple[float, float], *, is_ruled: bool) -> bool:
    """Whether two columns are the same; without rules a column is as wide as its words."""
    if is_ruled:
        return abs(one[0] - other[0]) <= NEAR and abs(one[1] - other[1]) <= NEAR
    return abs(one[0] - other[0]) <= NEAR or abs(one[1] - other[1]) <= NEAR


def _sides(grid: Grid) -> list[tuple[float, float]]:
    """Returns where each column begins and ends."""
    lefts = [float("inf")] * grid.columns
    rights = [0.0] * grid.columns
    for cell in grid.cells:
        end = cell.column + cell.column_span - 1
        lefts[cell.column] = min(lefts[cell.column], cell.box.x0)
        rights[end] = max(rights[end], cell.box.x1)
    return list(zip(lefts, rights, strict=True))


def _part(before: Grid, after: Grid) -> Grid:
    """Returns the next part of a table, with what its first rows are to the table."""
    repeated = _repeated(before, after) or _blank(after)
    last = before.parts[-1] if before.parts else before
    resumes = _resumes(_row(last, last.rows - 1), _row(after, repeated))
    return replace(after, repeated=repeated, resumes=resumes)


def _repeated(before: Grid, after: Grid) -> int:
    """Counts the rows at the top of a table that both parts have."""
    count = 0
    for number in range(min(MOST_REPEATED, before.rows, after.rows - 1)):
        words = list(_texts(after, number))
        if not any(words) or words != list(_texts(before, number)):
            break
        count += 1
    return count


def _blank(grid: Grid) -> int:
    """Counts the empty rows at the top: a header that all pages repeat is read as theirs."""
    rows = range(min(MOST_REPEATED, grid.rows - 1))
    return next((n for n in rows if any(_texts(grid, n))), len(rows))


def _row(grid: Grid, number: int) -> dict[int, GridCell]:
    """Returns the cells of a row by their columns."""
    return {c.column: c for c in grid.cells if c.row <= number < c.row + c.row_span}


def _texts(grid: Grid, number: int) -> Iterator[str]:
    for _, cell in sorted(_row(grid, number).items()):
        yield _text(cell)


def _text(cell: GridCell) -> str:
    return " ".join(" ".join(line.text.split()) for line in cell.lines)


def _resumes(before: dict[int, GridCell], after: dict[int, GridCell]) -> bool:
    """Whether a row goes on where the last one stopped.

    Its first cell is empty, or all its cells go on and one of them in the middle of a sentence.
    """
    if before.keys() != after.keys():
        return False
    first, *_ = sorted(after)
    pairs = [(before[column], cell) for column, cell in after.items() if cell.lines]
    if not pairs or any(not one.lines for one, _ in pairs):
        return False
    if not after[first].lines:
        return bool(before[first].lines)
    return not any(_would_fit(*pair) for pair in pairs) and any(_is_cut(*pair) for pair in pairs)


def _would_fit(before: GridCell, after: GridCell) -> bool:
    """Whether the first word of a cell had room at the end of the cell above."""
    last, first = before.lines[-1], after.lines[0]
    margin = min(line.box.x0 for line in before.lines) - before.box.x0
    text = first.text.strip()
    word = text.split(" ", maxsplit=1)[0]
    width = first.box.width * (len(word) + 1) / max(1, len(text))
    return last.box.x1 + width < before.box.x1 - margin


def _is_cut(before: GridCell, after: GridCell) -> bool:
    text = before.lines[-1].text.rstrip()
    return not text.endswith(_ENDS) and after.lines[0].text.lstrip()[:1].islower()


def _is_bold(grid: Grid) -> bool:
    """Whether all words of the first row are bold and those of another row are not."""
    first, *others = (_is_bold_row(grid, number) for number in range(grid.rows))
    return first and not all(others)


def _is_bold_row(grid: Grid, number: int) -> bool:
    lines = [line for cell in _row(grid, number).values() for line in cell.lines]
    return bool(lines) and all(line.has_all(Mark.BOLD) for line in lines)
