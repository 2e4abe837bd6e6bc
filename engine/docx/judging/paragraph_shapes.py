"""What paragraphs look like as a whole, read straight from the XML for the judge of law 2.

[x] styles and their parents  [x] outline levels  [x] lists: bullets or numbers, and the level
[x] direct properties  [-] what a table style gives
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from redraft.engine.docx.names import W_PPR, W_RPR, W_SECT_PR, W_TYPE, W_VAL, A, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.judge.content import Property, Shape

_NUM_PR, _NUM_ID, _ILVL, _OUTLINE = W("numPr"), W("numId"), W("ilvl"), W("outlineLvl")
_STYLE, _STYLE_ID, _P_STYLE = W("style"), W("styleId"), W("pStyle")
_LEVEL, _ABSTRACT, _FORMAT = W("lvl"), W("abstractNumId"), W("numFmt")
_CHANGES: Final = frozenset(map(W, ("rPrChange", "pPrChange", "ins", "del", "moveFrom", "moveTo")))
_NOT_SHAPE: Final = frozenset({W_RPR, W_SECT_PR, _P_STYLE, _NUM_PR, _OUTLINE, *_CHANGES})
_DEFAULTS: Final = f"{W('docDefaults')}/{W('rPrDefault')}/{W_RPR}"
_HEADING: Final = re.compile("Heading([1-9])")
_DEEPEST: Final = 20


def properties(element: Element, *, without: frozenset[str] = _CHANGES) -> tuple[Property, ...]:
    """Returns the properties in a `w:rPr` or `w:pPr`, in the order of their names."""
    return tuple(
        sorted(
            (
                _local(str(child.tag)),
                tuple(
                    sorted((_local(str(name)), str(value)) for name, value in _attributes(child))
                ),
            )
            for child in element
            if child.tag not in without and isinstance(child.tag, str)  # pyright: ignore[reportUnnecessaryIsInstance]  # comments
        )
    )


def _attributes(element: Element) -> list[tuple[str, str]]:
    """The attributes of an element and of all in it."""
    return [
        (f"{_local(str(node.tag))} {name}" if node is not element else str(name), str(value))
        for node in element.iter()
        for name, value in node.items()
    ]


def _local(name: str) -> str:
    return name.rpartition("}")[2]


class Shapes:
    """Reads the shapes of paragraphs of one document."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._lists: dict[tuple[str, str], str] = {}
        self._runs: dict[tuple[str, ...], tuple[Property, ...]] = {}

    def of(self, paragraph: Element) -> Shape:
        """Returns the shape of a paragraph."""
        own = paragraph.find(W_PPR)
        style = "" if own is None else _value(own.find(_P_STYLE))
        chain = self._chain(style or self._default)
        heading = self._heading(own, chain, style)
        num, level = self._listed(own, chain)
        listed = self._kind(num, level) if num not in ("", "0") else ""
        return Shape(
            style,
            frozenset(_names(chain[0])) if chain else frozenset(),
            heading,
            listed,
            int(level) + 1 if listed and level.isdecimal() else 0,
            num not in ("", "0"),
            () if own is None else properties(own, without=_NOT_SHAPE),
            self._run(tuple(style.get(_STYLE_ID, "") for style in chain)),
        )

    def _run(self, chain: tuple[str, ...]) -> tuple[Property, ...]:
        """What styles, the nearest first, and the defaults of the document give runs."""
        known = self._runs.get(chain)
        if known is None:
            given: dict[str, Property] = {}
            for element in (*(self._styles[name].find(W_RPR) for name in chain), self._defaults):
                for prop in () if element is None else properties(element):
                    given.setdefault(prop[0], self._with_font(prop))
            known = self._runs[chain] = tuple(given.values())
        return known

    def _with_font(self, prop: Property) -> Property:
        """The fonts of runs, with the name of the one that the theme gives (17.18.96, ST_Theme)."""
        if prop[0] != "rFonts":
            return prop
        names = {
            (f"of {name}", self._theme_fonts[value[:5]])
            for name, value in prop[1]
            if name.endswith("Theme") and value[:5] in self._theme_fonts
        }
        return prop[0], (*prop[1], *sorted(names))

    @cached_property
    def _theme_fonts(self) -> dict[str, str]:
        """The Latin fonts of the theme, `major` and `minor` (20.1.4.1.24, 20.1.4.1.25)."""
        fonts: dict[str, str] = {}
        for part in self._package.related(self._package.main, "theme"):
            for kind in ("major", "minor"):
                for latin in self._package.tree(part).iterfind(
                    f".//{A(kind + 'Font')}/{A('latin')}"
                ):
                    fonts[kind] = latin.get("typeface", "")
        return fonts

    @cached_property
    def _defaults(self) -> Element | None:
        parts = self._package.related(self._package.main, "styles")
        root = self._package.tree(parts[0]) if parts else None
        return None if root is None else root.find(_DEFAULTS)

    def _heading(self, own: Element | None, chain: list[Element], style: str) -> int:
        for element in (own, *(each.find(W_PPR) for each in chain)):
            outline = None if element is None else element.find(_OUTLINE)
            if outline is not None:
                level = _value(outline)
                return int(level) + 1 if level.isdecimal() and int(level) < 9 else 0
        for each in chain:
            for name in _names(each):
                if name.startswith("heading ") and name[8:].isdecimal():
                    return int(name[8:])
        named = _HEADING.fullmatch(style) if not chain else None
        return int(named[1]) if named is not None else 0

    def _listed(self, own: Element | None, chain: list[Element]) -> tuple[str, str]:
        """The list and the level, each from the nearest that says it."""
        num = level = ""
        for element in (own, *(style.find(W_PPR) for style in chain)):
            numbering = None if element is None else element.find(_NUM_PR)
            if numbering is not None:
                num = num or _value(numbering.find(_NUM_ID))
                level = level or _value(numbering.find(_ILVL))
        return num, level or "0"

    def _kind(self, num: str, level: str) -> str:
        """Whether a level of a list has bullets or numbers; empty for a list that is not there."""
        found = self._lists.get((num, level))
        if found is None:
            found = self._lists[num, level] = self._format(num, level)
        return found

    def _format(self, num: str, level: str) -> str:
        parts = self._package.related(self._package.main, "numbering")
        root = self._package.tree(parts[0]) if parts else None
        lists = [] if root is None else root.findall(W("num"))
        own = next((element for element in lists if element.get(_NUM_ID) == num), None)
        if own is None or root is None:
            return ""
        abstract = _value(own.find(_ABSTRACT))
        definitions = [
            *(element.find(_LEVEL) for element in own if element.get(_ILVL) == level),
            *(
                lvl
                for element in root.findall(W("abstractNum"))
                if element.get(_ABSTRACT) == abstract
                for lvl in element.findall(_LEVEL)
                if lvl.get(_ILVL) == level
            ),
        ]
        if not definitions and level != "0":
            return self._format(num, "0")
        formats = [_value(element.find(_FORMAT)) for element in definitions if element is not None]
        kind = next((name for name in formats if name), "decimal")
        return "bullet" if kind == "bullet" else "numbered"

    @cached_property
    def _styles(self) -> dict[str, Element]:
        parts = self._package.related(self._package.main, "styles")
        styles: dict[str, Element] = {}
        for style in self._package.tree(parts[0]).iter(_STYLE) if parts else ():
            styles.setdefault(style.get(_STYLE_ID, ""), style)
        return styles

    @cached_property
    def _default(self) -> str:
        return next(
            (
                name
                for name, style in self._styles.items()
                if style.get(W("default")) in ("1", "true", "on")
                and style.get(W_TYPE) == "paragraph"
            ),
            "",
        )

    def _chain(self, name: str) -> list[Element]:
        """A style and those it is based on."""
        chain: list[Element] = []
        while name in self._styles and len(chain) < _DEEPEST:
            chain.append(self._styles[name])
            name = _value(chain[-1].find(W("basedOn")))
        return chain


def _names(style: Element) -> list[str]:
    """The name of a style and its other names, in small letters."""
    aliases = _value(style.find(W("aliases"))).split(",")
    return [name.strip().lower() for name in (_value(style.find(W("name"))), *aliases) if name]


def _value(element: Element | None) -> str:
    return "" if element is None else element.get(W_VAL, "")
