"""The smallest redline: deleted and inserted characters are as few as a known edit needs."""

from __future__ import annotations

import pytest

from redraft.engine.docx.names import W_DEL, W_DEL_TEXT, W_INS, W_MOVE_FROM, W_MOVE_TO, W_T
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SplitBlock,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import p

CLAUSE = "The Supplier shall deliver the Goods within 30 days of the date of the Order."
OTHER = "Payment is due on the first day of each month."
NEWER = CLAUSE.replace("30", "60").replace("Goods", "Services")


def marked(draft: Draft) -> tuple[int, int]:
    """How many characters are deleted and how many inserted."""
    package = Package.open(draft.data)
    root = package.tree(package.main)
    struck = sum(len(t.text or "") for d in root.iter(W_DEL) for t in d.iter(W_DEL_TEXT))
    struck += sum(len(t.text or "") for d in root.iter(W_MOVE_FROM) for t in d.iter(W_T))
    written = sum(len(t.text or "") for i in root.iter(W_INS, W_MOVE_TO) for t in i.iter(W_T))
    return struck, written


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ((ReplaceText("p1", "30 days", "60 days"),), (2, 2)),
        ((RewriteBlock("p1", NEWER),), (7, 10)),
        ((ReplaceText("p1", "Order.", "Order in writing."),), (0, 11)),
        (
            (
                DeleteBlocks("p1", "p1"),
                InsertBlocks("p1", "after", (NewBlock("like_anchor", NEWER),)),
            ),
            (7, 10),
        ),
        (
            (
                DeleteBlocks("p1", "p2"),
                InsertBlocks("p2", "after", (NewBlock("like_anchor", OTHER),)),
            ),
            (len(CLAUSE), 0),
        ),
        ((SplitBlock("p1", "within"),), (0, 0)),
        ((MergeBlocks("p1", "p2"),), (0, 0)),
        ((MoveBlocks("p2", "p2", "p1", "before"),), (len(OTHER), len(OTHER))),
    ],
)
def test_no_more_is_marked_than_a_known_edit_needs(
    operations: tuple[Operation, ...], expected: tuple[int, int]
) -> None:
    draft = Draft.of(p(CLAUSE), p(OTHER), p("The end.")).edit(*operations)
    assert draft.rejected == draft.original
    assert marked(draft) == expected
