"""Which panes are on the screen, how wide they are, and which one has the focus."""

from __future__ import annotations

from collections.abc import Sequence

from textual.screen import Screen
from textual.widget import Widget

from redraft.tui.panes import notices
from redraft.tui.panes.bar import Bar
from redraft.tui.text.runs import Run, width

PANES = ("documents", "preview", "changes", "history")
WIDE = 100  # cells from which on the list stands beside the document
LOW = 20  # lines
SMALLEST = (60, 15)


class PaneLayout:
    """Arranges the panes of a screen for its size and for what the person wants to see."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._focus_to_restore: Widget | None = None
        self.pane = "preview"
        self.last_right = "preview"
        self.list_width = 0  # cells; 0: a third of the screen
        self.is_list_hidden = False
        self.is_zoomed = False

    @property
    def is_wide(self) -> bool:
        """Whether list and document stand beside each other."""
        return self._screen.size.width >= WIDE

    def arrange(self) -> None:
        """Shows the panes that fit."""
        screen = self._screen
        cells, height = screen.size
        self._note_tiny(is_tiny=cells < SMALLEST[0] or height < SMALLEST[1])
        screen.set_class(self.is_wide, "-wide")
        screen.set_class(height < LOW, "-low")
        left = screen.query_one("#left")
        left.display = self.shows_list()
        left.styles.width = self.left_width() if self.is_wide else "100%"
        right = screen.query_one("#right")
        right.display = self.is_wide or self.pane != "documents"
        for pane in PANES[1:]:
            screen.query_one(f"#{pane}").display = pane == self.right_pane()

    def _note_tiny(self, *, is_tiny: bool) -> None:
        """Shows a sentence instead of the panes on a terminal that is too small for them."""
        screen = self._screen
        cells, height = screen.size
        was_tiny = screen.has_class("-tiny")
        if is_tiny and not was_tiny:
            self._focus_to_restore = screen.focused  # what is not shown loses the focus
        screen.set_class(is_tiny, "-tiny")
        if was_tiny and not is_tiny:
            screen.call_after_refresh(screen.set_focus, self._focus_to_restore)
        if is_tiny:
            message = notices.too_small(cells, height)
            gap = " " * max(0, (cells - width(message)) // 2)
            blank_lines = (() for _ in range(max(0, height // 2 - 1)))
            screen.query_one("#too-small", Bar).show(*blank_lines, (Run(gap), *message))

    def right_pane(self) -> str:
        """Returns the pane that stands at the right, or would."""
        return self.last_right if self.pane == "documents" else self.pane

    def show_pane(self, pane: str, *, focus: bool = True) -> None:
        """Brings a pane to the front."""
        self.pane = pane
        if pane == "documents":
            self.is_list_hidden = self.is_zoomed = False
        else:
            self.last_right = pane
        self.arrange()
        if focus:
            self._screen.query_one(f"#{pane}").focus()

    def next_pane(self, step: int) -> str:
        """Returns the pane, or `prompt`, that comes so many steps after the focus."""
        order = self._in_order()
        name = self.focused_id()
        at = order.index(name) if name in order else 0
        return order[(at + step) % len(order)]

    def _in_order(self) -> Sequence[str]:
        if self.is_wide:
            return (*(("documents",) if self.shows_list() else ()), self.right_pane(), "prompt")
        return (*PANES, "prompt")

    def focused_id(self) -> str:
        """Returns the id of the widget that takes the keys, or nothing."""
        focused = self._screen.focused
        return focused.id or "" if focused is not None else ""

    def note_focus(self) -> None:
        """Notes which pane has the focus now."""
        if self.focused_id() in PANES:
            self.pane = self.focused_id()

    def shows_list(self) -> bool:
        """Whether the documents are on the screen."""
        if self.is_wide:
            return not self.is_list_hidden and not self.is_zoomed
        return self.pane == "documents"

    def shows(self, pane: str) -> bool:
        """Whether a pane is on the screen."""
        if pane == "documents":
            return self.shows_list()
        return pane == self.right_pane() and (self.is_wide or self.pane != "documents")

    def left_width(self) -> int:
        """Returns the width of the list in cells."""
        return self.list_width or max(34, min(46, self._screen.size.width // 3))

    def column_width(self, side: str) -> int:
        """Returns the width in cells of the `left` or the `right` column as it is drawn."""
        return self._screen.query_one(f"#{side}").size.width

    def zoom(self) -> None:
        """Gives the document the whole width, or gives it back."""
        self.is_zoomed = not self.is_zoomed
        self.arrange()
        self._leave_hidden_list(is_hidden=self.is_zoomed)

    def toggle_list(self) -> None:
        """Hides the documents, or shows them."""
        self.is_list_hidden = not self.is_list_hidden
        self.is_zoomed = False
        self._leave_hidden_list(is_hidden=self.is_list_hidden)
        self.arrange()

    def _leave_hidden_list(self, *, is_hidden: bool) -> None:
        if is_hidden and self.focused_id() == "documents":
            self.show_pane(self.last_right)

    def widen(self, cells: int) -> None:
        """Makes the list wider, or narrower."""
        widest = self._screen.size.width - 50
        self.list_width = max(26, min(widest, self.left_width() + cells))
        self.arrange()
