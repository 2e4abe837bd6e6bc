"""What every test may ask for: the corpus of real documents and the programs of second opinion.

Both may be missing on a developer's machine, and the tests that need them are skipped there.
`REDRAFT_SWEEP=full` says that everything must run: what is missing then fails the test.
`REDRAFT_REQUIRE_PROGRAMS=1` says so of the programs only.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from tests.documents import corpus_folder, is_full_sweep

# How long an example takes says how busy the machine is, not whether it holds.
settings.register_profile("unhurried", settings(), deadline=None)
settings.load_profile("unhurried")


def missing(what: str, *, is_required: bool) -> None:
    """Fail where it is required, else skip."""
    if is_required:
        pytest.fail(f"{what} is missing, and this run must have it")
    pytest.skip(f"{what} is not here")


def program(name: str) -> Path:
    """Find a program from outside, or skip or fail the test that asked."""
    found = shutil.which(name)
    if found is None:
        missing(
            name, is_required=is_full_sweep() or os.environ.get("REDRAFT_REQUIRE_PROGRAMS") == "1"
        )
    return Path(found or name)


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
