"""Character properties as a plan says them: valid values, and what they become in `w:rPr`.

ECMA-376 Part 1, 17.3.2. A property that a run has already, by itself or by its styles, is not set
again. One that comes back to what the baseline has takes the baseline's own words; one that the
styles give is not said; else it is written.

[x] the complex script twins bCs, iCs, szCs  [x] faces without their theme's  [x] colours without
their theme's  [x] small and all capitals exclude each other
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine.docx.formatting.colours import HIGHLIGHTS, colour, highlight
from redraft.engine.docx.formatting.format_marks import Looks, same
from redraft.engine.docx.formatting.schema_order import drop, put
from redraft.engine.docx.formatting.style_cascade import Cascade, val
from redraft.engine.docx.names import W_RPR, W_VAL, Element, W
from redraft.engine.docx.property_values import is_on
from redraft.engine.errors import PlanError
from redraft.engine.plan import TEXT_PROPERTIES, TextProperty

_SWITCHES: Final = {
    "bold": ("b", "bCs"),
    "italic": ("i", "iCs"),
    "strike": ("strike",),
    "small_caps": ("smallCaps",),
    "all_caps": ("caps",),
}
# What goes when one of them comes; double strikethrough is a strikethrough.
_EXCLUDED: Final = {"strike": "dstrike", "small_caps": "caps", "all_caps": "smallCaps"}
_ON: Final = {"on": "on", "true": "on", "yes": "on", "off": "off", "false": "off", "no": "off"}
_VERTICAL: Final = ("superscript", "subscript", "baseline")
_SMALLEST, _LARGEST = 1, 1638
_LONGEST_FONT: Final = 31
_FONT: Final = re.compile(r"[^\x00-\x1f\ud800-\udfff\ufffe\uffff<>\"&]+")
_EAST_ASIAN: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_DEFAULTS: Final = {
    W("u"): "none",
    W("sz"): "20",
    W("szCs"): "20",
    W("color"): "auto",
    W("highlight"): "none",
    W("vertAlign"): "baseline",
}
_VALUED: Final = {
    "underline": ("u",),
    "size": ("sz", "szCs"),
    "color": ("color",),
    "highlight": ("highlight",),
    "vertical": ("vertAlign",),
}
_FONTS: Final = W("rFonts")
_COMPLEX: Final = (W("rtl"), W("cs"))
_Matches = Callable[[Element], bool]


@dataclass(frozen=True, slots=True)
class Wish:
    """A property and the value it shall have, as the file writes it: `on`, half-points, a name."""

    property: TextProperty
    value: str


def wish(name: TextProperty, text: str) -> Wish:
    """Read the value that a plan says.

    Raises:
        PlanError: it is none that the property can have; the message lists what is valid.
    """
    if name not in TEXT_PROPERTIES:
        message = f"There is no text property {name}; there are {', '.join(TEXT_PROPERTIES)}"
        raise PlanError(message)
    read, valid = _READERS.get(name, (_switch, "on or off"))
    property_value = read(text)
    if property_value is None:
        message = f"{text[:40]!r} is no value of {name}; valid is {valid}"
        raise PlanError(message)
    return Wish(name, property_value)


def applied(
    wanted: Wish, looks: Looks, paragraph: Element, cascade: Cascade, text: str
) -> Element | None:
    """The properties that a run shall have; None when it looks as wished already.

    Args:
        wanted: The wish.
        looks: What the run says now, and what the baseline says.
        paragraph: The paragraph that it stands in.
        cascade: What the styles say.
        text: The characters of the run: East Asian ones have a face of their own.
    """
    now = etree.Element(W_RPR)
    now.extend([deepcopy(child) for child in looks.now])
    worker = _Worker(now, looks.old, paragraph, cascade)
    if wanted.property in _SWITCHES:
        worker.switch(wanted)
    elif wanted.property == "font":
        worker.font(wanted.value, is_east_asian=_EAST_ASIAN.search(text) is not None)
    else:
        worker.value(wanted)
    return None if same(now, looks.now) else now


class _Worker:
    def __init__(
        self, now: Element, old: Element | None, paragraph: Element, cascade: Cascade
    ) -> None:
        self._now = now
        self._old = old
        self._paragraph = paragraph
        self._cascade = cascade
        self._is_complex = any(is_on(now.find(tag)) for tag in _COMPLEX)

    def switch(self, wanted: Wish) -> None:
        tags = [W(name) for name in _SWITCHES[wanted.property]]
        is_wanted = wanted.value == "on"
        double = W("dstrike")
        if wanted.property == "strike" and is_wanted and self._is_on(double, self._now):
            return
        if self._is_on(self._main(tags), self._now) is not is_wanted:
            for tag in tags:
                self._switched(tag, is_wanted=is_wanted)
            self._with_twin(tags)
        other = W(_EXCLUDED.get(wanted.property, ""))
        if wanted.property == "strike" and not is_wanted:
            self._switched(double, is_wanted=False)
        elif is_wanted and wanted.property in _EXCLUDED and self._is_on(other, self._now):
            self._switched(other, is_wanted=False)

    def _with_twin(self, tags: Sequence[str]) -> None:
        """Where a switch is in the baseline's words again, its complex script twin is as well."""
        old = self._old
        if old is None:
            return
        now, former = self._now.find(self._main(tags)), old.find(self._main(tags))
        is_same = now is former if now is None or former is None else same(now, former)
        if is_same:
            self._take(tags, [child for child in old if child.tag in tags])

    def _main(self, tags: Sequence[str]) -> str:
        """The property that says how the characters of this run look."""
        return tags[-1] if self._is_complex else tags[0]

    def _is_on(self, tag: str, direct: Element) -> bool | None:
        return self._cascade.is_on(tag, direct, self._paragraph)

    def _switched(self, tag: str, *, is_wanted: bool) -> None:
        written = etree.Element(tag)
        if not is_wanted:
            written.set(W_VAL, "0")
        self._settle((tag,), lambda rpr: self._is_on(tag, rpr) is is_wanted, (written,))

    def value(self, wanted: Wish) -> None:
        tags = [W(name) for name in _VALUED[wanted.property]]
        wanted_value = wanted.value
        main = self._main(tags)

        def matches(rpr: Element) -> bool:
            current = self._value(main, rpr)
            if current is not None and wanted.property == "underline" and wanted_value == "single":
                return current != "none"
            return current is not None and current.lower() == wanted_value.lower()

        written = [etree.Element(tag) for tag in tags]
        for element in written:
            element.set(W_VAL, wanted_value)
        self._settle(tags, matches, written)

    def _value(self, tag: str, direct: Element) -> str | None:
        """The value that holds; None when a table's style may say it."""
        own = direct.find(tag)
        if own is None and self._cascade.is_in_table(tag, self._paragraph):
            return None
        elements = self._cascade.specified(tag, direct, self._paragraph)
        return val(elements[0] if elements else None, _DEFAULTS[tag])

    def font(self, name: str, *, is_east_asian: bool) -> None:
        kinds = ("ascii", "hAnsi", "eastAsia") if is_east_asian else ("ascii", "hAnsi")
        main = ("cs",) if self._is_complex else kinds
        written = etree.Element(_FONTS)
        own = self._now.find(_FONTS)
        dropped = {W(f"{kind}Theme") for kind in kinds} | {W("cstheme")}
        for key, attribute_value in () if own is None else own.items():
            if key not in dropped:
                written.set(key, attribute_value)
        for kind in (*kinds, "cs"):
            written.set(W(kind), name)
        self._settle(
            (_FONTS,),
            lambda rpr: all(self._face(kind, rpr) == name.casefold() for kind in main),
            (written,),
        )

    def _face(self, kind: str, direct: Element) -> str | None:
        if direct.find(_FONTS) is None and self._cascade.is_in_table(_FONTS, self._paragraph):
            return None
        theme = W("cstheme" if kind == "cs" else f"{kind}Theme")
        for element in self._cascade.specified(_FONTS, direct, self._paragraph):
            typeface = element.get(theme)
            if typeface is not None:
                return self._cascade.font(typeface).casefold()
            typeface = element.get(W(kind))
            if typeface is not None:
                return typeface.casefold()
        return None

    def _settle(self, tags: Sequence[str], matches: _Matches, written: Sequence[Element]) -> None:
        """Make a property match: as it is, as the baseline has it, unsaid, or written."""
        if matches(self._now):
            return
        if self._old is not None:
            self._take(tags, [c for c in self._old if c.tag in tags])
            if matches(self._now):
                return
        drop(self._now, *tags)
        if not matches(self._now):
            self._take(tags, written)

    def _take(self, tags: Sequence[str], elements: Sequence[Element]) -> None:
        drop(self._now, *tags)
        for element in elements:
            put(self._now, deepcopy(element))


def _switch(text: str) -> str | None:
    return _ON.get(text.strip().lower())


def _underline(text: str) -> str | None:
    switch = _ON.get(text.strip().lower())
    return None if switch is None else "single" if switch == "on" else "none"


def _size(text: str) -> str | None:
    try:
        points = float(text.strip().lower().removesuffix("pt"))
    except ValueError:
        return None
    if not _SMALLEST <= points <= _LARGEST or (points * 2) % 1:
        return None
    return str(int(points * 2))


def _font(text: str) -> str | None:
    name = text.strip()
    return name if len(name) <= _LONGEST_FONT and _FONT.fullmatch(name) else None


def _vertical(text: str) -> str | None:
    word = text.strip().lower()
    return word if word in _VERTICAL else None


_READERS: Final[dict[str, tuple[Callable[[str], str | None], str]]] = {
    "underline": (_underline, "on or off"),
    "size": (_size, "a number of points from 1 to 1638 in halves, such as 10.5"),
    "color": (colour, "six hex digits (C00000), the name of a CSS colour, or auto"),
    "highlight": (highlight, ", ".join(HIGHLIGHTS)),
    "font": (_font, f"the name of a font, {_LONGEST_FONT} characters at most"),
    "vertical": (_vertical, ", ".join(_VERTICAL)),
}
