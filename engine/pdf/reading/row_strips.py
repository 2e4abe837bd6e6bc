"""What stands on the baselines of a page, parted where gaps are wide, and the rows this makes.

A row of a table without rules may be several baselines high: the words of a cell run on below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.layout import Box, Group, Line, Span, around

CELL_GAP = 0.8
LOOSE = 1.3
LONG_ENOUGH = 10
_NUMBER = re.compile(r"[\W\d_]*\d[\W\d_]*|[-\u2013\u2014]")


@dataclass(slots=True)
class Strip:
    """What stands on one baseline of a page, over all groups; each cell is a line of its own.

    Never changed; every line of a document is in one, and what is frozen takes longer to make.
    """

    box: Box
    cells: tuple[Line, ...]
    lines: tuple[Line, ...]


# The lines of each filled cell of a row by the number of its column.
Row = dict[int, list[Line]]


def strips(groups: Sequence[Group]) -> list[Strip]:
    """Collects the lines of groups by baseline, from top to bottom."""
    lines = sorted(
        (line for group in groups for line in group.lines if line.is_level),
        key=lambda line: line.box.y0 + line.box.y1,
    )
    by_height: list[list[Line]] = []
    for line in lines:
        middle = (line.box.y0 + line.box.y1) / 2
        last = by_height[-1][-1].box if by_height else None
        if last is not None and abs((last.y0 + last.y1) / 2 - middle) < 0.25 * line.size:
            by_height[-1].append(line)
        else:
            by_height.append([line])
    return [_strip(strip_lines) for strip_lines in by_height]


def _strip(lines: list[Line]) -> Strip:
    if len(lines) == 1 and not lines[0].has_tab:
        return Strip(lines[0].box, (lines[0],), (lines[0],))
    cells = [cell for line in lines for cell in _cells(line)]
    ordered = tuple(sorted(cells, key=lambda cell: cell.box.x0))
    return Strip(around([cell.box for cell in ordered]), ordered, tuple(lines))


def _cells(line: Line) -> list[Line]:
    """Splits a line where a gap is wide."""
    if not line.has_tab:
        return [line]
    cells: list[list[Span]] = [[]]
    for span in line.spans:
        if span.text == "\t" and span.box.width > CELL_GAP * line.size:
            cells.append([])
        else:
            cells[-1].append(span)
    return [
        Line(around([span.box for span in spans]), tuple(spans), line.is_level)
        for spans in cells
        if any(span.text.strip() for span in spans)
    ]


def rows(listed: Sequence[Strip], columns: Sequence[tuple[float, float]]) -> list[Row]:
    """Joins the strips that are the lines of one row.

    Args:
        listed: The strips of a table from top to bottom.
        columns: Where each column begins and ends.
    """
    pitch = min((after.box.y1 - before.box.y1 for before, after in pairwise(listed)), default=0.0)
    made: list[Row] = []
    above: Row = {}
    for number, strip in enumerate(listed):
        here = {column_of(cell, columns): [cell] for cell in strip.cells}
        is_near = number > 0 and strip.box.y1 - listed[number - 1].box.y1 <= LOOSE * pitch
        if is_near and _continues(made[-1], above, here, columns):
            for column, cell_lines in here.items():
                made[-1].setdefault(column, []).extend(cell_lines)
        else:
            made.append({column: list(cell_lines) for column, cell_lines in here.items()})
        above = here
    return made


def column_of(cell: Line, columns: Sequence[tuple[float, float]]) -> int:
    """Returns the number of the column that a cell begins in."""
    return next(n for n, (x0, x1) in enumerate(columns) if x0 <= cell.box.x0 <= x1)


def _continues(row: Row, above: Row, here: Row, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a strip is the next line of a row.

    Args:
        row: The lines of the row so far.
        above: The last of its strips.
        here: The strip.
        columns: Where each column begins and ends.
    """
    if _is_bold(above) and not _is_bold(here):
        return False
    is_one_number = len(here) == 1
    low = 0
    has_words = False
    for column, (cell,) in here.items():
        if column not in above or _would_fit(above[column][0], cell, columns[column]):
            return False
        before, after = above[column][0].text.strip(), cell.text.strip()
        if not is_one_number and _NUMBER.fullmatch(before) and _NUMBER.fullmatch(after):
            return False
        low += after[:1].islower() and not row[column][0].text.lstrip()[:1].islower()
        has_words = has_words or " " in before or len(before) >= LONG_ENOUGH
    if 0 in here or len(here) == len(row) > 1:
        return low == len(here)
    return low > 0 or has_words or 2 * len(here) < len(columns)


def _is_bold(row: Row) -> bool:
    return all(line.has_all(Mark.BOLD) for cell in row.values() for line in cell)


def _would_fit(before: Line, line: Line, column: tuple[float, float]) -> bool:
    """Whether the first word of a line had room behind the line above, in the same cell."""
    text = line.text.strip()
    word = text.split(" ", maxsplit=1)[0]
    width = line.box.width * (len(word) + 1) / max(1, len(text))
    return width < (column[1] - column[0]) - before.box.width
