"""Fills content controls (ECMA-376 Part 1, 17.5.2): the words tracked, the properties not.

Form fields of old are controls, too: see `form_fields`.

Controls are named as the view names them (`cc2`), or by their title or tag. The words are edits of
the paragraph that the control stands in; what Word keeps of the value beside them (that it is no
placeholder any longer, the date, the checked box) is a step of its own. Other edits of words in a
control fill it where they replace its whole placeholder (17.5.2.39, showingPlcHdr), and change its
data where it shows some (17.5.2.6, dataBinding); Word would write the data over them otherwise.

[x] plain and rich text of one paragraph  [x] drop-down lists, combo boxes  [x] dates
[x] check boxes
[x] controls bound to data: the data change too (`bindings`)
[-] pictures, building blocks, repeated sections (refused)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from redraft.engine import tokens
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import (
    MC_FALLBACK,
    W14,
    W_FLD_CHAR,
    W_P,
    W_SDT,
    W_SDT_CONTENT,
    W_SDT_PR,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.controls import control_around, control_properties
from redraft.engine.docx.redline.line import Box, Line, Unit
from redraft.engine.docx.redline.tracked_text import Edit, Fresh, narrowed
from redraft.engine.docx.runs.symbols import symbol
from redraft.engine.docx.steps.bindings import (
    BOUND,
    BindingStep,
    around,
    binding_steps,
    can_follow,
    is_alone,
    is_bound,
    is_typed,
    stored,
)
from redraft.engine.docx.steps.control_filling import ControlStep, Filling, is_ticked
from redraft.engine.docx.steps.dates import parsed, shown
from redraft.engine.docx.steps.form_fields import form_fields, form_filling
from redraft.engine.docx.steps.quote_places import place_around
from redraft.engine.errors import AmbiguousError, NotFoundError, PlanError, RefusedError
from redraft.engine.plan import SetField

_HINT: Final = (
    "The text is the placeholder of a content control, of which no part can be changed; fill the "
    "control, or replace all of its text"
)
_NAME: Final = re.compile(r"cc[0-9]+")
_TEXTS: Final = frozenset({W("text"), W("richText")})
_LISTS: Final = frozenset({W("dropDownList"), W("comboBox")})
_DATE, _BOX, _CHECKED = W("date"), W14("checkbox"), W14("checked")
_PLACEHOLDER: Final = W("showingPlcHdr")
_OTHERS: Final = frozenset(
    map(
        W,
        ("picture", "docPartObj", "docPartList", "group", "citation", "bibliography", "equation"),
    )
)
_LOCKED: Final = "The content control is locked; unlock it in Word"


@dataclass(frozen=True, slots=True)
class _Value:
    """The words that a control gets, and how its properties change.

    `stored` is what data behind it get, where that is not the words.
    """

    text: str
    change: Callable[[Element], bool] | None = None
    stored: str | None = None


def filling(finder: Finder, operation: SetField) -> Filling:
    """Returns what a value means for a control.

    Raises:
        OperationError: there is no such control, it is locked or bound, or cannot have the value.
    """
    control = _control(finder, operation.control)
    if control.tag == W_FLD_CHAR:
        return form_filling(finder, control, operation.value)
    properties = control.find(W_SDT_PR)
    control_type = control_properties(control)
    if control_type.is_locked:
        raise OperationError("locked", RefusedError(_LOCKED))
    package = finder.survey.package
    if is_bound(control) and not can_follow(package, control):
        raise OperationError("read_only", RefusedError(BOUND))
    value = _value(properties, operation.value)
    place, line, start, end, box = _span(finder, control)
    edits: tuple[Edit, ...] = ()
    if control_type.is_placeholder or line.text[start:end] != value.text:
        edits = (Edit(start, end, (Fresh(value.text),) if value.text else (), box=box),)
    changes = [value.change if edits or control_type.box is not None else None]
    changes.append(shows_text if control_type.is_placeholder else None)
    due = [change for change in changes if change is not None]
    if properties is None:
        return Filling(place, line, edits, ())
    steps: list[ControlStep | BindingStep] = [ControlStep(place, properties, c) for c in due]
    if is_bound(control):
        data = value.text if value.stored is None else value.stored
        data = stored(package, control, data, value.text)
        steps += binding_steps(package, place, control, data)
    return Filling(place, line, edits, tuple(steps))


def _control(finder: Finder, name: str) -> Element:
    """Returns the control of an id of the view, or of a title or tag."""
    wanted = name.strip().strip("\u27e6\u27e7").strip()
    package = finder.survey.package
    if _NAME.fullmatch(wanted):
        known = finder.controls.get(wanted)
        if known is not None:
            return known
        raise unable("unknown_block", f"The document has no content control {wanted}")
    titles = (W("alias"), W("tag"))
    matching = [
        control
        for part in story_parts(package)
        for control in package.tree(part).iter(W_SDT)
        if any(
            child.get(W_VAL, "").strip().casefold() == wanted.casefold()
            for title in titles
            for child in control.findall(f"{W_SDT_PR}/{title}")
        )
        and next(control.iterancestors(MC_FALLBACK), None) is None
    ]
    matching += form_fields(package, wanted)
    if not wanted or not matching:
        message = f"The document has no content control or form field named {name[:60]}"
        raise OperationError("unknown_block", NotFoundError(message))
    if len(matching) > 1:
        message = (
            f"{len(matching)} content controls or form fields have the name {wanted}; "
            "say which by its id"
        )
        raise OperationError("ambiguous", AmbiguousError(message))
    return matching[0]


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _value(properties: Element | None, value: str) -> _Value:
    for child in () if properties is None else properties:
        if child.tag in _LISTS:
            return _chosen(child, value)
        if child.tag == _DATE:
            return _dated(child, value)
        if child.tag == _BOX:
            return _ticked(child, value)
        if child.tag in _OTHERS or _local(child) in ("repeatingSection", "repeatingSectionItem"):
            kind = _local(child)
            raise unable("wrong_type", f"A content control of the kind {kind} takes no text")
    read = tokens.parse(value, ())
    text = value if read.faults else tokens.visible(read.pieces)
    if "\n" in value:
        raise unable("contains_newline", "A value is one line; write no line breaks into it")
    return _Value(text)


def _chosen(entries: Element, value: str) -> _Value:
    """Returns an option of a list, by what it shows or by its value (17.5.2.21, listItem)."""
    options = {
        entry.get(W("displayText")) or entry.get(W("value"), ""): entry.get(W("value"), "")
        for entry in entries.findall(W("listItem"))
    }
    wanted = value.strip().casefold()
    for text, code in options.items():
        if wanted in (text.strip().casefold(), code.strip().casefold()):
            return _Value(text, _setter(entries.tag, W("lastValue"), code), code)
    if entries.tag == W("comboBox"):
        return _Value(value)
    known = ", ".join(text for text in options if text) or "none"
    raise unable("not_an_option", f"{value[:60]} is not an option of the list; it has {known}")


def _dated(properties: Element, value: str) -> _Value:
    """Returns a date in the format and language of the control (17.5.2.7)."""
    day = parsed(value)
    if day is None:
        raise unable("wrong_type", f"{value[:60]} is no date; write it as 2026-05-01")
    form = properties.find(W("dateFormat"))
    language = properties.find(W("lid"))
    text = shown(
        day,
        "" if form is None else form.get(W_VAL, ""),
        "en" if language is None else language.get(W_VAL, ""),
    )
    if text is None:
        raise unable(
            "wrong_type",
            "The control shows dates with names in a language that is not known here; replace its "
            "words instead",
        )
    full = f"{day.isoformat()}T00:00:00"
    return _Value(text, _setter(_DATE, W("fullDate"), f"{full}Z"), full)


def _ticked(box: Element, value: str) -> _Value:
    """Returns a check box: its state, and the sign that shows it."""
    is_on = is_ticked(value)
    state = box.find(W14("checkedState" if is_on else "uncheckedState"))
    code, font = ("2612" if is_on else "2610"), ""
    if state is not None:
        code, font = state.get(W14("val"), code), state.get(W14("font"), "")
    number = int(code, 16) if re.fullmatch("[0-9A-Fa-f]+", code) else 0x2610 + 2 * is_on

    def change(properties: Element) -> bool:
        own = properties.find(_BOX)
        if own is None:
            return False
        checked = own.find(_CHECKED)
        if checked is None:
            checked = own.makeelement(_CHECKED)
            own.insert(0, checked)
        before = checked.get(W14("val"))
        checked.set(W14("val"), "1" if is_on else "0")
        return before != checked.get(W14("val"))

    return _Value(symbol(font, number) or chr(number), change, "true" if is_on else "false")


def _setter(tag: str, name: str, value: str) -> Callable[[Element], bool]:
    """Returns a change of one attribute of a child of the properties."""

    def change(properties: Element) -> bool:
        child = properties.find(tag)
        if child is None or child.get(name) == value:
            return False
        child.set(name, value)
        return True

    return change


def shows_text(properties: Element) -> bool:
    """Returns the control no longer shows its placeholder (17.5.2.39)."""
    placeholders = properties.findall(_PLACEHOLDER)
    for child in placeholders:
        properties.remove(child)
    return bool(placeholders)


def _span(finder: Finder, control: Element) -> tuple[Place, Line, int, int, Box | None]:
    """Returns the paragraph of a control and its text in it.

    None for a control around the paragraph.

    Raises:
        OperationError: it holds several paragraphs, or stands where nothing is edited.
    """
    package = finder.survey.package
    root = control.getroottree().getroot()
    part = next(part for part in story_parts(package) if package.tree(part) is root)
    is_inside = next(control.iterancestors(W_P), None) is not None
    content = control.find(W_SDT_CONTENT)
    paragraphs = [] if content is None else list(content.iter(W_P))
    if not is_inside and len(paragraphs) != 1:
        message = (
            f"The content control holds {len(paragraphs)} paragraphs; rewrite them one by one, as "
            "the view shows them"
        )
        raise OperationError("cell_has_blocks", PlanError(message))
    node = control if is_inside else paragraphs[0][0] if len(paragraphs[0]) else None
    place = None
    if node is not None:
        place = place_around(finder, part, node, "")
    elif paragraphs:
        story = finder.stories[0]
        place = Place("", part, story.kind, "paragraph", paragraphs[0])
    if place is None or place.story == "comment":
        raise unable("read_only", "The content control stands where nothing can be edited")
    line = finder.survey.line(place)
    if not is_inside:
        return place, line, 0, len(line.text), None
    box = next((box for box in line.boxes if box.outer is control), None)
    if box is None:
        raise unable("read_only", "The content control stands where nothing can be edited")
    start, end = offsets(line.root, box)
    return place, line, start, end, box


def offsets(root: Box, box: Box) -> tuple[int, int]:
    """Returns where the text of a box stands in the text of its line."""
    at = 0
    edges: list[int] = []

    def walk(inner: Box) -> None:
        nonlocal at
        if inner is box:
            edges.append(at)
        for entry in inner.entries:
            if isinstance(entry, Unit):
                at += len(entry.text) if entry.is_visible else 0
            elif isinstance(entry, Box):
                walk(entry)
        if inner is box:
            edges.append(at)

    walk(root)
    return edges[0], edges[1]


def filled(
    package: Package, place: Place, line: Line, edit: Edit, known: set[Element]
) -> Iterator[ControlStep | BindingStep]:
    """Yields what changes beside the words: placeholders that become text, data that are shown.

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
    """Returns whether text[start:end] is part of a placeholder, or of data that cannot change."""
    return any(
        _is_shut(package, place, control) for control in _bound(place, line, Edit(start, end, ()))
    ) or any(
        start < last and end > first and (start > first or end < last)
        for _, first, last in _hints(place, line)
    )


def _bound(place: Place, line: Line, edit: Edit) -> Iterator[Element]:
    """Yields the controls that show data and of which an edit changes words."""
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
    """Returns whether the data of a control cannot be changed along with its words."""
    is_inside = next(control.iterancestors(W_P), None) is not None
    if is_typed(control) or not can_follow(package, control):
        return True
    return not is_inside and not is_alone(place, control)


def _touches(line: Line, box: Box, start: int, end: int) -> bool:
    first, last = offsets(line.root, box)
    return (start < last and end > first) or first < start == end < last


def _hints(place: Place, line: Line) -> Iterator[tuple[Element, int, int]]:
    """Yields the controls in a paragraph, or around it alone, that show their placeholders."""
    for box in line.boxes:
        control = box.outer if box.kind == "control" else None
        if control is not None and control_properties(control).is_placeholder:
            yield control, *offsets(line.root, box)
    for control in control_around(place.element):
        if control_properties(control).is_placeholder and is_alone(place, control):
            yield control, 0, len(line.text)
