"""From the bytes of a PDF to the layout of its pages.

Covers: [x] text, fonts' bold, italic and fixed pitch  [x] link annotations with a URI  [x] ruled
lines  [x] raster images  [x] outline  [-] tags (structure tree)  [-] form fields  [-] vertical
writing: each line by itself
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import CorruptDocumentError
from engine.model import Notice
from engine.pdf.layout import Box, Outlined, Page, Picture
from engine.pdf.mupdf import (
    CID_FOR_UNKNOWN,
    MEDIABOX_CLIP,
    PRESERVE_IMAGES,
    PRESERVE_WHITESPACE,
    MuDocument,
    MuPage,
    failures,
    opened,
    web_links,
)
from engine.pdf.textlines import groups

MAX_DRAWINGS = 20_000
SMALLEST_PICTURE = 8.0
HIGHEST_MARGIN = 80.0
TEXT = PRESERVE_WHITESPACE | MEDIABOX_CLIP | CID_FOR_UNKNOWN

_PAGINATION = re.compile(
    rb"/Artifact\s*<<[^>]*/Type\s*/Pagination[^>]*/BBox\s*\[([-+.\d\s]+)\][^>]*>>\s*BDC"
)

_EXTRACT = 1 << 4  # ISO 32000-2, table 22: bit 5, copy or otherwise extract text


@dataclass(frozen=True, slots=True)
class Source:
    """Everything the reader needs of a file."""

    pages: tuple[Page, ...]
    notices: tuple[Notice, ...]
    properties: tuple[tuple[str, str], ...]


def load(data: bytes, *, with_text: bool = True) -> Source:
    """Take the layout of every page that can be read.

    Args:
        data: The file.
        with_text: False leaves the groups of lines out, which are most of the work; a page that
            cannot be read is found all the same.

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
                pages.append(_page(page, tuple(outline.get(index, ())), with_text=with_text))
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


def _page(page: MuPage, outline: tuple[Outlined, ...], *, with_text: bool) -> Page:
    links = [(_box(area), target) for area, target in web_links(page)]
    rules = _rules(page)
    text = page.get_textpage(flags=TEXT | PRESERVE_IMAGES)
    images = text.extractIMGINFO()
    if images and with_text:
        text = page.get_textpage(flags=TEXT)  # an image drawn between two words parts their line
    lines = groups(text, links, rules) if with_text else ()
    pictures = tuple(_pictures(images))
    margins = tuple(_margins(page))
    box = _box(page.rect)
    return Page(page.number + 1, box.width, box.height, lines, rules, pictures, outline, margins)


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


def _pictures(images: list[dict[str, Any]]) -> Iterator[Picture]:
    for info in images:
        box = _box(tuple(info["bbox"]))
        if min(box.width, box.height) >= SMALLEST_PICTURE:
            yield Picture(box, int(info["width"]), int(info["height"]))


def _box(corners: tuple[float, ...]) -> Box:
    x0, y0, x1, y1 = corners
    return Box(x0, y0, x1, y1)
