"""Notes follow their references; every other byte of their part stays."""

from __future__ import annotations

import pytest

from redraft.engine.docx.accept_reject import note_references
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.judging.unreferenced_notes import uncited
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import DeleteNote, EditPlan
from redraft.engine.report import Selection, Signature
from redraft.engine.state import decode
from tests.engine.redlining import Draft
from tests.engine.wordml import docx, footnote, ins, note, p

NOTES = footnote("2", p("One")) + footnote("5", p("Two")) + footnote("7", p("Three"))


def package(body: str) -> Package:
    return Package.open(docx(body, footnotes=NOTES))


def test_notes_are_cited_by_references_struck_or_not() -> None:
    opened = package(p("a", note("2"), ins(note("7"))))
    assert note_references.cited(opened) == {("footnote", "2"), ("footnote", "7")}
    assert note_references.orphans(opened, note_references.cited(opened)) == {}
    lost = note_references.orphans(opened, {("footnote", "2"), ("footnote", "5")})
    assert [note.get(note_references.W_ID) for note in lost["word/footnotes.xml"]] == ["5"]


@pytest.mark.parametrize("gone", [[0], [1], [2], [0, 2], [0, 1, 2]])
def test_dropped_notes_leave_every_other_byte(gone: list[int]) -> None:
    opened = package(p("a"))
    before = opened.read("word/footnotes.xml").decode()
    note_references.drop(opened, {"word/footnotes.xml": gone})
    wanted = before
    for index, (number, text) in enumerate((("2", "One"), ("5", "Two"), ("7", "Three"))):
        if index in gone:
            wanted = wanted.replace(footnote(number, p(text)), "")
    assert opened.read("word/footnotes.xml").decode() == wanted


def test_the_judge_sees_by_itself_which_notes_are_gone() -> None:
    data = docx(p("a", note("2"), note("5")), footnotes=NOTES)
    signature = Signature("e1", "us", "2026-11-21T06:30:00Z", tracked=True)
    plan = EditPlan("edit", "", (DeleteNote("fn1"),))
    edited, report = apply(data, initial_state(data), plan, signature)
    opened = Package.open(edited)
    ours = decode(report.state).ours
    parts = ["word/document.xml"]
    assert uncited(opened, parts, ours, "baseline") == frozenset()
    (gone,) = uncited(opened, parts, ours, "final")
    assert gone.get(note_references.W_ID) == "2"
    assert uncited(opened, parts, (), "final") == frozenset()


def test_rejecting_anothers_new_note_takes_its_text_along() -> None:
    draft = Draft.of(p("a", ins(note("5"), id=40)), footnotes=NOTES)
    rejected = draft.decide("reject", Selection(all=True))
    held = Package.open(rejected.data).read("word/footnotes.xml")
    assert b"Two" not in held
    assert b"Three" in held
