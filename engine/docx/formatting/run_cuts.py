"""Which runs of a paragraph a stretch of its text takes, and runs cut where it begins and ends.

Text in the stretch is taken; with it the references of notes in it and all of a field whose result
is in it; pictures and other objects are not. Struck text is left as it is.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lxml import etree

from redraft.engine.docx.formatting.format_marks import frozen
from redraft.engine.docx.names import W_ID, W_R, W_RPR, W_T, Element, W
from redraft.engine.docx.redline.line import Line, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame
from redraft.engine.docx.redline.revision_ids import Ids
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import text_node

Span: TypeAlias = tuple[int, int]
_Taken: TypeAlias = Literal["yes", "no", "either"]
_RPR_CHANGE = W("rPrChange")
_NOTES = frozenset({"fn", "en"})


@dataclass(frozen=True, slots=True)
class Cut:
    """A run with the stretches of its children that are taken.

    `pieces` are children in order, text perhaps in several slices, each with whether it is taken.
    """

    run: Element
    unit: Unit
    text: str
    pieces: tuple[tuple[Unit, str, bool], ...]

    @property
    def is_written(self) -> bool:
        """Whether all of the run is new text of ours."""
        return self.unit.standing is Standing.WRITTEN

    def split(self, ids: Ids) -> list[Element]:
        """Split the run where taken and other pieces meet; the runs that are taken."""
        groups = [list(g) for _, g in itertools.groupby(self.pieces, lambda piece: piece[2])]
        if len(groups) == 1:
            return [self.run]
        parent = self.run.getparent()
        assert parent is not None  # it stands in a paragraph
        properties = self.run.find(W_RPR)
        for child in list(self.run):
            if child is not properties:
                self.run.remove(child)
        at = parent.index(self.run)
        taken: list[Element] = []
        for number, group in enumerate(groups):
            run = self.run if not number else _like(self.run, properties, ids)
            run.extend(_nodes(group))
            if number:
                parent.insert(at + number, run)
            if group[0][2]:
                taken.append(run)
        return taken


def cuts(line: Line, spans: Sequence[Span], *, notes: bool, is_whole: bool) -> list[Cut]:
    """The runs that stretches of a line's text take.

    Args:
        line: A paragraph as it stands.
        spans: Stretches of its final text, in order.
        notes: Whether references of notes in them are taken.
        is_whole: Whether the stretch is all of the paragraph, its edges included.
    """
    chosen = _Chosen(line, spans, notes=notes, is_whole=is_whole)
    run_cuts: list[Cut] = []
    by_run: dict[Element, list[tuple[Unit, str, _Taken]]] = {}
    for unit, text, taken in chosen.pieces():
        if unit.run is not None:
            by_run.setdefault(unit.run, []).append((unit, text, taken))
    for run, pieces in by_run.items():
        if any(taken == "yes" for _, _, taken in pieces):
            text = "".join(piece_text for _, piece_text, taken in pieces if taken == "yes")
            run_cuts.append(Cut(run, pieces[0][0], text, tuple(_decided(pieces))))
    return run_cuts


def computed(line: Line, spans: Sequence[Span]) -> bool:
    """Whether a part of a computed field is taken and not all of it."""
    chosen = _Chosen(line, spans, notes=False, is_whole=False)
    return any(
        unit.lock == "field" and unit.is_visible and taken == "yes" and not chosen.is_all_of(unit)
        for unit, _, taken in chosen.pieces()
    )


def join(runs: Sequence[Element]) -> None:
    """Put runs together with neighbours that look the same: what a cut that is taken back leaves.

    Attributes and properties must be equal, and no mark may stand on them.
    """
    for run in runs:
        before = run.getprevious()
        if before is not None and _are_alike(before, run):
            _append(before, run)
            run = before  # the joined one may be joined on
        after = run.getnext()
        if after is not None and _are_alike(run, after):
            _append(run, after)


def _are_alike(first: Element, second: Element) -> bool:
    if first.tag != W_R or second.tag != W_R or dict(first.attrib) != dict(second.attrib):
        return False
    sides = [run.find(W_RPR) for run in (first, second)]
    children = [() if properties is None else frozen(properties)[2] for properties in sides]
    has_mark = any(
        properties is not None and properties.find(_RPR_CHANGE) is not None for properties in sides
    )
    return not has_mark and children[0] == children[1]


def _append(first: Element, second: Element) -> None:
    """Move what a run holds behind what another holds, and take the run away."""
    last = first[-1] if len(first) else None
    for child in [child for child in second if child.tag != W_RPR]:
        if last is not None and last.tag == child.tag == W_T:
            joined = text_node((last.text or "") + (child.text or ""))
            first.replace(last, joined)
            last = joined
            continue
        first.append(child)
        last = child
    parent = second.getparent()
    if parent is not None:
        parent.remove(second)


class _Chosen:
    """Says of each unit of a line whether it is taken."""

    def __init__(self, line: Line, spans: Sequence[Span], *, notes: bool, is_whole: bool) -> None:
        self._line = line
        # In order and apart from each other, so that both are sorted and every question is one
        # bisection: a paragraph with thousands of hits has as many units as spans.
        self._lows = [low for low, _ in spans]
        self._highs = [high for _, high in spans]
        self._notes = notes
        self._is_whole = is_whole
        self._starts: dict[Unit, int] = {}
        at = 0
        for unit in line.units:
            self._starts[unit] = at
            at += len(unit.text) if unit.is_visible else 0
        self._partial: set[Frame] = set()
        self._full: set[Frame] = set()
        for unit in line.units:
            if unit.is_visible and unit.frame is not None:
                kept = self._full if self._is_inside(unit) else self._partial
                kept.update(_frames(unit.frame))

    def pieces(self) -> list[tuple[Unit, str, _Taken]]:
        """The units in order, text cut where a stretch begins or ends."""
        taken_pieces: list[tuple[Unit, str, _Taken]] = []
        for unit in self._line.units:
            if not unit.is_visible:
                taken_pieces.append((unit, "", self._special(unit)))
                continue
            start = self._starts[unit]
            end = start + len(unit.text)
            for low, high in itertools.pairwise(self._edges(start, end)):
                text = unit.text[low - start : high - start]
                taken_pieces.append((unit, text, "yes" if self._holds(low, high) else "no"))
        return taken_pieces

    def _edges(self, start: int, end: int) -> list[int]:
        """The ends of a unit and, between them, those of the stretches."""
        inner = [
            edge
            for edges in (self._lows, self._highs)
            for edge in edges[bisect_right(edges, start) : bisect_left(edges, end)]
        ]
        return sorted({start, end, *inner})

    def _holds(self, low: int, high: int) -> bool:
        """Whether text lies in one stretch: in the last that begins at it or before it."""
        at = bisect_right(self._lows, low) - 1
        return at >= 0 and high <= self._highs[at]

    def is_all_of(self, unit: Unit) -> bool:
        """Whether all of the outermost field around a unit is taken and ends where it began."""
        if unit.frame is None:
            return True
        frame = _frames(unit.frame)[-1]
        return frame not in self._partial and frame.is_closed and not frame.is_carried

    def _is_inside(self, unit: Unit) -> bool:
        start = self._starts[unit]
        return self._holds(start, start + len(unit.text))

    def _special(self, unit: Unit) -> _Taken:
        """A unit without text: the plumbing of a field, a note, an object."""
        if unit.standing is Standing.STRUCK:
            return "no"
        if unit.lock == "field":
            frame = unit.frame
            is_full = frame in self._full and frame not in self._partial
            return "yes" if self._is_whole or (frame is not None and is_full) else "no"
        at = self._starts[unit]
        if unit.token in _NOTES:
            is_inside = self._is_whole or self._surrounds(at)
            return "yes" if self._notes and is_inside else "no"
        return "either"

    def _surrounds(self, at: int) -> bool:
        """Whether text of one stretch stands on both sides of a place."""
        before = bisect_left(self._lows, at) - 1
        return before >= 0 and at < self._highs[before]


def _frames(frame: Frame) -> list[Frame]:
    """A field and the fields around it, the outermost last."""
    enclosing = [frame]
    while enclosing[-1].parent is not None:
        enclosing.append(enclosing[-1].parent)
    return enclosing


def _decided(
    pieces: Sequence[tuple[Unit, str, _Taken]],
) -> list[tuple[Unit, str, bool]]:
    """The pieces of a run; what may be either goes with what stands before it, else behind it."""
    decided: list[tuple[Unit, str, bool]] = []
    first = next(taken == "yes" for _, _, taken in pieces if taken != "either")
    for unit, text, taken in pieces:
        last = decided[-1][2] if decided else first
        decided.append((unit, text, last if taken == "either" else taken == "yes"))
    return decided


def _nodes(group: Sequence[tuple[Unit, str, bool]]) -> list[Element]:
    """The children that pieces make; slices of one text that stand together are one."""
    nodes: list[Element] = []
    for unit, pieces in itertools.groupby(group, lambda piece: piece[0]):
        text = "".join(piece_text for _, piece_text, _ in pieces)
        is_all = not unit.is_visible or len(text) == len(unit.text)
        nodes.append(unit.node if is_all else text_node(text, str(unit.node.tag)))
    return nodes


def _like(run: Element, properties: Element | None, ids: Ids) -> Element:
    """An empty run with the attributes and properties of another; its marks get ids of their own.

    The properties are copied before the run that lends them changes.
    """
    copy = etree.Element(run.tag)
    for name, attribute_value in run.items():
        copy.set(name, attribute_value)
    if properties is not None:
        own = deepcopy(properties)
        own.tail = None
        for change in own.iter(_RPR_CHANGE):
            edit = ids.ours.get(revision_id(change))
            change.set(W_ID, str(ids.fresh() if edit is None else ids.ours_for(edit)))
        copy.append(own)
    return copy
