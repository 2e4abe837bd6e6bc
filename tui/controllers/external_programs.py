"""Programs of this machine that redraft starts: the person's editor and pager."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from textual.app import SuspendNotSupported

from redraft.tui.controllers.workspace import Workspace
from redraft.tui.text.runs import plain


class ExternalPrograms:
    """Hands the terminal to another program and takes it back."""

    def __init__(self, screen: Workspace) -> None:
        self._screen = screen

    def edit_instruction(self) -> None:
        """Opens the instruction in the person's own editor."""
        if not self._may_start_programs():
            return
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        prompt = self._screen.prompt
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "instruction.txt"
            path.write_text(prompt.text, "utf-8")
            if self._run([*shlex.split(editor), str(path)]):
                prompt.restore(path.read_text("utf-8").rstrip("\n"))

    def page_preview(self) -> None:
        """Opens the preview in the person's pager."""
        if not self._may_start_programs():
            return
        document = self._screen.document
        if document is None or document.markdown is None:
            self._screen.say("there is nothing to read")
            return
        pager = os.environ.get("PAGER") or "less"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "preview.md"
            path.write_text(plain(document.markdown), "utf-8")
            self._run([*shlex.split(pager), str(path)])

    def _may_start_programs(self) -> bool:
        """Whether other programs of this machine are the person's to start; says why not."""
        is_own = self._screen.options.reach == "machine"
        if not is_own:
            words = "no other program is started here: this terminal is far away"
            self._screen.say(words, "warning")
        return is_own

    def _run(self, command: list[str]) -> bool:
        """Runs a program on the terminal while ours waits; returns whether it ran."""
        try:
            with self._screen.program.suspend():
                subprocess.run(command, check=False)  # noqa: S603 - the person's own program
        except SuspendNotSupported:
            words = "not possible here: the terminal cannot be handed over"
            self._screen.say(words, "warning")
            return False
        except OSError as error:
            self._screen.say(f"{command[0]}: {error.strerror}", "error")
            return False
        return True
