"""The glyph model of a page: every character with the bytes that draw it and the state it is in.

Page space is the file's own (ISO 32000-2, 8.3.2.3): points, y upwards, before rotation. A stream is
the page's content (index 0, its parts joined by a newline) or a form drawn on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from redraft.engine.pdf.fonts.fonts import UNKNOWN, Font
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream.lexer import Operator
from redraft.engine.pdf.stream.matrices import IDENTITY, Matrix

CLIP_ROOM: Final = 12.0
"""Points that a clip must leave around something thin, for it not to be a clip of its own."""
InkKind: TypeAlias = Literal["fill", "stroke", "image", "shading"]


@dataclass(frozen=True, slots=True, eq=False)
class TextState:
    """Everything that decides how a string is drawn (ISO 32000-2, 9.3, and the fill colour).

    `font_name` is the name in the stream's resources. `scale` is Tz / 100. `fill` and `stroke` are
    the bytes of the operators that set the colours, empty where the stream sets none. `looks` are
    the names of the graphics state dictionaries in force, `clip` what is left of the page.
    """

    font: Font | None = None
    font_name: str = ""
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    scale: float = 1.0
    rise: float = 0.0
    mode: int = 0
    fill: bytes = b""
    stroke: bytes = b""
    looks: tuple[str, ...] = ()
    ctm: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    clip: Box | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    """A marked-content sequence that is open (ISO 32000-2, 14.6)."""

    name: str
    mcid: int | None = None
    has_actual_text: bool = False
    is_hidden: bool = False


@dataclass(slots=True, eq=False)
class Show:
    """One operator that shows text.

    `line` is the text line matrix; `before` and `after` are how far the text position is from it
    along the baseline, in text space, before and after the operator's strings. `line` and `before`
    already include the move to the next line that `'` and `"` make.
    """

    stream: int
    index: int
    operator: Operator
    state: TextState
    line: Matrix
    before: float
    after: float = 0.0
    tags: tuple[Tag, ...] = ()
    glyphs: list[Glyph] = field(default_factory=list["Glyph"])


@dataclass(slots=True, eq=False)
class Glyph:
    """One drawn code.

    `element` is the index of its string among the operands of the array (0 otherwise), `offset`
    where its code starts in the decoded string. `matrix` takes units of text space at the glyph's
    origin to page space. `width` is its own advance in units of the font size; `advance` the whole
    displacement in text space, spacing included.
    """

    text: str
    code: bytes
    show: Show
    element: int
    offset: int
    matrix: Matrix
    width: float
    advance: float

    @property
    def x(self) -> float:
        """The origin's x in page space."""
        return self.matrix[4]

    @property
    def y(self) -> float:
        """The origin's y in page space."""
        return self.matrix[5]

    @property
    def unit(self) -> float:
        """How long one unit of text space along the baseline is on the page, in points."""
        return math.hypot(self.matrix[0], self.matrix[1])

    @property
    def size(self) -> float:
        """The height of the font on the page, in points."""
        return abs(self.show.state.size) * math.hypot(self.matrix[2], self.matrix[3])

    @property
    def angle(self) -> float:
        """The direction of the baseline in radians."""
        return math.atan2(self.matrix[1], self.matrix[0])

    @property
    def ink_width(self) -> float:
        """The glyph's own width on the page, in points, without spacing."""
        return self.width * self.show.state.size * self.unit

    @property
    def is_blank(self) -> bool:
        """Whether it is a space of any kind."""
        return not self.text.strip()

    @property
    def is_unknown(self) -> bool:
        """Whether the file does not say which character it is."""
        return UNKNOWN in self.text


@dataclass(frozen=True, slots=True)
class Ink:
    """The bounding box of something drawn that is not text.

    Bytes [start, end) of the stream with that index draw it under the matrix `ctm`, with the
    painting operator `paint`; `end` is 0 where that cannot be told. `clip` is what of the page was
    open to it. One that `is_plain` is a box or a straight line that can be drawn anew elsewhere.
    """

    kind: InkKind
    box: Box
    stream: int = 0
    start: int = 0
    end: int = 0
    ctm: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    paint: str = ""
    clip: Box | None = None
    is_plain: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it is plain, and not cut out of the page by a clip of its own."""
        return self.is_plain and self.has_room

    @property
    def has_room(self) -> bool:
        """Whether its clip leaves room above and below it; a hairline has no height of its own."""
        return self.clip is None or self.clip.height > 2 * self.box.height + CLIP_ROOM


@dataclass(frozen=True, slots=True)
class Stream:
    """A content stream; `key` is the object number of a form, 0 for the page's own content."""

    key: int
    data: bytes
    resources: Any


@dataclass(frozen=True, slots=True)
class PageModel:
    """What a page draws, in the order of drawing.

    `view` takes page space to points from the top left of what is shown of the page, as it is
    without rotation: there the reader says where its lines stand.
    """

    streams: tuple[Stream, ...]
    shows: tuple[Show, ...]
    inks: tuple[Ink, ...]
    view: Matrix = IDENTITY
    twins: Mapping[int, Sequence[Glyph]] = field(default_factory=dict[int, Sequence[Glyph]])

    def glyphs(self) -> Iterator[Glyph]:
        """Every glyph in the order of drawing."""
        for show in self.shows:
            yield from show.glyphs


def common(first: Box | None, second: Box) -> Box:
    """Returns what two boxes share; the first may be no limit at all."""
    if first is None:
        return second
    return Box(
        max(first.x0, second.x0),
        max(first.y0, second.y0),
        min(first.x1, second.x1),
        min(first.y1, second.y1),
    )


def bounds(points: Sequence[tuple[float, float]]) -> Box:
    """Returns the box around some points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))
