"""The kit for Word: redlines, and a comparison that sees what a program leaves of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.engine_limits import LIMITS
from tests.word_kit import compare, prepare, versions

pytestmark = pytest.mark.thorough


def test_the_kit_is_compared_with_what_a_program_leaves_of_it(tmp_path: Path) -> None:
    made = versions(len(LIMITS) + 2)
    prepare(tmp_path, made)
    jobs = [line.split("|") for line in (tmp_path / "jobs.txt").read_text().splitlines()]
    assert len(jobs) == len(made) * 4
    assert (tmp_path / "settle.bas").read_bytes().startswith(b"Attribute VB_Name")
    assert compare(tmp_path, made) == [f"{len(made) * 4} files are not settled yet"]
    # A program that settles nothing: it leaves the redlines, and the ends as they are.
    for source, target, _ in jobs:
        shutil.copy(tmp_path / source, tmp_path / target)
    assert len({each.split(",")[0] for each in compare(tmp_path, made)}) > len(made) // 2
    # One that is right: it leaves of each redline what it leaves of its end.
    for source, target, action in jobs:
        end = tmp_path / source.replace("redline", f"{action}-end")
        shutil.copy(end, tmp_path / target)
    assert compare(tmp_path, made) == []
