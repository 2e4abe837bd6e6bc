"""What every test may ask for: the corpus of real documents and the programs of second opinion.

Both may be missing on a developer's machine, and the tests that need them are skipped there.
`REDRAFT_SWEEP=full` says that everything must run: what is missing then fails the test.
`REDRAFT_REQUIRE_PROGRAMS=1` says so of the programs only.

A test that uses a fixture of these carries its mark. One that starts a process carries the mark
`process`, so that `make quick` can leave it out; one without a mark that starts a process fails.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.documents import corpus_folder, is_full_sweep, seed

# How long an example takes says how busy the machine is, not whether it holds. The same examples
# are tried each time, so that a change is judged by itself; a sweep, or a seed, tries new ones.
TRIES_NEW_EXAMPLES = is_full_sweep() or bool(seed())
settings.register_profile(
    "unhurried", settings(), deadline=None, derandomize=not TRIES_NEW_EXAMPLES
)
settings.load_profile("unhurried")

STARTS_A_PROCESS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"}
ASKED_BY_LIBRARIES = {"uname", "lsb_release"}
"""Programs that say what system this is; the openai package asks them once."""
MAY_START_ONE = {"process", "program", "corpus"}
MARKS_OF_FIXTURES = {
    "corpus": ("corpus",),
    "program": ("pandoc", "soffice", "tmux", "docxodus", "validators", "postgres", "bucket_server"),
    "process": ("staged", "real", "launch", "documents"),
    "screen": ("picture", "program", "snap_compare"),
}
"""Every test that uses one of these fixtures, or a fixture that does, gets the mark."""

_without_process: list[str] = []
"""The test that runs now, where it may not start a process."""


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    """Fail the test that starts a process without saying so (see `sys.addaudithook`)."""
    if event in STARTS_A_PROCESS and _without_process:
        if event == "subprocess.Popen" and str(arguments[0]) in ASKED_BY_LIBRARIES:
            return
        pytest.fail(f"{_without_process[0]} starts a process and has no mark `process`")


# The model client asks for the processor, which starts `uname` once in a process.
platform.processor()
sys.addaudithook(_refuse_processes)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests by what they ask for."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        for mark, fixtures in MARKS_OF_FIXTURES.items():
            if names.intersection(fixtures):
                item.add_marker(mark)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Tell the audit hook which test runs."""
    if not any(item.get_closest_marker(mark) for mark in MAY_START_ONE):
        _without_process.append(item.nodeid)
    try:
        return (yield)
    finally:
        _without_process.clear()


def missing(what: str, *, is_required: bool) -> None:
    """Fail where it is required, else skip."""
    if is_required:
        pytest.fail(f"{what} is missing, and this run must have it")
    pytest.skip(f"{what} is not here")


def program(name: str) -> Path:
    """Find a program from outside, or skip or fail the test that asked."""
    found = shutil.which(name)
    if found is None:
        missing(name, is_required=programs_are_required())
    return Path(found or name)


def programs_are_required() -> bool:
    return is_full_sweep() or os.environ.get("REDRAFT_REQUIRE_PROGRAMS") == "1"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real documents: `REDRAFT_CORPUS`, or `shared/corpus` beside the checkout."""
    folder = corpus_folder()
    if folder is None:
        missing("the corpus", is_required=is_full_sweep())
        return Path()
    return folder


@pytest.fixture(scope="session")
def pandoc() -> Path:
    return program("pandoc")


@pytest.fixture(scope="session")
def soffice() -> Path:
    return program("soffice")


@pytest.fixture(scope="session")
def tmux() -> Path:
    return program("tmux")


@pytest.fixture(scope="session")
def docxodus() -> tuple[Path, Path]:
    """Node, and the library that `npm install --prefix .venv docxodus` leaves."""
    library = Path(sys.prefix) / "node_modules" / "docxodus" / "dist" / "core.js"
    if not library.exists():
        missing("docxodus", is_required=programs_are_required())
    return program("node"), library


@pytest.fixture(scope="session")
def validators() -> None:
    """The two validators of Word files, which are libraries of Python."""
    for name in ("openxml_audit", "docx_integrity"):
        if importlib.util.find_spec(name) is None:
            missing(name, is_required=programs_are_required())
