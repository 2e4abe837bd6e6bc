"""What untracked edits make is what accepting the same edits, tracked, makes."""

from __future__ import annotations

import re

import pytest

from redraft.engine.plan import (
    DeleteImage,
    DeleteNote,
    FormatText,
    InsertFootnote,
    MoveBlocks,
    Operation,
    ReplaceText,
    SettleChange,
)
from redraft.engine.report import Selection
from tests.engine.redlining import US, Draft
from tests.engine.wordml import footnote, note, p, picture
from tests.oracle import judged, keep, only

ALL = Selection(all=True)


def draft() -> Draft:
    drawn = picture("rId8", alt="A duck").replace('id="1"', 'id="7"')
    other = picture("rId8", alt="A goose").replace('id="1"', 'id="9"')
    return Draft.of(
        p("Before ", drawn),
        p("Some words", note("2")),
        p("Behind ", other),
        p("The end"),
        footnotes=footnote("2", p("Old note")),
        relations={"rId8": ("image", "media/a.png")},
        media={"media/a.png": b""},
    )


@pytest.mark.parametrize(
    "operations",
    [
        (MoveBlocks("p1", "p1", "p2", "after"), DeleteImage("im2")),
        (InsertFootnote("p1", "Before", "See there"), ReplaceText("p1", "Before", "In front")),
        (DeleteNote("fn1"), InsertFootnote("p4", "end", "New note")),
        (FormatText("p2", "words", "bold", "on"), ReplaceText("p2", "words", "letters")),
        (DeleteImage("im1"), MoveBlocks("p2", "p2", "p4", "after"), ReplaceText("p4", "The", "An")),
    ],
)
@pytest.mark.parametrize("is_edited", [False, True])
def test_several_rounds_leave_what_accepting_them_leaves(
    operations: tuple[Operation, ...], *, is_edited: bool
) -> None:
    made = draft().edit(ReplaceText("p3", "Behind", "Beyond")) if is_edited else draft()
    tracked, plain = made.edit(*operations), made.edit(*operations, tracked=False)
    assert judged(plain.data, only(US, "accept")) == judged(tracked.data, only(US, "accept"))
    assert {change.edits for change in plain.changes} == ({("e1",)} if is_edited else set())
    if is_edited:
        decided = plain.decide("reject", ALL)
        assert judged(decided.data, keep) == plain.rejected


def test_a_picture_that_is_moved_gets_a_number_that_no_other_had() -> None:
    plan = (MoveBlocks("p1", "p1", "p2", "after"), DeleteImage("im2"))
    made = draft().edit(*plan, tracked=False)
    assert re.findall(r'<wp:docPr id="([0-9]+)"', made.body) == ["10"]


def test_a_picture_that_is_moved_gets_no_number_of_another_part() -> None:
    header = p(picture("rId8")).replace('docPr id="1"', 'docPr id="2"')
    relations = {"rId8": ("image", "media/a.png")}
    draft = Draft.of(
        *(p("a ", picture("rId8")), p("b"), p("c")),
        headers=[header],
        relations=relations,
        media={"media/a.png": b""},
    )
    made = draft.edit(MoveBlocks("p1", "p1", "p3", "after"))
    assert sorted(re.findall(r'<wp:docPr id="([0-9]+)"', made.body)) == ["1", "3"]


def test_decisions_come_behind_what_was_written_untracked() -> None:
    made = draft().edit(ReplaceText("p3", "Behind", "Beyond"))
    reject = [SettleChange(change.id, "reject") for change in made.changes]
    plan = (FormatText("p4", "end", "bold", "on"), ReplaceText("p4", "The", "An"), *reject)
    plain = made.edit(*plan, tracked=False)
    assert plain.changes == ()
    assert plain.accepted[2:] == ["Behind ", "An end"]


def test_rounds_that_lead_back_leave_the_file_as_it_is() -> None:
    made = draft().edit(InsertFootnote("p1", "Before", "See there"))
    undone = (DeleteNote("fn1"), FormatText("p4", "end", "bold", "off"))
    plain = made.edit(*undone, tracked=False)
    assert judged(plain.data, keep) == judged(draft().data, keep)
    assert plain.changes == ()
