"""The small lines at the foot of a page: in columns and rows, with the labels they begin with."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.layout import Box, Line, Page, Span, around
from redraft.engine.pdf.reading.paragraphs import runs_left

SMALLER: Final = 0.4
RAISED: Final = 0.85
EDGE, NUMBER_EDGE = 0.1, 0.14
SHORT: Final = 60
# How far below a line of a note its next line begins at most, in sizes.
LEADING: Final = 0.9
# How far below the text notes as large as it stand at least.
APART: Final = 0.6

_LABEL = r"\d{1,3}|[a-z]|[ivx]{1,5}"
_SIGNS = r"[*\u2217]{1,4}|[†‡§¶‖#]{1,3}"
_RAISED = re.compile(rf"\s*(?P<label>{_LABEL}|{_SIGNS})[.)]?\s*")
_PLAIN = re.compile(rf"\s*(?:(?P<label>\d{{1,3}})(?:[.)]\s*|\s+)|(?P<sign>{_SIGNS})\s*)(?=\S)")
_FIGURES = re.compile(r"[¹²³⁰⁴-⁹]{1,3}")
_BEGINS = re.compile(rf"\s*(?:{_LABEL}|{_SIGNS}|[¹²³⁰⁴-⁹])")
_NUMBER = re.compile(r"\W*(?:\w+\W+)?\d+(?:\W+\w+\W+\d+)?\W*")


@dataclass(frozen=True, slots=True)
class Row:
    """What stands on one baseline of a column: its lines and, of a note's first row, its label."""

    box: Box
    lines: tuple[Line, ...]
    label: str = ""
    head: int = 0
    is_raised: bool = False

    @property
    def text(self) -> str:
        """Its characters from left to right."""
        return "".join(line.text for line in self.lines)


@dataclass(slots=True)
class Column:
    """The small lines at the foot of a column, row by row."""

    box: Box
    rows: list[Row] = field(default_factory=list[Row])


def columns_at_foot(page: Page, body_size: float) -> list[Column]:
    """Returns the columns of the foot of a page from left to right; mostly there is none.

    Args:
        page: The page without its running headers and footers.
        body_size: The size of the document's text, in points.
    """
    most = body_size - SMALLER
    if not _may_have_notes(page, most):
        return []
    columns = _columns(_foot(page, most))
    for column in columns:
        _settle(column)
    return columns


def _may_have_notes(page: Page, most: float) -> bool:
    """Whether a page has a line that may be of a note; all lines of all pages are asked."""
    for group in page.groups:
        for line in group.lines:
            if line.size <= most or (line.tag is not None and line.tag.role == "note"):
                return True
            spans = line.spans
            if len(spans) > 1 and spans[0].size < RAISED * line.size and _is_headed(line):
                return True
    return False


def _is_headed(line: Line) -> bool:
    """Whether a line begins with a label that is smaller than its words."""
    first = line.spans[0]
    if len(line.spans) < 2 or not 0 < first.size < RAISED * line.size:
        return False
    return first.text.strip().isdigit() and _RAISED.fullmatch(first.text) is not None


def _is_tagged(line: Line) -> bool:
    return line.tag is not None and line.tag.role == "note"


def _foot(page: Page, most: float) -> list[Line]:
    """Returns the small lines below which only small lines stand, from the bottom up."""
    lines = [line for group in page.groups for line in group.lines if line.is_level]
    lines.sort(key=lambda line_above: -line_above.box.y1)
    even = _even(page, lines, most)
    low = page.height * (1 - NUMBER_EDGE)
    waiting = sum(line.size <= most for line in lines)
    foot: list[Line] = []
    blocked: list[Box] = []
    for line in lines:
        is_small = line.size <= most
        if _is_tagged(line) or id(line) in even:
            foot.append(line)
        elif is_small:
            if not any(_is_over(line.box, box) for box in blocked):
                foot.append(line)
        elif waiting and (line.box.y0 < low or not _may_be_repeated(page, line)):
            _block(blocked, line.box)
        waiting -= is_small
    return foot


def _even(page: Page, lines: Sequence[Line], most: float) -> set[int]:
    """Returns the lines of notes that are as large as the text, by `id`.

    They stand together at the end of their column, apart from the text, and the first of them has a
    smaller label.
    """
    even: set[int] = set()
    for head in reversed(lines):
        if head.size <= most or id(head) in even or not _is_headed(head):
            continue
        if head.box.y0 < page.height / 2:
            continue
        column = [line for line in lines if _is_over(line.box, head.box)]
        below = [
            line
            for line in reversed(column)
            if line.box.y1 >= head.box.y1 and (_is_headed(line) or not _may_be_repeated(page, line))
        ]
        above = max((line.box.y1 for line in column if line.box.y1 < head.box.y1), default=0.0)
        is_apart = head.box.y0 - above > APART * head.size
        if is_apart and _is_together(below) and all(e.size < head.size + 0.1 for e in below):
            even |= {id(line) for line in below}
    return even


def _is_together(lines: Sequence[Line]) -> bool:
    """Whether lines from the top down have no gap between them."""
    return all(
        below.box.y0 - above.box.y1 <= LEADING * below.size
        for above, below in itertools.pairwise(lines)
    )


def _block(blocked: list[Box], box: Box) -> None:
    """Adds what a line stands below, in as few boxes as can be."""
    for area in blocked:
        if area.x0 <= box.x0 and area.x1 >= box.x1:
            return
    over = [area for area in blocked if _is_over(area, box)]
    blocked[:] = [area for area in blocked if not _is_over(area, box)]
    blocked.append(around((*over, box)))


def _is_over(one: Box, other: Box) -> bool:
    """Whether two boxes share a part of the page's width."""
    return min(one.x1, other.x1) - max(one.x0, other.x0) > 1


def _may_be_repeated(page: Page, line: Line) -> bool:
    """Whether a line is where pages have a number or a footer, and is no more than one."""
    low = line.box.y0
    if low >= page.height * (1 - EDGE):
        return len(line.text) < SHORT
    return low >= page.height * (1 - NUMBER_EDGE) and _NUMBER.fullmatch(line.text) is not None


def _columns(lines: Sequence[Line]) -> list[Column]:
    """Sorts the lines of a foot into columns from left to right, each in rows from the top."""
    columns: list[Column] = []
    columns_held: list[list[Line]] = []
    for line in sorted(lines, key=lambda line_in_order: line_in_order.box.x0):
        if columns and _is_in(columns[-1], columns_held[-1], line):
            if line.box.x1 > columns[-1].box.x1:
                columns[-1].box = around((columns[-1].box, line.box))
        else:
            columns.append(Column(line.box))
            columns_held.append([])
        columns_held[-1].append(line)
    for column, own in zip(columns, columns_held, strict=True):
        column.rows = [_row(row) for row in _rows(own)]
    return columns


def _is_in(column: Column, own: Sequence[Line], line: Line) -> bool:
    """Whether a line begins inside a column, or close to one that holds only labels so far."""
    if line.box.x0 < column.box.x1 - 1:
        return True
    is_near = line.box.x0 - column.box.x1 < 3 * line.size
    return is_near and all(_RAISED.fullmatch(own_line.text) for own_line in own)


def _rows(lines: list[Line]) -> Iterator[list[Line]]:
    """Puts lines that share a baseline together."""
    row: list[Line] = []
    for line in sorted(lines, key=lambda row_line: row_line.box.y0 + row_line.box.y1):
        if row and not _is_beside(row[-1], line):
            yield sorted(row, key=lambda row_line: row_line.box.x0)
            row = []
        row.append(line)
    if row:
        yield sorted(row, key=lambda row_line: row_line.box.x0)


def _is_beside(before: Line, line: Line) -> bool:
    one, other = before.box, line.box
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared > 0.5 * min(one.height, other.height)


def _row(lines: Sequence[Line]) -> Row:
    """Makes a row, with the label that it begins with."""
    box = lines[0].box if len(lines) == 1 else around(line.box for line in lines)
    whole = "".join([line.text for line in lines])
    if not _BEGINS.match(whole) or any(runs_left(line) for line in lines):
        return Row(box, tuple(lines))
    spans = [span for line in lines for span in line.spans if span.text.strip()]
    size = max(line.size for line in lines)
    first = spans[0]
    gap = len(whole) - len(whole.lstrip())
    text = unicodedata.normalize("NFKC", first.text)
    match = _RAISED.fullmatch(text)
    is_first_small = first.size < RAISED * size or text != first.text
    is_sign = match is not None and not match["label"].isalnum()
    if match and (is_first_small or is_sign) and _may_label(spans):
        end = gap + len(first.text.lstrip())
        return Row(box, tuple(lines), match["label"], _behind(whole, end), True)
    match = _FIGURES.match(whole[gap:])
    if match:
        label = unicodedata.normalize("NFKC", match[0])
        return Row(box, tuple(lines), label, _behind(whole, gap + match.end()), True)
    match = _PLAIN.match(whole)
    if match:
        label = match["label"] or match["sign"]
        return Row(box, tuple(lines), label, match.end(), match["sign"] is not None)
    return Row(box, tuple(lines))


def _may_label(spans: Sequence[Span]) -> bool:
    """Whether words follow a label, which is no variable of a formula."""
    first, *rest = spans
    is_letter = first.text.strip()[:1].isalpha()
    if not rest or (is_letter and Mark.ITALIC in first.marks):
        return False
    return not is_letter or rest[0].text.lstrip()[:1].isalnum()


def _behind(text: str, at: int) -> int:
    """Returns where words begin at or behind a place."""
    return len(text) - len(text[at:].lstrip())


def _settle(column: Column) -> None:
    """Forgets plain numbers that begin a row of text.

    Notes have theirs in turn, from the top on.
    """
    before = ""
    for at, row in enumerate(column.rows):
        if row.label and not row.is_raised:
            is_next = before.isdigit() and int(row.label) == int(before) + 1
            if at and not is_next:
                column.rows[at] = replace(row, label="", head=0)
                continue
        before = row.label or before


def from_first_label(column: Column) -> Iterator[Line]:
    """Yields the lines from the first label on: no mark is looked for in them."""
    at = next((n for n, row in enumerate(column.rows) if row.label), len(column.rows))
    for row in column.rows[at:]:
        yield from row.lines
