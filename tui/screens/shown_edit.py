"""What an edit would do, before it is done."""

from __future__ import annotations

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical

from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.panes.change_lines import Context, draw
from redraft.tui.panes.line_view import LineView
from redraft.tui.screens.dialog import Dialog
from redraft.tui.session.state import ShownEdit, moved
from redraft.tui.text.runs import Line, Run, one_line, plain
from redraft.tui.text.wrap import wrap


class ShownChanges(LineView):
    """The changes that an edit would make, with the words around them."""

    def __init__(self, look: Look, shown: ShownEdit) -> None:
        super().__init__(look, id="shown-changes")
        self._shown = shown
        self._lines: list[Line] = []

    def lay_out(self, cells: int) -> None:
        """Draws them for a width."""
        margin = (Run(" "),)
        words = [Run(f"{one_line(self._shown.edit.instructions)}", "muted")]
        self._lines = [*wrap(words, max(10, cells - 2), margin, margin)]
        for warning in self._shown.warnings:
            sign = (Run(f" {self.look.glyphs.warning} ", "warning"),)
            self._lines.extend(wrap([Run(plain(warning))], max(10, cells - 4), sign, (Run("   "),)))
        self._lines.append(())
        changes = self._shown.changes
        context = Context({}, (), "inline", None, moved(changes))
        for number, change in enumerate(changes, 1):
            unsigned = replace(change, author="", date="")
            self._lines.extend(draw(unsigned, number, cells, self.look, context, leads=False))

    def line_count(self) -> int:
        """Returns the number of lines."""
        return len(self._lines)

    def line(self, number: int) -> Line:
        """Returns a line."""
        return self._lines[number]


class ShownEditScreen(Dialog[bool]):
    """Asks whether an edit is to be made; enter alone says so, since it comes unasked."""

    TAKES_AHEAD = False  # nobody can have meant what had not been seen

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("enter", "answer(True)", "make it", show=False, priority=True),
        Binding("n", "answer(False)", "leave it", show=False),
    ]

    def __init__(self, look: Look, shown: ShownEdit) -> None:
        super().__init__(look, f"Not done yet: {shown.tally}")
        self._shown = shown

    def compose(self) -> ComposeResult:
        """Makes the box."""
        with Vertical(id="dialog", classes="-tall -broad"):
            yield self.title_bar("j k scroll")
            yield ShownChanges(self.look, self._shown)
            keys = Bar(self.look, id="options", shade="card")
            ways = (("enter", "does it"), ("esc", "leaves the document as it is"))
            keys.rows = (
                tuple(
                    run
                    for key, words in ways
                    for run in (Run(f" {key}", "key"), Run(f" {words}  ", "muted"))
                ),
            )
            yield keys

    def action_answer(self, answer: bool) -> None:
        """Closes with the answer."""
        self.dismiss(answer)

    def action_leave(self) -> None:
        """Closes with no."""
        self.dismiss(False)
