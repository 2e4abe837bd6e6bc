"""Sets one property of paragraphs: `engine.plan.SetParagraph`.

ECMA-376 Part 1, 17.3.1. What the styles give already is not said again; what comes back to the
baseline takes the baseline's own words. Lengths are twips in the file.

[x] w:jc and sides of right-to-left paragraphs  [x] w:spacing, w:ind attribute by attribute
[x] names of Strict files (start, end)  [-] w:contextualSpacing, w:mirrorIndents (kept)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.formatting.format_marks import Looks
from redraft.engine.docx.formatting.schema_order import drop, put
from redraft.engine.docx.formatting.style_cascade import Cascade, val
from redraft.engine.docx.names import W_PPR, W_VAL, Element, W
from redraft.engine.docx.property_values import is_on, twips
from redraft.engine.docx.steps.paragraph_places import Change, ParagraphStep, paragraphs
from redraft.engine.errors import PlanError
from redraft.engine.plan import PARAGRAPH_PROPERTIES, ParagraphProperty, SetParagraph

_SWITCHES: Final = {
    "keep_with_next": W("keepNext"),
    "keep_together": W("keepLines"),
    "page_break_before": W("pageBreakBefore"),
}
_ALIGNMENTS: Final = {
    "left": "left",
    "center": "center",
    "centre": "center",
    "right": "right",
    "justify": "both",
    "justified": "both",
}
_MIRRORED: Final = {"left": "right", "right": "left"}
_STRICT_SIDES: Final = {"left": "start", "right": "end"}
_FROM_STRICT: Final = {"start": "left", "end": "right"}
_ON: Final = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
_JC, _SPACING, _IND = W("jc"), W("spacing"), W("ind")
# For each property its element and the attributes that say it, in transitional names.
_LENGTHS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "space_before": (_SPACING, ("before", "beforeAutospacing", "beforeLines")),
    "space_after": (_SPACING, ("after", "afterAutospacing", "afterLines")),
    "line_spacing": (_SPACING, ("line", "lineRule")),
    "indent_left": (_IND, ("left", "start", "leftChars", "startChars")),
    "indent_right": (_IND, ("right", "end", "rightChars", "endChars")),
    "first_line": (_IND, ("firstLine", "hanging", "firstLineChars", "hangingChars")),
}
_OTHER_SIDE: Final = {"indent_left": "indent_right", "indent_right": "indent_left"}
_LARGEST: Final = 1584.0
_LINE: Final = 240
_MOST_LINES: Final = 132.0


@dataclass(frozen=True, slots=True)
class _Wish:
    """A property and its value: a switch, an alignment, or a number of twips or 240ths."""

    property: ParagraphProperty
    is_on: bool = False
    side: str = ""
    amount: int = 0


def resolve(finder: Finder, operation: SetParagraph) -> ParagraphStep:
    """Returns what a plan's operation means here.

    Raises:
        OperationError: no such value, or no such paragraphs.
    """
    places = paragraphs(finder, operation.first, operation.last)
    wanted = _wish(operation.property, operation.value)

    def make(desk: Desk, cascade: Cascade) -> Change:
        return _Setting(desk, cascade, wanted)

    return ParagraphStep(places, make)


class _Setting:
    def __init__(self, desk: Desk, cascade: Cascade, wanted: _Wish) -> None:
        self._cascade = cascade
        self._wish = wanted
        self._is_strict = desk.package.strict

    def __call__(self, place: Place, before: Looks) -> Element | None:
        """Returns the properties with the wish fulfilled."""
        now = etree.Element(W_PPR)
        now.extend([deepcopy(child) for child in before.now])
        wanted = self._wish
        switch = _SWITCHES.get(wanted.property)
        if switch is not None:
            written = etree.Element(switch)
            if not wanted.is_on:
                written.set(W_VAL, "0")
            self._settle(place, now, before.old, switch, (), written, self._is_switched)
        elif wanted.property == "alignment":
            written = etree.Element(_JC)
            written.set(W_VAL, self._side(wanted.side, now))
            self._settle(place, now, before.old, _JC, (), written, self._is_aligned)
        else:
            tag, names = self._names(now)
            written = etree.Element(tag)
            for name, value in self._said(now).items():
                written.set(W(name), value)
            attributes = tuple(map(W, names))
            self._settle(place, now, before.old, tag, attributes, written, self._is_long)
        return now

    def _settle(
        self,
        place: Place,
        now: Element,
        old: Element | None,
        tag: str,
        attributes: tuple[str, ...],
        written: Element,
        matches: Callable[[Element], bool],
    ) -> None:
        """Makes a property match: as it is, as the baseline has it, unsaid, or written."""

        def is_right() -> bool:
            own = now.find(tag)
            is_said = own is not None and (
                not attributes or any(own.get(name) is not None for name in attributes)
            )
            is_known = is_said or not self._cascade.is_in_table(tag, place.element)
            return is_known and matches(now)

        if is_right():
            return
        if old is not None:
            _merge(now, tag, attributes, old.find(tag))
            if is_right():
                return
        _merge(now, tag, attributes, None)
        if not is_right():
            _merge(now, tag, attributes, written)

    def _is_switched(self, direct: Element) -> bool:
        tag = _SWITCHES[self._wish.property]
        return is_on(next(self._cascade.paragraph(tag, direct), None)) is self._wish.is_on

    def _is_bidi(self, direct: Element) -> bool:
        return is_on(next(self._cascade.paragraph(W("bidi"), direct), None))

    def _side(self, side: str, direct: Element) -> str:
        """Returns a side as the file says it.

        Of the reading direction, in Strict files by other names.
        """
        if self._is_bidi(direct):
            side = _MIRRORED.get(side, side)
        return _STRICT_SIDES.get(side, side) if self._is_strict else side

    def _is_aligned(self, direct: Element) -> bool:
        alignment = val(next(self._cascade.paragraph(_JC, direct), None), "left")
        wanted = self._side(self._wish.side, direct)
        return _FROM_STRICT.get(alignment, alignment) == _FROM_STRICT.get(wanted, wanted)

    def _said(self, direct: Element) -> dict[str, str]:
        """Returns the attributes that say a length."""
        amount = self._wish.amount
        match self._wish.property:
            case "line_spacing":
                return {"line": str(amount), "lineRule": "auto"}
            case "first_line":
                return {"firstLine": str(amount)} if amount >= 0 else {"hanging": str(-amount)}
            case "indent_left":
                return {self._side("left", direct): str(amount)}
            case "indent_right":
                return {self._side("right", direct): str(amount)}
            case _:
                return {self._wish.property.removeprefix("space_"): str(amount)}

    def _names(self, direct: Element) -> tuple[str, tuple[str, ...]]:
        """Returns the element and the attributes of a length.

        Indents change sides with the direction.
        """
        name = self._wish.property
        if name in _OTHER_SIDE and self._is_bidi(direct):
            return _LENGTHS[_OTHER_SIDE[name]]
        return _LENGTHS[name]

    def _is_long(self, direct: Element) -> bool:
        tag, names = self._names(direct)
        for element in self._cascade.paragraph(tag, direct):
            attributes = {name: element.get(W(name), "") for name in names if element.get(W(name))}
            if attributes:
                return _amount(self._wish.property, attributes) == self._wish.amount
        return self._wish.amount == (_LINE if self._wish.property == "line_spacing" else 0)


def _amount(name: str, attributes: Mapping[str, str]) -> int | None:
    """Returns the length that attributes say.

    None when it depends on lines, characters or neighbours.
    """
    for key, text in attributes.items():
        if key.endswith(("Autospacing", "Lines", "Chars")) and text not in ("0", "false", "off"):
            return None
    if name == "line_spacing" and attributes.get("lineRule", "auto") != "auto":
        return None
    if "hanging" in attributes:
        length = twips(attributes["hanging"])
        return None if length is None else -length
    lengths = [text for key, text in attributes.items() if key not in ("lineRule",)]
    plain = [t for t in lengths if twips(t) is not None]
    return twips(plain[0]) if plain else None


def _merge(
    properties: Element, tag: str, attributes: tuple[str, ...], source: Element | None
) -> None:
    """Takes a property over from an element, or only some attributes of it.

    None takes them away.
    """
    own = properties.find(tag)
    if not attributes:
        drop(properties, tag)
        if source is not None:
            put(properties, deepcopy(source))
        return
    merged = etree.Element(tag)
    for name, value in () if own is None else own.items():
        if name not in attributes:
            merged.set(name, value)
    for name, value in () if source is None else source.items():
        if name in attributes:
            merged.set(name, value)
    drop(properties, tag)
    if merged.attrib:
        put(properties, merged)


def _wish(name: ParagraphProperty, text: str) -> _Wish:
    """Reads the value that a plan says.

    Raises:
        OperationError: it is none that the property can have; the message lists what is valid.
    """
    word = text.strip().lower()
    if name in _SWITCHES:
        switched = _ON.get(word)
        if switched is not None:
            return _Wish(name, is_on=switched)
        raise _bad(name, text, "on or off")
    if name == "alignment":
        if word in _ALIGNMENTS:
            return _Wish(name, side=_ALIGNMENTS[word])
        raise _bad(name, text, "left, center, right or justify")
    if name not in PARAGRAPH_PROPERTIES:
        valid = ", ".join(PARAGRAPH_PROPERTIES)
        message = f"There is no paragraph property {name}; there are {valid}"
        raise OperationError("bad_value", PlanError(message))
    number = _number(word)
    if name == "line_spacing":
        if number is None or not 0 < round(number * _LINE) <= _MOST_LINES * _LINE:
            raise _bad(name, text, "a factor such as 1, 1.15 or 2")
        return _Wish(name, amount=round(number * _LINE))
    low = 0.0 if name.startswith("space_") else -_LARGEST
    if number is None or not low <= number <= _LARGEST:
        raise _bad(name, text, f"a number of points from {low:g} to {_LARGEST:g}")
    return _Wish(name, amount=round(number * 20))


def _number(word: str) -> float | None:
    try:
        return float(word.removesuffix("pt").strip())
    except ValueError:
        return None


def _bad(name: str, text: str, valid: str) -> OperationError:
    message = f"{text[:40]!r} is no value of {name}; valid is {valid}"
    return OperationError("bad_value", PlanError(message))
