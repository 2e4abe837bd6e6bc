from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.errors import CorruptDocumentError, EditError, NotFoundError
from engine.pdf import reader
from engine.pdf.apply import apply
from engine.pdf.content.log import entries
from engine.pdf.content.targets import targets
from engine.pdf.redline import annotated, changes, without
from engine.plan import DeleteBlocks, EditPlan, Operation, ReplaceText
from engine.report import Signature
from tests.engine.pdf.content.streams import content, pdf

ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
BOB = Signature("u2", "Bob Żak", "2026-11-21T07:00:00Z", tracked=True)
UPLOAD = pdf(
    b"BT /F1 10 Tf 12 TL 20 250 Td (The quick brown fox jumps over the lazy dog and) Tj"
    b" (runs through the wide forest until the evening) ' (comes.) ' ET"
    b" BT /F2 10 Tf 20 200 Td (A line below) Tj ET BT /F1 10 Tf 20 150 Td (And the end) Tj ET"
)


def edit(data: bytes, state: bytes, signature: Signature, *plan: Operation) -> tuple[bytes, bytes]:
    after, report = apply(data, state, EditPlan("edit", "", plan), signature)
    return after, report.state


def notes(data: bytes, page: int = 0) -> list[dict[str, Any]]:
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    keys = ("Subtype", "IT", "IRT", "RT", "T", "Contents", "NM", "M", "F")
    found: list[dict[str, Any]] = []
    for each in opened[page].annots():
        held = {key: opened.xref_get_key(each.xref, key)[1] for key in keys}
        held |= {"xref": each.xref, "rect": each.rect, "corners": each.vertices}
        held["under"] = opened[page].get_textbox(each.rect).strip()
        found.append(held)
    return found


def test_a_replacement_is_a_caret_and_a_strikeout_in_one_group() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    data = annotated(UPLOAD, working, state)
    assert data.startswith(UPLOAD)
    assert content(data) == content(UPLOAD)
    struck, caret = notes(data)
    assert (struck["Subtype"], struck["IT"]) == ("/StrikeOut", "/StrikeOutTextEdit")
    assert (struck["IRT"], struck["RT"]) == (f"{caret['xref']} 0 R", "/Group")
    assert (caret["Subtype"], caret["IT"], caret["Contents"]) == ("/Caret", "/Replace", "red")
    assert {(each["T"], each["M"], each["F"]) for each in (struck, caret)} == {
        ("Ann Lee", "D:20261121063000Z", "4")
    }
    assert caret["NM"] == "u1.c1"
    assert "brown" in struck["under"]


def test_struck_words_over_two_lines_have_two_quads() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "dog and runs through", "cat and"))
    found = notes(annotated(UPLOAD, working, state))
    quads = [len(each["corners"]) // 4 for each in found if each["Subtype"] == "/StrikeOut"]
    assert sum(quads) == 2


def test_an_insertion_is_a_caret_alone_and_a_deletion_a_strikeout_alone() -> None:
    working, state = edit(
        UPLOAD, b"", ANN, ReplaceText("p1.b1", "fox", "fox gladly"), DeleteBlocks("p1.b2", "p1.b2")
    )
    found = notes(annotated(UPLOAD, working, state))
    assert [(each["Subtype"], each["IRT"]) for each in found] == [
        ("/Caret", "null"),
        ("/StrikeOut", "null"),
    ]
    assert found[0]["Contents"].strip() == "gladly"
    assert "A line below" in found[1]["under"]


def test_changes_of_two_people_are_listed_with_their_names() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    working, state = edit(working, state, BOB, ReplaceText("p1.b2", "line", "word"))
    found = changes(UPLOAD, working, state)
    assert [(r.id, r.before, r.after, r.author, r.edits, r.where) for r in found] == [
        ("c1", "brown", "red", "Ann Lee", ("u1",), "page 1"),
        ("c2", "line", "word", "Bob Żak", ("u2",), "page 1"),
    ]
    assert [each.uid for each in entries(state)] == ["u1", "u2"]


def test_an_edit_taken_back_by_another_leaves_no_change() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "red", "brown"))
    assert changes(UPLOAD, working, state) == ()
    assert annotated(UPLOAD, working, state) == UPLOAD


def test_a_rejected_change_is_gone_and_the_others_stand() -> None:
    working, state = edit(
        UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"), DeleteBlocks("p1.b2", "p1.b2")
    )
    assert [r.id for r in changes(UPLOAD, working, state)] == ["c1", "c2"]
    kept = without(UPLOAD, working, frozenset({"c1"}))
    assert [(r.before, r.after) for r in changes(UPLOAD, kept, state)] == [("A line below", "")]
    assert without(UPLOAD, working, frozenset({"c1", "c2"})) == UPLOAD
    with pytest.raises(NotFoundError):
        without(UPLOAD, working, frozenset({"c9"}))


def test_damaged_state_is_said_to_be_damaged() -> None:
    with pytest.raises(CorruptDocumentError):
        entries(b"{")


@pytest.mark.corpus
def test_real_files_are_annotated_without_a_byte_of_them_changing(corpus: Path) -> None:
    count = 0
    for path in sorted((corpus / "pdf").glob("*.pdf"))[2::4]:
        data = path.read_bytes()
        try:
            held = [each for each in targets(reader.read(data)) if len(each.text) > 30]
            target = held[len(held) // 2]
            word = re.findall(r"\w{4,}", target.text)[-1]
            working, state = edit(data, b"", ANN, ReplaceText(target.anchor, word, "item", 1))
        except (EditError, IndexError):
            continue
        redline = annotated(data, working, state)
        assert redline.startswith(data), path.name
        before = len(notes(data, target.page))
        assert len(notes(redline, target.page)) == before + 2, path.name
        count += 1
    assert count >= 3
