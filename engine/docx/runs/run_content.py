"""What stands in a run: one vocabulary for the reader, the text map and the list of changes.

The judge keeps its own, since it must not share a mistake with them.

[x] w:t, w:delText: text, in which a line feed is a blank
[x] w:tab, w:ptab, w:cr, w:noBreakHyphen, w:softHyphen, w:sym, w16se:symEx: a character each
[x] w:br: a break of a line, a page or a column
[x] w:footnoteReference, w:endnoteReference, w:drawing, w:pict, w:object, m:oMath: no characters
[x] w:rPr, w:fldChar, w:instrText, w:lastRenderedPageBreak, w:separator …: nothing that is shown
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from redraft.engine.docx.names import (
    W_BR,
    W_CR,
    W_DEL_TEXT,
    W_ENDNOTE_REFERENCE,
    W_FOOTNOTE_REFERENCE,
    W_SYM,
    W_T,
    W_TAB,
    W_TYPE,
    Element,
    M,
    W,
)
from redraft.engine.docx.runs.symbols import PRIVATE, symbol, without_private_use

Kind: TypeAlias = Literal[
    "text", "character", "break", "footnote", "endnote", "image", "object", "equation"
]
BreakKind: TypeAlias = Literal["line", "page", "column"]

# An emoji as Word writes it: `w16se:symEx` in a Choice, the character as `w:t` in the Fallback.
_SYMEX: Final = "{http://schemas.microsoft.com/office/word/2015/wordml/symex}"
_SYM_EX: Final = f"{_SYMEX}symEx"
_FIXED: Final[Mapping[str, str]] = {
    W_TAB: "\t",
    W("ptab"): "\t",
    W_CR: "\n",
    W("noBreakHyphen"): "\u2011",
    W("softHyphen"): "\u00ad",
}
SIGNS: Final = (W_SYM, _SYM_EX)
CHARACTERS: Final = (*_FIXED, *SIGNS)
NOTES: Final[Mapping[str, Literal["footnote", "endnote"]]] = {
    W_FOOTNOTE_REFERENCE: "footnote",
    W_ENDNOTE_REFERENCE: "endnote",
}
KINDS: Final[Mapping[str, Kind]] = {
    W_T: "text",
    W_DEL_TEXT: "text",
    **dict.fromkeys(CHARACTERS, "character"),
    W_BR: "break",
    **NOTES,
    W("drawing"): "image",
    W("pict"): "image",
    W("object"): "object",
    M("oMath"): "equation",
    M("oMathPara"): "equation",
}
_LINE_FEED: Final = re.compile(r"[\r\n]")
_RFONTS, _ASCII, _HANSI = W("rFonts"), W("ascii"), W("hAnsi")


def kind(element: Element) -> Kind | None:
    """Returns what a child of a run or paragraph is; None for what shows nothing by itself."""
    return KINDS.get(str(element.tag))


def text(element: Element) -> str:
    """Returns the text of a `w:t` or `w:delText`, one character for each of the element's own.

    A line feed is shown as a blank (ECMA-376 Part 1, 17.3.3.31: only `w:br` breaks a line).
    """
    content = element.text or ""
    return _LINE_FEED.sub(" ", content) if "\n" in content or "\r" in content else content


def shown_text(element: Element, properties: Element | None) -> str:
    """Returns the text of a `w:t` or `w:delText`, private use characters as its font draws them.

    Args:
        element: A `w:t` or `w:delText`.
        properties: The `w:rPr` of its run.
    """
    content = text(element)
    if content.isascii() or not PRIVATE.search(content):
        return content
    return without_private_use(content, font(properties))


def font(properties: Element | None) -> str:
    """Returns the font that the properties of a run name for Latin text, empty when they do not."""
    fonts = None if properties is None else properties.find(_RFONTS)
    return "" if fonts is None else fonts.get(_ASCII) or fonts.get(_HANSI) or ""


def character(element: Element) -> str:
    """Returns the character of an element of `CHARACTERS`; empty for a sign without a code."""
    return _FIXED.get(str(element.tag)) or sign(element)


def sign(element: Element) -> str:
    """Returns what a `w:sym` shows (ECMA-376 Part 1, 17.3.3.30), or a `w16se:symEx`.

    Empty when it does not say which character, and for any other element.
    """
    if element.tag not in SIGNS:
        return ""
    space = _SYMEX if element.tag == _SYM_EX else W("")
    try:
        code = int(element.get(f"{space}char", ""), 16)
    except ValueError:
        return ""
    return symbol(element.get(f"{space}font", ""), code)


def break_kind(element: Element) -> BreakKind:
    """Returns what a `w:br` breaks (ECMA-376 Part 1, 17.18.4): `textWrapping` breaks the line."""
    value = element.get(W_TYPE)
    return "page" if value == "page" else "column" if value == "column" else "line"
