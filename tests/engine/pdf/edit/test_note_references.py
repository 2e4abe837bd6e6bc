from __future__ import annotations

import pytest

from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.model import Block, Heading, NoteReference, Paragraph, Text
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.edit.note_references import as_drawn, as_read
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import Cited, Target, known_in
from redraft.engine.pdf.reader import read
from redraft.engine.pdf.resolved_edits import Edits, Linking, Look, changed
from redraft.engine.pdf.tracked.redline import changes, edit
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteNote,
    EditNote,
    EditPlan,
    FindReplace,
    FormatText,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import Signature
from redraft.engine.transcript.redline import redline
from tests.engine.pdf.stream.streams import pdf

ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=True)
UPLOAD = pdf(
    b"BT /F1 11 Tf 20 250 Td (The rate is fixed) Tj 4 Ts /F1 6 Tf (1) Tj 0 Ts /F1 11 Tf"
    b" ( by the bank and not) Tj ET BT /F1 11 Tf 20 236 Td (by the agent of it.) Tj ET"
    b" BT /F1 11 Tf 20 200 Td (The fee) Tj 4 Ts /F1 6 Tf (2) Tj 0 Ts /F1 11 Tf ( is small.) Tj ET"
    b" BT /F1 6 Tf 3 Ts 20 60 Td (1) Tj 0 Ts /F1 9 Tf ( See the annex.) Tj ET"
    b" BT /F1 6 Tf 3 Ts 20 48 Td (2) Tj 0 Ts /F1 9 Tf ( See the table.) Tj ET"
)
ENDING = pdf(
    b"BT /F1 11 Tf 20 200 Td (The fee) Tj 4 Ts /F1 6 Tf (2) Tj ET"
    b" BT /F1 6 Tf 3 Ts 20 60 Td (2) Tj 0 Ts /F1 9 Tf ( See the table.) Tj ET"
)
BODY, FEE, NOTE = "p1.b1", "p1.b2", "p1.n1.p1"


def marked(*content: str | NoteReference, anchor: str = "p1.b1") -> Target:
    """Make a block; its marks are in its text as they are drawn."""
    drawn = ""
    marks: list[Cited] = []
    for each in content:
        if isinstance(each, NoteReference):
            marks.append(Cited(len(drawn), len(drawn) + len(each.label), each.anchor))
        drawn += each.label if isinstance(each, NoteReference) else each
    inlines = tuple(Text(each) if isinstance(each, str) else each for each in content)
    block: Block = Paragraph(anchor, inlines)
    return Target(anchor, 0, drawn, "", block, marks=tuple(marks))


def mark(label: str) -> NoteReference:
    return NoteReference("footnote", f"p1.n{label}", label)


def note(label: str, words: str) -> Target:
    anchor = f"p1.n{label}.p1"
    block = Paragraph(anchor, (Text(words),))
    head = (Cited(0, len(label) + 1, ""),)
    text = f"{label} {words}"
    return Target(anchor, 0, text, "", block, (), "footnote", head, f"p1.n{label}")


TWO = marked("One two", mark("1"), " three", mark("2"), " four.")
KNOWN = (TWO, note("1", "First."), note("2", "Second."))


def after(edits: Edits) -> list[str]:
    as_drawn(edits, KNOWN, {})
    return [
        ""
        if each.anchor in edits.deleted
        else changed(each.text, edits.changes.get(each.anchor, ()))
        for each in KNOWN
    ]


def test_blocks_are_read_without_their_marks() -> None:
    assert [each.text for each in as_read(KNOWN)] == ["One two three four.", "First.", "Second."]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Change(4, 7, "2"), "One 21 three2 four."),
        (Change(8, 13, "3"), "One two1 32 four."),
        (Change(0, 7, ""), "1 three2 four."),
        (Change(7, 7, " and"), "One two1 and three2 four."),
        (Change(4, 13, "II III"), "One II III12 four."),
        (Change(0, 18, "Else."), "Else.12."),
        (Change(18, 19, "!"), "One two1 three2 four!"),
    ],
)
def test_a_change_keeps_the_marks_between_its_words(change: Change, text: str) -> None:
    assert after(Edits(changes={"p1.b1": [change]})) == [text, "1 First.", "2 Second."]


def test_words_that_go_with_a_mark_take_the_note_with_them() -> None:
    assert after(Edits(changes={"p1.b1": [Change(3, 13, "")]})) == ["One2 four.", "", "2 Second."]
    assert after(Edits(deleted=["p1.b1"])) == ["", "", ""]


def test_a_note_that_goes_takes_its_marks_with_it() -> None:
    assert after(Edits(deleted=["p1.n2.p1"])) == ["One two1 three four.", "1 First.", ""]


def test_a_note_stays_while_another_mark_of_it_is_left() -> None:
    other = marked("Five", mark("1"), anchor="p1.b2")
    edits = Edits(deleted=["p1.b1"])
    as_drawn(edits, (*KNOWN, other), {})
    assert edits.deleted == ["p1.b1", "p1.n2.p1"]


def test_looks_and_links_of_words_take_in_the_marks_between_them() -> None:
    look, link = Look("p1.b1", 4, 13, bold=True), Linking("p1.b1", 8, 13, "https://a.example")
    edits = Edits(looks=[look], links=[link])
    as_drawn(edits, KNOWN, {})
    assert (edits.looks[0].start, edits.looks[0].end) == (4, 14)
    assert (edits.links[0].start, edits.links[0].end) == (9, 14)


def test_a_rewritten_block_keeps_each_mark_where_the_new_text_has_it() -> None:
    edits = Edits()
    as_drawn(edits, KNOWN, {"p1.b1": "Three⟦fn1⟧ one⟦fn2⟧ two four."})
    assert changed(TWO.text, edits.changes["p1.b1"]) == "Three1 one2 two four."
    with pytest.raises(RefusedError, match="cannot change places"):
        as_drawn(Edits(), KNOWN, {"p1.b1": "One⟦fn2⟧ two⟦fn1⟧ four."})
    with pytest.raises(PlanError, match="fn2"):
        as_drawn(Edits(), KNOWN, {"p1.b1": "One⟦fn1⟧ two four."})


def carried_out(*plan: Operation) -> dict[str, str]:
    edited, report = apply(UPLOAD, EditPlan("edit", "", plan), ANN)
    assert report.applied
    return {each.anchor: each.text for each in known_in(edited)}


def test_the_upload_has_two_notes() -> None:
    held = {each.anchor: (each.text, each.story, each.note) for each in known_in(UPLOAD)}
    assert held == {
        BODY: ("The rate is fixed1 by the bank and not by the agent of it.", "body", ""),
        FEE: ("The fee2 is small.", "body", ""),
        NOTE: ("1 See the annex.", "footnote", "p1.n1"),
        "p1.n2.p1": ("2 See the table.", "footnote", "p1.n2"),
    }


@pytest.mark.parametrize(
    ("operation", "anchor", "text"),
    [
        (
            ReplaceText(BODY, "fixed", "free"),
            BODY,
            "The rate is free1 by the bank and not by the agent of it.",
        ),
        (
            ReplaceText(BODY, "fixed by", "set by"),
            BODY,
            "The rate is set1 by the bank and not by the agent of it.",
        ),
        (ReplaceText(FEE, "is small", "is tall"), FEE, "The fee2 is tall."),
        (ReplaceText(FEE, "The fee", "A fee"), FEE, "A fee2 is small."),
        (ReplaceText(NOTE, "annex", "table"), NOTE, "1 See the table."),
        (RewriteBlock(FEE, "The small fee⟦fn1⟧ and all."), FEE, "The small fee2 and all."),
        (RewriteBlock(NOTE, "Mind the annex."), NOTE, "1 Mind the annex."),
        (FindReplace("see", "mind", "notes"), "p1.n2.p1", "2 Mind the table."),
    ],
)
def test_words_beside_a_mark_and_in_a_note_are_replaced(
    operation: Operation, anchor: str, text: str
) -> None:
    edited, _ = apply(UPLOAD, EditPlan("edit", "", (operation,)), ANN)
    held = {each.anchor: each for each in known_in(edited)}
    assert held[anchor].text == text
    cited = [mark.anchor for each in held.values() for mark in each.marks if mark.anchor]
    assert cited == ["p1.n1", "p1.n2"]


@pytest.mark.parametrize("more", [" and all", ", too"])
def test_words_behind_a_mark_that_ends_a_block_do_not_take_its_look(more: str) -> None:
    plan = EditPlan("edit", "", (RewriteBlock("p1.b1", f"The fee⟦fn1⟧{more}"),))
    edited, _ = apply(ENDING, plan, ANN)
    block = read(edited).body.blocks[0]
    assert isinstance(block, Paragraph | Heading)
    assert block.content == (Text("The fee"), NoteReference("footnote", "p1.n1", "2"), Text(more))


def test_the_scope_of_the_body_leaves_notes_out() -> None:
    held = carried_out(FindReplace("the", "this", "body"))
    assert held[NOTE] == "1 See the annex."
    assert held[BODY].startswith("This rate is fixed1 by this bank")


def test_a_deleted_paragraph_takes_its_note_with_it() -> None:
    assert list(carried_out(DeleteBlocks(FEE, FEE))) == [BODY, NOTE]


def test_a_deleted_note_takes_its_mark_with_it() -> None:
    held = carried_out(DeleteBlocks("p1.n2.p1", "p1.n2.p1"))
    assert held[FEE] == "The fee is small."
    assert "p1.n2.p1" not in held


def test_a_note_is_edited_and_deleted_by_its_own_anchor() -> None:
    assert carried_out(EditNote("p1.n1", "Mind the annex."))[NOTE] == "1 Mind the annex."
    held = carried_out(DeleteNote("p1.n1"))
    assert held[NOTE] == "2 See the table."
    assert held[BODY] == "The rate is fixed by the bank and not by the agent of it."
    with pytest.raises(RefusedError, match="change that text"):
        carried_out(DeleteNote("p1.n3"))


def test_a_word_with_its_mark_becomes_bold() -> None:
    edited, _ = apply(UPLOAD, EditPlan("edit", "", (FormatText(FEE, "fee", "bold", "on"),)), ANN)
    assert {each.text for each in known_in(edited)} >= {"The fee2 is small."}


def test_tracked_changes_beside_a_mark_and_in_a_note_are_listed_without_it() -> None:
    plan = EditPlan(
        "edit", "", (ReplaceText(BODY, "fixed", "free"), ReplaceText(NOTE, "annex", "table"))
    )
    edited, report = edit(UPLOAD, UPLOAD, b"", plan, ANN)
    found = changes(UPLOAD, edited, report.state)
    assert [(each.anchor, each.before, each.after) for each in found] == [
        (BODY, "fixed", "free"),
        (NOTE, "annex", "table"),
    ]
    assert redline(UPLOAD, edited, report.state).startswith(b"PK")
