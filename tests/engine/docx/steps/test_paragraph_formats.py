"""Single properties of paragraphs: alignment, spaces, indents, how they keep together."""

from __future__ import annotations

import pytest

from redraft.engine.docx.apply import faults
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import EditPlan, ParagraphProperty, SetParagraph
from redraft.engine.report import Selection
from tests.engine.docx.steps.test_formatting import inner
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import abstract_num, level, listed, p, style, table


def made(ppr: str, name: ParagraphProperty, to: str, **parts: object) -> Draft:
    draft = Draft.of(p("a", properties=ppr), p("b"), **parts)
    draft = draft.edit(SetParagraph("p1", "p1", name, to))
    assert draft.rejected == draft.original
    return draft


def written(draft: Draft) -> str:
    """The properties of the first paragraph without the mark of the change."""
    said = inner(draft).partition("<w:pPr>")[2].partition("<w:pPrChange>")[0]
    return "" if "<w:r>" in said else said


CASES: list[tuple[str, ParagraphProperty, str, str]] = [
    ("", "alignment", "center", '<w:jc w:val="center"/>'),
    ("", "alignment", "Justify", '<w:jc w:val="both"/>'),
    ('<w:jc w:val="right"/>', "alignment", "left", ""),
    ("<w:bidi/>", "alignment", "left", '<w:bidi/><w:jc w:val="right"/>'),
    ("", "space_before", "12", '<w:spacing w:before="240"/>'),
    (
        '<w:spacing w:after="60" w:beforeAutospacing="1"/>',
        "space_before",
        "6 pt",
        '<w:spacing w:after="60" w:before="120"/>',
    ),
    ("", "space_after", "0.5", '<w:spacing w:after="10"/>'),
    ("", "line_spacing", "1.5", '<w:spacing w:line="360" w:lineRule="auto"/>'),
    ('<w:spacing w:line="280" w:lineRule="exact"/>', "line_spacing", "1", ""),
    ("", "indent_left", "36", '<w:ind w:left="720"/>'),
    ("<w:bidi/>", "indent_left", "36", '<w:bidi/><w:ind w:right="720"/>'),
    ("", "indent_right", "-18", '<w:ind w:right="-360"/>'),
    ('<w:ind w:left="720" w:hanging="360"/>', "first_line", "12", None),  # pyright: ignore[reportAssignmentType]
    ("", "first_line", "-12", '<w:ind w:hanging="240"/>'),
    ("", "keep_with_next", "on", "<w:keepNext/>"),
    ("", "keep_together", "on", "<w:keepLines/>"),
    ("", "page_break_before", "on", "<w:pageBreakBefore/>"),
    ("<w:keepNext/>", "keep_with_next", "off", ""),
]


@pytest.mark.parametrize(("ppr", "name", "to", "expected"), CASES)
def test_a_property_is_written_beside_the_others(
    ppr: str, name: ParagraphProperty, to: str, expected: str | None
) -> None:
    draft = made(ppr, name, to)
    wanted = '<w:ind w:left="720" w:firstLine="240"/>' if expected is None else expected
    assert written(draft) == wanted
    assert f"<w:pPrChange><w:pPr>{ppr}</w:pPr>" in inner(draft).replace(
        "<w:pPr/>", "<w:pPr></w:pPr>"
    )
    assert errors(draft.data) == []


@pytest.mark.parametrize(
    ("ppr", "name", "to"),
    [
        ("", "alignment", "left"),
        ("<w:bidi/>", "alignment", "right"),
        ('<w:bidi/><w:ind w:right="720"/>', "indent_left", "36"),
        ('<w:jc w:val="start"/>', "alignment", "left"),
        ('<w:spacing w:before="240"/>', "space_before", "12"),
        ("", "space_after", "0"),
        ("", "line_spacing", "1"),
        ('<w:ind w:start="720"/>', "indent_left", "36"),
        ('<w:ind w:hanging="240"/>', "first_line", "-12"),
        ("", "page_break_before", "off"),
        ('<w:keepNext w:val="0"/>', "keep_with_next", "off"),
    ],
)
def test_what_holds_already_is_no_change(ppr: str, name: ParagraphProperty, to: str) -> None:
    start = Draft.of(p("a", properties=ppr))
    assert start.edit(SetParagraph("p1", "p1", name, to)).data == start.data


STYLES = (
    "<w:docDefaults><w:pPrDefault><w:pPr>"
    '<w:spacing w:after="160" w:line="259" w:lineRule="auto"/>'
    "</w:pPr></w:pPrDefault></w:docDefaults>"
    + style("Normal", default=True)
    + style("C", based_on="Normal", ppr='<w:jc w:val="center"/>')
)


@pytest.mark.parametrize(
    ("name", "to"), [("alignment", "center"), ("space_after", "8"), ("space_before", "0")]
)
def test_what_styles_and_defaults_give_is_no_change(name: ParagraphProperty, to: str) -> None:
    start = Draft.of(p("a", style="C"), styles=STYLES)
    assert start.edit(SetParagraph("p1", "p1", name, to)).data == start.data


def test_a_change_against_the_style_and_back_leaves_nothing() -> None:
    start = Draft.of(p("a", style="C"), styles=STYLES)
    left = start.edit(SetParagraph("p1", "p1", "alignment", "left"))
    assert left.changes[0].formatting == (("alignment", "", "left"),)
    assert left.edit(SetParagraph("p1", "p1", "alignment", "center")).body == start.body
    spaced = start.edit(SetParagraph("p1", "p1", "space_after", "0"))
    assert 'w:spacing w:after="0"' in spaced.body
    assert spaced.edit(SetParagraph("p1", "p1", "space_after", "8")).body == start.body


def test_the_indent_of_a_list_counts() -> None:
    numbering = abstract_num(
        0, level(0, "%1.", extra='<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr>')
    ) + ('<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>')
    start = Draft.of(listed("a"), numbering=numbering)
    assert start.edit(SetParagraph("p1", "p1", "indent_left", "36")).data == start.data
    moved = start.edit(SetParagraph("p1", "p1", "indent_left", "0"))
    assert '<w:ind w:left="0"/>' in moved.body


def test_what_the_style_of_a_table_may_give_is_written() -> None:
    grid = style("Grid", kind="table", ppr='<w:jc w:val="center"/>')
    body = table(["one"]).replace("<w:tblPr/>", '<w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr>')
    draft = Draft.of(body, p("x"), styles=grid)
    draft = draft.edit(SetParagraph("t1", "t1", "alignment", "left"))
    assert '<w:jc w:val="left"/>' in draft.body


def test_a_strict_file_gets_the_names_of_strict() -> None:
    draft = Draft.of(p("a"), strict=True)
    draft = draft.edit(SetParagraph("p1", "p1", "alignment", "right"))
    draft = draft.edit(SetParagraph("p1", "p1", "indent_left", "36"))
    assert '<w:ind w:start="720"/><w:jc w:val="end"/>' in draft.body
    assert draft.changes[0].formatting == (
        ("left indent", "", "36 pt"),
        ("alignment", "", "right"),
    )


def test_properties_of_one_plan_are_one_change_in_the_order_of_the_schema() -> None:
    draft = Draft.of(p("a"), p("b")).edit(
        SetParagraph("p1", "p2", "alignment", "center"),
        SetParagraph("p1", "p1", "keep_with_next", "on"),
        SetParagraph("p1", "p1", "space_before", "6"),
    )
    assert len(draft.changes) == 2
    assert errors(draft.data) == []
    assert draft.rejected == draft.original


@pytest.mark.parametrize(
    ("name", "to", "sentence"),
    [
        ("alignment", "middle", "left, center, right or justify"),
        ("space_before", "-1", "from 0 to 1584"),
        ("indent_left", "wide", "from -1584 to 1584"),
        ("line_spacing", "0", "a factor such as 1, 1.15 or 2"),
        ("keep_together", "2", "on or off"),
    ],
)
def test_a_value_that_is_none_is_answered_with_what_is_valid(
    name: ParagraphProperty, to: str, sentence: str
) -> None:
    plan = EditPlan("edit", "", (SetParagraph("p1", "p1", name, to),))
    found = faults(Package.open(Draft.of(p("a")).data), plan)
    assert [fault.code for fault in found] == ["bad_value"]
    assert sentence in found[0].message


def test_a_section_may_stand_before_other_properties_as_libreoffice_writes_it() -> None:
    section = '<w:sectPr><w:type w:val="nextPage"/></w:sectPr>'
    start = Draft.of(p("a", properties=f'{section}<w:spacing w:after="160"/>'), p("b"))
    centred = start.edit(SetParagraph("p1", "p1", "alignment", "center"))
    again = centred.edit(SetParagraph("p2", "p2", "alignment", "center"))
    assert again.body.count("<w:pPrChange ") == 2
    rejected = again.decide("reject", Selection(all=True))
    assert rejected.body.count(section) == 1
    assert "w:jc" not in rejected.body
