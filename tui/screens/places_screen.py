"""The places that an instruction may mean, each with the words around it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical

from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.screens.dialog import Dialog
from redraft.tui.text.runs import BOLD, Line, Run, one_line
from redraft.tui.text.wrap import wrap
from redraft.tui.transport.wire import Candidate

START, END = "⟪", "⟫"
"""What the service writes around the place itself."""


class Places(EntryView):
    """The places, numbered from 1."""

    def __init__(self, look: Look, places: Sequence[Candidate]) -> None:
        super().__init__(look, id="choices")
        self.places = tuple(places)

    def entry_count(self) -> int:
        """Returns the number of places."""
        return len(self.places)

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draws a place: its number and name, and the words with it between signs."""
        place, glyphs = self.places[index], self.look.glyphs
        head = (Run(f" {index + 1} ", "key"), Run(one_line(place.label), "strong", BOLD))
        indent = (Run("   "),)
        words = wrap(self._words(place), max(10, cells - 5), indent, indent)
        if not place.label:
            words[0] = (head[0], *words[0][1:])
            return words
        return [(*head, Run(f" {glyphs.dot}", "muted")), *words]

    def _words(self, place: Candidate) -> list[Run]:
        before, start, rest = one_line(place.words).partition(START)
        here, _, after = rest.partition(END)
        if not start:
            return [Run(before)]
        signs = self.look.glyphs.place_start, self.look.glyphs.place_end
        return [Run(before), Run(f"{signs[0]}{here}{signs[1]}", "current"), Run(after)]


class PlacesScreen(Dialog[tuple[str, ...]]):
    """Asks which of several places is meant; the answer holds one of them, all, or none."""

    TAKES_AHEAD = False  # nobody can have meant what had not been seen

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("a", "take_all", "all of them", show=False),
    ]

    def __init__(self, look: Look, title: str, places: Sequence[Candidate]) -> None:
        super().__init__(look, title)
        self._list = Places(look, places)

    def compose(self) -> ComposeResult:
        """Makes the box."""
        count = len(self._list.places)
        every = "both of them" if count == 2 else f"all {count} of them"
        ways = (("enter", "this one"), (f"1-{count}", "that one"), ("a", every), ("esc", "none"))
        keys = Bar(self.look, id="options", shade="card")
        keys.rows = (
            tuple(
                run
                for key, words in ways
                for run in (Run(f" {key}", "key"), Run(f" {words}  ", "muted"))
            ),
        )
        with Vertical(id="dialog", classes="-tall -broad"):
            yield self.title_bar("j k move")
            yield self._list
            yield keys

    def on_key(self, event: events.Key) -> None:
        """Takes the number of a place."""
        number = int(event.key) if event.key.isdecimal() and event.key.isascii() else 0
        if 1 <= number <= len(self._list.places):
            event.stop()
            self._take(number - 1)

    @on(EntryView.Chosen)
    def _chosen(self, event: EntryView.Chosen) -> None:
        event.stop()
        self._take(event.index)

    def _take(self, index: int) -> None:
        self.dismiss((self._list.places[index].place,))

    def action_take_all(self) -> None:
        """Takes every place that is listed."""
        self.dismiss(tuple(place.place for place in self._list.places))

    def action_leave(self) -> None:
        """Takes none."""
        self.dismiss(())
