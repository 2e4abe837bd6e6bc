"""The order in which operations are carried out."""

from __future__ import annotations

from engine.docx.rounds import rounds
from engine.plan import (
    DeleteBlocks,
    EditPlan,
    FormatText,
    InsertBlocks,
    InsertFootnote,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetAltText,
    SettleChange,
)

WORDS = ReplaceText("p1", "a", "b")
BLOCK = InsertBlocks("p1", "after", (NewBlock("paragraph", "x"),))
MOVE = MoveBlocks("p1", "p1", "p2", "after")
EVERY = (
    SettleChange("1", "accept"),
    MOVE,
    WORDS,
    InsertFootnote("p1", "a", "n"),
    FormatText("p1", "a", "bold", "on"),
    SetAltText("im1", "x"),
)


def kinds(*operations: Operation) -> list[list[type]]:
    found = rounds(EditPlan("edit", "", operations))
    return [[type(each) for each in plan.operations] for plan in found]


def test_what_moves_places_comes_behind_what_quotes_them() -> None:
    assert kinds(*EVERY) == [[type(each)] for each in reversed(EVERY)]


def test_words_and_plain_blocks_go_together() -> None:
    assert kinds(BLOCK, WORDS, DeleteBlocks("p3", "p3")) == [
        [InsertBlocks, ReplaceText, DeleteBlocks]
    ]


def test_words_go_first_where_a_step_stands_among_the_blocks() -> None:
    assert kinds(BLOCK, MOVE, WORDS) == [[ReplaceText], [InsertBlocks, MoveBlocks]]


def test_all_operations_are_carried_out_once_in_their_order() -> None:
    assert kinds(WORDS, WORDS, SettleChange("1", "reject")) == [
        [ReplaceText, ReplaceText],
        [SettleChange],
    ]
