"""What stands on a page: lines of text, ruled lines and pictures as plain values in points.

The origin is the top left of the page as it is shown, y grows downwards; pages count from 1. Boxes,
spans and lines are made by the ten thousand: they are never changed, but not frozen, which would
make each cost four times as much.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from redraft.engine.model import Mark

NOTE: Final = "\0"
"""Begins the target of a span that is a mark, as no address begins; its note's anchor follows."""


@dataclass(slots=True, unsafe_hash=True)
class Box:
    """A rectangle in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """The vertical extent."""
        return self.y1 - self.y0

    @property
    def middle(self) -> tuple[float, float]:
        """The point in its middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def distance(self, x: float, y: float) -> float:
        """How far a point is outside, along both axes together; 0 inside."""
        across = max(self.x0 - x, 0, x - self.x1)
        return across + max(self.y0 - y, 0, y - self.y1)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in the rectangle or on its edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


def around(boxes: Iterable[Box]) -> Box:
    """Returns the smallest rectangle that holds all of one or more rectangles."""
    listed = list(boxes)
    first = listed[0]
    if len(listed) == 1:
        return first
    x0, y0, x1, y1 = first.x0, first.y0, first.x1, first.y1
    for box in listed:
        if box.x0 < x0:
            x0 = box.x0
        if box.y0 < y0:
            y0 = box.y0
        if box.x1 > x1:
            x1 = box.x1
        if box.y1 > y1:
            y1 = box.y1
    return Box(x0, y0, x1, y1)


@dataclass(slots=True, unsafe_hash=True)
class Span:
    """Characters of one font and one link target; `size` in points."""

    text: str
    box: Box
    size: float
    marks: Mark = Mark.NONE
    target: str = ""

    @property
    def inked(self) -> int:
        """How many of its characters can be seen."""
        return len(self.text) - self.text.count(" ") - self.text.count("\t")


Place = tuple[int, ...]
"""Where an element of the structure tree stands: which child to take from its root on, from 0."""

Role = Literal["paragraph", "heading", "item", "note", "figure"]


@dataclass(frozen=True, slots=True)
class Tag:
    """What the structure tree says of a line; `level` is a heading's, from 1, or a list's, from 0.

    `place` is the element that is one paragraph, in whatever columns and on whatever pages it
    stands; `begins` says that it does so here. `cells` are the tables that hold it, each with its
    cell, outermost first.
    """

    place: Place
    role: Role
    level: int = 0
    begins: bool = True
    cells: tuple[tuple[Place, Place], ...] = ()


@dataclass(slots=True, unsafe_hash=True)
class Line:
    """Spans on one baseline from left to right; a gap as wide as a tab stop is a span U+0009.

    `text` is the characters of all spans, `size` that of most of them, in points; both are asked
    for many times and so kept.
    """

    box: Box
    spans: tuple[Span, ...]
    is_level: bool = True
    tag: Tag | None = None
    text: str = field(init=False, repr=False, compare=False)
    size: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Fills in what the spans say together."""
        if len(self.spans) == 1:
            (span,) = self.spans
            self.text, self.size = span.text, span.size
        else:
            self.text = "".join([span.text for span in self.spans])
            self.size = _size(self.spans)

    @property
    def has_tab(self) -> bool:
        """Whether a gap parts it, so that it may be a row of something."""
        return "\t" in self.text and any(span.text == "\t" for span in self.spans)

    def has_all(self, mark: Mark) -> bool:
        """Whether every visible character carries the mark."""
        for span in self.spans:
            marks = span.marks
            has_it = marks is mark or (marks is not Mark.NONE and mark in marks)
            if not has_it and span.text.strip():
                return False
        return True


def _size(spans: tuple[Span, ...]) -> float:
    sizes = {span.size for span in spans}
    if len(sizes) < 2:
        return sizes.pop() if sizes else 0.0
    weights: dict[float, int] = {}
    for span in spans:
        weights[span.size] = weights.get(span.size, 0) + span.inked
    return max(weights, key=weights.__getitem__)


Places = dict[str, tuple[Line, ...]]
"""The lines of each block by its anchor, those of its first page first."""


@dataclass(frozen=True, slots=True)
class Group:
    """Lines that the page's own stream keeps together; the first guess at a paragraph.

    `is_alone`: it is a whole paragraph, and its words go on nowhere else.
    """

    box: Box
    lines: tuple[Line, ...]
    is_alone: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A raster image that is drawn on the page; `id` counts those of the document from `im1`.

    `alt` is what the structure tree says it shows.
    """

    box: Box
    id: str = ""
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Outlined:
    """An entry of the outline that leads to a page; `level` from 1."""

    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page; `margins` are the boxes that the file itself calls headers and footers.

    Where the page `is_tagged`, its groups with tags stand in the order of the structure tree.
    """

    number: int
    width: float
    height: float
    groups: tuple[Group, ...] = ()
    rules: tuple[Box, ...] = ()
    pictures: tuple[Picture, ...] = ()
    outline: tuple[Outlined, ...] = ()
    margins: tuple[Box, ...] = ()
    is_tagged: bool = False
