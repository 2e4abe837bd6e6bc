"""Words in content controls whose text Word keeps: placeholders, and data shown from elsewhere.

ECMA-376 Part 1, 17.5.2.6 (dataBinding), 17.5.2.39 (showingPlcHdr), 22.5.2.1 (datastoreItem). What
takes the place of a whole placeholder fills the control; of a part of it nobody is the author.
Bound text is not edited: Word writes the data over it when the document is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.docx.anchors import Place
from engine.docx.editing.finding import OperationError
from engine.docx.names import W_P, W_SDT_CONTENT, W_SDT_PR, Element, W
from engine.docx.package import Package
from engine.docx.reading.controls import control_properties
from engine.docx.steps.controls import BOUND, ControlStep, offsets, shows_text
from engine.docx.text.line import Box, Line
from engine.docx.text.redline import Edit, narrowed
from engine.errors import RefusedError

_BINDING: Final = W("dataBinding")
# What Word itself keeps: core, extended and cover page properties.
_STORES: Final = frozenset(
    {
        "{6c3c8bc8-f283-45ae-878a-bab7291924a1}",
        "{6668398d-a668-4e3e-a5eb-62b293d839f1}",
        "{55af091b-3c7a-41e3-b477-f2fdaa23cfda}",
    }
)
_HINT: Final = (
    "The text is the placeholder of a content control, of which no part can be changed; fill the "
    "control, or replace all of its text"
)


def filled(package: Package, place: Place, line: Line, edit: Edit) -> Iterator[ControlStep]:
    """What changes beside the words, when an edit puts others in the place of a placeholder.

    Raises:
        OperationError: it would change a part of a placeholder, or data that are shown.
    """
    bound = [box for box in line.boxes if _is_bound(package, box)]
    for hunk in narrowed(line.text, edit) if bound else ():
        if any(_touches(line, box, hunk.start, hunk.end) for box in bound):
            raise OperationError("read_only", RefusedError(BOUND))
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
    """Whether text[start:end] is a part of a placeholder, or of data that are shown."""
    return any(
        _is_bound(package, box) and _touches(line, box, start, end) for box in line.boxes
    ) or any(
        start < last and end > first and (start > first or end < last)
        for _, first, last in _hints(place, line)
    )


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


def _is_bound(package: Package, box: Box) -> bool:
    """Whether a box shows data that are there: properties of the document, or stored with it."""
    control = box.outer if box.kind == "control" else None
    binding = None if control is None else control.find(f"{W_SDT_PR}/{_BINDING}")
    if binding is None:
        return False
    wanted = binding.get(W("storeItemID"), "").casefold()
    return wanted in _STORES or wanted in _stored(package)


def _stored(package: Package) -> frozenset[str]:
    """The ids of the data that are stored with a document."""
    return frozenset(
        str(value).casefold()
        for item in package.related(package.main, "customXml")
        for part in package.related(item, "customXmlProps")
        for name, value in package.tree(part).items()
        if str(name).rpartition("}")[2] == "itemID"
    )
