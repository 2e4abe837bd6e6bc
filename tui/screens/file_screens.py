"""The dialogs about files: what to upload and how, which copy to save and where."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input

from redraft.tui import local_files
from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.screens.dialog import Choice, ChoiceList, Dialog, Field, narrowed
from redraft.tui.session.state import shown_size
from redraft.tui.text.runs import Line, Run, one_line
from redraft.tui.transport.requests import Copy

SHORTEST, LONGEST = 5, 360  # minutes


@dataclass(frozen=True, slots=True)
class UploadOrder:
    """What to upload and how."""

    path: Path
    minutes: int
    tracked: bool
    author: str


class UploadScreen(Dialog[UploadOrder | None]):
    """Choose a file by typing letters of its name, or its path, and how it is kept."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("down", "step(1)", show=False, priority=True),
        Binding("up", "step(-1)", show=False, priority=True),
        Binding("tab", "complete", show=False, priority=True),
        Binding("ctrl+t", "toggle_tracked", show=False, priority=True),
        Binding("ctrl+n", "next_field", show=False, priority=True),
    ]

    def __init__(self, look: Look, folder: Path, order: UploadOrder, typed: str = "") -> None:
        """Prepare.

        Args:
            look: The signs and colours.
            folder: Where files are looked for.
            order: The settings to begin with; its path is not used.
            typed: A path that is already known.
        """
        super().__init__(look, "Upload a .docx or .pdf")
        self._folder = folder
        self._order = order
        self._typed = typed
        self._found: list[local_files.Found] | None = None  # while they are looked for
        self.tracked = order.tracked

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(id="dialog", classes="-tall"):
            yield self.title_bar("enter uploads, tab completes, esc leaves")
            yield Field(self._typed, id="path", placeholder="letters of the name, or a path")
            yield ChoiceList(self.look, id="found")
            yield Bar(self.look, id="options", shade="card")
            yield Field(self._order.author, id="author")
            yield Bar(self.look, id="options-ttl", shade="card")
            yield Field(str(self._order.minutes), id="minutes")

    def on_mount(self, event: events.Mount) -> None:
        """Look for files."""
        self._show_options()
        self.query_one("#path", Input).action_end()
        self._look_for_files()

    @work(exclusive=True)
    async def _look_for_files(self) -> None:
        self._found = await asyncio.to_thread(local_files.documents_below, self._folder)
        self._narrow(self.query_one("#path", Input).value)

    def _show_options(self) -> None:
        box = "[x]" if self.tracked else "[ ]"
        words = (
            Run(f" {box} ", "accent"),
            Run("tracked changes ", "text"),
            Run("ctrl+t", "key"),
            Run(" switches    author of the changes ", "muted"),
            Run("ctrl+n", "key"),
        )
        self.query_one("#options", Bar).show(words)
        self.query_one("#options-ttl", Bar).show(
            (Run(f" minutes to keep it after the last edit ({SHORTEST} to {LONGEST})", "muted"),)
        )

    @on(Input.Changed, "#path")
    def _typed_path(self, event: Input.Changed) -> None:
        self._narrow(event.value)

    def _narrow(self, typed: str) -> None:
        is_path = local_files.is_path(typed)
        entries = local_files.completions(typed) if is_path else self._found or ()
        choices = [
            Choice(str(entry.path), entry.shown, shown_size(entry.size) if entry.size else "")
            for entry in entries
        ]
        view = self.query_one(ChoiceList)
        view.empty = self._why_empty(typed, is_path=is_path)
        view.show(choices if is_path else narrowed(choices, typed))

    def _why_empty(self, typed: str, *, is_path: bool) -> str:
        if is_path and local_files.named_file(typed):
            return "enter uploads this file"
        if is_path:
            return f"There is no .docx, .pdf or folder {typed}"
        if self._found is None:
            return f"Looking below {self._folder}"
        which = f" named like {typed}" if typed and self._found else ""
        return f"No .docx or .pdf{which} below {self._folder}; type a path."

    def action_step(self, step: int) -> None:
        """Move the cursor in the list."""
        self.query_one(ChoiceList).move(step)

    def action_complete(self) -> None:
        """Write the choice under the cursor into the field."""
        current = self.query_one(ChoiceList).current()
        if current is not None:
            field = self.query_one("#path", Input)
            words = current.words if local_files.is_path(field.value) else current.id
            field.value = words
            field.action_end()

    def action_toggle_tracked(self) -> None:
        """Switch tracked changes."""
        self.tracked = not self.tracked
        self._show_options()

    def action_next_field(self) -> None:
        """Go to the next field."""
        order = ["path", "author", "minutes"]
        here = self.focused.id if self.focused is not None else None
        at = order.index(here) if here in order else 0
        self.query_one(f"#{order[(at + 1) % 3]}", Input).focus()

    @on(EntryView.Chosen)
    def _clicked(self, event: EntryView.Chosen) -> None:
        event.stop()
        self._submit()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._submit()

    def _submit(self) -> None:
        typed = self.query_one("#path", Input).value.strip()
        path = self._chosen_path(typed)
        if path is None:
            return
        written = self.query_one("#minutes", Input).value
        minutes = int(written) if written.isdigit() else self._order.minutes
        author = one_line(self.query_one("#author", Input).value) or "Anonymous"
        kept = max(SHORTEST, min(LONGEST, minutes))
        self.dismiss(UploadOrder(path, kept, self.tracked, author))

    def _chosen_path(self, typed: str) -> Path | None:
        if local_files.is_path(typed):
            path = Path(local_files.named_file(typed) or local_files.expanded(typed))
            if path.is_file():
                return path
        current = self.query_one(ChoiceList).current()
        if current is None:
            return None
        if current.id and Path(current.id).is_dir():
            self.action_complete()
            return None
        return Path(current.id)


@dataclass(frozen=True, slots=True)
class SaveOrder:
    """Which copy to save, and where; `over` that an existing file may be written over."""

    copy: Copy
    path: Path
    over: bool = False


def copies(name: str, *, tracked: bool) -> tuple[tuple[Copy, str], ...]:
    """Return the copies that there are of a document, and what each is."""
    others: tuple[tuple[Copy, str], ...] = (
        ("clean", "with our changes accepted"),
        ("original", "as it was uploaded"),
    )
    if not name.lower().endswith(".pdf"):
        return (("redline", "with the tracked changes, for Word"), *others)
    if not tracked:
        return (("redline", "with the changes made"), *others)
    redline: Copy = "redline"
    return (
        (redline, "with the changes as notes on the pages"),
        ("word", "with tracked changes, as a Word file"),
        *others,
    )


class SaveScreen(Dialog[SaveOrder | None]):
    """Choose a copy and a file; an existing file is only written over when that is said."""

    BINDINGS = [  # noqa: RUF012
        Binding("down,tab", "step(1)", show=False, priority=True),
        Binding("up,shift+tab", "step(-1)", show=False, priority=True),
        Binding("ctrl+o", "overwrite", show=False, priority=True),
    ]

    def __init__(self, look: Look, name: str, folder: Path, *, tracked: bool) -> None:
        super().__init__(look, f"Save {one_line(name)}")
        self._copies = copies(name, tracked=tracked)
        self._document = name
        self._folder = folder

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(id="dialog"):
            yield self.title_bar("enter saves, esc leaves")
            yield ChoiceList(self.look, id="copies")
            yield Field("", id="path")
            yield Bar(self.look, id="options", shade="card")

    def on_mount(self, event: events.Mount) -> None:
        """Show the copies."""
        choices = self.query_one(ChoiceList)
        choices.styles.height = len(self._copies)
        choices.show([Choice(copy, copy, words) for copy, words in self._copies])
        self._propose()
        self.query_one("#path", Input).focus()

    def _path(self, typed: str) -> Path:
        """Return the path that is meant; a bare name is in the folder redraft was started in."""
        return self._folder / local_files.expanded(typed)

    def _copy(self) -> Copy:
        return self._copies[self.query_one(ChoiceList).cursor][0]

    def _propose(self) -> None:
        path = local_files.free_path(
            self._folder / local_files.copy_name(self._document, self._copy())
        )
        field = self.query_one("#path", Input)
        field.value = path.name
        field.action_end()

    def action_step(self, step: int) -> None:
        """Choose another copy."""
        view = self.query_one(ChoiceList)
        view.select((view.cursor + step) % len(self._copies))
        self._propose()

    @on(EntryView.Chosen)
    @on(EntryView.Moved)
    def _clicked(self, event: EntryView.Moved) -> None:
        event.stop()
        self._propose()

    @on(Input.Changed, "#path")
    def _typed(self, event: Input.Changed) -> None:
        self._say(event.value)

    def _say(self, typed: str) -> None:
        path = self._path(typed)
        rows: Line
        if path.is_dir():
            rows = (Run(" this is a folder", "warning"),)
        elif path.exists():
            rows = (
                Run(" this file is there already; ", "warning"),
                Run("ctrl+o", "key"),
                Run(" writes over it", "muted"),
            )
        elif not path.parent.is_dir():
            rows = (Run(f" there is no folder {path.parent}", "warning"),)
        else:
            rows = (Run(" enter", "key"), Run(" saves", "muted"))
        self.query_one("#options", Bar).show(rows)

    @on(Input.Submitted, "#path")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        path = self._path(event.value)
        if path.name and not path.exists() and path.parent.is_dir():
            self.dismiss(SaveOrder(self._copy(), path))

    def action_overwrite(self) -> None:
        """Save over the file that is there."""
        path = self._path(self.query_one("#path", Input).value)
        if path.is_file():
            self.dismiss(SaveOrder(self._copy(), path, over=True))
