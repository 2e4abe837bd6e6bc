"""Moving blocks: deleted where they stood, inserted where they go."""

from __future__ import annotations

from typing import Literal

import pytest

from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    InsertBreak,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    ReplaceText,
    SetField,
    SplitBlock,
)
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import dele, field, footnote, ins, link, note, p, r, table
from tests.oracle import members

LINKED = {"rId9": ("hyperlink", "https://a.example/")}
ALL = Selection(all=True)


def side(where: str) -> Literal["before", "after"]:
    return "before" if where == "before" else "after"


def kept(draft: Draft) -> Draft:
    assert draft.rejected == draft.original
    return draft


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (MoveBlocks("p1", "p1", "p3", "after"), ["b", "x", "c", "a"]),
        (MoveBlocks("p2", "p3", "p1", "before"), ["b", "x", "c", "a"]),
        (MoveBlocks("t1", "t1", "p1", "before"), ["x", "a", "b", "c"]),
        (MoveBlocks("t1", "t1", "p3", "after"), ["a", "b", "c", "x"]),
        (MoveBlocks("p3", "p3", "p1", "before"), ["c", "a", "b", "x"]),
    ],
)
def test_blocks_are_read_where_they_go_and_rejected_to_where_they_were(
    operation: MoveBlocks, said: list[str]
) -> None:
    draft = kept(Draft.of(p("a"), p("b"), table(["x"]), p("c")).edit(operation))
    assert draft.accepted == said
    clean = draft.decide("accept", ALL)
    assert [text for text in clean.redline if text] == said
    assert clean.changes == ()


def test_43_a_clause_moved_and_edited_is_rejected_to_its_words_and_place() -> None:
    draft = Draft.of(p("one"), p("two words"), p("three"))
    moved = draft.edit(MoveBlocks("p2", "p2", "p1", "before")).edit(
        ReplaceText("p1", "words", "things")
    )
    assert kept(moved).accepted == ["two things", "one", "three"]
    assert "moveFrom" not in moved.body


def test_a_copy_carries_links_and_fields_as_runs_that_rejecting_takes_away() -> None:
    content = ("see ", link("rId9", "here"), " and ", field("REF x", "Sec 7"))
    draft = Draft.of(p(*content), p("x"), relations=LINKED)
    moved = kept(draft.edit(MoveBlocks("p1", "p1", "p2", "after")))
    assert ' HYPERLINK "https://a.example/" ' in moved.body
    assert moved.body.count("<w:hyperlink") == 1
    assert moved.accepted == ["x", "see here and Sec 7"]


def test_changes_of_others_stay_with_the_original_and_the_copy_says_the_final_text() -> None:
    draft = Draft.of(p("a ", ins(r("new"), id=8), dele("old", id=9)), p("x"))
    moved = kept(draft.edit(MoveBlocks("p1", "p1", "p2", "after")))
    assert moved.redline[-1] == "{+a new+}"
    assert [c.id for c in moved.changes if not c.is_ours] == [c.id for c in draft.changes]
    assert 'w:id="9"' in moved.body


def test_our_own_new_blocks_are_put_there_as_they_are() -> None:
    new = (NewBlock("paragraph", "fresh"),)
    draft = Draft.of(p("a"), p("b"), p("c")).edit(InsertBlocks("p1", "after", new))
    moved = kept(draft.edit(MoveBlocks("p2", "p2", "p4", "before")))
    assert moved.redline == ["a", "b", "{+fresh+}{+\u00b6+}", "c"]
    assert moved.changes[0].edits == ("e1",)


def test_a_block_moved_back_has_no_mark() -> None:
    draft = Draft.of(p("a", style="A"), p("b ", link("rId9", "l")), p("c"), relations=LINKED)
    back = draft.edit(MoveBlocks("p2", "p2", "p1", "before")).edit(
        MoveBlocks("p1", "p1", "p4", "before")
    )
    assert kept(back).body == draft.body


def test_paragraph_ids_are_not_repeated_and_bookmarks_stay_with_a_warning() -> None:
    marked = (
        '<w:p w14:paraId="00000001"><w:bookmarkStart w:id="7" w:name="here"/>'
        f'{r("a")}<w:bookmarkEnd w:id="7"/></w:p>'
    )
    draft = Draft.of(marked, p("x ", field("REF here", "a")), p("y"))
    moved = kept(draft.edit(MoveBlocks("p1", "p1", "p3", "before")))
    assert moved.body.count("paraId") == moved.body.count("bookmarkStart") == 1
    assert moved.report is not None
    assert "Cross-references" in moved.report.warnings[0]


def test_two_tables_never_come_to_touch() -> None:
    draft = Draft.of(p("a"), table(["x"]), p("b"), table(["y"]), p("c"))
    moved = kept(draft.edit(MoveBlocks("t2", "t2", "t1", "after")))
    assert moved.accepted == ["a", "x", "y", "b", "c"]
    assert moved.redline[2] == "{+\u00b6+}"


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (MoveBlocks("p1", "p2", "p2", "after"), "one of the blocks"),
        (MoveBlocks("p1", "p1", "p2", "before"), "already"),
        (MoveBlocks("p1", "p1", "t1.r1.c1.p1", "after"), "story or cell"),
        (MoveBlocks("p2", "p1", "p3", "after"), "stands before"),
    ],
)
def test_a_place_that_makes_no_sense_is_refused(operation: MoveBlocks, said: str) -> None:
    with pytest.raises(PlanError, match=said):
        Draft.of(p("a"), p("b"), table(["x"]), p("c")).edit(operation)


def test_text_that_cannot_be_copied_is_refused_with_what_to_do() -> None:
    draft = Draft.of(p("a", note("7")), p("b"), footnotes=footnote("2", p("n")))
    with pytest.raises(RefusedError, match="does not have"):
        draft.edit(MoveBlocks("p1", "p1", "p2", "after"))


CONTROL = (
    '<w:sdt><w:sdtPr><w:tag w:val="fee"/><w:id w:val="77"/><w:text/></w:sdtPr>'
    f"<w:sdtContent>{r('ten')}</w:sdtContent></w:sdt>"
)
LINED = (p("Fee ", CONTROL, " net"), p("second clause"), p("third clause"))


def test_a_content_control_goes_with_the_text_that_is_moved() -> None:
    draft = Draft.of(*LINED)
    made = kept(draft.edit(MoveBlocks("p1", "p1", "p2", "after")))
    assert made.redline[2] == "{+Fee ten net+}{+\u00b6+}"
    assert made.accepted == ["second clause", "Fee ten net", "third clause"]
    assert made.body.count('<w:tag w:val="fee"/>') == 2
    assert made.body.count('<w:id w:val="77"/>') == 1
    assert made.report is not None
    assert ["deleted and inserted, not as moved" in w for w in made.report.warnings] == [True]
    assert len(made.changes) == 2
    assert made.body.count("customXmlDelRangeStart") == 2
    assert made.body.count("customXmlInsRangeStart") == 2
    assert set(errors(made.data)) <= set(errors(draft.data))
    rejected = made.decide("reject", ALL)
    assert rejected.body == draft.body
    accepted = made.decide("accept", ALL)
    assert accepted.body.count("ten</w:t>") == 1
    filled = accepted.edit(SetField("cc1", "twenty"))
    assert filled.redline[1] == "Fee [-ten-]{+twenty+} net"
    plain = draft.edit(MoveBlocks("p1", "p1", "p2", "after"), tracked=False)
    assert plain.accepted == made.accepted


def test_a_control_that_was_moved_goes_back_without_a_mark() -> None:
    draft = Draft.of(*LINED)
    made = draft.edit(MoveBlocks("p1", "p1", "p2", "after"))
    back = made.edit(MoveBlocks("p3", "p3", "p2", "before"))
    assert back.changes == ()
    assert back.body == draft.body


def test_around_a_moved_control_words_change_and_in_it_only_after_the_move_is_accepted() -> None:
    made = Draft.of(*LINED).edit(MoveBlocks("p1", "p1", "p2", "after"))
    around = kept(made.edit(ReplaceText("p3", "net", "gross")))
    assert around.accepted[1] == "Fee ten gross"
    whole = kept(made.edit(ReplaceText("p3", "Fee ten net", "No fee")))
    assert whole.accepted[1] == "No fee"
    assert whole.body.count("<w:sdt>") == 1
    for quote in ("ten", "te", "Fee te"):
        with pytest.raises(RefusedError, match="accept the move first"):
            made.edit(ReplaceText("p3", quote, "x"))
    gone = kept(made.edit(DeleteBlocks("p3", "p3")))
    assert gone.accepted == ["second clause", "third clause"]


@pytest.mark.parametrize("level", ["rows", "cell", "blocks", "words"])
def test_a_table_with_controls_is_moved_with_them(level: str) -> None:
    def held(content: str) -> str:
        properties = '<w:sdtPr><w:id w:val="78"/></w:sdtPr>'
        return f"<w:sdt>{properties}<w:sdtContent>{content}</w:sdtContent></w:sdt>"

    words = held(r("ten")) if level == "words" else r("ten")
    block = held(p(words)) if level == "blocks" else p(words)
    cell = f"<w:tc>{block}{p('x')}</w:tc>"
    row = f"<w:tr>{held(cell) if level == 'cell' else cell}</w:tr>"
    rows = held(row) if level == "rows" else row
    grid = '<w:tblPr/><w:tblGrid><w:gridCol w:w="1000"/></w:tblGrid>'
    draft = Draft.of(p("a"), f"<w:tbl>{grid}{rows}</w:tbl>", p("b"), p("c"))
    made = kept(draft.edit(MoveBlocks("t1", "t1", "p2", "after")))
    assert made.accepted == ["a", "b", "ten", "x", "c"]
    assert set(errors(made.data)) <= set(errors(draft.data))
    assert made.decide("reject", ALL).body == draft.body
    assert made.decide("accept", ALL).body.count("<w:sdt>") == 1
    assert made.report is not None
    assert any("empty control" in each for each in made.report.warnings) is (
        level in ("rows", "cell")
    )
    back = made.edit(MoveBlocks("t2", "t2", "p2", "before"))
    assert back.changes == ()


MARKED = f"<w:r><w:footnoteRef/></w:r>{r(' my ')}{r('note', '<w:b/>')}"


def test_a_section_break_of_ours_cannot_be_moved_to_the_end() -> None:
    draft = Draft.of(p("a"), p("b"), p("c")).edit(InsertBreak("p1", "after", "section"))
    assert draft.redline[1] == "{+\u00b6+}"
    with pytest.raises(RefusedError, match="cannot be moved to the end of the document"):
        draft.edit(MoveBlocks("p2", "p2", "p4", "after"))
    assert kept(draft.edit(MoveBlocks("p2", "p2", "p4", "before"))).accepted == ["a", "b", "c"]


def with_note(kind: Literal["footnote", "endnote"]) -> Draft:
    content = p(MARKED.replace("footnote", kind))
    notes = footnote("2", content, p("more"), kind=kind) + footnote("5", p("x"), kind=kind)
    body = (p("a", note("2", kind=kind), " b"), p("c"), p("d"))
    if kind == "footnote":
        return Draft.of(*body, footnotes=notes)
    return Draft.of(*body, endnotes=notes)


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_a_note_of_moved_text_is_copied_and_each_side_keeps_exactly_one(
    kind: Literal["footnote", "endnote"],
) -> None:
    start = with_note(kind)
    part = f"word/{kind}s.xml"
    moved = kept(start.edit(MoveBlocks("p1", "p1", "p3", "before")))
    if kind == "footnote":
        assert moved.redline == ["[-a^ b-][-\u00b6-]", "c", "{+a^ b+}{+\u00b6+}", "d"]
    assert len(moved.changes) == 2
    assert members(moved.data)[part].count(b"note</w:t>") == 2
    accepted = moved.decide("accept", ALL)
    assert members(accepted.data)[part].count(b"note</w:t>") == 1
    assert f'{kind}Reference w:id="6"' in accepted.body
    rejected = moved.decide("reject", ALL)
    assert members(rejected.data)[part] == members(start.data)[part]
    assert rejected.body == start.body
    plain = start.edit(MoveBlocks("p1", "p1", "p3", "before"), tracked=False)
    assert members(plain.data)[part].count(b"note</w:t>") == 1


def test_text_with_a_note_that_is_moved_back_has_its_old_note_and_no_mark() -> None:
    start = with_note("footnote")
    moved = start.edit(MoveBlocks("p1", "p1", "p3", "before"))
    back = kept(moved.edit(MoveBlocks("p3", "p3", "p2", "before")))
    assert back.body == start.body
    assert back.changes == ()
    assert members(back.data)["word/footnotes.xml"] == members(start.data)["word/footnotes.xml"]


def test_a_note_that_was_edited_after_the_move_is_not_the_old_one_again() -> None:
    moved = with_note("footnote").edit(MoveBlocks("p1", "p1", "p3", "before"))
    said = [block for block in ("fn1.p2", "fn2.p2") if edited(moved, block)]
    assert said
    for anchor in said:
        changed = kept(moved.edit(ReplaceText(anchor, "more", "other")))
        back = kept(changed.edit(MoveBlocks("p3", "p3", "p2", "before")))
        assert any("other" in change.after for change in back.changes)


def edited(draft: Draft, anchor: str) -> bool:
    """Whether the second paragraph of a note is one that we inserted."""
    made = draft.edit(ReplaceText(anchor, "more", "other"))
    return b"<w:delText>more" not in members(made.data)["word/footnotes.xml"].replace(
        b' xml:space="preserve"', b""
    )


def test_deleting_moved_text_takes_the_copy_of_its_note_along() -> None:
    start = with_note("footnote")
    moved = start.edit(MoveBlocks("p1", "p1", "p3", "before"))
    gone = kept(moved.edit(DeleteBlocks("p3", "p3")))
    assert members(gone.data)["word/footnotes.xml"] == members(start.data)["word/footnotes.xml"]


def test_an_untracked_move_leaves_the_blocks_in_their_new_order() -> None:
    draft = Draft.of(p("a"), p("b"), p("c"))
    moved = draft.edit(MoveBlocks("p1", "p1", "p3", "before"), tracked=False)
    assert moved.redline == ["b", "a", "c"]
    assert moved.edit(DeleteBlocks("p2", "p2"), tracked=False).redline == ["b", "c"]


@pytest.mark.parametrize("style", ["", "B"])
@pytest.mark.parametrize(
    ("part", "there", "back"),
    [
        ("p1", ("p3", "after"), ("p3", "p1", "before")),
        ("p1", ("p2", "after"), ("p2", "p1", "before")),
        ("p2", ("p3", "after"), ("p4", "p1", "after")),
        ("p2", ("p1", "before"), ("p1", "p2", "after")),
    ],
)
def test_a_part_of_a_split_paragraph_moved_and_brought_back_and_merged_has_no_mark(
    style: str, part: str, there: tuple[str, str], back: tuple[str, str, str]
) -> None:
    start = Draft.of(p("aa bb", style=style), p("cc"), p("dd"))
    split = kept(start.edit(SplitBlock("p1", "bb")))
    moved = kept(split.edit(MoveBlocks(part, part, there[0], side(there[1]))))
    again = kept(moved.edit(MoveBlocks(back[0], back[0], back[1], side(back[2]))))
    assert again.accepted == split.accepted
    whole = kept(again.edit(MergeBlocks("p1", "p2")))
    assert whole.redline == start.redline
    assert whole.changes == ()


def test_no_mark_of_a_paragraph_is_both_inserted_and_deleted_by_us() -> None:
    start = Draft.of(p("aa bb"), p("cc"), p("dd"))
    split = start.edit(SplitBlock("p1", "bb"))
    first = kept(split.edit(MoveBlocks("p1", "p1", "p3", "after")))
    assert first.redline == ["[-aa -]bb", "cc", "{+aa +}{+\u00b6+}", "dd"]
    assert kept(split.edit(DeleteBlocks("p1", "p2"))).redline[0] == "[-aa -][-bb-][-\u00b6-]"
    last = kept(first.edit(DeleteBlocks("p4", "p4")))
    assert last.redline == ["[-aa -]bb", "cc", "{+aa +}[-dd-]"]
