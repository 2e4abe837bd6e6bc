"""`redraft git-setup` with real git: a history of a Word file is read in words."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from redraft import command_line
from redraft.engine import editor
from redraft.engine.report import StoredVersion
from tests.engine.wordml import docx, p

pytestmark = pytest.mark.process


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two versions of a contract, and no configuration but its own."""
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    home = tmp_path / "home"
    work = tmp_path / "work"
    home.mkdir()
    work.mkdir()
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG", "GIT_CONFIG_COUNT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv(
        "PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    )
    monkeypatch.chdir(work)
    git("init", "-q")
    git("config", "user.name", "Ann")
    git("config", "user.email", "ann@example.com")
    for days in ("30", "45"):
        (work / "contract.docx").write_bytes(docx(p(f"Payment within {days} days.") + p("Same.")))
        git("add", "contract.docx")
        git("commit", "-q", "-m", f"{days} days")
    return work


def git(*words: str) -> str:
    run = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_git_shows_the_words_of_a_history(repository: Path) -> None:
    assert "Binary files" in git("diff", "HEAD~1")
    assert command_line.main(["git-setup"]) == 0
    assert "[-30-]{+45+}" in git("diff", "--word-diff", "HEAD~1")
    assert "-Payment within 30 days." in git("log", "-p", "-1")
    assert (
        repository / ".gitattributes"
    ).read_text() == "*.docx diff=redraft\n*.pdf diff=redraft\n*.docx merge=redraft\n"


@pytest.mark.usefixtures("repository")
def test_the_difftool_is_redraft_diff() -> None:
    assert command_line.main(["git-setup"]) == 0
    assert "Payment within [-30-]{+45+} days." in git("difftool", "-t", "redraft", "HEAD~1")


def test_a_second_time_changes_nothing_and_keeps_what_was_there(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.png binary")
    for _ in range(2):
        assert command_line.main(["git-setup"]) == 0
    lines = (repository / ".gitattributes").read_text().splitlines()
    assert lines[0] == "*.png binary"
    assert sorted(lines[1:]) == [
        *("*.docx diff=redraft", "*.docx merge=redraft", "*.pdf diff=redraft")
    ]
    assert git("config", "--get-all", "diff.redraft.textconv").splitlines() == ["redraft read"]


def test_for_all_repositories(repository: Path) -> None:
    assert command_line.main(["git-setup", "--global"]) == 0
    assert not (repository / ".gitattributes").exists()
    assert "[-30-]{+45+}" in git("diff", "--word-diff", "HEAD~1")


def test_outside_of_a_repository_it_is_said(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository.parent / "home")
    assert command_line.main(["git-setup"]) == 1
    assert "no git repository" in capsys.readouterr().err


def branches(work: Path, ours: list[str], theirs: list[str]) -> subprocess.CompletedProcess[str]:
    """Writes the contract on two branches, by two people, and merges them."""
    assert command_line.main(["git-setup"]) == 0
    git("add", ".gitattributes")
    git("commit", "-q", "-m", "attributes")
    git("checkout", "-q", "-b", "other")
    for words, name in ((theirs, "Bob"), (ours, "Ann")):
        if name == "Ann":
            git("checkout", "-q", "-")
        (work / "contract.docx").write_bytes(docx("".join(map(p, words))))
        git("-c", f"user.name={name}", "commit", "-q", "-a", "-m", name)
    return subprocess.run(
        ["git", "merge", "-q", "--no-edit", "other"], capture_output=True, text=True, check=False
    )


def test_two_branches_are_merged_as_tracked_changes_of_both(repository: Path) -> None:
    merged = branches(
        repository,
        ["Payment within 60 days.", "Same."],
        ["Payment within 45 days.", "Quite another."],
    )
    assert merged.returncode == 0, merged.stderr
    revisions = editor.changes(StoredVersion(repository / "contract.docx"))
    assert {(change.author, change.after.strip()) for change in revisions} == {
        ("Ann", "60"),
        ("Bob", "Quite another"),
    }


def test_where_branches_meet_git_is_told_of_a_conflict(repository: Path) -> None:
    merged = branches(
        repository, ["Payment within 60 days.", "Same."], ["Payment within 90 days.", "Same."]
    )
    assert merged.returncode == 1
    assert "contract.docx: conflict in p1: Ann: “60”; Bob: “90”" in merged.stderr
    assert "UU contract.docx" in git("status", "--short")
    revisions = editor.changes(StoredVersion(repository / "contract.docx"))
    assert {"60", "90"} <= {change.after.strip() for change in revisions}


def test_the_workflow_for_pull_requests_writes_what_differs(repository: Path) -> None:
    text = (Path(__file__).parent.parent / "docs" / "redline-action.yml").read_text("utf-8")
    lines = text.partition("- name: Summary")[2].partition("run: |\n")[2].splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    script = "\n".join(takewhile(lambda line: line.startswith(" " * indent), lines))
    environment = {**os.environ, "BASE": git("rev-parse", "HEAD~1").strip()}
    run = ["bash", "-e", "-o", "pipefail", "-c", script]
    # As GitHub runs it, and stricter: that files differ is no failure.
    subprocess.run(run, check=True, env=environment, cwd=repository)
    summary = (repository / "summary.md").read_text("utf-8")
    assert summary.startswith("### contract.docx\n\n1 passage differs")
    assert "[-30-]{+45+}" in summary
