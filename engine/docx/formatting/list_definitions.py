"""Makes lists in the numbering part: definitions, lists of them, and lists that begin anew.

ECMA-376 Part 1, 17.9.1 (abstractNum), 17.9.15 (num), 17.9.27 (startOverride). What stands in the
part stays byte for byte; a document without one gets one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Final, Literal, TypeAlias

from lxml import etree

from redraft.engine.docx.names import STRICT, W_VAL, Element, W
from redraft.engine.docx.numbering import LEVELS, Label, Numbering
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import number, value
from redraft.engine.docx.styles import Styles

ListKind: TypeAlias = Literal["bullet", "numbered"]

_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"
_EMPTY: Final = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="{}"/>'
)
_TO_STRICT: Final = {transitional: strict for strict, transitional in STRICT.items()}
# Signs of the three fonts that Word takes in turn; the first and third are private characters.
_BULLETS: Final = (
    ("&#61623;", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol" w:hint="default"/>'),
    ("o", '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:hint="default"/>'),
    ("&#61607;", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings" w:hint="default"/>'),
)
_FORMS: Final = ("decimal", "lowerLetter", "lowerRoman")
_DECLARATION: Final = re.compile(r"\sxmlns(?::[^\s=]+)?=(?:\"[^\"]*\"|'[^']*')")
_START_OF_KNUTH: Final = 2654435761


class ListDefinitions:
    """The lists of one package."""

    def __init__(self, package: Package) -> None:
        self._package = package

    def define(self, kind: ListKind, style: str = "") -> str:
        """Make a list of a new definition, and say its id (`w:numId`).

        Args:
            kind: What its paragraphs show.
            style: The paragraph style that its first level belongs to. All nine levels are
                there nevertheless: a paragraph may be moved to any of them.
        """
        root = self._root()
        known = [number(definition.get(_ABSTRACT_ID)) or 0 for definition in root.iter(_ABSTRACT)]
        abstract = max(known, default=-1) + 1
        levels = "".join(self._level(kind, at, style) for at in range(LEVELS))
        nsid = (abstract + 1) * _START_OF_KNUTH % 0x7FFFFFFF
        self._insert(
            f'<w:abstractNum w:abstractNumId="{abstract}"><w:nsid w:val="{nsid:08X}"/>'
            f'<w:multiLevelType w:val="hybridMultilevel"/>{levels}</w:abstractNum>',
            "abstractNum",
        )
        return self._num(str(abstract), "")

    def restarted(self, num: str, ilvl: int) -> str:
        """Make a list of the same definition whose level begins anew, and say its id."""
        source = next(
            (instance for instance in self._root().iter(_NUM) if instance.get(_NUM_ID) == num), None
        )
        if source is None:
            return num
        kept = "".join(
            _as_text(child) for child in source.iter(_OVERRIDE) if number(child.get(_ILVL)) != ilvl
        )
        own = next((c for c in source.iter(_OVERRIDE) if number(c.get(_ILVL)) == ilvl), None)
        level = None if own is None else own.find(_LVL)
        start = value(level, W("start")) or self._start(source, ilvl)
        override = (
            f'<w:lvlOverride w:ilvl="{ilvl}"><w:startOverride w:val="{start}"/>'
            f"{'' if level is None else _as_text(level)}</w:lvlOverride>"
        )
        return self._num(value(source, _ABSTRACT_ID) or "0", override + kept)

    def adopted(self, num: Element, abstract: Element, styles: Mapping[str, str]) -> str:
        """Makes a list like one of another document, with a definition of its own; says its id.

        Args:
            num: The list (17.9.15).
            abstract: Its definition (17.9.1).
            styles: Styles of the other document that levels may belong to, with their ids here.
        """
        known = [
            number(definition.get(_ABSTRACT_ID)) or 0 for definition in self._root().iter(_ABSTRACT)
        ]
        identifier = str(max(known, default=-1) + 1)
        definition = _own_copy(abstract, styles)
        definition.set(_ABSTRACT_ID, identifier)
        self._insert(_as_text(definition), "abstractNum")
        overrides = (_own_copy(child, styles) for child in num.iter(_OVERRIDE))
        return self._num(identifier, "".join(map(_as_text, overrides)))

    def like(self, kind: ListKind, ilvl: int, styles: Styles) -> str | None:
        """A list of the document with levels of a kind as Word makes them, from the first to one.

        None when there is none that belongs to no style.
        """
        numbering = self.numbering(styles)
        for num in self._root().iter(_NUM) if self._part() else ():
            identifier = num.get(_NUM_ID, "")
            if num.find(_OVERRIDE) is None and not self._is_bound(num):
                labels = [numbering.label(identifier, at, counts=False) for at in range(ilvl + 1)]
                if all(kind_of(label) == kind for label in labels):
                    return identifier
        return None

    def numbering(self, styles: Styles) -> Numbering:
        """The lists as they now stand, not yet counted."""
        return Numbering.of(self._package, styles)

    def _is_bound(self, num: Element) -> bool:
        """Whether the definition of a list belongs to styles, or to another definition."""
        abstract = self._abstract(num)
        return abstract is None or any(
            next(abstract.iter(tag), None) is not None for tag in _BINDINGS
        )

    def _abstract(self, num: Element) -> Element | None:
        wanted = value(num, _ABSTRACT_ID)
        definitions = (a for a in self._root().iter(_ABSTRACT) if a.get(_ABSTRACT_ID) == wanted)
        return next(definitions, None)

    def _start(self, num: Element, ilvl: int) -> str:
        abstract = self._abstract(num)
        levels = () if abstract is None else abstract.iter(_LVL)
        level = next(
            (candidate for candidate in levels if number(candidate.get(_ILVL)) == ilvl), None
        )
        return value(level, W("start")) or "1"

    def _num(self, abstract: str, overrides: str) -> str:
        known = [number(instance.get(_NUM_ID)) or 0 for instance in self._root().iter(_NUM)]
        identifier = str(max(known, default=0) + 1)
        self._insert(
            f'<w:num w:numId="{identifier}"><w:abstractNumId w:val="{abstract}"/>'
            f"{overrides}</w:num>",
            "num",
        )
        return identifier

    def _level(self, kind: ListKind, at: int, style: str) -> str:
        sign, face = _BULLETS[at % 3] if kind == "bullet" else (f"%{at + 1}.", "")
        form = "bullet" if kind == "bullet" else _FORMS[at % 3]
        is_roman = form == "lowerRoman"
        left = "start" if self._package.strict else "left"
        right = "end" if self._package.strict else "right"
        side = right if is_roman else left
        indent = 720 * at + 360 if style else 720 * (at + 1)
        bound = f'<w:pStyle w:val="{style}"/>' if style and not at else ""
        looks = f"<w:rPr>{face}</w:rPr>" if face else ""
        return (
            f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{bound}'
            f'<w:lvlText w:val="{sign}"/><w:lvlJc w:val="{side}"/>'
            f'<w:pPr><w:ind w:{left}="{indent}" w:hanging="{180 if is_roman else 360}"/></w:pPr>'
            f"{looks}</w:lvl>"
        )

    def _insert(self, element: str, name: str) -> None:
        before = ("num", "numIdMacAtCleanup") if name == "abstractNum" else ("numIdMacAtCleanup",)
        part = self._made()
        new_parts.insert(self._package, part, element, namespace=W, behind=name, before=before)

    def _part(self) -> str | None:
        parts = self._package.related(self._package.main, "numbering")
        return parts[0] if parts else None

    def _made(self) -> str:
        part = self._part()
        if part is not None:
            return part
        uri = _TO_STRICT[W] if self._package.strict else W
        data = _EMPTY.format(uri).encode()
        return new_parts.add(self._package, self._package.main, "numbering", _TYPE, data)

    def _root(self) -> Element:
        part = self._part()
        return etree.Element(W("numbering")) if part is None else self._package.tree(part)


def kind_of(label: Label | None) -> ListKind | None:
    """What a label shows; None for none."""
    if label is None or not (label.is_bullet or label.text):
        return None
    return "bullet" if label.is_bullet else "numbered"


def _own_copy(element: Element, styles: Mapping[str, str]) -> Element:
    """Returns a copy without what leads to other parts, and in the main namespace alone."""
    copy = deepcopy(element)
    for node in list(copy.iter()):
        holder = node.getparent()
        is_foreign = not str(node.tag).startswith(_MAIN) or node.tag in _LEADING
        is_lost = node.tag == _P_STYLE and node.get(W_VAL, "") not in styles
        if holder is not None and (is_foreign or is_lost):
            holder.remove(node)
            continue
        for name in [name for name in node.attrib if not str(name).startswith(_MAIN)]:
            del node.attrib[name]
        if node.tag == _P_STYLE:
            node.set(W_VAL, styles[node.get(W_VAL, "")])
    etree.cleanup_namespaces(copy, keep_ns_prefixes=["w"])
    return copy


def _as_text(element: Element) -> str:
    """An element of the numbering part as text with the prefix `w`."""
    text = _DECLARATION.sub("", etree.tostring(element, with_tail=False).decode())
    prefix = element.prefix
    if not prefix:
        # Without a prefix of its own attributes have another; such a part is rare and small.
        return etree.tostring(element, with_tail=False).decode()
    return re.sub(rf"(?<=[<\s/]){re.escape(prefix)}:", "w:", text)


_ABSTRACT, _ABSTRACT_ID = W("abstractNum"), W("abstractNumId")
_NUM, _NUM_ID, _LVL, _ILVL = W("num"), W("numId"), W("lvl"), W("ilvl")
_OVERRIDE = W("lvlOverride")
_P_STYLE = W("pStyle")
_MAIN = W("")
_LEADING = frozenset({W("lvlPicBulletId"), W("nsid"), W("styleLink"), W("numStyleLink")})
_BINDINGS = (W("pStyle"), W("styleLink"), W("numStyleLink"))
