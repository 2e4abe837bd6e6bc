"""Documents of any length for measuring: contracts with headings, clauses, lists and tables."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator

_OFFICE = "http://schemas.openxmlformats.org/"
_WORDML = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_W = f'xmlns:w="{_OFFICE}wordprocessingml/2006/main"'
_VOCABULARY = (
    "the of and to in any shall party agreement supplier customer services notice term payment "
    "under this which such by or for confidential information written within days clause schedule "
    "obligation liability loss data order charge invoice date law court breach remedy consent"
)
_WORDS = _VOCABULARY.split()
_BLOCKS_A_PAGE = 9


def contract(pages: int, *, seed: int = 7) -> bytes:
    """Returns a .docx of about so many pages of 400 words; the same seed gives the same bytes."""
    chance = random.Random(seed)  # noqa: S311  # text to measure with, not a secret
    blocks = "".join(_block(chance, n) for n in range(pages * _BLOCKS_A_PAGE))
    return _package(blocks)


def grid(rows: int, columns: int) -> bytes:
    """Returns a .docx with one table."""
    cells = "".join(f"<w:tc>{_paragraph(f'Cell {n}')}</w:tc>" for n in range(columns))
    return _package(f"<w:tbl><w:tblPr/><w:tblGrid/>{f'<w:tr>{cells}</w:tr>' * rows}</w:tbl><w:p/>")


def paragraphs(count: int) -> bytes:
    """Returns a .docx with so many short paragraphs."""
    return _package("".join(_paragraph(f"Paragraph {n}") for n in range(count)))


def paragraph(text: str) -> bytes:
    """Returns a .docx with one paragraph."""
    return _package(_paragraph(text))


def runs(count: int) -> bytes:
    """Returns a .docx whose one paragraph has so many runs, every second one bold."""
    bold = "<w:rPr><w:b/></w:rPr>"
    pieces = (_run(f"run {n} ", bold if n % 2 else "") for n in range(count))
    return _package(f"<w:p>{''.join(pieces)}</w:p>")


def _block(chance: random.Random, number: int) -> str:
    if number % 18 == 0:
        return _paragraph(_sentence(chance, 4), "Heading1")
    if number % 9 == 4:
        return _paragraph(_sentence(chance, 6), "Heading2")
    if number % 36 == 20:
        row = "".join(f"<w:tc>{_paragraph(_sentence(chance, 3))}</w:tc>" for _ in range(4))
        return f"<w:tbl><w:tblPr/><w:tblGrid/>{f'<w:tr>{row}</w:tr>' * 8}</w:tbl>"
    level = number % 3
    listed = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
    return _clause(chance, listed if number % 4 else "")


def _clause(chance: random.Random, properties: str) -> str:
    """Returns a paragraph in several runs, as editing and spelling checks leave them."""
    pieces: list[str] = []
    for index in range(chance.randint(3, 7)):
        marks = ("", "<w:rPr><w:b/></w:rPr>", "<w:rPr><w:i/><w:iCs/></w:rPr>")[index % 3]
        pieces.append(_run(_sentence(chance, chance.randint(4, 16)) + " ", marks))
    return f'<w:p w:rsidR="00AB12CD"><w:pPr>{properties}</w:pPr>{"".join(pieces)}</w:p>'


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).capitalize()


def _run(text: str, properties: str = "") -> str:
    return f'<w:r w:rsidRPr="00EF3456">{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def _paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{_run(text)}</w:p>"


def _styles() -> str:
    return "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/>'
        f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>'
        for n in range(1, 7)
    )


def _numbering() -> str:
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/>'
        f'<w:pPr><w:ind w:left="{360 * (n + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
        for n, (form, text) in enumerate(
            (("decimal", "%1."), ("lowerLetter", "(%2)"), ("lowerRoman", "(%3)"))
        )
    )
    return (
        f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )


def _members(blocks: str) -> Iterator[tuple[str, str]]:
    parts = {"document": "document.main", "styles": "styles", "numbering": "numbering"}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_WORDML}{kind}+xml"/>'
        for name, kind in parts.items()
    )
    relation = f"{_OFFICE}officeDocument/2006/relationships/"
    yield (
        "[Content_Types].xml",
        f'<Types xmlns="{_OFFICE}package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{overrides}</Types>",
    )
    main = f'<Relationship Id="a" Type="{relation}officeDocument" Target="word/document.xml"/>'
    others = "".join(
        f'<Relationship Id="{name}" Type="{relation}{name}" Target="{name}.xml"/>'
        for name in ("styles", "numbering")
    )
    for name, content in (("_rels/.rels", main), ("word/_rels/document.xml.rels", others)):
        yield (
            name,
            f'<Relationships xmlns="{_OFFICE}package/2006/relationships">{content}</Relationships>',
        )
    yield "word/document.xml", f"<w:document {_W}><w:body>{blocks}<w:sectPr/></w:body></w:document>"
    yield "word/styles.xml", f"<w:styles {_W}>{_styles()}</w:styles>"
    yield "word/numbering.xml", f"<w:numbering {_W}>{_numbering()}</w:numbering>"


def _package(blocks: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in _members(blocks):
            target.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
