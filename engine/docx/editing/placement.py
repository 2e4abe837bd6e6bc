"""Puts new blocks beside a block of the untouched document, behind what the plan put there before.

A paragraph whose mark is deleted is one block with the next: what comes before that block stands
before all its paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.baseline_paragraphs import let_stand
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import insert_beside, is_mark_deleted
from redraft.engine.docx.names import W_P, Element
from redraft.engine.docx.range_markers import beside
from redraft.engine.docx.reading.controls import is_locked_around
from redraft.engine.docx.redline.insertion_point import LOCKED
from redraft.engine.errors import PlanError, RefusedError


def put_beside(
    desk: Desk, place: Place, where: Literal["before", "after"], new: Sequence[Element]
) -> None:
    """Inserts paragraphs and tables; the marks of the paragraphs are marked as inserted.

    Args:
        desk: Who edits.
        place: A paragraph or table that stood in the document before.
        where: On which side of it.
        new: At least one block; the rows of a table and all runs are marked by the caller. Behind
            the last block of a story the last one must be a paragraph.

    Raises:
        RefusedError: they would stand in a locked content control.
        PlanError: another operation of the plan has removed the block.
    """
    if is_locked_around(place.element):
        raise RefusedError(LOCKED)
    standing, beside = side_of(desk, place, where)
    let_stand(desk, place.part, beside if where == "after" else beside.getprevious())
    insert_beside(beside, where, new, desk.ids, desk.stamp)
    at = standing.index(beside) + (where == "after")
    standing[at:at] = new


def side_of(
    desk: Desk, place: Place, where: Literal["before", "after"]
) -> tuple[list[Element], Element]:
    """Beside what new blocks come: what stands for a block by now, and its first or last piece.

    Raises:
        PlanError: another operation of the plan has removed the block.
    """
    anchor = place.element
    if where == "before":
        host, beside = opening(desk, anchor)
        standing = desk.note(place.part, host)
    else:
        beside = anchor
        standing = desk.note(place.part, anchor)
        if anchor in standing:
            beside = standing[-1]
    if beside.getparent() is None or beside not in standing:
        message = f"Two operations of the plan touch {place.anchor or 'the same block'}"
        raise PlanError(message)
    return standing, beside


def opening(desk: Desk, anchor: Element) -> tuple[Element, Element]:
    """Returns where the block that a paragraph or table ends begins by now.

    Returns:
        The block of the untouched document that stands there, and the first of the pieces into
        which the plan has split it.
    """
    beside = desk.pieces.get(anchor, [anchor])[0]
    host = front(beside)
    if host is beside:
        return anchor, beside
    return host, desk.pieces.get(host, [host])[0]


def front(block: Element) -> Element:
    """Returns the first paragraph of the block that a paragraph ends."""
    before = beside(block, forward=False)
    while block.tag == W_P and before is not None and before.tag == W_P and is_mark_deleted(before):
        block, before = before, beside(before, forward=False)
    return block
