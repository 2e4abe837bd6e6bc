"""Part what stands side by side at the edge of a page: a printed title left, an address right.

Such a line is several, each of which has its place from its own side of the page; a change of one
moves none of the others. In the text of a page a gap may as well be a tab stop, and stays one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from redraft.engine.pdf.reading.furniture import EDGE
from redraft.engine.pdf.reading.layout import Group, Line, Span, around
from redraft.engine.pdf.reading.paragraphs import ROW_GAP, label_of
from redraft.engine.pdf.reading.reading_order import FEWEST_CHARACTERS, gutter

APART = 1.0
LEVEL = 1.0
FILLED = 0.8  # of the width of a column


def parted(groups: Sequence[Group], height: float) -> tuple[Group, ...]:
    """Makes every part of a line at the edge of a page a group of its own.

    Only of the outermost line at the top or bottom, and where it stands apart from the text.

    Args:
        groups: The lines of a page.
        height: That of the page, in points.
    """
    lines = [line for group in groups for line in group.lines]
    if not any(line.has_tab for line in lines):
        return tuple(groups)
    groups = _in_columns(groups, lines)
    lines = [line for group in groups for line in group.lines]
    top = _row(lines, min(line.box.y0 for line in lines))
    bottom = _row(lines, max(line.box.y0 for line in lines))
    rows: list[Line] = []
    if max(line.box.y1 for line in top) <= height * EDGE and _is_apart(top, lines):
        rows += top
    if min(line.box.y0 for line in bottom) >= height * (1 - EDGE) and _is_apart(bottom, lines):
        rows += bottom
    chosen = {id(line): _cells(line) for line in rows if line.is_level}
    return tuple(part for group in groups for part in _parts(group, chosen))


def _in_columns(groups: Sequence[Group], lines: Sequence[Line]) -> Sequence[Group]:
    """Parts lines and groups that hold lines of two columns of prose, taken for one by level."""
    cells = {id(line): _cells(line) for line in lines if line.is_level and line.has_tab}
    pairs = [pair for pair in cells.values() if len(pair) == 2]
    if not any(min(len(part.text) for part in pair) >= FEWEST_CHARACTERS for pair in pairs):
        return groups
    parts = [part for line in lines if line.is_level for part in cells.get(id(line), [line])]
    middle = gutter([Group(part.box, (part,)) for part in parts])
    if middle is None or not all(map(_is_filled, _sides(parts, middle))):
        return groups
    chosen = {
        number: pair
        for number, pair in cells.items()
        if len(pair) == 2 and pair[0].box.x1 <= middle <= pair[1].box.x0
    }
    if not chosen:
        return groups
    whole: list[Group] = []
    for group in groups:
        own = [part for line in group.lines for part in chosen.get(id(line), [line])]
        left, right = _sides(own, middle)
        is_of_both = left and right and len(left) + len(right) == len(own)
        both = (left, right) if is_of_both else (own,)
        whole += [Group(around([line.box for line in side]), tuple(side)) for side in both]
    return whole


def _sides(lines: Sequence[Line], middle: float) -> tuple[list[Line], list[Line]]:
    """Returns the lines to the left and to the right of a gutter."""
    left = [line for line in lines if line.box.x1 <= middle]
    return left, [line for line in lines if line.box.x0 >= middle]


def _is_filled(column: Sequence[Line]) -> bool:
    """Whether most lines fill their column, as those of a table do not."""
    if not column:
        return False
    box = around(line.box for line in column)
    return median(line.box.width for line in column) > FILLED * box.width


def _row(lines: Sequence[Line], top: float) -> list[Line]:
    """Returns the lines that stand at a height."""
    return [line for line in lines if abs(line.box.y0 - top) <= LEVEL]


def _is_apart(row: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether no other line is near those of a row."""
    own = {id(line) for line in row}
    box, size = around(line.box for line in row), max(line.size for line in row)
    others = [line.box for line in lines if id(line) not in own]
    return all(max(other.y0 - box.y1, box.y0 - other.y1) > APART * size for other in others)


def _parts(group: Group, chosen: Mapping[int, Sequence[Line]]) -> Iterator[Group]:
    gathered: list[Line] = []
    for line in group.lines:
        cells = chosen.get(id(line), ())
        if len(cells) < 2:
            gathered.append(line)
            continue
        if gathered:
            yield Group(around(gathered_line.box for gathered_line in gathered), tuple(gathered))
            gathered = []
        yield from (Group(cell.box, (cell,), is_alone=True) for cell in cells)
    if len(gathered) == len(group.lines):
        yield group
    elif gathered:
        yield Group(around(gathered_line.box for gathered_line in gathered), tuple(gathered))


def _cells(line: Line) -> list[Line]:
    """Parts a line where a gap is wider than any blank, unless it belongs to what is before."""
    cells: list[list[Span]] = [[]]
    for span in line.spans:
        is_wide = span.text == "\t" and span.box.width > ROW_GAP * line.size
        if is_wide and not _is_label(cells[-1], span):
            cells.append([])
        else:
            cells[-1].append(span)
    inked = [spans for spans in cells if any(span.text.strip() for span in spans)]
    return [Line(around(span.box for span in spans), tuple(spans)) for spans in inked]


def _is_label(spans: Sequence[Span], gap: Span) -> bool:
    """Whether what is before a gap is the number, bullet or name of what is behind it."""
    if not spans:
        return False
    word = Span("x", gap.box, gap.size)
    before = Line(gap.box, (*spans, gap, word))
    text = "".join(span.text for span in spans).rstrip()
    return text.endswith(":") or (label_of(before) or "").strip() == text.strip() != ""
