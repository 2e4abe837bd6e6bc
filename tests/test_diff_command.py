"""`redraft diff` as a person types it: what differs between two readings, and the exit code."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from redraft import command_line
from tests.engine.wordml import docx, p


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two versions, in which commands are typed."""
    same = "".join(p(f"Clause number {n} says nothing new.") for n in range(8))
    (tmp_path / "old.docx").write_bytes(docx(p("Payment within 30 days.") + same))
    (tmp_path / "new.docx").write_bytes(docx(p("Payment within 45 days.") + same + p("More.")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_words_are_marked_in_plain_text_and_what_is_far_away_is_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["diff", "old.docx", "new.docx"]) == 1
    assert capsys.readouterr().out == (
        "--- old.docx\n+++ new.docx\n"
        "@@ -1 +1 @@\nPayment within [-30-]{+45+} days.\nClause number 0 says nothing new.\n"
        "@@ -17 +17 @@\nClause number 7 says nothing new.\n{+More.+}\n"
    )
    assert folder.exists()


@pytest.mark.usefixtures("folder")
def test_colours_are_given_when_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["diff", "old.docx", "new.docx", "--color", "always"]) == 1
    said = capsys.readouterr().out
    assert "\x1b[31;9m30\x1b[0m\x1b[32;1m45\x1b[0m" in said
    assert "[-" not in said


@pytest.mark.usefixtures("folder")
def test_the_same_documents_print_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["diff", "old.docx", "old.docx"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("folder")
def test_counts_and_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["diff", "old.docx", "new.docx", "--stat"]) == 1
    assert capsys.readouterr().out == "2 passages differ: 1 word struck, 2 written\n"
    assert command_line.main(["diff", "old.docx", "new.docx", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [span["text"] for span in told[0]["spans"] if span["kind"] != "same"] == ["30", "45"]
    assert (told[1]["old_line"], told[1]["new_line"]) == (0, 19)


@pytest.mark.usefixtures("folder")
def test_a_file_that_git_does_not_have_is_empty(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["diff", os.devnull, "old.docx", "--stat"]) == 1
    assert capsys.readouterr().out.startswith("9 passages differ: 0 words struck")


def test_a_file_that_cannot_be_read_is_trouble(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "no.docx").write_bytes(b"nothing")
    assert command_line.main(["diff", "old.docx", "no.docx"]) == 2
    assert capsys.readouterr().err.startswith("redraft: ")
    assert command_line.main(["diff", "old.docx", "away.docx"]) == 2
