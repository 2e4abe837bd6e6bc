"""A page that is being edited: its model, what goes and comes, and where it may look different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.content_interpreter import interpret
from redraft.engine.pdf.glyphs.glyphs import Glyph, Ink, PageModel, Stream
from redraft.engine.pdf.glyphs.lines import Frame, Piece, pieces
from redraft.engine.pdf.glyphs.shared_resources import SharedResources
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.typeset.columns import Surroundings
from redraft.engine.pdf.typeset.stream_writer import Patch

INVISIBLE: Final = frozenset((3, 7))


@dataclass(slots=True, eq=False)
class Annotation:
    """An annotation of a page; `box` in page space, `holder` its dictionary.

    `row` is the row with which it went along, by identity: it goes with no other one then. `rows`
    says so of each quadrilateral of a mark.
    """

    kind: str
    box: Box
    holder: Any
    is_gone: bool = False
    row: int | None = None
    rows: list[int | None] = field(default_factory=list["int | None"])


@dataclass(slots=True, eq=False)
class PageEdit:
    """A page being edited; `index` counts from 0.

    `declared` are the boxes of page space in which the page may look different, `fresh` those that
    must have been blank. `fallbacks` are the codes used of each fallback font by stream, `borrowed`
    the fonts of other pages by stream and name. `added` are new annotations. `moved` are the boxes
    of what went up as a whole, by identity, and by how much; `fixed` are the glyphs, by identity,
    that never do. `may_push`: what grows may move down what is below it.
    """

    index: int
    page: Any
    model: PageModel
    pieces: Sequence[Piece]
    around: Surroundings
    annotations: list[Annotation]
    shared: SharedResources
    patch: Patch = field(default_factory=Patch)
    declared: list[Box] = field(default_factory=list[Box])
    fresh: list[Box] = field(default_factory=list[Box])
    fallbacks: dict[tuple[int, str], set[bytes]] = field(
        default_factory=dict[tuple[int, str], set[bytes]]
    )
    borrowed: dict[tuple[int, str], Any] = field(default_factory=dict[tuple[int, str], Any])
    added: list[Any] = field(default_factory=list[Any])
    moved: dict[int, tuple[Box, float]] = field(default_factory=dict[int, tuple[Box, float]])
    fixed: set[int] = field(default_factory=set[int])
    may_push: bool = True
    warnings: list[str] = field(default_factory=list[str])

    @property
    def number(self) -> int:
        """The page's number, from 1."""
        return self.index + 1


def open_page(document: Any, index: int, shared: SharedResources) -> PageEdit:
    """Reads a page for editing."""
    page = document.pages[index].obj
    model = interpret(page, shared)
    lines = pieces(model)
    around = Surroundings(lines, model.inks, _visible_box(page))
    patch = Patch(twins=model.twins)
    return PageEdit(index, page, model, lines, around, _annotations(page), shared, patch)


def reopened(document: Any, before: PageEdit, shared: SharedResources) -> PageEdit | None:
    """Returns a page that was read before as it was then, in the same file opened once more.

    None where it has to be read again, since what a form on it names cannot be told.
    """
    page = document.pages[before.index].obj
    streams: list[Stream] = []
    for stream in before.model.streams:
        resources = objects.inherited(page, "/Resources")
        if streams:
            form = document.get_object((stream.key, 0)) if stream.key else None
            resources = objects.entry(form, "/Resources")
            if resources is None:
                return None
        streams.append(replace(stream, resources=resources))
    model = replace(before.model, streams=tuple(streams))
    patch, annotations = Patch(twins=model.twins), _annotations(page)
    return PageEdit(
        before.index, page, model, before.pieces, before.around, annotations, shared, patch
    )


def _annotations(page: Any) -> list[Annotation]:
    return [
        Annotation(objects.name(objects.entry(holder, "/Subtype")), box, holder)
        for holder in objects.elements(objects.entry(page, "/Annots"))
        if (box := _box(objects.entry(holder, "/Rect"))) is not None
    ]


def _visible_box(page: Any) -> Box:
    for key in ("/CropBox", "/MediaBox"):
        box = _box(objects.inherited(page, key))
        if box is not None:
            return box
    return Box(0.0, 0.0, 612.0, 792.0)


def _box(value: Any) -> Box | None:
    corners = objects.numbers(value)
    if len(corners) != 4:
        return None
    x0, y0, x1, y1 = corners
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def refuse_unless_editable(page_edit: PageEdit, glyphs: Sequence[Glyph]) -> None:
    """Says why text must not be touched, if so.

    Raises:
        RefusedError: with a sentence for the person who asked.
    """
    for show in {id(glyph.show): glyph.show for glyph in glyphs}.values():
        if show.state.mode in INVISIBLE:
            message = f"The text on page {page_edit.number} is an invisible OCR layer over an image"
            raise RefusedError(message)
        if any(tag.has_actual_text for tag in show.tags):
            message = (
                f"The text on page {page_edit.number} stands for other characters (ActualText) "
                "and cannot be edited"
            )
            raise RefusedError(message)
        if show.stream and is_shared(page_edit, show.stream):
            message = (
                f"The text on page {page_edit.number} is part of a form that is drawn repeatedly"
            )
            raise RefusedError(message)
    if any(_is_mirrored(glyph) for glyph in glyphs):
        message = f"The text on page {page_edit.number} is drawn mirrored and cannot be edited"
        raise RefusedError(message)
    if any(glyph.is_unknown for glyph in glyphs):
        message = f"The file does not say which characters the text on page {page_edit.number} has"
        raise RefusedError(message)


def is_shared(page_edit: PageEdit, stream: int) -> bool:
    """Whether a form is drawn more than once on a page, or is not an object of its own."""
    key = page_edit.model.streams[stream].key
    return not key or sum(other.key == key for other in page_edit.model.streams) > 1


def _is_mirrored(glyph: Glyph) -> bool:
    a, b, c, d, _, _ = glyph.matrix
    return (a * d - b * c) * glyph.show.state.size < 0


@dataclass(frozen=True, slots=True)
class Underline:
    """A line under or through words of a row, or a ground behind them; `box` as turned."""

    ink: Ink
    box: Box


def underlines(page_edit: PageEdit, frame: Frame, extent: Box, row: Box) -> list[Underline]:
    """Finds drawn lines and grounds that belong to words.

    Args:
        page_edit: The page.
        frame: The frame of both boxes.
        extent: The words that would move or go, in turned coordinates.
        row: Their whole line.

    Raises:
        RefusedError: one that cannot be drawn elsewhere.
    """
    size = extent.height
    drawn_underlines: list[Underline] = []
    for ink in page_edit.model.inks:
        box = frame.turned(ink.box)
        is_inside = box.x0 >= row.x0 - 2 and box.x1 <= row.x1 + 2
        overlaps = min(box.x1, extent.x1) - max(box.x0, extent.x0) > 0.5
        is_beside = box.y0 < extent.y1 - 0.3 * size and box.y1 > extent.y0
        if not (is_inside and overlaps and is_beside) or box.width < 1:
            continue
        if box.height < 1.8:
            if not ink.is_plain or abs(frame.angle) > 0.01:
                message = f"The words on page {page_edit.number} have an underline drawn on its own"
                raise RefusedError(message)
            drawn_underlines.append(Underline(ink, box))
        elif (
            ink.kind == "fill"
            and box.height >= 0.5 * size
            and box.width < row.width - 2
            # What begins at the feet of a line is the ground of the next one, or of a field there.
            and box.y0 < (extent.y0 + extent.y1) / 2 < box.y1
        ):
            if not ink.is_plain or abs(frame.angle) > 0.01:
                message = f"The words on page {page_edit.number} have a background drawn on its own"
                raise RefusedError(message)
            drawn_underlines.append(Underline(ink, box))
    return drawn_underlines
