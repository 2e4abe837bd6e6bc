"""Deletes whole paragraphs and tables of a document that is being edited, tracked."""

from __future__ import annotations

from collections.abc import Iterable

from engine.docx.anchors import Place
from engine.docx.editing.desk import Desk
from engine.docx.editing.structure import (
    Skips,
    closes,
    delete_paragraph,
    delete_row,
    give_back,
    is_mark_deleted,
    is_mark_inserted,
    is_written_table,
    mark,
    same_properties,
    strike_line,
)
from engine.docx.editing.twins import refuse_twin
from engine.docx.names import W_DEL, W_P, W_PPR, W_TR, Element
from engine.docx.text.writing import write


def delete(desk: Desk, places: Iterable[Place]) -> None:
    """Delete paragraphs and tables; what is all ours is gone.

    Args:
        desk: Who edits.
        places: In document order; they are worked off from the last one on, so that the end of a
            story is known to be left before what stands in front of it.

    Raises:
        RefusedError: one of them is locked, or a field reaches out of it.
    """
    skips: Skips = {}
    for place in reversed(list(places)):
        if place.element.getparent() is None:
            continue
        if place.kind == "table":
            _delete_table(desk, place)
        else:
            _delete_paragraph(desk, place, skips)


def _delete_paragraph(desk: Desk, place: Place, skips: Skips) -> None:
    paragraph = place.element
    refuse_twin(place)
    standing = desk.note(place.part, paragraph)
    parent = paragraph.getparent()
    previous = paragraph.getprevious()
    is_ours = is_mark_inserted(paragraph, desk.ids.ours)
    if delete_paragraph(desk.line(place), desk.ids, desk.stamp, skips):
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
        other = Place("", place.part, place.story, "paragraph", previous)
        if not is_mark_inserted(previous, desk.ids.ours) or not _rejoin(desk, other):
            desk.note(place.part, previous)
            mark(previous, W_DEL, desk.ids, desk.stamp)


def _rejoin(desk: Desk, place: Place) -> bool:
    """Take the mark that we inserted off a paragraph which is one with the next again.

    Returns:
        Whether what it holds stands in front of the other part now.
    """
    paragraph = place.element
    following = paragraph.getnext()
    parent = paragraph.getparent()
    if following is None or following.tag != W_P or parent is None:
        return False
    _standing(desk, place.part, following)
    at = 1 if following.find(W_PPR) is not None else 0
    content = [child for child in paragraph if child.tag != W_PPR]
    for offset, child in enumerate(content):
        following.insert(at + offset, child)
    _standing(desk, place.part, paragraph).remove(paragraph)
    parent.remove(paragraph)
    return True


def _standing(desk: Desk, part: str, block: Element) -> list[Element]:
    """Note that a block changes, which may be new itself; what it stands among."""
    for standing in desk.changed.get(part, {}).values():
        if any(block is each for each in standing):
            return standing
    return desk.note(part, block)


def _delete_table(desk: Desk, place: Place) -> None:
    table = place.element
    refuse_twin(place)
    standing = desk.note(place.part, table)
    parent = table.getparent()
    if is_written_table(table, desk.ids.ours) and parent is not None:
        standing.remove(table)
        parent.remove(table)
        return
    for paragraph in table.iter(W_P):
        inner = Place("", place.part, place.story, "paragraph", paragraph)
        line = desk.survey.line(inner)
        strike_line(line, desk.stamp)
        write(line, desk.ids)
        if not is_mark_deleted(paragraph):
            mark(paragraph, W_DEL, desk.ids, desk.stamp)
    for row in table.iter(W_TR):
        delete_row(row, desk.ids, desk.stamp)
