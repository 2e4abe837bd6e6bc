"""Build the sample contract `tui/sample/services-agreement.docx` from the text in `scripts/sample`.

python-docx makes the package; what it has no call for (styles bound to numbers, fields, footnotes,
merged cells) is written as WordprocessingML. Every date, id and name is fixed, so that the same
source gives the same bytes; a test rebuilds the file and compares.

The text (`agreement.txt`) has one block a line, `kind: text`. Inside the text: `**bold**`,
`*italic*`, `[words](url)`, `[^name]` a footnote, `{ref name}` a cross-reference to the paragraph
that starts with `{mark name}`, `{comment}…{/comment}`. In the row of a table `|` parts cells; a
cell that is only `^` belongs to the one above, and `<` at its end takes the next column too.
"""

from __future__ import annotations

import argparse
import io
import re
import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import cast

from docx import Document
from docx.document import Document as DocumentObject
from docx.opc.constants import RELATIONSHIP_TYPE as RELATION
from docx.opc.packuri import PackURI
from docx.opc.part import XmlPart
from docx.oxml.document import CT_Body, CT_Document
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.package import Package
from docx.shared import Mm

from scripts.sample.logo import draw_logo
from scripts.sample.wordml import element, field_runs, run, styled

SOURCE = Path(__file__).parent / "sample"
TARGET = Path(__file__).parents[1] / "tui" / "sample" / "services-agreement.docx"
WRITTEN = datetime(2026, 9, 1, 9, 0, 0, tzinfo=UTC)
WORDML = "application/vnd.openxmlformats-officedocument.wordprocessingml"
UNNEEDED = ("thumbnail", "customXml", "stylesWithEffects", "theme", "webSettings", "fontTable")

STYLES = {
    "cover-date": "CoverText",
    "cover-party": "CoverText",
    "cover-and": "CoverText",
    "logo": "CoverPicture",
    "title": "Title",
    "subtitle": "Subtitle",
    "opening": "Opening",
    "part": "PartHeading",
    "party": "Party",
    "recital": "Recital",
    "1": "Heading1",
    "2": "Clause2",
    "3": "Clause3",
    "4": "Clause4",
    "definition": "Definition",
    "schedule": "ScheduleHeading",
    "body": "BodyText",
    "after-table": "AfterTable",
}
WIDTHS = {
    "fees": (3300, 1800, 2326, 1600),
    "levels": (2100, 3226, 1000, 1350, 1350),
    "signatures": (4263, 500, 4263),
}
HEADER_ROWS = {"fees": 1, "levels": 2, "signatures": 0}
INLINE = re.compile(
    r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|\[\^(?P<note>\w+)\]|\[(?P<words>[^\]]+)\]\((?P<url>[^)]+)\)"
    r"|\{ref (?P<ref>\w+)\}|\{mark (?P<mark>\w+)\}|\{(?P<comment>/?comment)\}"
)
COMMENT = "Finance to confirm this figure against the board paper before the agreement is signed."
APP = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    b"<Application>redraft</Application></Properties>"
)


@dataclass(frozen=True, slots=True)
class Block:
    """One line of the source: its kind and its text."""

    kind: str
    text: str


@dataclass(slots=True)
class Draft:
    """The contract while it is written: where it goes, and what its parts have used so far."""

    document: DocumentObject
    body: CT_Body
    numbers: dict[str, str]
    notes: dict[str, str]
    rows: dict[str, list[list[str]]]
    used_notes: list[str] = field(default_factory=list[str])


def bookmark_name(mark: str, numbers: dict[str, str]) -> str:
    """Names a cross-referenced paragraph as Word does; `_Ref` bookmarks are hidden in its lists."""
    return f"_Ref2109{list(numbers).index(mark):05d}"


def inlines(draft: Draft, text: str) -> list[BaseOxmlElement]:
    """Turns the text of a block into runs, fields, links and references."""
    made: list[BaseOxmlElement] = []
    end = 0
    for match in INLINE.finditer(text):
        if match.start() > end:
            made.append(run(text[end : match.start()]))
        made.extend(inline(draft, match))
        end = match.end()
    if end < len(text):
        made.append(run(text[end:]))
    return made


def inline(draft: Draft, match: re.Match[str]) -> list[BaseOxmlElement]:
    """Turns one piece of marked text into its elements."""
    value = match.group(match.lastgroup or "")
    match match.lastgroup:
        case "bold":
            return [run(value, element("w:b"), element("w:bCs"))]
        case "italic":
            return [run(value, element("w:i"), element("w:iCs"))]
        case "note":
            draft.used_notes.append(value)
            mark = element("w:footnoteReference", id=str(len(draft.used_notes)))
            return [element("w:r", styled("w:rStyle", "FootnoteReference", "w:rPr"), mark)]
        case "url":
            link = element("w:hyperlink", run(match["words"], element("w:rStyle", val="Hyperlink")))
            relation = draft.document.part.relate_to(value, RELATION.HYPERLINK, is_external=True)
            link.set(qn("r:id"), relation)
            return [link]
        case "ref":
            name = bookmark_name(value, draft.numbers)
            return field_runs(f"REF {name} \\r \\h", draft.numbers[value])
        case "comment":
            return comment(draft, starts=not value.startswith("/"))
        case _:
            return []


def comment(draft: Draft, *, starts: bool) -> list[BaseOxmlElement]:
    """Opens or closes the range of the one comment (ECMA-376 Part 1, 17.13.4)."""
    if starts:
        made = draft.document.comments.add_comment(COMMENT, author="Martha Quill", initials="MQ")
        root = made.part.element
        root[-1].set(qn("w:date"), "2026-09-03T10:15:00Z")
        return [element("w:commentRangeStart", id="0")]
    mark = element("w:commentReference", id="0")
    reference = element("w:r", styled("w:rStyle", "CommentReference", "w:rPr"), mark)
    return [element("w:commentRangeEnd", id="0"), reference]


def paragraph(draft: Draft, style: str, text: str) -> BaseOxmlElement:
    """Makes a paragraph, bookmarked as a whole when its text starts with a mark."""
    made = element("w:p", styled("w:pStyle", style, "w:pPr"))
    if text.endswith(":") and style.startswith("Clause"):
        made[0].append(element("w:keepNext"))
    content = inlines(draft, text)
    mark = re.match(r"\{mark (\w+)\}", text)
    if mark:
        number = str(list(draft.numbers).index(mark[1]) + 1)
        name = bookmark_name(mark[1], draft.numbers)
        made.append(element("w:bookmarkStart", id=number, name=name))
        content.append(element("w:bookmarkEnd", id=number))
    made.extend(content)
    return made


def picture(draft: Draft, description: str) -> BaseOxmlElement:
    """Makes the paragraph that holds the emblem, 30 mm square, with alt text."""
    holder = draft.document.add_paragraph()
    holder.add_run().add_picture(io.BytesIO(draw_logo()), width=Mm(30))
    made = cast("BaseOxmlElement", draft.body[-2])
    for properties in made.iter(qn("wp:docPr")):
        properties.set("name", "Emblem")
        properties.set("descr", description)
    made.insert(0, styled("w:pStyle", STYLES["logo"], "w:pPr"))
    return made


def table(draft: Draft, name: str) -> BaseOxmlElement:
    """Makes a table on a fixed grid; its header rows repeat on every page."""
    properties = element("w:tblPr")
    if HEADER_ROWS[name]:
        properties.append(element("w:tblStyle", val="ContractTable"))
    properties.append(element("w:tblW", w="9026", type="dxa"))
    properties.append(element("w:tblLayout", type="fixed"))
    properties.append(
        element("w:tblLook", val="0020", firstRow="1", lastRow="0", firstColumn="0", noVBand="1")
    )
    grid = element("w:tblGrid", *(element("w:gridCol", w=str(width)) for width in WIDTHS[name]))
    rows = draft.rows[name]
    made = element("w:tbl", properties, grid)
    for index, (row, below) in enumerate(pairwise([*rows, []])):
        made.append(table_row(draft, name, row, below, is_header=index < HEADER_ROWS[name]))
    return made


def table_row(
    draft: Draft, name: str, texts: list[str], below: list[str], *, is_header: bool
) -> BaseOxmlElement:
    """Makes a row; a cell over a `^` starts a vertical merge (ECMA-376 Part 1, 17.4.85)."""
    properties = element("w:trPr", element("w:cantSplit"))
    if is_header:
        properties.append(element("w:tblHeader"))
    row = element("w:tr", properties)
    column = 0
    for text in texts:
        span = 2 if text.endswith("<") else 1
        continues = text == "^"
        starts = not continues and column < len(below) and below[column] == "^"
        merge = "continue" if continues else "restart" if starts else ""
        width = sum(WIDTHS[name][column : column + span])
        content = "" if continues else text.removesuffix("<").strip()
        row.append(table_cell(draft, content, width, span, merge))
        column += span
    if is_header:
        for cell in row.iter(qn("w:tcPr")):
            cell.append(element("w:shd", val="clear", color="auto", fill="E3EAEF"))
    return row


def table_cell(draft: Draft, text: str, width: int, span: int, merge: str) -> BaseOxmlElement:
    """Makes a cell of `span` grid columns, `width` twips wide."""
    properties = element("w:tcPr", element("w:tcW", w=str(width), type="dxa"))
    if span > 1:
        properties.append(element("w:gridSpan", val=str(span)))
    if merge:
        properties.append(element("w:vMerge", val=merge))
    if text == "Signature:":
        line = element("w:bottom", val="single", sz="4", space="0", color="000000")
        properties.append(element("w:tcBorders", line))
    words = paragraph(draft, "TableText", text)
    if text == "Signature:":
        words[0].append(element("w:spacing", before="600"))
    return element("w:tc", properties, words)


def numbered(blocks: list[Block]) -> dict[str, str]:
    """Works out the visible number of every marked clause, as `9.3`."""
    clause = level = 0
    numbers: dict[str, str] = {}
    for block in blocks:
        if block.kind == "1":
            clause, level = clause + 1, 0
        elif block.kind == "2":
            level += 1
        mark = re.match(r"\{mark (\w+)\}", block.text)
        if mark:
            numbers[mark[1]] = f"{clause}.{level}"
    return numbers


def footnotes(draft: Draft) -> None:
    """Adds the footnotes part: two separators, then the notes in the order of their references."""
    root = parse_xml(
        f'<w:footnotes xmlns:w="{qn("w:x")[1:-2]}" xmlns:r="{qn("r:x")[1:-2]}"/>'.encode()
    )
    for kind, number in (("separator", "-1"), ("continuationSeparator", "0")):
        space = element("w:pPr", element("w:spacing", after="0", line="240", lineRule="auto"))
        mark = element("w:p", space, element("w:r", element(f"w:{kind}")))
        root.append(element("w:footnote", mark, type=kind, id=number))
    for number, name in enumerate(draft.used_notes, start=1):
        content = paragraph(draft, "FootnoteText", draft.notes[name])
        mark = element(
            "w:r", styled("w:rStyle", "FootnoteReference", "w:rPr"), element("w:footnoteRef")
        )
        content[1:1] = [mark, run(" ")]
        root.append(element("w:footnote", content, id=str(number)))
    part = draft.document.part
    package = cast("Package", part.package)
    made = XmlPart(PackURI("/word/footnotes.xml"), f"{WORDML}.footnotes+xml", root, package)
    part.relate_to(made, RELATION.FOOTNOTES)


def furniture(draft: Draft) -> None:
    """Writes the page size, the header and the footer; the cover page has neither."""
    section = draft.document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25.4)
    section.top_margin = section.bottom_margin = Mm(25.4)
    section.different_first_page_header_footer = True
    header = "Services Agreement: Northwind Analytics Ltd and Harbour Lane Foods plc\t*Draft 3*"
    footer = paragraph(draft, "Footer", "Private and confidential\tPage ")
    footer.extend([*field_runs("PAGE", "1"), run(" of "), *field_runs("NUMPAGES", "9")])
    section.header.is_linked_to_previous = False
    section.footer.is_linked_to_previous = False
    section.header.part.element[:] = [paragraph(draft, "Header", header)]
    section.footer.part.element[:] = [footer]


def package_frame() -> DocumentObject:
    """Makes an empty document with our styles, numbering and settings, without theme, thumbnail."""
    document = Document()
    part = document.part
    numbering = part.numbering_part
    for target, name in (
        (document.styles.element, "styles"),
        (numbering.element, "numbering"),
        (document.settings.element, "settings"),
    ):
        target[:] = list(parse_xml((SOURCE / f"{name}.xml").read_bytes()))
    for rels in (part.rels, cast("Package", part.package).rels):
        for key in [key for key, rel in rels.items() if rel.reltype.endswith(UNNEEDED)]:
            del rels[key]
    properties = document.core_properties
    properties.title, properties.author = "Services Agreement", "Northwind Analytics Ltd"
    properties.last_modified_by, properties.comments = "Northwind Analytics Ltd", ""
    properties.created = properties.modified = WRITTEN
    properties.language = "en-GB"
    return document


def source_draft() -> tuple[Draft, list[Block]]:
    """Reads the text: the blocks in order, and beside them the notes and the rows of tables."""
    blocks: list[Block] = []
    notes: dict[str, str] = {}
    rows: dict[str, list[list[str]]] = {}
    for line in (SOURCE / "agreement.txt").read_text("utf-8").splitlines():
        kind, colon, text = line.partition(": ")
        if not colon:
            continue
        if kind.startswith("note "):
            notes[kind.removeprefix("note ")] = text
        elif kind.startswith("row "):
            cells = [cell.strip() for cell in text.split("|")]
            rows.setdefault(kind.removeprefix("row "), []).append(cells)
        else:
            blocks.append(Block(kind, text))
    document = package_frame()
    body = cast("CT_Document", document.element).body
    return Draft(document, body, numbered(blocks), notes, rows), blocks


def build() -> bytes:
    """Builds the contract.

    Returns:
        The bytes of the .docx; the same on every machine that deflates in the same way.
    """
    draft, blocks = source_draft()
    end = draft.body[-1]
    for block in blocks:
        if block.kind == "table":
            made = table(draft, block.text)
        elif block.kind == "logo":
            made = picture(draft, block.text)
        else:
            made = paragraph(draft, STYLES[block.kind], block.text)
        end.addprevious(made)
    furniture(draft)
    footnotes(draft)
    written = io.BytesIO()
    draft.document.save(written)
    return repacked(written.getvalue())


def repacked(data: bytes) -> bytes:
    """Writes the zip again with fixed dates and our own application properties."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(packed, "w") as after:
        for name in before.namelist():
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 0
            content = APP if name == "docProps/app.xml" else before.read(name)
            after.writestr(member, content, compresslevel=9)
    return packed.getvalue()


def main() -> None:
    """Writes the contract to the place it ships from, or to another."""
    parser = argparse.ArgumentParser(description="Build the sample contract.")
    parser.add_argument("target", nargs="?", type=Path, default=TARGET)
    target: Path = parser.parse_args().target
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(build())
    print(target)


if __name__ == "__main__":
    main()
