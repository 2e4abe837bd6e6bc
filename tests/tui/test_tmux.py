from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.program, pytest.mark.xdist_group("terminal")]


class Session:
    """A program in a tmux of its own."""

    def __init__(self, tmux: Path, folder: Path) -> None:
        self._command = [str(tmux), "-S", str(folder / "socket"), "-f", "/dev/null"]
        # Left-over COLUMNS and LINES must not keep the program at its first size.
        program = f"{sys.executable} -m tests.tui.in_a_terminal {folder} ascii; sleep 60"
        self.run(
            "new-session", "-d", "-x", "80", "-y", "24", f"cd {ROOT}; COLUMNS=80 LINES=24 {program}"
        )

    def run(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
        finished = subprocess.run(
            [*self._command, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env={**environment, "TERM": "xterm-256color"},
        )
        return finished.stdout

    def wait_for(self, words: str) -> str:
        shown, deadline = "", time.monotonic() + 20
        while time.monotonic() < deadline:
            shown = self.run("capture-pane", "-p")
            if words in shown:
                return shown
            time.sleep(0.05)
        message = f"{words!r} is not on the screen:\n{shown}"
        raise AssertionError(message)


@pytest.fixture
def session(tmux: Path, tmp_path: Path) -> Generator[Session]:
    started = Session(tmux, tmp_path)
    yield started
    started.run("kill-server")


def test_the_screen_in_tmux_is_what_the_program_draws(session: Session) -> None:
    shown = session.wait_for("Master Services Agreement").splitlines()
    assert shown[0].startswith(" redraft")
    assert shown[1].startswith(" 1 Documents 1")
    assert len(shown) == 24
    assert max(len(line) for line in shown) <= 80


def test_keys_and_resizing_work_in_tmux(session: Session) -> None:
    session.wait_for("Master Services Agreement")
    session.run("send-keys", "Escape")
    session.wait_for("i prompt")
    session.run("send-keys", "3")
    session.wait_for("No tracked changes yet")
    session.run("resize-window", "-x", "120", "-y", "36")
    session.wait_for("each edit starts it anew")
    session.run("resize-window", "-x", "50", "-y", "10")
    session.wait_for("redraft needs 60x15, have 50x10")
    session.run("resize-window", "-x", "80", "-y", "24")
    session.wait_for("No tracked changes yet")


def test_a_mouse_report_of_an_old_terminal_does_not_end_it(session: Session) -> None:
    session.wait_for("Master Services Agreement")
    session.run("send-keys", "-H", "1b", "5b", "4d", "20", "c8", "30", "ff", "fe")
    session.run("send-keys", "Escape")
    session.wait_for("i prompt")
    session.run("send-keys", "4")
    session.wait_for("No edits yet")
