"""A scrolling list of entries with a cursor: documents, changes, history, choices."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from textual import events
from textual.binding import Binding
from textual.message import Message

from redraft.tui.keys import BY_ID
from redraft.tui.look import Look
from redraft.tui.panes.line_view import EMPTY, LineView
from redraft.tui.text.runs import Line, Run, plain
from redraft.tui.text.wrap import wrap


class EntryView(LineView):
    """Entries below one another; subclasses draw one."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding(BY_ID["choose"].keys, "choose", BY_ID["choose"].label, show=False, id="choose")
    ]

    class Moved(Message):
        """The cursor is on another entry."""

        def __init__(self, view: EntryView, index: int) -> None:
            super().__init__()
            self.view = view
            self.index = index

        @property
        def control(self) -> EntryView:
            """The list."""
            return self.view

    class Chosen(Moved):
        """An entry was chosen by enter or a click."""

    def __init__(self, look: Look, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(look, id=id)
        self.cursor = 0
        self.empty = ""  # what stands there when there is no entry
        self._drawn: list[Sequence[Line]] = []
        self._starts: list[int] = [0]

    # What subclasses give

    def entry_count(self) -> int:
        """Return the number of entries."""
        return 0

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draw one entry."""
        return (EMPTY,)

    def lines_when_empty(self, cells: int) -> Sequence[Line]:
        """Draw what stands there when there is no entry."""
        if not self.empty:
            return ()
        margin = (Run("  "),)
        return (EMPTY, *wrap([Run(plain(self.empty), "muted")], max(8, cells - 3), margin, margin))

    # LineView

    def set_empty(self, words: str) -> None:
        """Say why there is no entry, while there is none."""
        if words != self.empty:
            self.empty = words
            if not self.entry_count():
                self.relayout()

    def lay_out(self, cells: int) -> None:
        """Draw all entries."""
        count = self.entry_count()
        self.cursor = max(0, min(self.cursor, count - 1))
        if count:
            self._drawn = [self.draw_entry(index, cells) for index in range(count)]
        else:
            self._drawn = [self.lines_when_empty(cells)]
        self._starts = [0, *accumulate(len(lines) for lines in self._drawn)]

    def line_count(self) -> int:
        """Return the number of lines of all entries."""
        return self._starts[-1]

    def line(self, number: int) -> Line:
        """Return a line of an entry."""
        index = self.entry_at(number)
        return self._drawn[index][number - self._starts[index]]

    @property
    def is_laid_out(self) -> bool:
        """Whether the entry under the cursor has lines; a pane never shown has no width."""
        return self.cursor + 1 < len(self._starts)

    def entry_at(self, number: int) -> int:
        """Return the entry that a line belongs to."""
        return bisect_right(self._starts, number) - 1

    def backdrop(self, number: int) -> str:
        """Show where the cursor is."""
        if not self.entry_count() or self.entry_at(number) != self.cursor:
            return ""
        return "cursor" if self.has_focus else "cursor.blurred"

    # Moving

    def select(self, index: int) -> None:
        """Put the cursor on an entry and show it."""
        count = self.entry_count()
        if not count:
            return
        target = max(0, min(index, count - 1))
        is_new = target != self.cursor
        self.cursor = target
        self.repaint()
        self._show_cursor()
        if is_new:
            self.post_message(self.Moved(self, target))

    def _show_cursor(self) -> None:
        if not self.is_laid_out:
            return
        top, height = self.scroll_offset.y, max(1, self.size.height)
        first, end = self._starts[self.cursor], self._starts[self.cursor + 1]
        if first < top:
            self.go_to_line(first)
        elif end > top + height:
            self.go_to_line(min(first, end - height))

    def on_show(self, event: events.Show) -> None:
        """Show the cursor, which may have moved while the pane was hidden."""
        self.call_after_refresh(self._show_cursor)

    def move(self, lines: int) -> None:
        """Go to the entry below (or above)."""
        self.select(self.cursor + lines)

    def page(self, pages: float) -> None:
        """Go by a part of the screen's height."""
        if not self.entry_count() or not self.is_laid_out:
            return
        wanted = self._starts[self.cursor] + int(pages * max(1, self.size.height - 1))
        target = self.entry_at(max(0, min(wanted, self.line_count() - 1)))
        step = 1 if pages > 0 else -1
        self.select(target if target != self.cursor else self.cursor + step)

    def to_edge(self, *, end: bool) -> None:
        """Go to the first or the last entry."""
        self.select(self.entry_count() - 1 if end else 0)

    def choose(self) -> None:
        """Choose the entry under the cursor."""
        if self.entry_count():
            self.post_message(self.Chosen(self, self.cursor))

    def action_choose(self) -> None:
        """Choose the entry under the cursor."""
        self.choose()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor there; a second click chooses."""
        number = event.y + self.scroll_offset.y
        if not self.entry_count() or not 0 <= number < self.line_count():
            return
        index = self.entry_at(number)
        if index == self.cursor:
            self.choose()
        else:
            self.select(index)

    def on_focus(self, event: events.Focus) -> None:
        """The cursor looks different now."""
        self.repaint()

    def on_blur(self, event: events.Blur) -> None:
        """The cursor looks different now."""
        self.repaint()
