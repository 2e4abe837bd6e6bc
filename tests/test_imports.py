"""What each way of starting redraft loads, seen in `sys.modules` of a fresh process."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "api", "assist", "tui", "remote")


def modules_after(statement: str) -> set[str]:
    """The top-level and dotted names loaded once the statement has run in a new interpreter."""
    code = (
        f"import sys, json, io, contextlib\n"
        f"with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    {statement}\n"
        f"print(json.dumps(sorted(sys.modules)))\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(json.loads(finished.stdout))


def test_help_loads_nothing_heavy() -> None:
    loaded = modules_after("from redraft import command_line; command_line.main(['--help'])")
    heavy = {
        "redraft.engine",
        "redraft.api",
        "redraft.tui",
        "redraft.remote",
        "redraft.assist",
        "mcp",
        "textual",
        "litestar",
        "httpx",
        "lxml",
        "pymupdf",
        "openai",
    }
    assert loaded & heavy == set()


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        (
            "engine.editor",
            {
                "api",
                "tui",
                "textual",
                "litestar",
                "uvicorn",
                "httpx",
                "openai",
                "pymupdf",
            },
        ),
        (
            "engine.file_commands",
            {"api", "tui", "textual", "litestar", "pymupdf", "openai"},
        ),
        ("api.app", {"assist", "mcp", "starlette", "tui", "textual", "pymupdf", "openai"}),
        ("assist.mcp_command", {"api", "engine", "mcp", "litestar"}),
        ("assist.local_files", {"tui", "remote", "textual", "pymupdf"}),
        (
            "tui.app",
            {"engine", "api", "litestar", "openai", "lxml", "docx", "pymupdf"},
        ),
        (
            "tui.launch",
            {"engine", "api", "textual", "rich", "httpx", "markdown_it"},
        ),
        (
            "remote.door_commands",
            {
                "engine",
                "api",
                "tui",
                "asyncssh",
                "aiohttp",
                "textual_serve",
            },
        ),
        (
            "remote.ssh.server",
            {"engine", "api", "textual", "aiohttp", "lxml", "pymupdf"},
        ),
        (
            "remote.web.server",
            {
                "engine",
                "api",
                "tui",
                "textual",
                "asyncssh",
                "rich",
                "jinja2",
            },
        ),
    ],
)
def test_a_part_does_not_load_what_it_must_not_know(module: str, absent: set[str]) -> None:
    named = {f"redraft.{name}" if name in PACKAGES else name for name in absent}
    assert modules_after(f"import redraft.{module}") & named == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_is_imported_under_two_names(package: str) -> None:
    with pytest.raises(ImportError, match=f"import redraft.{package}, not {package}"):
        importlib.import_module(package)
