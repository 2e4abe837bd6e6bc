"""Puts new blocks beside a block of the untouched document, behind what the plan put there before.

A paragraph whose mark is deleted is one block with the next: what comes before that block stands
before all its paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from engine.docx.anchors import Place
from engine.docx.editing.desk import Desk
from engine.docx.editing.leftover import carry_over, is_left
from engine.docx.editing.structure import ends_story, insert_beside, is_mark_deleted
from engine.docx.editing.twins import refuse_twin
from engine.docx.names import W_P, Element
from engine.errors import PlanError


def put_beside(
    desk: Desk, place: Place, where: Literal["before", "after"], new: Sequence[Element]
) -> None:
    """Insert paragraphs and tables; the marks of the paragraphs are marked as inserted.

    Args:
        desk: Who edits.
        place: A paragraph or table that stood in the document before.
        where: On which side of it.
        new: At least one block; the rows of a table and all runs are marked by the caller. Behind
            the last block of a story the last one must be a paragraph.

    Raises:
        RefusedError: it stands in a text box that is stored twice.
        PlanError: another operation of the plan has removed the block.
    """
    refuse_twin(place)
    anchor = place.element
    beside = desk.pieces.get(anchor, [anchor])[0]
    if where == "before":
        beside = front(beside)
        standing = desk.note(place.part, anchor if anchor in desk.pieces else beside)
    else:
        standing = desk.note(place.part, anchor)
        if anchor in standing:
            beside = standing[-1]
    if beside.getparent() is None or beside not in standing:
        message = f"Two operations of the plan touch {place.anchor or 'the same block'}"
        raise PlanError(message)
    was_left = where == "after" and beside.tag == W_P and is_left(beside, desk.ids.ours)
    insert_beside(beside, where, new, desk.ids, desk.stamp)
    if was_left and new[-1].tag == W_P and ends_story(new[-1]):
        carry_over(beside, new[-1], desk.ids, desk.stamp)
    at = standing.index(beside) + (where == "after")
    standing[at:at] = new


def front(block: Element) -> Element:
    """The first paragraph of the block that a paragraph ends."""
    before = block.getprevious()
    while block.tag == W_P and before is not None and before.tag == W_P and is_mark_deleted(before):
        block, before = before, before.getprevious()
    return block
