"""The base of every pane: a scrolling view of lines, drawn one at a time.

A widget per paragraph or change does not scale (a 200-page document takes 40 s to mount); here only
what is on the screen is drawn. It is also the one place where text reaches the terminal, and it
only takes runs.
"""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from redraft.tui.error_boundary import ErrorBoundary
from redraft.tui.keys import ACTIONS
from redraft.tui.look import Look
from redraft.tui.text.runs import (
    BOLD,
    DIM,
    ITALIC,
    REVERSE,
    STRIKE,
    UNDERLINE,
    UNSAFE,
    Line,
    Run,
    plain,
    text_of,
)

EMPTY: Line = ()


def style_of(run: Run, base: Style, look: Look) -> Style:
    """Return the terminal style of a run on a background."""
    style = base + look.palette.get(run.role, Style.null())
    flags = run.flags
    if not flags:
        return style
    return style + Style(
        bold=bool(flags & BOLD) or None,
        italic=bool(flags & ITALIC) or None,
        underline=bool(flags & UNDERLINE) or None,
        strike=bool(flags & STRIKE) or None,
        reverse=bool(flags & REVERSE) or None,
        dim=bool(flags & DIM) or None,
    )


class LineView(ErrorBoundary, ScrollView, can_focus=True):
    """Lines that scroll; subclasses say how many there are and what each one is."""

    ALLOW_SELECT = True
    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding(action.keys, action.binding, action.label, show=False, id=action.id)
        for action in ACTIONS
        if action.where == "lists" and action.id != "choose"
    ]

    def __init__(self, look: Look, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.look = look
        self._strips: dict[int, Strip] = {}
        self._styles: dict[tuple[str, int, str], Style] = {}
        self._base = Style.null()
        self._drawn_width = 0
        self.was_moved = False  # by the person, since somebody set it to False

    # What subclasses give

    def line_count(self) -> int:
        """Return the number of lines at the present width."""
        return 0

    def line(self, number: int) -> Line:
        """Return one line, 0-based."""
        return EMPTY

    def lay_out(self, cells: int) -> None:
        """Prepare the lines for a width; called when the width or the look changes."""

    def backdrop(self, number: int) -> str:
        """Return the role of a line's background; empty for the pane's own."""
        return ""

    # What this class does with it

    def set_look(self, look: Look) -> None:
        """Draw with other signs and colours."""
        self.look = look
        self._styles.clear()
        self.relayout()

    def relayout(self) -> None:
        """Lay out again and repaint."""
        self._drawn_width = self.content_width
        if self._drawn_width:
            self.lay_out(self._drawn_width)
        self.repaint()

    def repaint(self) -> None:
        """Draw what is on the screen again; the lines may have changed, the layout has not."""
        self._strips.clear()
        size = Size(self.content_width, self.line_count())
        if size != self.virtual_size:
            self.virtual_size = size
        self.refresh()

    @property
    def content_width(self) -> int:
        """The room for a line, in cells; a column is kept for the scroll bar to come and go."""
        return max(0, self.size.width - self.styles.scrollbar_size_vertical)

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width."""
        if self.content_width != self._drawn_width:
            self.relayout()

    def notify_style_update(self) -> None:
        """The background may have changed."""
        super().notify_style_update()
        self._strips.clear()
        self._styles.clear()

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        base = self.rich_style
        if base != self._base:
            self._base = base
            self._styles.clear()
            self._strips.clear()
        number = y + self.scroll_offset.y
        strip = self._strips.get(number)
        if strip is None:
            strip = self._strip(number)
            self._strips[number] = strip
        return strip

    def _strip(self, number: int) -> Strip:
        cells = self.size.width
        if number >= self.line_count():
            return Strip.blank(cells, self._base)
        backdrop = self.backdrop(number)
        segments = [
            Segment(run.text, self._style(run, backdrop)) for run in self.line(number) if run.text
        ]
        strip = Strip(segments).crop_extend(0, cells, self._style(Run(""), backdrop))
        selection = self.text_selection
        span = None if selection is None else selection.get_span(number)
        if span is not None:
            start, end = span
            strip = _selected(strip, start, cells if end < 0 else end)
        return strip.apply_offsets(0, number)

    def _style(self, run: Run, backdrop: str) -> Style:
        key = (run.role, run.flags, backdrop)
        style = self._styles.get(key)
        if style is None:
            base = self._base + self.look.palette[backdrop] if backdrop else self._base
            style = style_of(run, base, self.look)
            self._styles[key] = style
        return style

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what the mouse has selected."""
        self._strips.clear()
        self.refresh()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text."""
        shown = "\n".join(text_of(self.line(number)) for number in range(self.line_count()))
        return selection.extract(shown), "\n"

    # Moving

    def move(self, lines: int) -> None:
        """Go down (or up) by lines."""
        self.go_to_line(self.scroll_offset.y + lines)

    def page(self, pages: float) -> None:
        """Go down (or up) by a part of the screen's height."""
        self.move(int(pages * max(1, self.size.height - 1)))

    def to_edge(self, *, end: bool) -> None:
        """Go to the first or the last line."""
        self.go_to_line(self.line_count() if end else 0)

    def go_to_line(self, number: int) -> None:
        """Put a line at the top of the screen, as far as the end allows."""
        self.scroll_to(y=number, animate=False, immediate=True, force=True)

    def action_down(self) -> None:
        """Go down."""
        self.was_moved = True
        self.move(1)

    def action_up(self) -> None:
        """Go up."""
        self.was_moved = True
        self.move(-1)

    def action_pages(self, pages: float) -> None:
        """Go by pages."""
        self.was_moved = True
        self.page(pages)

    def action_edge(self, end: bool) -> None:
        """Go to the beginning or the end."""
        self.was_moved = True
        self.to_edge(end=end)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Remember that the person went elsewhere."""
        self.was_moved = True

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Remember that the person went elsewhere."""
        self.was_moved = True


def harmless(strip: Strip, cells: int) -> Strip:
    """Make a line that a widget of Textual's drew safe for the terminal."""
    if not any(UNSAFE.search(segment.text) for segment in strip):
        return strip
    shown = [Segment(plain(segment.text), segment.style) for segment in strip]
    return Strip(shown).adjust_cell_length(cells)


def _selected(strip: Strip, start: int, end: int) -> Strip:
    """Turn a range of cells to reverse video."""
    middle = [
        Segment(segment.text, (segment.style or Style.null()) + Style(reverse=True))
        for segment in strip.crop(start, end)
    ]
    return Strip.join([strip.crop(0, start), Strip(middle), strip.crop(end)])
