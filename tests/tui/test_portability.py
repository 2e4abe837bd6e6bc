"""The terminal program runs where the modules of Unix are missing, as on Windows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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


def test_screens_and_lines_run_without_the_modules_of_unix() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("redraft ")
