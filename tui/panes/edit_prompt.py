"""The prompt: lines of text, enter sends, with a history; a pasted path becomes an upload."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import events
from textual.binding import Binding
from textual.strip import Strip
from textual.widgets import TextArea

from redraft.tui.error_boundary import ErrorBoundary
from redraft.tui.keys import ACTIONS, BY_ID
from redraft.tui.local_files import named_file
from redraft.tui.look import Look
from redraft.tui.messages import (
    CancelWanted,
    ModelWanted,
    PathPasted,
    PlaceWanted,
    PromptChanged,
    Sent,
)
from redraft.tui.panes.line_view import harmless
from redraft.tui.panes.suggestions import rest_of_number, rest_of_quote, suggestion

REMEMBERED = 200


class EditPrompt(ErrorBoundary, TextArea):
    """Where instructions are written."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding(action.keys, action.binding, action.label, show=False, id=action.id)
        for action in ACTIONS
        if action.where == "prompt" and action.id not in ("edit.send", "edit.newline")
    ]

    def __init__(self, keys: Mapping[str, str], look: Look) -> None:
        """Prepare.

        Args:
            keys: Keys that the person has set, by action id.
            look: The signs.
        """
        dots = self._ellipsis = look.glyphs.ellipsis
        super().__init__(
            id="prompt",
            compact=True,
            soft_wrap=True,
            highlight_cursor_line=False,
            placeholder=f'say what should change{dots} e.g. replace "Supplier" with "Vendor"',
        )
        self.cursor_blink = False  # half a kilobyte a second on a line that idles
        self.takes_paths = True  # a pasted one becomes an upload
        self.lookup = ""
        self.large = False
        self.quotable: Callable[[], str] = lambda: ""  # the text of the open document
        self.numbers: Callable[[], Sequence[str]] = lambda: ()  # of its clauses
        self.past: list[str] = []
        self._at = 0
        self._draft = ""
        self._send_keys = _keys_of("edit.send", keys)
        self._newline_keys = _keys_of("edit.newline", keys)

    async def on_key(self, event: events.Key) -> None:
        """Take the keys that a text area would use otherwise."""
        if event.key in self._send_keys:
            _take(event)
            self.action_send()
        elif event.key in self._newline_keys:
            _take(event)
            self.insert("\n")
        elif event.key == "up" and self._is_at_edge(0) and self.past:
            _take(event)
            self._recall(-1)
        elif event.key == "down" and self._is_at_edge(-1) and self._at < len(self.past):
            _take(event)
            self._recall(1)
        elif event.character == "@" and self._is_for_a_place() and not self.read_only:
            _take(event)
            self.post_message(PlaceWanted())
        else:
            await self._edit_at_once(event)

    async def _edit_at_once(self, event: events.Key) -> None:
        """Move or delete before the next key is taken.

        Textual looks for what a key is bound to after the event has gone up to the program, and by
        then letters that came in the same breath would have been written.
        """
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if binding.action.startswith(("cursor_", "delete_")):
                _take(event)
                await self.run_action(binding.action)
                return

    def update_suggestion(self) -> None:
        """Offer the rest of a sentence that the service understands; `right` takes a word of it."""
        row, column = self.cursor_location
        is_at_end = row == 0 and self.document.line_count == 1 and column == len(self.text)
        offered = ""
        if is_at_end and not self.read_only:
            offered = (
                suggestion(self.text)
                or rest_of_quote(self.text, self.quotable())
                or rest_of_number(self.text, self.numbers())
            )
        self.suggestion = offered.replace("…", self._ellipsis)

    def action_cursor_right(self, select: bool = False) -> None:
        """Go right; at the end of the text take the suggestion up to the next quote."""
        if self.suggestion and not select:
            head, quote, _ = self.suggestion.partition('"')
            self.insert(head + quote)
        else:
            super().action_cursor_right(select)

    def on_paste(self, event: events.Paste) -> None:
        """Let a path become an upload."""
        path = named_file(event.text) if self.takes_paths else None
        if path is not None:
            event.stop()
            event.prevent_default()
            self.post_message(PathPasted(path))

    def render_line(self, y: int) -> Strip:
        """Draw a line, whatever was pasted."""
        return harmless(super().render_line(y), self.size.width)

    def action_send(self) -> None:
        """Send the instruction."""
        text = self.text.strip()
        if text and not self.read_only:
            self.post_message(Sent(text))

    def action_cut(self) -> None:
        """Cut what is selected; with nothing selected the key cancels, as in the panes."""
        if self.selected_text:
            super().action_cut()
        else:
            self.post_message(CancelWanted())

    def action_switch_model(self) -> None:
        """Ask for the other model."""
        self.post_message(ModelWanted())

    def action_clear_lookup(self) -> None:
        """Point at no section."""
        self.point_at("")

    def point_at(self, heading: str) -> None:
        """Point the instruction at a section."""
        self.lookup = heading
        self.post_message(PromptChanged())

    def remember(self, text: str) -> None:
        """Put a sent instruction into the history and begin a new one."""
        if not self.past or self.past[-1] != text:
            self.past = [*self.past, text][-REMEMBERED:]
        self._at = len(self.past)
        self._draft = ""
        self.load_text("")

    def restore(self, text: str) -> None:
        """Put back what was being written."""
        self.load_text(text)
        self.move_cursor(self.document.end)
        self._at = len(self.past)

    def offer(self, text: str) -> None:
        """Put a sent instruction back, selected.

        Enter sends it again, arrows go into it to change it, and typing writes another one.
        """
        self.restore(text)
        self.select_all()

    def _recall(self, step: int) -> None:
        if self._at == len(self.past):
            self._draft = self.text
        self._at = max(0, min(len(self.past), self._at + step))
        self.load_text(self._draft if self._at == len(self.past) else self.past[self._at])
        self.move_cursor(self.document.end if step < 0 else (0, 0))

    def _is_at_edge(self, line: int) -> bool:
        row = self.cursor_location[0]
        return row == (0 if line == 0 else self.document.line_count - 1)

    def _is_for_a_place(self) -> bool:
        """Whether `@` asks for a section: where a word begins, or beside what was put back."""
        if self.selected_text and self.selected_text == self.text:
            return True
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        return not before or before[-1].isspace()


def _keys_of(action: str, keys: Mapping[str, str]) -> frozenset[str]:
    return frozenset(keys.get(action, BY_ID[action].keys).split(","))


def _take(event: events.Key) -> None:
    event.stop()
    event.prevent_default()
