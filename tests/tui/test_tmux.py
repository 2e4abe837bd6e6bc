from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.tui.program import Program
from tests.tui.standin import Service
from tests.tui.terminal import LIMIT, Terminal

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.program


class Session:
    """A program in a tmux of its own."""

    def __init__(self, tmux: Path, folder: Path) -> None:
        self._command = [str(tmux), "-S", str(folder / "socket"), "-f", "/dev/null"]
        # Left-over COLUMNS and LINES must not keep the program at its first size.
        self.run("new-session", "-d", "-x", "80", "-y", "24", "-c", str(ROOT), "bash --norc -i")
        program = f"{sys.executable} -m tests.tui.in_a_terminal {folder} ascii"
        self.type(f"clear; COLUMNS=80 LINES=24 {program}")

    def type(self, line: str) -> None:
        """Type a line to the shell."""
        self.run("send-keys", "-l", line)
        self.run("send-keys", "Enter")

    def attach(self, folder: Path) -> Terminal:
        """Look at the session from a terminal outside."""
        return Terminal(folder, size=(80, 24), command=[*self._command, "attach"])

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
        shown, deadline = "", time.monotonic() + LIMIT
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


async def test_the_screen_in_tmux_is_what_the_program_draws(
    session: Session, service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    async with program(ascii_only=True).running((80, 24)) as redraft:
        drawn = redraft.screen()
    assert drawn[2].strip() == "Master Services Agreement"
    assert len(drawn) == 24
    session.wait_for("enter send  ctrl+j new line  esc panes")
    deadline = time.monotonic() + LIMIT
    while (shown := session.run("capture-pane", "-p").splitlines()) != drawn:
        if time.monotonic() > deadline:
            assert shown == drawn
        await asyncio.sleep(0.1)


def test_keys_and_resizing_work_in_tmux(session: Session) -> None:
    session.wait_for("Master Services Agreement")
    session.run("send-keys", "Escape")
    session.wait_for("i prompt")
    session.run("send-keys", "3")
    session.wait_for("No tracked changes yet")
    session.run("resize-window", "-x", "120", "-y", "36")
    session.wait_for("each edit resets it")
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


def test_after_detaching_and_attaching_everything_is_there_again(
    session: Session, tmp_path: Path
) -> None:
    session.wait_for("Master Services Agreement")
    for _ in range(2):
        outside = session.attach(tmp_path)
        outside.wait_for(b"Master Services Agreement")
        session.run("detach-client")
        assert outside.end() == 0
        outside.__exit__(None, None, None)
    session.wait_for("Master Services Agreement")


def test_ctrl_z_goes_to_the_shell_and_fg_comes_back(session: Session) -> None:
    session.wait_for("Master Services Agreement")
    session.run("send-keys", "Escape")
    session.wait_for("i prompt")
    session.run("send-keys", "C-z")
    session.wait_for("Stopped")
    session.type("fg")
    session.wait_for("Master Services Agreement")
    session.run("send-keys", "4")
    session.wait_for("No edits yet")


def test_random_bytes_do_not_end_it(session: Session) -> None:
    session.wait_for("Master Services Agreement")
    dice = random.Random(7)  # noqa: S311 - the same bytes in every run
    some = [value for value in range(33, 256) if value not in (0x40, 0x7F)]  # @ opens a dialog
    for _ in range(10):
        session.run("send-keys", "-H", *(f"{dice.choice(some):02x}" for _ in range(40)))
    session.run("send-keys", "Escape")
    session.wait_for("i prompt")
    session.run("send-keys", "4")
    session.wait_for("No edits yet")


COPIED = b"TWFzdGVyIFNlcnZpY2VzIEFncmVlbWVudA=="  # the first heading


@pytest.mark.parametrize(
    ("option", "value", "arrives"),
    [
        ("set-clipboard", "on", True),
        ("allow-passthrough", "on", True),
        ("set-clipboard", "off", False),
    ],
)
def test_what_is_copied_passes_tmux_where_that_is_allowed(
    session: Session, tmp_path: Path, option: str, value: str, arrives: bool
) -> None:
    session.run("set-option", "-g", "set-clipboard", "off")
    session.run("set-option", "-g", option, value)
    session.wait_for("Master Services Agreement")
    outside = session.attach(tmp_path)
    outside.wait_for(b"Master Services Agreement")
    session.run("send-keys", "Escape")
    session.wait_for("i prompt")
    session.run("send-keys", "y")
    session.wait_for("25 characters sent to the clipboard; tmux needs set-clipboard on")
    outside.settle()
    assert (COPIED in outside.seen) is arrives
    session.run("detach-client")
    outside.end()
    outside.__exit__(None, None, None)
