"""The sample contract has what real contracts have, and is made from its source alone."""

from __future__ import annotations

import io
import re
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest
from docx import Document
from docx.document import Document as DocumentObject
from lxml import etree

from scripts.make_sample import TARGET, build

SPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}
IGNORABLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Ignorable"
REFERENCE = re.compile(r"REF (?P<name>\w+) \\r \\h")


def find(part: str, path: str) -> list[str]:
    """Evaluate an XPath that gives strings over a part of the shipped sample."""
    with zipfile.ZipFile(TARGET) as package:
        root = etree.fromstring(package.read(f"word/{part}.xml"))
    found = root.xpath(path, namespaces=SPACES)
    assert isinstance(found, list)
    return [str(item) for item in found]


@pytest.fixture(scope="module")
def contract() -> DocumentObject:
    return Document(str(TARGET))


@pytest.mark.thorough
def test_building_it_again_gives_the_members_that_ship() -> None:
    # By member: a Python linked to another zlib deflates the same content to other bytes.
    with zipfile.ZipFile(io.BytesIO(build())) as built, zipfile.ZipFile(TARGET) as shipped:
        assert built.namelist() == shipped.namelist()
        for ours, theirs in zip(built.infolist(), shipped.infolist(), strict=True):
            assert (ours.date_time, ours.external_attr) == (theirs.date_time, theirs.external_attr)
            assert built.read(ours) == shipped.read(theirs), ours.filename


@pytest.mark.thorough
def test_building_it_twice_gives_equal_bytes() -> None:
    assert build() == build()


def test_clauses_are_numbered_on_three_levels_through_styles() -> None:
    levels = "//w:abstractNum[@w:abstractNumId='1']/w:lvl"
    styles = find("numbering", f"{levels}/w:pStyle/@w:val")
    assert find("numbering", f"{levels}/w:lvlText/@w:val")[:3] == ["%1.", "%1.%2", "(%3)"]
    assert styles[:3] == ["Heading1", "Clause2", "Clause3"]
    for level, style in enumerate(styles[:3]):
        numbers = f"//w:style[@w:styleId='{style}']//w:numPr"
        assert find("styles", f"{numbers}/w:numId/@w:val") == ["1"]
        assert find("styles", f"{numbers}/w:ilvl/@w:val") == ([str(level)] if level else [])
        assert len(find("document", f"//w:pStyle[@w:val='{style}']/@w:val")) >= 10


def test_cross_references_hold_the_number_that_their_clause_shows() -> None:
    clause = part = 0
    shown: dict[str, str] = {}
    with zipfile.ZipFile(TARGET) as package:
        root = etree.fromstring(package.read("word/document.xml"))
    for paragraph in root.iterfind(".//w:body/w:p", SPACES):
        style = paragraph.find("w:pPr/w:pStyle", SPACES)
        name = "" if style is None else style.get(f"{{{SPACES['w']}}}val", "")
        clause, part = (clause + 1, 0) if name == "Heading1" else (clause, part)
        part += name == "Clause2"
        for bookmark in paragraph.iterfind("w:bookmarkStart", SPACES):
            shown[bookmark.get(f"{{{SPACES['w']}}}name", "")] = f"{clause}.{part}"
    results = "//w:instrText[starts-with(., ' REF ')]/../following-sibling::w:r[2]/w:t/text()"
    codes = find("document", "//w:instrText[starts-with(., ' REF ')]/text()")
    names = [match["name"] for code in codes if (match := REFERENCE.search(code))]
    assert len(names) == len(codes) >= 5
    assert find("document", results) == [shown[name] for name in names]


def test_defined_terms_are_bold_and_sentences_mix_formats(contract: DocumentObject) -> None:
    definitions = [p for p in contract.paragraphs if p.style and p.style.name == "Definition"]
    assert len(definitions) >= 8
    assert all(p.runs[0].bold and not p.runs[1].bold for p in definitions)
    mixed = [p for p in contract.paragraphs if len({(r.bold, r.italic) for r in p.runs}) >= 3]
    assert len(mixed) >= 2


def test_two_ruled_tables_and_one_has_cells_merged_both_ways(contract: DocumentObject) -> None:
    ruled = [t for t in contract.tables if t.style and t.style.name == "Contract Table"]
    assert len(ruled) == 2
    fees, levels = ruled
    assert [cell.text for cell in fees.rows[0].cells] == ["Work", "Who does it", "Unit", "Fee"]
    assert levels.cell(0, 3).text == levels.cell(0, 4).text == "Service Credit"
    assert levels.cell(4, 0).text == levels.cell(6, 0).text == "Faults"


def test_footnotes_have_separators_styles_and_references() -> None:
    assert find("footnotes", "//w:footnote/@w:type") == ["separator", "continuationSeparator"]
    numbers = find("footnotes", "//w:footnote[not(@w:type)]/@w:id")
    assert numbers == ["1", "2", "3", "4"]
    assert find("document", "//w:footnoteReference/@w:id") == numbers
    assert len(find("footnotes", "//w:pStyle[@w:val='FootnoteText']/@w:val")) == 4
    assert find("settings", "//w:footnotePr/w:footnote/@w:id") == ["-1", "0"]


def test_the_header_says_draft_and_the_footer_counts_pages(contract: DocumentObject) -> None:
    section = contract.sections[0]
    assert section.header.paragraphs[0].text.endswith("Harbour Lane Foods plc\tDraft 3")
    assert find("footer1", "//w:instrText/text()") == [" PAGE ", " NUMPAGES "]


def test_links_lead_outside(contract: DocumentObject) -> None:
    addresses = [link.address for p in contract.paragraphs for link in p.hyperlinks]
    assert "https://northwind-analytics.example/security" in addresses
    assert "mailto:legal@northwind-analytics.example" in addresses


def test_the_emblem_is_a_picture_with_alt_text() -> None:
    assert len(find("document", "//wp:docPr/@descr")[0]) > 20
    with zipfile.ZipFile(TARGET) as package:
        picture = package.read("word/media/image1.png")
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (240, 240)


def test_a_comment_stands_on_the_yearly_fee(contract: DocumentObject) -> None:
    comment = next(iter(contract.comments))
    assert (comment.author, comment.initials) == ("Martha Quill", "MQ")
    assert find("comments", "//w:comment/@w:date") == ["2026-09-03T10:15:00Z"]
    inside = "//w:t[preceding::w:commentRangeStart and following::w:commentRangeEnd]/text()"
    assert find("document", inside) == ["£48,000"]


def test_there_is_matter_for_every_instruction_of_the_demo(contract: DocumentObject) -> None:
    texts = [paragraph.text for paragraph in contract.paragraphs]
    assert sum("Harbour Lane Foods plc" in text for text in texts) >= 3
    assert "Confidentiality" in texts
    assert sum("£48,000" in text for text in texts) == 1
    assert any(text.startswith("During the Term and for six (6) months") for text in texts)
    assert any("thirty-five (35) days" in note for note in find("footnotes", "//w:t/text()"))


@pytest.mark.corpus
def test_every_part_follows_the_schema(corpus: Path) -> None:
    schema = etree.XMLSchema(etree.parse(str(corpus.parent / "schemas" / "ooxml" / "wml.xsd")))
    with zipfile.ZipFile(TARGET) as package:
        for name in package.namelist():
            if name.startswith("word/") and name.endswith(".xml"):
                root = etree.fromstring(package.read(name))
                root.attrib.pop(IGNORABLE, "")
                assert schema.validate(root), f"{name}: {schema.error_log}"


@pytest.mark.program
def test_libreoffice_lays_it_out_on_six_pages_or_more(soffice: Path, tmp_path: Path) -> None:
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [soffice, profile, "--headless", "--convert-to", "pdf", "--outdir", tmp_path, TARGET]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "error" not in (done.stdout + done.stderr).lower()
    import pymupdf

    with pymupdf.open(tmp_path / "services-agreement.pdf") as laid_out:
        pages = len(laid_out)
        assert pages >= 6
        text = " ".join(" ".join(str(page.get_text("text")) for page in laid_out).split())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        words = str(laid_out[1].get_text("text"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    # How many pages there are is a matter of the fonts of this machine.
    assert f"Page 2 of {pages}" in words
    assert "under clause 5.1 and Schedule 1" in text
