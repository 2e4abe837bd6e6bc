"""Paragraphs that we inserted and that stand in the baseline all the same.

Rejecting the mark of a paragraph joins what it holds of the baseline, such as the markers of a
comment, with the next paragraph. Where none follows, at the end of a story or before a table, the
paragraph stays, and so its properties belong to the baseline. So does, without anything in it, the
last one of a cell behind a table that stays: a cell ends in a paragraph (17.4.65, tc).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from redraft.engine.docx.accept_reject.paragraph_joins import is_hollow
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import is_mark_inserted, is_written_table
from redraft.engine.docx.names import (
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_INS,
    W_P,
    W_PPR,
    W_RPR,
    W_TBL,
    W_TC,
    Element,
    W,
)
from redraft.engine.docx.range_markers import POINTS
from redraft.engine.docx.redline.textmap import revision_id

_PROOF: Final = W("proofErr")
_EMPTIED: Final = frozenset({W_HYPERLINK, W_FLD_SIMPLE})


def is_left(paragraph: Element, ours: Mapping[int, str], bare: set[Element] | None = None) -> bool:
    """Returns whether a paragraph that we inserted stays when our marks are rejected.

    Args:
        paragraph: Which.
        ours: Our marks.
        bare: Takes up paragraphs that are not left, nor what we inserted in front of them, and
            spares looking at all of these again.
    """
    if not is_mark_inserted(paragraph, ours):
        return False
    after = _beside(paragraph, ours, forward=True)
    if after is not None and after.tag == W_P:
        return False
    known = set[Element]() if bare is None else bare
    passed: list[Element] = []
    at: Element | None = paragraph
    while at is not None and at.tag == W_P and is_mark_inserted(at, ours):
        if at in known:
            break
        if _holds_baseline(at, ours):
            return True
        passed.append(at)
        at = _beside(at, ours, forward=False)
    else:
        if after is None and at is not None and at.tag == W_TBL and _is_in_cell(at):
            return True
    known.update(passed)
    return False


def let_stand(desk: Desk, part: str, block: Element | None) -> None:
    """Takes our mark off a paragraph that is left either way, before it is deleted or followed.

    Nobody can decide on such a mark. Were a paragraph put behind it, rejecting the mark would make
    of both one that has the properties of the new paragraph, its section too; were it gone, the
    paragraph in front of it would be left, with others.

    Args:
        desk: Who edits.
        part: Where the block stands.
        block: It, or what stands between it and the place where new blocks come.
    """
    ours = desk.ids.ours
    while block is not None and _is_passed(block, ours):
        block = block.getprevious()
    if block is None or block.tag != W_P or not is_left(block, ours, desk.bare):
        return
    desk.standing(part, block)
    properties = block.find(W_PPR)
    run = None if properties is None else properties.find(W_RPR)
    mark = None if run is None else run.find(W_INS)
    if properties is not None and run is not None and mark is not None:
        run.remove(mark)
        if not len(run):
            properties.remove(run)
        if not len(properties):
            block.remove(properties)


def _beside(block: Element, ours: Mapping[int, str], *, forward: bool) -> Element | None:
    """Returns the next element beside it that is left when our marks are rejected."""
    step = Element.getnext if forward else Element.getprevious
    other = step(block)
    while other is not None and _is_passed(other, ours):
        other = step(other)
    return other


def _is_in_cell(block: Element) -> bool:
    parent = block.getparent()
    return parent is not None and parent.tag == W_TC


def _is_passed(block: Element, ours: Mapping[int, str]) -> bool:
    """Returns whether rejecting ours takes away what keeps two paragraphs apart."""
    return block.tag in POINTS or (block.tag == W_TBL and is_written_table(block, ours))


def _holds_baseline(paragraph: Element, ours: Mapping[int, str]) -> bool:
    return any(child.tag != W_PPR and not _is_gone(child, ours) for child in paragraph)


def _is_gone(element: Element, ours: Mapping[int, str]) -> bool:
    """Returns whether nothing is left of something in a paragraph when our marks are rejected.

    A link or simple field goes with the last of what it held.
    """
    if element.tag == _PROOF or is_hollow(element):
        return True
    if element.tag in _EMPTIED:
        return len(element) > 0 and all(_is_gone(child, ours) for child in element)
    return element.tag == W_INS and revision_id(element) in ours
