"""Deletes whole paragraphs and tables of a document that is being edited, tracked."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.baseline_paragraphs import let_stand
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import (
    Skips,
    closes,
    delete_paragraph,
    give_back,
    is_mark_deleted,
    is_mark_inserted,
    is_written_table,
    mark,
    same_properties,
)
from redraft.engine.docx.editing.tracked_tables import strike
from redraft.engine.docx.names import W_DEL, W_P, W_PPR, W_TC, W_TR, Element
from redraft.engine.docx.range_markers import beside
from redraft.engine.docx.redline.fold import fold
from redraft.engine.docx.redline.line import Standing
from redraft.engine.docx.redline.tracked_runs import write


def delete(desk: Desk, places: Iterable[Place]) -> None:
    """Deletes paragraphs and tables; what is all ours is gone.

    Args:
        desk: Who edits.
        places: In document order; they are worked off from the last one on, so that the end of a
            story is known to be left before what stands in front of it.

    Raises:
        RefusedError: one of them is locked, or a field reaches out of it.
    """
    skips: Skips = {}
    left = list(places)
    leaving = {place.element for place in left}
    for place in reversed(left):
        if place.element.getparent() is None:
            continue
        if place.kind == "table":
            _delete_table(desk, place)
        else:
            _delete_paragraph(desk, place, skips, leaving)
    for place in left:
        if place.kind != "table" and place.element.getparent() is not None:
            _close_up(desk, place, leaving)


def _close_up(desk: Desk, place: Place, leaving: Collection[Element]) -> None:
    """Joins the paragraph in front of deleted ones that end a story, so that none is left empty.

    The last mark of a story cannot be deleted (ECMA-376 Part 1, 17.13.5.15: a deleted mark joins
    its paragraph with the next one). Deleting it means deleting the mark in front of the deletion
    instead; where the properties differ, an empty paragraph stays, as it does in Word.
    """
    last = place.element
    if not closes(last) or is_mark_inserted(last, desk.ids.ours):
        return
    before = nearest = beside(last, forward=False)
    while before is not None and before in leaving and is_mark_deleted(before):
        before = beside(before, forward=False)
    if before is None or before is nearest or before in leaving:
        return
    if before.tag != W_P or is_mark_deleted(before) or not same_properties(before, last):
        return
    other = Place("", place.part, place.story, "paragraph", before)
    if not is_mark_inserted(before, desk.ids.ours) or not _rejoin(desk, other):
        desk.note(place.part, before)
        mark(before, W_DEL, desk.ids, desk.stamp)


def _delete_paragraph(desk: Desk, place: Place, skips: Skips, leaving: Collection[Element]) -> None:
    paragraph = place.element
    standing = desk.note(place.part, paragraph)
    parent = paragraph.getparent()
    previous = beside(paragraph, forward=False)
    let_stand(desk, place.part, paragraph)
    is_ours = is_mark_inserted(paragraph, desk.ids.ours)
    if delete_paragraph(desk.line(place), desk.ids, desk.stamp, skips, leaving):
        standing.remove(paragraph)
        if parent is not None:
            parent.remove(paragraph)
        return
    if is_ours and is_mark_deleted(paragraph) and _rejoin(desk, place):
        return
    if previous is None or previous.tag != W_P or not closes(paragraph):
        return
    if give_back(paragraph, desk.ids, desk.stamp):
        desk.note(place.part, previous)
        standing.remove(paragraph)
        if parent is not None:
            parent.remove(paragraph)
    elif not is_mark_deleted(previous) and same_properties(previous, paragraph):
        is_written = is_mark_inserted(previous, desk.ids.ours)
        if is_written and previous in leaving:
            # Joined now, its words would not be deleted; it joins when they are.
            return
        other = Place("", place.part, place.story, "paragraph", previous)
        if not is_written or not _rejoin(desk, other):
            desk.note(place.part, previous)
            mark(previous, W_DEL, desk.ids, desk.stamp)


def _rejoin(desk: Desk, place: Place) -> bool:
    """Takes the mark that we inserted off a paragraph which is one with the next again.

    Returns:
        Whether what it holds stands in front of the other part now.
    """
    paragraph = place.element
    following = beside(paragraph, forward=True)
    parent = paragraph.getparent()
    if following is None or following.tag != W_P or parent is None:
        return False
    desk.standing(place.part, following)
    at = 1 if following.find(W_PPR) is not None else 0
    content = [child for child in paragraph if child.tag != W_PPR]
    for offset, child in enumerate(content):
        following.insert(at + offset, child)
    desk.standing(place.part, paragraph).remove(paragraph)
    parent.remove(paragraph)
    line = desk.line(Place("", place.part, place.story, "paragraph", following))
    if {unit.standing for unit in line.units} >= {Standing.STRUCK, Standing.WRITTEN}:
        fold(line)
        write(line, desk.ids)
    return True


def drop_emptied(desk: Desk, place: Place) -> None:
    """Takes out the rows of a table that are left without a cell, and a table left without a row.

    Word takes either for damage (17.4.78, tr; 17.4.37, tbl).
    """
    table = place.element
    for row in [row for row in table.iter(W_TR) if next(row.iter(W_TC), None) is None]:
        parent = row.getparent()
        if parent is not None:
            parent.remove(row)
    if next(table.iter(W_TR), None) is None:
        _take_out(desk, place)


def _delete_table(desk: Desk, place: Place) -> None:
    if is_written_table(place.element, desk.ids.ours):
        _take_out(desk, place)
        return
    desk.note(place.part, place.element)
    strike(desk, place, [place.element])


def _take_out(desk: Desk, place: Place) -> None:
    table = place.element
    standing = desk.note(place.part, table)
    parent = table.getparent()
    if parent is not None:
        standing.remove(table)
        parent.remove(table)
