"""What a page draws besides text: straight rules and raster images.

Covers: [x] thin bars  [x] level and upright strokes  [x] edges of stroked boxes  [x] images and
their places  [-] slanted and curved strokes, shapes that are filled: they rule nothing
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redraft.engine.pdf.mupdf import MuPage
from redraft.engine.pdf.reading.layout import Box, Picture

MAX_DRAWINGS = 20_000
SMALLEST_PICTURE = 8.0
THICKEST_STROKE = 3.0
THIN = 3.0

_IMAGE = re.compile(rb'<image bbox="(\S+) (\S+) (\S+) (\S+)"')
_VECTOR = re.compile(
    rb'<vector bbox="(\S+) (\S+) (\S+) (\S+)" stroke="(\d)" rectangle="(\d)" continues'
)


def pictures(printed: bytes) -> Iterator[Picture]:
    """Yields the raster images of a page in the order they are drawn.

    Args:
        printed: What it draws, as XML.
    """
    for corners in _IMAGE.findall(printed):
        box = Box(*map(float, corners))
        if min(box.width, box.height) >= SMALLEST_PICTURE:
            yield Picture(box)


def rules(page: MuPage, printed: bytes) -> tuple[Box, ...]:
    """Collects straight level and upright strokes, thin bars and edges of stroked boxes.

    MuPDF's structured text names the extent of each piece of a path, which is enough for bars and
    single strokes and costs a tenth of the paths themselves; those are only asked for on a page
    with strokes that turn, or enclose something.

    Args:
        page: The page.
        printed: What it draws, as XML.
    """
    vectors = _VECTOR.findall(printed)
    if len(vectors) > MAX_DRAWINGS:
        return ()
    boxes: list[Box] = []
    for left, top, right, bottom, stroked, rectangle in vectors:
        box = Box(float(left), float(top), float(right), float(bottom))
        if stroked == b"0":
            if rectangle == b"1" and min(box.width, box.height) < THIN:
                boxes.append(box)
        elif rectangle == b"0" or min(box.width, box.height) > 2 * THICKEST_STROKE:
            return _of_paths(page)
        else:
            boxes.append(_middle(box))
    return tuple(boxes)


def _middle(box: Box) -> Box:
    """Returns the line that a stroke follows: its extent reaches its full width beyond it."""
    if box.width >= box.height:
        width, y = box.height / 2, (box.y0 + box.y1) / 2
        return Box(box.x0 + width, y, box.x1 - width, y)
    width, x = box.width / 2, (box.x0 + box.x1) / 2
    return Box(x, box.y0 + width, x, box.y1 - width)


def _of_paths(page: MuPage) -> tuple[Box, ...]:
    drawings = page.get_cdrawings()
    if len(drawings) > MAX_DRAWINGS:
        return ()
    boxes: list[Box] = []
    for drawing in drawings:
        is_stroked = "s" in str(drawing.get("type", ""))
        for item in drawing.get("items", []):
            boxes += _edges(item, is_stroked=is_stroked)
    return tuple(boxes)


def _edges(item: tuple[Any, ...], *, is_stroked: bool) -> Iterator[Box]:
    kind = item[0]
    if kind == "l" and is_stroked:
        (ax, ay), (bx, by) = item[1], item[2]
        box = Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        if min(box.width, box.height) < 1:
            yield box
    elif kind == "re":
        x0, y0, x1, y1 = item[1]
        if min(x1 - x0, y1 - y0) < THIN:
            yield Box(x0, y0, x1, y1)
        elif is_stroked:
            yield Box(x0, y0, x1, y0)
            yield Box(x0, y1, x1, y1)
            yield Box(x0, y0, x0, y1)
            yield Box(x1, y0, x1, y1)
