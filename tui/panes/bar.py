"""Lines that say something and take no focus: title, tabs, keys, status, cards."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events

from redraft.tui.look import Look
from redraft.tui.messages import TabChosen
from redraft.tui.panes.line_view import LineView
from redraft.tui.text.runs import BOLD, Line, Run, clip, spread, width


class Bar(LineView, can_focus=False):
    """One or more fixed lines on a shade of their own."""

    ALLOW_SELECT = False

    def __init__(self, look: Look, *, id: str, shade: str = "bar") -> None:  # noqa: A002 - Textual's name
        super().__init__(look, id=id)
        self.rows: tuple[Line, ...] = ((),)
        self.shade = shade

    def show(self, *rows: Line) -> None:
        """Show these lines; nothing is repainted when they are the same."""
        if rows == self.rows:
            return
        is_as_high = len(rows) == len(self.rows)
        self.rows = rows
        if not is_as_high:
            self.styles.height = max(1, len(rows))
        self.repaint()

    def line_count(self) -> int:
        """Return the number of lines."""
        return len(self.rows)

    def line(self, number: int) -> Line:
        """Return one of the lines."""
        return self.rows[number]

    def backdrop(self, number: int) -> str:
        """Return the shade of the bar."""
        return self.shade

    @property
    def content_width(self) -> int:
        """The whole width: a bar never scrolls."""
        return self.size.width


@dataclass(frozen=True, slots=True)
class Tab:
    """A pane on the line of tabs; `count` stands after its name."""

    pane: str
    number: int
    name: str
    count: str = ""
    is_shown: bool = False
    has_focus: bool = False


class TabLine(Bar):
    """The panes by number and name; a click chooses one."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="tabs")
        self._places: tuple[tuple[int, int, str], ...] = ()

    def show_tabs(self, tabs: tuple[Tab, ...], mode: str, name: str, first_column: int) -> None:
        """Show the tabs, and at the right what is open, as far as there is room.

        Args:
            tabs: The tabs.
            mode: How changes are shown, where that is worth a word.
            name: The document.
            first_column: The cells of the first tab; 0: as many as it needs.
        """
        runs: list[Run] = []
        places: list[tuple[int, int, str]] = []
        for tab in tabs:
            start = width(runs)
            words = f" {tab.number} {tab.name}{' ' + tab.count if tab.count else ''} "
            role = "tab" if tab.has_focus else "strong" if tab.is_shown else "muted"
            runs.append(Run(words, role, BOLD if tab.is_shown else 0))
            places.append((start, width(runs), tab.pane))
            gap = max(0, first_column - width(runs)) if tab is tabs[0] else 0
            runs.append(Run(" " * gap))
        self._places = tuple(places)
        cells, dots = max(1, self.size.width), self.look.glyphs.ellipsis
        shown = f"{mode}  " if mode else ""
        room = cells - width(runs) - len(shown) - 2
        right = (Run(shown, "accent"), Run(f"{clip(name, room, dots)} ", "strong"))
        self.show(spread(tuple(runs), right, cells, dots))

    def on_click(self, event: events.Click) -> None:
        """Choose the tab that was clicked."""
        for start, end, pane in self._places:
            if start <= event.x < end:
                self.post_message(TabChosen(pane))
