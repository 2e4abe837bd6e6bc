"""Which value a property has in the end: said directly, by styles, by a list, or by default.

ECMA-376 Part 1, 17.7.2 (style hierarchy) and 17.7.3 (toggle properties). Values of table styles
depend on the place in the table and are not worked out: a property that the table's style says is
*unknown*, and is then written explicitly.

[x] run properties through character and paragraph styles and defaults  [x] toggles
[x] paragraph properties through styles and defaults, attribute by attribute
[x] indents of lists  [-] conditional formatting of tables
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.engine.docx.names import W_PPR, W_RPR, W_TBL, W_TBL_PR, W_TYPE, W_VAL, A, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import is_on, value

_TOGGLES: Final = frozenset(
    map(W, ("b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike", "vanish"))
)
_STYLE, _STYLE_ID, _BASED_ON = W("style"), W("styleId"), W("basedOn")
_PSTYLE, _RSTYLE, _TBL_STYLE = W("pStyle"), W("rStyle"), W("tblStyle")
_ON: Final = frozenset({"1", "true", "on"})
_THEME: Final = {"major": "majorFont", "minor": "minorFont"}


class Cascade:
    """The styles and defaults of a package, asked for single properties."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._styles: dict[str, Element] = {}
        self._default = ""
        self._chains: dict[str, list[Element]] = {}
        self._levels: dict[tuple[str, str], Element | None] = {}
        self._tables: dict[str, set[str]] = {}
        self._root, self._lists = _roots(package)
        for style in self._root.iter(_STYLE) if self._root is not None else ():
            identifier = style.get(_STYLE_ID, "")
            self._styles.setdefault(identifier, style)
            if style.get(W_TYPE) == "paragraph" and style.get(W("default")) in _ON:
                self._default = identifier

    @property
    def is_current(self) -> bool:
        """Whether the package still has the styles and lists that were read."""
        styles, lists = _roots(self._package)
        return styles is self._root and lists is self._lists

    # Run properties

    def is_on(self, tag: str, direct: Element, paragraph: Element) -> bool | None:
        """Whether a switch is on for a run; None when the style of a table may say something.

        Args:
            tag: `w:b`, `w:caps` …
            direct: The run's own `w:rPr`.
            paragraph: The paragraph that the run stands in.
        """
        own = direct.find(tag)
        if own is not None:
            return is_on(own)
        if self.is_in_table(tag, paragraph):
            return None
        style_values = [self._of_style(tag, style) for style in self._styles_of(direct, paragraph)]
        switches = [switch for switch in style_values if switch is not None]
        if not switches:
            return is_on(self._of_defaults(W_RPR, tag))
        if tag in _TOGGLES:
            return sum(is_on(switch) for switch in switches) % 2 == 1
        return is_on(switches[-1])

    def specified(self, tag: str, direct: Element, paragraph: Element) -> list[Element]:
        """All that is said of a run property, the strongest first: run, character, paragraph."""
        own = direct.find(tag)
        elements = [] if own is None else [own]
        for style in reversed(self._styles_of(direct, paragraph)):
            elements += [
                e for s in self._chain(style) if (e := s.find(f"{W_RPR}/{tag}")) is not None
            ]
        default = self._of_defaults(W_RPR, tag)
        return elements if default is None else [*elements, default]

    def _styles_of(self, direct: Element, paragraph: Element) -> list[str]:
        character = value(direct, _RSTYLE)
        # It stands first (17.3.1.26); to look among all runs for each of them would be quadratic.
        first = next(paragraph.iterchildren("*"), None)
        properties = first if first is not None and first.tag == W_PPR else None
        style = value(properties, _PSTYLE) or self._default
        return [style] if character is None else [style, character]

    def _of_style(self, tag: str, style: str) -> Element | None:
        for element in self._chain(style):
            child = element.find(f"{W_RPR}/{tag}")
            if child is not None:
                return child
        return None

    def font(self, theme: str) -> str:
        """The Latin face of the theme that `w:asciiTheme` names; empty when there is none."""
        for part in self._package.related(self._package.main, "theme"):
            name = _THEME.get(theme[:5], "")
            for scheme in self._package.tree(part).iter(A(name)) if name else ():
                latin = scheme.find(A("latin"))
                return "" if latin is None else latin.get("typeface", "")
        return ""

    # Paragraph properties

    def paragraph(self, tag: str, direct: Element) -> Iterator[Element]:
        """All that is said of a paragraph property, the strongest first.

        Args:
            tag: `w:jc`, `w:ind` …
            direct: The paragraph's own `w:pPr`, style and list included.
        """
        own = direct.find(tag)
        if own is not None:
            yield own
        numbering = direct.find(W("numPr"))
        listed = self._of_list(tag, numbering)
        if listed is not None:
            yield listed
        for style in self._chain(value(direct, _PSTYLE) or self._default):
            child = style.find(f"{W_PPR}/{tag}")
            if child is not None:
                yield child
            listed = self._of_list(tag, style.find(f"{W_PPR}/{W('numPr')}"))
            if listed is not None:
                yield listed
        default = self._of_defaults(W_PPR, tag)
        if default is not None:
            yield default

    def style(self, identifier: str) -> Element | None:
        """The element of a style."""
        return self._styles.get(identifier)

    def is_in_table(self, tag: str, element: Element) -> bool:
        """Whether a paragraph stands in a table whose style says something of a property."""
        saying = self._tables.get(tag)
        if saying is None:
            saying = self._tables[tag] = {
                identifier
                for identifier, style in self._styles.items()
                if style.get(W_TYPE) == "table"
                and any(next(s.iter(tag), None) is not None for s in self._chain(identifier))
            }
        return bool(saying) and any(
            value(table.find(W_TBL_PR), _TBL_STYLE) in saying
            for table in element.iterancestors(W_TBL)
        )

    def _of_list(self, tag: str, numbering: Element | None) -> Element | None:
        num = value(numbering, W("numId"))
        if num is None or num == "0":
            return None
        key = (num, value(numbering, W("ilvl")) or "0")
        if key not in self._levels:
            self._levels[key] = self._level(*key)
        level = self._levels[key]
        return None if level is None else level.find(f"{W_PPR}/{tag}")

    def _level(self, num: str, ilvl: str) -> Element | None:
        for part in self._package.related(self._package.main, "numbering"):
            root = self._package.tree(part)
            list_of = (e for e in root.iter(W("num")) if e.get(W("numId")) == num)
            abstract = value(next(list_of, None), W("abstractNumId"))
            for definition in root.iter(W("abstractNum")):
                if definition.get(W("abstractNumId")) == abstract:
                    levels = (e for e in definition.iter(W("lvl")) if e.get(W("ilvl")) == ilvl)
                    return next(levels, None)
        return None

    def _of_defaults(self, kind: str, tag: str) -> Element | None:
        if self._root is None:
            return None
        outer = W(f"{kind.rpartition('}')[2]}Default")
        return self._root.find(f"{W('docDefaults')}/{outer}/{kind}/{tag}")

    def _chain(self, identifier: str) -> list[Element]:
        """A style and its parents, itself first."""
        known = self._chains.get(identifier)
        if known is not None:
            return known
        chain: list[Element] = []
        seen: set[str] = set()
        at = identifier
        while at in self._styles and at not in seen:
            seen.add(at)
            chain.append(self._styles[at])
            at = value(self._styles[at], _BASED_ON) or ""
        self._chains[identifier] = chain
        return chain


def _roots(package: Package) -> tuple[Element | None, Element | None]:
    """The styles and the lists of a package; a part that is replaced gets another root."""
    named = (package.related(package.main, kind) for kind in ("styles", "numbering"))
    styles, lists = (package.tree(parts[0]) if parts else None for parts in named)
    return styles, lists


def val(element: Element | None, otherwise: str) -> str:
    """The `w:val` of a property, or what holds without it."""
    return otherwise if element is None else element.get(W_VAL, otherwise)
