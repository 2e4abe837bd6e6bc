"""Splits paragraphs: an inserted paragraph mark, no text, or our deleted one taken away again.

A new paragraph in front takes the properties of the one that was split, so that a list goes on; the
mark that was there stays at the end, with its section.

ECMA-376 Part 1, 17.13.5.20 (ins, paragraph mark).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine import locate
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import refuse_twin
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach, Step
from redraft.engine.docx.editing.tracked_blocks import mark, new_paragraph
from redraft.engine.docx.names import W_DEL, W_INS, W_PPR, W_RPR, Element, W
from redraft.engine.docx.redline import line_split, textmap
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import write
from redraft.engine.docx.steps.merging import drop, refusing, reshape
from redraft.engine.docx.steps.quote_places import chosen
from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.plan import SplitBlock

_PPR_CHANGE: Final = W("pPrChange")
_FRAME: Final = W("framePr")
_MARK_DEL: Final = f"{W_PPR}/{W_RPR}/{W_DEL}"
# Children of w:pPr in front of w:framePr (ECMA-376 Part 1, 17.3.1.26).
_BEFORE_FRAME: Final = frozenset(map(W, ("pStyle", "keepNext", "keepLines", "pageBreakBefore")))


@dataclass(frozen=True, slots=True)
class Split:
    """A new paragraph begins in a paragraph of `size` characters at the offset `at`."""

    place: Place
    at: int
    size: int
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraph."""
        return (self.place,)

    @property
    def reach(self) -> Reach:
        """It is cut in two."""
        return Reach(cut=frozenset({self.place.element}))

    def write(self, desk: Desk) -> bool:
        """Puts an inserted mark where the new paragraph begins."""
        paragraph = self.place.element
        standing = desk.note_place(self.place)
        pieces = desk.pieces.setdefault(paragraph, [paragraph])
        target, at, is_first = self._piece(desk, pieces)
        size = desk.sizes.get(target, self.size)
        line = (
            desk.line(self.place)
            if is_first
            else textmap.read(target, desk.ids.ours, (), frozenset(desk.ids.formatted))
        )
        first = _front(target)
        parent = target.getparent()
        if parent is None:
            message = "The paragraph stands nowhere in the document"
            raise RefusedError(message)
        parent.insert(parent.index(target), first)
        left, right = line_split.cut(line, at, first, desk.ids)
        write(left, desk.ids, right)
        mark(first, W_INS, desk.ids, desk.stamp)
        standing.insert(standing.index(target), first)
        pieces.insert(pieces.index(target), first)
        desk.sizes[first], desk.sizes[target] = at, size - at
        return True

    def _piece(self, desk: Desk, pieces: list[Element]) -> tuple[Element, int, bool]:
        """Returns the piece that holds the offset now, the offset in it, and whether it is all."""
        if len(pieces) == 1:
            return pieces[0], self.at, True
        at = self.at
        for piece in pieces:
            size = desk.sizes[piece]
            if at < size:
                return piece, at, False
            at -= size
        return pieces[-1], self.at, False


def in_halves(steps: Sequence[Step]) -> list[Step]:
    """Returns steps in an order in which splits of one paragraph halve what is undivided.

    From the first to the last, each would read all that is left of a long paragraph.
    """
    halved = list(steps)
    places: dict[Element, list[tuple[int, Split]]] = {}
    for index, step in enumerate(steps):
        if isinstance(step, Split):
            places.setdefault(step.place.element, []).append((index, step))
    for splits in places.values():
        ordered = sorted((split for _, split in splits), key=lambda split: split.at)
        for (index, _), split in zip(splits, _middle_first(ordered), strict=True):
            halved[index] = split
    return halved


def _middle_first(splits: Sequence[Split]) -> Iterator[Split]:
    waiting = [(0, len(splits))]
    for low, high in waiting:
        if low < high:
            middle = (low + high) // 2
            yield splits[middle]
            waiting += [(low, middle), (middle + 1, high)]


@dataclass(frozen=True, slots=True)
class Part:
    """Paragraphs that were merged part again where our deleted mark stands."""

    place: Place
    following: Place
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """Both paragraphs."""
        return (self.place, self.following)

    @property
    def reach(self) -> Reach:
        """The second one begins anew at its start."""
        return Reach(cut=frozenset({self.following.element}))

    def write(self, desk: Desk) -> bool:
        """Takes away the deletion of the mark, and the change of look that came with it."""
        paragraph, last = self.place.element, self.following.element
        desk.note_place(self.place)
        desk.note_place(self.following)
        struck = paragraph.find(_MARK_DEL)
        if struck is None:
            return False
        edit = desk.ids.ours.get(revision_id(struck))
        drop(struck)
        change = last.find(f"{W_PPR}/{_PPR_CHANGE}")
        if change is not None and edit and desk.ids.ours.get(revision_id(change)) == edit:
            reshape(last, list(change[0]) if len(change) else [], desk)
        return True


def split(finder: Finder, operation: SplitBlock) -> Split | Part:
    """Resolves the splitting of a paragraph.

    Raises:
        OperationError: the quote is not there once, or what stands there cannot be divided.
    """
    block = finder.block(finder.paragraph(operation.block))
    lines, text = block.lines, block.text
    hits = locate.find(text, operation.find)
    if not hits:
        raise OperationError("text_not_found", NotFoundError(closest=text))
    start = hits[chosen(hits, operation.occurrence, operation.block, text)][0]
    if start == 0:
        raise unable("no_effect", f"{operation.block} begins with the quoted text already")
    index = bisect_left(block.starts, start)
    if index < len(lines) and block.starts[index] == start:
        return _seam(finder, lines[index - 1][0], lines[index][0])
    place, line = lines[index - 1]
    at = start - block.starts[index - 1]
    refusing(lambda: refuse_twin(place))
    refusing(lambda: finder.cuts(line).check(at))
    end = (*block.starts, len(text))[index]
    return Split(place, at, end - block.starts[index - 1])


def _seam(finder: Finder, before: Place, place: Place) -> Part:
    struck = before.element.find(_MARK_DEL)
    if struck is None or revision_id(struck) not in finder.survey.ours:
        message = (
            "Another author deleted the paragraph mark there; reject that deletion to have two "
            "paragraphs again"
        )
        raise OperationError("read_only", RefusedError(message))
    return Part(before, place)


def _front(paragraph: Element) -> Element:
    """Returns a new paragraph that looks like another, in front of which it will stand."""
    properties = paragraph.find(W_PPR)
    made = new_paragraph(properties)
    frame = None if properties is None else properties.find(_FRAME)
    if frame is not None:
        own = made.find(W_PPR)
        if own is None:
            own = etree.SubElement(made, W_PPR)
        at = 0
        while at < len(own) and own[at].tag in _BEFORE_FRAME:
            at += 1
        own.insert(at, deepcopy(frame))
    return made
