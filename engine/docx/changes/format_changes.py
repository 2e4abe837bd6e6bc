"""What a tracked format change changed, property by property, in words a reviewer knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from redraft.engine.docx.names import W_PPR, W_RPR, W_VAL, Element, W
from redraft.engine.docx.numbering import Numbering
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import number, twips, value
from redraft.engine.docx.styles import Styles

_NAMES: Final = {
    "b": "bold",
    "i": "italic",
    "u": "underline",
    "strike": "strikethrough",
    "dstrike": "double strikethrough",
    "caps": "all capitals",
    "smallCaps": "small capitals",
    "vanish": "hidden",
    "sz": "size",
    "rFonts": "font",
    "color": "colour",
    "highlight": "highlight",
    "vertAlign": "position",
    "rStyle": "character style",
    "pStyle": "style",
    "jc": "alignment",
    "ind": "indent",
    "spacing": "spacing",
    "numPr": "numbering",
    "outlineLvl": "outline level",
    "keepNext": "keep with next",
    "keepLines": "keep together",
    "pageBreakBefore": "page break before",
    "contextualSpacing": "no space between paragraphs of one style",
    "pgSz": "page size",
    "pgMar": "page margins",
    "cols": "columns",
    "lang": "language",
    "tcW": "cell width",
    "gridSpan": "columns spanned",
}
COLUMN_WIDTHS: Final = "column widths"
# What a cell has otherwise when a column beside it comes, goes or is made wider.
OF_WIDTHS: Final = frozenset({COLUMN_WIDTHS, "cell width", "columns spanned"})
_COMPLEX: Final = frozenset({"bCs", "iCs", "szCs"})
_NOT_PROPERTIES: Final = frozenset(
    {"rPr", "sectPr", "ins", "del", "moveFrom", "moveTo", "cellIns", "cellDel", "cellMerge"}
)
_SAID: Final = {"1": "on", "true": "on", "0": "off", "false": "off"}
_WORDS: Final = {
    "jc": {"both": "justify", "start": "left", "end": "right", "distribute": "distributed"},
    "u": {"single": "on", "none": "off"},
}
_LENGTHS: Final = {
    "before": "space before",
    "after": "space after",
    "left": "left indent",
    "start": "left indent",
    "right": "right indent",
    "end": "right indent",
    "firstLine": "first line",
    "hanging": "first line",
}
_Values = dict[str, str]


class Vocabulary:
    """What a document calls its styles and lists."""

    def __init__(self, package: Package) -> None:
        self._numbering = Numbering.of(package, Styles.of(package))
        self._styles: dict[str, str] = {}
        for part in package.related(package.main, "styles"):
            for style in package.tree(part).iter(W("style")):
                identifier = style.get(W("styleId"), "")
                self._styles[identifier] = value(style, W("name")) or identifier

    def style(self, identifier: str) -> str:
        """The name of a style."""
        return self._styles.get(identifier, identifier)

    def list(self, properties: Element) -> str:
        """The kind of list and the level that a `w:numPr` gives."""
        num = value(properties, W("numId"))
        level = number(value(properties, W("ilvl"))) or 0
        if num == "0":
            return "none"
        label = None if num is None else self._numbering.label(num, level, counts=False)
        kind = "list" if label is None else "bullets" if label.is_bullet else "numbers"
        return f"{kind}, level {level + 1}"


def differences(
    change: Element, vocabulary: Vocabulary | None = None
) -> tuple[tuple[str, str, str], ...]:
    """Property, old and new value of each property that a `w:…PrChange` changed.

    Args:
        change: The mark.
        vocabulary: Names of styles and lists; without one their ids stand for them.
    """
    parent = change.getparent()
    inner = next(iter(change), None)
    new = _values(
        [] if parent is None else [child for child in parent if child is not change], vocabulary
    )
    old = _values([] if inner is None else inner, vocabulary)
    changed = tuple(
        (name, old.get(name, ""), new.get(name, ""))
        for name in dict.fromkeys([*old, *new])
        if old.get(name, "") != new.get(name, "")
    )
    is_other_list = not changed and "numbering" in old and _list_of(parent) != _list_of(inner)
    if is_other_list:
        return (("numbering", old["numbering"], f"{new['numbering']}, begun anew"),)
    return changed


def _list_of(properties: Element | None) -> str | None:
    numbering = None if properties is None else properties.find(W("numPr"))
    return value(numbering, W("numId"))


def _values(properties: Iterable[Element], vocabulary: Vocabulary | None) -> _Values:
    values: _Values = {}
    for child in properties:
        name = _local(str(child.tag))
        if name.endswith("Change") or name in _NOT_PROPERTIES or name in _COMPLEX:
            continue
        own = _SPLIT.get(name)
        parent = child.getparent()
        if own is not None and parent is not None and parent.tag == W_PPR:
            values |= own(child)
        elif name == "gridCol":
            widths = values.get(COLUMN_WIDTHS)
            width = _points(child.get(W("w"), "0"))
            values[COLUMN_WIDTHS] = width if widths is None else f"{widths}, {width}"
        elif name == "spacing" and parent is not None and parent.tag == W_RPR:
            values["character spacing"] = _points(child.get(W_VAL, "0"))
        else:
            values[_NAMES.get(name, name)] = _value(name, child, vocabulary)
    return values


def _spacing(element: Element) -> _Values:
    """ECMA-376 Part 1, 17.3.1.33: space around a paragraph, and the distance of its lines."""
    attributes = _attributes(element)
    line = attributes.pop("line", None)
    rule = attributes.pop("lineRule", "auto")
    values = _lengths(attributes)
    if line is not None:
        lines = number(line)
        is_factor = rule == "auto" and lines is not None
        values["line spacing"] = f"{(lines or 0) / 240:g}" if is_factor else _points(line)
    return values


def _indents(element: Element) -> _Values:
    """ECMA-376 Part 1, 17.3.1.12."""
    attributes = _attributes(element)
    if "hanging" in attributes:
        attributes.pop("firstLine", None)
    return _lengths(attributes)


def _lengths(attributes: Mapping[str, str]) -> _Values:
    values: _Values = {}
    for key, text in attributes.items():
        sign = "-" if key == "hanging" else ""
        name = _LENGTHS.get(key)
        if name is None:
            values[key] = _SAID.get(text, text)
        else:
            values[name] = sign + _points(text)
    return values


_SPLIT: Final[Mapping[str, Callable[[Element], _Values]]] = {
    "spacing": _spacing,
    "ind": _indents,
}


def _points(text: str) -> str:
    length = twips(text)
    return text if length is None else f"{length / 20:g} pt"


def _attributes(element: Element) -> _Values:
    return {_local(str(key)): str(value) for key, value in element.items()}


def _value(name: str, element: Element, vocabulary: Vocabulary | None) -> str:
    if vocabulary is not None and name == "numPr":
        return vocabulary.list(element)
    if len(element):
        return ", ".join(f"{_local(str(c.tag))} {_value('', c, None)}" for c in element)
    attributes = _attributes(element)
    if name == "tcW":
        return _cell_width(attributes)
    if name == "rFonts":
        return (
            attributes.get("ascii") or attributes.get("hAnsi") or attributes.get("asciiTheme", "")
        )
    if name == "color" or set(attributes) <= {"val"}:
        return _plain(name, str(element.get(W_VAL, "on")), vocabulary)
    return " ".join(f"{key} {text}" for key, text in attributes.items())


def _cell_width(attributes: Mapping[str, str]) -> str:
    """ECMA-376 Part 1, 17.4.71: in twentieths of a point, or as its type says."""
    kind, width = attributes.get("type", "dxa"), attributes.get("w", "0")
    if kind == "pct":
        part = number(width)
        return width if part is None else f"{part / 50:g}%"
    return _points(width) if kind == "dxa" else {"nil": "none"}.get(kind, kind)


def _plain(name: str, value: str, vocabulary: Vocabulary | None) -> str:
    """A property that has a value and nothing else."""
    if name == "sz" and value.isdecimal():
        return f"{int(value) / 2:g} pt"
    if name == "outlineLvl" and value.isdecimal():
        return "body text" if value == "9" else str(int(value) + 1)
    if name in ("pStyle", "rStyle"):
        return value if vocabulary is None else vocabulary.style(value)
    return _WORDS.get(name, {}).get(value) or _SAID.get(value, value)


def _local(name: str) -> str:
    return name.rpartition("}")[2]
