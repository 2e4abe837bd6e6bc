"""From the bytes of a PDF to the layout of its pages.

Covers: [x] text, fonts' bold, italic and fixed pitch  [x] link annotations with a URI  [x] ruled
lines  [x] raster images  [x] outline  [-] tags (structure tree)  [-] form fields  [-] vertical
writing: each line by itself
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import CorruptDocumentError
from engine.model import Mark, Notice
from engine.pdf.layout import Box, Group, Line, Outlined, Page, Picture, Span, around
from engine.pdf.mupdf import (
    CID_FOR_UNKNOWN,
    MEDIABOX_CLIP,
    PRESERVE_WHITESPACE,
    MuDocument,
    MuPage,
    RawChar,
    RawLine,
    RawSpan,
    failures,
    opened,
)

MAX_DRAWINGS = 20_000
SMALLEST_PICTURE = 8.0
HIGHEST_MARGIN = 80.0
GAP = 0.8
SPACE, MONO_SPACE = 0.45, 1.3

_PAGINATION = re.compile(
    rb"/Artifact\s*<<[^>]*/Type\s*/Pagination[^>]*/BBox\s*\[([-+.\d\s]+)\][^>]*>>\s*BDC"
)

# Characters by category: control, separator, lone surrogate (a font that names no character).
_REPLACED = {"Cc": " ", "Zs": " ", "Zl": " ", "Zp": " ", "Cs": "\ufffd"}
_SUPERSCRIPT, _ITALIC, _MONO, _BOLD = 1, 2, 8, 16
_EXTRACT = 1 << 4  # ISO 32000-2, table 22: bit 5, copy or otherwise extract text


@dataclass(frozen=True, slots=True)
class Source:
    """Everything the reader needs of a file."""

    pages: tuple[Page, ...]
    notices: tuple[Notice, ...]
    properties: tuple[tuple[str, str], ...]


def load(data: bytes) -> Source:
    """Take the layout of every page that can be read.

    Raises:
        ProtectedFileError, CorruptDocumentError, TooLargeError: as `opened`; also when no page at
            all can be read.
    """
    with opened(data) as document:
        notices = _about(document)
        outline = _outline(document)
        pages: list[Page] = []
        for index in range(document.page_count):
            try:
                page = document.load_page(index)
                pages.append(_page(page, tuple(outline.get(index, ()))))
            except failures():
                message = "This page is damaged and was left out"
                notices.append(Notice("damaged-page", message, f"page {index + 1}"))
        if not pages:
            message = "The PDF is damaged: none of its pages can be read"
            raise CorruptDocumentError(message)
        return Source(tuple(pages), tuple(notices), _properties(document))


def _about(document: MuDocument) -> list[Notice]:
    notices: list[Notice] = []
    if document.is_repaired:
        notices.append(Notice("repaired", "The file was damaged and has been repaired for reading"))
    if not document.permissions & _EXTRACT:
        message = "The author of this PDF asks that its text not be copied"
        notices.append(Notice("no-extraction", message))
    return notices


def _properties(document: MuDocument) -> tuple[tuple[str, str], ...]:
    metadata = document.metadata or {}
    return tuple((key, metadata.get(key) or "") for key in ("title", "author") if metadata.get(key))


def _outline(document: MuDocument) -> dict[int, list[Outlined]]:
    """Give the entries of the outline by 0-based page."""
    entries: dict[int, list[Outlined]] = {}
    try:
        rows = document.get_toc(simple=True)
    except (*failures(), AttributeError, TypeError):
        return {}  # a damaged outline is no reason not to read the pages
    for level, title, number, *_ in rows:
        entries.setdefault(int(number) - 1, []).append(Outlined(int(level), str(title)))
    return entries


def _page(page: MuPage, outline: tuple[Outlined, ...]) -> Page:
    links = _links(page)
    rules = _rules(page)
    # Characters are asked for only where a link or a cell may begin inside a span.
    groups = _groups(page, links, by_word=bool(links or rules))
    pictures = tuple(_pictures(page))
    box = _box(page.rect)
    margins = tuple(_margins(page))
    return Page(page.number + 1, box.width, box.height, groups, rules, pictures, outline, margins)


def _margins(page: MuPage) -> Iterator[Box]:
    """Give the boxes of pagination artifacts, which no reader takes for text of the page.

    ISO 32000-2, 14.8.2.2: only those that say their box are known, and a large one may hold more
    than what is meant.
    """
    content = page.read_contents()
    if b"/Pagination" not in content:
        return
    import pymupdf  # loaded already: it gave the page

    for found in _PAGINATION.finditer(content):
        corners = [float(value) for value in found[1].split()]
        if len(corners) == 4:
            rect: Any = pymupdf.Rect(*corners)
            box = _box(tuple(rect * page.transformation_matrix * page.rotation_matrix))
            if box.height <= HIGHEST_MARGIN:
                yield box


def _links(page: MuPage) -> list[tuple[Box, str]]:
    found = page.get_links()
    return [(_box(tuple(link["from"])), str(link["uri"])) for link in found if link.get("uri")]


def _rules(page: MuPage) -> tuple[Box, ...]:
    """Collect straight horizontal and vertical strokes, thin bars and edges of stroked boxes."""
    drawings = page.get_cdrawings()
    if len(drawings) > MAX_DRAWINGS:
        return ()
    rules: list[Box] = []
    for drawing in drawings:
        is_stroked = "s" in str(drawing.get("type", ""))
        for item in drawing.get("items", []):
            rules += _edges(item, is_stroked=is_stroked)
    return tuple(rules)


def _edges(item: tuple[Any, ...], *, is_stroked: bool) -> list[Box]:
    if item[0] == "l" and is_stroked:
        (ax, ay), (bx, by) = item[1], item[2]
        box = Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        return [box] if min(box.width, box.height) < 1 else []
    if item[0] != "re":
        return []
    box = _box(tuple(item[1]))
    if min(box.width, box.height) < 3:
        return [box]
    if not is_stroked:
        return []
    return [
        Box(box.x0, box.y0, box.x1, box.y0),
        Box(box.x0, box.y1, box.x1, box.y1),
        Box(box.x0, box.y0, box.x0, box.y1),
        Box(box.x1, box.y0, box.x1, box.y1),
    ]


def _pictures(page: MuPage) -> Iterator[Picture]:
    for info in page.get_image_info():
        box = _box(tuple(info["bbox"]))
        if min(box.width, box.height) >= SMALLEST_PICTURE:
            yield Picture(box, int(info["width"]), int(info["height"]))


def _groups(page: MuPage, links: list[tuple[Box, str]], *, by_word: bool) -> tuple[Group, ...]:
    flags = PRESERVE_WHITESPACE | MEDIABOX_CLIP | CID_FOR_UNKNOWN
    blocks = page.get_text("rawdict" if by_word else "dict", flags=flags)["blocks"]
    groups: list[Group] = []
    for block in blocks:
        lines = _lines(block.get("lines", []), links)
        if lines:
            groups.append(Group(around(line.box for line in lines), lines))
    return tuple(groups)


def _lines(raw: list[RawLine], links: list[tuple[Box, str]]) -> tuple[Line, ...]:
    """Join the pieces of a baseline, in the order of the stream, and drop what is blank."""
    lines: list[Line] = []
    for piece in raw:
        spans = tuple(span for found in piece["spans"] for span in _spans(found, links))
        if not any(span.text.strip() for span in spans):
            continue
        is_level = abs(piece["dir"][1]) < 0.1 and piece["dir"][0] > 0
        line = Line(_box(piece["bbox"]), spans, is_level)
        if lines and _continues(lines[-1], line):
            lines[-1] = _joined(lines[-1], line)
        else:
            lines.append(line)
    return tuple(lines)


def _continues(before: Line, after: Line) -> bool:
    overlap = min(before.box.y1, after.box.y1) - max(before.box.y0, after.box.y0)
    shared = overlap > 0.5 * min(before.box.height, after.box.height)
    is_level = before.is_level and after.is_level
    return is_level and shared and after.box.x0 >= before.box.x1 - 0.3 * after.size


def _joined(before: Line, after: Line) -> Line:
    # A space drawn over the end of the line before parts nothing.
    edge = before.box.x1 + 0.1 * after.size
    spans = [s for s in after.spans if s.text.strip() or s.box.x1 > edge]
    after = replace(after, box=around(span.box for span in spans), spans=tuple(spans))
    gap = after.box.x0 - before.box.x1
    size = max(before.size, after.size)
    is_parted = before.text.endswith(" ") or after.text.startswith((" ", *",.;:!?)"))
    space = " " if gap > 0.12 * size and not is_parted else ""
    joint = "\t" if gap > GAP * size else space
    between = Box(before.box.x1, after.box.y0, after.box.x0, after.box.y1)
    middle = (Span(joint, between, size, before.spans[-1].marks),) if joint else ()
    return Line(around((before.box, after.box)), (*before.spans, *middle, *after.spans))


def _spans(raw: RawSpan, links: list[tuple[Box, str]]) -> Iterator[Span]:
    marks = _marks(raw)
    size = round(raw.get("size", 0.0) * 2) / 2
    box = _box(raw["bbox"])
    text = raw["text"] if "text" in raw else "".join(char["c"] for char in raw.get("chars", ()))
    widest = MONO_SPACE if Mark.CODE in marks else SPACE
    if not text.strip() and box.width > widest * size:
        yield Span("\t", box, size, marks)  # a space that MuPDF put into a gap
        return
    if "chars" not in raw:
        yield Span(_plain(text), box, size, marks)
        return
    word: list[RawChar] = []
    for char in raw["chars"]:
        word.append(char)
        if char["c"].isspace():
            yield _word(word, size, marks, links)
            word = []
    if word:
        yield _word(word, size, marks, links)


def _word(chars: list[RawChar], size: float, marks: Mark, links: list[tuple[Box, str]]) -> Span:
    box = _hull([char["bbox"] for char in chars])
    target = ""
    if links:
        inked = [char["bbox"] for char in chars if not char["c"].isspace()]
        x, y = (_hull(inked) if inked else box).middle
        target = next((uri for area, uri in links if area.holds(x, y)), "")
    return Span(_plain("".join(char["c"] for char in chars)), box, size, marks, target)


def _marks(raw: RawSpan) -> Mark:
    flags = raw.get("flags", 0)
    font = raw.get("font", "").lower()
    marks = Mark.NONE
    if flags & _BOLD or "bold" in font or "black" in font:
        marks |= Mark.BOLD
    if flags & _ITALIC:
        marks |= Mark.ITALIC
    if flags & _SUPERSCRIPT:
        marks |= Mark.SUPERSCRIPT
    if flags & _MONO:
        marks |= Mark.CODE
    return marks


def _plain(text: str) -> str:
    """Give control characters and spaces of any kind as a space, surrogates as U+FFFD."""
    if text.isprintable():
        return text
    return "".join(_REPLACED.get(unicodedata.category(c), c) for c in text)


def _box(corners: tuple[float, ...]) -> Box:
    x0, y0, x1, y1 = corners
    return Box(x0, y0, x1, y1)


def _hull(boxes: Sequence[tuple[float, float, float, float]]) -> Box:
    """Give the box around characters, of which a page has thousands."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return Box(min(x0), min(y0), max(x1), max(y1))
