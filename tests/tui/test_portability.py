"""The terminal program runs where the modules of Unix are missing, as on Windows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from redraft.tui.transport.local_server import has_not_ended
from tests.interface.server_process import edit, read, upload
from tests.interface.situation_documents import word

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.process
WITHOUT_UNIX = """
import asyncio, io, os, sys, tempfile
from pathlib import Path

UNIX = {"fcntl", "resource", "termios", "tty", "pty", "pwd", "grp"}

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in UNIX:
            raise ImportError(f"there is no {name} here")

for name in UNIX:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())

class Windows:  # as the program sees it; Textual's own driver of Windows needs the real one
    platform = "win32"
    def __getattr__(self, name):
        return getattr(sys, name)

os.environ["TEXTUAL_DRIVER"] = "textual.drivers.headless_driver:HeadlessDriver"
from redraft import command_line
from redraft.tui import app, config, launch
app.sys = Windows()
from redraft.tui.line_program import LineProgram
from tests.tui.program import Program
from tests.tui.standin import Service

EDIT = 'Replace "30 days" with "45 days"'

async def screens(folder):
    service = Service()
    service.add()
    async with Program(service, folder).running() as redraft:
        await redraft.send(EDIT)
        assert "applied in" in redraft.status, redraft.status

async def lines(folder):
    contract = folder / "contract.docx"
    contract.write_bytes(b"PK\\x03\\x04")
    said = io.StringIO()
    options = Service().options(folder, files=(contract,))
    assert await LineProgram(options, io.StringIO(EDIT + "\\n"), said).run() == 0, said.getvalue()
    assert (folder / "contract.redline.docx").exists()

with tempfile.TemporaryDirectory() as name:
    asyncio.run(screens(Path(name)))
    asyncio.run(lines(Path(name)))
assert config.author_name(config.Configuration(author="Dana"), {}) == "Dana"
assert command_line.main(["--version"]) == 0
assert not UNIX & set(sys.modules), UNIX & set(sys.modules)
"""


WITHOUT_FORK = """
import asyncio, os, subprocess, sys, types  # the library of Python knows which system it is on

UNIX = {"fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "multiprocessing.forkserver"}

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in UNIX:
            raise ImportError(f"there is no {name} here")

for name in UNIX:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for name in ("fork", "forkpty", "O_DIRECTORY", "O_NOFOLLOW", "getuid", "killpg"):
    vars(os).pop(name, None)

import signal
for name in ("SIGPROF", "SIGXCPU", "SIGHUP", "setitimer"):
    vars(signal).pop(name, None)

msvcrt = types.ModuleType("msvcrt")  # locks by a file beside, as far as this test needs it
msvcrt.LK_LOCK, msvcrt.LK_NBLCK = 1, 2
msvcrt.held = []
def locking(descriptor, mode, size):
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 1 << 30 and size == 1
    name = os.readlink(f"/proc/self/fd/{descriptor}") + ".held"
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        raise PermissionError(13, "Permission denied") from None
    msvcrt.held.append(name)
msvcrt.locking = locking
sys.modules["msvcrt"] = msvcrt

from redraft.command_line import main
code = main(sys.argv[1:])
for name in msvcrt.held:
    os.unlink(name)
sys.exit(code)
"""


def without_fork(*arguments: str, **values: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WITHOUT_FORK, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, **values)


def test_the_service_starts_reads_and_edits_without_fork_and_the_modules_of_unix(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "REDRAFT_API_KEYS": "k" * 32}
    place = ("--data-dir", str(tmp_path / "data"), "--port", "0")
    service = without_fork("serve", *place, env=environment)
    try:
        assert service.stderr is not None
        lines = iter(service.stderr.readline, "")
        address = next(line.split()[-1] for line in lines if "listening on" in line)
        headers = {"authorization": f"Bearer {'k' * 32}"}
        with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
            document = upload(client, word("The fee is due within 30 days."))["docId"]
            assert edit(client, document, 'replace "30 days" with "45 days"').status_code == 200
            assert "within 45 days" in read(client, document).json()["markdown"]
            ready = client.get("/ready").text
            assert "confine" in ready, ready
        second = without_fork("serve", *place, env=environment)
        assert "the data folder is in use by" in second.communicate(timeout=60)[1]
    finally:
        service.terminate()
        service.communicate(timeout=60)


def test_files_are_read_and_edited_without_fork_and_the_modules_of_unix(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(word("The fee is due within 30 days."))
    instruction = 'replace "30 days" with "45 days"'
    edited = without_fork("edit", str(path), instruction, "-o", str(tmp_path / "b.docx"))
    assert "written to" in edited.communicate(timeout=60)[1]
    shown = without_fork("read", str(tmp_path / "b.docx"), stdout=subprocess.PIPE)
    assert "within 45 days" in shown.communicate(timeout=60)[0]


class Kernel32:
    """What Windows says of processes: 7 runs, 8 has ended with 1, others are not there."""

    def __init__(self) -> None:
        self.handles: list[int] = []

    def OpenProcess(self, access: int, inherits: bool, pid: int) -> int:  # noqa: N802 - Windows' name
        assert (access, inherits) == (0x1000, False)
        if pid in (7, 8):
            self.handles.append(pid)
        return pid if pid in (7, 8) else 0

    def GetExitCodeProcess(self, handle: int, code: Any) -> int:  # noqa: N802
        code._obj.value = 259 if handle == 7 else 1  # noqa: SLF001 - what byref points at
        return 1

    def CloseHandle(self, handle: int) -> None:  # noqa: N802
        self.handles.remove(handle)


def test_whether_a_process_of_windows_runs_is_asked_without_a_signal() -> None:
    kernel = Kernel32()
    assert [has_not_ended(pid, kernel) for pid in (7, 8, 9)] == [True, False, False]
    assert kernel.handles == []


def test_screens_and_lines_run_without_the_modules_of_unix() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("redraft ")
