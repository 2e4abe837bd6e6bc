"""`kill -9` of the program and of its service, at any moment: at most the last second is lost.

Three moments by default; `REDRAFT_KILLS=100` and `REDRAFT_SEED` choose more of them and others.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sys
import time
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from tests.tui.terminal import LIMIT, Terminal

SAMPLE = Path(__file__).parents[2] / "tui" / "sample" / "services-agreement.docx"
KILLS = int(os.environ.get("REDRAFT_KILLS", "3"))
pytestmark = [
    pytest.mark.process,
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]


class Place:
    """A folder with a contract, and what the program keeps of it."""

    def __init__(self, folder: Path) -> None:
        self.contract = Path(shutil.copy(SAMPLE, folder / "contract.docx"))
        self.redline = folder / "contract.redline.docx"
        self._session = folder / "state" / "redraft" / "session.json"
        self._service = folder / "share" / "redraft" / "local" / "service.json"
        self._folder = folder

    @contextmanager
    def program(self) -> Generator[Terminal]:
        names = {"XDG_DATA_HOME": "share", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"}
        environment = {name: str(self._folder / part) for name, part in names.items()}
        command = [sys.executable, "-P", "-m", "redraft", str(self.contract)]
        environment["HOME"] = str(self._folder)
        terminal = Terminal(self._folder, command=command, **cast("dict[str, Any]", environment))
        try:
            terminal.wait_for(b"Northwind")  # of the document
            yield terminal
        finally:
            terminal.__exit__(None, None, None)

    def draft(self) -> str:
        with contextlib.suppress(OSError, ValueError):
            return "".join(json.loads(self._session.read_text())["drafts"].values())
        return ""

    def past(self) -> list[str]:
        with contextlib.suppress(OSError, ValueError):
            return json.loads(self._session.read_text())["past"]
        return []

    def kill_service(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(json.loads(self._service.read_text())["pid"]), signal.SIGKILL)

    def text(self) -> str:
        """What the redline says; it is a whole file at any moment."""
        if not self.redline.exists():
            return ""
        with zipfile.ZipFile(self.redline) as archive:
            assert archive.testzip() is None
            return archive.read("word/document.xml").decode()


def until(is_so: Callable[[], bool], terminal: Terminal) -> None:
    deadline = time.monotonic() + LIMIT
    while not is_so():
        assert time.monotonic() < deadline, terminal.seen[-1500:]
        terminal.read(0.05)


@pytest.fixture
def place(tmp_path: Path) -> Generator[Place]:
    made = Place(tmp_path)
    yield made
    made.kill_service()


@pytest.fixture
def chance() -> random.Random:
    return random.Random(int(os.environ.get("REDRAFT_SEED", "1")))  # noqa: S311 - for moments


def test_what_was_typed_comes_back_after_the_program_was_killed(
    place: Place, chance: random.Random
) -> None:
    for number in range(KILLS):
        written = f"{place.draft()}round {number} "
        with place.program() as terminal:
            terminal.send(f"round {number} ".encode())
            until(partial(has_draft, place, written.rstrip()), terminal)
            terminal.type(b"lost "[: chance.randrange(5)])
            terminal.process.send_signal(signal.SIGKILL)
            terminal.process.wait(LIMIT)
        assert has_draft(place, written.rstrip())


def has_draft(place: Place, words: str) -> bool:
    return place.draft().startswith(words)


def test_an_edit_is_made_although_the_service_is_killed_at_any_moment(
    place: Place, chance: random.Random
) -> None:
    old = "purchase order number"
    with place.program() as terminal:
        for number in range(KILLS):
            new = f"purchase order mark{number}"
            terminal.type(f'replace "{old}" with "{new}"\r'.encode())
            time.sleep(chance.random())
            seen = len(terminal.seen)
            place.kill_service()
            until(partial(is_saved, place, f"mark{number}"), terminal)
            terminal.wait_for(b"service is back", after=seen)
            old = new


def is_saved(place: Place, words: str) -> bool:
    return words in place.text()


def test_an_instruction_is_remembered_after_both_were_killed(
    place: Place, chance: random.Random
) -> None:
    instructions = [f'replace "order" with "order {number}" in 5.2' for number in range(KILLS)]
    for instruction in instructions:
        with place.program() as terminal:
            terminal.type(b"\x15" + instruction.encode() + b"\r")
            until(partial(is_remembered, place, instruction), terminal)
            time.sleep(chance.random())
            terminal.process.send_signal(signal.SIGKILL)
            place.kill_service()
            terminal.process.wait(LIMIT)
        place.text()  # whole, or not there
    assert set(instructions) <= set(place.past())


def is_remembered(place: Place, instruction: str) -> bool:
    return instruction in place.past()
