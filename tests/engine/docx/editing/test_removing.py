"""Deleting paragraphs and tables that hold, or stand beside, marks of earlier edits."""

from __future__ import annotations

from engine.plan import (
    AddComment,
    DeleteBlocks,
    DeleteColumn,
    DeleteTable,
    InsertBlocks,
    InsertColumn,
    InsertRow,
    InsertTable,
    NewBlock,
    ReplaceText,
    SetParagraph,
)
from engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import p, table
from tests.oracle import judged, keep

ALL = Selection(all=True)
NEW = NewBlock("paragraph", "new")


def test_the_only_paragraph_of_a_new_cell_is_emptied_and_stays() -> None:
    start = Draft.of(p("a"), table(["b", "c"]), p("d"))
    draft = start.edit(InsertRow("t1.r1", "after", ("x", "y")))
    emptied = draft.edit(DeleteBlocks("t1.r2.c1.p1", "t1.r2.c1.p1"))
    assert emptied.accepted == ["a", "b", "c", "y", "d"]
    assert "<w:tc></w:tc>" not in emptied.body
    assert emptied.body.count("<w:tc>") == emptied.body.count("</w:p></w:tc>") == 4
    assert emptied.rejected == start.original


def test_what_was_changed_of_a_last_paragraph_is_recorded_when_the_one_behind_it_goes() -> None:
    start = Draft.of(p("a"), p("last"))
    draft = start.edit(InsertBlocks("p2", "after", (NEW,)))
    draft = draft.edit(SetParagraph("p2", "p2", "space_before", "12"))
    gone = draft.edit(DeleteBlocks("p3", "p3"))
    assert gone.accepted == ["a", "last"]
    assert gone.rejected == start.original
    assert [change.formatting for change in gone.changes] == [(("space before", "", "12 pt"),)]


def test_a_new_table_goes_with_the_comments_on_its_accepted_words() -> None:
    start = Draft.of(p("a"), p("b"), comments=p("old"))
    draft = start.edit(InsertTable("p1", "after", (("one two", "c"),)))
    draft = draft.edit(ReplaceText("t1.r1.c1.p1", "one", "three"), tracked=False)
    draft = draft.edit(AddComment("t1.r1.c1.p1", "two", "Why?"))
    gone = draft.edit(DeleteTable("t1"))
    assert gone.redline[:2] == ["a", "b"]
    assert "commentReference" not in gone.body


def test_a_table_of_which_every_column_is_new_goes_when_they_are_rejected() -> None:
    draft = Draft.of(p("a"), table(["b"], ["c"]), p("d"))
    draft = draft.edit(InsertColumn("t1.r1.c1", "after", ("x", "y")))
    draft = draft.edit(DeleteColumn("t1.r1.c1"), tracked=False)
    gone = draft.decide("reject", ALL)
    assert judged(gone.data, keep) == draft.rejected
    assert "<w:tbl>" not in gone.body
