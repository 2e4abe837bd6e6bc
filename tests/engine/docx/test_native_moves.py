"""Tracked moves as Word writes them: one change, settled alike, gone when they no longer hold."""

from __future__ import annotations

import re

import pytest

from redraft.engine.docx import native_moves
from redraft.engine.docx.names import Element
from redraft.engine.plan import (
    DeleteBlocks,
    FormatText,
    InsertBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SettleChange,
)
from redraft.engine.report import Selection
from tests.engine.redlining import US, Draft
from tests.engine.schema import errors
from tests.engine.wordml import field, ins, link, note, p, r, table
from tests.engine.wordml import footnote as footnotes
from tests.oracle import judged, keep, only

ALL = Selection(all=True)
FIVE = (p("One"), p("Two words"), p("Three"), p("Four"), p("Five"))
DOWN = MoveBlocks("p2", "p2", "p3", "after")
ALONE = "marked as deleted and inserted, not as moved"


def warnings(draft: Draft) -> tuple[str, ...]:
    assert draft.report is not None
    return draft.report.warnings


def marks(draft: Draft) -> int:
    """How many marks and starts of ranges of moves there are."""
    return len(re.findall(r"<w:move(?:From|To)(?:RangeStart)? ", draft.body))


def settled_alike(draft: Draft) -> None:
    """See that the oracle and both decisions lead to upload and plan, and leave no range."""
    assert draft.rejected == draft.original
    rejected, accepted = draft.decide("reject", ALL), draft.decide("accept", ALL)
    assert judged(rejected.data, keep) == draft.original
    assert judged(accepted.data, keep) == judged(draft.data, only(US, "accept"))
    for left in (rejected, accepted):
        assert "move" not in left.body
        assert left.changes == ()


def test_a_moved_paragraph_is_one_change_between_two_ranges_of_one_name() -> None:
    draft = Draft.of(*FIVE).edit(DOWN)
    settled_alike(draft)
    assert [(c.kind, c.before, c.after) for c in draft.changes] == [
        ("move", "Two words", "Two words")
    ]
    assert warnings(draft) == ()
    names = re.findall(r'RangeStart [^>]*w:name="([^"]*)"', draft.body)
    assert len(names) == 2
    assert len(set(names)) == 1
    identifiers = re.findall(r'<w:move(?:From|To)(?:RangeStart)? w:id="(\d+)"', draft.body)
    assert len(identifiers) == len(set(identifiers)) == 6
    assert re.findall(r"</w:p><w:move(From|To)RangeEnd", draft.body) == ["From", "To"]
    assert set(errors(draft.data)) <= set(errors(draft.upload))


def test_one_decision_settles_both_ends_of_a_move() -> None:
    draft = Draft.of(*FIVE).edit(DOWN).edit(ReplaceText("p1", "One", "Uno"))
    move = next(change for change in draft.changes if change.kind == "move")
    rejected = draft.decide("reject", Selection(ids=(move.id,)))
    assert rejected.accepted == ["Uno", "Two words", "Three", "Four", "Five"]
    accepted = draft.decide("accept", Selection(ids=(move.id,)))
    assert accepted.accepted == ["Uno", "Three", "Two words", "Four", "Five"]
    for decided in (rejected, accepted):
        assert [change.kind for change in decided.changes] == ["replacement"]
        assert "move" not in decided.body
    planned = draft.edit(SettleChange(move.id, "reject"))
    assert planned.body == rejected.body


def test_a_move_keeps_its_bytes_under_edits_elsewhere() -> None:
    draft = Draft.of(*FIVE).edit(DOWN)
    edited = draft.edit(ReplaceText("p1", "One", "Uno")).edit(ReplaceText("p6", "Five", "5"))
    start, end = draft.body.index("</w:p>"), draft.body.index("Four</w:t>")
    assert draft.body[start:end] in edited.body
    settled_alike(edited)


def test_a_move_that_is_edited_becomes_a_deletion_and_an_insertion_and_says_so() -> None:
    draft = Draft.of(*FIVE).edit(DOWN).edit(ReplaceText("p4", "words", "things"))
    assert [(c.kind, c.before, c.after) for c in draft.changes] == [
        ("deletion", "Two words", ""),
        ("insertion", "", "Two things"),
    ]
    assert "deleted and inserted from now on" in " ".join(warnings(draft))
    settled_alike(draft)


def test_what_is_moved_back_or_deleted_leaves_no_move() -> None:
    draft = Draft.of(*FIVE).edit(DOWN)
    back = draft.edit(MoveBlocks("p4", "p4", "p1", "after"))
    assert back.changes == ()
    assert judged(back.data, keep) == draft.original
    gone = draft.edit(DeleteBlocks("p4", "p4"))
    assert [(c.kind, c.before) for c in gone.changes] == [("deletion", "Two words")]
    assert warnings(gone) == ()
    settled_alike(gone)


@pytest.mark.parametrize(
    ("operations", "kinds"),
    [
        ((DOWN, MoveBlocks("p6", "p6", "p1", "before")), ["insertion", "move", "deletion"]),
        ((DOWN, MoveBlocks("p5", "p5", "p1", "before")), ["move", "move"]),
        ((DOWN, MoveBlocks("p4", "p4", "p5", "after")), ["move"]),
        ((MoveBlocks("p2", "p3", "p4", "after"),), ["move"]),
        ((DOWN, DeleteBlocks("p3", "p3")), []),
        ((DOWN, FormatText("p4", "words", "bold", "on")), ["move"]),
        (
            (DOWN, InsertBlocks("p4", "after", (NewBlock("paragraph", "new"),))),
            ["move", "insertion"],
        ),
    ],
)
def test_moves_beside_other_edits(operations: tuple[Operation, ...], kinds: list[str]) -> None:
    draft = Draft.of(*FIVE)
    for operation in operations:
        draft = draft.edit(operation)
    settled_alike(draft)
    if kinds:
        assert sorted(change.kind for change in draft.changes) == sorted(kinds)


@pytest.mark.parametrize(
    "second",
    [
        table(["a", "b"]),
        p("See ", link("rId9", "the terms"), " here"),
        p("See page ", field("PAGE", "3")),
        p("See", note("2"), " there"),
        p(),
        p("by ", ins(r("Ann"), id=90)),
    ],
)
def test_what_not_every_program_reads_as_moved_is_deleted_and_inserted(second: str) -> None:
    relations = {"rId9": ("hyperlink", "https://a.example/")}
    blocks = (p("One"), second, p("Three"), p("Four"))
    draft = Draft.of(*blocks, relations=relations, footnotes=footnotes("2", p("n")))
    name, to = ("t1", "p2") if "tbl" in second else ("p2", "p3")
    moved = draft.edit(MoveBlocks(name, name, to, "after"))
    assert marks(moved) == 0
    assert [ALONE in warning for warning in warnings(moved)] == [True]
    assert moved.rejected == draft.original


def test_moves_to_and_from_the_end_of_a_text_are_deletions_and_insertions() -> None:
    for operation in (
        MoveBlocks("p1", "p1", "p5", "after"),
        MoveBlocks("p5", "p5", "p1", "before"),
    ):
        draft = Draft.of(*FIVE).edit(operation)
        assert marks(draft) == 0
        assert [ALONE in warning for warning in warnings(draft)] == [True]
        settled_alike(draft)


@pytest.mark.parametrize(
    "beside", [table(["a"]), f"<w:sdt><w:sdtContent>{p('in it')}</w:sdtContent></w:sdt>"]
)
def test_a_move_from_and_to_the_front_of_a_table_or_control_is_decided(beside: str) -> None:
    away = Draft.of(p("One"), p("Two"), beside, p("Three"), p("Four"))
    number = 4 if "sdt" in beside else 3
    settled_alike(away.edit(MoveBlocks("p2", "p2", f"p{number}", "after")))
    near = Draft.of(p("One"), p("Two"), p("Three"), beside, p("Four"))
    moved = near.edit(MoveBlocks("p1", "p1", "p3", "after"))
    settled_alike(moved)
    assert marks(moved) == 6


def test_an_untracked_move_is_no_change_and_earlier_moves_stay() -> None:
    draft = Draft.of(*FIVE).edit(DOWN)
    plain = draft.edit(MoveBlocks("p6", "p6", "p1", "before"), tracked=False)
    assert [change.kind for change in plain.changes] == ["move"]
    assert plain.accepted == ["Five", "One", "Three", "Two words", "Four"]


def test_another_persons_move_stands_and_is_listed_once() -> None:
    by = 'w:author="Ann" w:date="2026-01-02T03:04:05Z"'

    def moved(kind: str, number: int) -> str:
        mark = f'<w:rPr><w:{kind} w:id="{number}" {by}/></w:rPr>'
        start = f'<w:{kind}RangeStart w:id="{number + 1}" {by} w:name="move1"/>'
        run = f'<w:{kind} w:id="{number + 2}" {by}>{r("Theirs")}</w:{kind}>'
        return p(start + run, properties=mark) + f'<w:{kind}RangeEnd w:id="{number + 1}"/>'

    upload = Draft.of(p("One"), moved("moveFrom", 70), p("Three"), moved("moveTo", 80), p("Five"))
    assert [(c.kind, c.author) for c in upload.changes] == [("move", "Ann")]
    draft = upload.edit(MoveBlocks("p1", "p1", "p3", "after"))
    assert sorted((c.kind, c.author) for c in draft.changes) == [("move", "Ann"), ("move", US)]
    assert draft.rejected == draft.original
    rejected = draft.decide("reject", Selection(author=US))
    assert rejected.body == upload.body


def test_a_struck_paragraph_is_the_end_of_one_move_only() -> None:
    draft = Draft.of(p("A"), p("B"), p("A"), p("B"), p("X"), p("Y"), p("Z"))
    moved = draft.edit(
        MoveBlocks("p2", "p4", "p5", "after"),
        MoveBlocks("p1", "p1", "p6", "after"),
        InsertBlocks("p7", "before", (NewBlock("like_anchor", "B"),)),
    )
    assert moved.accepted == ["X", "B", "A", "B", "Y", "A", "B", "Z"]
    settled_alike(moved)
    assert len(re.findall("<w:moveFrom ", moved.body)) == len(re.findall("<w:moveTo ", moved.body))
    assert [c.after for c in moved.changes if c.kind == "insertion"] == ["B"]


def test_the_work_grows_as_equal_paragraphs_do(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    content = native_moves.__dict__["_content"]

    def counted(paragraph: Element) -> tuple[str, ...]:
        read.append(1)
        return content(paragraph)

    monkeypatch.setattr(native_moves, "_content", counted)
    counts: list[int] = []
    for size in (20, 80):
        read.clear()
        first = Draft.of(*[p("the same") for _ in range(size)], p("End"), p("Behind"))
        moved = first.edit(MoveBlocks("p1", f"p{size}", f"p{size + 1}", "after"))
        assert marks(moved) == 2 * (2 * size + 1)
        counts.append(len(read))
    assert counts[1] <= 5 * counts[0]
