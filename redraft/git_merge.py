"""`redraft git-merge`: the driver by which git merges Word files (gitattributes, "merge").

The result is the common ancestor with the changes of both sides as tracked changes. Where they meet
git is told of a conflict, and the file holds both wordings.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from redraft.terminal_output import harmless

MERGED, CONFLICTS, FAILED = 0, 1, 2
_HEAD: Final = "GITHEAD_"


def git_merge(given: Sequence[str]) -> int:
    """Merges a Word file.

    Args:
        given: The words behind `redraft git-merge`: the ancestor, our file, which is overwritten,
            their file, and the path that is merged.
    """
    parser = argparse.ArgumentParser(prog="redraft git-merge")
    for name in ("base", "ours", "theirs"):
        parser.add_argument(name, type=Path)
    parser.add_argument("path")
    options = parser.parse_args(given)
    from redraft.engine import several_files
    from redraft.engine.errors import EngineError
    from redraft.engine.report import Signature

    names = _names()
    try:
        with TemporaryDirectory() as folder:
            # Without a suffix that tells what they are, as git names them, files are refused.
            files = [Path(folder) / f"{name}.docx" for name in ("base", "ours", "theirs", "merged")]
            for file, source in zip(
                files[:3], (options.base, options.ours, options.theirs), strict=True
            ):
                shutil.copyfile(source, file)
            signature = Signature.now("", tracked=True)
            outcome = several_files.combine(files[0], files[1:3], names, files[3], signature)
            if outcome.revisions:
                shutil.copyfile(files[3], options.ours)
    except (EngineError, OSError) as error:
        _say(f"{options.path} is not merged: {error}")
        return FAILED
    for sentence in outcome.remains:
        _say(f"{options.path}: not merged: {sentence}")
    for conflict in outcome.conflicts:
        _say(f"{options.path}: conflict in {conflict.anchor}: {conflict.told()}")
    return CONFLICTS if outcome.conflicts or outcome.remains else MERGED


def _names() -> tuple[str, str]:
    """Returns who made the last commit on our side, and on theirs."""
    theirs = next((name.removeprefix(_HEAD) for name in os.environ if name.startswith(_HEAD)), "")
    return _author("HEAD") or "ours", (_author(theirs) if theirs else "") or "theirs"


def _author(commit: str) -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    command = [git, "log", "-1", "--format=%an", commit]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return run.stdout.strip() if run.returncode == 0 else ""


def _say(sentence: str) -> None:
    sys.stderr.write(f"redraft: {harmless(sentence)}\n")
