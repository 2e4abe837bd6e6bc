"""Tracks content controls that go with the paragraph they stand in, or come with one.

Words are marked by an element around them; the tags of a control are by ranges, one around each of
them (ECMA-376 Part 1, 17.13.5.4 to 17.13.5.7, customXmlDelRange and customXmlInsRange; Word applies
them to `w:sdt`, and lets no two of them overlap).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from redraft.engine.docx import tracked_wrappers
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.names import (
    W_DEL,
    W_INS,
    W_MOVE_FROM,
    W_R,
    W_SDT,
    W_SDT_CONTENT,
    Element,
    M,
    W,
)
from redraft.engine.docx.redline.line import Line, Stamp
from redraft.engine.docx.redline.revision_ids import Ids
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import TAGS_INSERTED, revision, tags_end

_START: Final = W("customXmlDelRangeStart")
_STRUCK: Final = (W_DEL, W_MOVE_FROM)


def strike_controls(line: Line, ids: Ids, stamp: Stamp) -> None:
    """Marks the controls of a struck paragraph as deleted; those that are so already stay.

    Args:
        line: The paragraph, all of which is struck and written.
        ids: Our marks.
        stamp: Who deletes.
    """
    controls = [(box.outer, box.element) for box in line.boxes if box.kind == "control"]
    ranges = tracked_wrappers.pairs(line.paragraph) if controls else {}
    struck = {
        start: end for start, end in ranges.items() if tracked_wrappers.like(start) in _STRUCK
    }
    struck_controls = set(tracked_wrappers.around(line.paragraph, struck))
    for control, content in controls:
        if control is None or control in struck_controls or control.getparent() is None:
            continue
        _mark_tags(control, content, _START, ids, stamp)


def insert_controls(inserted: Element, ids: Ids, stamp: Stamp) -> None:
    """Marks the controls in an insertion of ours as inserted; those in text boxes go with these."""
    for control in list(inserted.iter(W_SDT)):
        content = control.find(W_SDT_CONTENT)
        if content is not None and next(control.iterancestors(W_R), None) is None:
            _mark_tags(control, content, TAGS_INSERTED[0], ids, stamp)


def _mark_tags(control: Element, content: Element, tag: str, ids: Ids, stamp: Stamp) -> None:
    first, second = (
        revision(tag, ids.ours_for(stamp.edit), stamp.author, stamp.date) for _ in range(2)
    )
    control.addprevious(first)
    content.insert(0, tags_end(first))
    content.append(second)
    control.addnext(tags_end(second))


def keep_live_controls(desk: Desk) -> None:
    """Takes our ranges off controls in changed blocks that hold words of the baseline again."""
    ours = desk.ids.ours
    for changed in desk.changed.values():
        for block in {element for standing in changed.values() for element in standing}:
            if next(block.iter(_START), None) is not None:
                _keep_live(block, ours)


def _keep_live(block: Element, ours: Mapping[int, str]) -> None:
    ends = tracked_wrappers.pairs(block)
    for start, control in tracked_wrappers.wrappings(block, ours).of.items():
        if start.tag == _START and revision_id(start) in ours and _is_live(control, ours):
            for node in (start, ends[start]):
                parent = node.getparent()
                if parent is not None:
                    parent.remove(node)


def _is_live(control: Element, ours: Mapping[int, str]) -> bool:
    """Returns whether something of the baseline stands in a control, struck by nobody."""
    return any(
        not any(
            ancestor.tag in _STRUCK or (ancestor.tag == W_INS and revision_id(ancestor) in ours)
            for ancestor in node.iterancestors()
        )
        for node in control.iter(W_R, M("oMath"))
    )
