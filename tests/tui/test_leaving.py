"""Leaving while an edit is under way: the service of this machine finishes it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.model_server import ModelServer
from tests.tui.terminal import Terminal
from tests.tui.test_ssh import SlowModel

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]


def hang_up(terminal: Terminal) -> None:
    terminal.hang_up()


def leave(terminal: Terminal) -> None:
    terminal.send(b"\x11", b"the service finishes them")
    terminal.send(b"\r")
    assert terminal.end() == 0


@pytest.mark.parametrize("go", [hang_up, leave])
def test_an_edit_under_way_is_finished_by_the_service_and_joined_by_the_next_program(
    tmp_path: Path, go: Callable[[Terminal], None]
) -> None:
    model = SlowModel()
    with ModelServer(model) as server:
        environment: dict[str, Any] = {
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path / "share"),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "OPENAI_BASE_URL": server.address,
            "OPENAI_API_KEY": "k",
            "REDRAFT_MODEL": "clerk",
        }
        command = [sys.executable, "-P", "-m", "redraft"]
        ready = tmp_path / "share" / "redraft" / "local" / "service.json"
        first = Terminal(
            tmp_path, command=[*command, str(shutil.copy(SAMPLE, tmp_path))], **environment
        )
        try:
            first.wait_for(b"uploaded")
            first.send(b"Make the name of this paper sound grander, please\r")
            assert model.asked.wait(60)
            service = json.loads(ready.read_text())["pid"]
            go(first)
            assert json.loads(ready.read_text())["pid"] == service
            again = Terminal(tmp_path, command=command, **environment)
            with contextlib.ExitStack() as stack:
                stack.push(again.__exit__)
                again.wait_for(b"services-agreement.docx")
                model.may_answer.set()
                again.wait_for(b"Treaty of Services")
                assert json.loads(ready.read_text())["pid"] == service
                again.send(b"\x11")
                assert again.end() == 0
        finally:
            model.may_answer.set()
            first.__exit__(None, None, None)
            with contextlib.suppress(OSError, ValueError):
                os.kill(json.loads(ready.read_text())["pid"], signal.SIGTERM)
