"""Edits beside markers that stand between blocks: they keep no two paragraphs apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest

from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    InsertBreak,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    SetList,
    SplitBlock,
)
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import abstract_num, level, listed, num, p, table

NEW = (NewBlock("like_anchor", "new"),)
BOOKMARK = '<w:bookmarkStart w:id="{0}" w:name="b{0}"/><w:bookmarkEnd w:id="{0}"/>'
PROOF = '<w:proofErr w:type="gramStart"/>'
POINTS = {"bookmarks": BOOKMARK, "proofing": PROOF, "both": BOOKMARK + PROOF}
WORDS = (p("one"), p("two"), p("three"), p("four"))
AROUND = (p("one"), table(["a", "b"]), p("two"), p("three"))
PLANS: list[tuple[Sequence[str], list[Operation]]] = [
    (WORDS, [MergeBlocks("p1", "p2"), InsertBlocks("p2", "before", NEW)]),
    (WORDS, [MergeBlocks("p1", "p2"), InsertBlocks("p1", "after", NEW)]),
    (WORDS, [MergeBlocks("p1", "p2"), InsertBreak("p1", "before", "page")]),
    (WORDS, [MergeBlocks("p1", "p4"), InsertBreak("p4", "before", "page")]),
    (WORDS, [MergeBlocks("p1", "p2"), InsertTable("p2", "before", (("x",),))]),
    (WORDS, [MergeBlocks("p1", "p3"), DeleteBlocks("p1", "p1")]),
    (WORDS, [MergeBlocks("p2", "p3"), MoveBlocks("p4", "p4", "p3", "before")]),
    (WORDS, [MergeBlocks("p2", "p3"), MoveBlocks("p3", "p3", "p1", "before")]),
    (WORDS, [MergeBlocks("p1", "p2"), SplitBlock("p2", "two")]),
    (WORDS, [InsertBlocks("p3", "before", NEW), MoveBlocks("p4", "p4", "p2", "after")]),
    (WORDS, [MoveBlocks("p3", "p3", "p1", "before"), DeleteBlocks("p2", "p3")]),
    (WORDS, [MoveBlocks("p4", "p4", "p2", "before"), MoveBlocks("p3", "p3", "p2", "before")]),
    (WORDS, [DeleteBlocks("p1", "p2"), MoveBlocks("p4", "p4", "p3", "before")]),
    (WORDS, [DeleteBlocks("p3", "p4")]),
    (WORDS, [DeleteBlocks("p4", "p4")]),
    (AROUND, [MoveBlocks("p3", "p3", "p2", "before"), MoveBlocks("p2", "p2", "p3", "after")]),
    (AROUND, [MoveBlocks("t1", "t1", "p3", "before"), DeleteBlocks("p1", "p1")]),
]


def between(blocks: Sequence[str], points: str) -> Draft:
    """A document with points between its blocks."""
    made = blocks[0]
    for number, block in enumerate(blocks[1:], start=40):
        made += points.format(number) + block
    return Draft.of(made)


def edited(draft: Draft, plan: Sequence[Operation]) -> Draft:
    """Carry out one operation after the other; what each leaves holds the laws."""
    for operation in plan:
        known = set(errors(draft.data))
        draft = draft.edit(operation)
        assert draft.rejected == draft.original
        assert set(errors(draft.data)) <= known
        if draft.changes:
            rejected = draft.decide("reject", Selection(all=True))
            assert rejected.rejected == draft.original
    return draft


@pytest.mark.thorough
@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
@pytest.mark.parametrize(("blocks", "plan"), PLANS, ids=[str(each[1]) for each in PLANS])
def test_edits_say_the_same_with_points_between_the_blocks(
    blocks: Sequence[str], plan: list[Operation], points: str
) -> None:
    plain, marked = edited(between(blocks, ""), plan), edited(between(blocks, points), plan)
    assert marked.accepted == plain.accepted


def test_a_table_moved_with_the_empty_paragraph_before_it_may_stand_where_it_stood() -> None:
    # The redline is then empty: the words and tables are as they were, in the same order.
    blocks = table([""]), p(), table([""]), p(), table([""]), p()
    made = edited(Draft.of(*blocks), [MoveBlocks("p2", "t3", "p3", "after")])
    assert made.changes == ()


IN_CELL = "t1.r1.c1.p"


@pytest.mark.parametrize(
    "plan",
    [
        [("3", "1", "before"), ("1", "3", "after")],
        [("1", "2", "after"), ("4", "3", "before")],
    ],
)
@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_blocks_of_a_cell_are_moved_twice_with_points_between_them(
    plan: list[tuple[str, str, Literal["before", "after"]]], points: str
) -> None:
    held = "".join(points.format(40 + at) + block for at, block in enumerate(WORDS))
    rows = f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>{held}</w:tc></w:tr>"
    moves = [MoveBlocks(IN_CELL + a, IN_CELL + a, IN_CELL + b, where) for a, b, where in plan]
    made = edited(Draft.of(f"{rows}</w:tbl>", p("end")), moves)
    assert sorted(made.accepted) == ["end", "four", "one", "three", "two"]


@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_a_list_goes_on_behind_points(points: str) -> None:
    definitions = abstract_num(1, level(0, "%1.")) + num(1, 1)
    draft = Draft.of(listed("one") + points.format(40) + p("two"), p("x"), numbering=definitions)
    made = draft.edit(SetList("p2", "p2", "numbered"))
    assert made.body.count('<w:numId w:val="1"/>') == 2


@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_a_table_that_is_rejected_leaves_a_cell_that_ends_in_points_as_it_was(points: str) -> None:
    cell = "<w:tc>{}</w:tc>".format(p("a") + points.format(40))
    rows = f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr>{cell}</w:tr></w:tbl>"
    draft = Draft.of(rows, p("end"))
    made = edited(draft, [InsertTable("t1.r1.c1.p1", "after", (("x",),))])
    assert made.decide("reject", Selection(all=True)).body == draft.body
