"""Formatting changes in words: property, old value, new value."""

from __future__ import annotations

import pytest
from lxml import etree

from redraft.engine.docx.changes.format_changes import Vocabulary, differences
from redraft.engine.docx.opc.package import Package
from tests.engine.wordml import NAMESPACES, abstract_num, docx, level, p, style

NUMBERING = (
    abstract_num(0, level(0, "%1."), level(1, "x", "bullet"))
    + '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    + '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>'
)


def numbered(num: int, at: int = 0) -> str:
    return f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{num}"/></w:numPr>'


def said(tag: str, old: str, new: str) -> tuple[tuple[str, str, str], ...]:
    change = f"<w:{tag}Change><w:{tag}>{old}</w:{tag}></w:{tag}Change>"
    root = etree.fromstring(f"<w:{tag} {NAMESPACES}>{new}{change}</w:{tag}>")
    styles = style("H1", name="heading 1") + style("N", name="Normal", default=True)
    package = Package.open(docx(p("a"), styles=styles, numbering=NUMBERING))
    return differences(root[-1], Vocabulary(package))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("", "<w:b/><w:bCs/>", ("bold", "", "on")),
        ("<w:b/>", '<w:b w:val="0"/>', ("bold", "on", "off")),
        ("", '<w:u w:val="single"/>', ("underline", "", "on")),
        ('<w:u w:val="double"/>', '<w:u w:val="none"/>', ("underline", "double", "off")),
        ('<w:sz w:val="20"/>', '<w:sz w:val="21"/>', ("size", "10 pt", "10.5 pt")),
        ("", '<w:color w:val="C00000"/>', ("colour", "", "C00000")),
        (
            '<w:color w:val="4472C4" w:themeColor="accent1"/>',
            '<w:color w:val="000080"/>',
            ("colour", "4472C4", "000080"),
        ),
        ("", '<w:highlight w:val="yellow"/>', ("highlight", "", "yellow")),
        ("", '<w:rFonts w:ascii="Arial" w:hAnsi="Arial"/>', ("font", "", "Arial")),
        ("", '<w:vertAlign w:val="superscript"/>', ("position", "", "superscript")),
        ("", '<w:spacing w:val="-10"/>', ("character spacing", "", "-0.5 pt")),
    ],
)
def test_properties_of_text(old: str, new: str, words: tuple[str, str, str]) -> None:
    assert said("rPr", old, new) == (words,)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("", '<w:pStyle w:val="H1"/>', [("style", "", "heading 1")]),
        ('<w:jc w:val="end"/>', '<w:jc w:val="both"/>', [("alignment", "right", "justify")]),
        (
            '<w:spacing w:before="120" w:after="60"/>',
            '<w:spacing w:before="240" w:after="60" w:line="360" w:lineRule="auto"/>',
            [("space before", "6 pt", "12 pt"), ("line spacing", "", "1.5")],
        ),
        ("", '<w:spacing w:line="280" w:lineRule="exact"/>', [("line spacing", "", "14 pt")]),
        (
            '<w:ind w:left="720"/>',
            '<w:ind w:left="360" w:hanging="360"/>',
            [("left indent", "36 pt", "18 pt"), ("first line", "", "-18 pt")],
        ),
        (numbered(1), numbered(1, 1), [("numbering", "numbers, level 1", "bullets, level 2")]),
        (numbered(1), numbered(0), [("numbering", "numbers, level 1", "none")]),
        (
            numbered(1),
            numbered(2),
            [("numbering", "numbers, level 1", "numbers, level 1, begun anew")],
        ),
        ("", "<w:keepLines/>", [("keep together", "", "on")]),
        ("", '<w:outlineLvl w:val="1"/>', [("outline level", "", "2")]),
    ],
)
def test_properties_of_paragraphs(old: str, new: str, words: list[tuple[str, str, str]]) -> None:
    assert list(said("pPr", old, new)) == words
