"""Words in content controls whose text Word keeps: placeholders, and data shown from elsewhere.

ECMA-376 Part 1, 17.5.2.6 (dataBinding), 17.5.2.39 (showingPlcHdr). What takes the place of a whole
placeholder fills the control; of a part of it nobody is the author. Data that are shown change
along with the words (`bindings`), or else these are not edited: Word would write the data over
them when the document is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import OperationError
from redraft.engine.docx.names import W_P, W_SDT_CONTENT, W_SDT_PR, Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.controls import control_properties
from redraft.engine.docx.redline.line import Box, Line
from redraft.engine.docx.redline.tracked_text import Edit, narrowed
from redraft.engine.docx.steps.bindings import (
    BOUND,
    BindingStep,
    around,
    binding_steps,
    can_follow,
    is_alone,
    is_bound,
    is_typed,
)
from redraft.engine.docx.steps.control_filling import ControlStep
from redraft.engine.docx.steps.controls import offsets, shows_text
from redraft.engine.errors import RefusedError

_HINT: Final = (
    "The text is the placeholder of a content control, of which no part can be changed; fill the "
    "control, or replace all of its text"
)


def filled(
    package: Package, place: Place, line: Line, edit: Edit, known: set[Element]
) -> Iterator[ControlStep | BindingStep]:
    """What changes beside the words: placeholders that become text, data that are shown.

    Args:
        package: The document.
        place: A paragraph.
        line: Its text.
        edit: What is to be done to it.
        known: Controls whose data change already; those of this edit are added.

    Raises:
        OperationError: it would change a part of a placeholder, or data that cannot be changed.
    """
    touched = [control for control in _bound(place, line, edit) if control not in known]
    for control in touched:
        if _is_shut(package, place, control):
            raise OperationError("read_only", RefusedError(BOUND))
        known.add(control)
        yield from binding_steps(package, place, control, None)
    new = "".join(fresh.text for fresh in edit.new)
    for control, start, end in _hints(place, line):
        is_beside = edit.end <= start or edit.start >= end
        if is_beside or line.text[start:end] in new:
            continue
        if edit.start > start or edit.end < end:
            raise OperationError("read_only", RefusedError(_HINT))
        properties = control.find(W_SDT_PR)
        if properties is not None:
            yield ControlStep(place, properties, shows_text)


def is_kept(package: Package, place: Place, line: Line, start: int, end: int) -> bool:
    """Whether text[start:end] is a part of a placeholder, or of data that cannot be changed."""
    return any(
        _is_shut(package, place, control) for control in _bound(place, line, Edit(start, end, ()))
    ) or any(
        start < last and end > first and (start > first or end < last)
        for _, first, last in _hints(place, line)
    )


def _bound(place: Place, line: Line, edit: Edit) -> Iterator[Element]:
    """The controls that show data and of which an edit changes words."""
    holder = around(place)
    boxes = [
        (box, box.outer) for box in line.boxes if box.kind == "control" and box.outer is not None
    ]
    boxes = [(box, control) for box, control in boxes if is_bound(control)]
    hunks = narrowed(line.text, edit) if boxes or holder is not None else []
    if holder is not None and hunks:
        yield holder
    for box, control in boxes:
        if any(_touches(line, box, hunk.start, hunk.end) for hunk in hunks):
            yield control


def _is_shut(package: Package, place: Place, control: Element) -> bool:
    """Whether the data of a control cannot be changed along with its words."""
    is_inside = next(control.iterancestors(W_P), None) is not None
    if is_typed(control) or not can_follow(package, control):
        return True
    return not is_inside and not is_alone(place, control)


def _touches(line: Line, box: Box, start: int, end: int) -> bool:
    first, last = offsets(line.root, box)
    return (start < last and end > first) or first < start == end < last


def _hints(place: Place, line: Line) -> Iterator[tuple[Element, int, int]]:
    """The controls in a paragraph, or around it alone, that show their placeholders."""
    for box in line.boxes:
        control = box.outer if box.kind == "control" else None
        if control is not None and control_properties(control).is_placeholder:
            yield control, *offsets(line.root, box)
    content = place.element.getparent()
    control = None if content is None or content.tag != W_SDT_CONTENT else content.getparent()
    if content is None or control is None or len(content.findall(W_P)) != 1:
        return
    if control_properties(control).is_placeholder:
        yield control, 0, len(line.text)
