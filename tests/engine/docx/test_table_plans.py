"""Rows and columns of one table that one plan inserts and deletes, in every order of two and some.

Rows, columns and tables of ours are gone at once when they are deleted, so that what comes behind
must not count on them.
"""

from __future__ import annotations

import contextlib
import itertools
from typing import Literal

import pytest
from msgspec import structs

from redraft.engine.errors import EditError, VerificationError
from redraft.engine.plan import (
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    InsertBlocks,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    InsertTable,
    MoveBlocks,
    NewBlock,
    Operation,
    SetCell,
)
from redraft.engine.report import Selection
from tests.documents import is_full_sweep
from tests.engine.redlining import US, Draft
from tests.engine.wordml import p, table

OPERATIONS: tuple[Operation, ...] = (
    DeleteRow("t1.r1"),
    DeleteRow("t1.r2"),
    DeleteColumn("t1.r1.c1"),
    DeleteColumn("t1.r2.c2"),
    InsertRow("t1.r2", "after", ("n",)),
    InsertRow("t1.r1", "before", ("n", "m")),
    InsertColumn("t1.r2.c2", "after", ("q",)),
    InsertColumn("t1.r1.c1", "before", ("q", "r")),
    SetCell("t1.r2.c1", "cc"),
    DeleteTable("t1"),
)
EVERY = 3
CELLS = (("one", "two"), ("three", "four"))
PLAIN = Draft.of(p("a"), table(*CELLS), p("b"))
DRAFTS = {
    "theirs": PLAIN,
    "ours": Draft.of(p("a"), p("b")).edit(InsertTable("p1", "after", CELLS, header_row=False)),
    "our rows": PLAIN.edit(InsertRow("t1.r1", "before", ("x", "y"))),
    "our column": PLAIN.edit(InsertColumn("t1.r1.c1", "before", ("h",))),
    "in a cell": Draft.of(p("a"), table(["x"]), p("b")).edit(
        InsertTable("t1.r1.c1.p1", "after", CELLS, header_row=False)
    ),
}


# How many tables are left when all rows of one of ours are gone.
LEFT = {"ours": 0, "in a cell": 1}


def meant(operation: Operation, name: str) -> Operation:
    """The operation in the table of a draft."""
    if name != "in a cell":
        return operation
    fields = structs.asdict(operation)
    inner = {
        key: said.replace("t1", "t1.r1.c1.t1", 1) for key, said in fields.items() if key == "target"
    }
    return type(operation)(**(fields | inner))


@pytest.mark.thorough
@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.parametrize("first", OPERATIONS, ids=str)
def test_two_operations_on_a_table_are_carried_out_together_or_refused(
    name: str, first: Operation
) -> None:
    draft = DRAFTS[name]
    made = 0
    start = OPERATIONS.index(first)
    for second in OPERATIONS if is_full_sweep() else OPERATIONS[start % EVERY :: EVERY]:
        try:
            edited = draft.edit(meant(first, name), meant(second, name))
        except VerificationError:
            raise
        except EditError:
            continue
        made += 1
        assert edited.rejected == draft.rejected
        if edited.changes:
            edited.decide("reject", Selection(author=US))
    assert made


@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.parametrize("kind", [DeleteRow, DeleteColumn])
def test_all_rows_or_columns_of_a_table_of_ours_take_it_along(name: str, kind: type) -> None:
    draft = DRAFTS[name]
    cells = ("t1.r1", "t1.r2", "t1.r3") if kind is DeleteRow else ("t1.r1.c1", "t1.r1.c2")
    size = 3 if (name, kind) == ("our rows", DeleteRow) else 2
    for plan in itertools.permutations([meant(kind(cell), name) for cell in cells[:size]]):
        try:
            made = draft.edit(*plan)
        except VerificationError:
            raise
        except EditError:
            continue
        assert made.rejected == draft.rejected
        if name in LEFT:
            assert made.body.count("<w:tbl>") == LEFT[name]


@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize(
    "beside",
    [
        InsertTable("t1", "after", CELLS, header_row=False),
        InsertTable("t1", "before", CELLS, header_row=False),
        InsertBlocks("t1", "after", (NewBlock("paragraph", "new"),)),
        InsertBlocks("t1", "before", (NewBlock("paragraph", "new"),)),
    ],
    ids=str,
)
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("name", ["ours", "theirs"])
def test_a_table_that_is_moved_and_what_comes_beside_it_do_not_break_each_other(
    name: str, beside: Operation, where: Literal["before", "after"], *, is_first: bool
) -> None:
    draft = DRAFTS[name].edit(InsertBlocks("p2", "after", (NewBlock("paragraph", "c"),)))
    move = MoveBlocks("t1", "t1", "p3", where)
    plan = (beside, move) if is_first else (move, beside)
    try:
        made = draft.edit(*plan)
    except VerificationError:
        raise
    except EditError as error:
        assert "Two operations of the plan touch" in str(error)  # noqa: PT017
        return
    assert made.rejected == draft.rejected
    assert [text for text in made.accepted if text in ("new", "one")]


GOING: tuple[Operation, ...] = (
    DeleteRow("t1.r1"),
    DeleteRow("t1.r2"),
    DeleteColumn("t1.r1.c1"),
    DeleteColumn("t1.r1.c2"),
    DeleteTable("t1"),
)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["theirs", "our rows", "our column"])
@pytest.mark.parametrize("plan", list(itertools.permutations(GOING, 2)), ids=str)
def test_notes_of_ours_go_once_with_rows_columns_and_tables_that_cross(
    name: str, plan: tuple[Operation, ...]
) -> None:
    draft = DRAFTS[name]
    for anchor, words in (("t1.r1.c1.p1", "x|h|one"), ("t1.r2.c2.p1", "two|three|four")):
        for word in words.split("|"):
            with contextlib.suppress(EditError):
                draft = draft.edit(InsertFootnote(anchor, word, f"See {word}"))
    assert draft.body.count("footnoteReference") >= 2
    try:
        made = draft.edit(*plan)
    except VerificationError:
        raise
    except EditError:
        return
    assert made.rejected == draft.rejected


@pytest.mark.parametrize("where", ["before", "after"])
def test_what_comes_to_one_place_stands_there_in_the_order_of_the_plan(
    where: Literal["before", "after"],
) -> None:
    plan = (
        InsertTable("p2", where, (("table",),), header_row=False),
        InsertBlocks("p2", where, (NewBlock("paragraph", "one"),)),
        MoveBlocks("p4", "p4", "p2", where),
        InsertBlocks("p2", where, (NewBlock("paragraph", "two"),)),
    )
    made = Draft.of(p("a"), p("b"), p("c"), p("moved"), p("d")).edit(*plan)
    new = ["table", "one", "moved", "two"]
    before, after = (["a", *new, "b"], []) if where == "before" else (["a", "b"], new)
    assert made.accepted == [*before, *after, "c", "d"]
