"""Review: the changes of one clause after the other, the original text under the fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical

from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.panes.change_lines import Context, draw
from redraft.tui.panes.change_view import clause_of, counts
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.screens.dialog import Dialog
from redraft.tui.text.runs import BOLD, Line, Run, one_line, spread
from redraft.tui.text.wrap import wrap
from redraft.tui.transport.wire import Change

Deed: TypeAlias = Literal["accept", "reject", "comment", "undo", "text", "markdown", "show"]
KEYS = (
    ("space", "accept"),
    ("x", "reject"),
    ("A X", "all of the clause"),
    ("c", "comment"),
    ("u", "undo"),
    ("y Y", "copy"),
    ("o", "original"),
    ("j k", "change"),
    ("n p", "clause"),
    ("esc", "leaves"),
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with changes in document order, and its paragraphs before any of them."""

    name: str
    changes: tuple[Change, ...]
    original: tuple[str, ...]


def clauses(
    changes: Sequence[Change], original_of: Callable[[Sequence[Change]], tuple[str, ...]]
) -> tuple[Clause, ...]:
    """Returns changes by the clause they stand in."""
    grouped = ((name, tuple(group)) for name, group in groupby(changes, clause_of))
    return tuple(Clause(name, group, original_of(group)) for name, group in grouped)


class ClauseChanges(EntryView):
    """The changes of one clause, and below them its original text, folded to a line."""

    def __init__(self, look: Look, context: Context) -> None:
        super().__init__(look, id="review")
        self.context = context
        self.clause = Clause("", (), ())
        self.is_open = False  # the fold
        self.empty = "No changes are left. u undoes the last step, esc leaves."

    def entry_count(self) -> int:
        """Returns the number of changes."""
        return len(self.clause.changes)

    def current(self) -> Change | None:
        """Returns the change under the cursor."""
        return self.clause.changes[self.cursor] if self.clause.changes else None

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draws a change; the last one is followed by the fold."""
        change = self.clause.changes[index]
        lines = draw(change, index + 1, cells, self.look, self.context, leads=True)
        is_last = index == len(self.clause.changes) - 1
        return [*lines, *self._fold(cells)] if is_last and self.clause.original else lines

    def _fold(self, cells: int) -> list[Line]:
        sign = "-" if self.is_open else "+"
        lines: list[Line] = [(Run(f" {sign} ", "key"), Run("original text", "strong", BOLD))]
        indent = (Run("    "),)
        for paragraph in self.clause.original if self.is_open else ():
            lines.extend(wrap([Run(paragraph, "muted")], max(10, cells - 6), indent, indent))
            lines.append(())
        return lines

    def backdrop(self, number: int) -> str:
        """Marks the head of the change under the cursor."""
        role = super().backdrop(number)
        return role if role and number == self._starts[self.cursor] else ""


class ReviewScreen(Dialog[None]):
    """Goes through the changes clause by clause; what is done with one is told to `act`."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("space,a", "settle('accept')", show=False, priority=True),
        Binding("x", "settle('reject')", show=False),
        Binding("A", "settle('accept', True)", show=False),
        Binding("X", "settle('reject', True)", show=False),
        Binding("c", "do('comment')", show=False),
        Binding("u,U", "do('undo')", show=False),
        Binding("y", "do('text')", show=False),
        Binding("Y", "do('markdown')", show=False),
        Binding("o", "fold", show=False),
        Binding("n,right,right_square_bracket", "turn(1)", show=False),
        Binding("p,left,left_square_bracket", "turn(-1)", show=False),
        Binding("q,V", "leave", show=False),
    ]

    def __init__(
        self,
        look: Look,
        name: str,
        context: Context,
        act: Callable[[Deed, Sequence[Change]], None],
    ) -> None:
        super().__init__(look, f"Review {one_line(name)}")
        self._act = act
        self._view = ClauseChanges(look, context)
        self._clauses: tuple[Clause, ...] = ()
        self._at = 0
        self._said: tuple[str, str] = ("", "muted")

    def compose(self) -> ComposeResult:
        """Makes the screen."""
        with Vertical(id="dialog", classes="-whole"):
            yield self.title_bar("")
            yield Bar(self.look, id="clause", shade="card")
            yield self._view
            yield Bar(self.look, id="options", shade="card")
            yield Bar(self.look, id="review-status", shade="card")

    def on_mount(self) -> None:
        """Shows the first clause."""
        self._turn_to(0)
        self.call_after_refresh(self._show_bars)

    def on_resize(self) -> None:
        """Fits the lines of keys to the width."""
        self._show_bars()

    def show(self, changes: Sequence[Clause], said: tuple[str, str]) -> None:
        """Shows what the document holds now: the same clause, or the one in its place.

        Args:
            changes: The clauses that still have changes.
            said: The last thing that was said, and its role.
        """
        here = self._clauses[self._at].name if self._clauses else ""
        is_new = tuple(changes) != self._clauses
        self._clauses, self._said = tuple(changes), said
        names = [clause.name for clause in self._clauses]
        at = names.index(here) if here in names else self._at
        if not self.is_mounted:
            return
        if is_new:
            cursor = self._view.cursor if here in names else 0
            self._turn_to(at, cursor)
        self._show_bars()

    def _turn_to(self, at: int, cursor: int = 0) -> None:
        self._at = max(0, min(at, len(self._clauses) - 1))
        self._view.clause = self._clauses[self._at] if self._clauses else Clause("", (), ())
        self._view.cursor = cursor
        self._view.relayout()
        self._view.select(cursor)

    def _show_bars(self) -> None:
        if not self.is_mounted:
            return
        clause, cells = self._view.clause, max(20, self._view.size.width)
        dots = self.look.glyphs.ellipsis
        place = f"{self._at + 1}/{len(self._clauses)} " if self._clauses else ""
        head = (Run(f" {clause.name or '(no heading)'}", "strong", BOLD),) if clause.changes else ()
        everything = [change for one in self._clauses for change in one.changes]
        tallies = (Run(f" {counts(everything, self.look)}", "muted"),)
        place_line = spread(head, (Run(f"clause {place}", "muted"),) if place else (), cells, dots)
        self.query_one("#clause", Bar).show(place_line, spread(tallies, (), cells, dots))
        self.query_one("#options", Bar).show(*_key_lines(cells))
        text, role = self._said
        self.query_one("#review-status", Bar).show((Run(f" {one_line(text)}", role),))

    # Keys

    def action_turn(self, step: int) -> None:
        """Goes to the next or previous clause, round the end."""
        if self._clauses:
            self._turn_to((self._at + step) % len(self._clauses))
            self._show_bars()

    def action_fold(self) -> None:
        """Opens the original text, or folds it again."""
        self._view.is_open = not self._view.is_open
        self._view.relayout()

    def action_settle(self, deed: Deed, is_clause: bool = False) -> None:
        """Accepts or rejects the change under the cursor, or all of the clause."""
        change = self._view.current()
        if change is not None:
            self._act(deed, self._view.clause.changes if is_clause else (change,))

    def action_do(self, deed: Deed) -> None:
        """Does something else with the change under the cursor; undoing needs none."""
        change = self._view.current()
        if change is not None or deed == "undo":
            self._act(deed, (change,) if change is not None else ())

    @on(EntryView.Chosen)
    def _chosen(self, event: EntryView.Chosen) -> None:
        event.stop()
        change = self._view.current()
        if change is not None:
            self._act("show", (change,))
            self.dismiss(None)


def _key_lines(cells: int) -> list[Line]:
    lines: list[tuple[Run, ...]] = [()]
    taken = 0
    for key, words in KEYS:
        size = len(key) + len(words) + 4
        if taken and taken + size > cells:
            lines.append(())
            taken = 0
        lines[-1] = (*lines[-1], Run(f" {key}", "key"), Run(f" {words}  ", "muted"))
        taken += size
    return list(lines)
