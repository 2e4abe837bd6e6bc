"""The text map of a paragraph."""

from __future__ import annotations

import pytest

from redraft.engine.docx.names import W_P
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.line import Line
from redraft.engine.docx.redline.open_fields import open_fields
from redraft.engine.docx.redline.textmap import read
from tests.engine.wordml import dele, docx, field, ins, note, p, r

CONTROL = "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"


def line(body: str, index: int = 0, ours: dict[int, str] | None = None) -> Line:
    package = Package.open(docx(body))
    root = package.tree(package.main)
    paragraph = list(root.iter(W_P))[index]
    return read(paragraph, ours or {}, open_fields(root).get(paragraph, ()))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (r("one ") + r("two", "<w:b/>"), "one two"),
        ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/></w:r>", "a\tb\nc\n"),
        ("<w:r><w:t>a</w:t><w:noBreakHyphen/><w:softHyphen/></w:r>", "a\u2011\u00ad"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>', "\u2713"),
        ('<w:r><w:br w:type="page"/><w:t>a</w:t></w:r>', "a"),
        (r("a") + note("2") + r("b"), "ab"),
        (r("a") + ins(r("b")) + dele("c"), "ab"),
        (ins(r("a") + dele("b", id=9)), "a"),
        (f'<w:hyperlink w:anchor="x">{r("a")}</w:hyperlink>{r("b")}', "ab"),
        (field("REF x", "Section 7") + r(" b"), "Section 7 b"),
        (f'<w:fldSimple w:instr="PAGE">{r("7")}</w:fldSimple>', "7"),
        (CONTROL.format("", r("a")), "a"),
        (r("seen") + r("hidden", "<w:vanish/>") + r("!", '<w:vanish w:val="0"/>'), "seen!"),
        ("<w:r><w:t>a\nb</w:t></w:r>", "a b"),
        ("", ""),
    ],
)
def test_the_text_is_what_a_reader_sees(content: str, text: str) -> None:
    assert line(f"<w:p>{content}</w:p>").text == text


def test_our_own_marks_are_dissolved_and_each_unit_knows_its_edit() -> None:
    found = line(p("a", ins(r("b"), id=1), dele("c", id=2)), ours={1: "e1", 2: "e2"})
    assert found.text == "ab"
    assert [(u.text, u.standing.name, u.stamp and u.stamp.edit) for u in found.units] == [
        ("a", "KEPT", None),
        ("b", "WRITTEN", "e1"),
        ("c", "STRUCK", "e2"),
    ]
    assert found.has_ours
    assert not line(p("a", ins(r("b"), id=1))).has_ours


def locks(found: Line) -> list[tuple[str, str]]:
    return [(unit.text, unit.lock) for unit in found.units if unit.text]


def test_computed_text_is_locked_and_a_links_text_is_not() -> None:
    assert locks(line(p("a", field("REF x", "7"), "b"))) == [("a", ""), ("7", "field"), ("b", "")]
    assert locks(line(p(field('HYPERLINK "https://a.example"', "here")))) == [("here", "")]


def test_a_field_is_open_in_the_paragraphs_it_runs_over() -> None:
    begin, _, end = field("TOC", "XX").partition(r("XX"))
    body = p(begin, "one") + p("two") + p("three", end, "four") + p("five")
    assert locks(line(body, 0)) == [("one", "field")]
    assert locks(line(body, 1)) == [("two", "field")]
    assert locks(line(body, 2)) == [("three", "field"), ("four", "")]
    assert locks(line(body, 3)) == [("five", "")]


def test_a_field_inside_an_instruction_shows_nothing() -> None:
    nested = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>'
        + field("REF x", "inner")
        + '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + r("outer")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    assert line(p(nested)).text == "outer"


def test_a_locked_control_locks_its_text() -> None:
    lock = '<w:lock w:val="sdtContentLocked"/>'
    assert locks(line(p(CONTROL.format(lock, r("a")), "b"))) == [("a", "control"), ("b", "")]
    free = '<w:lock w:val="sdtLocked"/>'
    assert locks(line(p(CONTROL.format(free, r("a"))))) == [("a", "")]
