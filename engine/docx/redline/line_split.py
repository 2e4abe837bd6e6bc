"""Cuts the line of a paragraph in two at an offset of its text.

Nothing is repeated and nothing of the text changes hands: runs that the cut divides are copied with
their properties, another author's insertion becomes two halves with the same author and date.
Hyperlinks, controls and fields are never divided.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from typing import Final

from lxml import etree

from redraft.engine.docx.names import W_ID, W_PPR, Element, W
from redraft.engine.docx.redline.line import Box, Entry, Line, Opaque, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame
from redraft.engine.docx.redline.revision_ids import Ids
from redraft.engine.docx.redline.tracked_text import slice_of
from redraft.engine.errors import RefusedError

_INSIDE: Final = {
    "link": "a hyperlink",
    "control": "a content control",
    "field": "a computed field",
    "plain": "marked-up text",
    "foreign": "text that other changes are nested in",
}
_STARTS: Final = frozenset(
    {
        W("proofErr"),
        *(W(f"{name}Start") for name in ("bookmark", "perm", "commentRange")),
        *(W(f"{name}RangeStart") for name in ("moveFrom", "moveTo")),
    }
)


class Cuts:
    """Where a line can be divided; looked at once, however many places are asked about."""

    def __init__(self, line: Line) -> None:
        self._root = line.root
        self._entries = list(line.root.entries)
        self._ends = list(itertools.accumulate(map(_size, self._entries)))
        # Where each outermost field begins and ends, by the indexes of entries; none overlap.
        spans: dict[Frame, list[int]] = {}
        for index, entry in enumerate(self._entries):
            for frame in _fields([entry]):
                spans.setdefault(frame, [index, index])[1] = index
        self._fields = sorted(spans.values())

    def check(self, at: int) -> None:
        """Sees whether the line can be divided.

        Args:
            at: Offset in its text, 0 < at < length.

        Raises:
            RefusedError: the place is inside something that cannot be divided.
        """
        index = bisect_right(self._ends, at)
        entry = self._entries[index]
        if at > self._ends[index] - _size(entry):
            if isinstance(entry, Unit):
                _check_unit(entry)
            else:
                _halves(self._root, at)
            ahead = behind = index
        else:
            behind = _pulled(self._entries, index)
            ahead = behind - 1
        field = bisect_right(self._fields, ahead, key=lambda span: span[0]) - 1
        if field >= 0 and self._fields[field][1] >= behind:
            raise _refused("field")


def cut(line: Line, at: int, first: Element, ids: Ids) -> tuple[Line, Line]:
    """Divides a line: what comes before the offset goes to the paragraph `first`.

    Args:
        line: As read; it must not be used afterwards.
        at: Offset in its text, 0 < at < length.
        first: A new paragraph; its properties stay.
        ids: For the second half of another author's insertion.

    Returns:
        Both lines, to be written together.

    Raises:
        RefusedError: the place is inside something that cannot be divided.
    """
    before, after, inner = _halves(line.root, at)
    left = Box(first, "paragraph", outer=first, is_dirty=True)
    properties = first.find(W_PPR)
    if properties is not None:
        left.entries.append(Opaque(properties, is_marker=True))
    owned = [e for e in before if isinstance(e, Opaque) and e.element.tag == W_PPR]
    left.entries += [entry for entry in before if entry not in owned]
    line.root.entries = [*owned, *after]
    line.root.is_dirty = True
    boxes = [left]
    if inner is not None:
        left.entries.append(_half(inner, ids))
    _adopt(left, boxes)
    line.units = line.root.units()
    return Line(first, left, left.units(), boxes), line


def _adopt(left: Box, boxes: list[Box]) -> None:
    """Lets a new root own its entries."""
    for entry in left.entries:
        if isinstance(entry, Box) and entry.parent is not left:
            entry.parent = left
            boxes.append(entry)
        elif isinstance(entry, Unit):
            entry.box = left


def _half(inner: tuple[Box, list[Entry], list[Entry]], ids: Ids) -> Box:
    """Returns the first half of another author's insertion, as a box of its own."""
    box, before, after = inner
    element = etree.Element(box.element.tag)
    for name, value in box.element.items():
        element.set(name, value)
    half = Box(element, box.kind, outer=element, entries=before, is_dirty=True)
    for entry in before:
        if isinstance(entry, Unit):
            entry.box = half
    box.entries = after
    box.is_dirty = True
    box.element.set(W_ID, str(ids.fresh()))
    return half


def _halves(
    root: Box, at: int
) -> tuple[list[Entry], list[Entry], tuple[Box, list[Entry], list[Entry]] | None]:
    """Returns the entries on both sides of an offset, and the divided box with both its parts."""
    entries = list(root.entries)
    done = 0
    for index, entry in enumerate(entries):
        size = _size(entry)
        if done < at < done + size:
            if isinstance(entry, Unit):
                _check_unit(entry)
                first = slice_of(entry, 0, at - done)
                second = slice_of(entry, at - done, size)
                return _checked([*entries[:index], first], [second, *entries[index + 1 :]], None)
            assert isinstance(entry, Box)  # nothing else has text
            inside = _divided(entry, at - done)
            return _checked(entries[:index], [entry, *entries[index + 1 :]], inside)
        if size and done == at:
            index = _pulled(entries, index)
            return _checked(entries[:index], entries[index:], None)
        done += size
    return _checked(entries, [], None)


def _divided(box: Box, at: int) -> tuple[Box, list[Entry], list[Entry]]:
    if box.kind != "foreign" or any(isinstance(entry, Box) for entry in box.entries):
        raise _refused(box.kind)
    before, after, _ = _halves(box, at)
    return box, before, after


def _check_unit(unit: Unit) -> None:
    if unit.lock:
        raise _refused(unit.lock)


def _size(entry: Entry) -> int:
    if isinstance(entry, Unit):
        return len(entry.text) if entry.is_visible else 0
    if isinstance(entry, Box):
        return sum(_size(inner) for inner in entry.entries)
    return 0


def _pulled(entries: list[Entry], index: int) -> int:
    """Returns where the part behind begins: what opens there goes along with it."""
    first = entries[index]
    while index:
        entry = entries[index - 1]
        if isinstance(entry, Opaque):
            if entry.element.tag not in _STARTS:
                break
        elif isinstance(entry, Unit) and isinstance(first, Unit) and not entry.is_visible:
            is_same_field = first.frame is not None and _root(entry) is _root(first)
            is_replaced = first.standing is Standing.WRITTEN and entry.standing is Standing.STRUCK
            if not is_same_field and not is_replaced:
                break
        else:
            break
        index -= 1
    return index


def _checked(
    before: list[Entry],
    after: list[Entry],
    inner: tuple[Box, list[Entry], list[Entry]] | None,
) -> tuple[list[Entry], list[Entry], tuple[Box, list[Entry], list[Entry]] | None]:
    """Returns the halves, when no field is in both."""
    first = _fields(before) | (_fields(inner[1]) if inner else set[Frame]())
    rest = [entry for entry in after if inner is None or entry is not inner[0]]
    second = _fields(rest) | (_fields(inner[2]) if inner else set[Frame]())
    if first & second:
        raise _refused("field")
    return before, after, inner


def _fields(entries: list[Entry]) -> set[Frame]:
    frames: set[Frame] = set()
    for entry in entries:
        if isinstance(entry, Box):
            frames |= _fields(entry.entries)
        elif isinstance(entry, Unit):
            root = _root(entry)
            if root is not None:
                frames.add(root)
    return frames


def _root(unit: Unit) -> Frame | None:
    """Returns the outermost field that a unit stands in."""
    frame = unit.frame
    while frame is not None and frame.parent is not None:
        frame = frame.parent
    return frame


def _refused(kind: str) -> RefusedError:
    inside = _INSIDE.get(kind, "an object")
    message = (
        f"The place stands inside {inside}, which cannot be divided; choose a place before or "
        "behind it"
    )
    return RefusedError(message)
