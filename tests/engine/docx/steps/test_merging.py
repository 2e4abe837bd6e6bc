"""Splitting and merging paragraphs: marks only, no word repeated."""

from __future__ import annotations

import pytest

from redraft.engine.errors import AmbiguousError, NotFoundError, PlanError, RefusedError
from redraft.engine.plan import InsertBlocks, MergeBlocks, NewBlock, ReplaceText, SplitBlock
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import (
    dele,
    field,
    footnote,
    ins,
    link,
    listed,
    note,
    p,
    picture,
    r,
    table,
    textbox,
)

LINKED = {"rId9": ("hyperlink", "https://a.example/")}
SECTION = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
CONTROL = (
    '<w:sdt><w:sdtPr><w:id w:val="5"/></w:sdtPr>'
    f"<w:sdtContent>{r('fill in here')}</w:sdtContent></w:sdt>"
)


def kept(draft: Draft) -> Draft:
    """The draft, after law 1 was seen to hold by an independent reader."""
    assert draft.rejected == draft.original
    return draft


# Splitting


def test_a_split_inserts_a_mark_and_repeats_no_word() -> None:
    draft = kept(Draft.of(p("One two. Three four.")).edit(SplitBlock("p1", "Three")))
    assert draft.redline == ["One two. {+\u00b6+}", "Three four."]
    assert draft.accepted == ["One two. ", "Three four."]
    assert [change.kind for change in draft.changes] == ["paragraph"]


def test_39_a_paragraph_split_into_three_has_two_inserted_marks_and_no_text_twice() -> None:
    draft = Draft.of(p("One two. Three four. Five six."))
    found = kept(draft.edit(SplitBlock("p1", "Five"), SplitBlock("p1", "Three")))
    assert found.redline == ["One two. {+\u00b6+}", "Three four. {+\u00b6+}", "Five six."]


def test_both_parts_of_a_list_item_belong_to_the_list() -> None:
    draft = kept(Draft.of(listed("One two", num=3, level=1)).edit(SplitBlock("p1", "two")))
    assert draft.body.count('<w:ilvl w:val="1"/><w:numId w:val="3"/>') == 2


def test_a_section_stays_with_the_last_part() -> None:
    draft = kept(Draft.of(p("One two", properties=SECTION), p("x")).edit(SplitBlock("p1", "two")))
    front, _, rest = draft.body.partition("</w:p>")
    assert "sectPr" not in front
    assert rest.startswith(f"<w:p><w:pPr>{SECTION}</w:pPr>")


def test_a_split_run_keeps_its_formatting_on_both_sides() -> None:
    draft = kept(Draft.of(p(r("bold words", "<w:b/>"))).edit(SplitBlock("p1", "words")))
    assert draft.body.count("<w:rPr><w:b/></w:rPr>") == 2


@pytest.mark.parametrize(
    ("content", "find", "front"),
    [
        (("a ", note("2"), "b c"), "b c", "a ^"),
        (("a ", field("REF x", "Sec 7"), " b"), "Sec 7", "a "),
        (("a ", link("rId9", "our terms"), " b"), "our terms", "a "),
        (
            ("a ", '<w:bookmarkStart w:id="7" w:name="x"/>', "b", '<w:bookmarkEnd w:id="7"/>'),
            "b",
            "a ",
        ),
        (("a ", ins(r("they wrote")), " b"), "wrote", "a <+they +>"),
        (("a ", dele("gone"), "b"), "b", "a <-gone->"),
        ((r("a "), picture("rId5"), r("b")), "b", "a #"),
    ],
)
def test_what_stands_before_the_place_stays_in_front(
    content: tuple[str, ...], find: str, front: str
) -> None:
    draft = Draft.of(p(*content), p("x"), footnotes=footnote("2", p("A note.")), relations=LINKED)
    found = kept(draft.edit(SplitBlock("p1", find)))
    assert found.redline[0] == f"{front}{{+\u00b6+}}"


def test_a_divided_insertion_of_another_author_stays_theirs_on_both_sides() -> None:
    draft = kept(Draft.of(p("a ", ins(r("they wrote"), id=9))).edit(SplitBlock("p1", "wrote")))
    assert [(c.author, c.after) for c in draft.changes if not c.is_ours] == [
        ("Ann", "they "),
        ("Ann", "wrote"),
    ]


def test_our_own_words_are_divided_without_an_id_twice() -> None:
    draft = Draft.of(p("a b")).edit(ReplaceText("p1", "b", "new words"))
    found = kept(draft.edit(SplitBlock("p1", "words")))
    assert found.redline == ["a [-b-]{+new +}{+\u00b6+}", "{+words+}"]
    assert kept(
        found.decide("reject", Selection(ids=tuple(c.id for c in found.changes)))
    ).redline == ["a b"]


@pytest.mark.parametrize(
    ("content", "find", "said"),
    [
        (link("rId9", "our terms"), "terms", "inside a hyperlink"),
        (CONTROL, "in here", "inside a content control"),
        (field("REF x", "Section 7"), "7", "inside a computed field"),
        (f"<w:smartTag>{r('one two')}</w:smartTag>", "two", "inside marked-up text"),
    ],
)
def test_what_cannot_be_divided_is_refused(content: str, find: str, said: str) -> None:
    draft = Draft.of(p("a ", content, " b"), relations=LINKED)
    with pytest.raises(RefusedError, match=said):
        draft.edit(SplitBlock("p1", find))


def test_the_place_must_be_there_once_and_not_at_the_beginning() -> None:
    draft = Draft.of(p("one two one"))
    with pytest.raises(NotFoundError):
        draft.edit(SplitBlock("p1", "three"))
    with pytest.raises(AmbiguousError, match="2 times"):
        draft.edit(SplitBlock("p1", "one"))
    with pytest.raises(PlanError, match="begins with"):
        draft.edit(SplitBlock("p1", "one two"))


def test_new_blocks_beside_a_split_one_stand_around_both_parts() -> None:
    new = (NewBlock("paragraph", "x"),)
    draft = Draft.of(p("One two"), p("end"))
    plan = (SplitBlock("p1", "two"), InsertBlocks("p1", "after", new))
    assert kept(draft.edit(*plan)).accepted == ["One ", "two", "x", "end"]


# Merging


def test_merged_paragraphs_lose_the_mark_between_them() -> None:
    draft = kept(Draft.of(p("One "), p("two"), p("x")).edit(MergeBlocks("p1", "p2")))
    assert draft.redline == ["One [-\u00b6-]", "two", "x"]
    assert draft.accepted == ["One two", "x"]


def test_40_of_different_styles_the_first_one_stays_and_rejecting_restores_both() -> None:
    draft = Draft.of(p("Head", style="Heading1"), p("body", style="Body"))
    found = kept(draft.edit(MergeBlocks("p1", "p2")))
    assert "<w:pPrChange" in found.body
    assert ("style", "Body", "Heading1") in [f for c in found.changes for f in c.formatting]
    ours = Selection(ids=tuple(change.id for change in found.changes))
    assert found.decide("reject", ours).body == draft.body
    accepted = found.decide("accept", ours)
    assert accepted.redline == ["Headbody"]
    assert accepted.body.count("<w:pStyle") == 1
    assert '<w:pStyle w:val="Heading1"/>' in accepted.body


def test_an_empty_paragraph_in_front_lends_no_style() -> None:
    draft = kept(
        Draft.of(p(style="Heading1"), p("body", style="Body")).edit(MergeBlocks("p1", "p2"))
    )
    assert "pPrChange" not in draft.body


def test_the_look_that_another_author_changed_is_left_and_said() -> None:
    change = (
        '<w:jc w:val="center"/><w:pPrChange w:id="4" w:author="Ann" '
        'w:date="2026-01-02T03:04:05Z"><w:pPr/></w:pPrChange>'
    )
    draft = kept(Draft.of(p("a"), p("b", properties=change)).edit(MergeBlocks("p1", "p2")))
    assert draft.report is not None
    assert "another author has changed" in draft.report.warnings[0]
    assert draft.body.count("pPrChange w:id") == 1


def test_several_paragraphs_become_one() -> None:
    draft = kept(Draft.of(p("a"), p("b"), p("c"), p("d")).edit(MergeBlocks("p1", "p3")))
    assert draft.accepted == ["abc", "d"]


def test_text_boxes_of_merged_paragraphs_keep_their_text() -> None:
    box = textbox(p("in the box"))
    draft = Draft.of(p("a", f"<w:r>{box}</w:r>"), p("b"), p("c"))
    found = kept(draft.edit(MergeBlocks("p1", "p2")))
    assert found.accepted == [*draft.accepted[:-3], "ab", "c"]


@pytest.mark.parametrize(
    ("between", "last", "said"),
    [
        (table(["x"]), "p2", "A table stands between"),
        (f"<w:sdt><w:sdtContent>{p('x')}</w:sdtContent></w:sdt>", "p3", "Something other than"),
        (p("x", properties=SECTION), "p3", "A section ends between"),
    ],
)
def test_what_stands_between_paragraphs_keeps_them_apart(
    between: str, last: str, said: str
) -> None:
    draft = Draft.of(p("a"), between, p("b"))
    with pytest.raises((RefusedError, PlanError), match=said):
        draft.edit(MergeBlocks("p1", last))


# There and back


@pytest.mark.parametrize("style", ["", "Body"])
def test_a_split_that_is_merged_again_leaves_no_mark(style: str) -> None:
    draft = Draft.of(p("One two three", style=style), p("x"))
    back = kept(draft.edit(SplitBlock("p1", "three")).edit(MergeBlocks("p1", "p2")))
    assert back.changes == ()
    assert back.redline == draft.redline


@pytest.mark.parametrize("style", ["", "Body"])
def test_a_merge_that_is_split_again_leaves_no_mark(style: str) -> None:
    draft = Draft.of(p("One ", style=style), p("two"), p("x"))
    back = kept(draft.edit(MergeBlocks("p1", "p2")).edit(SplitBlock("p1", "two")))
    assert back.changes == ()
    assert back.body == draft.body


def test_words_that_come_back_beside_a_mark_that_goes_lose_their_marks() -> None:
    draft = Draft.of(p("One two three"))
    changed = draft.edit(ReplaceText("p1", "two", "2")).edit(SplitBlock("p1", "three"))
    back = changed.edit(MergeBlocks("p1", "p2")).edit(ReplaceText("p1", "2", "two"))
    assert kept(back).changes == ()


def test_an_untracked_merge_leaves_one_paragraph() -> None:
    draft = Draft.of(p("a", style="A"), p("b")).edit(MergeBlocks("p1", "p2"), tracked=False)
    assert draft.redline == ["ab"]
    assert draft.changes == ()


def test_of_equal_quotes_the_occurrence_chooses_where_a_paragraph_begins() -> None:
    made = kept(Draft.of(p("so a, so b")).edit(SplitBlock("p1", "so", 2)))
    assert made.redline == ["so a, {+\u00b6+}", "so b"]


@pytest.mark.parametrize("is_split_first", [False, True])
def test_a_paragraph_is_merged_and_split_elsewhere_by_one_plan(*, is_split_first: bool) -> None:
    start = Draft.of(p("one two "), p("three four"), p("five"))
    plan = (SplitBlock("p1", "two"), MergeBlocks("p1", "p2"))
    made = start.edit(*(plan if is_split_first else plan[::-1]))
    assert made.accepted == ["one ", "two three four", "five"]
    assert made.rejected == start.original
