"""Deleting paragraphs and tables that hold, or stand beside, marks of earlier edits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.docx.editing import structure
from engine.docx.names import W_P, W_TBL, Element
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


def test_a_long_deletion_looks_at_each_mark_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    look = structure.is_mark_deleted

    def counted(paragraph: Element) -> bool:
        nonlocal looks
        looks += 1
        return look(paragraph)

    monkeypatch.setattr(structure, "is_mark_deleted", counted)
    draft = Draft.of(*(p(f"word {number}") for number in range(200)), p("end"))
    gone = draft.edit(DeleteBlocks("p1", "p200"))
    assert gone.accepted == ["end"]
    assert looks < 10 * 200


THEIRS = "<w:rPr><w:del w:id='9' w:author='Ann'/></w:rPr>"
BLOCKS = st.sampled_from(
    [
        *[p("a")] * 5,
        p("gone", properties=THEIRS),
        p("section", properties="<w:sectPr/>"),
        table(["t"]),
        "<w:bookmarkStart w:id='7' w:name='b'/>",
    ]
)


@settings(max_examples=30)
@given(st.lists(BLOCKS, max_size=10), st.sampled_from(["", p("end"), table(["t"])]))
def test_a_stretch_keeps_the_marks_that_looking_at_every_neighbour_keeps(
    inside: list[str], end: str
) -> None:
    start = Draft.of(p("x"), *inside, p("y"), end)
    last = sum(block.startswith("<w:p>") for block in inside) + 2

    def plain(block: Element, skips: structure.Skips) -> Element | None:
        other = block.getnext()
        while other is not None and (
            other.tag not in (W_P, W_TBL) or (other.tag == W_P and structure.is_mark_deleted(other))
        ):
            other = other.getnext()
        return other

    stretch = DeleteBlocks("p1", f"p{last}")
    made = start.edit(stretch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structure, "_next_kept", plain)
        assert start.edit(stretch).body == made.body
    assert made.rejected == start.original
