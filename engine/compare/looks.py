"""What two versions of a paragraph look like, and where one looks otherwise than the other.

Only what is said in the paragraphs and runs themselves is compared; where that differs, the values
that hold, styles included, decide whether a reader sees it. What styles say otherwise in both is
not a change of the paragraph.

ECMA-376 Part 1, 17.3.1 (w:pPr) and 17.3.2 (w:rPr).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from lxml import etree

from redraft.engine.docx.formatting.style_cascade import Cascade, val
from redraft.engine.docx.judging.paragraph_shapes import Shapes, properties
from redraft.engine.docx.names import W_PPR, W_RPR, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import is_on, twips
from redraft.engine.docx.redline.line import Line, Standing
from redraft.engine.plan import (
    TEXT_PROPERTIES,
    ParagraphProperty,
    TextProperty,
)

_SWITCHES: Final[dict[TextProperty, tuple[str, ...]]] = {
    "bold": ("b",),
    "italic": ("i",),
    "strike": ("strike", "dstrike"),
    "small_caps": ("smallCaps",),
    "all_caps": ("caps",),
}
_VALUES: Final[dict[TextProperty, tuple[str, str]]] = {
    "underline": ("u", "none"),
    "size": ("sz", "20"),
    "color": ("color", "auto"),
    "highlight": ("highlight", "none"),
    "vertical": ("vertAlign", "baseline"),
}
_TAGS: Final[dict[TextProperty, tuple[str, ...]]] = {
    **_SWITCHES,
    **{name: (tag,) for name, (tag, _) in _VALUES.items()},
    "font": ("rFonts",),
}
_CHARACTER_STYLE: Final = W("rStyle")
_LENGTHS: Final[dict[ParagraphProperty, tuple[str, tuple[str, ...]]]] = {
    "space_before": ("spacing", ("before",)),
    "space_after": ("spacing", ("after",)),
    "indent_left": ("ind", ("left", "start")),
    "indent_right": ("ind", ("right", "end")),
}
_MEASURES: Final[dict[ParagraphProperty, tuple[str, tuple[str, ...]]]] = {
    **_LENGTHS,
    "first_line": ("ind", ("hanging", "firstLine")),
    "line_spacing": ("spacing", ("line",)),
}
_SIDES: Final = {"start": "left", "end": "right", "both": "justify", "distribute": "justify"}
_PARAGRAPH_SWITCHES: Final[dict[ParagraphProperty, str]] = {
    "keep_with_next": "keepNext",
    "keep_together": "keepLines",
    "page_break_before": "pageBreakBefore",
}
UNSEEN: Final = ("lang", "noProof", "webHidden")
"""Properties of runs that no reader sees."""
# Compared by the values that hold, not by how they are written.
_BY_VALUE: Final = frozenset(
    {*UNSEEN, "rPrChange", "b", "bCs", "i", "iCs", "strike", "dstrike", "smallCaps", "caps", "u"}
    | {"sz", "szCs", "color", "highlight", "rFonts", "vertAlign", "rStyle"}
)


@dataclass(frozen=True, slots=True)
class Appearance:
    """How a version says what its paragraphs look like: its styles, and its names for them."""

    cascade: Cascade
    shapes: Shapes
    names: Mapping[str, str]


def appearance(package: Package) -> Appearance:
    """Returns how a document says what its paragraphs look like."""
    names: dict[str, str] = {}
    for part in package.related(package.main, "styles"):
        for style in package.tree(part).iter(W("style")):
            identifier = style.get(W("styleId"), "")
            name = style.find(W("name"))
            names.setdefault(identifier, val(name, identifier))
            is_default = style.get(W("default")) in ("1", "true", "on")
            if is_default and style.get(W("type")) == "paragraph":
                names.setdefault("", identifier)
    return Appearance(Cascade(package), Shapes(package), names)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A stretch of a paragraph's text, and the `w:rPr` that it takes."""

    start: int
    end: int
    properties: Element


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters of one look.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        own: What the run itself says of what a plan can set.
        rest: What it says else.
        values: The values that hold.
        direct: The properties of the run.
        is_written: Whether the text is an insertion of ours.
    """

    start: int
    end: int
    own: Mapping[TextProperty, str]
    rest: tuple[object, ...]
    values: Callable[[TextProperty], str | None]
    direct: Element
    is_written: bool


def text_looks(old: Line, new: Line, before: Appearance, after: Appearance) -> list[Look]:
    """Returns which stretches of a paragraph look otherwise in another version.

    Args:
        old: The paragraph as it is.
        new: The paragraph in the second version, with the same text.
        before: The styles of the first version.
        after: Those of the second.
    """
    text = old.text
    if text != new.text or not text:
        return []
    found: list[Look] = []
    for start, end, first, second in _together(_stretches(old, before), _stretches(new, after)):
        if text[start:end].isspace() or not _differ(first, second, text[start:end]):
            continue
        last = found[-1] if found else None
        if (
            last is not None
            and last.properties is second.direct
            and not text[last.end : start].strip()
        ):
            found[-1] = Look(last.start, end, last.properties)
        else:
            found.append(Look(start, end, second.direct))
    return found


def _differ(first: _Stretch, second: _Stretch, text: str) -> bool:
    """Returns whether a reader sees a difference between two looks.

    Words that we wrote take the very properties of the second version.
    """
    if first.is_written and _seen(first.direct) != _seen(second.direct):
        return True
    if first.rest != second.rest:
        return True
    if not text.isascii() and _other_fonts(first.direct) != _other_fonts(second.direct):
        return True
    style: TextProperty = "style"  # pyright: ignore[reportAssignmentType]
    is_styled_alike = first.own.get(style) == second.own.get(style)
    for name in TEXT_PROPERTIES:
        if is_styled_alike and first.own.get(name) == second.own.get(name):
            continue
        value = second.values(name)
        if value is not None and value != first.values(name):
            return True
    return False


def _seen(direct: Element) -> list[object]:
    return [prop for prop in properties(direct) if prop[0] not in UNSEEN]


def _together(
    old: list[_Stretch], new: list[_Stretch]
) -> Iterator[tuple[int, int, _Stretch, _Stretch]]:
    """Yields where stretches of both versions overlap."""
    index = 0
    for first in old:
        while index < len(new) and new[index].end <= first.start:
            index += 1
        at = index
        while at < len(new) and new[at].start < first.end:
            second = new[at]
            yield max(first.start, second.start), min(first.end, second.end), first, second
            at += 1


def _stretches(line: Line, look: Appearance) -> list[_Stretch]:
    found: list[_Stretch] = []
    at = 0
    for unit in line.units:
        if not unit.is_visible:
            continue
        run, end = unit.run, at + len(unit.text)
        direct = None if run is None else run.find(W_RPR)
        direct = etree.Element(W_RPR) if direct is None else direct
        own, rest = _own(direct), _rest(direct)
        last = found[-1] if found else None
        is_written = unit.standing is Standing.WRITTEN
        if last is not None and (last.own, last.rest, last.is_written) == (own, rest, is_written):
            found[-1] = replace(last, end=end)
        else:
            values = _values(direct, line.paragraph, look)
            found.append(_Stretch(at, end, own, rest, values, direct, is_written))
        at = end
    return found


def _rest(direct: Element) -> tuple[object, ...]:
    """Returns what a run says of what no plan can set."""
    return tuple(prop for prop in properties(direct) if prop[0] not in _BY_VALUE)


def _other_fonts(direct: Element) -> list[str]:
    """Returns the fonts of other scripts than the Latin one."""
    fonts = direct.find(W("rFonts"))
    return [] if fonts is None else [fonts.get(W(n), "") for n in ("eastAsia", "hAnsi", "cs")]


def _own(direct: Element) -> dict[TextProperty, str]:
    values: dict[TextProperty, str] = {}
    for name, tags in _TAGS.items():
        elements = [e for tag in tags if (e := direct.find(W(tag))) is not None]
        if elements:
            values[name] = " ".join(str(sorted(e.items())) for e in elements)
    style = direct.find(_CHARACTER_STYLE)
    if style is not None:
        values["style"] = val(style, "")  # pyright: ignore[reportArgumentType]
    return values


def _values(
    direct: Element, paragraph: Element, look: Appearance
) -> Callable[[TextProperty], str | None]:
    known: dict[TextProperty, str | None] = {}

    def value(name: TextProperty) -> str | None:
        if name not in known:
            known[name] = _value(name, direct, paragraph, look.cascade)
        return known[name]

    return value


def _value(name: TextProperty, direct: Element, paragraph: Element, cascade: Cascade) -> str | None:
    """Returns the value of a property as a plan says it; None where a table's style may say it."""
    if name in _SWITCHES:
        states = [cascade.is_on(W(tag), direct, paragraph) for tag in _SWITCHES[name]]
        if None in states and not any(states):
            return "off"
        return "on" if any(states) else "off"
    elements = cascade.specified(W(_TAGS[name][0]), direct, paragraph)
    if name == "font":
        return _font(elements, cascade)
    _, otherwise = _VALUES[name]
    stated = val(elements[0] if elements else None, otherwise)
    if name == "size":
        return f"{int(stated) / 2:g}" if stated.isdecimal() else None
    if name == "underline":
        return "off" if stated == "none" else "on"
    return stated.lower() if name == "color" else stated


def _font(elements: list[Element], cascade: Cascade) -> str | None:
    for element in elements:
        theme = element.get(W("asciiTheme"))
        face = cascade.font(theme) if theme is not None else element.get(W("ascii"))
        if face:
            return face
    return None


def is_reshaped(old: Element, new: Element, before: Appearance, after: Appearance) -> bool:
    """Returns whether a paragraph has another style, list, measure or property in another version.

    Args:
        old: It as it is.
        new: It in the second version.
        before: The styles of the first version.
        after: Those of the second.
    """
    first, second = before.shapes.of(old), after.shapes.of(new)
    style = after.names.get(second.style or after.names.get("", ""), "")
    own_style = before.names.get(first.style or before.names.get("", ""), "")
    if style and style.lower() != own_style.lower():
        return True
    if (first.listed, first.level) != (second.listed, second.level):
        return True
    own, others = _paragraph_own(old), _paragraph_own(new)
    for name in others.keys() | own.keys():
        if own.get(name) != others.get(name):
            value = _paragraph_value(name, new, after.cascade)
            if value is None or value != _paragraph_value(name, old, before.cascade):
                return True
    return _unsaid(old, new)


def _paragraph_own(paragraph: Element) -> dict[ParagraphProperty, str]:
    """Returns what a paragraph says itself of what a plan can set, as the file writes it."""
    direct = paragraph.find(W_PPR)
    if direct is None:
        return {}
    values: dict[ParagraphProperty, str] = {}
    alignment = direct.find(W("jc"))
    if alignment is not None:
        values["alignment"] = val(alignment, "")
    for name, (tag, attributes) in _LENGTHS.items():
        element = direct.find(W(tag))
        words = [] if element is None else [element.get(W(a), "") for a in attributes]
        if any(words):
            values[name] = "".join(words)
    indent, spacing = direct.find(W("ind")), direct.find(W("spacing"))
    if indent is not None and (indent.get(W("firstLine")) or indent.get(W("hanging"))):
        values["first_line"] = f"{indent.get(W('firstLine'))} {indent.get(W('hanging'))}"
    if spacing is not None and spacing.get(W("line")):
        values["line_spacing"] = f"{spacing.get(W('line'))} {spacing.get(W('lineRule'))}"
    for name, tag in _PARAGRAPH_SWITCHES.items():
        element = direct.find(W(tag))
        if element is not None:
            values[name] = str(is_on(element))
    return values


def _paragraph_value(name: ParagraphProperty, paragraph: Element, cascade: Cascade) -> str | None:
    """Returns the value that holds, as a plan says it; None where it has no such value."""
    properties_found = paragraph.find(W_PPR)
    direct = etree.Element(W_PPR) if properties_found is None else properties_found
    if name in _PARAGRAPH_SWITCHES:
        tag = W(_PARAGRAPH_SWITCHES[name])
        return "on" if is_on(next(cascade.paragraph(tag, direct), None)) else "off"
    if name == "alignment":
        side = val(next(cascade.paragraph(W("jc"), direct), None), "left")
        return _SIDES.get(side, side)
    tag, attributes = _MEASURES[name]
    for element in cascade.paragraph(W(tag), direct):
        for attribute in attributes:
            length = element.get(W(attribute))
            if length:
                return _length(attribute, length, element)
    return "1" if name == "line_spacing" else "0"


def _length(attribute: str, text: str, element: Element) -> str | None:
    """Returns a length in points, or line spacing as a factor; None where it is no factor."""
    if attribute == "line":
        is_factor = element.get(W("lineRule"), "auto") == "auto" and text.isdecimal()
        return f"{int(text) / 240:g}" if is_factor else None
    return _points(text, -1 if attribute == "hanging" else 1)


def _points(text: str, sign: int) -> str | None:
    length = twips(text)
    return None if length is None else f"{sign * length / 20:g}"


def _unsaid(old: Element, new: Element) -> bool:
    """Returns whether paragraphs differ in properties that no operation sets."""
    known = {"spacing", "ind", "jc", "keepNext", "keepLines", "pageBreakBefore", "pStyle", "numPr"}
    skipped = known | {"rPr", "sectPr", "pPrChange"}

    def rest(paragraph: Element) -> list[object]:
        direct = paragraph.find(W_PPR)
        said = () if direct is None else properties(direct)
        return [prop for prop in said if prop[0] not in skipped]

    return rest(old) != rest(new)
