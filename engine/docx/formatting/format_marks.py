"""Tracked changes of formatting: the properties that stand, and those that the baseline has.

ECMA-376 Part 1, 17.13.5.30 (rPrChange, of paragraph marks), 17.13.5.31 (rPrChange, of runs) and
17.13.5.29 (pPrChange, without the properties of the mark and the section). There is one such mark
on properties at most. Ours keeps the oldest properties however often they change; it goes when they
come back. Another author's cannot be kept beside ours, so that what carries one is refused.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Final, TypeAlias

from lxml import etree

from redraft.engine.docx.names import (
    W_DEL,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_PPR,
    W_RPR,
    W_SECT_PR,
    Element,
    W,
)
from redraft.engine.docx.redline.line import Stamp
from redraft.engine.docx.redline.revision_ids import Ids
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import revision
from redraft.engine.errors import RefusedError

_RPR_CHANGE: Final = W("rPrChange")
_PPR_CHANGE: Final = W("pPrChange")
_CHANGE_OF: Final = {W_RPR: _RPR_CHANGE, W_PPR: _PPR_CHANGE}
# What stands in properties and is none of them.
_BESIDE: Final = {
    W_RPR: frozenset({W_INS, W_DEL, W_MOVE_FROM, W_MOVE_TO}),
    W_PPR: frozenset({W_RPR, W_SECT_PR}),
}
_THEIRS: Final = (
    "{} carries another author's tracked formatting, and a file cannot track two changes of the "
    "same formatting; accept or reject that change first"
)
_Frozen: TypeAlias = "tuple[str, tuple[tuple[str, str], ...], tuple[_Frozen, ...]]"


@dataclass(frozen=True, slots=True)
class Looks:
    """Properties as they stand, and as the baseline has them when a mark of ours says so.

    Both are copies without marks, to be changed freely.
    """

    now: Element
    old: Element | None


def looks(owner: Element, tag: str, ids: Ids, what: str) -> Looks:
    """The properties of a run, a paragraph or a paragraph mark.

    Args:
        owner: The `w:r`, `w:p` or `w:pPr` that has them.
        tag: `w:rPr` or `w:pPr`.
        ids: Whose marks are ours.
        what: What a refusal calls it.

    Raises:
        RefusedError: another author's change stands on them.
    """
    properties = owner.find(tag)
    now = standing(owner, tag)
    change = None if properties is None else properties.find(_CHANGE_OF[tag])
    if change is None:
        return Looks(now, None)
    if revision_id(change) not in ids.ours:
        raise RefusedError(_THEIRS.format(what))
    inner = next(iter(change), None)
    old = etree.Element(tag)
    old.extend([] if inner is None else [_copy(child) for child in inner])
    return Looks(now, old)


def standing(owner: Element, tag: str) -> Element:
    """A copy of the properties as they stand, without any mark."""
    now = etree.Element(tag)
    properties = owner.find(tag)
    skipped = _BESIDE[tag] | {_CHANGE_OF[tag]}
    children = () if properties is None else properties
    now.extend([_copy(child) for child in children if child.tag not in skipped])
    return now


def rewrite(
    owner: Element, now: Element, before: Looks, ids: Ids, stamp: Stamp, *, tracked: bool
) -> None:
    """Give a run, a paragraph or a paragraph mark new properties.

    Args:
        owner: Who has them.
        now: The new ones; they are taken over.
        before: What `looks` read, unchanged.
        ids: Where a mark takes its id from.
        stamp: Who changes them.
        tracked: Whether a mark says so; what we inserted ourselves needs none.
    """
    tag = now.tag
    properties = owner.find(tag)
    if properties is None:
        properties = etree.Element(tag)
        _place(owner, properties)
    kept = [child for child in properties if child.tag in _BESIDE[tag]]
    for child in list(properties):
        properties.remove(child)
    old = before.now if before.old is None else before.old
    mark: list[Element] = []
    if tracked and not same(now, old):
        change = revision(_CHANGE_OF[tag], ids.ours_for(stamp.edit), stamp.author, stamp.date)
        inner = etree.SubElement(change, tag)
        inner.extend([_copy(child) for child in old])
        mark = [change]
    copies = [_copy(child) for child in now]
    properties.extend([*kept, *copies, *mark] if tag == W_RPR else [*copies, *kept, *mark])
    if not len(properties) and not properties.attrib:
        owner.remove(properties)


def _place(owner: Element, properties: Element) -> None:
    """Put properties where they belong: first, those of a mark behind those of the paragraph."""
    if owner.tag != W_PPR:
        owner.insert(0, properties)
        return
    at = next((i for i, c in enumerate(owner) if c.tag in (W_SECT_PR, _PPR_CHANGE)), len(owner))
    owner.insert(at, properties)


def same(first: Element, second: Element) -> bool:
    """Whether two properties say the same in the same words, whatever prefixes they use."""
    return frozen(first) == frozen(second)


def frozen(element: Element) -> _Frozen:
    """An element as a value: its name, attributes and children."""
    attributes = tuple(
        sorted((str(name), str(attribute_value)) for name, attribute_value in element.items())
    )
    return str(element.tag), attributes, tuple(frozen(child) for child in element)


def _copy(element: Element) -> Element:
    copy = deepcopy(element)
    copy.tail = None
    return copy
