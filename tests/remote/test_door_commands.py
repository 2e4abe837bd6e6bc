from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from redraft import command_line
from redraft.remote import door_commands

ROOT = Path(__file__).parents[2]
WITHOUT = """
import importlib.util, sys
hidden = {hidden!r}
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in hidden else find(name, *rest)
for name in hidden:
    sys.modules[name] = None
from redraft import command_line
sys.exit(command_line.main({words!r}))
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "hidden", "extra"),
    [
        (["ssh-serve"], ["asyncssh"], "redraft[ssh]"),
        (["web"], ["textual_serve"], "redraft[web]"),
        (["web"], ["aiohttp"], "redraft[web]"),
    ],
)
def test_without_its_libraries_a_command_says_what_to_install(
    words: list[str], hidden: list[str], extra: str
) -> None:
    code = WITHOUT.format(hidden=hidden, words=words)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"redraft: additional packages are needed: `pip install '{extra}'`\n"


@pytest.mark.process
def test_the_rest_works_without_them() -> None:
    code = WITHOUT.format(hidden=["asyncssh", "aiohttp", "textual_serve"], words=["--help"])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ssh-serve", "--server", "nonsense"], "is not an address"),
        (["ssh-serve", "--server", "ftp://x"], "is not an address"),
        (["ssh-serve", "--port", "70000"], "0 to 65535"),
        (["web", "--server", "127.0.0.1:8765"], "is not an address"),
        (["web", "--port", "-1"], "0 to 65535"),
    ],
)
def test_a_wrong_option_is_told(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--sessions", "0"], ["--tries", "x"], ["--failures", "-1"]])
def test_a_number_that_is_none_is_told(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        door_commands.ssh_serve(words)
    assert caught.value.code == 2
    assert words[0] in capsys.readouterr().err


def test_without_a_list_of_people_it_says_where_it_should_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert door_commands.ssh_serve(["--folder", str(tmp_path), "--port", "0"]) == 2
    assert f"{tmp_path}/authorized_keys does not exist; see docs/ssh.md" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert door_commands.web(["--port", port]) == 2
    told = f"port {port} cannot be opened for listening: Address already in use; omit --port"
    assert told in capsys.readouterr().err


def test_what_the_page_about_ssh_says_are_the_options_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    import re

    page = (ROOT / "docs" / "ssh.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(--[a-z-]+)` \| ([^|]+?) \|", page, re.MULTILINE))
    with pytest.raises(SystemExit):
        door_commands.ssh_serve(["--help"])
    shown = capsys.readouterr().out
    known = set(re.findall(r"^  (--[a-z-]+)", shown, re.MULTILINE))
    assert set(rows) == known
    for name, default in rows.items():
        if default[0].isdigit():
            assert re.search(rf"{name} [A-Z_]+\s+.*?default: {default}\b", shown, re.DOTALL), name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ssh-serve", "--host", ""], "argument --host: must be an address, such as 127.0.0.1"),
        (["ssh-serve", "--host", " "], "argument --host: must be an address, such as 127.0.0.1"),
        (["ssh-serve", "--sessions", "0"], "argument --sessions: must be a whole number from 1"),
        (["ssh-serve", "--tries", "many"], "argument --tries: must be a whole number from 1"),
        (["ssh-serve", "--failures", "-1"], "argument --failures: must be a whole number from 0"),
        (["ssh-serve", "--idle-minutes", "-1"], "argument --idle-minutes: must be a number of min"),
        (["ssh-serve", "--idle-minutes", "nan"], "argument --idle-minutes: must be a number of m"),
        (["web", "--windows", "0"], "argument --windows: must be a whole number from 1"),
    ],
)
def test_a_wrong_value_of_an_option_is_told_with_what_would_be_right(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        command_line.main(words)
    assert raised.value.code == 2
    assert said in capsys.readouterr().err
