"""What the command line prints of a document does not act on the terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from redraft.terminal_output import harmless

ROOT = Path(__file__).parent.parent
HOSTILE = "a\x9b31mred \u202eevil\u202c \x1b]0;title\x07b\r"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text\n\twith “quotes” and 漢字", "plain text\n\twith “quotes” and 漢字"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("a\rb\x7f", "a\\x0db\\x7f"),
    ],
)
def test_characters_that_act_on_a_terminal_are_written_as_escapes(text: str, shown: str) -> None:
    assert harmless(text) == shown


PRINTING = (
    "import sys; from redraft.terminal_output import harmless_output\n"
    f"with harmless_output(): print({HOSTILE!r}); print({HOSTILE!r}, file=sys.stderr)"
)


@pytest.mark.process
def test_a_pipe_gets_every_character() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINTING], capture_output=True, check=True, cwd=ROOT
    )
    assert done.stdout.decode().rstrip("\n") == HOSTILE


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_gets_none_that_act_on_it() -> None:
    near, far = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-c", PRINTING], stdout=far, stderr=far, check=True, cwd=ROOT
        )
        shown = os.read(near, 65536).decode()
    finally:
        os.close(near)
        os.close(far)
    assert shown.count("\\u202eevil") == 2
    assert not set("\x9b\x1b\x07\u202e") & set(shown)
