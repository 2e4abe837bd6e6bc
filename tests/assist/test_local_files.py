"""`redraft mcp` as a process: standard input and output, signals, what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.assist.connections import MODES, ROOT, Mode, call, sample_in, stdio_client, text_of

pytestmark = pytest.mark.process
MOVED = 'Replace "Harbour Lane" with "Quay Street" everywhere'
NOISE = """
import builtins, os, sys
print("noise from a library")
os.write(1, b"noise from C\\n")
"""


def home_of(folder: Path) -> Path:
    return folder / "redraft" / "mcp"


@pytest.mark.parametrize("mode", MODES)
async def test_an_assistant_works_on_files_over_standard_input_and_output(
    tmp_path: Path, mode: Mode
) -> None:
    root, home = sample_in(tmp_path / "root"), tmp_path / "home"
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(NOISE if mode == "auto" else "")
    path = f"{ROOT}{os.pathsep}{tmp_path / 'site'}" if mode != "auto" else str(ROOT)
    async with stdio_client(root, home, mode, "--author", "Ann Lee", PYTHONPATH=path) as client:
        document = (await call(client, "open", path="contract.docx"))["document"]
        [folder] = home_of(home).iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        edited = await call(client, "edit", document=document, instruction=MOVED)
        assert (edited["state"], edited["total"]) == ("applied", 7)
        assert {change["author"] for change in edited["changes"]} == {"Ann Lee"}
        await call(client, "save", document=document, path="out.docx")
        read = await client.call_tool("read", {"document": document, "limit": 3})
        assert text_of(read).startswith("version 1 · blocks 1-3 of")
    assert (root / "out.docx").exists()
    assert list(home_of(home).iterdir()) == []


def started(root: Path, home: Path, *flags: str, program: str = "") -> subprocess.Popen[bytes]:
    words = ["-c", program] if program else ["-m", "redraft"]
    environment = {**os.environ, "XDG_STATE_HOME": str(home), "REDRAFT_WORKERS": "1"}
    return subprocess.Popen(
        [sys.executable, *words, "mcp", "--root", str(root), *flags],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    )


def ask(process: subprocess.Popen[bytes], number: int, method: str, **parameters: object) -> None:
    assert process.stdin is not None
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def answer(process: subprocess.Popen[bytes]) -> dict[str, object]:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.mark.parametrize("how", ["signal", "closed"])
def test_it_stops_at_once_and_leaves_nothing(tmp_path: Path, how: str) -> None:
    home = tmp_path / "home"
    process = started(sample_in(tmp_path / "root"), home)
    ask(process, 1, "initialize", **HELLO)
    assert answer(process)["id"] == 1
    opening = {"name": "open", "arguments": {"path": "contract.docx"}}
    ask(process, 2, "tools/call", **opening)
    assert answer(process)["id"] == 2
    before = time.monotonic()
    if how == "signal":
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0
    assert (out, error) == (b"", b"")
    assert time.monotonic() - before < 20  # 2 s on an idle machine
    assert list(home_of(home).iterdir()) == []


def test_what_libraries_print_does_not_reach_the_client(tmp_path: Path) -> None:
    program = (
        "import os, sys; from redraft.assist import local_files; speak = local_files._speak\n"
        "async def noisy(*given):\n"
        "    print('noise from a library', flush=True); os.write(1, b'noise from C\\n')\n"
        "    await speak(*given)\n"
        "local_files._speak = noisy\n"
        "from redraft.command_line import main; sys.exit(main())"
    )
    process = started(sample_in(tmp_path / "root"), tmp_path / "home", program=program)
    ask(process, 1, "initialize", **HELLO)
    assert answer(process)["id"] == 1
    out, error = process.communicate(timeout=60)
    assert out == b""
    assert b"noise from a library" in error
    assert b"noise from C" in error


def test_the_folder_of_a_server_that_was_killed_goes_at_the_next_start(tmp_path: Path) -> None:
    root, home = sample_in(tmp_path / "root"), tmp_path / "home"
    process = started(root, home)
    ask(process, 1, "initialize", **HELLO)
    assert answer(process)["id"] == 1
    process.kill()
    process.communicate()
    [left] = home_of(home).iterdir()
    second = started(root, home)
    ask(second, 1, "initialize", **HELLO)
    assert answer(second)["id"] == 1
    assert left not in home_of(home).iterdir()
    second.communicate(timeout=60)
    assert list(home_of(home).iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "words"),
    [(["--root", "/nowhere"], "cannot be used as a root"), (["--rot", "x"], "unrecognized")],
)
def test_a_wrong_start_is_one_line_and_exit_code_2(
    tmp_path: Path, flags: list[str], words: str
) -> None:
    process = started(sample_in(tmp_path / "root"), tmp_path / "home", *flags)
    out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert words in error.decode()
