"""Which paragraph of the document a new one is modelled on, to look as its kind does here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml import etree

from engine.docx.formatting.list_definitions import ListDefinitions
from engine.docx.formatting.stylesheet import Stylesheet
from engine.docx.names import W_P, W_PPR, W_VAL, Element, W
from engine.docx.numbering import Numbering
from engine.docx.package import Package
from engine.docx.styles import Styles
from engine.docx.text.emphasis import heading_level, style_of
from engine.plan_values import BlockKind

FARTHEST: Final = 400
_NUM_PR: Final = W("numPr")
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "bullet": ("list bullet",),
    "numbered": ("list number",),
    "quote": ("quote", "intense quote", "block text"),
}


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

    def of(self, kind: BlockKind, anchor: Element) -> Pattern:
        """The pattern for a kind of block beside an anchor.

        Where nothing in the document looks like this kind it is Word's built-in style, which is
        made where the document lacks it.
        """
        if kind == "like_anchor" and anchor.tag == W_P:
            return Pattern(anchor.find(W_PPR), anchor)
        wanted = "paragraph" if kind == "like_anchor" else kind
        for paragraph in _around(anchor, is_forward_first=wanted == "paragraph"):
            if self.kind_of(paragraph) == wanted:
                return Pattern(paragraph.find(W_PPR), paragraph)
        if wanted == "paragraph":
            return Pattern(None, None)
        return Pattern(self._styled(wanted), None)

    def kind_of(self, paragraph: Element) -> str:
        """What kind of block a paragraph is, in the words of a plan."""
        style = style_of(paragraph, self._styles)
        level = heading_level(paragraph, self._styles)
        if level is not None:
            return "title" if style.is_title else f"heading{level}"
        direct = paragraph.find(f"{W_PPR}/{_NUM_PR}")
        num = style.num
        ilvl = style.ilvl or 0
        if direct is not None:
            said, at = direct.find(W("numId")), direct.find(W("ilvl"))
            num = num if said is None else said.get(W_VAL, "0")
            ilvl = _number(at) if at is not None else ilvl
        if num is not None and num != "0":
            label = self._numbering.label(num, ilvl, counts=False)
            if label is not None:
                return "bullet" if label.is_bullet else "numbered"
        if style.is_quote:
            return "quote"
        return "code" if style.is_code else "paragraph"

    def _styled(self, kind: str) -> Element:
        """The properties of a block of a kind that no block of the document shows how to make."""
        found = self._made.get(kind)
        if found is None:
            found = self._made[kind] = self._make(kind)
        return found

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


def _with_style(identifier: str) -> Element:
    properties = etree.Element(W_PPR)
    etree.SubElement(properties, W("pStyle")).set(W_VAL, identifier)
    return properties


def _number_it(properties: Element, num: str) -> None:
    numbering = etree.SubElement(properties, _NUM_PR)
    etree.SubElement(numbering, W("ilvl")).set(W_VAL, "0")
    etree.SubElement(numbering, W("numId")).set(W_VAL, num)


def _number(element: Element) -> int:
    said = element.get(W_VAL, "")
    return int(said) if said.isdecimal() else 0


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
