"""Puts new blocks beside a block of the untouched document, behind what the plan put there before.

A paragraph whose mark is deleted is one block with the next: what comes before that block stands
before all its paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.baseline_paragraphs import let_stand
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import insert_beside, is_mark_deleted
from redraft.engine.docx.names import W_P, W_SDT, W_SDT_CONTENT, W_SDT_PR, W_TBL, W_TC, Element, W
from redraft.engine.docx.range_markers import beside
from redraft.engine.docx.reading.controls import is_locked_around
from redraft.engine.docx.redline.insertion_point import LOCKED
from redraft.engine.errors import PlanError, RefusedError

# What makes a control one of words, or shows data: no paragraph can be added in it (17.5.2).
_WORDS: Final = frozenset({"dataBinding", "text", "date", "dropDownList", "comboBox", "picture"})
_CELL: Final = (
    "The cell ends with a content control that holds only words or shows data; no paragraph can be "
    "added behind it, so add it before the control"
)
_BLOCKS: Final = frozenset({W_P, W_TBL, W_SDT, W("customXml")})


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
    standing, beside = side_of(desk, place, where)
    if is_locked_around(beside):
        raise RefusedError(LOCKED)
    let_stand(desk, place.part, beside if where == "after" else beside.getprevious())
    insert_beside(beside, where, new, desk.ids, desk.stamp)
    at = standing.index(beside) + (where == "after")
    standing[at:at] = new


def side_of(
    desk: Desk, place: Place, where: Literal["before", "after"]
) -> tuple[list[Element], Element]:
    """Returns what stands for a block by now, and the element that new blocks come beside.

    That is the first or last piece of the block; or the content control that begins or ends with
    it. Word fills a control anew from its data, and a person who adds a paragraph does not mean to
    fill the control (ECMA-376 Part 1, 17.5.2).

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
    control = control_at_edge(beside, where)
    if control is None:
        return standing, beside
    desk.whole.add(place.part)
    standing = desk.beside_controls.setdefault(control, [control])
    return standing, standing[-1] if where == "after" else control


def control_at_edge(block: Element, where: Literal["before", "after"]) -> Element | None:
    """Returns the outermost content control of blocks that ends, or begins, with a block.

    None as well for the one that ends a cell: new blocks stay in it, for a cell must end in a
    paragraph that can take over the mark (17.4.65, tc).

    Raises:
        RefusedError: this one is filled by Word, or holds words only.
    """
    step = Element.getnext if where == "after" else Element.getprevious
    controls: list[Element] = []
    at: Element | None = block
    while at is not None:
        content = at.getparent()
        other = step(at)
        while other is not None and other.tag not in _BLOCKS:
            other = step(other)
        if other is not None or content is None:
            break
        if content.tag == W_TC and where == "after" and controls:
            if any(_holds_words(control) for control in controls):
                raise RefusedError(_CELL)
            return None
        if content.tag != W_SDT_CONTENT:
            break
        at = content.getparent()
        controls += [] if at is None else [at]
    return controls[-1] if controls else None


def _holds_words(control: Element) -> bool:
    properties = control.find(W_SDT_PR)
    names = () if properties is None else (str(child.tag) for child in properties)
    return any(name.rpartition("}")[2] in _WORDS for name in names)


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
