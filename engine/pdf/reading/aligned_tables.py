"""Tables without rules: three rows or more whose cells stand under one another.

[x] text, number and mixed columns  [x] cells of several lines  [x] numbers set to the right
[-] cells merged over columns: such a row ends the table
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.layout import Box, Group, Line, Span, around
from redraft.engine.pdf.reading.paragraphs import label_of, runs_left
from redraft.engine.pdf.reading.reading_order import columns
from redraft.engine.pdf.reading.row_strips import Row, Strip, rows, strips
from redraft.engine.pdf.reading.ruled_tables import Grid, GridCell

FEWEST_ROWS = 3
ROW_GAP = 2.2
SHORT = 16
LONG, LONG_TERM = 44, 110
FULL = 0.6
FULL_UNDER_HEAD = 0.4
LEADERS = "....."
CLEAR = 1.0
ROWS_IF_NARROW = 5
ROWS_OF_TERMS = 5
LOWEST_PITCH = 0.6
ALIKE = 0.2


def find_aligned(groups: Sequence[Group], page: int) -> tuple[list[Grid], list[Group]]:
    """Finds tables without rules.

    Returns:
        The tables, and the groups without the lines that are now in tables.
    """
    grids: list[Grid] = []
    rest: list[Group] = []
    for column in columns(groups):
        taken: set[int] = set()
        for run in _runs(strips(column)):
            extents = run.extents()
            table_rows = rows(run.strips, extents)
            last = len(table_rows)
            while last and len(table_rows[last - 1]) < 2:
                last -= 1
            if _is_table(table_rows[:last], extents, is_torn=run.is_torn):
                grids.append(_grid(table_rows[:last], extents, page))
                inside = {id(x) for row in table_rows[:last] for cell in row.values() for x in cell}
                taken |= {
                    id(line)
                    for strip in run.strips
                    if id(strip.cells[0]) in inside
                    for line in strip.lines
                }
        rest += [remaining for group in column if (remaining := _without(group, taken)) is not None]
    return grids, rest


def is_box(grid: Grid) -> bool:
    """Whether the rules of a table stand around tables without rules, as on a printed sheet.

    In its cells more stands in columns than the rules part.
    """
    aligned = 0
    for cell in grid.cells:
        if sum(line.has_tab for line in cell.lines) >= FEWEST_ROWS:
            tables, _ = find_aligned([Group(cell.box, cell.lines)], grid.page)
            aligned += sum(not grid_cell.is_empty for table in tables for grid_cell in table.cells)
    return aligned > sum(not cell.is_empty for cell in grid.cells)


@dataclass(slots=True, eq=False)
class _Column:
    """Where the cells of a column begin and end, and the strips that have one."""

    x0: float
    x1: float
    strips: set[int]


@dataclass(slots=True)
class _Run:
    """Strips that may be one table, and the columns that their cells make.

    `is_torn`: a strip that is near has gaps too, but in other places; only a bold head makes such
    a run a table.
    """

    strips: list[Strip] = field(default_factory=list[Strip])
    columns: list[_Column] = field(default_factory=list[_Column])
    is_torn: bool = False

    def add(self, strip: Strip) -> bool:
        """Adds a strip if it is near and its cells stand in columns of their own."""
        if self.strips and not _is_next(self.strips[-1], strip):
            return False
        first = strip.cells[0]
        if len(strip.cells) < 2 and not (self.strips and self._holds(first)):
            return False
        over = self._over(strip)
        if over is None:
            return False
        number = len(self.strips)
        for cell, (first, *others) in zip(strip.cells, over, strict=True):
            first.x0 = min([cell.box.x0, first.x0, *(c.x0 for c in others)])
            first.x1 = max([cell.box.x1, first.x1, *(c.x1 for c in others)])
            first.strips.add(number)
            for column in others:
                first.strips |= column.strips
                self.columns.remove(column)
        self.strips.append(strip)
        return True

    def _over(self, strip: Strip) -> list[list[_Column]] | None:
        """Returns the columns that each cell stands in, a new one where it stands in none.

        None where two cells stand in one column, or one in columns that are not the same.
        """
        spanned: list[list[_Column]] = []
        taken: set[int] = set()
        for cell in strip.cells:
            x0, x1 = cell.box.x0, cell.box.x1
            over = [c for c in self.columns if x0 < c.x1 and c.x0 < x1]
            if not _are_apart(over) or not taken.isdisjoint(map(id, over)):
                return None
            taken.update(map(id, over))
            spanned.append(over)
        for cell, over in zip(strip.cells, spanned, strict=True):
            if not over:
                over.append(_Column(cell.box.x0, cell.box.x1, set()))
                insort(self.columns, over[0], key=lambda column: column.x0)
        return spanned

    def _holds(self, cell: Line) -> bool:
        """Whether a cell that stands alone is in a column, and does not reach into the next."""
        box, slack = cell.box, 0.5 * cell.size
        for number, column in enumerate(self.columns):
            after = self.columns[number + 1].x0 if number + 1 < len(self.columns) else column.x1
            if column.x0 - 2 <= box.x0 and box.x1 <= max(after - slack, column.x1):
                return box.x0 < column.x1
        return False

    def extents(self) -> list[tuple[float, float]]:
        """Returns where columns begin and end.

        A column that hardly any strip has is the head of the column beside it, which is set to the
        other side.
        """
        made: list[_Column] = []
        few = max(1, len(self.strips) // 5)
        for column in self.columns:
            last = made[-1] if made else None
            is_head = last is not None and min(len(last.strips), len(column.strips)) <= few
            if last is not None and is_head and _are_apart([last, column]):
                made[-1] = _Column(last.x0, column.x1, last.strips | column.strips)
            else:
                made.append(column)
        return [(column.x0, column.x1) for column in made]


def _is_next(before: Strip, after: Strip) -> bool:
    """Whether a strip stands below another, neither far from it nor half beside it."""
    size = after.cells[0].size
    if abs(before.cells[0].size - size) > ALIKE * size:
        return False
    is_near = after.box.y0 - before.box.y1 < ROW_GAP * size
    return is_near and after.box.y1 - before.box.y1 > LOWEST_PITCH * size


def _are_apart(columns_over: Sequence[_Column]) -> bool:
    """Whether no strip has a cell in more than one of some columns."""
    return len(columns_over) < 2 or len(set[int]().union(*(c.strips for c in columns_over))) == sum(
        len(c.strips) for c in columns_over
    )


def _runs(listed: list[Strip]) -> list[_Run]:
    """Returns the runs of strips that follow one another closely, most of several cells each."""
    runs: list[_Run] = []
    run = _Run()
    for strip in listed:
        if not run.strips and len(strip.cells) < 2:
            run.is_torn = False  # prose: no table begins with it
            continue
        if run.add(strip):
            continue
        is_torn = _is_torn(run.strips, strip)
        run.is_torn = run.is_torn or is_torn
        runs.append(run)
        run = _Run(is_torn=is_torn)
        run.add(strip)
    runs.append(run)
    return [run_found for run_found in runs if len(run_found.strips) >= FEWEST_ROWS]


def _is_torn(strips_before: Sequence[Strip], strip: Strip) -> bool:
    """Whether the strip below a run has gaps too, and only stands otherwise."""
    if len(strips_before) < 2 or len(strip.cells) < 2 or len(strips_before[-1].cells) < 2:
        return False
    return _is_next(strips_before[-1], strip)


def _is_table(
    table_rows: Sequence[Row], extents: Sequence[tuple[float, float]], *, is_torn: bool
) -> bool:
    """Whether cells are neither prose nor labels of a list."""
    if len(extents) < 2 or len(table_rows) < FEWEST_ROWS:
        return False
    if any(LEADERS in line.text for row in table_rows for cell in row.values() for line in cell):
        return False
    has_head = _has_head(table_rows, extents)
    if (is_torn and not has_head) or not _is_full(table_rows, extents, has_head=has_head):
        return False
    by_column = [[row[n] for row in table_rows if n in row] for n in range(len(extents))]
    if all(_is_label(cell[0]) for cell in by_column[0]) or not all(by_column):
        return False
    if all(_is_label(cell[0]) for cell in by_column[-1]) and runs_left(by_column[0][0][0]):
        return False
    if len(extents) > 2 and not has_head and not any(map(_has_numbers, by_column)):
        return False
    widths = [
        median(_breadth(line) for cell in column_cells for line in cell)
        for column_cells in by_column
    ]
    sparse = [
        w
        for w, column_cells in zip(widths, by_column, strict=True)
        if 2 * len(column_cells) < len(table_rows)
    ]
    if max(sparse, default=0) > SHORT:
        return False
    if len(widths) == 2 and widths[0] <= SHORT and len(table_rows) >= ROWS_OF_TERMS:
        is_numbered = all(line.text.strip().isdigit() for line, *_ in by_column[0])
        are_pairs = sum(len(row) for row in table_rows) > 1.9 * len(table_rows) - 1
        return are_pairs and not is_numbered and widths[1] <= LONG_TERM
    return max(widths) <= LONG and (min(widths[1:]) <= SHORT or max(widths) <= 2 * SHORT)


def _has_head(table_rows: Sequence[Row], extents: Sequence[tuple[float, float]]) -> bool:
    """Whether the first row names all columns in bold, and the others are not bold."""
    first, *others = (
        all(line.has_all(Mark.BOLD) for cell in row.values() for line in cell) for row in table_rows
    )
    return first and len(table_rows[0]) == len(extents) and not all(others)


def _is_full(
    table_rows: Sequence[Row], extents: Sequence[tuple[float, float]], *, has_head: bool
) -> bool:
    """Whether most cells have text; below a bold head, and with more columns, fewer need to."""
    filled, most = sum(len(row) for row in table_rows), len(table_rows) * len(extents)
    if has_head:
        return filled >= FULL_UNDER_HEAD * most
    if len(table_rows) < ROWS_IF_NARROW:
        size = next(iter(table_rows[0].values()))[0].size
        if any(right[0] - left[1] < CLEAR * size for left, right in pairwise(extents)):
            return False
    lone = sum(len(row) < 2 for row in table_rows)
    return lone * (3 if len(extents) < 3 else 2) < len(table_rows) and filled >= FULL * most


def _has_numbers(column: Sequence[Sequence[Line]]) -> bool:
    """Whether every second cell of a column has a digit."""
    return 2 * sum(any(map(str.isdigit, cell[0].text)) for cell in column) >= len(column)


def _breadth(cell: Line) -> float:
    """Returns the width of a cell in halves of its type size.

    Letters, or half as many ideographs.
    """
    return 2 * cell.box.width / cell.size if cell.size else 0.0


def _is_label(cell: Line) -> bool:
    """Whether a cell is nothing but a bullet or number; a word after it makes it one to read."""
    box = cell.box
    after = Span("\tx", Box(box.x1, box.y0, box.x1 + 1, box.y1), cell.size)
    shown = Line(box, (*cell.spans, after))
    label = label_of(shown)
    return label is not None and len(cell.text.strip()) <= len(label)


def _grid(table_rows: Sequence[Row], extents: Sequence[tuple[float, float]], page: int) -> Grid:
    cells: list[GridCell] = []
    for number, row in enumerate(table_rows):
        text_box = around([line.box for cell in row.values() for line in cell])
        for column, (x0, x1) in enumerate(extents):
            box = Box(x0, text_box.y0, x1, text_box.y1)
            cells.append(GridCell(number, column, 1, 1, box, tuple(row.get(column, ()))))
    whole = around(line.box for row in table_rows for cell in row.values() for line in cell)
    return Grid(page, whole, len(table_rows), len(extents), tuple(cells), is_ruled=False)


def _without(group: Group, taken: set[int]) -> Group | None:
    lines = tuple(line for line in group.lines if id(line) not in taken)
    if len(lines) == len(group.lines):
        return group
    return Group(around(line.box for line in lines), lines) if lines else None
