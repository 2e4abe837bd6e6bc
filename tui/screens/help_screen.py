"""Help: what the panes are for, and every key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical

from redraft.tui.keys import ACTIONS, PLACES, Where, shown_keys
from redraft.tui.look import Look
from redraft.tui.panes.line_view import LineView
from redraft.tui.screens.dialog import Dialog
from redraft.tui.text.runs import BOLD, Line, Run, pad
from redraft.tui.text.wrap import wrap

WORDS: Mapping[Where, str] = {
    "prompt": "Write what should change. Letters are text here; esc leaves.",
    "documents": "Your documents, with the time each has left by the service's clock.",
    "preview": "The document as it is now, with insertions and deletions; v hides them.",
    "changes": "Every tracked change of the file, ours and others', with the words around it.",
    "panes": "In all panes but the prompt letters act.",
    "lists": "Moving.",
    "any": "Anywhere.",
}
EXAMPLES = (
    'Replace "30 days" with "45 days" everywhere',
    'Change "$48,000" to "$52,500" in the section "Payment"',
    'Delete the paragraph containing "Force majeure"',
    'Insert "in writing" after "notice"',
    'Add the paragraph "…" after the heading "Termination"',
    'Rename the heading "Scope" to "Scope of Work"',
)
ORDER: tuple[Where, ...] = ("prompt", "panes", "lists", "documents", "preview", "changes", "any")


class HelpText(LineView):
    """The text of the help."""

    def __init__(self, look: Look, keys: Mapping[str, str], where: Where) -> None:
        super().__init__(look, id="help-text")
        self._keys = keys
        self._where: Where = where
        self._lines: list[Line] = []

    def lay_out(self, cells: int) -> None:
        """Write the help for a width."""
        order: list[Where] = [self._where, *(other for other in ORDER if other != self._where)]
        self._lines = []
        for place in order:
            self._lines.extend(self._part(place, cells))

    def _part(self, where: Where, cells: int) -> Sequence[Line]:
        margin = (Run("  "),)
        lines: list[Line] = [(), (Run(f" {PLACES[where].capitalize()}", "h2", BOLD),)]
        lines.extend(wrap([Run(WORDS[where], "muted")], cells - 4, margin, margin))
        for action in ACTIONS:
            if action.where != where:
                continue
            keys = shown_keys(action, self._keys, ascii_only=self.look.is_ascii)
            first = (Run("  "), Run(pad(keys, 19), "key"), Run(" "))
            rest = (Run(" " * 22),)
            lines.extend(wrap([Run(action.help)], max(10, cells - 23), first, rest))
        if where == "prompt":
            lines.extend(self._examples(cells))
        return lines

    def _examples(self, cells: int) -> Sequence[Line]:
        margin = (Run("  "),)
        words = "Without a language model the service understands simple instructions such as"
        lines = [(), *wrap([Run(words, "muted")], cells - 4, margin, margin)]
        for example in EXAMPLES:
            shown = example.replace("…", self.look.glyphs.ellipsis)
            lines.extend(wrap([Run(shown, "code")], cells - 6, (Run("    "),), (Run("      "),)))
        return lines

    def line_count(self) -> int:
        """Return the number of lines."""
        return len(self._lines)

    def line(self, number: int) -> Line:
        """Return a line."""
        return self._lines[number]


class HelpScreen(Dialog[None]):
    """The help, that of the pane in focus first."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("q,question_mark,f1", "leave", show=False),
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("space,pagedown", "page(1)", show=False),
        Binding("b,pageup", "page(-1)", show=False),
        Binding("g,home", "edge(False)", show=False),
        Binding("G,end", "edge(True)", show=False),
    ]

    def __init__(self, look: Look, keys: Mapping[str, str], where: Where) -> None:
        super().__init__(look, "redraft help")
        self._keys = keys
        self._where: Where = where

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(id="dialog", classes="-tall -broad"):
            yield self.title_bar("j k scroll, esc leaves")
            yield HelpText(self.look, self._keys, self._where)

    def action_move(self, lines: int) -> None:
        """Scroll by lines."""
        self.query_one(HelpText).move(lines)

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        self.query_one(HelpText).page(pages)

    def action_edge(self, end: bool) -> None:
        """Go to an end."""
        self.query_one(HelpText).to_edge(end=end)
