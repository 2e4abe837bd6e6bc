"""Styles: what a paragraph or character style gives, through its chain of parents.

[x] basedOn chains, cycles cut  [x] outline levels  [x] numbering of a style  [x] toggles  [x] code,
quote and list styles by name
[-] table styles' conditional formatting (no Markdown says it)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from redraft.engine.docx.names import W_PPR, W_TYPE, W_VAL, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import (
    CODE,
    MONOSPACE,
    NOTHING_SAID,
    UNDERLINE,
    RunProperties,
    effective,
    number,
    run_properties_of,
    twips,
    value,
)

BODY_LEVEL = 9
_HEADING_NAME = re.compile(r"heading ([1-9])")
_HEADING_ID = re.compile(r"Heading([1-9])")
_CODE_NAME = re.compile(
    r"(?:source|program|html|inline|block|fenced)?code"
    r"(?:block|char|snippet|sample|example|listing|text|zchn)?\d*"
    r"|htmlcode|verbatim(?:char)?|.*preformatted.*|(?:code)?listing|macrotext|sourcetext"
)
_QUOTES = frozenset(
    {"quote", "intense quote", "block text", "block quote", "blockquote", "quotations", "blocktext"}
)


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph style gives.

    `level` is its outline level from 0, 9 for body text, None when it says none. `indent` is the
    left indent in twips. `num` and `ilvl` are the list and level of its numbering; `num` is "0"
    where numbering is taken away.
    """

    id: str = ""
    name: str = ""
    level: int | None = None
    num: str | None = None
    ilvl: int | None = None
    indent: int | None = None
    run: RunProperties = NOTHING_SAID
    is_title: bool = False
    is_code: bool = False
    is_quote: bool = False
    is_continuation: bool = False


class Styles:
    """The styles of a document, resolved when they are first asked for."""

    __slots__ = ("_characters", "_default", "_elements", "_paragraphs", "_runs", "defaults")

    defaults: RunProperties

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._paragraphs: dict[str, ParagraphStyle] = {}
        self._characters: dict[str, RunProperties] = {}
        self._runs: dict[tuple[str, str], int] = {}
        self._default = ""
        self.defaults = NOTHING_SAID
        if root is None:
            return
        for style in root.iter(_STYLE):
            identifier = style.get(_STYLE_ID, "")
            self._elements.setdefault(identifier, style)
            if style.get(_DEFAULT) in ("1", "true", "on") and style.get(W_TYPE) == "paragraph":
                self._default = identifier
        self.defaults = run_properties_of(root.find(_RUN_DEFAULTS))

    @classmethod
    def of(cls, package: Package) -> Styles:
        """The styles of the main part; none when it has no such part."""
        parts = package.related(package.main, "styles")
        return cls(package.tree(parts[0]) if parts else None)

    @property
    def is_monospace(self) -> bool:
        """Whether ordinary text is set in a typewriter face, so that the face says nothing."""
        return bool(self.paragraph("").run.over(self.defaults).on & MONOSPACE)

    def paragraph(self, identifier: str) -> ParagraphStyle:
        """What a paragraph style gives; the default style for an empty id."""
        style = self._paragraphs.get(identifier)
        if style is None:
            style = self._paragraphs[identifier] = self._resolve(identifier)
        return style

    def character(self, identifier: str) -> RunProperties:
        """What a character style says, its parents included; CODE is on for a style of code."""
        properties = self._characters.get(identifier)
        if properties is None:
            properties = self._characters[identifier] = self._character(identifier)
        return properties

    def run(self, paragraph: str, character: str) -> int:
        """The effective properties of a run in these styles that says nothing itself."""
        key = (paragraph, character)
        switches = self._runs.get(key)
        if switches is None:
            below = self.paragraph(paragraph).run
            over = self.character(character) if character else NOTHING_SAID
            switches = self._runs[key] = effective(self.defaults, below, over).on
        return switches

    def list_of(self, identifier: str) -> str | None:
        """The list that a numbering style names (ECMA-376 Part 1, 17.9.21)."""
        style = self._elements.get(identifier)
        num_id = None if style is None else style.find(f"{W_PPR}/{_NUM_PR}/{_NUM_ID}")
        return None if num_id is None else num_id.get(W_VAL)

    def has(self, identifier: str) -> bool:
        """Whether a style is in the file."""
        return identifier in self._elements

    def is_based_on(self, identifier: str, other: str) -> bool:
        """Whether a style is another one, or one of its children."""
        return any(style.get(_STYLE_ID) == other for style in self._chain(identifier))

    def _chain(self, identifier: str) -> list[Element]:
        """A style and its parents, the root of the chain first."""
        chain: list[Element] = []
        seen: set[str] = set()
        style = self._elements.get(identifier)
        while style is not None and identifier not in seen:
            seen.add(identifier)
            chain.append(style)
            identifier = value(style, _BASED_ON) or ""
            style = self._elements.get(identifier)
        return chain[::-1]

    def _resolve(self, identifier: str) -> ParagraphStyle:
        if identifier not in self._elements:
            # A style that is not there is the default style; the ids of Word's own headings say
            # what is meant.
            heading = _HEADING_ID.fullmatch(identifier)
            base = self.paragraph(self._default) if self._default in self._elements else None
            given = base or ParagraphStyle()
            return replace(given, level=int(heading[1]) - 1) if heading else given
        resolved = ParagraphStyle()
        for style in self._chain(identifier):
            resolved = _layered(resolved, style)
        return replace(resolved, id=identifier)

    def _character(self, identifier: str) -> RunProperties:
        properties = NOTHING_SAID
        name = ""
        for style in self._chain(identifier):
            properties = run_properties_of(style).over(properties)
            name = _name(style)
            if is_code_name(name):
                properties = RunProperties(CODE, CODE).over(properties)
        if name in ("hyperlink", "followedhyperlink", "internet link", "visited internet link"):
            properties = RunProperties(UNDERLINE, 0).over(properties)
        return RunProperties(properties.specified, properties.on)


def is_code_name(name: str) -> bool:
    """Whether a style of this name is for program text."""
    return _CODE_NAME.fullmatch(re.sub(r"[\s_-]", "", name)) is not None


def _layered(below: ParagraphStyle, style: Element) -> ParagraphStyle:
    """What a style gives on top of its parent."""
    name = _name(style)
    ppr = style.find(W_PPR)
    num_pr = None if ppr is None else ppr.find(_NUM_PR)
    level = number(value(ppr, _OUTLINE))
    named = _HEADING_NAME.fullmatch(name)
    if level is None and named is not None:
        level = int(named[1]) - 1
    indent = left_indent(ppr)
    ilvl = number(value(num_pr, _ILVL))
    return ParagraphStyle(
        name=name,
        level=below.level if level is None else level,
        num=value(num_pr, _NUM_ID) or below.num,
        ilvl=below.ilvl if ilvl is None else ilvl,
        indent=below.indent if indent is None else indent,
        run=run_properties_of(style).over(below.run),
        is_title=name == "title",
        is_code=is_code_name(name) or (below.is_code and not named),
        is_quote=name in _QUOTES or (below.is_quote and level is None),
        is_continuation=name.startswith("list continue"),
    )


def left_indent(ppr: Element | None) -> int | None:
    """The left indent that paragraph properties say, in twips."""
    ind = None if ppr is None else ppr.find(_IND)
    return None if ind is None else left_of(ind)


def left_of(ind: Element) -> int | None:
    """The left indent of a `w:ind`, in twips."""
    indent = ind.get(_LEFT) or ind.get(_START)
    if indent is None:
        return None
    return int(indent) if indent.isdecimal() else twips(indent)


def _name(style: Element) -> str:
    return (value(style, _NAME) or style.get(_STYLE_ID, "")).strip().lower()


_STYLE, _STYLE_ID, _DEFAULT, _NAME = W("style"), W("styleId"), W("default"), W("name")
_BASED_ON, _OUTLINE, _IND = W("basedOn"), W("outlineLvl"), W("ind")
_LEFT, _START = W("left"), W("start")
_NUM_PR, _NUM_ID, _ILVL = W("numPr"), W("numId"), W("ilvl")
_RUN_DEFAULTS = f"{W('docDefaults')}/{W('rPrDefault')}"
