"""What the comparison of baselines leaves out, because Word cannot track it.

Part of the judge (`fingerprint`): it shares no code with the reader, the text map, the writer or
the resolver, and must not.

    links      w:hyperlink and HYPERLINK fields as if they were not there, the character style of
               links with them
    comments   the markers of a comment's range and its reference
    alt_text   descriptions and titles of drawings and VML shapes
    controls   what a content control or form field shows and holds besides its text: placeholder,
               date, check box, chosen entry
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy
from typing import Final

from redraft.engine.docx.names import (
    PIC,
    W14,
    W_FLD_CHAR,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_INSTR_TEXT,
    W_TYPE,
    W_VAL,
    WP,
    Element,
    O,
    V,
    W,
)
from redraft.engine.docx.opc.package import Package

_DEL_INSTR_TEXT: Final = W("delInstrText")
_LINK_STYLES: Final = frozenset({"hyperlink", "followedhyperlink"})
_COMMENTS: Final = frozenset(
    map(W, ("commentRangeStart", "commentRangeEnd", "commentReference", "annotationRef"))
)
_CONTROL: Final = frozenset(
    {W("showingPlcHdr"), W14("checked"), W("lastValue"), W("checked"), W("result")}
)
_FULL_DATE: Final = W("fullDate")
_LAST_VALUE: Final = W("lastValue")
_DESCRIBED: Final = frozenset({WP("docPr"), PIC("cNvPr")})
_SHAPES: Final = frozenset(map(V, ("shape", "rect", "group", "roundrect", "oval", "imagedata")))
_SAID: Final = frozenset({"descr", "title", "alt", O("title")})


class Overlooked:
    """What is left out of some adjacent blocks; nothing at all when `blind` is empty."""

    def __init__(self, blind: Collection[str] = (), blocks: Sequence[Element] = ()) -> None:
        self.is_any = bool(blind)
        self._links = "links" in blind
        self._comments = "comments" in blind
        self._alt_text = "alt_text" in blind
        self._controls = "controls" in blind
        self._styles = frozenset(each[6:] for each in blind if each.startswith("style "))
        self._plumbing = _plumbing(blocks) if self._links else frozenset[Element]()

    def skips(self, element: Element) -> bool:
        """Whether an element is left out with all that is in it."""
        if not self.is_any:
            return False
        tag = element.tag
        if self._comments and tag in _COMMENTS:
            return True
        if self._controls and tag in _CONTROL:
            return True
        if not self._links:
            return False
        return element in self._plumbing or (
            tag == _R_STYLE and element.get(W_VAL, "") in self._styles
        )

    def is_open(self, element: Element) -> bool:
        """Whether an element is left out, but not what is in it."""
        if not self._links:
            return False
        return element.tag == W_HYPERLINK or (
            element.tag == W_FLD_SIMPLE and _is_link(element.get(W("instr"), ""))
        )

    def drops(self, element: Element, name: str) -> bool:
        """Whether an attribute of an element is left out."""
        if not self.is_any:
            return False
        if self._alt_text and name in _SAID:
            return element.tag in _DESCRIBED or element.tag in _SHAPES
        return self._controls and name in (_FULL_DATE, _LAST_VALUE)

    def drawn(self, element: Element) -> Element:
        """A drawing without what is left out of it."""
        if not self._alt_text:
            return element
        copy = deepcopy(element)
        copy.tail = None
        for node in copy.iter(*_DESCRIBED, *_SHAPES):
            for name in _SAID & set(map(str, node.attrib)):
                del node.attrib[name]
        return copy


def link_styles(package: Package) -> frozenset[str]:
    """The names under which `blind` holds the character styles of links."""
    return frozenset(
        f"style {style.get(W('styleId'), '')}"
        for part in package.related(package.main, "styles")
        for style in package.tree(part).iter(W("style"))
        if style.get(W_TYPE) == "character" and _name_of(style) in _LINK_STYLES
    )


def _name_of(style: Element) -> str:
    name = style.find(W("name"))
    return "" if name is None else name.get(W_VAL, "").lower()


def _is_link(instruction: str) -> bool:
    return instruction.split(None, 1)[:1] == ["HYPERLINK"]


def _plumbing(blocks: Iterable[Element]) -> frozenset[Element]:
    """The field characters and instructions of HYPERLINK fields, but not of fields in them."""
    found: set[Element] = set()
    opened: list[tuple[list[Element], list[str]]] = []
    for block in blocks:
        for node in block.iter(W_FLD_CHAR, W_INSTR_TEXT, _DEL_INSTR_TEXT):
            kind = node.get(W("fldCharType")) if node.tag == W_FLD_CHAR else ""
            if kind == "begin":
                opened.append(([], []))
            if not opened:
                continue
            nodes, said = opened[-1]
            nodes.append(node)
            said.append((node.text or "") if node.tag != W_FLD_CHAR else "")
            if kind == "end":
                opened.pop()
                if _is_link("".join(said).strip()):
                    found.update(nodes)
    return frozenset(found)


_R_STYLE: Final = W("rStyle")
