"""Splits paragraphs and merges them: an inserted or a deleted paragraph mark, no text.

A new paragraph in front takes the properties of the one that was split, so that a list goes on; the
mark that was there stays at the end, with its section. Merged paragraphs look as the first of them
that says something, as in Word: where the last one looks otherwise, a change of its properties is
tracked beside the deleted marks. No blank is put between merged words.

ECMA-376 Part 1, 17.13.5.15 (del, paragraph mark), 17.13.5.20 (ins, paragraph mark), 17.13.5.29
(pPrChange).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from engine import locate
from engine.docx.anchors import Place
from engine.docx.editing.desk import Desk
from engine.docx.editing.finding import Finder, OperationError, unable
from engine.docx.editing.step import Blind, Forecast
from engine.docx.editing.structure import (
    is_mark_deleted,
    is_mark_inserted,
    mark,
    new_paragraph,
    same_properties,
)
from engine.docx.editing.twins import refuse_twin
from engine.docx.names import W_DEL, W_INS, W_P, W_PPR, W_RPR, W_SECT_PR, Element, W
from engine.docx.steps.quoting import chosen
from engine.docx.text import cutting, textmap
from engine.docx.text.fold import fold
from engine.docx.text.textmap import revision_id
from engine.docx.text.writing import revision, write
from engine.errors import NotFoundError, RefusedError
from engine.plan import MergeBlocks, SplitBlock

_PPR_CHANGE: Final = W("pPrChange")
_FRAME: Final = W("framePr")
_MARK_DEL: Final = f"{W_PPR}/{W_RPR}/{W_DEL}"
_OWN: Final = frozenset({W_RPR, W_SECT_PR, _PPR_CHANGE})
# Children of w:pPr in front of w:framePr (ECMA-376 Part 1, 17.3.1.26).
_BEFORE_FRAME: Final = frozenset(map(W, ("pStyle", "keepNext", "keepLines", "pageBreakBefore")))
_NOT_BETWEEN: Final = (
    "Something other than paragraphs stands between the blocks; merge those that stand together"
)
_SECTION: Final = (
    "A section ends between the paragraphs, so they cannot be merged; delete the section break "
    "in Word first"
)
_THEIRS: Final = (
    "The merged paragraph keeps the look of its last part, whose formatting another author has "
    "changed"
)


# Splitting


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
    def forecast(self) -> Forecast:
        """It is cut in two."""
        return Forecast(cut={self.place.element: (self.at,)})

    def write(self, desk: Desk) -> bool:
        """Put an inserted mark where the new paragraph begins."""
        paragraph = self.place.element
        standing = desk.note_place(self.place)
        pieces = desk.pieces.setdefault(paragraph, [paragraph])
        target, at, is_first = self._piece(desk, pieces)
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
        left, right = cutting.cut(line, at, first, desk.ids)
        write(left, desk.ids, right)
        mark(first, W_INS, desk.ids, desk.stamp)
        standing.insert(standing.index(target), first)
        pieces.insert(pieces.index(target), first)
        return True

    def _piece(self, desk: Desk, pieces: list[Element]) -> tuple[Element, int, bool]:
        """The piece in which the offset lies by now, the offset in it, and whether it is all."""
        if len(pieces) == 1:
            return pieces[0], self.at, True
        at = self.at
        for piece in pieces:
            size = len(textmap.read(piece, desk.ids.ours).text)
            if at < size:
                return piece, at, False
            at -= size
        return pieces[-1], self.at, False


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
    def forecast(self) -> Forecast:
        """The second one begins anew at its start."""
        return Forecast(cut={self.following.element: (0,)})

    def write(self, desk: Desk) -> bool:
        """Take away the deletion of the mark, and the change of look that came with it."""
        paragraph, last = self.place.element, self.following.element
        desk.note_place(self.place)
        desk.note_place(self.following)
        struck = paragraph.find(_MARK_DEL)
        if struck is None:
            return False
        edit = desk.ids.ours.get(revision_id(struck))
        _drop(struck)
        change = last.find(f"{W_PPR}/{_PPR_CHANGE}")
        if change is not None and edit and desk.ids.ours.get(revision_id(change)) == edit:
            reshape(last, list(change[0]) if len(change) else [], desk)
        return True


def split(finder: Finder, operation: SplitBlock) -> Split | Part:
    """Resolve the splitting of a paragraph.

    Raises:
        OperationError: the quote is not there once, or what stands there cannot be divided.
    """
    lines = finder.lines(finder.paragraph(operation.anchor))
    text = "".join(line.text for _, line in lines)
    hits = locate.find(text, operation.find)
    if not hits:
        raise OperationError("text_not_found", NotFoundError(closest=text))
    start = hits[chosen(hits, operation.occurrence, operation.anchor, text)][0]
    if start == 0:
        raise unable("no_effect", f"{operation.anchor} begins with the quoted text already")
    at = 0
    before: Place | None = None
    for place, line in lines:
        size = len(line.text)
        if start == at and before is not None:
            return _seam(finder, before, place)
        if start < at + size:
            _locked(lambda place=place: refuse_twin(place))
            _locked(lambda line=line, at=at: cutting.check(line, start - at))
            return Split(place, start - at, size)
        at += size
        before = place
    raise OperationError("text_not_found", NotFoundError(closest=text))


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
    """A new paragraph that looks like another, in front of which it will stand."""
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


# Merging


@dataclass(frozen=True, slots=True)
class Merge:
    """Paragraphs become one; `ends` are those whose marks end blocks now, in order."""

    stretch: tuple[Place, ...]
    ends: tuple[Place, ...]
    keeper: Place
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """All paragraphs."""
        return self.stretch

    @property
    def forecast(self) -> Forecast:
        """All but the last are joined with the next."""
        return Forecast(joined=frozenset(place.element for place in self.ends[:-1]))

    def write(self, desk: Desk) -> bool:
        """Strike the marks between them, or take away those that we inserted."""
        for place in self.stretch:
            desk.note_place(place)
        last = self.ends[-1].element
        kept = self.keeper.element
        if kept is not last and not same_properties(kept, last) and not self.warnings:
            properties = kept.find(W_PPR)
            said = [] if properties is None else [c for c in properties if c.tag not in _OWN]
            reshape(last, [deepcopy(child) for child in said], desk)
        for place in self.ends[:-1]:
            if is_mark_inserted(place.element, desk.ids.ours):
                _join(desk, place)
            else:
                mark(place.element, W_DEL, desk.ids, desk.stamp)
        return True


def merge(finder: Finder, operation: MergeBlocks) -> Merge:
    """Resolve the merging of paragraphs.

    Raises:
        OperationError: they do not stand together, or a table or section break is among them.
    """
    stretch = finder.stretch(operation.first, operation.last)
    if any(place.kind != "paragraph" for place in stretch):
        raise unable("wrong_kind", "A table stands between the paragraphs; merge those beside it")
    _locked(lambda: refuse_twin(stretch[0]))
    following: Element | None = stretch[0].element
    for place in stretch[1:]:
        following = None if following is None else following.getnext()
        while following is not None and following.tag != W_P and not _has_blocks(following):
            following = following.getnext()
        if following is not place.element:
            raise unable("wrong_kind", _NOT_BETWEEN)
    ends = [place for place in stretch if not is_mark_deleted(place.element)]
    if len(ends) < 2:
        raise unable("no_effect", f"{operation.first} and {operation.last} are one paragraph")
    if any(place.element.find(f"{W_PPR}/{W_SECT_PR}") is not None for place in ends[:-1]):
        raise unable("contains_section_break", _SECTION)
    keeper = next((p for p in ends if finder.survey.line(p).text.strip()), ends[-1])
    change = ends[-1].element.find(f"{W_PPR}/{_PPR_CHANGE}")
    is_theirs = (
        change is not None
        and revision_id(change) not in finder.survey.ours
        and not same_properties(keeper.element, ends[-1].element)
    )
    warnings = (_THEIRS,) if is_theirs else ()
    return Merge(tuple(stretch), tuple(ends), keeper, warnings=warnings)


def _has_blocks(element: Element) -> bool:
    return next(element.iter(W_P), None) is not None


def _join(desk: Desk, place: Place) -> None:
    """Put what a paragraph with a mark of ours holds before the content of the next one."""
    paragraph = place.element
    following = paragraph.getnext()
    while following is not None and following.tag != W_P:
        following = following.getnext()
    parent = paragraph.getparent()
    if following is None or parent is None:
        message = "Nothing stands behind the paragraph that it could be merged with"
        raise RefusedError(message)
    at = 1 if following.find(W_PPR) is not None else 0
    content = [child for child in paragraph if child.tag != W_PPR]
    for offset, child in enumerate(content):
        following.insert(at + offset, child)
    desk.note_place(place).remove(paragraph)
    parent.remove(paragraph)
    line = textmap.read(following, desk.ids.ours, (), frozenset(desk.ids.formatted))
    if line.has_ours:
        fold(line)
        write(line, desk.ids)


def reshape(paragraph: Element, children: list[Element], desk: Desk) -> None:
    """Give a paragraph other properties, tracked; back to the baseline's leaves no mark.

    Its section, its mark and what another author has changed stay.
    """
    properties = paragraph.find(W_PPR)
    if properties is None:
        properties = etree.Element(W_PPR)
        paragraph.insert(0, properties)
    change = properties.find(_PPR_CHANGE)
    former = [child for child in properties if child.tag not in _OWN]
    if change is None:
        change = revision(
            _PPR_CHANGE, desk.ids.ours_for(desk.stamp.edit), desk.stamp.author, desk.stamp.date
        )
        old = etree.SubElement(change, W_PPR)
        old.extend([deepcopy(child) for child in former])
        properties.append(change)
    for child in former:
        properties.remove(child)
    for index, child in enumerate(children):
        properties.insert(index, child)
    old = change[0] if len(change) else change
    if [_canonical(child) for child in old] == [_canonical(child) for child in children]:
        properties.remove(change)
    if not len(properties):
        paragraph.remove(properties)


def _canonical(element: Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)


def _drop(element: Element) -> None:
    """Remove an element, and the properties that it leaves empty."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
        if not len(parent) and parent.tag in (W_RPR, W_PPR):
            _drop(parent)


def _locked(check: Callable[[], None]) -> None:
    """Run a check; what it refuses is an operation that cannot be carried out."""
    try:
        check()
    except RefusedError as error:
        raise OperationError("read_only", error) from error
