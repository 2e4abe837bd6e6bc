"""The documents: name, time left by the server's clock, state; uploads under way stand below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.tui.look import Look
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.session.state import (
    LAST_CALL,
    NEAR_END,
    Job,
    OpenDocument,
    Transfer,
    shown_size,
    shown_ttl,
)
from redraft.tui.text.runs import BOLD, STRIKE, Line, Run, clip, fit, one_line, pad


@dataclass(frozen=True, slots=True)
class Entry:
    """A row, a document or an upload; `left` are its seconds, `is_open`: it is shown."""

    document: OpenDocument | None = None
    transfer: Transfer | None = None
    left: float | None = None
    seconds: float = 0.0
    jobs: tuple[Job, ...] = ()
    is_open: bool = False
    tick: int = 0


class DocumentList(EntryView):
    """The documents of this key."""

    def __init__(self, look: Look, *, id: str = "documents") -> None:  # noqa: A002 - Textual's name
        super().__init__(look, id=id)
        self.entries: tuple[Entry, ...] = ()
        self.hint: tuple[Line, ...] = ()
        self._rows: tuple[Line, ...] = ()
        self._hint_drawn: tuple[Line, ...] = ()
        self._open = ""

    def show(self, entries: Sequence[Entry], hint: tuple[Line, ...]) -> None:
        """Show these rows; nothing is repainted when they would look the same."""
        here = self.current()
        self.entries = tuple(entries)
        self.hint = hint
        self._keep_cursor(here)
        if not self._drawn_width:
            return
        rows = tuple(self._row(entry, self._drawn_width) for entry in self.entries)
        if (rows, hint) != (self._rows, self._hint_drawn):
            self.relayout()

    def _keep_cursor(self, here: Entry | None) -> None:
        """Leave the cursor on its document; when another one was opened, put it on that."""
        ids = [entry.document.id if entry.document else "" for entry in self.entries]
        opened = next(
            (entry.document.id for entry in self.entries if entry.document and entry.is_open), ""
        )
        wanted = here.document.id if here is not None and here.document is not None else ""
        if opened != self._open:
            wanted, self._open = opened, opened
        if wanted in ids and self.cursor != ids.index(wanted):
            self.cursor = ids.index(wanted)
            self.repaint()

    def lay_out(self, cells: int) -> None:
        """Draw all rows and remember them."""
        self._rows = tuple(self._row(entry, cells) for entry in self.entries)
        self._hint_drawn = self.hint
        super().lay_out(cells)

    def current(self) -> Entry | None:
        """Return the row under the cursor."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    def select_document(self, document_id: str) -> None:
        """Put the cursor on a document."""
        for index, entry in enumerate(self.entries):
            if entry.document is not None and entry.document.id == document_id:
                self.select(index)

    def entry_count(self) -> int:
        """Return the number of rows."""
        return len(self.entries)

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draw a row."""
        rows: list[Line] = [self._row(self.entries[index], cells)]
        if index + 1 == len(self.entries):
            rows.extend(self.hint)
        return rows

    def backdrop(self, number: int) -> str:
        """Mark the row under the cursor, not the hint below."""
        role = super().backdrop(number)
        return role if number < len(self.entries) else ""

    def lines_when_empty(self, cells: int) -> Sequence[Line]:
        """Say how to begin."""
        return self.hint

    def _row(self, entry: Entry, cells: int) -> Line:
        if entry.transfer is not None:
            return _transfer_row(entry.transfer, entry.seconds, cells, self.look)
        if entry.document is None:
            return ()
        return _document_row(entry, entry.document, cells, self.look)


def _document_row(entry: Entry, document: OpenDocument, cells: int, look: Look) -> Line:
    state, state_role = _state(entry, document, look)
    ttl, ttl_role = _ttl(entry, document, look)
    state_cells = max(9, min(14, cells // 5))
    name_cells = max(8, cells - state_cells - 10)
    sign = look.glyphs.cursor if entry.is_open else " "
    flags = STRIKE if document.is_expired else BOLD if entry.is_open else 0
    name = fit(one_line(document.info.name), name_cells, look.glyphs.ellipsis)
    return (
        Run(fit(sign, 2), "accent"),
        Run(name, "muted" if document.is_expired else "text", flags),
        Run(pad(ttl, 7, right=True), *ttl_role),
        Run(" "),
        Run(fit(state, state_cells, look.glyphs.ellipsis), state_role),
    )


def _ttl(entry: Entry, document: OpenDocument, look: Look) -> tuple[str, tuple[str, int]]:
    if document.is_expired:
        return "expired", ("error", 0)
    shown = shown_ttl(entry.left)
    if entry.left is None or entry.left > NEAR_END:
        return shown, ("muted", 0)
    return f"{shown} !", ("error" if entry.left <= LAST_CALL else "warning", BOLD)


def _state(entry: Entry, document: OpenDocument, look: Look) -> tuple[str, str]:
    glyphs = look.glyphs
    if document.is_expired:
        return glyphs.failed, "error"
    if any(job.state == "unknown" for job in entry.jobs):
        return f"{glyphs.pen} unknown", "warning"
    if entry.jobs or document.info.pending:
        waiting = max(len(entry.jobs), document.info.pending) - 1
        return f"{glyphs.pen} edit" + (f" +{waiting}" if waiting > 0 else ""), "warning"
    if document.reading_since is not None:
        return "reading", "muted"
    if document.failure is not None:
        return f"{glyphs.failed} failed", "error"
    if document.changes:
        return f"{glyphs.changed}{len(document.changes)}", "accent"
    return "ready", "muted"


def _transfer_row(transfer: Transfer, seconds: float, cells: int, look: Look) -> Line:
    if transfer.state == "failed":
        words = f"{look.glyphs.failed} {one_line(transfer.name)}: {one_line(transfer.reason)}"
        return (Run("  "), Run(clip(words, cells - 3, look.glyphs.ellipsis), "error"))
    percent = 100 * min(transfer.sent, transfer.size) // max(1, transfer.size)
    right = f"{look.glyphs.up} {percent}% {shown_size(transfer.size)} {int(seconds)} s"
    name = fit(one_line(transfer.name), max(4, cells - len(right) - 4), look.glyphs.ellipsis)
    return (Run("  "), Run(name, "text"), Run(f" {right}", "accent"))
