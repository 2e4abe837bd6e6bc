"""Fills form fields of old (ECMA-376 Part 1, 17.16.5.20 to 17.16.5.22): FORMTEXT and its kin.

The words of a text field are its result, and tracked. A box and a list have a state instead, which
stands in the data of the field (17.16.17, ffData) and which Word does not track.

[x] text, numbers, dates  [x] the longest text, upper and lower case  [x] boxes  [x] lists
[-] dates and numbers that Word computes (refused)  [-] number formats: a number stays as written
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from redraft.engine import tokens
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import (
    MC_FALLBACK,
    W_DEL,
    W_FLD_CHAR,
    W_MOVE_FROM,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.line import Line, Standing, Unit
from redraft.engine.docx.redline.tracked_text import Edit, Fresh
from redraft.engine.docx.runs.fields import FORM_TEXT, is_form_locked, parse_instruction
from redraft.engine.docx.steps.control_filling import ControlStep, Filling, is_ticked
from redraft.engine.docx.steps.dates import parsed, shown
from redraft.engine.docx.steps.quote_places import place_around
from redraft.engine.errors import RefusedError

# What Word shows in a text field that waits to be filled.
_BLANKS: Final = "\u2002" * 5
_DATA, _NAME, _TEXT, _BOX, _LIST = map(W, ("ffData", "name", "textInput", "checkBox", "ddList"))
_CHECKED, _CHOICE, _ENTRY, _KIND = map(W, ("checked", "result", "listEntry", "type"))
_FORMAT, _LONGEST, _SIZES = W("format"), W("maxLength"), (W("size"), W("sizeAuto"), W("default"))
_COMPUTED: Final = frozenset({"calculated", "currentDate", "currentTime"})
_NUMBER: Final = re.compile(r"[-+(]?\s?[$€£¥]?\s?\d[\d.,' \u00a0\u202f]*\s?[%$€£¥]?\)?")
_CASES: Final[dict[str, Callable[[str], str]]] = {
    "uppercase": str.upper,
    "lowercase": str.lower,
    "first capital": lambda text: text[:1].upper() + text[1:],
    "title case": lambda text: re.sub(r"\b\w", lambda match: match[0].upper(), text),
}
_WARNING: Final = (
    "Word does not track the state of a form field: the box or list shows its new state in the "
    "original, too, and rejecting the change does not bring the former one back"
)
_LOCKED: Final = "The form field is locked: it is not enabled; enable it in Word"


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of a text field: text[start:end] of its line, behind the unit `after`."""

    line: Line
    start: int
    end: int
    after: Unit


def form_fields(package: Package, name: str) -> list[Element]:
    """Returns the beginnings of the form fields of a name, whatever its letters."""
    wanted = name.casefold()
    return [
        char
        for part in story_parts(package)
        for char in package.tree(part).iter(W_FLD_CHAR)
        if wanted and _value(char.find(_DATA), _NAME).strip().casefold() == wanted
        if next(char.iterancestors(MC_FALLBACK, W_DEL, W_MOVE_FROM), None) is None
    ]


def form_filling(finder: Finder, begin: Element, value: str) -> Filling:
    """Returns what a value means for the form field that begins at a `w:fldChar`.

    Raises:
        OperationError: it is locked, computed, or cannot have the value.
    """
    data = begin.find(_DATA)
    if is_form_locked(begin):
        raise OperationError("locked", RefusedError(_LOCKED))
    package = finder.survey.package
    root = begin.getroottree().getroot()
    part = next(part for part in story_parts(package) if package.tree(part) is root)
    place = place_around(finder, part, begin, "")
    if place is None or place.story == "comment":
        raise unable("read_only", "The form field stands where nothing can be edited")
    line = finder.survey.line(place)
    for tag, change_of in ((_BOX, _ticked), (_LIST, _chosen)):
        kind = None if data is None else data.find(tag)
        if data is not None and kind is not None:
            step = ControlStep(place, data, change_of(kind, value), warnings=(_WARNING,))
            return Filling(place, line, (), (step,))
    words = _words(None if data is None else data.find(_TEXT), value)
    result = _result(line, begin)
    old = line.text[result.start : result.end]
    if old == words or not (old.strip() or value):
        return Filling(place, line, (), ())
    box = result.after.box
    edit = Edit(result.start, result.end, (Fresh(words),), result.after, None, box)
    return Filling(place, line, (edit,), ())


def _value(holder: Element | None, tag: str) -> str:
    child = None if holder is None else holder.find(tag)
    return "" if child is None else child.get(W_VAL, "")


def _words(rules: Element | None, value: str) -> str:
    """Returns the words that a text field gets (17.16.33, textInput).

    Raises:
        OperationError: its rules do not let it have them.
    """
    kind, form = _value(rules, _KIND), _value(rules, _FORMAT)
    if kind in _COMPUTED:
        raise unable("read_only", "Word computes the value of this form field; it cannot be set")
    if "\n" in value:
        raise unable("contains_newline", "A value is one line; write no line breaks into it")
    read = tokens.parse(value, ())
    text = value if read.faults else tokens.visible(read.pieces)
    if not text.strip():
        return _BLANKS
    if kind == "number" and not _NUMBER.fullmatch(text.strip()):
        raise unable("wrong_type", f"The form field takes a number, not {value[:60]}")
    if kind == "date":
        text = _dated(form, text)
    elif not kind or kind == "regular":
        text = _CASES.get(form.casefold(), str)(text)
    longest = _value(rules, _LONGEST)
    if longest.isdecimal() and 0 < int(longest) < len(text):
        message = f"The form field takes {longest} characters at most; the value has {len(text)}"
        raise unable("wrong_type", message)
    return text


def _dated(form: str, text: str) -> str:
    day = parsed(text)
    if day is None:
        raise unable("wrong_type", f"The form field takes a date; {text[:60]} is none: 2026-05-01")
    return (shown(day, form, "en") if form else None) or text


def _result(line: Line, begin: Element) -> _Result:
    """Returns where the result of a text field stands in its line.

    Raises:
        OperationError: it has none, or goes on in another paragraph.
    """
    frame = next((unit.frame for unit in line.units if unit.node is begin), None)
    at = start = 0
    after: Unit | None = None
    for unit in line.units:
        if frame is not None and unit.frame is frame and unit.node.tag == W_FLD_CHAR:
            kind = unit.node.get(W("fldCharType"))
            if kind == "separate":
                start, after = at, unit
            elif kind == "end" and after is not None and _is_words(frame.instruction):
                return _Result(line, start, at, after)
        at += len(unit.text) if unit.standing is not Standing.STRUCK else 0
    raise unable(
        "read_only",
        "The form field has no words of its own in its paragraph; rewrite the paragraph instead",
    )


def _is_words(instruction: str) -> bool:
    return parse_instruction(instruction).name == FORM_TEXT


def _ticked(_box: Element, value: str) -> Callable[[Element], bool]:
    """Returns a box (17.16.6, checkBox): `checked` says its state."""
    state = "1" if is_ticked(value) else "0"

    def change(data: Element) -> bool:
        box = data.find(_BOX)
        if box is None:
            return False
        checked = box.find(_CHECKED)
        if checked is None:
            checked = box.makeelement(_CHECKED)
            box.insert(sum(1 for child in box if child.tag in _SIZES), checked)
        return _set(checked, state)

    return change


def _chosen(entries: Element, value: str) -> Callable[[Element], bool]:
    """Returns a list (17.16.9, ddList): `result` is the number of its entry, from 0."""
    texts = [entry.get(W_VAL, "") for entry in entries.findall(_ENTRY)]
    wanted = value.strip().casefold()
    matches = [at for at, text in enumerate(texts) if text.strip().casefold() == wanted]
    if not matches:
        known = ", ".join(text for text in texts if text.strip()) or "none"
        message = f"{value[:60]} is not an entry of the form field; it has {known}"
        raise unable("not_an_option", message)

    def change(data: Element) -> bool:
        choices = data.find(_LIST)
        if choices is None:
            return False
        result = choices.find(_CHOICE)
        if result is None:
            result = choices.makeelement(_CHOICE)
            choices.insert(0, result)
        return _set(result, str(matches[0]))

    return change


def _set(element: Element, value: str) -> bool:
    before = element.get(W_VAL)
    element.set(W_VAL, value)
    return before != value
