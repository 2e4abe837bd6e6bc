"""Form fields of old (FORMTEXT, FORMCHECKBOX, FORMDROPDOWN): read as such, filled by `set_field`.

ECMA-376 Part 1, 17.16.5.20 to 17.16.5.22, 17.16.9 (ffData).
"""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import AmbiguousError, EditError, RefusedError
from redraft.engine.markdown import document as markdown
from redraft.engine.model import Control, Text
from redraft.engine.plan import Operation, ReplaceText, RewriteBlock, SetField
from redraft.engine.report import Selection
from redraft.engine.tokens import pieces, write
from tests.engine.redlining import Draft
from tests.engine.wordml import docx, p, r, table

ALL = Selection(all=True)
EMPTY = "\u2002" * 5
UNTRACKED = "does not track"


def form(kind: str, data: str, result: str | None = "", name: str = "Text1") -> str:
    """A form field; `result` None is a field that has none."""
    separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' if result is not None else ""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="{name}"/><w:enabled/>'
        f"{data}</w:ffData></w:fldChar></w:r>"
        f'<w:r><w:instrText xml:space="preserve"> {kind} </w:instrText></w:r>'
        f'{separate}{result or ""}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def text(words: str, rules: str = "", name: str = "Text1") -> str:
    return form("FORMTEXT", f"<w:textInput>{rules}</w:textInput>", r(words), name)


def box(state: str = '<w:default w:val="0"/>', name: str = "Check1") -> str:
    return form("FORMCHECKBOX", f"<w:checkBox><w:sizeAuto/>{state}</w:checkBox>", None, name)


ENTRIES = '<w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/>'


def choice(state: str = "", name: str = "Choice1") -> str:
    return form("FORMDROPDOWN", f"<w:ddList>{state}{ENTRIES}</w:ddList>", None, name)


def shown(*content: str) -> str:
    """The line of the view of a paragraph."""
    document = reader.read(Package.open(docx(p(*content))), "final")
    block = document.body.blocks[0]
    return write(pieces(block.content))  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]


def filled(field: str, value: str, control: str = "cc1") -> Draft:
    return Draft.of(p("Name: ", field, " end")).edit(SetField(control, value))


def marked(draft: Draft) -> list[str]:
    """The redline without the signs of fields."""
    return [line.replace("|", "") for line in draft.redline]


# Reading


@pytest.mark.parametrize(
    ("field", "line"),
    [
        (text("Ann Lee"), "Name: ⟦cc1⟧Ann Lee⟦/cc1⟧ end"),
        (text(EMPTY), "Name: ⟦cc1⟧⟦/cc1⟧ end"),
        (box(), "Name: ⟦cc1⟧☐⟦/cc1⟧ end"),
        (box("<w:default/><w:checked/>"), "Name: ⟦cc1⟧☒⟦/cc1⟧ end"),
        (choice('<w:result w:val="1"/>'), "Name: ⟦cc1⟧Blue⟦/cc1⟧ end"),
    ],
    ids=["text", "empty", "box", "checked", "list"],
)
def test_a_form_field_is_shown_as_what_it_is(field: str, line: str) -> None:
    assert shown("Name: ", field, " end") == line


def test_form_fields_and_content_controls_are_counted_together() -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{r('B')}</w:sdtContent></w:sdt>"
    line = shown(text("A"), control, box())
    assert line == "⟦cc1⟧A⟦/cc1⟧⟦cc2⟧B⟦/cc2⟧⟦cc3⟧☐⟦/cc3⟧"


def test_an_empty_form_field_is_a_placeholder_and_a_disabled_one_is_locked() -> None:
    disabled = text("A").replace("<w:enabled/>", '<w:enabled w:val="0"/>')
    document = reader.read(Package.open(docx(p("x", text(EMPTY)) + p("x", disabled))), "final")
    found = [block.content[1] for block in document.body.blocks]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
    assert found == [
        Control("cc1", (), placeholder=True),
        Control("cc2", (Text("A"),), locked=True),
    ]


def test_markdown_has_the_words_of_form_fields_and_no_blanks_of_empty_ones() -> None:
    data = docx(p("Name: ", text(EMPTY)) + p(box(), " Yes") + p(choice()))
    assert markdown.write(reader.read(Package.open(data), "final")).split() == [
        "Name:",
        "☐",
        "Yes",
        "Red",
    ]


# Text


def test_an_empty_text_field_is_filled_with_tracked_words() -> None:
    draft = filled(text(EMPTY), "Ann")
    assert marked(draft) == [f"Name: [-{EMPTY}-]{{+Ann+}} end"]
    assert draft.accepted == ["Name: Ann end"]
    assert draft.rejected == draft.original
    assert "ffData" in draft.body


def test_only_words_that_differ_are_marked_in_a_text_field() -> None:
    draft = filled(text("100 EUR a day"), "120 EUR a day")
    assert marked(draft) == ["Name: [-100-]{+120+} EUR a day end"]
    assert draft.rejected == draft.original
    assert marked(draft.edit(SetField("cc1", "100 EUR a day"))) == ["Name: 100 EUR a day end"]


def test_a_text_field_without_any_result_run_takes_words() -> None:
    draft = filled(form("FORMTEXT", "<w:textInput/>", ""), "Ann")
    assert marked(draft) == ["Name: {+Ann+} end"]
    assert draft.body.index("separate") < draft.body.index("Ann") < draft.body.index('"end"')
    assert draft.rejected == draft.original


def test_a_text_field_that_is_emptied_shows_its_blanks_again() -> None:
    draft = filled(text("Ann"), "")
    assert draft.accepted == [f"Name: {EMPTY} end"]
    assert draft.decide("reject", ALL).accepted == ["Name: Ann end"]


@pytest.mark.parametrize(
    ("rules", "value", "said"),
    [
        ('<w:maxLength w:val="3"/>', "Anne", "3 characters"),
        ('<w:type w:val="number"/>', "many", "number"),
        ('<w:type w:val="date"/>', "soon", "date"),
        ('<w:type w:val="calculated"/>', "5", "computes"),
        ('<w:type w:val="currentDate"/>', "2026-01-01", "computes"),
    ],
)
def test_what_a_text_field_does_not_take_is_refused(rules: str, value: str, said: str) -> None:
    with pytest.raises(EditError, match=said):
        filled(text(EMPTY, rules), value)


@pytest.mark.parametrize(
    ("rules", "value", "words"),
    [
        ('<w:type w:val="number"/>', "1,200.50", "1,200.50"),
        ('<w:type w:val="date"/><w:format w:val="d MMMM yyyy"/>', "2026-06-02", "2 June 2026"),
        ('<w:type w:val="date"/>', "2 June 2026", "2 June 2026"),
        ('<w:format w:val="UPPERCASE"/>', "Ann", "ANN"),
        ('<w:maxLength w:val="3"/>', "Ann", "Ann"),
    ],
)
def test_a_text_field_shows_a_value_as_its_rules_say(rules: str, value: str, words: str) -> None:
    assert filled(text(EMPTY, rules), value).accepted == [f"Name: {words} end"]


# States


def test_a_box_is_checked_and_the_answer_says_that_word_does_not_track_it() -> None:
    draft = filled(box(), "checked")
    assert '<w:checked w:val="1"/>' in draft.body
    assert marked(draft) == ["Name:  end"]
    assert draft.report is not None
    assert UNTRACKED in draft.report.warnings[0]
    back = draft.edit(SetField("Check1", "unchecked"))
    assert '<w:checked w:val="0"/>' in back.body


@pytest.mark.parametrize("value", ["Blue", " blue "])
def test_an_entry_of_a_list_is_chosen(value: str) -> None:
    draft = filled(choice(), value)
    assert '<w:ddList><w:result w:val="1"/>' in draft.body
    assert draft.report is not None
    assert UNTRACKED in draft.report.warnings[0]


def test_what_is_no_entry_of_the_list_is_refused_with_its_entries() -> None:
    with pytest.raises(EditError, match="Red, Blue"):
        filled(choice(), "Green")


def test_a_box_is_checked_or_not_and_nothing_else() -> None:
    with pytest.raises(EditError, match="checked or unchecked"):
        filled(box(), "maybe")


# Finding


@pytest.mark.parametrize("name", ["cc1", "Text1", "text1", "⟦cc1⟧"])
def test_a_form_field_is_found_by_its_id_and_by_its_name(name: str) -> None:
    assert filled(text("Ann"), "Bea", name).accepted == ["Name: Bea end"]


def test_two_form_fields_of_one_name_are_told_apart_by_their_ids() -> None:
    draft = Draft.of(p(text("A"), " ", text("B")))
    with pytest.raises(AmbiguousError, match="2 "):
        draft.edit(SetField("Text1", "C"))
    assert draft.edit(SetField("cc2", "C")).accepted == ["A C"]


def test_form_fields_in_cells_are_filled_by_one_plan() -> None:
    draft = Draft.of(table([p(text(EMPTY, name="A")), p(box(name="B"))]))
    done = draft.edit(SetField("A", "Ann"), SetField("B", "yes"))
    assert "Ann" in done.accepted[0]
    assert '<w:checked w:val="1"/>' in done.body


def test_a_disabled_form_field_is_locked() -> None:
    disabled = text("A").replace("<w:enabled/>", '<w:enabled w:val="0"/>')
    with pytest.raises(RefusedError, match="locked"):
        filled(disabled, "B")


# Beside other edits


@pytest.mark.parametrize(
    "operation",
    [
        RewriteBlock("p1", "Full name: ⟦cc1⟧Ann⟦/cc1⟧ end ⟦cc2⟧☐⟦/cc2⟧"),
        ReplaceText("p1", "Name", "Full name"),
    ],
    ids=["rewrite", "replace"],
)
def test_words_beside_form_fields_change_and_the_fields_stay(operation: Operation) -> None:
    draft = Draft.of(p("Name: ", text("Ann"), " end ", box()))
    done = draft.edit(operation)
    assert done.accepted == ["Full name: Ann end "]
    assert done.body.count("fldChar ") == draft.body.count("fldChar ")
    assert done.rejected == draft.original


def test_rewriting_beside_an_empty_field_leaves_its_blanks() -> None:
    draft = Draft.of(p("Name: ", text(EMPTY), " end"))
    done = draft.edit(RewriteBlock("p1", "Full name: ⟦cc1⟧⟦/cc1⟧ end"))
    assert done.accepted == [f"Full name: {EMPTY} end"]
    other = draft.edit(RewriteBlock("p1", "Name: ⟦cc1⟧Ann⟦/cc1⟧ end"))
    assert other.accepted == ["Name: Ann end"]


@pytest.mark.parametrize("field", [box(), choice()], ids=["box", "list"])
def test_a_state_is_not_changed_by_rewriting_its_sign(field: str) -> None:
    with pytest.raises(EditError, match="set_field"):
        Draft.of(p("Name: ", field, " end")).edit(RewriteBlock("p1", "Name: ⟦cc1⟧☒⟦/cc1⟧ end"))
