"""New blocks come where the block that is named begins or ends by then."""

from __future__ import annotations

import pytest

from redraft.engine.plan import (
    InsertBlocks,
    InsertBreak,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    SplitBlock,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import p

NEW = NewBlock("paragraph", "new")


@pytest.mark.parametrize("find", ["two", "four"])
@pytest.mark.parametrize(
    ("put", "first"),
    [
        (InsertBlocks("p1", "before", (NEW,)), "new"),
        (MoveBlocks("p3", "p3", "p1", "before"), "five"),
        (InsertTable("p1", "before", (("cell",),), header_row=False), "cell"),
        (InsertBreak("p1", "before", "page"), "\n"),
    ],
)
@pytest.mark.parametrize("is_merged", [False, True])
@pytest.mark.parametrize("is_split_first", [False, True])
def test_what_comes_before_a_block_that_is_split_comes_before_all_of_it(
    find: str, put: Operation, first: str, *, is_merged: bool, is_split_first: bool
) -> None:
    start = Draft.of(p("one two "), p("three four"), p("five"), p("six"))
    draft = start.edit(MergeBlocks("p1", "p2")) if is_merged else start
    split = SplitBlock("p1", find) if is_merged or find == "two" else SplitBlock("p1", "wo")
    made = draft.edit(*((split, put) if is_split_first else (put, split)))
    assert made.accepted[0] == first
    assert made.accepted[1].startswith("one")
    assert made.rejected == start.original
