"""`redraft compare` as a person types it, and the page that tells of it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from redraft import command_line
from tests.engine.wordml import docx, p, r
from tests.interface.situation_documents import text_pdf

PAGE = Path(__file__).parents[3] / "docs" / "compare.md"
COMMANDS = re.findall(
    r"^    redraft ((?:compare|combine|export) [^#\n]*)", PAGE.read_text("utf-8"), re.MULTILINE
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two versions, in which commands are typed."""
    (tmp_path / "old.docx").write_bytes(docx(p("Payment within 30 days.") + p("Same.")))
    (tmp_path / "new.docx").write_bytes(docx(p("Payment within 45 days.") + p("Same.")))
    words = {"sent": "Pay in 30 days.", "ann": "Pay in 45 days.", "bob": "Pay in 60 days."}
    for name, text in words.items():
        (tmp_path / f"{name}.docx").write_bytes(docx(p(text)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("soffice")  # makes the PDF
@pytest.mark.process  # git is asked for a name where none is given
@pytest.mark.parametrize("words", COMMANDS)
def test_the_commands_of_the_page_work(words: str, folder: Path) -> None:
    if words.startswith("export"):
        (folder / "redline.docx").write_bytes((folder / "new.docx").read_bytes())
    assert command_line.main(shlex.split(words)) == 0
    assert (folder / shlex.split(words)[shlex.split(words).index("-o") + 1]).exists()


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) >= 3


def test_changes_are_printed_and_what_remains_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["compare", "old.docx", "new.docx", "--author", "Ann", "-o", "out.docx"]
    assert command_line.main(given) == 0
    said = capsys.readouterr()
    assert "[-30-]{+45+}" in said.out
    assert said.err == "redraft: 1 change; written to out.docx\n"
    assert (folder / "out.docx").exists()


def test_as_json_the_changes_and_remains_are_data(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide = '<w:sectPr><w:pgSz w:w="16838" w:h="11906"/></w:sectPr>'
    (folder / "wide.docx").write_bytes(docx(p("Payment within 45 days."), section=wide))
    given = ["compare", "old.docx", "wide.docx", "--author", "Ann", "-o", "out.docx", "--json"]
    assert command_line.main(given) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["output"] == "out.docx"
    assert len(told["changes"]) == 2
    assert len(told["remains"]) == 1


def test_the_same_documents_give_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["compare", "old.docx", "old.docx", "--author", "Ann", "-o", "out.docx"]
    assert command_line.main(given) == command_line.NOTHING_CHANGED
    assert "say the same" in capsys.readouterr().err
    assert not (folder / "out.docx").exists()


def test_a_redline_is_not_written_over_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["compare", "old.docx", "new.docx", "--author", "Ann", "-o", "new.docx"]
    before = (folder / "new.docx").read_bytes()
    assert command_line.main(given) == command_line.WRONG_USE
    assert "exists" in capsys.readouterr().err
    assert (folder / "new.docx").read_bytes() == before


def test_a_missing_file_is_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["compare", "old.docx", "no.docx"]) == command_line.WRONG_USE
    assert capsys.readouterr().err == "redraft: there is no file no.docx\n"
    assert not (folder / "no-redline.docx").exists()


def test_reviewers_are_combined_and_conflicts_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["combine", "sent.docx", "ann.docx", "bob.docx", "-o", "all.docx", "--names", "Ann,Bob"]
    assert command_line.main(given) == 0
    said = capsys.readouterr()
    assert "Ann" in said.out
    assert "conflict in p1: Ann: “45”; Bob: “60”\n" in said.err
    assert (folder / "all.docx").exists()


def test_names_must_fit_the_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["combine", "sent.docx", "ann.docx", "bob.docx", "--names", "Ann"]
    assert command_line.main(given) == command_line.WRONG_USE
    assert "2 files need 2 names" in capsys.readouterr().err
    assert not (folder / "sent-combined.docx").exists()


def test_two_pdfs_give_a_word_document_with_the_words_that_differ(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, days in (("old", 30), ("new", 45)):
        (folder / f"{name}.pdf").write_bytes(text_pdf(f"Payment within {days} days."))
    given = ["compare", "old.pdf", "new.pdf", "--author", "Ann"]
    assert command_line.main(given) == 0
    said = capsys.readouterr()
    assert "Payment within [-30-]{+45+} days." in said.out
    assert said.err == "redraft: 1 change; written to new-redline.docx\n"
    assert (folder / "new-redline.docx").exists()


def test_a_word_document_is_compared_with_a_pdf_by_its_words(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bold = docx(p(r("Payment within 30 days.", "<w:b/>")) + p(""))
    (folder / "bold.docx").write_bytes(bold)
    (folder / "new.pdf").write_bytes(text_pdf("Payment within 45 days."))
    given = ["compare", "bold.docx", "new.pdf", "--author", "Ann", "-o", "out.docx"]
    assert command_line.main(given) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    assert "[-30-]{+45+}" in said.out
    assert said.err == "redraft: 1 change; written to out.docx\n"


def test_a_redline_of_pdfs_is_no_pdf(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.pdf").write_bytes(text_pdf("One."))
    given = ["compare", "old.pdf", "new.docx", "--author", "Ann", "-o", "out.pdf"]
    assert command_line.main(given) == command_line.WRONG_USE
    assert "name it .docx" in capsys.readouterr().err
    assert not (folder / "out.pdf").exists()
