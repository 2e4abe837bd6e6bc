"""Puts properties where the schema wants them: the order of the children of w:rPr and w:pPr.

ECMA-376 Part 1, 17.3.2.28 (rPr), 17.3.1.26 (pPr). Children that the standard does not know (those
of later Words) stay behind those that it knows.
"""

from __future__ import annotations

from typing import Final

from redraft.engine.docx.names import W_RPR, Element, W

_MARKS: Final = ("ins", "del", "moveFrom", "moveTo")
_RUN: Final = (
    *_MARKS,
    *("rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike"),
    *("outline", "shadow", "emboss", "imprint", "noProof", "snapToGrid", "vanish", "webHidden"),
    *("color", "spacing", "w", "kern", "position", "sz", "szCs", "highlight", "u", "effect"),
    *("bdr", "shd", "fitText", "vertAlign", "rtl", "cs", "em", "lang", "eastAsianLayout"),
    *("specVanish", "oMath"),
)
_PARAGRAPH: Final = (
    *("pStyle", "keepNext", "keepLines", "pageBreakBefore", "framePr", "widowControl", "numPr"),
    *("suppressLineNumbers", "pBdr", "shd", "tabs", "suppressAutoHyphens", "kinsoku", "wordWrap"),
    *("overflowPunct", "topLinePunct", "autoSpaceDE", "autoSpaceDN", "bidi", "adjustRightInd"),
    *("snapToGrid", "spacing", "ind", "contextualSpacing", "mirrorIndents", "suppressOverlap"),
    *("jc", "textDirection", "textAlignment", "textboxTightWrap", "outlineLvl", "divId"),
    "cnfStyle",
)
_RUN_ORDER: Final = {W(name): at for at, name in enumerate(_RUN)}
_PARAGRAPH_ORDER: Final = {W(name): at for at, name in enumerate(_PARAGRAPH)}


def put(properties: Element, child: Element) -> None:
    """Put a property into `w:rPr` or `w:pPr` in the place of the one of its name."""
    drop(properties, str(child.tag))
    order = _RUN_ORDER if properties.tag == W_RPR else _PARAGRAPH_ORDER
    rank = order[str(child.tag)]
    at = 0
    for index, other in enumerate(properties):
        if order.get(str(other.tag), len(order)) > rank:
            break
        at = index + 1
    properties.insert(at, child)


def drop(properties: Element, *tags: str) -> None:
    """Take properties away."""
    for child in list(properties):
        if child.tag in tags:
            properties.remove(child)
