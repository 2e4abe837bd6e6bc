"""Moving blocks: deleted where they stood, inserted where they go."""

from __future__ import annotations

import pytest

from engine.errors import PlanError, RefusedError
from engine.plan import DeleteBlocks, InsertBlocks, MoveBlocks, NewBlock, ReplaceText
from engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import dele, field, footnote, ins, link, note, p, r, table

LINKED = {"rId9": ("hyperlink", "https://a.example/")}
ALL = Selection(all=True)


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
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{r('x')}</w:sdtContent></w:sdt>"
    draft = Draft.of(p(control), p("a", note("2")), p("b"), footnotes=footnote("2", p("n")))
    with pytest.raises(RefusedError, match="content control"):
        draft.edit(MoveBlocks("p1", "p1", "p3", "after"))
    with pytest.raises(RefusedError, match="delete the note first"):
        draft.edit(MoveBlocks("p2", "p2", "p3", "after"))


def test_an_untracked_move_leaves_the_blocks_in_their_new_order() -> None:
    draft = Draft.of(p("a"), p("b"), p("c"))
    moved = draft.edit(MoveBlocks("p1", "p1", "p3", "before"), tracked=False)
    assert moved.redline == ["b", "a", "c"]
    assert moved.edit(DeleteBlocks("p2", "p2"), tracked=False).redline == ["b", "c"]
