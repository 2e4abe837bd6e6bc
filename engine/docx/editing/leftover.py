"""Paragraphs that we inserted and that stand in the baseline all the same.

Rejecting the mark of a paragraph joins what it holds of the baseline, such as the markers of a
comment, with the next paragraph. Where none follows, at the end of a story or before a table, the
paragraph stays, and so its properties belong to the baseline.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from lxml import etree

from engine.docx.editing.structure import is_mark_inserted, is_written_table
from engine.docx.names import (
    W14,
    W_DEL,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_PPR,
    W_RPR,
    W_SECT_PR,
    W_TBL,
    Element,
    W,
)
from engine.docx.text.ids import Ids
from engine.docx.text.line import Stamp
from engine.docx.text.textmap import revision_id
from engine.docx.text.writing import revision
from engine.errors import RefusedError

_PROOF: Final = W("proofErr")
_PPR_CHANGE: Final = W("pPrChange")
_RPR_CHANGE: Final = W("rPrChange")
_MARKS: Final = frozenset({W_INS, W_DEL, W_MOVE_FROM, W_MOVE_TO})
_THEIRS: Final = (
    "The paragraph carries another author's tracked formatting, which nothing can be put behind; "
    "accept or reject that change first"
)
_PARAGRAPH_IDS: Final = frozenset({W14("paraId"), W14("textId")})
_BETWEEN: Final = frozenset(
    W(f"{kind}{end}")
    for kind in ("bookmark", "perm", "commentRange", "moveFromRange", "moveToRange")
    for end in ("Start", "End")
) | {_PROOF}


def is_left(paragraph: Element, ours: Mapping[int, str]) -> bool:
    """Whether a paragraph that we inserted stays when our marks are rejected."""
    if not is_mark_inserted(paragraph, ours):
        return False
    after = _beside(paragraph, ours, forward=True)
    if after is not None and after.tag == W_P:
        return False
    each: Element | None = paragraph
    while each is not None and each.tag == W_P and is_mark_inserted(each, ours):
        if _holds_baseline(each, ours):
            return True
        each = _beside(each, ours, forward=False)
    return False


def carry_over(former: Element, last: Element, ids: Ids, stamp: Stamp) -> None:
    """Let the paragraph put behind one that is left have the properties that the baseline has.

    It is the one that stays then; its own properties are recorded as a change of them.

    Raises:
        RefusedError: another author has changed these properties, tracked.
    """
    old = former.find(W_PPR)
    if old is None or old.find(W_SECT_PR) is not None:
        return
    change = old.find(_PPR_CHANGE)
    if change is not None and revision_id(change) not in ids.ours:
        raise RefusedError(_THEIRS)
    for name, value in former.items():
        last.set(name, value)
        if name in _PARAGRAPH_IDS:
            del former.attrib[name]
    beside = (W_RPR, _PPR_CHANGE)
    holder = old if change is None else next(iter(change), change)
    kept = [deepcopy(child) for child in holder if child.tag not in beside]
    if change is not None:
        old.remove(change)
    new = last.find(W_PPR)
    if new is None:
        new = etree.Element(W_PPR)
        last.insert(0, new)
    _carry_look(old, new)
    said = [_canonical(child) for child in new if child.tag not in beside]
    if said == [_canonical(child) for child in kept]:
        return
    record = revision(_PPR_CHANGE, ids.ours_for(stamp.edit), stamp.author, stamp.date)
    etree.SubElement(record, W_PPR).extend(kept)
    new.append(record)


def _carry_look(old: Element, new: Element) -> None:
    """Give the mark of the new paragraph the looks of the former one; each keeps its own marks."""
    run, own = old.find(W_RPR), new.find(W_RPR)
    if run is None or own is None:
        return
    for child in list(own):
        if child.tag not in _MARKS:
            own.remove(child)
    own.extend([deepcopy(child) for child in run if child.tag not in _MARKS])
    change = run.find(_RPR_CHANGE)
    if change is not None:
        run.remove(change)


def _beside(block: Element, ours: Mapping[int, str], *, forward: bool) -> Element | None:
    """The next element beside it that is left when our marks are rejected."""
    step = Element.getnext if forward else Element.getprevious
    other = step(block)
    while other is not None and (
        other.tag in _BETWEEN or (other.tag == W_TBL and is_written_table(other, ours))
    ):
        other = step(other)
    return other


def _holds_baseline(paragraph: Element, ours: Mapping[int, str]) -> bool:
    return any(
        child.tag not in (W_PPR, _PROOF) and not (child.tag == W_INS and revision_id(child) in ours)
        for child in paragraph
    )


def _canonical(element: Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)
