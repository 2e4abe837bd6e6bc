"""`redraft review`: one document and many, with and without a model, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft import command_line
from redraft.engine import editor
from redraft.engine.report import StoredVersion
from tests.engine.wordml import docx, p
from tests.model_server import ModelServer

RULES = '- Replace "Vendor" with "Supplier"\n- If "sixty" appears, comment "Long"\n'
PLAIN = "- Payment terms are at most 30 days; else change them to 30 days\n"


@pytest.fixture(autouse=True)
def _without_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "REDRAFT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    contract = docx(p("Contract") + p("The Vendor is paid within sixty days."))
    (tmp_path / "a.docx").write_bytes(contract)
    (tmp_path / "rules.md").write_text(RULES, "utf-8")


def review(*words: str) -> int:
    return command_line.main(
        ["review", "a.docx", "--playbook", "rules.md", "--author", "Ann", *words]
    )


def test_the_result_stands_beside_the_file_and_the_report_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path("a.docx").read_bytes()
    assert review("--report", "report.json") == 0
    assert capsys.readouterr().out.startswith(
        "# Review of a.docx\n\n2 rules: 1 changed, 1 commented.\n"
    )
    assert Path("a.docx").read_bytes() == before
    version = StoredVersion(tmp_path / "a-reviewed.docx")
    assert [change.author for change in editor.changes(version)] == ["Ann"]
    assert [comment.words for comment in editor.comments(version)] == ["sixty"]
    report = json.loads(Path("report.json").read_text("utf-8"))
    assert [finding["outcome"] for finding in report["findings"]] == ["changed", "commented"]
    assert report["output"] == "a-reviewed.docx"
    assert review() == 2


def test_a_dry_run_writes_nothing_and_a_document_that_keeps_all_rules_is_code_3(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert review("--dry-run", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["output"], len(answer["changes"])) == (None, 1)
    Path("rules.md").write_text('- "Contract" must appear\n', "utf-8")
    assert review() == 3
    assert not Path("a-reviewed.docx").exists()


def test_an_undecided_rule_is_code_1_and_the_others_are_carried_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("rules.md").write_text(RULES + PLAIN, "utf-8")
    assert review() == 1
    assert "1 undecided; written to a-reviewed.docx" in capsys.readouterr().err


def test_a_model_reads_rules_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {
        "reason": "Sixty is more.",
        "verdict": "change",
        "quotes": [{"block": "p2", "words": "within sixty days"}],
        "read": [],
        "operations": [
            {"op": "replace_text", "block": "p2", "find": "sixty", "replace": "30"},
        ],
        "comments": [],
    }
    Path("rules.md").write_text(PLAIN, "utf-8")
    with ModelServer([json.dumps(answer)]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("REDRAFT_MODEL", "stand-in")
        assert review() == 0
    text = editor.read(StoredVersion(Path("a-reviewed.docx"))).markdown
    assert "paid within 30 days" in text


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--playbook", "none.md"], "No such file"),
        (["--report", "report.txt"], "name it .md or .json"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert review(*words) in (1, 2)
    [line] = capsys.readouterr().err.splitlines()
    assert reason in line
    assert not Path("a-reviewed.docx").exists()


@pytest.mark.process
def test_many_documents_are_reviewed_and_reports_are_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("one.docx", "two.docx"):
        (folder / name).write_bytes(Path("a.docx").read_bytes())
    (folder / "bad.docx").write_bytes(b"no document")
    words = ["review", "in", "--playbook", "rules.md", "-o", "out", "--json", "--jobs", "1"]
    assert command_line.main(words) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["file"], line["state"]) for line in lines] == [
        *(("in/bad.docx", "failed"), ("in/one.docx", "done"), ("in/two.docx", "done"))
    ]
    assert lines[1]["result"]["summary"] == "2 rules: 1 changed, 1 commented"
    assert (tmp_path / "out" / "two.docx").exists()
    assert command_line.main([*words, "--resume"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["state"] for line in lines] == ["failed", "kept", "kept"]
