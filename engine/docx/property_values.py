"""Values of properties: switches, lengths, and what run properties say about marks.

Run properties are read into two bit sets: which properties are *said*, and which of them are *on*;
a property that is not said is inherited (ECMA-376 Part 1, 17.7.2). The low bits are those of
`engine.model.Mark`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from redraft.engine.docx.names import W_RPR, W_VAL, Element, W
from redraft.engine.model import Mark, View

BOLD: Final = int(Mark.BOLD)
ITALIC: Final = int(Mark.ITALIC)
STRIKE: Final = int(Mark.STRIKE)
UNDERLINE: Final = int(Mark.UNDERLINE)
SUPERSCRIPT: Final = int(Mark.SUPERSCRIPT)
SUBSCRIPT: Final = int(Mark.SUBSCRIPT)
CODE: Final = int(Mark.CODE)
HIDDEN: Final = 1 << 7
BOLD_COMPLEX: Final = 1 << 8
ITALIC_COMPLEX: Final = 1 << 9
COMPLEX: Final = 1 << 10
MONOSPACE: Final = 1 << 11
DOUBLE_STRIKE: Final = 1 << 12

# Toggle properties that a style of each kind turns over (ECMA-376 Part 1, 17.7.3).
TOGGLES: Final = BOLD | ITALIC | STRIKE | HIDDEN | BOLD_COMPLEX | ITALIC_COMPLEX | DOUBLE_STRIKE
MARKS: Final = BOLD | ITALIC | STRIKE | UNDERLINE | SUPERSCRIPT | SUBSCRIPT | CODE

_OFF = frozenset({"0", "false", "off", "none"})
_UNITS = {"pt": 20.0, "in": 1440.0, "cm": 1440 / 2.54, "mm": 144 / 2.54, "pc": 240.0, "pi": 240.0}
_LENGTH = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(pt|in|cm|mm|pc|pi)?\s*")
_MONOSPACE = re.compile(
    r"courier|consolas|menlo|monaco|lucida console|lucida sans typewriter|fixedsys|terminal"
    r"|andale mono|inconsolata|cascadia|letter gothic|.*\bmono(?:space)?\b|.*\bcode\b",
    re.IGNORECASE,
)


class RunProperties(NamedTuple):
    """What a run, or a style, says about its characters; `style` is the id of a character style."""

    specified: int = 0
    on: int = 0
    style: str = ""

    def over(self, below: RunProperties) -> RunProperties:
        """These properties where they say something, else those below."""
        return RunProperties(
            below.specified | self.specified,
            (below.on & ~self.specified) | self.on,
            self.style or below.style,
        )


NOTHING_SAID: Final = RunProperties()


def is_on(element: Element | None) -> bool:
    """Whether a switch is on: present and not `0`, `false` or `off` (ECMA-376 Part 1, 17.17.4)."""
    return element is not None and element.get(W_VAL, "1") not in _OFF


def is_on_text(value: str | None) -> bool:
    """Whether a switch that is there is on, by its value; without a value it is."""
    return value not in _OFF


def value(parent: Element | None, tag: str) -> str | None:
    """The `w:val` of a child, None when there is no such child."""
    child = None if parent is None else parent.find(tag)
    return None if child is None else child.get(W_VAL)


def number(text: str | None) -> int | None:
    """A whole number, None for anything else."""
    try:
        return int(text) if text else None
    except ValueError:
        return None


def twips(text: str | None) -> int | None:
    """A length in twentieths of a point, from a bare number or one with a unit.

    ECMA-376 Part 1, 22.9.2.14.
    """
    match = _LENGTH.fullmatch(text or "")
    if match is None:
        return None
    return round(float(match[1]) * _UNITS.get(match[2] or "", 1.0))


def in_view(properties: Element | None, change: str, view: View) -> Element | None:
    """The properties that count in a view: the original view takes those kept in a change mark.

    Args:
        properties: `w:pPr`, `w:rPr`, `w:tcPr` …
        change: The tag of its change mark (`w:pPrChange`), whose first child holds the old
            properties.
        view: Final and markup views take the properties as they stand.
    """
    if view != "original" or properties is None:
        return properties
    mark = properties.find(change)
    if mark is None:
        return properties
    return next(iter(mark), None)


def run_properties(rpr: Element) -> RunProperties:
    """What a `w:rPr` says."""
    specified = on = 0
    style = ""
    for child in rpr:
        tag = child.tag
        bit = _SWITCHES.get(tag)
        if bit is not None:
            specified |= bit
            on = on & ~bit if child.get(W_VAL, "1") in _OFF else on | bit
        elif tag in _RULES:
            bits, effect = _RULES[tag](child)
            specified |= bits
            on = (on & ~bits) | effect
        elif tag == _STYLE:
            style = child.get(W_VAL, "")
    return RunProperties(specified, on, style)


def run_properties_of(parent: Element | None) -> RunProperties:
    """What the `w:rPr` below an element says; nothing when there is none."""
    rpr = None if parent is None else parent.find(W_RPR)
    return NOTHING_SAID if rpr is None else run_properties(rpr)


def effective(
    defaults: RunProperties, paragraph: RunProperties, character: RunProperties
) -> RunProperties:
    """What the styles around a run give together, before its own properties.

    ECMA-376 Part 1, 17.7.2 and 17.7.3.
    """
    toggles = (paragraph.on ^ character.on) & TOGGLES
    toggles |= defaults.on & TOGGLES & ~(paragraph.specified | character.specified)
    plain = character.over(paragraph).over(defaults)
    return RunProperties(plain.specified, (plain.on & ~TOGGLES) | toggles)


def marks(on: int) -> int:
    """The bits of `Mark` among effective properties: complex script and double strike folded in."""
    if on & COMPLEX:
        bold = BOLD if on & BOLD_COMPLEX else 0
        italic = ITALIC if on & ITALIC_COMPLEX else 0
        on = (on & ~(BOLD | ITALIC)) | bold | italic
    if on & DOUBLE_STRIKE:
        on |= STRIKE
    return on & MARKS


def is_monospace(font: str | None) -> bool:
    """Whether a font's name is that of a typewriter face."""
    return font is not None and _MONOSPACE.match(font) is not None


def _vertical(element: Element) -> tuple[int, int]:
    value = element.get(W_VAL)
    on = {"superscript": SUPERSCRIPT, "subscript": SUBSCRIPT}.get(value or "", 0)
    return SUPERSCRIPT | SUBSCRIPT, on


def _fonts(element: Element) -> tuple[int, int]:
    name = element.get(_ASCII) or element.get(_HANSI)
    if name is None:
        return (MONOSPACE, 0) if element.get(_ASCII_THEME) else (0, 0)
    return MONOSPACE, MONOSPACE if is_monospace(name) else 0


_STYLE = W("rStyle")
_ASCII, _HANSI, _ASCII_THEME = W("ascii"), W("hAnsi"), W("asciiTheme")
_SWITCHES: Final[dict[str, int]] = {
    W("b"): BOLD,
    W("i"): ITALIC,
    W("bCs"): BOLD_COMPLEX,
    W("iCs"): ITALIC_COMPLEX,
    W("strike"): STRIKE,
    W("dstrike"): DOUBLE_STRIKE,
    W("vanish"): HIDDEN,
    W("rtl"): COMPLEX,
    W("cs"): COMPLEX,
    W("u"): UNDERLINE,
}
_RULES: Final[dict[str, Callable[[Element], tuple[int, int]]]] = {
    W("vertAlign"): _vertical,
    W("rFonts"): _fonts,
}
