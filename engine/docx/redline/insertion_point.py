"""Where new text stands in a paragraph, and whose formatting it takes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.docx.names import W
from redraft.engine.docx.redline.line import Box, Entry, Line, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame
from redraft.engine.errors import RefusedError

COMPUTED: Final = (
    "The text is the result of a computed field, which Word would overwrite at its next update; "
    "the document is unchanged"
)
LOCKED: Final = "The text stands in a locked content control; the document is unchanged"
KEPT: Final = (
    "A content control that may not be deleted stands in the text; unlock it in Word, or change "
    "only the words beside it"
)
MOVED: Final = (
    "The text stands in a content control that was moved here as a tracked change; accept the move "
    "first, or change the text around the control"
)
_NOTES: Final = frozenset({"fn", "en"})
_OWN_MARK: Final = W("customMarkFollows")
_ON: Final = frozenset({"1", "true", "on"})
_LINK_LIKE: Final = frozenset({"link", "control", "field"})


def notes_of(line: Line) -> list[tuple[int, Unit]]:
    """Returns the references to notes that stand, with their offsets in the text.

    Not those with a mark of their own, which is text behind them (17.11.13, customMarkFollows).
    """
    references: list[tuple[int, Unit]] = []
    at = 0
    for unit in line.units:
        if unit.is_visible:
            at += len(unit.text)
        elif (
            unit.token in _NOTES
            and unit.standing is not Standing.STRUCK
            and unit.node.get(_OWN_MARK, "0") not in _ON
        ):
            references.append((at, unit))
    return references


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a box: behind an entry, before one, or at the end when neither is said."""

    box: Box
    behind: Entry | None = None
    before: Entry | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The visible units on both sides of a place: those inside the edit, and of the whole line.

    `home` is the innermost box that holds everything the edit names.
    """

    left: Unit | None
    right: Unit | None
    left_inside: Unit | None
    right_inside: Unit | None
    home: Box | None


class Places:
    """The offsets of a line, once computed: they hold until its units are struck or written."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.origin: dict[Unit, int] = {}
        self._order = {unit: index for index, unit in enumerate(line.units)}
        self._visible = [unit for unit in line.units if unit.is_visible]
        self._starts: list[int] = []
        at = 0
        for unit in self._visible:
            self.origin[unit] = at
            self._starts.append(at)
            at += len(unit.text)

    def between(self, start: int, end: int) -> list[Unit]:
        """Returns the visible units of text[start:end]; both must be edges of units."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return self._visible[first:last]

    def bounds(self, at: int, start: int, end: int) -> Bounds:
        """Returns what stands around offset `at` of an edit of text[start:end]."""
        index = bisect_left(self._starts, at)
        left = self._visible[index - 1] if index else None
        right = self._visible[index] if index < len(self._visible) else None
        home = None
        if end > start:
            first = self._visible[bisect_right(self._starts, start) - 1]
            last = self._visible[bisect_left(self._starts, end) - 1]
            home = _shared(first.box, last.box)
        return Bounds(left, right, left if at > start else None, right if at < end else None, home)

    def of_replacement(self, struck: Sequence[Unit]) -> tuple[Unit, Spot]:
        """Returns the unit whose run gives most of the struck text, and the end of its stretch.

        Text outside hyperlinks and controls goes before text in them; a stretch ends at an object.
        """
        lenders = [unit for unit in struck if unit.text and unit.lock != "field"] or list(struck)
        outside = [unit for unit in lenders if unit.box.kind not in _LINK_LIKE] or lenders
        sizes: dict[object, int] = {}
        for unit in outside:
            sizes[unit.run] = sizes.get(unit.run, 0) + len(unit.text)
        most = max(sizes.values())
        like = next(unit for unit in outside if sizes[unit.run] == most)
        chosen = set(struck)
        last = like
        for index in range(self._order[like], len(self.line.units)):
            unit = self.line.units[index]
            if unit.box is not like.box or (unit not in chosen and (unit.lock or unit.is_visible)):
                break
            if unit in chosen:
                last = unit
        spot = Spot(last.box, behind=last)
        while spot.box.kind == "field" and spot.box.parent is not None:
            spot = Spot(spot.box.parent, behind=spot.box)
        return like, spot

    def of_insertion(
        self, bounds: Bounds, after: Unit | None, before: Unit | None, box: Box | None
    ) -> tuple[Unit | None, Spot]:
        """Returns whose formatting a pure insertion takes, and where it stands.

        Args:
            bounds: What stands around it.
            after: For an empty stretch between objects: the object that it must follow.
            before: Without one: the object that it must precede.
            box: The element that it must not leave; None for what the edit names.

        Raises:
            RefusedError: it would stand inside a computed field.
        """
        spot = self._spot(bounds, after, before, box)
        if spot.box.kind == "field":
            raise RefusedError(COMPUTED)
        sides = (bounds.left, bounds.right)
        if spot.box.kind == "control" and any(side and side.lock == "control" for side in sides):
            raise RefusedError(LOCKED)
        return self._neighbour(spot.box, bounds), spot

    def _spot(
        self, bounds: Bounds, after: Unit | None, before: Unit | None, box: Box | None
    ) -> Spot:
        left, right = bounds.left_inside, bounds.right_inside
        if left is None and right is None:
            if after is not None:
                return Spot(box or after.box, behind=_within(box or after.box, after))
            if before is not None:
                return Spot(box or before.box, before=_within(box or before.box, before))
            if box is not None:
                return Spot(box)
            left, right = bounds.left, bounds.right
        if left is not None and right is not None:
            return self._in_the_middle(left, right)
        ends = (bounds.left, bounds.right)
        if all(end is not None and end.lock == "field" for end in ends) and _same(*ends):
            raise RefusedError(COMPUTED)
        home = box or bounds.home
        if left is not None:
            edge = self._edge(left, -1)
            outer = _innermost(home, edge.box, bounds.right)
            return Spot(outer, behind=_within(outer, edge))
        if right is not None:
            edge = self._edge(right, 0)
            outer = _innermost(home, edge.box, bounds.left)
            return Spot(outer, before=_within(outer, edge))
        return Spot(self.line.root)

    def _in_the_middle(self, left: Unit, right: Unit) -> Spot:
        if _root(left) is _root(right):
            if left.lock == right.lock == "field":
                raise RefusedError(COMPUTED)
        else:
            left, right = self._outside(left, -1), self._outside(right, 0)
        shared = _shared(left.box, right.box)
        return Spot(shared, behind=_within(shared, left))

    def _edge(self, unit: Unit, side: int) -> Unit:
        """Returns the unit, or for a computed field the first (0) or last (-1) unit of it all."""
        return self._outside(unit, side) if unit.lock == "field" else unit

    def _outside(self, unit: Unit, side: int) -> Unit:
        """Returns the first (0) or last (-1) unit of the outermost field around a unit, or None."""
        frame = _root(unit)
        if frame is None:
            return unit
        units = self.line.units
        at, step = self._order[unit], -1 if side == 0 else 1
        while 0 <= at + step < len(units) and _root(units[at + step]) is frame:
            at += step
        if frame.is_carried if side == 0 else not frame.is_closed:
            raise RefusedError(COMPUTED)
        return units[at]

    def _neighbour(self, box: Box, bounds: Bounds) -> Unit | None:
        """Returns the unit whose formatting an insertion takes.

        Left before right, in the same box.
        """
        near = (bounds.left_inside, bounds.left, bounds.right_inside, bounds.right)
        for unit in (*near, *self._visible):
            if unit is None or unit.run is None or unit.lock:
                continue
            if unit.box is box or unit.box.kind not in _LINK_LIKE:
                return unit
        return None


def _same(left: Unit | None, right: Unit | None) -> bool:
    return left is not None and right is not None and _root(left) is _root(right)


def _root(unit: Unit) -> Frame | None:
    """Returns the outermost field that a unit stands in."""
    frame = unit.frame
    while frame is not None and frame.parent is not None:
        frame = frame.parent
    return frame


def _chain(box: Box) -> list[Box]:
    chain = [box]
    while chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain


def _shared(first: Box, second: Box) -> Box:
    """Returns the innermost box that holds both; a computed field is left for what holds it."""
    around = set(_chain(first))
    shared = next(box for box in _chain(second) if box in around)
    while shared.kind == "field" and shared.parent is not None:
        shared = shared.parent
    return shared


def _innermost(home: Box | None, inner: Box, beyond: Unit | None) -> Box:
    """Returns the box for what stands at the edge of `inner`: `home`, or one in it that goes on.

    Args:
        home: The box that holds everything the edit names; None for `inner`.
        inner: The box of the last unit on this side of the place.
        beyond: The visible unit on the other side of the place.
    """
    if home is None or beyond is None:
        return home or inner
    around = set(_chain(beyond.box))
    return next(box for box in _chain(inner) if box is home or box in around)


def _within(box: Box, unit: Unit) -> Entry:
    """Returns the entry of a box that is the unit or holds it."""
    entry: Entry = unit
    at: Box | None = unit.box
    while at is not None and at is not box:
        entry, at = at, at.parent
    return entry
