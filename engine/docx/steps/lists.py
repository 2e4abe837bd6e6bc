"""Makes list items of paragraphs, or plain paragraphs of them: `engine.plan.SetList`.

ECMA-376 Part 1, 17.3.1.19 (numPr). A paragraph joins the list of its kind that stands beside it;
without one a list is made. A list that begins anew is a `w:num` of the same definition with a
`w:startOverride`; what follows it goes on counting from there, as in Word.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import is_mark_deleted
from redraft.engine.docx.formatting.format_marks import Looks
from redraft.engine.docx.formatting.list_definitions import ListDefinitions, ListKind, kind_of
from redraft.engine.docx.formatting.schema_order import drop, put
from redraft.engine.docx.formatting.style_cascade import Cascade
from redraft.engine.docx.names import W_P, W_PPR, W_VAL, Element, W
from redraft.engine.docx.numbering import LEVELS
from redraft.engine.docx.property_values import number, value
from redraft.engine.docx.range_markers import beside
from redraft.engine.docx.redline.emphasis import style_of
from redraft.engine.docx.steps.paragraph_places import Change, ParagraphStep, paragraphs
from redraft.engine.docx.styles import Styles
from redraft.engine.errors import PlanError
from redraft.engine.plan import SetList

_NUM_PR, _NUM_ID, _ILVL = W("numPr"), W("numId"), W("ilvl")
_IND = W("ind")
_OWN = (_NUM_PR, _IND)
_Item = tuple[str, int]


def resolve(finder: Finder, operation: SetList) -> ParagraphStep:
    """Returns what a plan's operation means here.

    Raises:
        OperationError: no such level, or no such paragraphs.
    """
    places = paragraphs(finder, operation.first, operation.last)
    if operation.level is not None and not 1 <= operation.level <= LEVELS:
        message = f"There is no list level {operation.level}; valid is 1 to {LEVELS}"
        raise OperationError("bad_value", PlanError(message))
    if len(places) > 1:
        written = tuple(p for p in places if _says_something(finder, p))
        places = written or places

    def make(desk: Desk, _: Cascade) -> Change:
        if operation.kind == "none":
            return _Ending(desk)
        return _Listing(desk, operation, operation.kind, [place.element for place in places])

    return ParagraphStep(places, make)


def _says_something(finder: Finder, place: Place) -> bool:
    """Returns whether a paragraph holds anything: Word gives empty ones among others no number."""
    return any(unit.text or unit.token for unit in finder.survey.line(place).units)


class _Lists:
    """Which list and level paragraphs have."""

    def __init__(self, desk: Desk) -> None:
        self.definitions = ListDefinitions(desk.package)
        self.styles = Styles.of(desk.package)
        self.numbering = self.definitions.numbering(self.styles)

    def item(self, properties: Element) -> _Item | None:
        """Returns the list and level that a `w:pPr` gives; None outside lists."""
        style = self.styles.paragraph(value(properties, W("pStyle")) or "")
        direct = properties.find(_NUM_PR)
        direct_number = value(direct, _NUM_ID)
        num = direct_number or style.num
        if num is None or num == "0":
            return None
        at = number(value(direct, _ILVL))
        if at is None:
            at = 0 if direct_number else self.numbering.level_of(num, style)
        return num, at

    def kind(self, item: _Item | None) -> ListKind | None:
        """Returns what the items of a list show on a level."""
        if item is None:
            return None
        return kind_of(self.numbering.label(item[0], item[1], counts=False))

    def refresh(self) -> None:
        """Sees lists that were made since."""
        self.numbering = self.definitions.numbering(self.styles)


class _Ending:
    """Takes paragraphs out of their lists."""

    def __init__(self, desk: Desk) -> None:
        self._lists = _Lists(desk)

    def __call__(self, place: Place, before: Looks) -> Element | None:
        """Returns the properties without a list."""
        lists = self._lists
        if lists.item(before.now) is None:
            return None
        if before.old is not None and lists.item(before.old) is None:
            return _restored(before.now, before.old)
        now = _copied(before.now)
        drop(now, _NUM_PR)
        if lists.item(now) is not None:
            put(now, _numbering("0", 0))
        return now


class _Listing:
    """Makes items of one kind of paragraphs."""

    def __init__(
        self, desk: Desk, operation: SetList, kind: ListKind, chosen: Sequence[Element]
    ) -> None:
        self._lists = _Lists(desk)
        self._kind: ListKind = kind
        self._level = None if operation.level is None else operation.level - 1
        self._is_restarted = operation.restart
        self._chosen = chosen
        self._num: str | None = None
        self._anew: dict[str, str] = {}

    def __call__(self, place: Place, before: Looks) -> Element | None:
        """Returns the properties of an item."""
        lists = self._lists
        item = lists.item(before.now)
        level = self._level
        if level is None:
            level = 0 if item is None else item[1]
        if item is not None and lists.kind((item[0], level)) == self._kind:
            num = item[0]
        elif self._is_as_before(before.old, level):
            return None if before.old is None else _restored(before.now, before.old)
        else:
            num = self._num = self._num or self._found(level)
        if self._is_restarted:
            num = self._restarted(num, level)
        if item == (num, level):
            return None
        if self._is_as_before(before.old, level) and before.old is not None:
            old = lists.item(before.old)
            if old == (num, level):
                return _restored(before.now, before.old)
        now = _copied(before.now)
        drop(now, _IND)
        put(now, _numbering(num, level))
        return now

    def _is_as_before(self, old: Element | None, level: int) -> bool:
        """Returns whether the baseline had a paragraph in such a list on this level."""
        item = None if old is None or self._is_restarted else self._lists.item(old)
        if item is None or self._lists.kind(item) != self._kind:
            return False
        return self._level is None or item[1] == level

    def _found(self, level: int) -> str:
        """Returns the list that paragraphs join.

        One beside them, a bulleted one of the file, a new one.
        """
        lists = self._lists
        for other in (_beside(self._chosen[0], -1), _beside(self._chosen[-1], 1)):
            item = None if other is None else self._item_of(other)
            if item is not None and lists.kind((item[0], level)) == self._kind:
                return item[0]
        known = None
        if self._kind == "bullet":
            known = lists.definitions.like(self._kind, level, lists.styles)
        if known is None:
            known = lists.definitions.define(self._kind)
            lists.refresh()
            # What is new begins anew.
            self._anew[known] = known
        return known

    def _item_of(self, paragraph: Element) -> _Item | None:
        if style_of(paragraph, self._lists.styles).level is not None:
            return None
        properties = paragraph.find(W_PPR)
        return self._lists.item(etree.Element(W_PPR) if properties is None else properties)

    def _restarted(self, num: str, level: int) -> str:
        if num not in self._anew:
            new = self._lists.definitions.restarted(num, level)
            self._anew[num] = new
            self._lists.refresh()
        return self._anew[num]


def _beside(paragraph: Element, step: int) -> Element | None:
    """Returns the paragraph next to one, -1 before and 1 behind it.

    None where a table stands or none.
    """
    other = beside(paragraph, forward=step > 0)
    while other is not None and other.tag == W_P and is_mark_deleted(other):
        other = beside(other, forward=step > 0)
    return other if other is not None and other.tag == W_P else None


def _copied(properties: Element) -> Element:
    copy = etree.Element(W_PPR)
    copy.extend([deepcopy(child) for child in properties])
    return copy


def _restored(now: Element, old: Element) -> Element:
    """Returns the properties with the list and the indents that the baseline has."""
    copy = _copied(now)
    drop(copy, *_OWN)
    for child in old:
        if child.tag in _OWN:
            put(copy, deepcopy(child))
    return copy


def _numbering(num: str, level: int) -> Element:
    """ECMA-376 Part 1, 17.3.1.19 (numPr): level, then list."""
    properties = etree.Element(_NUM_PR)
    etree.SubElement(properties, _ILVL).set(W_VAL, str(level))
    etree.SubElement(properties, _NUM_ID).set(W_VAL, num)
    return properties
