"""Operations of one plan that would write into what another one gives up are told apart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from redraft.engine.docx.apply import faults
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import PlanError
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertBreak,
    InsertColumn,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SplitBlock,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import p, table

NEW = InsertBlocks("t1.r1.c1.p1", "after", (NewBlock("paragraph", "new"),))
IN_CELL = InsertTable("t1.r1.c1.p1", "after", (("x",),), header_row=False)
BETWEEN = InsertBlocks("p2", "after", (NewBlock("paragraph", "new"),))
CONFLICTS: list[tuple[Operation, Operation]] = [
    (NEW, DeleteTable("t1")),
    (NEW, DeleteRow("t1.r1")),
    (NEW, DeleteColumn("t1.r1.c1")),
    (NEW, MoveBlocks("t1", "t1", "p1", "before")),
    (IN_CELL, DeleteTable("t1")),
    (InsertRow("t1.r1", "after", ("x",)), MoveBlocks("t1", "t1", "p1", "before")),
    (SplitBlock("t1.r1.c1.p1", "two"), DeleteColumn("t1.r1.c1")),
    (InsertRow("t1.r1", "after", ("x",)), DeleteTable("t1")),
    (MoveBlocks("t1", "t1", "p1", "before"), DeleteRow("t1.r1")),
    (InsertColumn("t1.r1.c1", "after", ("x", "y")), DeleteRow("t1.r2")),
    (InsertRow("t1.r1", "after", ("x", "y")), DeleteColumn("t1.r1.c2")),
    (MoveBlocks("p1", "p1", "p2", "after"), DeleteBlocks("p1", "p1")),
    (MoveBlocks("p1", "p1", "p2", "after"), SplitBlock("p1", "one")),
    (MoveBlocks("p1", "p1", "p2", "after"), MoveBlocks("p1", "p1", "t1", "after")),
    (SplitBlock("p1", "one"), DeleteBlocks("p1", "p1")),
    (MergeBlocks("p2", "p3"), DeleteBlocks("p3", "p3")),
    (MergeBlocks("p2", "p3"), BETWEEN),
    (MergeBlocks("p2", "p3"), InsertBlocks("p3", "before", BETWEEN.blocks)),
    (MergeBlocks("p2", "p3"), MoveBlocks("p1", "p1", "p2", "after")),
    (MergeBlocks("p2", "p3"), InsertBreak("p2", "after", "column")),
    (MergeBlocks("p2", "p3"), InsertBreak("p3", "before", "page")),
    (MergeBlocks("p2", "p3"), InsertBreak("p2", "after", "section")),
]
TOGETHER: list[tuple[Operation, Operation]] = [
    (ReplaceText("t1.r1.c1.p1", "one", "1"), DeleteTable("t1")),
    (FindReplace("one", "1", "all"), DeleteRow("t1.r1")),
    (FormatText("t1.r1.c1.p1", "one", "bold", "on"), DeleteTable("t1")),
    (NEW, DeleteRow("t1.r2")),
    (DeleteRow("t1.r1"), DeleteTable("t1")),
    (DeleteRow("t1.r1"), DeleteColumn("t1.r2.c2")),
    (InsertColumn("t1.r1.c1", "after", ("x",)), DeleteRow("t1.r2")),
    (InsertRow("t1.r1", "after", ("x",)), DeleteRow("t1.r1")),
    (InsertRow("t1.r1", "after", ("x",)), DeleteColumn("t1.r1.c2")),
    (MoveBlocks("p1", "p1", "p2", "after"), DeleteBlocks("p2", "p2")),
    (MergeBlocks("p2", "p3"), SplitBlock("p2", "f")),
    (MergeBlocks("p2", "p3"), InsertBlocks("p3", "after", BETWEEN.blocks)),
    (MergeBlocks("p2", "p3"), InsertBlocks("p2", "before", BETWEEN.blocks)),
    (MergeBlocks("p2", "p3"), DeleteBlocks("p1", "p1")),
    (NEW, DeleteBlocks("p1", "p1")),
    (InsertBlocks("t1", "after", (NewBlock("paragraph", "new"),)), DeleteTable("t1")),
]


def draft() -> Draft:
    return Draft.of(p("a one"), table(["one two", "b"], ["c", "d"]), p("e f"), p("g"))


@pytest.mark.parametrize("operations", CONFLICTS)
@pytest.mark.parametrize("is_turned", [False, True])
def test_what_another_operation_gives_up_is_not_written_into(
    operations: tuple[Operation, Operation], is_turned: bool
) -> None:
    plan = operations[::-1] if is_turned else operations
    with pytest.raises(PlanError, match="ask for one after the other"):
        draft().edit(*plan)
    found = faults(Package.open(draft().data), EditPlan("edit", "", plan))
    assert [fault.code for fault in found] == ["overlap"]


@pytest.mark.parametrize(
    "between",
    [
        InsertBlocks("p2", "before", BETWEEN.blocks),
        InsertBreak("p2", "before", "page"),
        InsertTable("p2", "before", (("x",),)),
        MoveBlocks("p3", "p3", "p2", "before"),
    ],
)
@pytest.mark.parametrize("has_bookmark", [False, True])
def test_nothing_comes_between_joined_paragraphs_with_more_than_a_mark_between_them(
    between: Operation, has_bookmark: bool
) -> None:
    bookmark = '<w:bookmarkStart w:id="3" w:name="x"/><w:bookmarkEnd w:id="3"/>'
    marked = Draft.of(p("one"), bookmark, p("two"), p("three"))
    struck = Draft.of(p("one"), p("x"), p("two"), p("three")).edit(DeleteBlocks("p2", "p2"))
    start, at = (marked, "p2") if has_bookmark else (struck, "p3")
    moved = replace(between, **{"to" if isinstance(between, MoveBlocks) else "block": at})
    if isinstance(moved, MoveBlocks) and not has_bookmark:
        moved = replace(moved, first="p4", last="p4")
    with pytest.raises(PlanError, match="ask for one after the other"):
        start.edit(MergeBlocks("p1", at), moved)


@pytest.mark.parametrize("operations", TOGETHER)
def test_what_does_not_meet_or_is_gone_anyway_is_done(
    operations: tuple[Operation, Operation],
) -> None:
    start = draft()
    assert start.edit(*operations).rejected == start.original
    assert faults(Package.open(start.data), EditPlan("edit", "", operations)) == ()
