"""Word documents made in memory from a few lines of XML, for tests.

    docx(p("Hello ", r("bold", "<w:b/>")))                     bytes of a .docx with one paragraph
    docx(p("See", note("2")), footnotes=footnote("2", p("A note.")))

Prefixes w, r, m, a, wp, pic, wps, mc, v, w14 may be used in every piece of XML. Pieces are XML,
text is escaped by `r`, `p`.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from redraft.engine.docx.names import Element

_OFFICE = "http://schemas.openxmlformats.org/"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_RELATION = _OFFICE + "officeDocument/2006/relationships/"

NAMESPACES = (
    f'xmlns:w="{_OFFICE}wordprocessingml/2006/main" '
    f'xmlns:r="{_OFFICE}officeDocument/2006/relationships" '
    f'xmlns:m="{_OFFICE}officeDocument/2006/math" '
    f'xmlns:a="{_OFFICE}drawingml/2006/main" '
    f'xmlns:wp="{_OFFICE}drawingml/2006/wordprocessingDrawing" '
    f'xmlns:pic="{_OFFICE}drawingml/2006/picture" '
    f'xmlns:mc="{_OFFICE}markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office"'
)
STRICT_NAMESPACES = (
    'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main" '
    'xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships"'
)
SECTION = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'


def docx(
    body: str,
    *,
    styles: str = "",
    numbering: str = "",
    footnotes: str = "",
    endnotes: str = "",
    comments: str = "",
    headers: Sequence[str] = (),
    footers: Sequence[str] = (),
    settings: str = "",
    relations: Mapping[str, tuple[str, str]] | None = None,
    media: Mapping[str, bytes] | None = None,
    section: str | None = None,
    strict: bool = False,
) -> bytes:
    """The bytes of a .docx.

    Args:
        body: Blocks of the body; a section that refers to the headers and footers is added behind.
        styles, numbering, footnotes, endnotes, comments, settings: Children of the part's root;
            empty: no such part.
        headers, footers: Blocks of each header and footer part (header1.xml ... in this order; the
            first is the default).
        relations: id -> (kind, target) of further relationships of the main part; a target with
            `://` or `mailto:` is external.
        media: Name below word/ -> bytes, such as `media/image1.png`.
        section: The `w:sectPr` instead of the one made here.
        strict: Strict namespaces and relationship types in the main part.
    """
    parts: dict[str, str] = {}
    linked: list[tuple[str, str, str]] = []

    def add(kind: str, root: str, content: str, name: str) -> None:
        if content:
            parts[name] = _root(root, content)
            linked.append((f"rId{kind}{len(linked)}", kind, name))

    add("styles", "styles", styles, "styles.xml")
    add("numbering", "numbering", numbering, "numbering.xml")
    add("footnotes", "footnotes", footnotes, "footnotes.xml")
    add("endnotes", "endnotes", endnotes, "endnotes.xml")
    add("comments", "comments", comments, "comments.xml")
    add("settings", "settings", settings, "settings.xml")
    references = ""
    for kind, root, pieces in (("header", "hdr", headers), ("footer", "ftr", footers)):
        for number, piece in enumerate(pieces, start=1):
            add(kind, root, piece, f"{kind}{number}.xml")
            if number <= 3:
                purpose = ("default", "first", "even")[number - 1]
                references += f'<w:{kind}Reference w:type="{purpose}" r:id="{linked[-1][0]}"/>'
    ending = SECTION.replace("<w:pgSz", references + "<w:pgSz") if section is None else section
    parts["document.xml"] = _root(
        "document", f"<w:body>{body}{ending}</w:body>", STRICT_NAMESPACES if strict else NAMESPACES
    )
    for identifier, (kind, target) in (relations or {}).items():
        linked.append((identifier, kind, target))
    return package_of(parts, linked, media or {}, strict=strict)


def package_of(
    parts: Mapping[str, str],
    linked: Sequence[tuple[str, str, str]],
    media: Mapping[str, bytes],
    *,
    strict: bool = False,
) -> bytes:
    """A zip with parts below word/, their content types, and relationships of document.xml."""
    base = "http://purl.oclc.org/ooxml/officeDocument/relationships/" if strict else _RELATION
    types = "".join(
        f'<Override PartName="/word/{name}" ContentType="{_TYPE}{_type_of(name)}+xml"/>'
        for name in parts
    )
    members: dict[str, bytes] = {
        "[Content_Types].xml": (
            f'<Types xmlns="{_OFFICE}package/2006/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="png" ContentType="image/png"/>'
            f"{types}</Types>"
        ).encode(),
        "_rels/.rels": _relationships([("rId1", base + "officeDocument", "word/document.xml")]),
        "word/_rels/document.xml.rels": _relationships(
            [(identifier, base + kind, target) for identifier, kind, target in linked]
        ),
    }
    members |= {f"word/{name}": content.encode() for name, content in parts.items()}
    members |= {f"word/{name}": content for name, content in media.items()}
    return archive(members)


def archive(members: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip with the given members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as target:
        for name, content in members.items():
            target.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), content, method)
    return buffer.getvalue()


def r(text: str, properties: str = "") -> str:
    """A run."""
    rpr = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{rpr}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def p(*content: str, style: str = "", properties: str = "") -> str:
    """A paragraph; content that begins with `<` is XML, other content is a run of text."""
    inner = "".join(piece if piece.startswith("<") else r(piece) for piece in content if piece)
    style_xml = f'<w:pStyle w:val="{style}"/>' if style else ""
    ppr = f"<w:pPr>{style_xml}{properties}</w:pPr>" if style_xml or properties else ""
    return f"<w:p>{ppr}{inner}</w:p>"


def listed(text: str, *, num: int = 1, level: int = 0, properties: str = "") -> str:
    """A paragraph with direct numbering."""
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>'
    return p(text, properties=numbered + properties)


def table(*rows: Sequence[str]) -> str:
    """A table; a cell is text, or XML of its blocks when it begins as such."""
    width = max(len(row) for row in rows)
    grid = '<w:gridCol w:w="1000"/>' * width
    body = "".join(f"<w:tr>{''.join(tc(cell) for cell in row)}</w:tr>" for row in rows)
    return f"<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{body}</w:tbl>"


def tc(content: str, properties: str = "") -> str:
    """A cell; content as in `table`, or a whole `w:tc`."""
    if content.startswith("<w:tc>"):
        return content
    tcpr = f"<w:tcPr>{properties}</w:tcPr>" if properties else ""
    blocks = content if content.startswith(("<w:p", "<w:t", "<w:sdt")) else p(content)
    return f"<w:tc>{tcpr}{blocks}</w:tc>"


def ins(content: str, *, id: int = 1, author: str = "Ann") -> str:  # noqa: A002
    """Runs tracked as inserted."""
    return f'<w:ins w:id="{id}" w:author="{author}" w:date="2026-01-02T03:04:05Z">{content}</w:ins>'


def dele(text: str, *, id: int = 2, author: str = "Ann", properties: str = "") -> str:  # noqa: A002
    """A run tracked as deleted."""
    rpr = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    run = f'<w:r>{rpr}<w:delText xml:space="preserve">{escape(text)}</w:delText></w:r>'
    return f'<w:del w:id="{id}" w:author="{author}" w:date="2026-01-02T03:04:05Z">{run}</w:del>'


def field(instruction: str, result: str) -> str:
    """A complex field with a cached result."""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve">{escape(instruction)}</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        f'{r(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def link(identifier: str, text: str, *, anchor: str = "") -> str:
    """A hyperlink by relationship."""
    target = f" w:anchor={quoteattr(anchor)}" if anchor else ""
    return f'<w:hyperlink r:id="{identifier}"{target}>{r(text)}</w:hyperlink>'


def note(identifier: str, kind: str = "footnote") -> str:
    """The reference of a note."""
    return f'<w:r><w:{kind}Reference w:id="{identifier}"/></w:r>'


def footnote(identifier: str, *blocks: str, kind: str = "footnote") -> str:
    """The body of a note."""
    return f'<w:{kind} w:id="{identifier}">{"".join(blocks)}</w:{kind}>'


def picture(identifier: str, *, alt: str = "", name: str = "Picture 1", title: str = "") -> str:
    """A run with an inline DrawingML picture."""
    described = (f" descr={quoteattr(alt)}" if alt else "") + (
        f" title={quoteattr(title)}" if title else ""
    )
    return (
        '<w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="9525"/>'
        f'<wp:docPr id="1" name={quoteattr(name)}{described}/>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">'
        f'<pic:pic><pic:blipFill><a:blip r:embed="{identifier}"/></pic:blipFill></pic:pic>'
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


def textbox(*blocks: str, fallback: str = "") -> str:
    """A run with a text box; its fallback is VML with the same blocks unless given."""
    content = "".join(blocks)
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor>'
        '<wp:docPr id="9" name="Text Box 9"/><a:graphic><a:graphicData uri="wps">'
        "<wps:wsp><wps:txbx>"
        f"<w:txbxContent>{content}</w:txbxContent>"
        "</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>"
        "<mc:Fallback><w:pict><v:shape><v:textbox>"
        f"<w:txbxContent>{fallback or content}</w:txbxContent>"
        "</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


def style(
    identifier: str,
    *,
    name: str = "",
    kind: str = "paragraph",
    based_on: str = "",
    ppr: str = "",
    rpr: str = "",
    default: bool = False,
) -> str:
    """A style."""
    based = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    is_default = ' w:default="1"' if default else ""
    return (
        f'<w:style w:type="{kind}" w:styleId="{identifier}"{is_default}>'
        f'<w:name w:val="{name or identifier}"/>{based}'
        f"<w:pPr>{ppr}</w:pPr><w:rPr>{rpr}</w:rPr></w:style>"
    )


def heading_style(level: int) -> str:
    """The built-in style `heading n`."""
    return style(
        f"Heading{level}", name=f"heading {level}", ppr=f'<w:outlineLvl w:val="{level - 1}"/>'
    )


def abstract_num(identifier: int, *levels: str) -> str:
    """An abstract list definition."""
    return f'<w:abstractNum w:abstractNumId="{identifier}">{"".join(levels)}</w:abstractNum>'


def level(number: int, text: str, form: str = "decimal", *, extra: str = "", start: int = 1) -> str:
    """A level of a list; `text` is `%1.` and the like."""
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{extra}'
        f"<w:lvlText w:val={quoteattr(text)}/></w:lvl>"
    )


def num(identifier: int, abstract: int, overrides: str = "") -> str:
    """A list that uses an abstract definition."""
    return f'<w:num w:numId="{identifier}"><w:abstractNumId w:val="{abstract}"/>{overrides}</w:num>'


def text_of(element: Element) -> str:
    """All characters below an element, of whatever kind."""
    return "".join(str(piece) for piece in element.itertext())


def _root(name: str, content: str, namespaces: str = NAMESPACES) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{name} {namespaces}>{content}</w:{name}>'


def _type_of(name: str) -> str:
    stem = name.removesuffix(".xml").rstrip("0123456789")
    return "document.main" if stem == "document" else stem


def _relationships(relations: Sequence[tuple[str, str, str]]) -> bytes:
    lines = "".join(
        f'<Relationship Id="{identifier}" Type="{kind}" Target={quoteattr(target)}'
        + (' TargetMode="External"' if "://" in target or target.startswith("mailto:") else "")
        + "/>"
        for identifier, kind, target in relations
    )
    namespace = f'xmlns="{_OFFICE}package/2006/relationships"'
    return f"<Relationships {namespace}>{lines}</Relationships>".encode()
