"""Notes of a PDF: their words, authors, answers and states."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pikepdf
import pytest

from redraft.engine import editor
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.model import Comment
from redraft.engine.pdf import discussion
from redraft.engine.pdf.comments import comments
from redraft.engine.plan import DeleteComment, ResolveComment
from redraft.engine.plan_json import exact_plan
from redraft.engine.report import EditReport, Selection, Signature, StoredVersion
from tests.engine.pdf.paper import paper

LINES = ("The notice period is 30 days.", "Either party may end it.")


class Edited:
    """A PDF that is edited step by step, its versions in a folder."""

    def __init__(self, folder: Path, *, tracked: bool = True) -> None:
        self._folder = folder
        self._tracked = tracked
        first = folder / "0.pdf"
        sheet = paper().lines(72, 100, LINES[0])
        first.write_bytes(sheet.lines(72, 200, LINES[1]).data())
        self.version = StoredVersion(first, b"", first if tracked else None)
        self.count = 0

    def edit(self, *operations: Mapping[str, object], author: str = "Ann") -> EditReport:
        self.count += 1
        target = self._folder / f"{self.count}.pdf"
        signature = Signature(
            f"u{self.count}", author, f"2026-01-02T03:04:{self.count:02}Z", tracked=self._tracked
        )
        plan = exact_plan(operations)
        assert editor.check(self.version, plan, self._tracked) == ()
        report = editor.edit(self.version, target, plan, signature)
        if report.applied:
            self.version = StoredVersion(target, report.state, self.version.original)
        return report

    @property
    def comments(self) -> Sequence[Comment]:
        return editor.comments(self.version)

    @property
    def redline(self) -> bytes:
        target = self._folder / "redline.pdf"
        editor.redline(self.version, target)
        return target.read_bytes()

    @property
    def block(self) -> str:
        return next(one.id for one in editor.blocks(self.version).blocks if "notice" in one.text)


def add(block: str, text: str = "Too long?") -> dict[str, object]:
    return {"op": "add_comment", "block": block, "find": "30 days", "text": text}


def said(listed: Sequence[Comment]) -> list[tuple[str, str, str, bool, str]]:
    return [(one.author, one.text, one.words, one.resolved, one.parent) for one in listed]


OPENED: list[Any] = []


def marks_on_page(data: bytes) -> list[Any]:
    """What another reader finds: the dictionaries of page 1, good while their file is open."""
    OPENED[:] = [pikepdf.open(io.BytesIO(data))]
    return list(OPENED[0].pages[0].get("/Annots", []))


@pytest.mark.parametrize("tracked", [True, False])
def test_a_note_is_added_answered_resolved_opened_again_and_deleted(
    tmp_path: Path, *, tracked: bool
) -> None:
    document = Edited(tmp_path, tracked=tracked)
    before = document.version.path.read_bytes()
    report = document.edit(add(document.block))
    assert report.applied
    assert report.summary == "Comments: 1 added"
    assert document.version.path.read_bytes().startswith(before)
    [note] = document.comments
    assert said([note]) == [("Ann", "Too long?", "30 days", False, "")]
    document.edit({"op": "reply_comment", "target": note.id, "text": "45, then."}, author="Bo")
    document.edit({"op": "resolve_comment", "target": "p1.a2"}, author="Bo")
    assert said(document.comments) == [
        ("Ann", "Too long?", "30 days", True, ""),
        ("Bo", "45, then.", "", False, note.id),
    ]
    redline = marks_on_page(document.redline)
    assert [str(one.Subtype) for one in redline] == ["/Highlight", "/Text", "/Text"]
    highlight, answer, state = redline
    assert (answer.IRT.objgen, str(answer.RT)) == (highlight.objgen, "/R")
    assert state.IRT.objgen == highlight.objgen
    assert (str(state.StateModel), str(state.State), str(state.T)) == ("Review", "Completed", "Bo")
    document.edit({"op": "resolve_comment", "target": note.id, "resolved": False}, author="Bo")
    assert [one.resolved for one in document.comments] == [False, False]
    last = marks_on_page(document.redline)[-1]
    assert (str(last.State), str(last.IRT.State)) == ("None", "Completed")
    assert not document.edit(
        {"op": "resolve_comment", "target": note.id, "resolved": False}
    ).applied
    document.edit({"op": "delete_comment", "target": note.id})
    assert document.comments == ()
    assert marks_on_page(document.redline) == []
    assert editor.changes(document.version) == ()


def test_words_and_notes_are_changed_in_one_plan_and_the_redline_has_both(tmp_path: Path) -> None:
    document = Edited(tmp_path)
    block = document.block
    change = {"op": "replace_text", "block": block, "find": "notice", "replace": "cancellation"}
    document.edit(add(block), change)
    assert [one.words for one in document.comments] == ["30 days"]
    assert "cancellation period" in editor.read(document.version).markdown
    kinds = {str(one.Subtype) for one in marks_on_page(document.redline)}
    assert kinds == {"/Highlight", "/Caret", "/StrikeOut"}
    document.edit(add(block, "Really?"))
    shown = tmp_path / "shown.pdf"
    shown.write_bytes(document.redline)
    listed = [one for one in comments(shown.read_bytes()) if one.author == "Ann" and one.words]
    assert [(one.text, one.words) for one in listed] == [
        ("Too long?", "30 days"),
        ("Really?", "30 days"),
    ]


def test_notes_stay_when_changes_are_rejected_or_accepted(tmp_path: Path) -> None:
    actions: tuple[Literal["accept", "reject"], ...] = ("accept", "reject")
    for action in actions:
        folder = tmp_path / action
        folder.mkdir()
        document = Edited(folder)
        block = document.block
        change = {"op": "replace_text", "block": block, "find": "notice", "replace": "end"}
        document.edit(add(block), change)
        target = folder / "settled.pdf"
        resolution = editor.resolve(document.version, target, action, Selection(all=True))
        settled = StoredVersion(target, resolution.state, document.version.original)
        assert editor.changes(settled) == ()
        assert [one.words for one in editor.comments(settled)] == ["30 days"]
        editor.redline(settled, folder / "redline.pdf")
        assert [one.words for one in comments((folder / "redline.pdf").read_bytes())] == ["30 days"]


def test_a_note_that_was_there_is_answered_and_deleted_on_the_upload_too(tmp_path: Path) -> None:
    sheet = paper().lines(72, 100, LINES[0])
    page: Any = sheet.pages[0]
    page.add_text_annot((200, 100), "An old note").set_info(title="Cy")
    file = tmp_path / "a.pdf"
    file.write_bytes(sheet.data())
    version = StoredVersion(file, b"", file)
    [note] = editor.comments(version)
    signature = Signature("u", "Ann", "2026-01-02T03:04:05Z", tracked=True)
    for operation, expected in (
        ({"op": "reply_comment", "target": note.id, "text": "Seen"}, ["An old note", "Seen"]),
        ({"op": "delete_comment", "target": note.id}, []),
    ):
        target = tmp_path / "b.pdf"
        report = editor.edit(version, target, exact_plan([operation]), signature)
        redline = tmp_path / "redline.pdf"
        editor.redline(StoredVersion(target, report.state, file), redline)
        assert [one.text for one in comments(redline.read_bytes())] == expected


@pytest.mark.parametrize(
    ("operations", "code"),
    [
        ([{"op": "reply_comment", "target": "p1.a9", "text": "x"}], "not_found"),
        ([{"op": "add_comment", "block": "p9.b9", "find": "x", "text": "y"}], "not_found"),
        ([{"op": "add_comment", "block": "BLOCK", "find": "40 days", "text": "y"}], "not_found"),
        ([{"op": "add_comment", "block": "BLOCK", "find": "30 days", "text": " "}], "invalid"),
        ([{"op": "add_comment", "block": "BLOCK", "find": "i", "text": "y"}], "ambiguous"),
    ],
)
def test_what_cannot_be_done_with_notes_is_told_before(
    tmp_path: Path, operations: list[dict[str, object]], code: str
) -> None:
    document = Edited(tmp_path)
    block = document.block
    plan = exact_plan(
        [{k: block if v == "BLOCK" else v for k, v in one.items()} for one in operations]
    )
    [fault] = editor.check(document.version, plan, tracked=True)
    assert fault.code == code
    signature = Signature("u", "Ann", "2026-01-02T03:04:05Z", tracked=True)
    with pytest.raises(EditError):
        editor.edit(document.version, tmp_path / "x.pdf", plan, signature)
    assert not (tmp_path / "x.pdf").exists()


def test_notes_that_were_written_wrongly_do_not_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = Edited(tmp_path)
    right = discussion.with_notes

    def wrong(data: bytes, steps: Sequence[Any]) -> bytes:
        return right(right(data, steps), [replace(steps[0], name="another")])

    block = document.block
    monkeypatch.setattr(discussion, "with_notes", wrong)
    with pytest.raises(VerificationError, match="law 2"):
        document.edit(add(block))


def test_notes_are_listed_with_their_words_answers_and_state() -> None:
    sheet = paper().lines(72, 100, "The notice period is 30 days.")
    page: Any = sheet.pages[0]
    highlight = page.add_highlight_annot(page.search_for("30 days")[0])
    highlight.set_info(title="Ann", content="Too long?", modDate="D:20260102030405Z")
    highlight.update()
    answer = page.add_text_annot((200, 100), "Yes, 45.")
    answer.set_info(title="Bo")
    state = page.add_text_annot((200, 100), "Completed set by Bo")
    document: Any = sheet.document
    for one in (answer, state):
        document.xref_set_key(one.xref, "IRT", f"{highlight.xref} 0 R")
    document.xref_set_key(state.xref, "State", "(Completed)")
    document.xref_set_key(state.xref, "StateModel", "(Review)")
    page.add_highlight_annot(page.search_for("notice")[0])  # says nothing
    first, second = comments(sheet.data())
    assert (first.author, first.text, first.words) == ("Ann", "Too long?", "30 days")
    assert (first.date, first.resolved, first.parent) == ("2026-01-02T03:04:05Z", True, "")
    assert (second.author, second.text, second.parent) == ("Bo", "Yes, 45.", first.id)
    assert not second.resolved


def test_notes_are_in_the_markdown_and_are_spoken_of_in_plain_words(tmp_path: Path) -> None:
    document = Edited(tmp_path)
    block = document.block
    document.edit(add(block, "Too long?"), add(block, "Says who?"))
    document.edit({"op": "reply_comment", "target": "p1.a1", "text": "No."}, author="Bo")
    reading = editor.read(document.version, "final", ("comments",))
    assert "The notice period is 30 days.[^p1.a1][^p1.a2][^p1.a3]" in reading.markdown
    assert "[^p1.a3]: Bo: No." in reading.markdown
    assert "[^p1" not in editor.read(document.version).markdown
    plan = editor.interpret(document.version, 'Resolve the comment "Says who"', None)
    assert plan.operations == (ResolveComment("p1.a2"),)
    every = editor.interpret(document.version, "Delete all comments", None)
    assert [type(one) for one in every.operations] == [DeleteComment] * 3
    assert editor.check(document.version, every, tracked=True) == ()
    target = tmp_path / "none.pdf"
    signature = Signature("x", "Cy", "2026-01-02T03:05:00Z", tracked=True)
    assert editor.edit(document.version, target, every, signature).applied
    assert comments(target.read_bytes()) == ()
