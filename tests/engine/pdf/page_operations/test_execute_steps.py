from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.errors import RefusedError
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.plan_faults import faults
from redraft.engine.plan import (
    DeletePages,
    EditPlan,
    FindReplace,
    InsertPage,
    Operation,
    PageOperation,
    Redact,
    StampPages,
)
from redraft.engine.report import Signature, StoredVersion
from tests.engine.pdf.paper import paper
from tests.engine.wordml import docx, p

UNTRACKED = Signature("e1", "Dana", "2026-11-21T06:30:00Z", tracked=False)
TRACKED = Signature("e1", "Dana", "2026-11-21T06:30:00Z", tracked=True)
OPERATIONS: tuple[PageOperation, ...] = (
    DeletePages(1, 1),
    InsertPage(1, "after"),
    Redact("secret"),
    StampPages("watermark", "DRAFT"),
)


def plan(*operations: Operation) -> EditPlan:
    return EditPlan("edit", "asked", operations)


def book() -> bytes:
    made = paper().text(50, 100, "The secret of page one.")
    return made.page().text(50, 100, "The colour of page two.").data()


def texts(data: bytes) -> list[str]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [" ".join(str(page.get_text()).split()) for page in document]


def test_words_and_pages_change_in_one_plan() -> None:
    after, report = apply(
        book(),
        plan(
            StampPages("page_numbers", "{page} of {pages}"),
            DeletePages(1, 1),
            FindReplace("colour", "paint"),
        ),
        UNTRACKED,
    )
    assert texts(after) == ["The paint of page two. 1 of 1"]
    assert report.summary == "1 change on page 2; page 1 deleted; page numbers added"


def test_what_was_redacted_is_not_repeated_in_the_report() -> None:
    after, report = apply(book(), plan(Redact("secret")), UNTRACKED)
    assert texts(after)[0] == "The of page one."
    assert report.summary == "Redacted in 1 place"
    assert "secret" not in repr(report)


def test_a_tracked_pdf_refuses_to_redact(tmp_path: Path) -> None:
    source, target = tmp_path / "a.pdf", tmp_path / "b.pdf"
    source.write_bytes(book())
    with pytest.raises(RefusedError, match="upload that without tracked changes"):
        editor.edit(StoredVersion(source, b""), target, plan(Redact("secret")), TRACKED)
    assert not target.exists()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: type(each).__name__)
def test_a_word_document_refuses_them(operation: PageOperation, tmp_path: Path) -> None:
    source, target = tmp_path / "a.docx", tmp_path / "b.docx"
    source.write_bytes(docx(p("A secret.")))
    (fault,) = editor.check(StoredVersion(source), plan(operation))
    assert "edits of a PDF" in fault.message
    with pytest.raises(RefusedError, match="no fixed pages"):
        editor.edit(StoredVersion(source, b""), target, plan(operation), UNTRACKED)


def test_a_page_that_is_not_there_is_a_fault_of_its_operation() -> None:
    (fault,) = faults(book(), plan(DeletePages(1, 1), DeletePages(7, 7)))
    assert (fault.index, fault.code) == (1, "not_found")
    assert faults(book(), plan(DeletePages(1, 1), InsertPage(2, "after"))) == ()
    (both,) = faults(book(), plan(DeletePages(1, 1), DeletePages(2, 2)))
    assert "at least one" in both.message


def test_a_scanned_pdf_loses_its_pages_all_the_same() -> None:
    scans = paper().picture(0, 0, 595, 842).page().picture(0, 0, 595, 842).data()
    after, report = apply(scans, plan(DeletePages(2, 2)), UNTRACKED)
    assert len(texts(after)) == 1
    assert report.summary == "Page 2 deleted"
