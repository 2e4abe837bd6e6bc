"""No more is marked than the change needs: characters and marks, against known minima."""

from __future__ import annotations

import re

import pytest

from redraft.engine.plan import (
    FindReplace,
    MoveBlocks,
    Operation,
    ReplaceText,
    RewriteBlock,
    SplitBlock,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import p, r

CLAUSE = (
    "The Supplier shall deliver the Goods within thirty (30) days after the Effective Date, and "
    "shall notify the Buyer of any delay; the Buyer may terminate this Agreement on notice."
)
OTHER = "No waiver of any provision of this Agreement shall be effective unless made in writing."
# The clause over several runs and looks, as Word leaves it, among others that are like it.
BLOCKS = (
    p(OTHER),
    p(r(CLAUSE[:17]), r(CLAUSE[17:60], "<w:b/>"), r(CLAUSE[60:])),
    p(CLAUSE),
    p(OTHER),
)


@pytest.mark.parametrize(
    ("operation", "struck", "written", "marks"),
    [
        # Words with one sign between them are one change, not confetti.
        (ReplaceText("p2", "thirty (30)", "sixty (60)"), 10, 9, 2),
        (ReplaceText("p2", "Supplier shall", "Supplier must"), 5, 4, 2),
        (ReplaceText("p3", CLAUSE, CLAUSE.replace("any ", "")), 4, 0, 1),
        (ReplaceText("p3", CLAUSE, CLAUSE + " So be it."), 0, 10, 1),
        (RewriteBlock("p3", CLAUSE.replace("Buyer", "Client")), 10, 12, 4),
        (FindReplace("shall", "must"), 30, 24, 12),
        (SplitBlock("p3", "the Buyer may"), 0, 0, 0),
        (MoveBlocks("p4", "p4", "p2", "before"), len(OTHER), len(OTHER), 2),
    ],
)
def test_an_edit_marks_what_it_changes_and_nothing_else(
    operation: Operation, struck: int, written: int, marks: int
) -> None:
    draft = Draft.of(*BLOCKS).edit(operation)
    deleted = [
        text for text in re.findall(r"\[-(.*?)-\]", "\n".join(draft.redline)) if text != "\u00b6"
    ]
    inserted = [t for t in re.findall(r"\{\+(.*?)\+\}", "\n".join(draft.redline)) if t != "\u00b6"]
    assert (sum(map(len, deleted)), sum(map(len, inserted))) == (struck, written)
    assert len(deleted) + len(inserted) == marks
    assert "rPrChange" not in draft.body
    assert "pPrChange" not in draft.body
    assert draft.rejected == draft.original
