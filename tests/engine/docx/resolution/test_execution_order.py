"""The order in which operations are carried out."""

from __future__ import annotations

import re

import pytest

from redraft.engine.docx.apply import faults
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.docx.resolution.execution_order import rounds
from redraft.engine.model import ListItem
from redraft.engine.plan import (
    AddComment,
    DeleteBlocks,
    EditPlan,
    FormatText,
    InsertBlocks,
    InsertFootnote,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetAltText,
    SetLink,
    SetList,
    SetParagraph,
    SetStyle,
    SettleChange,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import heading_style, p

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


ALIKE = InsertBlocks("p2", "before", (NewBlock("like_anchor", "x"),))


@pytest.mark.parametrize(
    "looks",
    [
        SetList("p2", "p3", "bullet"),
        SetStyle("p1", "p2", "Heading 1"),
        SetParagraph("p2", "p2", "alignment", "center"),
        FormatText("p2", "", "bold", "on"),
    ],
)
@pytest.mark.parametrize("tracked", [True, False])
def test_a_block_like_another_is_like_it_as_it_was_shown(looks: Operation, tracked: bool) -> None:
    draft = Draft.of(p("one"), p("two"), p("three"), styles=heading_style(1))
    draft = draft.edit(looks, ALIKE, tracked=tracked)
    new = draft.body[draft.body.index("one") :]
    new = new[new.index("<w:p>") :]
    assert new.index("<w:t>x</w:t>") < new.index("two")
    plain = new[: new.index("x</w:t>")]
    assert re.findall("numPr|pStyle|w:jc|<w:b/>", plain) == []
    assert draft.accepted == ["one", "x", "two", "three"]


def test_words_go_first_where_a_step_stands_among_the_blocks() -> None:
    assert kinds(BLOCK, MOVE, WORDS) == [[ReplaceText], [InsertBlocks, MoveBlocks]]


def test_all_operations_are_carried_out_once_in_their_order() -> None:
    assert kinds(WORDS, WORDS, SettleChange("1", "reject")) == [
        [ReplaceText, ReplaceText],
        [SettleChange],
    ]


@pytest.mark.parametrize(
    ("quoting", "words"),
    [
        (InsertFootnote("p1", "four", "n"), RewriteBlock("p1", "one two **four**")),
        (InsertFootnote("p1", "two", "n"), RewriteBlock("p1", "one two four")),
        (AddComment("p1", "four", "n"), ReplaceText("p1", "three", "four")),
        (SetLink("p1", "two", "https://a.example/"), RewriteBlock("p1", "one two four")),
        (FormatText("p1", "four", "bold", "on"), RewriteBlock("p1", "one two four")),
        (FormatText("p1", "", "bold", "on"), RewriteBlock("p1", "one two four")),
    ],
)
def test_what_quotes_words_that_the_plan_writes_comes_behind_them(
    quoting: Operation, words: Operation
) -> None:
    assert kinds(quoting, words, BLOCK) == [[type(words)], [type(quoting)], [InsertBlocks]]
    made = Draft.of(p("one two three"), p("x")).edit(quoting, words)
    assert made.accepted[0] == "one two four"
    assert len(made.changes) >= 1


def test_a_quote_of_words_that_are_replaced_is_looked_for_before() -> None:
    note = InsertFootnote("p1", "two", "n")
    assert kinds(ReplaceText("p1", "two", "2"), note) == [[InsertFootnote], [ReplaceText]]
    made = Draft.of(p("one two")).edit(ReplaceText("p1", "two", "2"), note)
    assert made.redline == ["one [-two-]{+2^+}"]


def test_a_footnote_behind_words_that_a_rewriting_drops_is_a_fault() -> None:
    plan = EditPlan(
        "edit", "", (InsertFootnote("p1", "two", "n"), RewriteBlock("p1", "one 2 three"))
    )
    package = Package.open(Draft.of(p("one two three")).data)
    assert ["is missing" in fault.message for fault in faults(package, plan)] == [True]


def test_a_new_item_joins_the_list_that_the_same_plan_begins() -> None:
    draft = Draft.of(p("one"), p("two")).edit(
        InsertBlocks("p2", "after", (NewBlock("numbered", "three"),)),
        SetList("p1", "p2", "numbered"),
    )
    blocks = read(Package.open(draft.data), "final").body.blocks
    assert [block.label for block in blocks if isinstance(block, ListItem)] == ["1.", "2.", "3."]
    assert draft.rejected == draft.original
