"""Keeps the two forms of a text box equal when whole blocks of it change.

A text box is stored for today's programs and once more for older ones (ECMA-376 Part 3, 9.3,
`mc:Choice` and `mc:Fallback`). What is written into the blocks of the first form is copied into the
same blocks of the second one; both must have been equal before, so that rejecting and accepting
means the same in both. The marks of a copy are marks of their own, of the same edits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from lxml import etree

from redraft.engine.docx import tracked_wrappers
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.editing.alternate_copies import TWIN, forms_of, paired
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.judging.fingerprint import digests
from redraft.engine.docx.names import W14, W_ID, W_P, W_SDT_PR, W_TBL, W_TR, W_VAL, Element
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.resolution.resolve import Work
from redraft.engine.docx.steps.catalogue import writes_both
from redraft.engine.errors import RefusedError

_Name: TypeAlias = tuple[tuple[str, str], ...]
_IDS: Final = frozenset({W14("paraId"), W14("textId")})
_CONTROL_ID: Final = f".//{W_SDT_PR}/{W_ID}"


@dataclass(frozen=True, slots=True)
class Mirror:
    """The text boxes of which a plan changes whole blocks.

    `pairs` has for each former paragraph, table, row and cell of them the one of the other form;
    `equal` are the paragraphs and tables that say and look the same in both; `names` has for the
    ids of paragraphs, rows and controls in them those of the other form.
    """

    pairs: dict[Element, Element] = field(default_factory=dict[Element, Element])
    equal: set[Element] = field(default_factory=set[Element])
    names: dict[_Name, _Name] = field(default_factory=dict["_Name", "_Name"])

    @classmethod
    def of(cls, work: Work, ours: Collection[int]) -> Mirror:
        """Sees what stands twice of what a plan changes.

        Raises:
            RefusedError: the other form is not the same, and nothing can be copied into it.
        """
        made = cls()
        for element in _changed(work):
            if element not in made.pairs:
                forms = forms_of(element)
                if forms is None:
                    continue
                made.add(paired(*forms), ours)
            if element.tag in (W_P, W_TBL) and element not in made.equal:
                raise RefusedError(TWIN)
        return made

    def add(self, pairs: dict[Element, Element], ours: Collection[int]) -> None:
        """Takes the blocks of another text box."""
        self.pairs.update(pairs)
        for block, twin in pairs.items():
            if block.tag in (W_P, W_TBL) and _is_same(block, twin, ours):
                self.equal.add(block)
                own, other = _named(block), _named(twin)
                self.names.update(zip(map(_name, own), map(_name, other), strict=True))

    def write(self, desk: Desk) -> None:
        """Copies what was written into the other forms, and notes there what changes.

        Raises:
            RefusedError: a block changed that was not the same in both forms.
        """
        for part in list(desk.changed) if self.pairs else ():
            changed = desk.changed[part]
            keys = [key for key in changed if key in self.pairs and not self._is_inside(key, desk)]
            if any(key not in self.equal for key in keys):
                raise RefusedError(TWIN)
            places = [_placeholder(self.pairs[key]) for key in keys]
            for key, place in zip(keys, places, strict=True):
                for inner in self.pairs[key].iter(W_P, W_TBL):
                    changed.pop(inner, None)
                copies = [self._copy(desk, paragraph) for paragraph in changed[key]]
                _put(place, copies)
                changed[self.pairs[key]] = copies
        for control, blocks in desk.beside_controls.items() if self.pairs else ():
            twin = self._twin_of(control)
            if twin is not None:
                self._put_beside(desk, twin, blocks, blocks.index(control))

    def _twin_of(self, control: Element) -> Element | None:
        """Returns the control of the other form that holds the same blocks."""
        held = next((block for block in control.iter(W_P, W_TBL) if block in self.pairs), None)
        if held is None:
            return None
        levels = list(held.iterancestors()).index(control)
        return next(islice(self.pairs[held].iterancestors(), levels, None), None)

    def _put_beside(self, desk: Desk, twin: Element, blocks: Sequence[Element], place: int) -> None:
        """Copies the new blocks around a control, which is the one at `place` among them."""
        for block in blocks[:place]:
            twin.addprevious(self._copy(desk, block))
        for block in reversed(blocks[place + 1 :]):
            twin.addnext(self._copy(desk, block))

    def _is_inside(self, key: Element, desk: Desk) -> bool:
        """Returns whether a changed block stands in a table that is copied as a whole."""
        return any(
            ancestor in self.pairs
            and any(ancestor in changed_blocks for changed_blocks in desk.changed.values())
            for ancestor in key.iterancestors(W_TBL)
        )

    def _copy(self, desk: Desk, source: Element) -> Element:
        """Returns a block for the other form; what stood there before stays the same element."""
        made = deepcopy(source)
        made.tail = None
        for node in _named(made):
            node.attrib.update(self.names.get(_name(node), ()))
        ends = tracked_wrappers.pairs(made)
        for mark in made.iter(*part_tree.REVISIONS):
            number = revision_id(mark)
            edit = desk.ids.ours.get(number)
            is_formatted = number in desk.ids.formatted
            fresh = (
                desk.ids.fresh()
                if edit is None
                else desk.ids.ours_for(edit, formatted=is_formatted)
            )
            for node in (mark, ends.get(mark, mark)):
                node.set(W_ID, str(fresh))
        shell = self.pairs.get(source)
        if shell is None:
            return made
        shell[:] = list(made)
        return shell


def _is_same(block: Element, twin: Element, ours: Collection[int]) -> bool:
    """Returns whether two blocks are equal but for the names that programs give to each of them."""
    sides = [_unnamed(block), _unnamed(twin)]
    return all(
        digests(sides[:1], ours, side) == digests(sides[1:], ours, side)
        for side in ("baseline", "final")
    )


def _unnamed(block: Element) -> Element:
    copy = deepcopy(block)
    for node in _named(copy):
        node.attrib.update(dict.fromkeys(dict(_name(node)), ""))
    return copy


def _named(block: Element) -> list[Element]:
    """Returns the elements of a block that have names which are given to each of them alone."""
    return [*block.iter(W_P, W_TR), *block.iterfind(_CONTROL_ID)]


def _name(node: Element) -> _Name:
    """Returns what is a name of an element; of a control that is a number (17.5.2.18, id)."""
    wanted = _IDS if node.tag in (W_P, W_TR) else frozenset({W_VAL})
    return tuple((str(name), str(value)) for name, value in node.items() if name in wanted)


def _changed(work: Work) -> Iterator[Element]:
    """Yields the blocks that a plan changes otherwise than in their words."""
    for place, _ in work.insertions:
        yield place.element
    yield from work.removals
    for step in work.steps:
        if not writes_both(step):
            for place in step.places:
                yield place.element


def _placeholder(twin: Element) -> Element:
    """Takes a block out of its place, which stays marked."""
    place = etree.Element("placeholder")
    parent = twin.getparent()
    if parent is not None:
        parent.replace(twin, place)
    return place


def _put(place: Element, blocks: Sequence[Element]) -> None:
    parent = place.getparent()
    if parent is not None:
        at = parent.index(place)
        parent[at : at + 1] = list(blocks)
