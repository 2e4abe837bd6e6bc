"""Faults of the program itself: written down, and told with what is safe and what can be done."""

from __future__ import annotations

import contextlib
import traceback
from datetime import UTC, datetime
from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical

from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.screens.dialog import Dialog
from redraft.tui.text.runs import BOLD, Line, Run, one_line, plain
from redraft.tui.text.wrap import wrap

LONGEST_LOG = 200_000  # bytes


def describe(error: Exception) -> str:
    """Name a fault in one line."""
    words = one_line(str(error))
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def write_down(path: Path, error: Exception) -> None:
    """Append a fault to the log, which only its owner can read; a full disk is no second fault."""
    report = "".join(traceback.format_exception(error))
    head = f"--- {datetime.now(UTC).isoformat(timespec='seconds')}\n"
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        mode = "w" if path.stat().st_size > LONGEST_LOG else "a"
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.write(head + plain(report) + "\n")


class CrashScreen(Dialog[bool]):
    """What is told of a fault: what it was, that the text is safe, where the report is."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("enter,g", "answer(True)", "go on", show=False),
        Binding("q,ctrl+q", "answer(False)", "leave", show=False),
    ]

    def __init__(self, look: Look, error: Exception, log: Path) -> None:
        super().__init__(look, "Something in redraft went wrong")
        self._words = describe(error)
        self._log = log

    def compose(self) -> ComposeResult:
        """Make the box."""
        margin = (Run(" "),)
        body = Bar(self.look, id="dialog-body", shade="card")
        rows: list[Line] = [()]
        rows.extend(wrap([Run(self._words, "error", BOLD)], 56, margin, margin))
        rows.append(())
        safe = "Your documents and edits are with the service, and what you were writing is kept."
        rows.extend(wrap([Run(safe)], 56, margin, margin))
        rows.append(())
        rows.extend(wrap([Run(f"The report is in {self._log}", "muted")], 56, margin, margin))
        keys = (
            Run(f" {self.look.glyphs.enter}", "key"),
            Run(" go on   ", "muted"),
            Run("q", "key"),
            Run(" leave", "muted"),
        )
        body.rows = (*rows, (), keys)
        body.styles.height = len(body.rows)
        with Vertical(id="dialog"):
            yield self.title_bar("")
            yield body

    def action_answer(self, answer: bool) -> None:
        """Close with the answer."""
        self.dismiss(answer)

    def action_leave(self) -> None:
        """Close and go on."""
        self.dismiss(True)
