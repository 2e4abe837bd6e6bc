r"""Field instructions (ECMA-376 Part 1, 17.16): which field, which link, what shows uncached.

[x] HYPERLINK with \l, \o  [x] REF, PAGEREF, NOTEREF as data  [x] SYMBOL  [x] legacy form fields
[x] MACROBUTTON, GOTOBUTTON (the words of the button)
[x] TOC (its result repeats the document)  [-] nothing is computed: the cached result is what shows
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from redraft.engine.docx.names import W_VAL, Element, W
from redraft.engine.docx.property_values import is_on, number, value
from redraft.engine.docx.runs.symbols import symbol

# Results that repeat what stands elsewhere in the document.
DERIVED: Final = frozenset({"TOC"})
# Form fields of old (17.16.5.20 to 17.16.5.22): the first holds words, the others a state.
FORM_TEXT: Final = "FORMTEXT"
FORM_STATES: Final = frozenset({"FORMCHECKBOX", "FORMDROPDOWN"})
# Fields that show words of their instruction, behind the name of a macro or place.
_BUTTONS = frozenset({"MACROBUTTON", "GOTOBUTTON"})

_TOKEN = re.compile(r'["“”]((?:[^"“”\\]|\\.)*)["“”]|\\(\S)|([^\s"\\]+)', re.DOTALL)
_ESCAPED = re.compile(r"\\([\\\"“”])")
_WITH_VALUE = frozenset("lot*#@bcdfpsuek")


@dataclass(frozen=True, slots=True)
class Instruction:
    """A parsed instruction: name in capitals, arguments, and switches with their values."""

    name: str = ""
    arguments: tuple[str, ...] = ()
    switches: tuple[tuple[str, str], ...] = ()

    def switch(self, letter: str) -> str | None:
        """The value of a switch, empty when it has none; None when it is not given."""
        return next((value for name, value in self.switches if name == letter), None)


def parse_instruction(text: str) -> Instruction:
    r"""Read an instruction such as ` HYPERLINK "https://…" \l "part" `."""
    words: list[str] = []
    switches: list[tuple[str, str]] = []
    waiting = ""
    for quoted, letter, plain in _TOKEN.findall(text):
        if letter:
            if waiting:
                switches.append((waiting, ""))
            waiting = letter.lower()
            if waiting not in _WITH_VALUE:
                switches.append((waiting, ""))
                waiting = ""
            continue
        word = _ESCAPED.sub(r"\1", quoted) if quoted else plain
        if waiting:
            switches.append((waiting, word))
            waiting = ""
        else:
            words.append(word)
    if waiting:
        switches.append((waiting, ""))
    name = words[0].upper() if words else ""
    return Instruction(name, tuple(words[1:]), tuple(switches))


def link_target(instruction: Instruction) -> str:
    """Where a HYPERLINK field leads: a URL, `#bookmark`, both joined, or empty."""
    target = instruction.arguments[0].strip() if instruction.arguments else ""
    anchor = instruction.switch("l") or ""
    return f"{target}#{anchor}" if anchor else target


def shown_without_result(instruction: Instruction, begin: Element | None) -> str:
    """What a field shows that has no cached result.

    Args:
        instruction: The field.
        begin: Its `w:fldChar` of type begin, which holds the data of a legacy form field.
    """
    if instruction.name == "SYMBOL" and instruction.arguments:
        return _symbol(instruction)
    if instruction.name in _BUTTONS:
        return " ".join(instruction.arguments[1:])
    data = None if begin is None else begin.find(_DATA)
    if data is None:
        return ""
    box = data.find(_CHECK_BOX)
    if box is not None:
        checked = box.find(_CHECKED)
        return "☒" if is_on(box.find(_DEFAULT) if checked is None else checked) else "☐"
    entries = data.find(_DROP_DOWN)
    if entries is not None:
        chosen = number(value(entries, _CHOICE)) or 0
        texts = [" ".join(entry.get(W_VAL, "").split()) for entry in entries.iter(_ENTRY)]
        return texts[chosen] if 0 <= chosen < len(texts) else ""
    return ""


def is_form_locked(begin: Element) -> bool:
    """Whether a form field is disabled (17.16.13, enabled)."""
    enabled = begin.find(f"{_DATA}/{_ENABLED}")
    return enabled is not None and not is_on(enabled)


def _symbol(instruction: Instruction) -> str:
    argument = instruction.arguments[0]
    try:
        code = int(argument, 16) if argument.lower().startswith("0x") else int(argument)
    except ValueError:
        return ""
    return symbol(instruction.switch("f") or "", code)


_DATA, _CHECK_BOX, _CHECKED, _DEFAULT = W("ffData"), W("checkBox"), W("checked"), W("default")
_ENABLED = W("enabled")
_DROP_DOWN, _CHOICE, _ENTRY = W("ddList"), W("result"), W("listEntry")
