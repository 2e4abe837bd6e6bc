"""Content controls: filled with tracked words, their state beside them."""

from __future__ import annotations

from datetime import date

import pytest

from redraft.engine.docx.steps.dates import parsed, shown
from redraft.engine.errors import AmbiguousError, EditError, RefusedError
from redraft.engine.plan import (
    DeleteBlocks,
    FindReplace,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetCell,
    SetField,
)
from redraft.engine.report import Selection
from tests.engine.redlining import Draft, runs
from tests.engine.wordml import p, r, table

ALL = Selection(all=True)
HINT = r("Click here", '<w:rStyle w:val="PlaceholderText"/>')
CHECK = (
    '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" '
    'w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/>'
    "</w14:checkbox>"
)
COLOURS = (
    '<w:listItem w:displayText="Red" w:value="r"/><w:listItem w:displayText="Blue" w:value="b"/>'
)
DATE = '<w:date><w:dateFormat w:val="{}"/><w:lid w:val="{}"/></w:date>'


def control(properties: str, content: str) -> str:
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def filled(properties: str, content: str, value: str) -> Draft:
    return Draft.of(p("Fee: ", control(properties, content), " net")).edit(SetField("cc1", value))


def test_a_placeholder_gives_way_to_words_that_do_not_look_like_one() -> None:
    draft = filled("<w:rPr><w:b/></w:rPr><w:showingPlcHdr/><w:text/>", HINT, "100 EUR")
    assert draft.redline == ["Fee: [-Click here-]{+100 EUR+} net"]
    assert ("100 EUR", "b") in runs(draft.data)
    assert "showingPlcHdr" not in draft.body
    assert draft.report is not None
    assert "not its state" in draft.report.warnings[0]
    assert draft.decide("reject", ALL).redline == ["Fee: Click here net"]
    assert draft.decide("accept", ALL).accepted == ["Fee: 100 EUR net"]


def test_only_words_that_differ_are_marked_in_a_text_control() -> None:
    draft = filled("<w:text/>", r("100 EUR a day"), "120 EUR a day")
    assert draft.redline == ["Fee: [-100-]{+120+} EUR a day net"]
    assert draft.rejected == draft.original
    assert draft.report is not None
    assert draft.report.warnings == ()


@pytest.mark.parametrize("value", ["Blue", " blue ", "b"])
def test_an_option_is_chosen_by_what_it_shows_or_by_its_value(value: str) -> None:
    draft = filled(f"<w:dropDownList>{COLOURS}</w:dropDownList>", r("Red"), value)
    assert draft.redline == ["Fee: [-Red-]{+Blue+} net"]
    assert 'w:dropDownList w:lastValue="b"' in draft.body


def test_a_combo_box_takes_any_text() -> None:
    draft = filled(f"<w:comboBox>{COLOURS}</w:comboBox>", r("Red"), "Green")
    assert draft.redline == ["Fee: [-Red-]{+Green+} net"]


@pytest.mark.parametrize(
    ("form", "language", "value", "text"),
    [
        ("d MMMM yyyy", "en-GB", "2026-06-02", "2 June 2026"),
        ("dddd, d. MMMM yyyy", "de-DE", "2 June 2026", "Dienstag, 2. Juni 2026"),
        ("dd.MM.yy", "pl-PL", "June 2, 2026", "02.06.26"),
    ],
)
def test_a_date_is_shown_as_the_control_shows_dates(
    form: str, language: str, value: str, text: str
) -> None:
    draft = filled(DATE.format(form, language), r("unset"), value)
    assert draft.accepted == [f"Fee: {text} net"]
    assert 'w:fullDate="2026-06-02T00:00:00Z"' in draft.body


def test_check_boxes_of_one_paragraph_are_set_by_one_plan() -> None:
    other = CHECK.replace('checked w14:val="0"', 'checked w14:val="1"')
    upload = Draft.of(p(control(CHECK, r("☐")), " Yes ", control(other, r("☒")), " No"))
    draft = upload.edit(SetField("cc1", "checked"), SetField("cc2", "unchecked"))
    assert draft.redline == ["[-☐-]{+☒+} Yes [-☒-]{+☐+} No"]
    assert draft.body.index('checked w14:val="1"') < draft.body.index('checked w14:val="0"')
    again = draft.edit(SetField("cc1", "no"), SetField("cc2", "yes"))
    assert again.redline == ["☐ Yes ☒ No"]
    assert again.rejected == again.original


def test_a_control_around_a_paragraph_is_found_by_its_title() -> None:
    block = control('<w:alias w:val="Whole"/><w:showingPlcHdr/>', p(HINT))
    draft = Draft.of(p("a"), block, p("b")).edit(SetField("whole", "Words"))
    assert draft.redline == ["a", "[-Click here-]{+Words+}", "b"]
    assert "showingPlcHdr" not in draft.body


@pytest.mark.parametrize("anchor", ["header", "cell"])
def test_controls_of_every_story_are_filled(anchor: str) -> None:
    inside = p("Fee: ", control('<w:tag w:val="fee"/>', r("10")))
    draft = (
        Draft.of(p("x"), headers=[inside])
        if anchor == "header"
        else Draft.of(table([inside]), p("x"))
    )
    made = draft.edit(SetField("fee", "20"))
    assert [(c.before, c.after) for c in made.changes] == [("10", "20")]
    assert made.rejected == made.original


def test_the_value_that_is_there_changes_nothing() -> None:
    draft = Draft.of(p(control(f"<w:dropDownList>{COLOURS}</w:dropDownList>", r("Red"))))
    assert draft.edit(SetField("cc1", "Red")).data == draft.data


def test_an_untracked_document_is_filled_without_marks() -> None:
    draft = Draft.of(p(control(CHECK, r("☐")), " Yes")).edit(
        SetField("cc1", "checked"), tracked=False
    )
    assert draft.redline == ["☒ Yes"]


@pytest.mark.parametrize(
    ("properties", "value", "said"),
    [
        (f"<w:dropDownList>{COLOURS}</w:dropDownList>", "green", "it has Red, Blue"),
        (DATE.format("d MMMM", "en"), "soon", "write it as 2026-05-01"),
        (DATE.format("d MMMM", "pl-PL"), "2026-05-01", "language that is not known"),
        (CHECK, "maybe", "checked or unchecked"),
        ('<w:lock w:val="contentLocked"/>', "x", "locked"),
        ("<w:picture/>", "x", "takes no text"),
        ("<w:text/>", "a\nb", "one line"),
    ],
)
def test_a_value_that_a_control_cannot_have_is_refused(
    properties: str, value: str, said: str
) -> None:
    with pytest.raises(EditError, match=said):
        filled(properties, r("Red"), value)


def test_a_control_that_is_not_there_or_not_alone_is_said() -> None:
    two = control('<w:tag w:val="fee"/>', r("10"))
    draft = Draft.of(p(two, two))
    with pytest.raises(AmbiguousError, match="2 content controls"):
        draft.edit(SetField("fee", "20"))
    with pytest.raises(EditError, match="no content control cc9"):
        draft.edit(SetField("cc9", "20"))
    several = control('<w:tag w:val="both"/>', p("a") + p("b"))
    with pytest.raises(EditError, match="2 paragraphs"):
        Draft.of(several).edit(SetField("both", "20"))


def test_a_date_that_is_one_day_here_and_another_there_is_not_read() -> None:
    assert parsed("01/05/2026") is None
    assert parsed("3. März 2026") == date(2026, 3, 3)
    assert shown(date(2026, 3, 3), "MMM 'of' yyyy", "en-US") == "Mar of 2026"


PLACEHOLDER = "<w:rPr><w:b/></w:rPr><w:showingPlcHdr/><w:text/>"


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1", "Click here", "100 EUR"),
        ReplaceText("p1", "Click here net", "100 EUR net"),
        FindReplace("Click here", "100 EUR"),
        RewriteBlock("p1", "Fee: \u27e6cc1\u27e7100 EUR\u27e6/cc1\u27e7 net"),
    ],
)
def test_words_that_replace_a_placeholder_fill_the_control(operation: Operation) -> None:
    draft = Draft.of(p("Fee: ", control(PLACEHOLDER, HINT), " net")).edit(operation)
    assert draft.accepted == ["Fee: 100 EUR net"]
    assert "showingPlcHdr" not in draft.body
    assert draft.decide("reject", ALL).redline == ["Fee: Click here net"]
    assert ("100 EUR", "b") in runs(draft.data)


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1", "Fee", "Price"),
        RewriteBlock("p1", "Price: \u27e6cc1\u27e7\u27e6/cc1\u27e7 net"),
        FindReplace("e", "E", match_case=True),
    ],
)
def test_words_beside_a_placeholder_leave_it_one(operation: Operation) -> None:
    draft = Draft.of(p("Fee: ", control(PLACEHOLDER, HINT), " net")).edit(operation)
    assert "showingPlcHdr" in draft.body
    assert "Click here" in draft.accepted[0]


def test_a_part_of_a_placeholder_is_not_changed() -> None:
    draft = Draft.of(p("Fee: ", control(PLACEHOLDER, HINT), " net"))
    with pytest.raises(RefusedError, match="fill the control"):
        draft.edit(ReplaceText("p1", "here", "there"))
    whole = Draft.of(control(PLACEHOLDER, p(HINT)), p("x"))
    assert "showingPlcHdr" not in whole.edit(ReplaceText("p1", "Click here", "100 EUR")).body


@pytest.mark.parametrize(
    "operation",
    [
        RewriteBlock("t1.r1.c1.p1", "100 EUR"),
        SetCell("t1.r1.c1", "100 EUR"),
        ReplaceText("t1.r1.c1.p1", "Click here", "100 EUR"),
    ],
)
def test_words_over_the_placeholder_of_a_cell_fill_its_control(operation: Operation) -> None:
    cell = control(PLACEHOLDER, f"<w:tc>{p(HINT)}</w:tc>")
    row = f"<w:tr>{cell}<w:tc>{p('net')}</w:tc></w:tr>"
    grid = "<w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>"
    draft = Draft.of(f"<w:tbl><w:tblPr/>{grid}{row}</w:tbl>", p("x")).edit(operation)
    assert draft.accepted[0] == "100 EUR"
    assert "showingPlcHdr" not in draft.body


@pytest.mark.parametrize("is_first", [True, False])
def test_a_control_goes_with_its_paragraph_when_the_deletion_is_accepted(is_first: bool) -> None:
    held = p("Fee: ", control('<w:tag w:val="fee"/>', r("10")), " net")
    blocks = [held, p("text")] if is_first else [p("text"), held, p("end")]
    anchor = "p1" if is_first else "p2"
    draft = Draft.of(*blocks)
    made = draft.edit(DeleteBlocks(anchor, anchor))
    assert made.rejected == made.original
    assert "<w:sdt>" not in made.decide("accept", ALL).body
    assert "<w:sdt>" not in draft.edit(DeleteBlocks(anchor, anchor), tracked=False).body
    assert made.decide("reject", ALL).body == draft.body
    with pytest.raises(EditError, match="no content control"):
        made.edit(SetField("cc1", "20"))


def test_a_control_that_is_emptied_stays() -> None:
    draft = Draft.of(p("Fee: ", control('<w:tag w:val="fee"/>', r("10")), " net"))
    made = draft.edit(ReplaceText("p1", "10", ""))
    assert made.decide("accept", ALL).body.count("<w:sdt>") == 1
    assert made.edit(SetField("fee", "20")).accepted == ["Fee: 20 net"]


def test_words_and_paragraph_of_a_control_are_decided_on_apart() -> None:
    draft = Draft.of(p("Fee: ", control('<w:tag w:val="fee"/>', r("10")), " net"), p("text"))
    made = draft.edit(ReplaceText("p1", "10", "")).edit(DeleteBlocks("p1", "p1"))
    for uid in ("e1", "e2"):
        left = made.decide("accept", Selection(edit_uid=uid))
        assert "<w:sdt>" not in left.decide("accept", ALL).body
