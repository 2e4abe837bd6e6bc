"""Part what stands side by side at the edge of a page: a printed title left, an address right.

Such a line is several, each of which has its place from its own side of the page; a change of one
moves none of the others. In the text of a page a gap may as well be a tab stop, and stays one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.engine.pdf.reading.furniture import EDGE
from redraft.engine.pdf.reading.layout import Group, Line, Span, around
from redraft.engine.pdf.reading.paragraphs import ROW_GAP, label_of

APART = 1.0
LEVEL = 1.0


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
    top = _row(lines, min(line.box.y0 for line in lines))
    bottom = _row(lines, max(line.box.y0 for line in lines))
    chosen: set[int] = set()
    if max(line.box.y1 for line in top) <= height * EDGE and _is_apart(top, lines):
        chosen |= {id(line) for line in top}
    if min(line.box.y0 for line in bottom) >= height * (1 - EDGE) and _is_apart(bottom, lines):
        chosen |= {id(line) for line in bottom}
    return tuple(part for group in groups for part in _parts(group, chosen))


def _row(lines: Sequence[Line], top: float) -> list[Line]:
    """Returns the lines that stand at a height."""
    return [line for line in lines if abs(line.box.y0 - top) <= LEVEL]


def _is_apart(row: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether no other line is near those of a row."""
    own = {id(line) for line in row}
    box, size = around(line.box for line in row), max(line.size for line in row)
    others = [line.box for line in lines if id(line) not in own]
    return all(max(other.y0 - box.y1, box.y0 - other.y1) > APART * size for other in others)


def _parts(group: Group, chosen: set[int]) -> Iterator[Group]:
    gathered: list[Line] = []
    for line in group.lines:
        cells = _cells(line) if id(line) in chosen and line.is_level else [line]
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
