"""What a tracked format change changed, property by property, in words a reviewer knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.docx.names import W_VAL, Element

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
    "pageBreakBefore": "page break before",
    "pgSz": "page size",
    "pgMar": "page margins",
    "cols": "columns",
    "lang": "language",
}
_COMPLEX: Final = frozenset({"bCs", "iCs", "szCs"})
_NOT_PROPERTIES: Final = frozenset(
    {"rPr", "sectPr", "ins", "del", "moveFrom", "moveTo", "cellIns", "cellDel", "cellMerge"}
)


def differences(change: Element) -> tuple[tuple[str, str, str], ...]:
    """Property, old and new value of each property that a `w:…PrChange` changed."""
    parent = change.getparent()
    inner = next(iter(change), None)
    new = _values([] if parent is None else [child for child in parent if child is not change])
    old = _values([] if inner is None else inner)
    return tuple(
        (_NAMES.get(name, name), old.get(name, ""), new.get(name, ""))
        for name in dict.fromkeys([*old, *new])
        if old.get(name, "") != new.get(name, "") and name not in _COMPLEX
    )


def _values(properties: Iterable[Element]) -> dict[str, str]:
    found: dict[str, str] = {}
    for child in properties:
        name = _local(str(child.tag))
        if not name.endswith("Change") and name not in _NOT_PROPERTIES:
            found[name] = _value(name, child)
    return found


def _value(name: str, element: Element) -> str:
    if len(element):
        return ", ".join(f"{_local(str(c.tag))} {_value('', c)}" for c in element)
    said = {_local(str(key)): str(value) for key, value in element.items()}
    if set(said) <= {"val"}:
        value = str(element.get(W_VAL, "on"))
        if name == "sz" and value.isdecimal():
            return f"{int(value) / 2:g} pt"
        return {"1": "on", "true": "on", "0": "off", "false": "off"}.get(value, value)
    if name == "rFonts":
        return said.get("ascii") or said.get("hAnsi") or said.get("asciiTheme", "")
    return " ".join(f"{key} {value}" for key, value in said.items())


def _local(name: str) -> str:
    return name.rpartition("}")[2]
