"""What stands below a place of a column goes up or down by some points, all of it together.

[x] text  [x] images, lines, areas  [x] links, fields and marks on the text  [-] what has a clip of
its own, shadings, forms drawn more than once, text that is turned: there the moving ends, and where
that stands among what would move it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.erase_block import padded
from redraft.engine.pdf.glyphs.glyphs import Ink, Show
from redraft.engine.pdf.glyphs.lines import Piece
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.typeset.columns import DROP, RISE
from redraft.engine.pdf.typeset.page_edit import Annotation, Sheet, is_shared

FAR: Final = 60.0
"""What stands further below than so many points does not follow."""
MARGIN: Final = 36.0
LABEL: Final = 4
"""How many characters a bullet or number has at most."""
_NEAR: Final = 1.0
_PAIRS: Final = ("/QuadPoints", "/Vertices", "/L", "/CL")

_Thing: TypeAlias = Piece | Ink


@dataclass(slots=True)
class Tail:
    """What follows below `top` in a column, and the highest thing below it that stays."""

    sheet: Sheet
    top: float
    things: list[tuple[Box, _Thing]] = field(default_factory=list[tuple[Box, _Thing]])
    barrier: float = float("-inf")

    @property
    def bottom(self) -> float:
        """Where the lowest thing ends, with what was moved and added by now."""
        lows = [box.y0 + min(0.0, self._moved(each)) for box, each in self.things]
        if self.things:
            left, right = self.sides
            lows += [box.y0 + 2 for box in self.sheet.declared
                     if box.y1 <= self.top and left < box.x1 and box.x0 < right]  # fmt: skip
        return min(lows, default=self.top)

    @property
    def sides(self) -> tuple[float, float]:
        """Where the things begin and end."""
        boxes = [box for box, _ in self.things]
        left, right = (box.x0 for box in boxes), (box.x1 for box in boxes)
        return min(left, default=0.0), max(right, default=0.0)

    def _moved(self, thing: _Thing) -> float:
        held = self.sheet.moved.get(id(thing))
        return held[1] if held else 0.0

    @property
    def highest(self) -> float:
        """Where the first thing begins."""
        return max((box.y1 for box, _ in self.things), default=self.top)

    def room(self) -> float:
        """Give how far everything may go down."""
        page = self.sheet.around.page
        boxes = [_box_of(piece) for piece in self.sheet.pieces]
        left = min((box.x0 for box in boxes), default=page.x0) - page.x0
        top = page.y1 - max((box.y1 for box in boxes), default=page.y1)
        floor = max(page.y0 + max(MARGIN, min(left, top)), self.barrier + 0.5 * MARGIN)
        return max(0.0, self.bottom - floor)

    def make_room(self, depth: float) -> None:
        """Move everything down, onto ground that must have been blank.

        Raises:
            RefusedError: something cannot be moved, or would be cut off.
        """
        if self.things:
            (left, right), bottom = self.sides, self.bottom
            self.move(-depth)
            self.sheet.fresh.append(Box(left, bottom - depth, right, bottom - 0.1 * depth))

    def move(self, up: float) -> None:
        """Move everything by so many points.

        Raises:
            RefusedError: something cannot be moved, or would be cut off; nothing is then.
        """
        glyphs = [g for _, each in self.things if isinstance(each, Piece) for g in each.glyphs]
        own = {id(glyph) for glyph in glyphs}
        shows = {id(glyph.show): glyph.show for glyph in glyphs}
        every = [*shows.values(), *self._blanks(shows)]
        for show in every:
            self._check(show, own, up)
        for show in every:
            self.sheet.patch.move(show, up)
        self._declare_changed(up)
        for box, each in self.things:
            total = self._moved(each) + up
            there = Box(box.x0, box.y0 + total, box.x1, box.y1 + total)
            self.sheet.declared += [padded(box, 6.0), padded(there, 6.0)]
            self.sheet.moved[id(each)] = (box, total)
            if isinstance(each, Ink):
                self.sheet.patch.carry(each, up)
        for annotation in self._annotations():
            self.sheet.declared.append(padded(annotation.box, 6.0))
            _move_annotation(annotation, up)
            self.sheet.declared.append(padded(annotation.box, 6.0))

    def _blanks(self, shows: Mapping[int, Show]) -> Iterator[Show]:
        """Give the strings of blanks among the text, by which readers tell words apart."""
        left, right = self.sides
        for show in self.sheet.model.shows:
            if id(show) not in shows and show.glyphs and all(g.is_blank for g in show.glyphs):
                first = show.glyphs[0]
                if self.bottom - 1 < first.y < self.top and left - 4 < first.x < right + 4:
                    yield show

    def _check(self, show: Show, own: set[int], up: float) -> None:
        deleted = self.sheet.patch.deleted
        kept = [g for g in show.glyphs if not g.is_blank and id(g) not in deleted]
        if any(id(glyph) not in own for glyph in kept):
            raise RefusedError(_cannot(self.sheet, "text that is written in one with other text"))
        if show.stream and is_shared(self.sheet, show.stream):
            raise RefusedError(_cannot(self.sheet, "part of a form that is drawn repeatedly"))
        clip, up = show.state.clip, up + self.sheet.patch.moved.get(id(show), 0.0)
        for glyph in kept if clip is not None else ():
            low = glyph.y + up
            if clip is not None and not (clip.y0 - 1 <= low and low + 0.5 * glyph.size <= clip.y1):
                raise RefusedError(_cannot(self.sheet, "framed and would be cut off"))

    def _declare_changed(self, up: float) -> None:
        """Say where what was changed below may look different now."""
        for box in list(self.sheet.declared):
            if box.y1 <= self.top + 4 and box.y0 >= self.bottom - 40:
                self.sheet.declared.append(Box(box.x0, box.y0 + up, box.x1, box.y1 + up))

    def _annotations(self) -> Iterator[Annotation]:
        """Give the annotations that lie on what moves."""
        for each in self.sheet.annotations:
            middle = (each.box.y0 + each.box.y1) / 2
            is_below = each.box.y1 <= self.top + 4 and middle >= self.bottom - 2
            across = (each.box.x0 + each.box.x1) / 2
            spans = any(box.x0 - 4 <= across <= box.x1 + 4 for box, _ in self.things)
            if is_below and spans and not each.is_gone:
                yield each


def tail(sheet: Sheet, top: float, band: tuple[float, float]) -> Tail:
    """Collect what follows below a place in a column.

    Args:
        sheet: the page.
        top: the place, in page space.
        band: where the column begins and ends.
    """
    found = Tail(sheet, top)
    left, right = band
    beside: list[Box] = []
    low = top
    deleted = sheet.patch.deleted
    for box, each in _below(sheet, top):
        if isinstance(each, Piece) and all(id(glyph) in deleted for glyph in each.inked):
            continue
        is_beside = box.x1 < left + _NEAR or box.x0 > right - _NEAR
        if is_beside and not _is_label(sheet, each, (left, right)):
            beside.append(box)
            continue
        bridges = any(other.x0 < box.x1 and box.x0 < other.x1 for other in beside)
        is_far = bool(found.things) and low - box.y1 > FAR
        if bridges or is_far or _is_fixed(each, sheet.fixed):
            found.barrier = box.y1
            break
        found.things.append((box, each))
        left, right, low = min(left, box.x0), max(right, box.x1), min(low, box.y0)
    inside = [box for box, _ in found.things if box.y1 > found.barrier]
    if len(inside) < len(found.things) or any(box.y0 < found.barrier for box in inside):
        raise RefusedError(_cannot(sheet, "a figure or area among text that stays"))
    return found


def _is_label(sheet: Sheet, thing: _Thing, band: tuple[float, float]) -> bool:
    """Whether something is a bullet or number left of a line of the column."""
    if not isinstance(thing, Piece) or len(thing.inked) > LABEL:
        return False
    size = thing.size
    return any(
        abs(piece.v - thing.v) < 0.3 * max(size, piece.size)
        and 0 < piece.left - thing.right < 4 * max(size, piece.size)
        and band[0] - _NEAR < piece.left < band[1]
        for piece in sheet.pieces
    )


def _below(sheet: Sheet, top: float) -> list[tuple[Box, _Thing]]:
    """Give everything that begins below a place, from the top down; what lies behind it stays."""
    things: list[tuple[Box, _Thing]] = [(_box_of(piece), piece) for piece in sheet.pieces]
    things += [(ink.box, ink) for ink in sheet.model.inks]
    inside = [(box, each) for box, each in things if box.y1 <= top + _NEAR]
    return sorted(inside, key=lambda held: -held[0].y1)


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
        clip.x0 <= thing.box.x0 and thing.box.x1 <= clip.x1 and clip.height > 2 * thing.box.height
    )
    return not thing.end or not is_open or thing.stream != 0


def _cannot(sheet: Sheet, why: str) -> str:
    return f"Cannot close the gap or make room on page {sheet.number}: what stands below is {why}"


def _move_annotation(annotation: Annotation, up: float) -> None:
    import pikepdf

    holder, box = annotation.holder, annotation.box
    annotation.box = Box(box.x0, box.y0 + up, box.x1, box.y1 + up)
    corners: list[Any] = [box.x0, box.y0 + up, box.x1, box.y1 + up]
    holder[pikepdf.Name.Rect] = pikepdf.Array([round(each, 4) for each in corners])
    for key in _PAIRS:
        values = objects.numbers(objects.entry(holder, key))
        if values:
            holder[key] = pikepdf.Array(_raised(values, up))
    strokes = objects.elements(objects.entry(holder, "/InkList"))
    if strokes:
        lines = [pikepdf.Array(_raised(objects.numbers(each), up)) for each in strokes]
        holder[pikepdf.Name.InkList] = pikepdf.Array(lines)


def _raised(values: Sequence[float], up: float) -> list[float]:
    return [round(each + up, 4) if at % 2 else each for at, each in enumerate(values)]


def unchanged(sheet: Sheet) -> Iterator[tuple[Box, float]]:
    """Give what was moved and not changed besides: its box before, and how far up it went."""
    edited = {id(glyph) for show in sheet.patch.shows.values() for glyph in show.glyphs
              if id(glyph) in sheet.patch.deleted}  # fmt: skip
    edited |= {id(chunk.anchor) for chunk in sheet.patch.chunks}
    for piece in sheet.pieces:
        if id(piece) in sheet.moved and any(id(glyph) in edited for glyph in piece.glyphs):
            del sheet.moved[id(piece)]
    pieces = {id(piece) for piece in sheet.pieces}
    for key, (box, up) in sheet.moved.items():
        # Letters of the lines above and below reach into the box of a line.
        inset = 0.15 * box.height if key in pieces else 0.0
        yield Box(box.x0, box.y0 + inset, box.x1, box.y1 - inset), up
