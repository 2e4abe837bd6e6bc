"""The engine's front door on a PDF: edited in place where it may be, refused where it may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.plan import EditPlan, FindReplace, MoveBlocks
from redraft.engine.report import Selection, Signature, StoredVersion
from tests.engine.wordml import docx, p

PLAN = EditPlan("edit", "", (FindReplace("thirty days", "sixty days"),))


def signed(*, tracked: bool) -> Signature:
    return Signature("e1", "Dana", "2026-11-21T06:30:00Z", tracked=tracked)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A PDF of one line."""
    import pymupdf

    document: Any = pymupdf.open()
    line = "Payment is due within thirty days of the invoice."
    document.new_page().insert_text((72, 100), line, fontsize=12)
    document.save(tmp_path / "page.pdf")
    return tmp_path / "page.pdf"


def test_a_pdf_is_edited_in_place(page: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.pdf"
    report = editor.edit(StoredVersion(page, b""), target, PLAN, signed(tracked=False))
    assert report.applied
    assert editor.read(StoredVersion(target)).markdown.strip() == (
        "Payment is due within sixty days of the invoice."
    )
    assert b"thirty" not in target.read_bytes()


def test_tracked_changes_of_a_pdf_are_counted_against_the_upload(
    page: Path, tmp_path: Path
) -> None:
    target, shown, clean = (tmp_path / name for name in ("out.pdf", "shown.pdf", "clean.pdf"))
    report = editor.edit(StoredVersion(page, b"", page), target, PLAN, signed(tracked=True))
    (revision,) = report.revisions
    assert (revision.before, revision.after, revision.author) == ("thirty", "sixty", "Dana")
    assert editor.changes(StoredVersion(target, report.state, page)) == (revision,)
    editor.redline(StoredVersion(target, report.state, page), shown)
    assert shown.read_bytes().startswith(page.read_bytes())
    assert b"/StrikeOutTextEdit" in shown.read_bytes()
    editor.clean(StoredVersion(target, report.state), clean)
    assert clean.read_bytes() == target.read_bytes()
    settled = tmp_path / "settled.pdf"
    done = editor.resolve(
        StoredVersion(target, report.state, page), settled, "reject", Selection(all=True)
    )
    assert (done.resolved, settled.read_bytes()) == (1, page.read_bytes())


def test_the_faults_of_a_plan_for_a_pdf_are_told_before_it_is_tried(page: Path) -> None:
    plan = EditPlan("edit", "", (MoveBlocks("p1.b1", "p1.b1", "p1.b1", "after"),))
    assert [fault.code for fault in editor.check(StoredVersion(page), plan)] == [
        "unsupported_for_pdf"
    ]
    assert editor.check(StoredVersion(page), PLAN) == ()


def test_a_protected_document_is_left_alone_where_the_operator_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "a.docx", tmp_path / "out.docx"
    protection = '<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'
    source.write_bytes(docx(p("thirty days"), settings=protection))
    monkeypatch.setenv("REDRAFT_PROTECTED", "refuse")
    with pytest.raises(RefusedError, match="protected against editing"):
        editor.edit(StoredVersion(source, b""), target, PLAN, signed(tracked=True))
    assert not target.exists()
    monkeypatch.delenv("REDRAFT_PROTECTED")
    report = editor.edit(StoredVersion(source, b""), target, PLAN, signed(tracked=True))
    assert report.applied
    assert "protected" in report.warnings[0]


def test_a_pdf_without_its_upload_holds_no_changes_to_settle(page: Path, tmp_path: Path) -> None:
    assert editor.changes(StoredVersion(page, b"")) == ()
    with pytest.raises(NotFoundError):
        editor.resolve(
            StoredVersion(page, b""), tmp_path / "out.pdf", "accept", Selection(all=True)
        )
