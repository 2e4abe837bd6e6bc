"""What an interactive command line asks, and what becomes of the answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine import wordml

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
TWICE = "The fee is due, and the fee is final."


def typed(answers: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """The program with a terminal as its input, into which the answers are typed."""
    near, far = os.openpty()
    os.write(near, answers.encode())
    try:
        return subprocess.run(
            [sys.executable, "-m", "redraft", *map(str, arguments)],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            stdin=far,
            capture_output=True,
            check=False,
            timeout=60,
        )
    finally:
        os.close(near)
        os.close(far)


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    file = tmp_path / "letter.docx"
    file.write_bytes(wordml.docx(wordml.p(wordml.r(TWICE)) + wordml.p(wordml.r("Kind regards"))))
    return file


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        ("2\n", "The fee is due, and the price is final."),
        ("seven\n1\n", "The price is due, and the fee is final."),
        ("a\ny\n", "The price is due, and the price is final."),
    ],
    ids=["second", "first, after a typing error", "all"],
)
def test_the_place_that_is_chosen_is_the_one_that_is_edited(
    letter: Path, answer: str, written: str
) -> None:
    done = typed(answer, "edit", letter, 'change "fee" to "price"', "--untracked")
    assert done.returncode == 0, done.stderr
    assert "  2. The fee is due, and the ⟪fee⟫ is final.".encode() in done.stderr
    out = letter.with_name("letter-edited.docx")
    assert written in subprocess.run(
        [sys.executable, "-m", "redraft", "read", out],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.replace("\n", " ")


def test_no_answer_writes_nothing(letter: Path) -> None:
    done = typed("\n", "edit", letter, 'change "fee" to "price"')
    assert done.returncode == 1
    assert b"no place was chosen; nothing is written" in done.stderr
    assert not letter.with_name("letter-edited.docx").exists()


def test_who_cannot_be_asked_is_shown_the_places(letter: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "redraft", "edit", letter, 'change "fee" to "price"'],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert "  1. The ⟪fee⟫ is due, and the fee is final.".encode() in done.stderr


def test_a_deletion_is_shown_and_written_only_when_it_is_wanted(letter: Path) -> None:
    out = letter.with_name("letter-edited.docx")
    refused = typed("n\n", "edit", letter, 'delete the paragraph containing "regards"')
    assert (refused.returncode, out.exists()) == (3, False)
    assert b"[-Kind regards-]" in refused.stderr
    assert b"Write this change to" in refused.stderr
    done = typed("y\n", "edit", letter, 'delete the paragraph containing "regards"')
    assert (done.returncode, out.exists()) == (0, True)


def test_changes_in_several_places_are_asked_about_unless_yes_is_said(letter: Path) -> None:
    everywhere = ["edit", letter, 'replace "fee" with "price" everywhere', "--untracked"]
    asked = typed("\n", *everywhere)
    assert asked.returncode == 3
    assert b"Write 2 changes to" in asked.stderr
    silent = typed("", *everywhere, "--yes")
    assert silent.returncode == 0
    assert b"Write " not in silent.stderr


def test_one_change_is_not_asked_about(letter: Path) -> None:
    done = typed("", "edit", letter, 'replace "regards" with "greetings"')
    assert done.returncode == 0
    assert b"Write " not in done.stderr


@pytest.mark.parametrize("how", ["--tracked", "--untracked"])
def test_a_dry_run_prints_the_changes_and_writes_nothing(letter: Path, how: str) -> None:
    before = sorted(letter.parent.iterdir())
    done = typed("", "edit", letter, 'replace "regards" with "greetings"', how, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert b"[-regards-]{+greetings+}" in done.stdout
    assert b"nothing is written (--dry-run)" in done.stderr
    assert sorted(letter.parent.iterdir()) == before
