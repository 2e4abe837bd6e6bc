"""Names of the XML vocabularies in a .docx, always by namespace and never by prefix.

A `Namespace` is its own URI and makes Clark names when called: `W("p")` is `{http://…/wordprocessingml/2006/main}p`.
Names that tight loops compare are constants, because making a name costs more than comparing one.
`STRICT` maps the namespaces of ISO/IEC 29500 Strict to the transitional ones that the rest of the
engine knows.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from lxml import etree

Element: TypeAlias = etree._Element  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # lxml has no public name for it


class Namespace(str):
    """A namespace URI; calling it with a local name gives the Clark name."""

    __slots__ = ()

    def __call__(self, local: str) -> str:
        """The Clark name of `local` in this namespace."""
        return f"{{{self}}}{local}"


_OFFICE = "http://schemas.openxmlformats.org/"

W: Final = Namespace(_OFFICE + "wordprocessingml/2006/main")
R: Final = Namespace(_OFFICE + "officeDocument/2006/relationships")
A: Final = Namespace(_OFFICE + "drawingml/2006/main")
PIC: Final = Namespace(_OFFICE + "drawingml/2006/picture")
WP: Final = Namespace(_OFFICE + "drawingml/2006/wordprocessingDrawing")
C: Final = Namespace(_OFFICE + "drawingml/2006/chart")
DGM: Final = Namespace(_OFFICE + "drawingml/2006/diagram")
M: Final = Namespace(_OFFICE + "officeDocument/2006/math")
MC: Final = Namespace(_OFFICE + "markup-compatibility/2006")
PKG: Final = Namespace(_OFFICE + "package/2006/relationships")
CT: Final = Namespace(_OFFICE + "package/2006/content-types")
V: Final = Namespace("urn:schemas-microsoft-com:vml")
O: Final = Namespace("urn:schemas-microsoft-com:office:office")  # noqa: E741  # the prefix every producer uses
W14: Final = Namespace("http://schemas.microsoft.com/office/word/2010/wordml")
XML: Final = Namespace("http://www.w3.org/XML/1998/namespace")

_STRICT = "http://purl.oclc.org/ooxml/"

STRICT: Final[dict[str, str]] = {
    _STRICT + "wordprocessingml/main": W,
    _STRICT + "officeDocument/relationships": R,
    _STRICT + "officeDocument/math": M,
    _STRICT + "drawingml/main": A,
    _STRICT + "drawingml/picture": PIC,
    _STRICT + "drawingml/wordprocessingDrawing": WP,
    _STRICT + "drawingml/chart": C,
    _STRICT + "drawingml/chartDrawing": _OFFICE + "drawingml/2006/chartDrawing",
    _STRICT + "drawingml/diagram": DGM,
    _STRICT + "drawingml/lockedCanvas": _OFFICE + "drawingml/2006/lockedCanvas",
    _STRICT + "officeDocument/bibliography": _OFFICE + "officeDocument/2006/bibliography",
    _STRICT + "officeDocument/customXml": _OFFICE + "officeDocument/2006/customXml",
    _STRICT + "officeDocument/docPropsVTypes": _OFFICE + "officeDocument/2006/docPropsVTypes",
    _STRICT + "officeDocument/extendedProperties": _OFFICE
    + "officeDocument/2006/extended-properties",
    _STRICT + "officeDocument/customProperties": _OFFICE + "officeDocument/2006/custom-properties",
    _STRICT + "schemaLibrary/main": _OFFICE + "schemaLibrary/2006/main",
}

# Blocks and their wrappers.
W_DOCUMENT: Final = W("document")
W_BODY: Final = W("body")
W_P: Final = W("p")
W_TBL: Final = W("tbl")
W_TR: Final = W("tr")
W_TC: Final = W("tc")
W_SDT: Final = W("sdt")
W_SDT_PR: Final = W("sdtPr")
W_SDT_CONTENT: Final = W("sdtContent")
W_CUSTOM_XML: Final = W("customXml")
W_SECT_PR: Final = W("sectPr")
W_TXBX_CONTENT: Final = W("txbxContent")
# Word writes text boxes of Strict files in a namespace of its own.
TEXT_BOXES: Final = (
    W_TXBX_CONTENT,
    "{http://schemas.microsoft.com/office/word/2006/wordml}txbxContent",
)
MC_ALTERNATE: Final = MC("AlternateContent")
MC_CHOICE: Final = MC("Choice")
MC_FALLBACK: Final = MC("Fallback")

# Tracked changes.
W_INS: Final = W("ins")
W_DEL: Final = W("del")
W_MOVE_FROM: Final = W("moveFrom")
W_MOVE_TO: Final = W("moveTo")

# Ranges in which the tags of content controls and custom XML are tracked (17.13.5.4 to 17.13.5.11):
# the tags of their starts and of their ends, with the mark that says the same of words.
TAGS_STARTS: Final = {
    W("customXmlInsRangeStart"): W_INS,
    W("customXmlDelRangeStart"): W_DEL,
    W("customXmlMoveFromRangeStart"): W_MOVE_FROM,
    W("customXmlMoveToRangeStart"): W_MOVE_TO,
}
TAGS_ENDS: Final = {
    start.removesuffix("Start") + "End": like for start, like in TAGS_STARTS.items()
}

# Ends of ranges, which stand between blocks too: points, which keep no two paragraphs apart.
RANGE_ENDS: Final = frozenset(
    {
        *TAGS_STARTS,
        *TAGS_ENDS,
        *(
            W(f"{kind}{end}")
            for kind in ("bookmark", "perm", "commentRange", "moveFromRange", "moveToRange")
            for end in ("Start", "End")
        ),
    }
)

# Properties.
W_PPR: Final = W("pPr")
W_RPR: Final = W("rPr")
W_TBL_PR: Final = W("tblPr")
W_TR_PR: Final = W("trPr")
W_TC_PR: Final = W("tcPr")
W_VAL: Final = W("val")
W_ID: Final = W("id")
W_TYPE: Final = W("type")
W_AUTHOR: Final = W("author")

# Inside a paragraph.
W_R: Final = W("r")
W_T: Final = W("t")
W_DEL_TEXT: Final = W("delText")
W_TAB: Final = W("tab")
W_BR: Final = W("br")
W_CR: Final = W("cr")
W_SYM: Final = W("sym")
W_HYPERLINK: Final = W("hyperlink")
W_FLD_CHAR: Final = W("fldChar")
W_FLD_SIMPLE: Final = W("fldSimple")
W_INSTR_TEXT: Final = W("instrText")
W_BOOKMARK_START: Final = W("bookmarkStart")
W_FOOTNOTE_REFERENCE: Final = W("footnoteReference")
W_ENDNOTE_REFERENCE: Final = W("endnoteReference")
W_HEADER_REFERENCE: Final = W("headerReference")
W_FOOTER_REFERENCE: Final = W("footerReference")
R_ID: Final = R("id")
