"""Opens a text in the person's editor: `$VISUAL`, `$EDITOR`, or one that is installed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_KNOWN: Final = ("sensible-editor", "editor", "nano", "vim", "vi", "notepad")


class NoEditorError(OSError):
    """There is no editor, or it ended with an error."""


def edited(text: str, name: str) -> str:
    """Shows a text in an editor, and returns it as it was saved.

    Args:
        text: What is shown.
        name: The name of the file, which editors show, without its suffix.

    Raises:
        NoEditorError: no editor is installed, or it failed.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.md"
        path.write_text(text, "utf-8", newline="\n")
        edit(path)
        return path.read_text("utf-8")


def edit(path: Path) -> None:
    """Opens a file in an editor, and waits until that ends.

    Raises:
        NoEditorError: no editor is installed, or it failed.
    """
    command = _command()
    run = subprocess.run([*command, str(path)], check=False)  # noqa: S603
    if run.returncode:
        message = f"the editor {command[0]} ended with {run.returncode}; nothing is written"
        raise NoEditorError(message)


def _command() -> list[str]:
    for variable in ("VISUAL", "EDITOR"):
        words = shlex.split(os.environ.get(variable, ""))
        if words:
            if shutil.which(words[0]) is None:
                message = f"the editor {words[0]}, as {variable} says, is not installed"
                raise NoEditorError(message)
            return words
    for name in _KNOWN:
        if shutil.which(name):
            return [name]
    message = "no editor was found; say which one in VISUAL"
    raise NoEditorError(message)
