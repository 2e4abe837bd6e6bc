"""The adversarial cases of redlining, by number: what naive editors break, and what must come out.

Cases of steps (moves, splits, styles, formats, tables) are with them; test_cases_table.py has all.
"""

from __future__ import annotations

import re

import pytest

from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.names import W_DEL, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import AmbiguousError, EditError, NotFoundError, PlanError, RefusedError
from redraft.engine.model import ListItem
from redraft.engine.plan import (
    AddComment,
    DeleteBlocks,
    DeleteRow,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertColumn,
    InsertFootnote,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetParagraph,
    SetStyle,
    SplitBlock,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import decode
from tests.counting import lines
from tests.engine.redlining import DATE, US, Draft, runs
from tests.engine.wordml import (
    abstract_num,
    archive,
    dele,
    docx,
    field,
    footnote,
    heading_style,
    ins,
    level,
    link,
    listed,
    note,
    num,
    p,
    picture,
    r,
    table,
    textbox,
)
from tests.oracle import authors, members

LINKED = {"rId9": ("hyperlink", "https://a.example/")}


def replaced(*content: str, find: str, by: str, **parts: object) -> Draft:
    draft = Draft.of(p(*content), **parts).edit(ReplaceText("p1", find, by))
    assert draft.rejected == draft.original
    return draft


# Text mapping


def test_01_a_word_split_over_formats_is_struck_whole_and_its_neighbours_keep_theirs() -> None:
    draft = replaced(
        "The Closing ", r("Da", "<w:b/>"), r("te", "<w:b/><w:i/>"), " shall", find="Date", by="Day"
    )
    assert draft.redline == ["The Closing [-Date-]{+Day+} shall"]
    assert runs(draft.data) == [
        ("The Closing ", ""),
        ("Da", "b"),
        ("te", "b,i"),
        ("Day", "b"),
        (" shall", ""),
    ]


def test_02_formatted_words_beside_the_change_stay_formatted() -> None:
    draft = replaced("Hello ", r("world", "<w:b/>"), " and more", find="Hello", by="Hi")
    assert draft.redline == ["[-Hello-]{+Hi+} world and more"]
    assert ("world", "b") in runs(draft.data)


def test_03_a_number_is_swapped_whole_and_its_unit_kept() -> None:
    assert replaced("in 30 days", find="30 days", by="60 days").redline == ["in [-30-]{+60+} days"]


def test_04_words_at_the_end_are_a_pure_insertion() -> None:
    assert replaced("The end", find="The end", by="The end of it").redline == ["The end{+ of it+}"]


def test_05_a_second_blank_is_one_blank_inserted() -> None:
    assert replaced("one two", find="one two", by="one  two").redline == ["one {+ +}two"]


@pytest.mark.parametrize(
    ("inside", "shown"), [("<w:tab/>", "\t"), ("<w:br/>", "\n"), ("<w:cr/>", "\n")]
)
def test_06_a_tab_or_break_beside_the_hit_is_one_character_and_stays(
    inside: str, shown: str
) -> None:
    run = f"<w:r><w:t>Section 1</w:t>{inside}<w:t>Billing now</w:t></w:r>"
    draft = replaced(run, find="Billing", by="Payment")
    assert draft.accepted == [f"Section 1{shown}Payment now"]
    assert inside in draft.body


@pytest.mark.parametrize("sign", ["<w:noBreakHyphen/>", "<w:softHyphen/>"])
def test_07_hyphens_that_are_elements_stay_exact(sign: str) -> None:
    draft = replaced(f"<w:r><w:t>co</w:t>{sign}<w:t>op shop</w:t></w:r>", find="shop", by="store")
    assert draft.body.count(sign) == 1
    assert "[-shop-]{+store+}" in draft.redline[0]


def test_07_a_symbol_stays_exact() -> None:
    sign = '<w:sym w:font="Wingdings" w:char="F0FC"/>'
    draft = replaced(f"<w:r>{sign}<w:t> done</w:t></w:r>", find="done", by="ready")
    assert sign in draft.body
    made = Draft.of(p(f"<w:r>{sign}<w:t> done</w:t></w:r>")).edit(
        RewriteBlock("p1", "\u2713 all done")
    )
    assert sign in made.body
    assert made.accepted[0].endswith("all done")


def test_08_many_hits_over_several_runs_leave_every_blank_in_place() -> None:
    content = [r("sh"), r("all ", "<w:b/>"), r("be; it "), r("sha"), r("ll do"), r(" shall.")]
    draft = Draft.of(p(*content)).edit(FindReplace("shall", "must"))
    assert draft.accepted == ["must be; it must do must."]
    assert draft.rejected == draft.original


def test_09_a_tab_typed_as_text_is_not_a_tab_element() -> None:
    draft = replaced("<w:r><w:t>a\tb c</w:t></w:r>", find="c", by="d")
    assert draft.accepted == ["a\tb d"]
    assert "<w:tab/>" not in draft.body


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1", "The first clause of it stands", "The first clause of it falls"),
        RewriteBlock("p1", "The first clause of it falls now"),
        RewriteBlock("p1", "The first clause of it falls now, **too**"),
    ],
)
@pytest.mark.parametrize("sign", ["<w:tab/>", "<w:br/>"])
def test_09_a_tab_that_is_written_as_a_blank_stays(operation: Operation, sign: str) -> None:
    words = f"<w:r><w:t>The first</w:t>{sign}<w:t>clause of it stands now</w:t></w:r>"
    draft = Draft.of(p(words)).edit(operation)
    assert draft.body.count(sign) == 1
    assert "clause of it [-stands" in draft.redline[0]
    assert draft.redline[0].count("[-") == 1


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1", "first\u27e6tab\u27e7clause", "first clause"),
        RewriteBlock("p1", "The first clause of it\u27e6tab\u27e7all"),
    ],
)
def test_09_a_tab_that_is_meant_is_replaced(operation: Operation) -> None:
    words = "<w:r><w:t>The first</w:t><w:tab/><w:t>clause of it</w:t></w:r>"
    draft = Draft.of(p(words)).edit(operation)
    assert draft.redline[0].startswith("The first[-\t-]{+ +}clause of it")
    assert draft.rejected == draft.original


def test_10_a_lead_in_that_is_quoted_and_kept_stays_bold() -> None:
    words = r("Term", "<w:b/>"), r(". The first year")
    draft = replaced(*words, find="Term. The first", by="Term. The second")
    assert draft.redline == ["Term. The [-first-]{+second+} year"]
    assert runs(draft.data)[0] == ("Term", "b")


def test_10_new_text_takes_the_format_of_most_of_what_it_replaces() -> None:
    draft = replaced(
        r("Term", "<w:b/>"), r(". The first year"), find="Term. The first year", by="Time: all"
    )
    assert ("Time: all", "") in runs(draft.data)
    assert ("Term", "b") in runs(draft.data)


def test_11_seventeen_hits_in_one_paragraph_are_all_changed() -> None:
    draft = Draft.of(p("fee, " * 17)).edit(FindReplace("fee", "charge"))
    assert draft.redline[0].count("[-fee-]{+charge+}") == 17
    assert draft.report is not None
    assert len(draft.report.revisions) == 17


def test_12_everywhere_means_headers_footers_notes_tables_and_text_boxes() -> None:
    draft = Draft.of(
        p("Acme here"),
        table(["Acme there"]),
        p("box ", textbox(p("Acme in a box"))),
        headers=[p("Acme above")],
        footers=[p("Acme below")],
        footnotes=footnote("2", p("Acme noted")),
        endnotes=footnote("2", p("Acme at last"), kind="endnote"),
    ).edit(FindReplace("Acme", "Globex"))
    assert all(b"<w:t>Acme" not in content for content in members(draft.data).values())
    assert draft.rejected == draft.original
    assert draft.report is not None
    assert len(draft.report.revisions) == 7


def test_13_text_replaced_by_itself_is_no_edit() -> None:
    before = Draft.of(p("same words"))
    after = before.edit(ReplaceText("p1", "same", "same"))
    assert after.report is not None
    assert not after.report.applied
    assert after.report.summary == "No change was needed"
    assert after.data == before.data


@pytest.mark.parametrize(
    "text",
    [
        "R&D <lab> x",
        "\u201cquoted\u201d it\u2019s",
        "a\u00a0b \U0001f469\u200d\U0001f467",
        "cafe\u0301",
    ],
)
def test_14_signs_of_every_kind_stay_exact(text: str) -> None:
    draft = replaced(f"{text} end", find="end", by=f"{text}!")
    assert draft.accepted == [f"{text} {text}!"]


def test_14_right_to_left_runs_keep_their_direction() -> None:
    draft = replaced(r("\u05e9\u05dc\u05d5\u05dd x", "<w:rtl/>"), find="x", by="y")
    assert ("y", "rtl") in runs(draft.data)


def test_15_text_that_stands_only_in_a_deletion_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="Unable to locate the specified text"):
        replaced("kept ", dele("gone words"), find="gone words", by="x")


# Anchors and containers


def test_16_a_bookmark_that_begins_inside_the_hit_survives_once() -> None:
    start = '<w:bookmarkStart w:id="7" w:name="here"/>'
    end = '<w:bookmarkEnd w:id="7"/>'
    draft = replaced("one ", start, "two", end, " three", find="one two three", by="four five six")
    assert draft.body.count(start) == draft.body.count(end) == 1
    assert draft.accepted == ["four five six"]


def test_17_a_comment_range_that_ends_inside_the_hit_is_kept() -> None:
    start, end = '<w:commentRangeStart w:id="0"/>', '<w:commentRangeEnd w:id="0"/>'
    draft = replaced(start, "one two", end, " three", find="two three", by="2 3")
    assert draft.body.count(start) == draft.body.count(end) == 1
    assert "[-" not in draft.body


def test_18_a_footnote_reference_inside_the_hit_is_kept_once() -> None:
    draft = replaced(
        "thirty", note("2"), " days", find="thirty days", by="sixty weeks",
        footnotes=footnote("2", p("A note.")),
    )  # fmt: skip
    assert draft.body.count("footnoteReference") == 1
    assert draft.accepted == ["sixty weeks"]


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_18_a_reference_inside_deleted_words_is_deleted_with_them(kind: str) -> None:
    notes = {f"{kind}s": footnote("2", p("A note."), kind=kind)}
    words = "for thirty", note("2", kind), " days only"
    draft = replaced(*words, find="thirty days ", by="", **notes)
    assert draft.accepted == ["for only"]
    (deletion,) = Package.open(draft.data).tree("word/document.xml").iter(W_DEL)
    assert deletion.find(f".//{W(f'{kind}Reference')}") is not None
    assert draft.report is not None
    assert any("note was deleted" in warning for warning in draft.report.warnings)
    part = f"word/{kind}s.xml"
    assert members(draft.data)[part] == members(draft.upload)[part]
    accepted = draft.decide("accept", Selection(all=True))
    assert b"A note." not in members(accepted.data)[part]
    assert draft.decide("reject", Selection(all=True)).rejected == draft.original


def test_18_a_reference_beside_deleted_words_stays() -> None:
    notes = footnote("2", p("A note."))
    for find in ("thirty", " days"):
        draft = replaced("for thirty", note("2"), " days", find=find, by="", footnotes=notes)
        assert "^" in draft.redline[0].replace("[-^-]", "")
        assert draft.report is not None
        assert draft.report.warnings == ()


def test_18_a_note_of_ours_goes_with_the_words_around_it_and_leaves_nothing() -> None:
    draft = Draft.of(p("for thirty days only"))
    made = draft.edit(InsertFootnote("p1", "thirty", "A note."))
    gone = made.edit(ReplaceText("p1", "thirty days ", ""))
    assert gone.redline == ["for [-thirty days -]only"]
    assert b"A note." not in b"".join(members(gone.data).values())
    assert gone.rejected["word/document.xml"] == gone.original["word/document.xml"]


def test_18_rewriting_a_block_needs_all_its_references_back() -> None:
    draft = Draft.of(p("thirty", note("2"), " days."), footnotes=footnote("2", p("A note.")))
    made = draft.edit(RewriteBlock("p1", "sixty\u27e6fn1\u27e7 days or more."))
    assert made.redline[0] == "[-thirty-]{+sixty+}^ days{+ or more+}."
    with pytest.raises(PlanError, match="fn1"):
        draft.edit(RewriteBlock("p1", "sixty days."))
    with pytest.raises(PlanError, match="fn9"):
        draft.edit(RewriteBlock("p1", "sixty\u27e6fn1\u27e7 days\u27e6fn9\u27e7."))


def test_19_a_change_over_the_edge_of_a_link_leaves_the_link_its_own_words() -> None:
    draft = replaced(
        "read ", link("rId9", "our terms"), " now", find="read our terms now",
        by="see the rules then", relations=LINKED,
    )  # fmt: skip
    assert draft.accepted == ["see the rules then"]
    inside = draft.body[draft.body.index("<w:hyperlink") : draft.body.index("</w:hyperlink>")]
    assert "<w:ins" not in inside


def test_20_the_whole_text_of_a_link_is_replaced_inside_it() -> None:
    draft = replaced(
        "see ", link("rId9", "our terms"), find="our terms", by="rules", relations=LINKED
    )
    assert draft.body.count("<w:hyperlink") == 1
    inside = draft.body[draft.body.index("<w:hyperlink") : draft.body.index("</w:hyperlink>")]
    assert "rules" in inside


@pytest.mark.parametrize(
    "shown",
    [field("REF x", "Section 7"), f'<w:fldSimple w:instr=" REF x ">{r("Section 7")}</w:fldSimple>'],
    ids=["complex", "simple"],
)
def test_21_the_result_of_a_computed_field_is_refused_with_a_sentence(shown: str) -> None:
    with pytest.raises(RefusedError, match="computed field"):
        replaced("under ", shown, " of it", find="Section 7", by="Section 8")
    draft = replaced("under ", shown, " of it", find="under Section 7 of", by="in Section 7 of")
    assert draft.accepted == ["in Section 7 of it"]


def test_22_a_paragraph_is_deleted_with_a_field_that_is_complete_in_it() -> None:
    draft = Draft.of(p("see ", field("REF x", "Section 7")), p("next")).edit(
        DeleteBlocks("p1", "p1")
    )
    assert draft.accepted == ["next"]
    assert "w:delInstrText" in draft.body
    assert "<w:instrText" not in draft.body
    assert draft.rejected == draft.original


SIMPLE = f'<w:fldSimple w:instr=" REF x ">{r("Section 7")}</w:fldSimple>'


@pytest.mark.parametrize("shown", [field("REF x", "Section 7"), SIMPLE], ids=["field", "simple"])
@pytest.mark.parametrize(
    ("find", "by", "accepted"),
    [
        ("Section 7", "", "I see  now"),
        ("see Section 7 now", "", "I "),
        ("see Section 7 now", "agree", "I agree"),
    ],
)
def test_22_words_around_a_whole_field_are_deleted_with_all_of_it(
    shown: str, find: str, by: str, accepted: str
) -> None:
    draft = replaced("I see ", shown, " now", find=find, by=by)
    assert draft.accepted == [accepted]
    assert "w:instrText" not in draft.body
    assert "w:fldChar" not in draft.decide("accept", Selection(all=True)).body
    assert "w:fldSimple" not in draft.decide("accept", Selection(all=True)).body
    assert draft.decide("reject", Selection(all=True)).rejected == draft.original


def test_22_a_field_that_was_deleted_comes_back_with_its_words() -> None:
    draft = replaced("I see ", field("REF x", "Section 7"), " now", find="see Section 7", by="go")
    assert draft.edit(ReplaceText("p1", "I go now", "I see Section 7 now")).changes == ()
    other = draft.edit(ReplaceText("p1", "I go now", "I go to Section 7 now"))
    assert other.rejected == other.original
    assert "w:instrText" not in other.body


def test_22_the_words_of_a_link_take_its_field_along() -> None:
    shown = field(' HYPERLINK "https://a.example/" ', "there")
    draft = replaced("go ", shown, " now", find="there", by="")
    assert draft.redline == ["go [-||there|-] now"]
    kept = replaced("go ", shown, " now", find="there", by="home")
    assert kept.redline == ["go ||[-there-]{+home+}| now"]


def split_field() -> tuple[str, str]:
    whole = field("TOC", "XX")
    begin, _, end = whole.partition('<w:r><w:t xml:space="preserve">XX</w:t></w:r>')
    return begin, end


def test_22_a_paragraph_with_part_of_a_field_is_not_deleted_alone() -> None:
    begin, end = split_field()
    draft = Draft.of(p(begin, "Contents 1"), p("Contents 2", end), p("Text"))
    with pytest.raises(RefusedError, match="computed field"):
        draft.edit(DeleteBlocks("p1", "p1"))


def test_23_a_field_over_two_paragraphs_is_computed_in_both_and_free_outside() -> None:
    begin, end = split_field()
    draft = Draft.of(p(begin, "Contents 1"), p("Contents 2", end), p("Contents 3"))
    for anchor in ("p1", "p2"):
        with pytest.raises(RefusedError, match="computed field"):
            draft.edit(ReplaceText(anchor, "Contents", "x"))
    made = draft.edit(FindReplace("Contents", "List"))
    assert made.redline[2] == "[-Contents-]{+List+} 3"
    assert made.report is not None
    assert made.report.warnings == (
        "2 places were left as they are: computed fields, which Word updates itself",
    )


def test_24_text_in_a_content_control_is_edited_inside_it() -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{r('fill in')}</w:sdtContent></w:sdt>"
    draft = replaced("a ", control, find="fill in", by="filled")
    inside = draft.body[draft.body.index("<w:sdtContent>") : draft.body.index("</w:sdtContent>")]
    assert "<w:ins" in inside
    assert "<w:del" in inside


@pytest.mark.parametrize("lock", ["contentLocked", "sdtContentLocked"])
@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1", "fill", "x"),
        RewriteBlock("p1", "x"),
        FindReplace("fill", "x"),
        DeleteBlocks("p1", "p1"),
        InsertBlocks("p1", "after", (NewBlock("paragraph", "x"),)),
        MoveBlocks("p1", "p1", "p3", "after"),
        SplitBlock("p1", "in"),
        SetStyle("p1", "p1", "Heading 1"),
        SetParagraph("p1", "p1", "alignment", "center"),
        FormatText("p1", "fill", "bold", "on"),
        DeleteRow("t1.r1"),
        InsertColumn("t1.r1.c1", "after", ("x",)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_24_a_locked_control_around_blocks_is_refused(lock: str, operation: Operation) -> None:
    control = f'<w:sdt><w:sdtPr><w:lock w:val="{lock}"/></w:sdtPr><w:sdtContent>'
    held = p("fill in") + table(["a", "b"], ["c", "d"]) + p("end")
    draft = Draft.of(f"{control}{held}</w:sdtContent></w:sdt>", p("free"), styles=heading_style(1))
    with pytest.raises(RefusedError, match=r"locked|cannot be divided"):
        draft.edit(operation)


def test_24_a_control_that_may_not_be_deleted_stays_and_its_words_change() -> None:
    control = (
        '<w:sdt><w:sdtPr><w:lock w:val="sdtLocked"/></w:sdtPr>'
        f"<w:sdtContent>{r('fill in')}</w:sdtContent></w:sdt>"
    )
    draft = Draft.of(p("a ", control), p("b"))
    with pytest.raises(RefusedError, match="may not be deleted"):
        draft.edit(DeleteBlocks("p1", "p1"))
    assert draft.edit(ReplaceText("p1", "fill in", "filled")).accepted == ["a filled", "b"]


def test_24_text_in_a_control_around_blocks_is_edited_inside_it() -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('fill in')}</w:sdtContent></w:sdt>"
    draft = Draft.of(control, p("x")).edit(ReplaceText("p1", "fill in", "filled"))
    inside = draft.body[draft.body.index("<w:sdtContent>") : draft.body.index("</w:sdtContent>")]
    assert "<w:ins" in inside
    assert "<w:del" in inside


def test_24_a_locked_control_is_refused() -> None:
    control = (
        '<w:sdt><w:sdtPr><w:lock w:val="contentLocked"/></w:sdtPr>'
        f"<w:sdtContent>{r('fill in')}</w:sdtContent></w:sdt>"
    )
    with pytest.raises(RefusedError, match="locked content control"):
        replaced("a ", control, find="fill", by="x")


def test_25_both_forms_of_a_text_box_are_edited() -> None:
    draft = Draft.of(p("host", textbox(p("words in a box")))).edit(
        ReplaceText("tb1.p1", "words", "text")
    )
    assert draft.body.count(">text</w:t>") == 2
    assert len(draft.changes) == 1
    assert draft.rejected == draft.original
    undone = draft.decide("reject", Selection(ids=(draft.changes[0].id,)))
    assert "<w:ins" not in undone.body


def test_25_a_text_box_whose_forms_differ_is_refused() -> None:
    with pytest.raises(RefusedError, match="stored a second time"):
        Draft.of(p("host", textbox(p("words here"), fallback=p("other")))).edit(
            ReplaceText("tb1.p1", "words", "text")
        )


@pytest.mark.parametrize(
    "wrapped",
    [
        '<w:smartTag w:element="x">{}</w:smartTag>',
        '<w:customXml w:element="x">{}</w:customXml>',
        "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>above</w:t></w:r></w:rt>"
        "<w:rubyBase>{}</w:rubyBase></w:ruby></w:r>",
    ],
    ids=["smartTag", "customXml", "ruby"],
)
def test_26_text_inside_wrappers_is_found_and_edited_there(wrapped: str) -> None:
    draft = Draft.of(p("a ", wrapped.format(r("word")), " b")).edit(
        ReplaceText("p1", "word", "term")
    )
    rejected = draft.decide("reject", Selection(all=True))
    assert rejected.body == Package.open(draft.upload).read("word/document.xml").decode()
    assert "[-word-]{+term+}" in draft.redline[0]


def test_27_the_last_paragraph_of_a_cell_is_emptied_and_stays() -> None:
    draft = Draft.of(table(["only words", "b"]), p("end")).edit(
        DeleteBlocks("t1.r1.c1.p1", "t1.r1.c1.p1")
    )
    assert draft.redline[0] == "[-only words-]"
    accepted = draft.decide("accept", Selection(all=True))
    assert accepted.body.count("<w:p>") + accepted.body.count("<w:p/>") == 3


# Existing revisions


def test_28_an_edit_inside_another_authors_insertion_is_nested_and_splits_it() -> None:
    draft = replaced("ab ", ins(r("their own words"), id=4), " cd", find="own", by="new")
    assert draft.redline == ["ab <+their [-own-]+>{+new+}<+ words+> cd"]
    assert "w:ins" not in draft.body.split('w:author="us"')[0].split("<w:del ")[0][-40:]
    assert authors(draft.data) == {"Ann", US}
    theirs = [change for change in draft.changes if change.author == "Ann"]
    assert {change.date for change in theirs} == {"2026-01-02T03:04:05Z"}
    assert not any(change.is_ours for change in theirs)
    ids = re.findall(r'<w:(?:ins|del) w:id="(\d+)"', draft.body)
    assert len(ids) == len(set(ids)) == 4


@pytest.mark.parametrize("is_link", [True, False])
@pytest.mark.parametrize(
    ("find", "by", "line"),
    [
        ("is golden", "is golden new", "This is [golden]{+ new+}[ rule] words"),
        ("rule words", "new rule words", "This is [golden ]{+new +}[rule] words"),
    ],
)
def test_28_words_at_the_edge_of_a_quote_stay_inside_what_goes_on_there(
    find: str, by: str, line: str, is_link: bool
) -> None:
    held = link("rId9", "golden rule") if is_link else ins(r("golden rule"), id=4)
    draft = Draft.of(p("This is ", held, " words"), relations={"rId9": ("hyperlink", "http://a")})
    signs = ("", "") if is_link else ("<+", "+>")
    line = line.replace("[", signs[0]).replace("]", signs[1])
    assert draft.edit(ReplaceText("p1", find, by)).redline == [line]
    if find == "is golden":
        noted = draft.edit(InsertFootnote("p1", find, "See")).redline
        assert noted == [line.replace(" new", "^")]


def test_29_a_phrase_over_plain_and_inserted_text_is_found() -> None:
    draft = replaced("Exploratory ", ins(r("Aim: "), id=4), "To do", find="Aim: To", by="Goal: To")
    assert draft.accepted == ["Exploratory Goal: To do"]


def test_30_our_own_pending_words_are_rewritten_not_struck() -> None:
    draft = replaced("in Hamburg now", find="Hamburg", by="Bremen")
    draft = draft.edit(ReplaceText("p1", "Bremen", "Bonn"))
    assert draft.redline == ["in [-Hamburg-]{+Bonn+} now"]
    assert draft.accepted == ["in Bonn now"]
    assert draft.rejected == draft.original


def test_31_accepting_a_deletion_in_an_insertion_leaves_no_empty_mark() -> None:
    nested = ins(dele("gone", id=5, author="Ben"), id=4)
    draft = Draft.of(p("a", nested, "b")).decide("accept", Selection(author="Ben"))
    assert "<w:ins" not in draft.body


def test_32_rejecting_inserted_paragraphs_takes_their_ends_too() -> None:
    draft = Draft.of(p("one"), p("two"))
    made = draft.edit(
        InsertBlocks("p1", "after", (NewBlock("paragraph", "x"), NewBlock("paragraph", "y")))
    )
    assert made.redline == ["one", "{+x+}{+\u00b6+}", "{+y+}{+\u00b6+}", "two"]
    assert len(made.changes) == 1
    undone = made.decide("reject", Selection(all=True))
    assert undone.body == Package.open(draft.data).read("word/document.xml").decode()


def test_33_all_marks_of_two_authors_survive_our_edit() -> None:
    theirs = [
        ins(r(f"word{n} "), id=10 + n, author=("Ann", "Ben")[n % 2]) + dele("x", id=60 + n)
        for n in range(19)
    ]
    draft = replaced(*theirs, "tail", find="tail", by="end")
    before = Draft.of(p(*theirs, "tail")).changes
    after = [c for c in draft.changes if c.author != US]
    assert [(c.author, c.date, c.before, c.after) for c in before] == [
        (c.author, c.date, c.before, c.after) for c in after
    ]


MOVED = (
    '<w:moveFromRangeStart w:id="20" w:author="Ann" w:date="2026-01-01T00:00:00Z" w:name="m1"/>'
    '<w:moveFrom w:id="21" w:author="Ann" w:date="2026-01-01T00:00:00Z">'
    "<w:r><w:t>moved</w:t></w:r></w:moveFrom>"
    '<w:moveFromRangeEnd w:id="20"/>'
)
MOVED_TO = MOVED.replace("moveFrom", "moveTo").replace('"20"', '"22"').replace('"21"', '"23"')


def test_34_a_native_move_is_untouched_by_an_edit_next_to_it() -> None:
    draft = Draft.of(p("a ", MOVED), p("b ", MOVED_TO, " tail")).edit(
        ReplaceText("p2", "tail", "end")
    )
    assert MOVED in draft.body
    assert MOVED_TO in draft.body
    assert [change.kind for change in draft.changes] == ["move", "replacement"]


def test_35_marks_that_share_an_id_are_told_apart() -> None:
    draft = Draft.of(p(dele("a", id=1), " mid ", ins(r("b"), id=1, author="Ben")))
    first, second = draft.changes
    assert first.id != second.id
    done = draft.decide("accept", Selection(ids=(second.id,)))
    assert done.redline == ["<-a-> mid b"]


# Paragraphs, lists, tables


def test_37_a_deleted_list_item_loses_its_mark_with_its_words() -> None:
    draft = Draft.of(listed("first"), listed("second"), listed("third")).edit(
        DeleteBlocks("p2", "p2")
    )
    assert draft.redline == ["first", "[-second-][-\u00b6-]", "third"]
    accepted = draft.decide("accept", Selection(all=True))
    assert accepted.body.count("<w:numPr>") == 2


def test_38_the_last_paragraph_is_deleted_without_leaving_an_empty_one() -> None:
    draft = Draft.of(p("one"), p("two")).edit(DeleteBlocks("p2", "p2"))
    assert draft.redline == ["one[-\u00b6-]", "[-two-]"]
    accepted = draft.decide("accept", Selection(all=True))
    assert accepted.accepted == ["one"]
    assert accepted.body.count("<w:p>") == 1
    assert draft.rejected == draft.original


@pytest.mark.parametrize(
    "operation",
    [ReplaceText("p2", "second", ""), RewriteBlock("p2", ""), FindReplace("second", "")],
)
def test_37_a_list_item_that_is_emptied_goes_with_its_number(operation: Operation) -> None:
    draft = Draft.of(listed("first"), listed("second"), listed("third"), p("text")).edit(operation)
    assert draft.redline[:3] == ["first", "[-second-][-\u00b6-]", "third"]
    assert draft.rejected == draft.original
    back = draft.edit(InsertBlocks("p1", "after", (NewBlock("like_anchor", "second"),)))
    assert back.changes == ()


def test_37_an_emptied_paragraph_without_a_number_stays() -> None:
    draft = Draft.of(p("first"), p("second"), p("third")).edit(ReplaceText("p2", "second", ""))
    assert draft.redline == ["first", "[-second-]", "third"]


@pytest.mark.parametrize("between", [table(["x"]), p("x", properties="<w:sectPr/>")])
def test_38_behind_a_table_or_a_section_the_last_paragraph_is_only_emptied(between: str) -> None:
    last = "p3" if between.startswith("<w:p>") else "p2"
    draft = Draft.of(p("one"), between, p("two")).edit(DeleteBlocks(last, last))
    assert draft.redline[-1] == "[-two-]"
    assert draft.redline.count("one") == 1
    assert draft.rejected == draft.original


def test_38_the_mark_of_another_kind_of_paragraph_is_not_taken() -> None:
    draft = Draft.of(p("Head", style="Heading1"), p("two")).edit(DeleteBlocks("p2", "p2"))
    assert draft.redline == ["Head", "[-two-]"]


def test_41_a_paragraph_that_ends_a_section_is_emptied_and_the_section_stays() -> None:
    section = '<w:sectPr><w:pgSz w:w="1" w:h="2"/></w:sectPr>'
    draft = Draft.of(p("one"), p("two", properties=section), p("three")).edit(
        DeleteBlocks("p2", "p2")
    )
    assert draft.redline == ["one", "[-two-]", "three"]
    assert section in draft.body


def test_42_an_inserted_list_item_belongs_to_the_list() -> None:
    draft = Draft.of(listed("first", level=1), p("text")).edit(
        InsertBlocks("p1", "after", (NewBlock("like_anchor", "second"),))
    )
    assert draft.body.count('<w:ilvl w:val="1"/><w:numId w:val="1"/>') == 2


def test_42_deleted_items_take_no_number_in_what_is_shown() -> None:
    lists = abstract_num(0, level(0, "%1.")) + num(1, 0)
    draft = Draft.of(*map(listed, ("a", "b", "c")), numbering=lists).edit(DeleteBlocks("p1", "p1"))
    shown = reader.read(Package.open(draft.data), "final").stories[0].blocks
    assert [each.label for each in shown if isinstance(each, ListItem)] == ["1.", "2."]


def test_44_a_deleted_table_is_marked_row_by_row_with_all_its_content() -> None:
    draft = Draft.of(p("a"), table(["b", "c"], ["d", "e"]), p("f")).edit(DeleteBlocks("t1", "t1"))
    assert draft.redline[1:5] == [f"[-{text}-][-\u00b6-]" for text in "bcde"]
    assert draft.body.count("<w:trPr><w:del ") == 2
    assert [change.kind for change in draft.changes] == ["table"]
    rejected = draft.decide("reject", Selection(all=True))
    assert rejected.body == Package.open(draft.upload).read("word/document.xml").decode()
    accepted = draft.decide("accept", Selection(all=True))
    assert "<w:tbl>" not in accepted.body


# Package


def test_49_without_an_edit_the_file_is_the_same() -> None:
    data = docx(p("x"))
    state = initial_state(data)
    plan = EditPlan("no_change", "nothing to do")
    same, report = apply(data, state, plan, Signature("e", US, DATE, tracked=True))
    assert same == data
    assert report.summary == "nothing to do"
    assert report.state == state


def test_51_new_blocks_repeat_no_paragraph_id_and_bring_none_that_word_repairs() -> None:
    ids = ["00000001", "7FFFFFFF", "12345678"]
    body = [
        p(f"clause {n} of it", style="A").replace("<w:p>", f'<w:p w14:paraId="{each}">')
        for n, each in enumerate(ids)
    ]
    draft = Draft.of(*body, styles="").edit(
        SplitBlock("p1", "of it"),
        InsertBlocks("p2", "after", (NewBlock("like_anchor", "new"),)),
        MoveBlocks("p3", "p3", "p1", "before"),
    )
    assert draft.rejected == draft.original
    draft = draft.edit(AddComment("p1", "clause", "why?"), InsertFootnote("p1", "clause", "so."))
    members_of = "".join(content.decode("latin-1") for content in members(draft.data).values())
    found = re.findall(r'paraId="([0-9A-F]+)"', members_of)
    assert sorted(found) == sorted(ids)


def test_52_a_header_with_a_page_number_keeps_its_cached_result() -> None:
    draft = Draft.of(p("x"), headers=[p("Draft, page ", field("PAGE", "3"), " of it")])
    made = draft.edit(ReplaceText("h1.p1", "Draft", "Final"))
    assert made.rejected == made.original
    again = made.edit(ReplaceText("p1", "x", "y"))
    assert [change.story for change in again.changes] == ["body", "header"]


def test_53_separators_of_notes_do_not_count_and_notes_are_edited_by_reference() -> None:
    notes = (
        '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
        '<w:footnote w:type="continuationNotice" w:id="1"><w:p/></w:footnote>'
        + footnote("3", p("third"))
        + footnote("2", p("second"))
    )
    draft = Draft.of(p("a", note("2"), "b", note("3")), footnotes=notes)
    made = draft.edit(ReplaceText("fn1.p1", "second", "2nd"))
    assert made.rejected == made.original
    assert "2nd" in Package.open(made.data).read("word/footnotes.xml").decode()


def test_53_a_note_in_a_note_is_kept_and_edited() -> None:
    notes = footnote("2", p("second", note("3"), " one")) + footnote("3", p("third"))
    draft = Draft.of(p("a", note("2"), "b"), footnotes=notes)
    made = draft.edit(ReplaceText("fn1.p1", "second", "2nd"), ReplaceText("fn2.p1", "third", "3rd"))
    assert made.rejected == made.original
    held = Package.open(made.data).read("word/footnotes.xml").decode()
    assert held.count('<w:footnoteReference w:id="3"/>') == 1
    assert ">3rd</w:t>" in held


def test_54_of_repeated_clauses_only_the_one_that_is_meant_is_marked() -> None:
    clause = "The Supplier shall indemnify the Buyer for {}."
    draft = Draft.of(*(p(clause.format(n)) for n in range(9)))
    made = draft.edit(ReplaceText("p5", "Supplier", "Vendor"))
    assert [n for n, line in enumerate(made.redline) if "[-" in line] == [4]


def test_55_a_protected_document_is_edited_with_a_warning() -> None:
    protection = '<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'
    draft = Draft.of(p("x"), settings=protection).edit(ReplaceText("p1", "x", "y"))
    assert draft.report is not None
    assert any("protected" in warning for warning in draft.report.warnings)
    free = Draft.of(p("x"), settings=protection.replace('"1"', '"0"')).edit(
        ReplaceText("p1", "x", "y")
    )
    assert free.report is not None
    assert free.report.warnings == ()


def test_55_a_signed_document_is_edited_with_a_warning() -> None:
    held = members(docx(p("x")))
    relation = (
        '<Relationship Id="rIdS" Target="_xmlsignatures/origin.sigs" '
        'Type="http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/'
        'origin"/></Relationships>'
    )
    rels = held["_rels/.rels"].replace(b"</Relationships>", relation.encode())
    data = archive({**held, "_rels/.rels": rels, "_xmlsignatures/origin.sigs": b""})
    made = Draft(data, initial_state(data), data).edit(ReplaceText("p1", "x", "y"))
    assert made.redline == ["[-x-]{+y+}"]
    assert made.report is not None
    assert any("signature invalid" in warning for warning in made.report.warnings)


@pytest.mark.parametrize("enforcement", ["1", "0"])
def test_protection_that_allows_tracked_changes_only_makes_an_untracked_edit_a_tracked_one(
    enforcement: str,
) -> None:
    protection = f'<w:documentProtection w:edit="trackedChanges" w:enforcement="{enforcement}"/>'
    draft = Draft.of(p("old words"), settings=protection).edit(
        ReplaceText("p1", "old", "new"), tracked=False
    )
    is_enforced = enforcement == "1"
    assert draft.redline == ["[-old-]{+new+} words" if is_enforced else "new words"]
    assert draft.report is not None
    assert bool(draft.report.revisions) is is_enforced
    warnings = draft.report.warnings
    assert any("tracked changes only" in warning for warning in warnings) is is_enforced


@pytest.mark.thorough
def test_56_replacing_everywhere_in_a_long_document_takes_linear_time() -> None:
    small, large = (docx(p("The Supplier shall pay. ") * n) for n in (50, 200))

    def replaced(data: bytes) -> None:
        plan = EditPlan("edit", "", (FindReplace("shall", "must"),))
        apply(data, initial_state(data), plan, Signature("e", US, DATE, tracked=True))

    assert lines(lambda: replaced(large)) < 5 * lines(lambda: replaced(small))


def test_57_comments_stay_when_all_changes_are_accepted() -> None:
    reference = (
        '<w:commentRangeStart w:id="0"/>' + r("said") + '<w:commentRangeEnd w:id="0"/>'
        '<w:r><w:commentReference w:id="0"/></w:r>'
    )
    comments = f'<w:comment w:id="0" w:author="Ann">{p("why?")}</w:comment>'
    draft = Draft.of(p(reference, " more"), p("x"), comments=comments)
    made = draft.edit(DeleteBlocks("p1", "p1")).decide("accept", Selection(all=True))
    assert "commentReference" in made.body
    assert members(made.data)["word/comments.xml"] == members(draft.data)["word/comments.xml"]


# Beyond the list


def test_an_ambiguous_quote_is_refused_and_an_occurrence_chooses() -> None:
    draft = Draft.of(p("a b a b a"))
    with pytest.raises(AmbiguousError, match="3 times"):
        draft.edit(ReplaceText("p1", "a", "x"))
    assert draft.edit(ReplaceText("p1", "a", "x", 2)).accepted == ["a b x b a"]
    with pytest.raises(NotFoundError):
        draft.edit(ReplaceText("p1", "a", "x", 4))


def test_a_picture_inside_the_words_that_change_stays() -> None:
    draft = replaced(
        "one ", picture("rId9", alt="A duck"), "two", find="one two", by="three",
        relations={"rId9": ("image", "media/image1.png")},
    )  # fmt: skip
    assert draft.body.count("<w:drawing>") == 1


def test_each_inserted_word_keeps_the_edit_that_wrote_it() -> None:
    draft = Draft.of(p("The end.")).edit(ReplaceText("p1", "end", "end of the long story"))
    draft = draft.edit(ReplaceText("p1", "long", "short"))
    (change,) = draft.changes
    assert change.edits == ("e1", "e2")
    assert draft.redline == ["The end{+ of the +}{+short+}{+ story+}."]
    assert set(decode(draft.state).ours.values()) == {"e1", "e2"}


def test_a_failed_edit_of_many_changes_nothing() -> None:
    draft = Draft.of(p("one two"))
    with pytest.raises(EditError):
        draft.edit(ReplaceText("p1", "one", "1"), ReplaceText("p1", "three", "3"))
    with pytest.raises(PlanError, match="same words"):
        draft.edit(ReplaceText("p1", "one two", "1"), ReplaceText("p1", "two", "2"))


def test_bold_and_italic_that_are_asked_for_are_set() -> None:
    draft = Draft.of(p("The Term begins")).edit(ReplaceText("p1", "Term", "**Effective Date**"))
    assert ("Effective Date", "b,bCs") in runs(draft.data)
    again = Draft.of(p(r("all bold", "<w:b/>"))).edit(RewriteBlock("p1", "**all** thin"))
    assert again.redline == ["all [-bold-]{+thin+}"]
    assert ("thin", "b,bCs") in runs(again.data)
    assert '<w:b w:val="0"/>' in again.body
