"""What two versions of a paragraph look like, and the operations that make one look as the other.

Only what is said in the paragraphs and runs themselves is compared; where that differs, the value
that holds in the second version, its styles included, is what the first one gets. What styles say
otherwise in both is not a change of the paragraph.

ECMA-376 Part 1, 17.3.1 (w:pPr) and 17.3.2 (w:rPr).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from lxml import etree

from redraft.engine import locate
from redraft.engine.docx.formatting.style_cascade import Cascade, val
from redraft.engine.docx.judging.paragraph_shapes import Shapes, properties
from redraft.engine.docx.names import W_PPR, W_RPR, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import is_on, twips
from redraft.engine.docx.redline.line import Line
from redraft.engine.plan import (
    TEXT_PROPERTIES,
    FormatText,
    Operation,
    ParagraphProperty,
    SetList,
    SetParagraph,
    SetStyle,
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
Style: TypeAlias = dict[TextProperty, str]


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


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters of one look: what the run itself says, and the values that hold."""

    start: int
    end: int
    own: Mapping[TextProperty, str]
    values: Callable[[TextProperty], str | None]


def text_operations(
    block: str, old: Line, new: Line, before: Appearance, after: Appearance
) -> list[Operation]:
    """Returns what gives the words of a paragraph the look of the same words in another version.

    Args:
        block: The id of the paragraph.
        old: The paragraph as it is.
        new: The paragraph in the second version, with the same text.
        before: The styles of the first version.
        after: Those of the second.
    """
    text = old.text
    if text != new.text or not text:
        return []
    changes: dict[TextProperty, list[tuple[int, int, str]]] = {}
    for start, end, first, second in _together(_stretches(old, before), _stretches(new, after)):
        for name in TEXT_PROPERTIES:
            if first.own.get(name) == second.own.get(name) and first.own.get(
                "style"  # pyright: ignore[reportArgumentType, reportCallIssue]
            ) == second.own.get("style"):  # pyright: ignore[reportArgumentType, reportCallIssue]
                continue
            value = second.values(name)
            if value is None or value == first.values(name) or text[start:end].isspace():
                continue
            _extend(changes.setdefault(name, []), start, end, value, text)
    return [
        operation
        for name, spans in changes.items()
        for start, end, value in spans
        for operation in _format(block, text, start, end, name, value)
    ]


def _extend(spans: list[tuple[int, int, str]], start: int, end: int, value: str, text: str) -> None:
    """Appends a stretch, as one with the last where only blanks stand between them."""
    if spans and spans[-1][2] == value and not text[spans[-1][1] : start].strip():
        start = spans.pop()[0]
    spans.append((start, end, value))


def _format(
    block: str, text: str, start: int, end: int, name: TextProperty, value: str
) -> Iterator[Operation]:
    if start == 0 and end == len(text):
        yield FormatText(block, "", name, value)
        return
    quote = text[start:end]
    hits = locate.find(text, quote)
    if (start, end) in hits:
        yield FormatText(block, quote, name, value, hits.index((start, end)) + 1)


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
        run = unit.run
        direct = None if run is None else run.find(W_RPR)
        direct = etree.Element(W_RPR) if direct is None else direct
        own = _own(direct)
        last = found[-1] if found else None
        if last is not None and last.own == own:
            found[-1] = _Stretch(last.start, at + len(unit.text), own, last.values)
        else:
            values = _values(direct, line.paragraph, look)
            found.append(_Stretch(at, at + len(unit.text), own, values))
        at += len(unit.text)
    return found


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


def paragraph_operations(
    block: str, old: Element, new: Element, before: Appearance, after: Appearance
) -> list[Operation]:
    """Returns what gives a paragraph the style, list and measures that another one has.

    Args:
        block: The id of the paragraph.
        old: It as it is.
        new: It in the second version.
        before: The styles of the first version.
        after: Those of the second.
    """
    first, second = before.shapes.of(old), after.shapes.of(new)
    operations: list[Operation] = []
    style = after.names.get(second.style or after.names.get("", ""), "")
    own_style = before.names.get(first.style or before.names.get("", ""), "")
    is_restyled = bool(style) and style != own_style
    if is_restyled:
        operations.append(SetStyle(block, block, style))
    listed = (second.listed, second.level)
    if (first.listed, first.level) != listed and not (
        is_restyled and _is_style_listed(second.style, after)
    ):
        kind = second.listed or "none"
        if kind in ("bullet", "numbered"):
            operations.append(SetList(block, block, kind, second.level or None))  # pyright: ignore[reportArgumentType]
        elif first.listed and not is_restyled:
            operations.append(SetList(block, block, "none"))
    own, others = _paragraph_own(old), _paragraph_own(new)
    for name in others.keys() | own.keys():
        if own.get(name) != others.get(name):
            value = _paragraph_value(name, new, after.cascade)
            if value is not None and value != _paragraph_value(name, old, before.cascade):
                operations.append(SetParagraph(block, block, name, value))
    return operations


def _is_style_listed(style: str, look: Appearance) -> bool:
    element = look.cascade.style(style)
    return element is not None and element.find(f"{W_PPR}/{W('numPr')}") is not None


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


def unsaid(old: Element, new: Element) -> bool:
    """Returns whether paragraphs differ in properties that no operation sets."""
    known = {"spacing", "ind", "jc", "keepNext", "keepLines", "pageBreakBefore", "pStyle", "numPr"}
    skipped = known | {"rPr", "sectPr", "pPrChange"}

    def rest(paragraph: Element) -> list[object]:
        direct = paragraph.find(W_PPR)
        said = () if direct is None else properties(direct)
        return [prop for prop in said if prop[0] not in skipped]

    return rest(old) != rest(new)
