"""Deletes whole paragraphs and tables of a document that is being edited, tracked."""

from __future__ import annotations

from collections.abc import Iterable

from engine.docx.anchors import Place
from engine.docx.editing.desk import Desk
from engine.docx.editing.structure import (
    closes,
    delete_paragraph,
    delete_row,
    give_back,
    is_mark_deleted,
    is_written_table,
    mark,
    same_properties,
    strike_line,
)
from engine.docx.editing.twins import refuse_twin
from engine.docx.names import W_DEL, W_P, W_TR
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
    for place in reversed(list(places)):
        if place.element.getparent() is None:
            continue
        if place.kind == "table":
            _delete_table(desk, place)
        else:
            _delete_paragraph(desk, place)


def _delete_paragraph(desk: Desk, place: Place) -> None:
    paragraph = place.element
    refuse_twin(place)
    standing = desk.note(place.part, paragraph)
    parent = paragraph.getparent()
    previous = paragraph.getprevious()
    line = desk.survey.line(place)
    if delete_paragraph(line, desk.ids, desk.stamp):
        standing.remove(paragraph)
        if parent is not None:
            parent.remove(paragraph)
        return
    if previous is None or previous.tag != W_P or not closes(paragraph):
        return
    if give_back(paragraph, desk.ids.ours):
        desk.note(place.part, previous)
        standing.remove(paragraph)
        if parent is not None:
            parent.remove(paragraph)
    elif not is_mark_deleted(previous) and same_properties(previous, paragraph):
        desk.note(place.part, previous)
        mark(previous, W_DEL, desk.ids, desk.stamp)


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
