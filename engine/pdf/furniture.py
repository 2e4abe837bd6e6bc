"""Take running headers and footers off the pages: what most pages repeat at their edges.

And what the file calls so (see `engine.pdf.source`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.pdf.layout import Box, Group, Line, Page, Picture

EDGE = 0.09
NUMBER_EDGE = 0.14
REPEATS = 3


@dataclass(frozen=True, slots=True)
class Running:
    """A line that pages repeat: the page's number from 1, at its `top` or `bottom`, and its words.

    `key` is the same for all pages that repeat it, whatever its numbers are.
    """

    page: int
    edge: str
    text: str
    key: str


_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)


def without_furniture(pages: tuple[Page, ...]) -> tuple[Page, ...]:
    """Drop lines and pictures of the top and bottom edge that come back on three pages or more.

    Digits are masked, so that page numbers count as repeated; a number that stands alone may be
    further from the edge. On a document of two pages both must carry the line. What the file itself
    calls a header or footer is one without being repeated.
    """
    repeated = _repeated(pages)
    return tuple(_cleared(page, repeated) for page in pages) if repeated else pages


def running(pages: tuple[Page, ...]) -> tuple[Running, ...]:
    """List the lines that `without_furniture` drops, page by page from the top."""
    repeated = _repeated(pages)
    found: list[Running] = []
    for page in pages if repeated else ():
        for line in sorted(_may_repeat(page), key=lambda each: (each.box.y0, each.box.x0)):
            key = _line_key(page, line)
            text = " ".join(line.text.split())
            if key in repeated and line.is_level and text:
                found.append(Running(page.number, key.split(" ", maxsplit=1)[0], text, key))
    return tuple(found)


def _repeated(pages: tuple[Page, ...]) -> set[str]:
    needed = REPEATS if len(pages) > 2 else 2
    keys = Counter(key for page in pages for key in _keys(page))
    repeated = {key for key, count in keys.items() if count >= needed}
    said = {
        _line_key(page, line)
        for page in pages
        if page.margins
        for group in page.groups
        for line in group.lines
        if _is_in_margin(page, line)
    }
    return repeated | said


def _keys(page: Page) -> set[str]:
    lines = {_line_key(page, line) for line in _may_repeat(page)}
    return (lines | {_picture_key(page, picture) for picture in page.pictures}) - {""}


def _edge(page: Page, box: Box, share: float = EDGE) -> str:
    if box.y1 <= page.height * share:
        return "top"
    return "bottom" if box.y0 >= page.height * (1 - share) else ""


def _may_repeat(page: Page) -> Iterator[Line]:
    """Give the lines that are near an edge, or may be in a margin that the file names."""
    top, bottom = page.height * NUMBER_EDGE, page.height * (1 - NUMBER_EDGE)
    for group in page.groups:
        for line in group.lines:
            box = line.box
            if box.y1 <= top or box.y0 >= bottom or page.margins:
                yield line


def _line_key(page: Page, line: Line) -> str:
    masked = _DIGITS.sub("#", line.text).strip()
    if _is_in_margin(page, line):
        return f"{'top' if line.box.y1 < page.height / 2 else 'bottom'} {masked}"
    edge = _edge(page, line.box, NUMBER_EDGE if masked.strip("-\u2013 ") == "#" else EDGE)
    return f"{edge} {masked}" if edge else ""


def _is_in_margin(page: Page, line: Line) -> bool:
    return any(box.holds(*line.box.middle) for box in page.margins)


def _picture_key(page: Page, picture: Picture) -> str:
    edge = _edge(page, picture.box)
    return f"{edge} picture {picture.width}x{picture.height}" if edge else ""


def _cleared(page: Page, repeated: set[str]) -> Page:
    gone = {id(line) for line in _may_repeat(page) if _line_key(page, line) in repeated}
    groups: list[Group] = []
    for group in page.groups:
        if gone and any(id(line) in gone for line in group.lines):
            lines = tuple(line for line in group.lines if id(line) not in gone)
            group = replace(group, lines=lines)
        if group.lines:
            groups.append(group)
    pictures = tuple(p for p in page.pictures if _picture_key(page, p) not in repeated)
    return replace(page, groups=tuple(groups), pictures=pictures)
