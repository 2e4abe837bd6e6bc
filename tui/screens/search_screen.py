"""The dialog that asks what to search for."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input

from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.screens.dialog import Dialog, Field
from redraft.tui.text.runs import Run
from redraft.tui.text.text_search import Query


class SearchScreen(Dialog[Query | None]):
    """One line at the bottom of the screen: words, or a regular expression."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("ctrl+r", "toggle_pattern", show=False, priority=True),
    ]

    def __init__(self, look: Look, query: Query) -> None:
        super().__init__(look, "Search")
        self._text = query.text
        self.is_pattern = query.is_pattern
        self.add_class("-bottom")

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(id="dialog"):
            yield self.title_bar("enter searches, esc leaves")
            yield Field(self._text, id="answer")
            yield Bar(self.look, id="options", shade="card")

    def on_mount(self, event: events.Mount) -> None:
        """Show what is searched for."""
        self._show_options()

    def _show_options(self) -> None:
        self.query_one("#options", Bar).show(
            (
                Run(f" {'[x]' if self.is_pattern else '[ ]'} ", "accent"),
                Run("regular expression ", "text"),
                Run("ctrl+r", "key"),
                Run(" switches", "muted"),
            )
        )

    def action_toggle_pattern(self) -> None:
        """Switch between words and a regular expression."""
        self.is_pattern = not self.is_pattern
        self._show_options()

    @on(Input.Submitted, "#answer")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(Query(event.value.strip(), self.is_pattern))
