"""Take running headers and footers off the pages: what most pages repeat at their edges.

And what the file calls so (see `engine.pdf.page_layouts`). A line at an edge is a running one only
if it says the same on other pages, its numbers being the same or counting the pages, and if it
stands apart from the text: the first and last rows of a table are at the edges of its pages too,
with the same words and with numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from redraft.engine.pdf.reading.layout import Box, Group, Line, Page, Picture, around

EDGE = 0.09
NUMBER_EDGE = 0.14
REPEATS = 3
APART = 0.8
WIDER = 1.3
FAR, FOLLOWING = 3.0, 4
OVERLAP = 0.3
MOST_NUMBERS = 4


@dataclass(frozen=True, slots=True)
class Running:
    """A line that pages repeat: the page's number from 1, at its `top` or `bottom`, and its words.

    `key` is the same for all pages that repeat it, whatever its numbers are; `box` is its own.
    """

    page: int
    edge: str
    text: str
    key: str
    box: Box


_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivxlc]+", re.IGNORECASE)
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_AROUND = "-\u2013 "


@dataclass(frozen=True, slots=True)
class Cleared:
    """Pages without what they repeat at their edges, and the lines of that, page by page."""

    pages: tuple[Page, ...]
    running: tuple[Running, ...]


def without_furniture(pages: Sequence[Page]) -> Cleared:
    """Drops lines and pictures of the top and bottom edge that come back on three pages or more.

    A number that stands alone counts the pages and may be further from the edge. On a document of
    two pages both must carry the line. What the file itself calls a header or footer is one without
    being repeated. The lines of a page are given from its top.
    """
    edges = [_edge_lines(page) for page in pages]
    repeats = _Repeats.of(pages, edges)
    cleared: list[Page] = []
    running: list[Running] = []
    for page, lines in zip(pages, edges, strict=True):
        known = [(edge_line.line, key) for edge_line in lines if (key := repeats.key(edge_line))]
        cleared.append(_cleared(page, {id(line) for line, _ in known}, repeats))
        known.sort(key=lambda edge_line: (edge_line[0].box.y0, edge_line[0].box.x0))
        for line, key in known:
            text = " ".join(line.text.split())
            if line.is_level and text:
                edge = key.split(" ", maxsplit=1)[0]
                running.append(Running(page.number, edge, text, key, line.box))
    return Cleared(tuple(cleared), tuple(running))


@dataclass(frozen=True, slots=True)
class _EdgeLine:
    """A line near an edge: what it would be known by on other pages.

    `is_apart`: a gap parts it from the text; `is_said`: the file calls it a header or footer.
    """

    line: Line
    keys: tuple[str, ...]
    is_apart: bool
    is_said: bool

    @property
    def height(self) -> int:
        """Where its letters begin, in whole points from the top."""
        return round(self.line.box.y0)

    @property
    def place(self) -> tuple[str, int, int]:
        """What it says and where; only words can be known by that, for cells say the same too."""
        words = self.keys[0] if self.line.text.strip().count(" ") else ""
        return words, round(self.line.box.x0), self.height


@dataclass(frozen=True, slots=True)
class _Repeats:
    """What comes back: by what it says, with the heights at which it stands apart, and by place."""

    heights: dict[str, set[int]]
    places: set[tuple[str, int, int]]
    pictures: set[str]

    @staticmethod
    def of(pages: Sequence[Page], edges: Sequence[Sequence[_EdgeLine]]) -> _Repeats:
        needed = REPEATS if len(pages) > 2 else 2
        heights: dict[str, set[int]] = {}
        for edge_line in (
            edge_line
            for lines in edges
            for edge_line in lines
            if edge_line.is_apart or edge_line.is_said
        ):
            for key in edge_line.keys:
                heights.setdefault(key, set()).add(edge_line.height)
        words = Counter(key for lines in edges for key in _keys_at(lines, heights))
        announced = {
            key
            for lines in edges
            for edge_line in lines
            if edge_line.is_said
            for key in edge_line.keys
        }
        heights = {
            key: levels
            for key, levels in heights.items()
            if key in announced or words[key] >= needed
        }
        places = Counter(
            place for lines in edges for place in {edge_line.place for edge_line in lines}
        )
        pictures = Counter(
            key
            for page in pages
            for key in {_picture_key(page, edge_line) for edge_line in page.pictures}
        )
        return _Repeats(
            heights,
            {place for place, count in places.items() if count >= needed and place[0]},
            {key for key, count in pictures.items() if count >= needed and key},
        )

    def key(self, edge_line: _EdgeLine) -> str:
        """Returns what a running line is known by; nothing for what belongs to the text."""
        for key in edge_line.keys:
            if key in self.heights and _is_at(edge_line, self.heights[key]):
                return key
        return edge_line.keys[0] if edge_line.place in self.places else ""


def _is_at(edge_line: _EdgeLine, heights: set[int]) -> bool:
    """Whether a line stands apart, or at a height where the same stands apart on other pages."""
    y = edge_line.height
    return edge_line.is_apart or edge_line.is_said or not heights.isdisjoint((y - 1, y, y + 1))


def _keys_at(lines: Sequence[_EdgeLine], heights: dict[str, set[int]]) -> set[str]:
    return {
        key
        for edge_line in lines
        for key in edge_line.keys
        if _is_at(edge_line, heights.get(key, set()))
    }


def _edge_lines(page: Page) -> list[_EdgeLine]:
    """Returns the lines of a page that may be running ones."""
    near = list(_may_repeat(page))
    apart = _Apart.of(page) if near else None
    return [
        edge_line
        for line in near
        if apart and (edge_line := _edge_line(page, line, apart)) is not None
    ]


def _edge_line(page: Page, line: Line, apart: _Apart) -> _EdgeLine | None:
    text, box = line.text.strip(), line.box
    number = text.strip(_AROUND)
    is_number = bool(_NUMBER.fullmatch(number) or _ROMAN.fullmatch(number))
    if _is_in_margin(page, line):
        edge, is_said = "top" if box.y1 < page.height / 2 else "bottom", True
    else:
        edge, is_said = _edge(page, box, NUMBER_EDGE if is_number else EDGE), False
    if not edge or (line.tag is not None and line.tag.cells):
        return None
    if is_number:
        value = int(number) if number.isdecimal() else _roman(number)
        counted = f"{edge} #{value - page.number:+d}"
        keys = (counted, f"{edge} #") if apart.is_alone(box) else (counted,)
    else:
        keys = tuple(f"{edge} {words}" for words in _worded(text, page.number))
    is_apart = box.y1 <= apart.top if edge == "top" else box.y0 >= apart.bottom
    return _EdgeLine(line, keys, is_apart, is_said)


def _worded(text: str, page: int) -> Iterator[str]:
    """Yields a text as it is, then with its numbers as how far they are from the page's."""
    words = _NUMBER.split(text)
    numbers = [(number, f"#{int(number) - page:+d}") for number in _NUMBER.findall(text)]
    if len(numbers) > MOST_NUMBERS:
        yield text
        return
    for chosen in product(*numbers):
        yield "".join(part for pair in zip(words, (*chosen, ""), strict=True) for part in pair)


def _roman(text: str) -> int:
    """Returns the value of a Roman numeral."""
    values = [_VALUES[letter] for letter in text.lower()]
    following = (*values[1:], 0)
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))


@dataclass(frozen=True, slots=True)
class _Apart:
    """What stands above `top` or below `bottom` is parted from the text; `rows` are of both."""

    rows: Sequence[tuple[Box, int]]
    top: float
    bottom: float

    @staticmethod
    def of(page: Page) -> _Apart:
        rows = _rows([line for group in page.groups for line in group.lines])
        boxes = [box for box, _ in rows]
        top = _first_apart(boxes, page.height * NUMBER_EDGE)
        bottom = -_first_apart(_upside_down(boxes), -page.height * (1 - NUMBER_EDGE))
        ends = [row for row in rows if row[0].y1 <= top or row[0].y0 >= bottom]
        return _Apart(ends, top, bottom)

    def is_alone(self, box: Box) -> bool:
        """Whether a line that stands apart is all there is at its height."""
        return any(count == 1 and row == box for row, count in self.rows)


def _rows(lines: Sequence[Line]) -> list[tuple[Box, int]]:
    """Returns the extents of what is at one height, from the top, and how many lines it has."""
    rows: list[tuple[Box, int]] = []
    for box in sorted((line.box for line in lines), key=lambda line_box: line_box.y0):
        last, count = rows[-1] if rows else (box, 0)
        if count and box.y0 < last.y1 - OVERLAP * box.height:
            rows[-1] = around((last, box)), count + 1
        else:
            rows.append((box, 1))
    return rows


def _upside_down(rows: Sequence[Box]) -> list[Box]:
    return [Box(row.x0, -row.y1, row.x1, -row.y0) for row in reversed(rows)]


def _first_apart(rows: Sequence[Box], limit: float) -> float:
    """Returns how far down the page rows reach that a gap parts from the text.

    The gap is wider than the narrowest one between the rows that follow.
    """
    gaps = [below.y0 - above.y1 for above, below in pairwise(rows)]
    reach = float("-inf")
    for at, row in enumerate(rows):
        if row.y1 > limit:
            break
        gap = gaps[at] if at < len(gaps) else float("inf")
        after = [
            distance
            for distance in gaps[at + 1 : at + 1 + FOLLOWING]
            if distance < FAR * row.height
        ]
        if gap >= APART * row.height and gap >= WIDER * min(after, default=0.0):
            reach = row.y1
    return reach


def _edge(page: Page, box: Box, share: float = EDGE) -> str:
    if box.y1 <= page.height * share:
        return "top"
    return "bottom" if box.y0 >= page.height * (1 - share) else ""


def _may_repeat(page: Page) -> Iterator[Line]:
    """Yields the lines that are near an edge, or may be in a margin that the file names."""
    top, bottom = page.height * NUMBER_EDGE, page.height * (1 - NUMBER_EDGE)
    for group in page.groups:
        for line in group.lines:
            box = line.box
            if box.y1 <= top or box.y0 >= bottom or page.margins:
                yield line


def _is_in_margin(page: Page, line: Line) -> bool:
    return any(box.holds(*line.box.middle) for box in page.margins)


def _picture_key(page: Page, picture: Picture) -> str:
    edge, box = _edge(page, picture.box), picture.box
    return f"{edge} picture {box.width:.0f}x{box.height:.0f}" if edge else ""


def _cleared(page: Page, gone: Container[int], repeats: _Repeats) -> Page:
    """Returns a page without some lines, by `id`, and without the pictures that come back."""
    groups: list[Group] = []
    for group in page.groups:
        if any(id(line) in gone for line in group.lines):
            remaining = tuple(line for line in group.lines if id(line) not in gone)
            group = replace(group, lines=remaining)
        if group.lines:
            groups.append(group)
    pictures = tuple(p for p in page.pictures if _picture_key(page, p) not in repeats.pictures)
    return replace(page, groups=tuple(groups), pictures=pictures)
