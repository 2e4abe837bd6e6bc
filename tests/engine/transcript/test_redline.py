"""The redline of a PDF as a Word document: rejected it is the upload, accepted the edited file."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.docx.changes import revisions
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.markdown.document import write
from redraft.engine.model import View
from redraft.engine.pdf import reader as pdf_reader
from redraft.engine.pdf.tracked import redline as pdf_redline
from redraft.engine.pdf.tracked.redline import Tracked
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetLink,
)
from redraft.engine.report import Signature
from redraft.engine.transcript.redline import redline
from tests.documents import names
from tests.engine.pdf.paper import Paper, paper
from tests.engine.pdf.stream.streams import pdf

ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
BOB = Signature("u2", "Bob Żak", "2026-11-21T07:00:00Z", tracked=True)


def contract() -> Paper:
    made = paper()
    made.text(72, 80, "Terms of supply", size=20, font="hebo")
    made.lines(72, 120, "Payment is due within thirty days of the invoice, and the", size=11)
    made.lines(72, 133.2, "supplier may charge interest from that day on.", size=11)
    made.text(72, 180, "The law of Norway applies to this contract.")
    made.text(72, 400, "Signed in Oslo.")
    return made


def edited(data: bytes, *steps: tuple[Signature, Operation]) -> tuple[bytes, bytes]:
    working, state = data, b""
    for signature, operation in steps:
        plan = EditPlan("edit", "", (operation,))
        working, report = pdf_redline.edit(data, working, state, plan, signature)
        state = report.state
    return working, state


def said(data: bytes, view: View) -> str:
    return write(reader.read(Package.open(data), view))


def listed(data: bytes) -> list[tuple[str, str, str]]:
    found = revisions.changes(data, b"")
    return [(each.author, each.before, each.after) for each in found]


def test_every_edit_is_a_tracked_change_of_the_one_who_made_it() -> None:
    upload = contract().data()
    working, state = edited(
        upload,
        (ANN, ReplaceText("p1.b2", "thirty", "sixty")),
        (BOB, ReplaceText("p1.b2", "interest", "a fee")),
        (BOB, ReplaceText("p1.b3", "Norway", "Sweden")),
    )
    word = redline(upload, working, state)
    assert listed(word) == [
        ("Ann Lee", "thirty", "sixty"),
        ("Bob Żak", "interest", "a fee"),
        ("Bob Żak", "Norway", "Sweden"),
    ]
    assert said(word, "original") == write(pdf_reader.read(upload))
    assert said(word, "final") == write(pdf_reader.read(working))


@pytest.mark.parametrize(
    ("operation", "changes"),
    [
        (ReplaceText("p1.b3", "law", "civil law"), [("Ann Lee", "", "civil ")]),
        (ReplaceText("p1.b3", "to this contract", ""), [("Ann Lee", "to this contract", "")]),
        (DeleteBlocks("p1.b3", "p1.b3"), [("Ann Lee", "The law of Norway applies", "")]),
    ],
)
def test_what_was_inserted_or_deleted_is(
    operation: Operation, changes: list[tuple[str, str, str]]
) -> None:
    upload = contract().data()
    working, state = edited(upload, (ANN, operation))
    word = redline(upload, working, state)
    assert said(word, "original") == write(pdf_reader.read(upload))
    assert said(word, "final") == write(pdf_reader.read(working))
    found = [(a, before[:25].strip(), after.strip()) for a, before, after in listed(word)]
    assert found == [(a, before[:25].strip(), after.strip()) for a, before, after in changes]


def test_a_new_paragraph_is_an_insertion() -> None:
    new = "A new paragraph is set here, in the same column, and is broken into lines."
    upload = pdf(
        b"BT /F1 10 Tf 12 TL 40 250 Td (The quick brown fox jumps over the lazy dog) Tj"
        b" (and runs through the wide forest until evening) ' (comes.) ' ET"
        b" BT /F3 10 Tf 40 60 Td (The end) Tj ET"
    )
    operation = InsertBlocks("p1.b1", "after", (NewBlock("paragraph", new),))
    working, state = edited(upload, (ANN, operation))
    word = redline(upload, working, state)
    assert [(a, b, c.strip()) for a, b, c in listed(word)] == [("Ann Lee", "", new)]
    assert new not in said(word, "original")
    assert new in said(word, "final")


def test_looks_are_tracked_and_links_are_as_they_are_now() -> None:
    upload = contract().data()
    url = "https://example.org/law"
    working, state = edited(
        upload,
        (ANN, FormatText("p1.b2", "thirty days", "bold", "on")),
        (ANN, ReplaceText("p1.b2", "the invoice", "our invoice")),
        (BOB, FormatText("p1.b3", "Norway", "color", "red")),
        (BOB, SetLink("p1.b3", "law", url)),
    )
    word = redline(upload, working, state)
    found = revisions.changes(word, b"")
    assert {(each.author, each.before, each.formatting[:1]) for each in found} == {
        ("Ann Lee", "thirty days", (("bold", "", "on"),)),
        ("Ann Lee", "the", ()),
        ("Bob Żak", "Norway", (("colour", "", "FF0000"),)),
    }
    assert "**thirty days**" in said(word, "final")
    assert "**" not in said(word, "original")
    assert f"[law]({url})" in said(word, "final")


def test_without_a_change_it_is_the_pages_in_words() -> None:
    upload = contract().data()
    word = redline(upload, upload, b"")
    assert listed(word) == []
    assert said(word, "final") == write(pdf_reader.read(upload))


def test_a_document_that_would_not_read_as_the_pdf_is_not_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from redraft.engine.transcript import redline as module

    upload = contract().data()
    other = paper().text(72, 80, "Something else.").data()
    working, state = edited(upload, (ANN, ReplaceText("p1.b3", "Norway", "Sweden")))

    def forgetful(*_: bytes) -> tuple[bytes, list[Tracked]]:
        return other, []

    monkeypatch.setattr(module, "accounted", forgetful)
    with pytest.raises(VerificationError, match="download the PDF instead"):
        redline(upload, working, state)


@pytest.mark.corpus
@pytest.mark.parametrize("name", names("pdf", start=3))
def test_the_words_of_real_files_hold_both_ways(corpus: Path, name: str) -> None:
    from redraft.engine.errors import UnreadableError
    from tests.engine.pdf.test_sweep import swaps

    upload = (corpus / "pdf" / name).read_bytes()
    try:
        wanted = list(swaps(upload, name, 3))
    except UnreadableError:
        pytest.skip("scanned pages")
    working, state = upload, b""
    for number, (_, operation) in enumerate(wanted):
        signature = Signature(f"u{number}", "Ann", "2026-11-21T06:30:00Z", tracked=True)
        plan = EditPlan("edit", "", (operation,))
        try:
            working, report = pdf_redline.edit(upload, working, state, plan, signature)
        except EditError:
            continue
        state = report.state
    word = redline(upload, working, state)
    assert len(listed(word)) >= (1 if working != upload else 0)
