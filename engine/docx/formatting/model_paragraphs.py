"""Which paragraph of the document a new one is modelled on, to look as its kind does here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine.docx.formatting.list_definitions import ListDefinitions, ListKind
from redraft.engine.docx.formatting.schema_order import put
from redraft.engine.docx.formatting.stylesheet import Stylesheet
from redraft.engine.docx.names import W_P, W_PPR, W_R, W_RPR, W_T, W_VAL, Element, W
from redraft.engine.docx.numbering import Numbering
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import is_on
from redraft.engine.docx.redline.emphasis import heading_level, style_of
from redraft.engine.docx.styles import Styles
from redraft.engine.plan import BlockKind

FARTHEST: Final = 400
_EMPHASIS: Final = (W("b"), W("i"))
_NUM_PR: Final = W("numPr")
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "bullet": ("list bullet",),
    "numbered": ("list number",),
    "quote": ("quote", "intense quote", "block text"),
}
_LISTS: Final[dict[str, ListKind]] = {"bullet": "bullet", "numbered": "numbered"}
_NESTED: Final = re.compile(r"(bullet|numbered)([23])")


@dataclass(frozen=True, slots=True)
class Pattern:
    """The properties of a new paragraph, and the paragraph whose runs lend their formatting."""

    properties: Element | None
    lender: Element | None


class Patterns:
    """Finds patterns in one document."""

    def __init__(self, package: Package, styles: Styles) -> None:
        self._package = package
        self._styles = styles
        self._numbering = Numbering.of(package, styles)
        self._made: dict[str, Element] = {}
        self._kinds: dict[Element, str] = {}

    def of(self, kind: BlockKind, anchor: Element) -> Pattern:
        """The pattern for a kind of block beside an anchor.

        Where nothing in the document looks like this kind it is Word's built-in style, which is
        made where the document lacks it.
        """
        if kind == "like_anchor" and anchor.tag == W_P:
            # An empty one has no look of words; that of its mark is nobody's choice.
            body = None if _has_words(anchor) else self._body(anchor)
            return Pattern(anchor.find(W_PPR), anchor if body is None else body)
        nested = _NESTED.fullmatch(kind)
        if nested is not None:
            return self._nested(nested[1], int(nested[2]) - 1, anchor)
        wanted = "paragraph" if kind == "like_anchor" else kind
        if wanted == "paragraph":
            body = self._body(anchor)
            return Pattern(None if body is None else body.find(W_PPR), body)
        for paragraph in _around(anchor, is_forward_first=False):
            if self.kind_of(paragraph) == wanted:
                return Pattern(paragraph.find(W_PPR), paragraph)
        return Pattern(self._styled(wanted), None)

    def _body(self, anchor: Element) -> Element | None:
        """The nearest plain paragraph whose words are not all bold or italic, else the nearest."""
        nearest: Element | None = None
        for paragraph in _around(anchor, is_forward_first=True):
            if self.kind_of(paragraph) == "paragraph":
                if _has_words(paragraph) and not _is_emphasized(paragraph):
                    return paragraph
                nearest = paragraph if nearest is None else nearest
        return nearest

    def kind_of(self, paragraph: Element) -> str:
        """What kind of block a paragraph is, in the words of a plan.

        Looked at once: many new blocks have the same neighbours.
        """
        kind = self._kinds.get(paragraph)
        if kind is None:
            kind = self._kinds[paragraph] = self._kind(paragraph)
        return kind

    def _kind(self, paragraph: Element) -> str:
        style = style_of(paragraph, self._styles)
        level = heading_level(paragraph, self._styles)
        if level is not None:
            return "title" if style.is_title else f"heading{level}"
        num, ilvl = self._listed(paragraph)
        label = self._numbering.label(num, ilvl, counts=False) if num else None
        if label is not None:
            return "bullet" if label.is_bullet else "numbered"
        if style.is_quote:
            return "quote"
        return "code" if style.is_code else "paragraph"

    def _listed(self, paragraph: Element) -> tuple[str, int]:
        """The list a paragraph is in, and its level from 0; the list is empty for none."""
        style = style_of(paragraph, self._styles)
        num, ilvl = style.num, style.ilvl or 0
        direct = paragraph.find(f"{W_PPR}/{_NUM_PR}")
        if direct is not None:
            num_id, at = direct.find(W("numId")), direct.find(W("ilvl"))
            num = num if num_id is None else num_id.get(W_VAL, "0")
            ilvl = _number(at) if at is not None else ilvl
        return ("" if num is None or num == "0" else num), ilvl

    def _nested(self, kind: str, level: int, anchor: Element) -> Pattern:
        """An item of a level: as such a one looks here, else a level of the nearest list."""
        nearest: Element | None = None
        for paragraph in _around(anchor, is_forward_first=False):
            if self.kind_of(paragraph) == kind:
                nearest = paragraph if nearest is None else nearest
                if self._listed(paragraph)[1] == level:
                    return Pattern(paragraph.find(W_PPR), paragraph)
        if nearest is None:
            made = self._made.get(f"{kind}{level}")
            if made is None:
                made = _with_style(Stylesheet(self._package).made(_NAMES[kind][0]))
                _number_it(made, ListDefinitions(self._package).define(_LISTS[kind]), level)
                self._made[f"{kind}{level}"] = made
            return Pattern(made, None)
        properties = deepcopy(nearest.find(W_PPR))
        if properties is None:
            properties = etree.Element(W_PPR)
        for element in (properties.find(_NUM_PR), properties.find(W("ind"))):
            if element is not None:  # the indent is that of the level it is taken from
                properties.remove(element)
        _number_it(properties, self._listed(nearest)[0], level)
        return Pattern(properties, nearest)

    def _styled(self, kind: str) -> Element:
        """The properties of a block of a kind that no block of the document shows how to make."""
        properties = self._made.get(kind)
        if properties is None:
            properties = self._made[kind] = self._make(kind)
        return properties

    def _make(self, kind: str) -> Element:
        stylesheet = Stylesheet(self._package)
        names = _NAMES.get(kind) or (f"heading {kind.removeprefix('heading')}",)
        known = [style for name in names if (style := stylesheet.find(name)) is not None]
        style = known[0] if known else stylesheet.made(names[0])
        properties = _with_style(style)
        if known and kind in ("bullet", "numbered"):
            num = self._styles.paragraph(style).num
            if num is None or num == "0":
                list_kind = "bullet" if kind == "bullet" else "numbered"
                _number_it(properties, ListDefinitions(self._package).define(list_kind))
        return properties


def _has_words(paragraph: Element) -> bool:
    return any((node.text or "").strip() for node in paragraph.iter(W_T))


def _is_emphasized(paragraph: Element) -> bool:
    """Whether the runs of a paragraph make all of its words bold or italic."""
    runs = [run for run in paragraph.iter(W_R) if _has_words(run)]
    looks = [run.find(W_RPR) for run in runs]
    return any(
        all(look is not None and is_on(look.find(tag)) for look in looks) for tag in _EMPHASIS
    )


def _with_style(identifier: str) -> Element:
    properties = etree.Element(W_PPR)
    etree.SubElement(properties, W("pStyle")).set(W_VAL, identifier)
    return properties


def _number_it(properties: Element, num: str, level: int = 0) -> None:
    numbering = etree.Element(_NUM_PR)
    etree.SubElement(numbering, W("ilvl")).set(W_VAL, str(level))
    etree.SubElement(numbering, W("numId")).set(W_VAL, num)
    put(properties, numbering)


def _number(element: Element) -> int:
    digits = element.get(W_VAL, "")
    return int(digits) if digits.isdecimal() else 0


def _around(anchor: Element, *, is_forward_first: bool) -> Iterator[Element]:
    """The paragraphs beside an anchor in its story, the nearest of each direction first."""
    forward = anchor.itersiblings()
    backward = anchor.itersiblings(preceding=True)
    own = [anchor] if anchor.tag == W_P else []
    sides = (forward, backward) if is_forward_first else (backward, forward)
    for elements in (own, *sides):
        for count, element in enumerate(elements):
            if count > FARTHEST:
                break
            if element.tag == W_P:
                yield element
