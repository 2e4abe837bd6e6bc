"""Deleting paragraphs and tables that hold, or stand beside, marks of earlier edits."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from redraft.engine.docx.editing import tracked_blocks
from redraft.engine.docx.judging.validity import faults
from redraft.engine.docx.names import W_P, W_TBL, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import (
    AddComment,
    DeleteBlocks,
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    InsertBlocks,
    InsertBreak,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    InsertTable,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetParagraph,
    SplitBlock,
)
from redraft.engine.report import Selection
from tests.engine.redlining import US, Draft
from tests.engine.wordml import footnote, note, p, table, tc
from tests.oracle import judged, keep, only, texts

ALL = Selection(all=True)
NOTE = footnote("2", p("old"))
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
    look = tracked_blocks.is_mark_deleted

    def counted(paragraph: Element) -> bool:
        nonlocal looks
        looks += 1
        return look(paragraph)

    monkeypatch.setattr(tracked_blocks, "is_mark_deleted", counted)
    draft = Draft.of(*(p(f"word {number}") for number in range(200)), p("end"))
    gone = draft.edit(DeleteBlocks("p1", "p200"))
    assert gone.accepted == ["end"]
    assert looks < 10 * 200


TABLES = (p("a"), table(["r1"]), p("b"), table(["r2"]), p("c"), table(["r3"]), p("d"))


@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize(
    ("operation", "left"),
    [
        (DeleteBlocks("t1", "t2"), ["a", "c", "r3", "d"]),
        (DeleteBlocks("t1", "p2"), ["a", "r2", "c", "r3", "d"]),
        (DeleteBlocks("p2", "t2"), ["a", "r1", "c", "r3", "d"]),
        (MoveBlocks("t1", "t2", "p4", "before"), ["a", "c", "r3", "r1", "b", "r2", "d"]),
    ],
)
def test_a_paragraph_between_tables_that_go_leaves_no_empty_one(
    operation: Operation, left: list[str], tracked: bool
) -> None:
    draft = Draft.of(*TABLES)
    made = draft.edit(operation, tracked=tracked)
    accepted = judged(made.data, lambda _: "accept")["word/document.xml"]
    texts_left = [each.text for each in accepted if each.properties is None or each.pieces]
    empty = 1 if isinstance(operation, MoveBlocks) else 0  # between two tables there must be one
    assert [text for text in texts_left if text] == left
    assert texts_left.count("") <= empty
    if tracked:
        assert made.rejected == draft.original


def test_a_row_of_ours_goes_with_its_table_and_leaves_no_mark_of_a_mark() -> None:
    draft = Draft.of(p("a"), table(["r1"], ["r2"]), p("end"))
    made = draft.edit(InsertRow("t1.r1", "after", ("new",))).edit(DeleteTable("t1"))
    assert made.body.count("<w:tr>") == 2
    assert made.rejected == draft.original
    assert made.accepted == ["a", "end"]


def test_a_section_break_of_ours_goes_though_its_paragraph_must_end_the_story() -> None:
    draft = Draft.of(p("a")).edit(SetParagraph("p1", "p1", "alignment", "center"))
    broken = draft.edit(InsertBreak("p1", "after", "section"))
    assert broken.body.count("<w:sectPr>") == 2
    new = InsertTable("p1", "after", (("cell",),), header_row=False)
    made = broken.edit(new, DeleteBlocks("p2", "p3"))
    assert made.body.count("<w:sectPr>") == 1
    assert made.accepted == ["a", "cell"]
    assert made.rejected == draft.original


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
@pytest.mark.thorough
def test_a_stretch_keeps_the_marks_that_looking_at_every_neighbour_keeps(
    inside: list[str], end: str
) -> None:
    start = Draft.of(p("x"), *inside, p("y"), end)
    last = sum(block.startswith("<w:p>") for block in inside) + 2

    def plain(block: Element, skips: tracked_blocks.Skips) -> Element | None:
        other = block.getnext()
        while other is not None and (
            other.tag not in (W_P, W_TBL)
            or (other.tag == W_P and tracked_blocks.is_mark_deleted(other))
            or (other.tag == W_TBL and b"<w:trPr><w:del" in etree.tostring(other))
        ):
            other = other.getnext()
        return other

    stretch = DeleteBlocks("p1", f"p{last}")
    made = start.edit(stretch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracked_blocks, "_next_kept", plain)
        assert start.edit(stretch).body == made.body
    assert made.rejected == start.original


def story_of(story: str, blocks: list[str]) -> tuple[Draft, str]:
    """A draft with blocks in a story, and how the anchors of these begin."""
    body = "".join(blocks)
    if story == "body":
        return Draft.of(body), "p"
    if story == "header":
        return Draft.of(p("x"), headers=[body]), "h1.p"
    if story == "footnote":
        return Draft.of(p("x", note("2")), footnotes=footnote("2", body)), "fn1.p"
    row = f"<w:tbl><w:tr>{tc(body)}{tc(p('y'))}</w:tr></w:tbl>"
    return Draft.of(p("x"), row, p("z")), "t1.r1.c1.p"


@pytest.mark.parametrize("story", ["body", "header", "footnote", "cell"])
@pytest.mark.parametrize("style", ["", "Heading1"])
@pytest.mark.parametrize(("at", "where"), [(1, "before"), (1, "after"), (2, "after")])
def test_a_whole_story_is_deleted_with_the_paragraphs_inserted_in_it(
    story: str, style: str, at: int, where: Literal["before", "after"]
) -> None:
    start, prefix = story_of(story, [p("one"), p("two", style=style)])
    heading = NewBlock("heading1", "new too")
    draft = start.edit(InsertBlocks(f"{prefix}{at}", where, (NEW, heading)))
    for last in range(1, 5):
        gone = draft.edit(DeleteBlocks(f"{prefix}1", f"{prefix}{last}"))
        assert gone.rejected == start.original
        assert judged(gone.decide("reject", ALL).data, keep) == start.original
        if last == 4:
            said = texts(judged(gone.data, only(US, "accept")))
            assert not {"one", "two", "new", "new too"} & {
                t for held in said.values() for t in held
            }


@pytest.mark.parametrize("story", ["body", "header", "footnote", "cell"])
def test_both_halves_of_a_split_paragraph_are_deleted(story: str) -> None:
    start, prefix = story_of(story, [p("one two")])
    draft = start.edit(SplitBlock(f"{prefix}1", "two"))
    gone = draft.edit(DeleteBlocks(f"{prefix}1", f"{prefix}2"))
    assert gone.rejected == start.original
    assert "one" not in str(texts(judged(gone.data, only(US, "accept"))))


@pytest.mark.parametrize("gone", [DeleteRow("t1.r1"), DeleteColumn("t1.r1.c1"), DeleteTable("t1")])
@pytest.mark.parametrize("where", ["before", "after"])
def test_a_new_table_in_a_cell_goes_with_the_row_column_or_table_around_it(
    gone: Operation, where: Literal["before", "after"]
) -> None:
    start = Draft.of(p("a"), table(["b", "c"], ["d", "e"]), p("f"))
    draft = start.edit(InsertTable("t1.r1.c1.p1", where, (("x", "y"), ("z",)), header_row=False))
    made = draft.edit(gone)
    assert "<w:ins " not in made.body
    assert made.body.count("<w:tbl>") == 1
    assert made.rejected == start.original
    assert list(faults(Package.open(made.data).tree("word/document.xml"))) == []


@pytest.mark.parametrize("gone", [DeleteRow("t1.r1"), DeleteColumn("t1.r1.c1"), DeleteTable("t1")])
@pytest.mark.parametrize(
    "put",
    [
        InsertFootnote("t1.r1.c1.p1", "b", "note"),
        AddComment("t1.r1.c1.p1", "b", "Why?"),
        InsertBlocks("t1.r1.c1.p1", "after", (NEW,)),
    ],
)
def test_what_we_put_in_a_cell_goes_with_its_row_column_or_table(
    gone: Operation, put: Operation
) -> None:
    start = Draft.of(p("a"), table(["b", "c"], ["d", "e"]), p("f", note("2")), footnotes=NOTE)
    made = start.edit(put)
    left = made.edit(gone)
    assert left.rejected == made.rejected
    assert "b" not in left.accepted
    assert judged(left.decide("reject", ALL).data, keep) == made.rejected


@pytest.mark.parametrize(
    ("blocks", "first", "last", "left"),
    [
        ((p("a"), p("b"), p("c")), "p3", "p3", ["a", "b"]),
        ((p("a"), p("b"), p("c")), "p2", "p3", ["a"]),
        ((p("a"), p("b"), p("c"), p("d")), "p2", "p4", ["a"]),
        # The mark of a paragraph with other properties is not given up for theirs.
        ((p("a"), p("b", style="Quote"), p("c", style="Quote")), "p2", "p3", ["a", ""]),
        # A table is followed by a paragraph, and a story has one.
        ((table(["x"]), p("b"), p("c")), "p1", "p2", ["x", ""]),
        ((p("a"), p("b")), "p1", "p2", [""]),
        ((table([p("a") + p("b") + p("c")]), p("z")), "t1.r1.c1.p2", "t1.r1.c1.p3", ["a", "z"]),
    ],
)
def test_the_last_paragraphs_go_without_leaving_an_empty_one(
    blocks: tuple[str, ...], first: str, last: str, left: list[str]
) -> None:
    start = Draft.of(*blocks)
    draft = start.edit(DeleteBlocks(first, last))
    assert shown(draft.decide("accept", ALL)) == left
    assert draft.rejected == start.original


def test_the_last_paragraphs_go_one_after_the_other_as_well_as_at_once() -> None:
    start = Draft.of(p("a"), p("b"), p("c"))
    draft = start.edit(DeleteBlocks("p3", "p3")).edit(DeleteBlocks("p3", "p3"))
    assert shown(draft.decide("accept", ALL)) == ["a"]
    assert draft.rejected == start.original


def shown(draft: Draft) -> list[str]:
    """The words of every paragraph, of empty ones too."""
    tree = Package.open(draft.data).tree("word/document.xml")
    return ["".join(t.text or "" for t in each.iter(W("t"))) for each in tree.iter(W_P)]


@pytest.mark.parametrize("inner", [p("in it"), p("x") + table(["y"]) + p("in it")])
def test_a_paragraph_between_a_control_and_a_table_goes_whole(inner: str) -> None:
    control = f"<w:sdt><w:sdtContent>{inner}</w:sdtContent></w:sdt>"
    start = Draft.of(control, p("between"), table(["a"]), p("end"))
    number = control.count("<w:p>") - control.count("<w:tbl>") + 1
    gone = start.edit(DeleteBlocks(f"p{number}", f"p{number}"))
    assert gone.accepted[-3:] == ["in it", "a", "end"]
    assert gone.redline[number - 1 + inner.count("<w:tc>")] == "[-between-][-¶-]"
    assert gone.rejected == start.original


def test_a_paragraph_between_a_control_that_ends_in_a_table_and_a_table_stays_empty() -> None:
    control = f"<w:sdt><w:sdtContent>{p('x')}{table(['y'])}</w:sdtContent></w:sdt>"
    start = Draft.of(control, p("between"), table(["a"]), p("end"))
    gone = start.edit(DeleteBlocks("p2", "p2"))
    assert gone.accepted == ["x", "y", "a", "end"]
    assert gone.redline[2] == "[-between-]"
    assert gone.rejected == start.original
