"""Merges paragraphs: a deleted paragraph mark, or one of ours taken away, and no text.

Merged paragraphs look as the first of them that says something, as in Word: where the last one
looks otherwise, a change of its properties is tracked beside the deleted marks. No blank is put
between merged words.

ECMA-376 Part 1, 17.13.5.15 (del, paragraph mark), 17.13.5.29 (pPrChange).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import refuse_twin
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import (
    is_mark_deleted,
    is_mark_inserted,
    mark,
    same_properties,
)
from redraft.engine.docx.names import W_DEL, W_P, W_PPR, W_RPR, W_SECT_PR, Element, W
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.fold import fold
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import revision, write
from redraft.engine.errors import RefusedError
from redraft.engine.plan import MergeBlocks

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
    def reach(self) -> Reach:
        """All but the last are joined with the next."""
        return Reach(joined=frozenset(place.element for place in self.ends[:-1]))

    def write(self, desk: Desk) -> bool:
        """Strikes the marks between them, or take away those that we inserted."""
        for place in self.stretch:
            desk.note_place(place)
        last = self.ends[-1].element
        keeper = self.keeper.element
        if keeper is not last and not same_properties(keeper, last) and not self.warnings:
            properties = keeper.find(W_PPR)
            formats = [] if properties is None else [c for c in properties if c.tag not in _OWN]
            reshape(last, [deepcopy(child) for child in formats], desk)
        grown: dict[Element, None] = {}
        # From the last one on, so that no content is moved twice.
        for place in reversed(self.ends[:-1]):
            if is_mark_inserted(place.element, desk.ids.ours):
                grown.pop(place.element, None)
                grown[_join(desk, place)] = None
            else:
                mark(place.element, W_DEL, desk.ids, desk.stamp)
        for paragraph in grown:
            _fold_again(paragraph, desk)
        return True


def merge(finder: Finder, operation: MergeBlocks) -> Merge:
    """Resolves the merging of paragraphs.

    Raises:
        OperationError: they do not stand together, or a table or section break is among them.
    """
    stretch = finder.stretch(operation.first, operation.last)
    if any(place.kind != "paragraph" for place in stretch):
        raise unable("wrong_kind", "A table stands between the paragraphs; merge those beside it")
    refusing(lambda: refuse_twin(stretch[0]))
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


def _join(desk: Desk, place: Place) -> Element:
    """Puts what a paragraph with a mark of ours holds before the content of the next one.

    Returns:
        The next one.
    """
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
    return following


def _fold_again(paragraph: Element, desk: Desk) -> None:
    line = textmap.read(paragraph, desk.ids.ours, (), frozenset(desk.ids.formatted))
    if line.has_ours:
        fold(line)
        write(line, desk.ids)


def reshape(paragraph: Element, children: list[Element], desk: Desk) -> None:
    """Gives a paragraph other properties, tracked; back to the baseline's leaves no mark.

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


def drop(element: Element) -> None:
    """Removes an element, and the properties that it leaves empty."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
        if not len(parent) and parent.tag in (W_RPR, W_PPR):
            drop(parent)


def refusing(check: Callable[[], None]) -> None:
    """Runs a check; what it refuses is an operation that cannot be carried out."""
    try:
        check()
    except RefusedError as error:
        raise OperationError("read_only", error) from error
