"""What stands below a place of a column goes up or down by some points, all of it together.

[x] text  [x] images, lines, areas  [x] links, fields and marks on the text  [-] what has a clip of
its own, shadings, forms drawn more than once, text that is turned: there the moving ends, and where
that stands among what would move it is refused.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.erase_block import padded
from redraft.engine.pdf.glyphs.glyphs import Ink, Show
from redraft.engine.pdf.glyphs.lines import Piece
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.reading.furniture import NUMBER_EDGE
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.typeset.columns import DROP, RISE, column, left_of, right_of
from redraft.engine.pdf.typeset.page_edit import Annotation, PageEdit, is_shared

_LEAST: Final = 1.0


def close(page_edits: Mapping[int, PageEdit], gone: Sequence[Located]) -> None:
    """Moves up what follows blocks that were taken out, which stood below one another.

    Args:
        page_edits: the pages, with the blocks already taken out.
        gone: those blocks, in reading order.

    Raises:
        RefusedError: it cannot be done without damage; says why.
    """
    rows = [row for located in gone for row in located.rows]
    first, last = rows[0], rows[-1]
    page_edit = page_edits[first.page]
    if any(row.page != first.page or abs(row.piece.frame.angle) > 0.01 for row in rows):
        message = (
            f"Cannot close the gap on page {page_edit.number}: the text runs over pages, or is "
            "turned; delete it and leave the gap"
        )
        raise RefusedError(message)
    if any(above.piece.v < below.piece.v for above, below in itertools.pairwise(rows)):
        message = (
            f"Cannot close the gap on page {page_edit.number}: the text runs over columns; delete "
            "it and leave the gap"
        )
        raise RefusedError(message)
    shape = column(rows, page_edit.around)
    band = (min(shape.left, *map(left_of, rows)), max(shape.right, *map(right_of, rows)))
    column_below = tail(page_edit, last.piece.v - 0.05 * last.piece.size, band)
    up = _top(first) - column_below.highest
    is_near = last.piece.v - column_below.highest <= FAR
    if column_below.things and is_near and up > _LEAST:
        column_below.move(up)


def _top(row: Row) -> float:
    return row.piece.v + RISE * row.piece.size


FAR: Final = 60.0
"""What stands further below than so many points does not follow."""
MARGIN: Final = 36.0
BESIDE: Final = 36.0
"""Points between a form field and the words that name it, at most."""
LABEL: Final = 4
"""How many characters a bullet or number has at most."""
_PAGE_NUMBER: Final = re.compile(
    r"[-\u2013\u2014\s]*(?:(?:page|seite|p\.|s\.)\s*)?\d{1,4}(?:\s*(?:of|von|/)\s*\d{1,4})?"
    r"[-\u2013\u2014\s]*",
    re.IGNORECASE,
)
_LINE: Final = 3.0
_NEAR: Final = 1.0
_PAIRS: Final = ("/QuadPoints", "/Vertices", "/L", "/CL")

_Thing: TypeAlias = Piece | Ink


@dataclass(slots=True)
class Tail:
    """What follows below `top` in a column, and the highest thing below it that stays."""

    page_edit: PageEdit
    top: float
    things: list[tuple[Box, _Thing]] = field(default_factory=list[tuple[Box, _Thing]])
    barrier: float = float("-inf")

    @property
    def bottom(self) -> float:
        """Where the lowest thing ends, with what was moved and added by now."""
        lows = [box.y0 + min(0.0, self._moved(thing)) for box, thing in self.things]
        if self.things:
            left, right = self.sides
            lows += [box.y0 + 2 for box in self.page_edit.declared
                     if box.y1 <= self.top and left < box.x1 and box.x0 < right]  # fmt: skip
        return min(lows, default=self.top)

    @property
    def sides(self) -> tuple[float, float]:
        """Where the things begin and end."""
        boxes = [box for box, _ in self.things]
        left, right = (box.x0 for box in boxes), (box.x1 for box in boxes)
        return min(left, default=0.0), max(right, default=0.0)

    def _moved(self, thing: _Thing) -> float:
        move = self.page_edit.moved.get(id(thing))
        return move[1] if move else 0.0

    @property
    def highest(self) -> float:
        """Where the first thing begins."""
        return max((box.y1 for box, _ in self.things), default=self.top)

    def room(self) -> float:
        """Returns how far everything may go down."""
        page = self.page_edit.around.page
        boxes = [_box_of(piece) for piece in self.page_edit.pieces]
        left = min((box.x0 for box in boxes), default=page.x0) - page.x0
        top = page.y1 - max((box.y1 for box in boxes), default=page.y1)
        floor = max(page.y0 + max(MARGIN, min(left, top)), self.barrier + 0.5 * MARGIN)
        return max(0.0, self.bottom - floor)

    def make_room(self, depth: float) -> None:
        """Moves everything down, onto ground that must have been blank.

        Raises:
            RefusedError: something cannot be moved, or would be cut off.
        """
        if self.things:
            (left, right), bottom = self.sides, self.bottom
            self.move(-depth)
            self.page_edit.fresh.append(Box(left, bottom - depth, right, bottom - 0.1 * depth))

    def move(self, up: float) -> None:
        """Moves everything by so many points.

        Raises:
            RefusedError: something cannot be moved, or would be cut off; nothing is then.
        """
        glyphs = [g for _, thing in self.things if isinstance(thing, Piece) for g in thing.glyphs]
        own = {id(glyph) for glyph in glyphs}
        shows = {id(glyph.show): glyph.show for glyph in glyphs}
        every = [*shows.values(), *self._blanks(shows)]
        for show in every:
            self._check(show, own, up)
        for box, thing in self.things:
            if isinstance(thing, Ink):
                self._check_clip(thing, box, up + self._moved(thing))
        for show in every:
            self.page_edit.patch.move(show, up)
        sides = self._free_sides()
        self._declare_changed(up)
        for box, thing in self.things:
            total = self._moved(thing) + up
            there = Box(box.x0, box.y0 + total, box.x1, box.y1 + total)
            self.page_edit.declared += [padded(box, 6.0), padded(there, 6.0)]
            self.page_edit.moved[id(thing)] = (box, total)
            if isinstance(thing, Ink):
                self.page_edit.patch.carry(thing, up)
        for side, edge in sides:
            box, total = side.box, self._moved(edge)
            longer = Box(box.x0, box.y0 + total, box.x1, box.y1)
            self.page_edit.patch.redraw(side, [longer])
            self.page_edit.declared += [padded(box, 1.0), padded(longer, 1.0)]
        for annotation in self._annotations():
            self.page_edit.declared.append(padded(annotation.box, 6.0))
            _move_annotation(annotation, up)
            self.page_edit.declared.append(padded(annotation.box, 6.0))

    def _blanks(self, shows: Mapping[int, Show]) -> Iterator[Show]:
        """Yields the strings of blanks among the text, by which readers tell words apart."""
        left, right = self.sides
        for show in self.page_edit.model.shows:
            if id(show) not in shows and show.glyphs and all(g.is_blank for g in show.glyphs):
                first = show.glyphs[0]
                if self.bottom - 1 < first.y < self.top and left - 4 < first.x < right + 4:
                    yield show

    def _check(self, show: Show, own: set[int], up: float) -> None:
        deleted = self.page_edit.patch.deleted
        remaining = [g for g in show.glyphs if not g.is_blank and id(g) not in deleted]
        if any(id(glyph) not in own for glyph in remaining):
            raise RefusedError(
                _cannot(self.page_edit, "text that is written in one with other text")
            )
        if show.stream and is_shared(self.page_edit, show.stream):
            raise RefusedError(_cannot(self.page_edit, "part of a form that is drawn repeatedly"))
        clip, up = show.state.clip, up + self.page_edit.patch.moved.get(id(show), 0.0)
        for glyph in remaining if clip is not None else ():
            low = glyph.y + up
            if clip is not None and not (clip.y0 - 1 <= low and low + 0.5 * glyph.size <= clip.y1):
                raise RefusedError(_cannot(self.page_edit, "framed and would be cut off"))

    def _frame_sides(self) -> Iterator[tuple[Ink, Ink]]:
        """Yields upright lines that begin above and end on a level one that moves, with that one.

        They are the sides of a frame around what is above, which would be torn open.
        """
        sides: dict[int, list[Ink]] = {}
        for ink in self.page_edit.model.inks:
            if ink.box.width < _LINE < ink.box.height and ink.box.y1 > self.top + _NEAR:
                sides.setdefault(round(ink.box.y0 / _LINE), []).append(ink)
        met: set[int] = set()
        for box, edge in self.things if sides else ():
            if not isinstance(edge, Ink) or box.height >= _LINE or box.width <= _LINE:
                continue
            level = round(box.y0 / _LINE)
            for side in (ink for at in (-1, 0, 1) for ink in sides.get(level + at, ())):
                if box.x0 - _LINE < side.box.x0 < box.x1 + _LINE and id(side) not in met:
                    met.add(id(side))
                    yield side, edge

    def _check_clip(self, ink: Ink, box: Box, up: float) -> None:
        """Refuses to move what is drawn to where its clip, which stays, would hide it."""
        clip = ink.clip
        if clip is not None and not (clip.y0 - 1 <= box.y0 + up and box.y1 + up <= clip.y1 + 1):
            raise RefusedError(_cannot(self.page_edit, "framed and would be cut off"))

    def _declare_changed(self, up: float) -> None:
        """Says where what was changed below may look different now."""
        for box in list(self.page_edit.declared):
            if box.y1 <= self.top + 4 and box.y0 >= self.bottom - 40:
                self.page_edit.declared.append(Box(box.x0, box.y0 + up, box.x1, box.y1 + up))

    def _free_sides(self) -> list[tuple[Ink, Ink]]:
        """Returns the sides of frames that become longer.

        Raises:
            RefusedError: one cannot be drawn anew, or a form field stands beside what moves.
        """
        if any(self._is_beside(annotation) for annotation in self.page_edit.annotations):
            raise RefusedError(_cannot(self.page_edit, "beside a form field, which would stay"))
        sides = list(self._frame_sides())
        if any(not side.is_free for side, _ in sides):
            raise RefusedError(_cannot(self.page_edit, "the lower edge of a frame around text"))
        return sides

    def _is_beside(self, annotation: Annotation) -> bool:
        """Whether a field stands beside what moves, and would stay there without its words."""
        (left, right), box = self.sides, annotation.box
        if annotation.kind != "Widget" or not self.bottom - 2 < (box.y0 + box.y1) / 2 < self.top:
            return False
        is_left, is_right = box.x1 < left + 4, box.x0 > right - 4
        distance = left - box.x1 if is_left else box.x0 - right
        return (is_left or is_right) and distance < BESIDE

    def _annotations(self) -> Iterator[Annotation]:
        """Yields the annotations that lie on what moves."""
        for annotation in self.page_edit.annotations:
            middle = (annotation.box.y0 + annotation.box.y1) / 2
            is_below = annotation.box.y1 <= self.top + 4 and middle >= self.bottom - 2
            across = (annotation.box.x0 + annotation.box.x1) / 2
            spans = any(box.x0 - 4 <= across <= box.x1 + 4 for box, _ in self.things)
            if is_below and spans and not annotation.is_gone:
                yield annotation


def tail(page_edit: PageEdit, top: float, band: tuple[float, float]) -> Tail:
    """Collects what follows below a place in a column.

    Args:
        page_edit: the page.
        top: the place, in page space.
        band: where the column begins and ends.

    Raises:
        RefusedError: text of the page is drawn twice, and half of it would stay.
    """
    if page_edit.patch.twins:
        message = (
            f"The text on page {page_edit.number} is drawn twice to look bold, so nothing can be "
            "moved there"
        )
        raise RefusedError(message)
    below = Tail(page_edit, top)
    left, right = band
    beside: list[Box] = []
    low = top
    deleted = page_edit.patch.deleted
    for box, thing in _below(page_edit, top):
        if isinstance(thing, Piece) and all(id(glyph) in deleted for glyph in thing.inked):
            continue
        is_beside = box.x1 < left + _NEAR or box.x0 > right - _NEAR
        if is_beside and not _is_label(page_edit, thing, (left, right)):
            beside.append(box)
            continue
        bridges = any(other.x0 < box.x1 and box.x0 < other.x1 for other in beside)
        is_far = bool(below.things) and low - box.y1 > FAR
        is_number = isinstance(thing, Piece) and _is_page_number(page_edit, thing)
        if bridges or is_far or is_number or _is_fixed(thing, page_edit.fixed):
            below.barrier = box.y1
            break
        below.things.append((box, thing))
        left, right, low = min(left, box.x0), max(right, box.x1), min(low, box.y0)
    inside = [box for box, _ in below.things if box.y1 > below.barrier]
    if len(inside) < len(below.things) or any(box.y0 < below.barrier for box in inside):
        raise RefusedError(_cannot(page_edit, "a figure or area among text that stays"))
    return below


def _is_label(page_edit: PageEdit, thing: _Thing, band: tuple[float, float]) -> bool:
    """Whether something is a bullet or number left of a line of the column."""
    if not isinstance(thing, Piece) or len(thing.inked) > LABEL:
        return False
    size = thing.size
    return any(
        abs(piece.v - thing.v) < 0.3 * max(size, piece.size)
        and 0 < piece.left - thing.right < 4 * max(size, piece.size)
        and band[0] - _NEAR < piece.left < band[1]
        for piece in page_edit.pieces
    )


def _is_page_number(page_edit: PageEdit, piece: Piece) -> bool:
    """Whether a line is the number of its page: alone at the foot of the page, and no more."""
    page = page_edit.around.page
    text = "".join(glyph.text for glyph in piece.glyphs).strip()
    level = [other for other in page_edit.pieces if other.frame == piece.frame]
    is_alone = all(other is piece or other.v >= piece.v + piece.size for other in level)
    is_low = piece.v < page.y0 + NUMBER_EDGE * page.height
    return is_low and is_alone and _PAGE_NUMBER.fullmatch(text) is not None


def _below(page_edit: PageEdit, top: float) -> list[tuple[Box, _Thing]]:
    """Returns everything that begins below a place, from the top down.

    What lies behind it stays.
    """
    things: list[tuple[Box, _Thing]] = [(_box_of(piece), piece) for piece in page_edit.pieces]
    things += [(ink.box, ink) for ink in page_edit.model.inks]
    inside = [(box, thing) for box, thing in things if box.y1 <= top + _NEAR]
    return sorted(inside, key=lambda pair: -pair[0].y1)


def _box_of(piece: Piece) -> Box:
    if abs(piece.frame.angle) < 0.01:
        low, high = piece.v - DROP * piece.size, piece.v + RISE * piece.size
        return Box(piece.left, low, piece.right, high)
    return piece.frame.upright(piece.box)


def _is_fixed(thing: _Thing, fixed: set[int]) -> bool:
    """Whether something cannot go along."""
    if isinstance(thing, Piece):
        return abs(thing.frame.angle) >= 0.01 or any(id(g) in fixed for g in thing.inked)
    clip = thing.clip
    is_open = clip is None or (
        clip.x0 <= thing.box.x0 and thing.box.x1 <= clip.x1 and thing.has_room
    )
    return not thing.end or not is_open or thing.stream != 0


def _cannot(page_edit: PageEdit, why: str) -> str:
    return (
        f"Cannot close the gap or make room on page {page_edit.number}: what stands below is {why}"
    )


def _move_annotation(annotation: Annotation, up: float) -> None:
    import pikepdf

    holder, box = annotation.holder, annotation.box
    annotation.box = Box(box.x0, box.y0 + up, box.x1, box.y1 + up)
    corners: list[Any] = [box.x0, box.y0 + up, box.x1, box.y1 + up]
    holder[pikepdf.Name.Rect] = pikepdf.Array([round(value, 4) for value in corners])
    for key in _PAIRS:
        values = objects.numbers(objects.entry(holder, key))
        if values:
            holder[key] = pikepdf.Array(_raised(values, up))
    strokes = objects.elements(objects.entry(holder, "/InkList"))
    if strokes:
        lines = [pikepdf.Array(_raised(objects.numbers(value), up)) for value in strokes]
        holder[pikepdf.Name.InkList] = pikepdf.Array(lines)


def _raised(values: Sequence[float], up: float) -> list[float]:
    return [round(value + up, 4) if at % 2 else value for at, value in enumerate(values)]


def unchanged(page_edit: PageEdit) -> Iterator[tuple[Box, float]]:
    """Yields what was moved and not changed besides: its box before, and how far up it went."""
    edited = {id(glyph) for show in page_edit.patch.shows.values() for glyph in show.glyphs
              if id(glyph) in page_edit.patch.deleted}  # fmt: skip
    edited |= {id(chunk.anchor) for chunk in page_edit.patch.chunks}
    for piece in page_edit.pieces:
        if id(piece) in page_edit.moved and any(id(glyph) in edited for glyph in piece.glyphs):
            del page_edit.moved[id(piece)]
    pieces = {id(piece) for piece in page_edit.pieces}
    for key, (box, up) in page_edit.moved.items():
        # Letters of the lines above and below reach into the box of a line.
        inset = 0.15 * box.height if key in pieces else 0.0
        yield Box(box.x0, box.y0 + inset, box.x1, box.y1 - inset), up
