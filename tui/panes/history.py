"""The history: every operation of the document, what was asked and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from redraft.tui.clock import shown_date
from redraft.tui.look import Glyphs, Look
from redraft.tui.panes.change_lines import difference
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.session.state import moved, reason_of
from redraft.tui.text.runs import Line, Run, one_line, plain, spread
from redraft.tui.text.wrap import wrap
from redraft.tui.transport.wire import Change, HistoryItem

SHOWN = 4  # changes of one edit
STATES = {
    "applied": ("ok", "ok", "applied"),
    "done": ("ok", "ok", "done"),
    "unchanged": ("dot", "muted", "nothing to change"),
    "failed": ("failed", "error", "failed"),
    "timed_out": ("failed", "error", "timed out"),
    "cancelled": ("failed", "muted", "cancelled"),
    "running": ("pen", "warning", "running"),
    "queued": ("queued", "warning", "waiting"),
}


class HistoryView(EntryView):
    """The operations of the open document, the newest first."""

    def __init__(
        self,
        look: Look,
        zone: tzinfo | None,
        *,
        id: str = "history",  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(look, id=id)
        self.items: tuple[HistoryItem, ...] = ()
        self._zone = zone
        self._changes: tuple[Change, ...] = ()
        self._by_edit: dict[str, list[Change]] = {}
        self._moved: frozenset[str] = frozenset()

    def show(self, items: Sequence[HistoryItem], changes: Sequence[Change] = ()) -> None:
        """Show a document's operations, and the changes of each that are still open."""
        newest = tuple(reversed(items))
        if newest == self.items and tuple(changes) == self._changes:
            return
        self.items, self._changes = newest, tuple(changes)
        self._by_edit = {}
        self._moved = moved(self._changes)
        for change in self._changes:
            for uid in change.edit_uids:
                self._by_edit.setdefault(uid, []).append(change)
        self.relayout()

    def current(self) -> HistoryItem | None:
        """Return the operation under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def entry_count(self) -> int:
        """Return the number of operations."""
        return len(self.items)

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draw an operation."""
        item = self.items[index]
        number = len(self.items) - index
        glyph, role, words = STATES.get(item.state, ("dot", "muted", one_line(item.state)))
        sign = _sign(self.look.glyphs, glyph)
        when = shown_date(item.finished_at or item.queued_at, self._zone)
        kind = "" if item.kind == "edit" else f"{one_line(item.kind)}  "
        head = spread(
            (Run(f"#{number} ", "key"), Run(kind, "strong"), Run(when, "muted")),
            (Run(f"{sign} {words} ", role),),
            cells,
            self.look.glyphs.ellipsis,
        )
        lines = [head]
        margin = (Run("    "),)
        if item.instruction:
            lines.extend(wrap([Run(plain(item.instruction))], cells - 6, margin, margin))
        summary = reason_of(item.summary)
        if summary and _letters(summary) != _letters(item.instruction):
            lines.extend(wrap([Run(plain(summary), "muted")], cells - 6, margin, margin))
        for warning in item.warnings:
            words = f"{self.look.glyphs.warning} {plain(warning)}"
            lines.extend(wrap([Run(words, "warning")], cells - 6, margin, margin))
        lines.extend(self._differences(item, cells))
        lines.append(())
        return lines

    def _differences(self, item: HistoryItem, cells: int) -> Sequence[Line]:
        """Draw the first changes of an edit, and say how many more there are."""
        changes = self._by_edit.get(item.edit_uid, [])
        shown = [change for change in changes if change.id not in self._moved or change.after]
        lines = [
            difference(change, cells, self.look, is_moved=change.id in self._moved)
            for change in shown[:SHOWN]
        ]
        more = len(shown) - SHOWN
        if more > 0:
            words = f"      and {more} more; enter shows them all"
            lines.append((Run(words, "muted"),))
        return lines

    def backdrop(self, number: int) -> str:
        """Mark the head of the operation under the cursor."""
        role = super().backdrop(number)
        return role if role and number == self._starts[self.cursor] else ""


def _letters(text: str) -> str:
    """What is left of a text without case, quotes and punctuation."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _sign(glyphs: Glyphs, name: str) -> str:
    signs = {
        "ok": glyphs.ok,
        "failed": glyphs.failed,
        "pen": glyphs.pen,
        "queued": glyphs.queued,
    }
    return signs.get(name, glyphs.dot)
