"""Character properties of quoted text and of whole blocks, tracked run by run."""

from __future__ import annotations

import re

import pytest

from redraft.engine.docx.apply import faults
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import AmbiguousError, EditError, NotFoundError, PlanError, RefusedError
from redraft.engine.plan import (
    EditPlan,
    FormatText,
    InsertBlocks,
    NewBlock,
    ReplaceText,
    RewriteBlock,
    TextProperty,
)
from redraft.engine.report import Selection
from tests.counting import lines
from tests.engine.redlining import DATE, US, Draft, runs
from tests.engine.schema import errors
from tests.engine.wordml import (
    dele,
    field,
    footnote,
    ins,
    link,
    note,
    p,
    picture,
    r,
    style,
    table,
    textbox,
)
from tests.oracle import members

LINKED = {"rId9": ("hyperlink", "https://a.example/")}
THEIRS = '<w:rPrChange w:id="7" w:author="Ann" w:date="2026-01-02T03:04:05Z"><w:rPr/></w:rPrChange>'


def inner(draft: Draft) -> str:
    """The blocks of the body without ids and authors."""
    found = re.search(r"<w:body>(.*)<w:sectPr", draft.body, re.DOTALL)
    assert found is not None
    plain = re.sub(r' w:(?:author|date)="[^"]*"| xml:space="preserve"', "", found[1])
    return re.sub(r'(<w:\w+Change) w:id="\d+"', r"\1", plain)


def made(*content: str, find: str = "two", name: TextProperty = "bold", to: str = "on") -> Draft:
    draft = Draft.of(p(*content)).edit(FormatText("p1", find, name, to))
    assert draft.rejected == draft.original
    return draft


# What is written


def test_only_the_quoted_text_is_marked_and_the_old_properties_are_exact() -> None:
    draft = made(r("one two three", '<w:i/><w:color w:val="FF0000"/>'))
    old = '<w:i/><w:color w:val="FF0000"/>'
    new = '<w:b/><w:bCs/><w:i/><w:color w:val="FF0000"/>'
    assert inner(draft) == (
        f"<w:p><w:r><w:rPr>{old}</w:rPr><w:t>one </w:t></w:r>"
        f"<w:r><w:rPr>{new}<w:rPrChange><w:rPr>{old}</w:rPr></w:rPrChange></w:rPr>"
        "<w:t>two</w:t></w:r>"
        f"<w:r><w:rPr>{old}</w:rPr><w:t> three</w:t></w:r></w:p>"
    )
    change = draft.changes[0]
    assert (change.kind, change.before, change.after) == ("format", "two", "two")
    assert change.formatting == (("bold", "", "on"),)
    assert draft.report is not None
    assert [each.id for each in draft.report.revisions] == [change.id]


@pytest.mark.parametrize(
    ("name", "to", "written"),
    [
        ("bold", "on", "<w:b/><w:bCs/>"),
        ("italic", "on", "<w:i/><w:iCs/>"),
        ("underline", "on", '<w:u w:val="single"/>'),
        ("strike", "on", "<w:strike/>"),
        ("small_caps", "on", "<w:smallCaps/>"),
        ("all_caps", "on", "<w:caps/>"),
        ("size", "10.5", '<w:sz w:val="21"/><w:szCs w:val="21"/>'),
        ("size", "16 pt", '<w:sz w:val="32"/><w:szCs w:val="32"/>'),
        ("color", "#c00000", '<w:color w:val="C00000"/>'),
        ("color", "Dark Red", '<w:color w:val="8B0000"/>'),
        ("highlight", "light grey", '<w:highlight w:val="lightGray"/>'),
        ("font", "Arial", '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/>'),
        ("vertical", "superscript", '<w:vertAlign w:val="superscript"/>'),
    ],
)
def test_each_property_is_written_as_word_does_and_taken_back_without_a_trace(
    name: TextProperty, to: str, written: str
) -> None:
    draft = made("one two three", name=name, to=to)
    assert f"<w:rPr>{written}<w:rPrChange><w:rPr/></w:rPrChange></w:rPr>" in inner(draft)
    assert errors(draft.data) == []
    back = {"size": "10", "color": "auto", "highlight": "none", "vertical": "baseline"}
    if name != "font":
        again = draft.edit(FormatText("p1", "two", name, back.get(name, "off")))
        assert inner(again) == "<w:p><w:r><w:t>one two three</w:t></w:r></w:p>"
        assert again.changes == ()


def test_properties_stand_in_the_order_of_the_schema() -> None:
    mixed = '<w:rStyle w:val="x"/><w:caps/><w:color w:val="FF0000"/><w:lang w:val="en-GB"/>'
    draft = Draft.of(p(r("two", mixed)))
    for name, to in (("vertical", "subscript"), ("size", "9"), ("bold", "on"), ("font", "Arial")):
        draft = draft.edit(FormatText("p1", "two", name, to))  # pyright: ignore[reportArgumentType]
    names = "rStyle,rFonts,b,bCs,caps,color,sz,szCs,vertAlign,lang,rPrChange"
    assert runs(draft.data) == [("two", names)]
    assert errors(draft.data) == []


def test_a_theme_face_and_a_theme_colour_give_way_to_the_ones_that_are_asked_for() -> None:
    themed = (
        '<w:rFonts w:asciiTheme="minorHAnsi" w:eastAsia="MS Mincho" w:hAnsiTheme="minorHAnsi"/>'
        '<w:color w:val="4472C4" w:themeColor="accent1"/>'
    )
    draft = made(r("two", themed), name="font", to="Arial")
    assert '<w:rFonts w:eastAsia="MS Mincho" w:ascii="Arial" w:hAnsi="Arial"' in inner(draft)
    draft = made(r("two", themed), name="color", to="navy")
    assert '<w:color w:val="000080"/>' in inner(draft)


def test_east_asian_text_gets_its_own_face() -> None:
    draft = made("\u4e8c two", find="\u4e8c", name="font", to="SimSun")
    assert 'w:eastAsia="SimSun"' in inner(draft)


# What is there already


@pytest.mark.parametrize(
    ("own", "name", "to"),
    [
        ("<w:b/>", "bold", "on"),
        ('<w:b w:val="true"/>', "bold", "on"),
        ("", "bold", "off"),
        ('<w:b w:val="0"/>', "bold", "off"),
        ('<w:u w:val="double"/>', "underline", "on"),
        ("<w:dstrike/>", "strike", "on"),
        ('<w:sz w:val="28"/>', "size", "14"),
        ("", "size", "10"),
        ("", "color", "auto"),
        ('<w:color w:val="ff0000"/>', "color", "red"),
        ('<w:rFonts w:ascii="Arial" w:hAnsi="Arial"/>', "font", "arial"),
        ("", "vertical", "baseline"),
        ("<w:rtl/><w:bCs/>", "bold", "on"),
    ],
)
def test_what_looks_so_already_gets_no_mark(own: str, name: TextProperty, to: str) -> None:
    start = Draft.of(p("one ", r("two", own)))
    draft = start.edit(FormatText("p1", "two", name, to))
    assert draft.report is not None
    assert not draft.report.applied
    assert draft.data == start.data


BOLD_STYLES = (
    style("Normal", default=True)
    + style("Loud", rpr='<w:b/><w:sz w:val="40"/>', based_on="Normal")
    + style("Strong", kind="character", rpr="<w:b/>")
)


def test_bold_on_where_the_style_is_bold_changes_nothing() -> None:
    start = Draft.of(p("one two", style="Loud"), styles=BOLD_STYLES)
    assert start.edit(FormatText("p1", "two", "bold", "on")).data == start.data
    assert start.edit(FormatText("p1", "", "size", "20")).data == start.data


def test_bold_off_inside_a_bold_style_says_so_and_on_again_leaves_nothing() -> None:
    start = Draft.of(p("one two", style="Loud"), styles=BOLD_STYLES)
    off = start.edit(FormatText("p1", "two", "bold", "off"))
    assert '<w:b w:val="0"/>' in inner(off)
    assert off.changes[0].formatting == (("bold", "", "off"),)
    on = off.edit(FormatText("p1", "two", "bold", "on"))
    assert inner(on) == inner(start)


def test_toggles_of_two_styles_cancel_each_other() -> None:
    strong = r("two", '<w:rStyle w:val="Strong"/>')
    start = Draft.of(p("one ", strong, style="Loud"), styles=BOLD_STYLES)
    assert start.edit(FormatText("p1", "two", "bold", "off")).data == start.data
    assert "<w:b/>" in inner(start.edit(FormatText("p1", "two", "bold", "on")))


def test_a_directly_bold_word_is_made_plain_by_saying_nothing() -> None:
    draft = made("one ", r("two", "<w:b/><w:bCs/>"), to="off")
    old = "<w:rPrChange><w:rPr><w:b/><w:bCs/></w:rPr></w:rPrChange>"
    assert f"<w:rPr>{old}</w:rPr><w:t>two" in inner(draft)


def test_a_property_that_the_style_of_a_table_may_give_is_always_written() -> None:
    grid = style("Grid", kind="table", rpr="<w:b/>")
    body = table(["one"]).replace("<w:tblPr/>", '<w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr>')
    draft = Draft.of(body, p("x"), styles=grid).edit(
        FormatText("t1.r1.c1.p1", "one", "bold", "off")
    )
    assert '<w:b w:val="0"/>' in inner(draft)


def test_small_capitals_go_when_all_capitals_come() -> None:
    draft = made(r("two", "<w:smallCaps/>"), name="all_caps")
    assert "<w:rPr><w:caps/><w:rPrChange>" in inner(draft)


# Marks that are there


def test_36_a_second_change_of_a_run_keeps_the_oldest_properties_in_one_mark() -> None:
    draft = made("one two three").edit(FormatText("p1", "two", "italic", "on"))
    assert "<w:rPrChange><w:rPr/></w:rPrChange>" in inner(draft)
    assert inner(draft).count("rPrChange>") == 2
    assert [c.formatting for c in draft.changes] == [(("bold", "", "on"), ("italic", "", "on"))]
    assert draft.rejected == draft.original


def test_36_another_authors_formatting_is_not_overwritten() -> None:
    start = Draft.of(p("one ", r("two", f"<w:i/>{THEIRS}")))
    with pytest.raises(
        RefusedError, match=r"another author's tracked formatting.* accept or reject"
    ):
        start.edit(FormatText("p1", "two", "bold", "on"))
    beside = start.edit(FormatText("p1", "one", "bold", "on"))
    assert beside.rejected == beside.original
    assert inner(beside).count("<w:rPrChange>") == 2


def test_36_their_mark_that_we_do_not_change_stays_where_it_is() -> None:
    start = Draft.of(p("one ", r("two", f"<w:i/>{THEIRS}")))
    draft = start.edit(FormatText("p1", "", "italic", "on"))
    assert [c.before for c in draft.changes if c.is_ours] == ["one "]
    assert draft.rejected == draft.original


def test_formatting_that_comes_back_to_the_baseline_in_other_words_takes_the_baselines() -> None:
    draft = made(r("two", '<w:b w:val="1"/>'), to="off").edit(FormatText("p1", "two", "bold", "on"))
    assert inner(draft) == '<w:p><w:r><w:rPr><w:b w:val="1"/></w:rPr><w:t>two</w:t></w:r></w:p>'


def test_our_own_new_text_is_formatted_without_a_mark() -> None:
    draft = Draft.of(p("one three")).edit(ReplaceText("p1", "one", "one two"))
    draft = draft.edit(FormatText("p1", "two", "bold", "on"))
    assert "rPrChange" not in draft.body
    assert ("two", "b,bCs") in runs(draft.data)
    assert draft.rejected == draft.original


def test_asked_for_bold_of_new_text_survives_when_the_same_words_come_back() -> None:
    draft = Draft.of(p("one two")).edit(ReplaceText("p1", "two", "three"))
    draft = draft.edit(FormatText("p1", "three", "bold", "on"))
    draft = draft.edit(RewriteBlock("p1", "one **two**"))
    assert draft.accepted == ["one two"]
    assert [run for run in runs(draft.data) if "b" in run[1]] != []
    assert draft.rejected == draft.original


def test_formatted_new_text_is_not_taken_for_the_same_words_of_the_baseline() -> None:
    draft = Draft.of(p("alpha beta")).edit(ReplaceText("p1", "alpha beta", "beta alpha"))
    draft = draft.edit(FormatText("p1", "alpha", "bold", "on"))
    draft = draft.edit(ReplaceText("p1", "beta ", ""))
    assert ("alpha", "b,bCs") in [(text.strip(), names) for text, names in runs(draft.data)]
    assert draft.rejected == draft.original


def test_a_mark_that_another_author_inserted_keeps_that_when_its_format_changes() -> None:
    theirs = '<w:rPr><w:ins w:id="5" w:author="Ann" w:date="2026-01-02T03:04:05Z"/><w:i/></w:rPr>'
    draft = Draft.of(p("a", properties=theirs), p("b")).edit(FormatText("p1", "", "bold", "on"))
    assert '<w:rPr><w:ins w:id="5"/><w:b/><w:bCs/><w:i/><w:rPrChange>' in inner(draft)
    back = draft.decide("reject", Selection(edit_uid="e1"))
    assert inner(back) == inner(Draft.of(p("a", properties=theirs), p("b")))


def test_text_inside_another_authors_insertion_is_marked_in_it() -> None:
    draft = made("one ", ins(r("two more"), id=5))
    assert '<w:ins w:id="5"><w:r><w:rPr><w:b/><w:bCs/><w:rPrChange>' in inner(draft)


def test_struck_text_is_left_alone() -> None:
    draft = made("one ", dele("old", id=5), "two", find="one two")
    assert "<w:r><w:delText>old</w:delText></w:r>" in inner(draft)


def test_a_run_that_is_cut_keeps_its_earlier_mark_in_every_piece() -> None:
    draft = made("one two three", find="one two three").edit(
        FormatText("p1", "two", "italic", "on")
    )
    ids = re.findall(r'<w:rPrChange w:id="(\d+)"', draft.body)
    assert len(ids) == len(set(ids)) == 3
    for each in [change.id for change in draft.changes]:
        draft = draft.decide("reject", Selection(ids=(each,)))
    assert draft.rejected == draft.original
    assert draft.changes == ()


# Which runs


def test_all_hits_of_a_block_are_formatted_and_one_hit_is_chosen_by_number() -> None:
    start = Draft.of(p("a b a b a"))
    every = start.edit(FormatText("p1", "a", "bold", "on", 0))
    assert [text for text, names in runs(every.data) if names] == ["a", "a", "a"]
    second = start.edit(FormatText("p1", "a", "bold", "on", 2))
    assert [text for text, _ in runs(second.data)] == ["a b ", "a", " b a"]


def test_a_whole_block_is_formatted_with_its_mark() -> None:
    draft = made("one ", r("two", "<w:i/>"), find="")
    assert inner(draft).startswith(
        "<w:p><w:pPr><w:rPr><w:b/><w:bCs/><w:rPrChange><w:rPr/></w:rPrChange></w:rPr></w:pPr>"
    )
    assert [c.before for c in draft.changes] == ["one two"]
    again = draft.edit(FormatText("p1", "", "bold", "off"))
    assert inner(again) == inner(Draft(again.upload, b"", again.upload))
    assert draft.decide("reject", Selection(all=True)).body == again.body


def test_every_cell_is_formatted_when_a_row_or_a_table_is_named() -> None:
    body = table(["a", "b"], ["c", table(["d"]) + p("e")]) + p("x")
    whole = Draft.of(body).edit(FormatText("t1", "", "bold", "on"))
    assert [text for text, names in runs(whole.data) if names] == ["a", "b", "c", "d", "e"]
    row = Draft.of(body).edit(FormatText("t1.r1", "", "bold", "on"))
    assert [text for text, names in runs(row.data) if names] == ["a", "b"]
    assert whole.rejected == whole.original


def test_links_notes_and_whole_fields_in_the_stretch_are_formatted_too() -> None:
    content = ("see ", link("rId9", "here"), note("2"), " and ", field("REF x", "Section 7"), ".")
    start = Draft.of(p(*content), relations=LINKED, footnotes=footnote("2", p("n")))
    draft = start.edit(FormatText("p1", "see here and Section 7", "italic", "on"))
    assert draft.rejected == draft.original
    assert draft.report is not None
    assert draft.report.warnings == ()
    plain = [run for run in re.findall(r"<w:r>.*?</w:r>", inner(draft)) if "<w:i/>" not in run]
    assert plain == ["<w:r><w:t>.</w:t></w:r>"]


def test_the_reference_of_a_note_keeps_its_height() -> None:
    start = Draft.of(p("one", note("2"), " two"), footnotes=footnote("2", p("n")))
    draft = start.edit(FormatText("p1", "", "vertical", "subscript"))
    assert "<w:r><w:footnoteReference" in inner(draft)


def test_a_picture_in_the_stretch_is_left_as_it_is() -> None:
    start = Draft.of(p("one ", picture("rId1"), " two"))
    draft = start.edit(FormatText("p1", "", "bold", "on"))
    assert "<w:r><w:drawing>" in inner(draft)


def test_a_part_of_a_computed_field_is_formatted_with_a_warning() -> None:
    start = Draft.of(p("see ", field("REF x", "Section 7"), "."))
    draft = start.edit(FormatText("p1", "Section", "bold", "on"))
    assert draft.report is not None
    assert draft.report.warnings == (
        "The text is part of a computed field; Word may give it other formatting when it updates "
        "the field",
    )
    assert draft.rejected == draft.original


def test_both_forms_of_a_text_box_are_formatted() -> None:
    draft = Draft.of(p("host ", textbox(p("in the box")))).edit(
        FormatText("tb1.p1", "box", "bold", "on")
    )
    assert inner(draft).count("<w:rPrChange>") == 2
    assert draft.rejected == draft.original
    ids = re.findall(r'<w:rPrChange w:id="(\d+)"', draft.body)
    assert len(set(ids)) == 2


@pytest.mark.parametrize(
    ("anchor", "part"), [("h1.p1", "header1"), ("f1.p1", "footer1"), ("fn1.p1", "footnotes")]
)
def test_headers_footers_and_notes_are_formatted(anchor: str, part: str) -> None:
    start = Draft.of(
        p("body", note("2")),
        headers=(p("one two"),),
        footers=(p("one two"),),
        footnotes=footnote("2", p("one two")),
    )
    draft = start.edit(FormatText(anchor, "two", "bold", "on"))
    before, after = members(start.data), members(draft.data)
    assert [name for name in after if after[name] != before[name]] == [f"word/{part}.xml"]
    assert draft.rejected == draft.original


def test_a_strict_file_stays_strict() -> None:
    draft = Draft.of(p("one two"), strict=True).edit(FormatText("p1", "two", "color", "red"))
    assert "purl.oclc.org" in draft.body
    assert "schemas.openxmlformats.org/wordprocessingml" not in draft.body
    assert draft.rejected == draft.original


def test_an_untracked_document_is_formatted_without_a_mark() -> None:
    start = Draft.of(p("one two"))
    draft = start.edit(FormatText("p1", "two", "bold", "on"), tracked=False)
    bold = "<w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>two</w:t></w:r>"
    assert inner(draft) == f"<w:p><w:r><w:t>one </w:t></w:r>{bold}</w:p>"


def test_several_formats_of_one_plan_and_an_edit_of_the_same_words_go_together() -> None:
    start = Draft.of(p("one two three"))
    draft = start.edit(
        FormatText("p1", "one two", "bold", "on"),
        FormatText("p1", "two three", "italic", "on"),
        ReplaceText("p1", "three", "four"),
    )
    assert draft.accepted == ["one two four"]
    assert draft.rejected == draft.original
    assert [run for run in runs(draft.data) if run[0] == "two"] == [
        ("two", "b,bCs,i,iCs,rPrChange")
    ]


def test_a_new_block_is_formatted_whole_without_a_mark() -> None:
    draft = Draft.of(p("one"), p("last")).edit(
        InsertBlocks("p1", "after", (NewBlock("paragraph", "new"),))
    )
    draft = draft.edit(FormatText("p2", "", "bold", "on"))
    assert "rPrChange" not in draft.body
    assert ("new", "b,bCs") in runs(draft.data)
    assert draft.decide("reject", Selection(all=True)).accepted == ["one", "last"]


# Decisions


def test_a_change_is_accepted_or_rejected_alone() -> None:
    draft = Draft.of(p("one two three")).edit(FormatText("p1", "one", "bold", "on"))
    draft = draft.edit(FormatText("p1", "three", "italic", "on"))
    first, second = draft.changes
    assert (first.edits, second.edits) == (("e1",), ("e2",))
    taken = draft.decide("accept", Selection(ids=(first.id,)))
    assert runs(taken.data)[0] == ("one", "b,bCs")
    back = taken.decide("reject", Selection(edit_uid="e2"))
    assert runs(back.data) == [("one", "b,bCs"), (" two ", ""), ("three", "")]


# Refusals


@pytest.mark.parametrize(
    ("operation", "code", "sentence"),
    [
        (FormatText("p1", "x", "bold", "on"), "text_not_found", "Unable to locate"),
        (FormatText("p9", "a", "bold", "on"), "unknown_block", "no place p9"),
        (FormatText("p1", "a", "bold", "on"), "ambiguous", "stands 2 times in p1"),
        (FormatText("p1", "a", "bold", "on", 3), "text_not_found", "Unable"),
        (FormatText("p1", "", "bold", "maybe"), "bad_value", "valid is on or off"),
        (FormatText("p1", "", "size", "0"), "bad_value", "from 1 to 1638 in halves"),
        (FormatText("p1", "", "size", "10.3"), "bad_value", "in halves"),
        (FormatText("p1", "", "color", "reddish"), "bad_value", "six hex digits"),
        (FormatText("p1", "", "highlight", "pink"), "bad_value", "yellow, green, cyan"),
        (FormatText("p1", "", "font", ""), "bad_value", "name of a font"),
        (FormatText("p1", "", "vertical", "up"), "bad_value", "superscript, subscript"),
        (FormatText("p2", "", "bold", "on"), "read_only", "locked content control"),
    ],
)
def test_what_cannot_be_done_is_said(operation: FormatText, code: str, sentence: str) -> None:
    lock = '<w:sdtPr><w:lock w:val="contentLocked"/></w:sdtPr>'
    control = f"<w:sdt>{lock}<w:sdtContent>{r('fixed')}</w:sdtContent></w:sdt>"
    start = Draft.of(p("a b a"), p(control))
    found = faults(Package.open(start.data), EditPlan("edit", "", (operation,)))
    assert [fault.code for fault in found] == [code]
    assert sentence in found[0].message
    with pytest.raises(EditError) as caught:
        start.edit(operation)
    assert isinstance(caught.value, NotFoundError | AmbiguousError | PlanError | RefusedError)


def test_the_marks_carry_who_and_when() -> None:
    change = made("one two").changes[0]
    assert (change.author, change.date) == (US, DATE)


def test_formatting_all_hits_of_one_paragraph_takes_linear_time() -> None:
    small, large = (Draft.of(p("The fee is due. " * n)) for n in (50, 200))

    def bold(draft: Draft) -> None:
        assert draft.edit(FormatText("p1", "fee", "bold", "on", 0)).changes

    assert lines(lambda: bold(large)) < 5 * lines(lambda: bold(small))
