"""One command over many documents: results, table, JSON lines, resuming, and a file that kills."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from redraft import many_files
from tests.engine.wordml import docx, p

pytestmark = pytest.mark.process
ROOT = Path(__file__).resolve().parents[1]
CHANGE = 'Replace "thirty" with "sixty"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents that can be edited, one that cannot, one without the words, and no document."""
    below = tmp_path / "in" / "below"
    below.mkdir(parents=True)
    for file in (tmp_path / "in" / "a.docx", below / "b.docx"):
        file.write_bytes(docx(p("The term is thirty days.")))
    (tmp_path / "in" / "bad.docx").write_bytes(b"no document")
    (tmp_path / "in" / "notes.txt").write_text("no document")
    (tmp_path / "in" / "~$a.docx").write_bytes(b"a lock of Word")
    return tmp_path


def run(folder: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "redraft", *words],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "SOURCE_DATE_EPOCH": "1790000000",
            "HOME": str(folder),
        },
        input=given,
        capture_output=True,
        check=False,
        timeout=120,
    )


def states(done: subprocess.CompletedProcess[bytes]) -> dict[str, str]:
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["file"]: line["state"] for line in lines}


def test_a_bad_file_does_not_stop_the_others_and_is_told(folder: Path) -> None:
    done = run(folder, "edit", "in", CHANGE, "--tracked", "--author", "Ann", "-o", "out")
    table = done.stdout.decode().splitlines()
    assert [line.split()[:2] for line in table] == [
        ["done", "in/a.docx"],
        ["failed", "in/bad.docx"],
        ["done", "in/below/b.docx"],
    ]
    assert "not supported" in table[1]
    assert done.stderr.decode().splitlines()[-1] == "redraft: 3 files: 2 done, 1 failed"
    assert done.returncode == 1
    alone = run(folder, "edit", "in/a.docx", CHANGE, "--tracked", "--author", "Ann", "-o", "a.docx")
    assert alone.returncode == 0
    for name in ("a.docx", "below/b.docx"):
        assert (folder / "out" / name).read_bytes() == (folder / "a.docx").read_bytes()


def test_json_is_one_line_a_file_and_resuming_does_what_is_missing(folder: Path) -> None:
    (folder / "in" / "bad.docx").unlink()
    first = run(folder, "edit", "in", CHANGE, "--json", "-o", "out", "--jobs", "1")
    assert states(first) == {"in/a.docx": "done", "in/below/b.docx": "done"}
    assert json.loads(first.stdout.splitlines()[0])["result"]["applied"] is True
    (folder / "out" / "a.docx").unlink()
    again = run(folder, "edit", "in", CHANGE, "--json", "-o", "out", "--resume")
    assert states(again) == {"in/a.docx": "done", "in/below/b.docx": "kept"}
    assert again.returncode == 0


def test_results_beside_the_files_are_not_edited_again(folder: Path) -> None:
    (folder / "in" / "bad.docx").unlink()
    assert run(folder, "edit", "in", CHANGE).returncode == 0
    again = run(folder, "edit", "in", CHANGE, "--resume", "--json")
    assert states(again) == {"in/a.docx": "kept", "in/below/b.docx": "kept"}


def test_patterns_lists_and_other_commands(folder: Path) -> None:
    (folder / "in" / "bad.docx").unlink()
    read = run(folder, "read", "in/**/*.docx")
    assert read.stdout.decode().count("The term is thirty days.") == 2
    assert "==> in/below/b.docx <==" in read.stdout.decode()
    run(folder, "edit", "in", CHANGE, "--tracked", "-o", "out")
    changes = run(folder, "changes", "out/a.docx", "out/below/b.docx", "--json")
    found = [json.loads(line)["result"][0]["after"] for line in changes.stdout.splitlines()]
    assert found == ["sixty", "sixty"]
    plan = [{"op": "replace_text", "block": "p1", "find": "thirty", "replace": "ten"}]
    (folder / "plan.json").write_text(json.dumps(plan))
    applied = run(folder, "apply", "in/a.docx", "in/below", "plan.json", "-o", "ten", "--json")
    assert states(applied) == {"in/a.docx": "done", "in/below/b.docx": "done"}


def test_nothing_changed_anywhere_is_exit_code_3(folder: Path) -> None:
    (folder / "in" / "bad.docx").unlink()
    same = [{"op": "replace_text", "block": "p1", "find": "thirty", "replace": "thirty"}]
    (folder / "plan.json").write_text(json.dumps(same))
    assert run(folder, "apply", "in", "plan.json").returncode == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("read", "in", "-"), "cannot be given with others"),
        (("edit", "in", CHANGE, "-o", "in/a.docx"), "names a folder"),
        (("edit", "in", " "), "instruction is empty"),
        (("read", "none*"), "no .docx or .pdf files"),
        (("read", "in", "--jobs", "0"), "at least 1"),
        (("edit", "in/a.docx", "twin/a.docx", CHANGE, "-o", "out"), "would be written to out"),
    ],
)
def test_what_cannot_be_done_together_is_refused_at_once(
    folder: Path, words: tuple[str, ...], said: str
) -> None:
    (folder / "twin").mkdir()
    shutil.copy(folder / "in" / "a.docx", folder / "twin")
    done = run(folder, *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()
    assert not (folder / "out").exists()


def test_a_document_goes_from_standard_input_to_standard_output(folder: Path) -> None:
    data = (folder / "in" / "a.docx").read_bytes()
    done = run(folder, "edit", "-", CHANGE, "--author", "Ann", "-o", "-", given=data)
    assert done.returncode == 0, done.stderr
    (folder / "sent.docx").write_bytes(done.stdout)
    assert b"sixty" in run(folder, "read", "sent.docx").stdout
    same = [{"op": "replace_text", "block": "p1", "find": "thirty", "replace": "thirty"}]
    (folder / "plan.json").write_text(json.dumps(same))
    kept = run(folder, "apply", "-", "plan.json", "-o", "-", given=data)
    assert (kept.returncode, kept.stdout) == (3, data)


def deadly(command: str, options: argparse.Namespace) -> int:
    """A command that ends the process that works on `bad.docx`."""
    if options.file.name == "bad.docx":
        os._exit(9)
    sys.stdout.write(json.dumps({"command": command}))
    return 0


def test_a_file_that_ends_its_process_fails_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = argparse.Namespace(file=[folder / "in"], jobs=2, json=True)
    assert many_files.run("read", options, deadly) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["state"] for line in found] == ["done", "failed", "done"]
    assert "was ended" in found[1]["message"]
