"""Where a page has room for a line above or below its content, measured by MuPDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream.matrices import Matrix

Edge = Literal["top", "bottom"]
# How far the baseline is from the edge, in points, the usual one first.
_DEPTHS: Final = (30.0, 36.0, 24.0, 18.0, 42.0, 14.0, 10.0)
_SIDE: Final = 36.0
_AIR: Final = 2.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A page as it is shown: its size, what is drawn on it, and how to get back to page space.

    `taken` are boxes in points from the top left; what covers most of the page is its ground and
    not among them.
    """

    number: int
    width: float
    height: float
    taken: tuple[Box, ...]
    matrix: Matrix
    is_wrapped: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a line begins: the left end of its baseline, from the top left of the page."""

    x: float
    y: float


def shown(data: bytes) -> list[Shown]:
    """Measures every page."""
    import pymupdf  # a quarter of a second, and only workers need it

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [_shown(document[index]) for index in range(document.page_count)]


def _shown(page: Any) -> Shown:
    ground = 0.5 * page.rect.width * page.rect.height
    boxes = [Box(*word[:4]) for word in page.get_text("words")]
    boxes += [Box(*box) for kind, box, *_ in page.get_bboxlog() if "text" not in kind]
    for annotation in (*page.widgets(), *page.annots()):
        boxes.append(Box(*annotation.rect))
    taken = tuple(box for box in boxes if box.width * box.height < ground)
    a, b, c, d, e, f = page.derotation_matrix * ~page.transformation_matrix
    rect = page.rect
    matrix = (a, b, c, d, e, f)
    return Shown(page.number + 1, rect.width, rect.height, taken, matrix, bool(page.is_wrapped))


def spots(pages: Sequence[Shown], widths: Sequence[float], size: float, edge: Edge) -> list[Spot]:
    """Finds a free place on every page, the same one on all of them where there is one.

    Raises:
        RefusedError: a page has no room there.
    """
    for depth, side in _choices():
        places = [
            _spot(page, width, depth, side, edge) for page, width in zip(pages, widths, strict=True)
        ]
        if all(
            _is_free(page, spot, width, size)
            for page, spot, width in zip(pages, places, widths, strict=True)
        ):
            return places
    return [_own_spot(page, width, size, edge) for page, width in zip(pages, widths, strict=True)]


def _choices() -> Iterator[tuple[float, str]]:
    for side in ("center", "right", "left"):
        for depth in _DEPTHS:
            yield depth, side


def _own_spot(page: Shown, width: float, size: float, edge: Edge) -> Spot:
    for depth, side in _choices():
        spot = _spot(page, width, depth, side, edge)
        if _is_free(page, spot, width, size):
            return spot
    message = (
        f"There is no room for a line at the {edge} of page {page.number}: its text or pictures "
        "reach to the edge"
    )
    raise RefusedError(message)


def _spot(page: Shown, width: float, depth: float, side: str, edge: Edge) -> Spot:
    lefts = {
        "center": (page.width - width) / 2,
        "right": page.width - _SIDE - width,
        "left": _SIDE,
    }
    y = page.height - depth if edge == "bottom" else depth
    return Spot(lefts[side], y)


def area(spot: Spot, width: float, size: float) -> Box:
    """Returns the box of a line, from the top left of the page."""
    return Box(spot.x, spot.y - 0.8 * size, spot.x + width, spot.y + 0.25 * size)


def _is_free(page: Shown, spot: Spot, width: float, size: float) -> bool:
    box = area(spot, width, size)
    if box.x0 < 4 or box.x1 > page.width - 4 or box.y0 < 2 or box.y1 > page.height - 2:
        return False
    return not any(
        taken.x0 < box.x1 + _AIR
        and taken.x1 > box.x0 - _AIR
        and taken.y0 < box.y1 + _AIR
        and taken.y1 > box.y0 - _AIR
        for taken in page.taken
    )
