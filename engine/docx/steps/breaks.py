"""Inserts page, column and section breaks, tracked.

A page or column break is a run in a paragraph of its own, whose mark is inserted with it: it goes
before and behind tables as well, and no heading or list item comes to hold it. A section break is
an inserted paragraph that holds the properties of the section as it was; the part behind it goes on
with those that stand there already, so that rejecting the mark gives one section again.

ECMA-376 Part 1, 17.3.3.1 (br), 17.6.18 (sectPr), 17.6.22 (type), 17.6.12 (pgNumType).
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Final, Literal

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, container, unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.placement import control_at_edge, put_beside
from redraft.engine.docx.editing.step import Addition, Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import ends_story
from redraft.engine.docx.names import (
    W_BODY,
    W_BR,
    W_INS,
    W_P,
    W_PPR,
    W_R,
    W_SECT_PR,
    W_TYPE,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.redline.tracked_runs import revision
from redraft.engine.errors import RefusedError
from redraft.engine.plan import InsertBreak

_SECT_PR_CHANGE: Final = W("sectPrChange")
_NUMBERS: Final = W("pgNumType")
_START: Final = W("start")
_SAME_PAGE: Final = "continuous"
_NOT_HERE: Final = (
    "A break can only stand in the body of the document, not in a table cell, a text box, a "
    "header, a footer or a note"
)
_CONTINUOUS: Final = (
    "The new section goes on on the same page, as the section that was divided does"
)
_RESTARTED: Final = "The new section begins its page numbers anew, as the divided one does"


@dataclass(frozen=True, slots=True)
class Break:
    """A break before or behind a block; `section` are the properties of the section that ends."""

    beside: Place
    where: Literal["before", "after"]
    kind: Literal["page", "column", "section"]
    section: Element | None = None
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The block."""
        return (self.beside,)

    @property
    def reach(self) -> Reach:
        """A block comes in that says nothing, and a section with it."""
        added = (Addition(self.beside.element, self.where, is_empty=True),)
        if self.section is None:
            return Reach(added=added)
        return Reach(added=added, counts={self.beside.element: {"sectPr": 1}})

    def write(self, desk: Desk) -> bool:
        """Inserts the paragraph of the break."""
        paragraph = etree.Element(W_P)
        if self.section is None:
            mark = revision(
                W_INS, desk.ids.ours_for(desk.stamp.edit), desk.stamp.author, desk.stamp.date
            )
            run = etree.SubElement(mark, W_R)
            etree.SubElement(run, W_BR, {W_TYPE: self.kind})
            paragraph.append(mark)
            put_beside(desk, self.beside, self.where, [paragraph])
            return True
        properties = etree.SubElement(paragraph, W_PPR)
        properties.append(deepcopy(self.section))
        made = [paragraph]
        block = self.beside.element
        if self.where == "after" and ends_story(_edge(block)):
            # The section behind the break needs a paragraph.
            made.append(etree.Element(W_P))
        put_beside(desk, self.beside, self.where, made)
        return True


def _edge(block: Element) -> Element:
    """Returns the block that the one behind it follows: itself, or the control that it ends."""
    control = control_at_edge(block, "after")
    return block if control is None else control


def insert_break(finder: Finder, operation: InsertBreak) -> Break:
    """Resolves the insertion of a break.

    Raises:
        OperationError: a break cannot stand there.
    """
    place = finder.place(operation.block)
    if place.kind not in ("paragraph", "table"):
        raise unable("wrong_kind", f"{operation.block} is no paragraph or table")
    if place.story != "body" or container(place.element).tag != W_BODY:
        raise OperationError("wrong_kind", RefusedError(_NOT_HERE))
    if operation.kind != "section":
        return Break(place, operation.where, operation.kind)
    former = _section_at(place.element, operation.where)
    section = etree.Element(W_SECT_PR)
    warnings: list[str] = []
    if former is not None:
        section.extend([deepcopy(child) for child in former if child.tag != _SECT_PR_CHANGE])
        kind, numbers = former.find(W_TYPE), former.find(_NUMBERS)
        if kind is not None and kind.get(W_VAL) == _SAME_PAGE:
            warnings.append(_CONTINUOUS)
        if numbers is not None and numbers.get(_START) is not None:
            warnings.append(_RESTARTED)
    return Break(place, operation.where, "section", section, warnings=tuple(warnings))


def _section_at(block: Element, where: str) -> Element | None:
    """Returns the properties of the section that a place before or behind a block belongs to."""
    at: Element | None = block
    is_first = True
    while at is not None and at.tag != W_BODY:
        beside: Element | None = at if is_first and where == "before" else at.getnext()
        while beside is not None:
            for section in beside.iter(W_SECT_PR):
                parent = section.getparent()
                if parent is not None and parent.tag != _SECT_PR_CHANGE:
                    return section
            beside = beside.getnext()
        at, is_first = at.getparent(), False
    return None
