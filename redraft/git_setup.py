"""`redraft git-setup`: git shows what changed in .docx and .pdf files, word by word.

Four things are set: how git reads such a file (`diff.redraft.textconv`, which `git diff` and
`git log -p` use), which files are meant (an attributes file), a difftool, and a driver that merges
Word files (`redraft.git_merge`). Nothing else of the configuration is touched, and doing it again
changes nothing.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

DONE, FAILED = 0, 1
_ATTRIBUTES: Final = ("*.docx diff=redraft", "*.pdf diff=redraft", "*.docx merge=redraft")
_HINT: Final = (
    "redraft: git now shows the words of .docx and .pdf files; try `git diff --word-diff` and "
    "`git difftool -t redraft`\n"
)
_NO_REPOSITORY: Final = "redraft: this folder is in no git repository; go to one, or use --global\n"


def git_setup(given: Sequence[str]) -> int:
    """Sets git up for this repository, or with `--global` for every one of this person.

    Args:
        given: The words behind `redraft git-setup`.
    """
    parser = argparse.ArgumentParser(prog="redraft git-setup")
    parser.add_argument(
        "--global", action="store_true", dest="everywhere", help="for all your repositories"
    )
    options = parser.parse_args(given)
    git = shutil.which("git")
    if git is None:
        sys.stderr.write("redraft: git is not installed, or not found\n")
        return FAILED
    scope = "--global" if options.everywhere else "--local"
    attributes = _attributes(git, everywhere=options.everywhere)
    if attributes is None:
        sys.stderr.write(_NO_REPOSITORY)
        return FAILED
    command = _command()
    for name, value in (
        ("diff.redraft.textconv", f"{command} read"),
        ("diff.redraft.cachetextconv", "true"),
        ("difftool.redraft.cmd", f'{command} diff "$LOCAL" "$REMOTE" || test $? -eq 1'),
        ("merge.redraft.name", "tracked changes of both sides"),
        ("merge.redraft.driver", f"{command} git-merge %O %A %B %P"),
        ("difftool.prompt", "false"),
    ):
        if name == "difftool.prompt" and _asked(git, "config", name) is not None:
            continue
        subprocess.run([git, "config", scope, name, value], check=True)  # noqa: S603
    _add_lines(attributes)
    sys.stderr.write(_HINT)
    return DONE


def _command() -> str:
    """Returns how git calls redraft: by its name where that is found, else through Python."""
    if shutil.which("redraft"):
        return "redraft"
    return f"{shlex.quote(sys.executable)} -m redraft"


def _attributes(git: str, *, everywhere: bool) -> Path | None:
    """Returns the file that says which files are meant; None outside of a repository."""
    if everywhere:
        named = _asked(git, "config", "--global", "--type=path", "core.attributesFile")
        if named:
            return Path(named)
        import platformdirs

        return platformdirs.user_config_path("git") / "attributes"
    found = _asked(git, "rev-parse", "--show-toplevel")
    return None if not found else Path(found) / ".gitattributes"


def _asked(git: str, *words: str) -> str | None:
    """Returns what git answers; None where it refuses."""
    run = subprocess.run([git, *words], capture_output=True, text=True, check=False)  # noqa: S603
    return run.stdout.strip() if run.returncode == 0 else None


def _add_lines(attributes: Path) -> None:
    """Names the kinds of files in an attributes file, which keeps what it has."""
    text = attributes.read_text("utf-8") if attributes.exists() else ""
    missing = [line for line in _ATTRIBUTES if line not in text.splitlines()]
    if missing:
        attributes.parent.mkdir(parents=True, exist_ok=True)
        lead = text if not text or text.endswith("\n") else f"{text}\n"
        attributes.write_text(lead + "".join(f"{line}\n" for line in missing), "utf-8")
