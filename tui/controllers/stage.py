"""The stage: the panes of the main screen, and how what the desk knows gets into them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget

from redraft.tui.error_boundary import Guarded
from redraft.tui.keys import Where
from redraft.tui.launch_options import Situation
from redraft.tui.look import Look
from redraft.tui.panes import notices
from redraft.tui.panes.bar import Bar, TabLine
from redraft.tui.panes.change_lines import ChangeMode
from redraft.tui.panes.change_view import ChangeView
from redraft.tui.panes.doc_view import DocView
from redraft.tui.panes.document_list import DocumentList
from redraft.tui.panes.edit_prompt import EditPrompt
from redraft.tui.panes.history import HistoryView
from redraft.tui.session.session import Desk
from redraft.tui.session.state import Job, Sheet
from redraft.tui.text.runs import Run, width
from redraft.tui.text.text_search import Query

PANES = ("documents", "preview", "changes", "history")
WIDE = 100
SMALLEST = (60, 15)
MOST_PENDING = 3  # pieces of output


class Stage(Guarded, Screen[None]):
    """Panes and bars; subclasses act."""

    def __init__(self, situation: Situation, look: Look) -> None:
        super().__init__()
        self.situation = situation
        self.look = look
        self.desk = Desk(situation.seams, self.desk_changed)
        self.open_id = ""
        self.drafts: dict[str, str] = {}
        self.pane = "preview"
        self.mode: ChangeMode = "inline"
        self.wanted = Query()
        self.status: tuple[str, str] = ("", "muted")
        self.list_width = 0
        self.is_list_hidden = False
        self.is_zoomed = False
        self.tick = 0
        self._in_use: Widget | None = None
        self.is_dirty = False
        self.pending: Callable[[], int] = lambda: 0
        self.last_right = "preview"

    # Making

    def compose(self) -> ComposeResult:
        """Make the panes."""
        look, zone = self.look, self.situation.seams.clock.zone
        yield Bar(look, id="title")
        yield TabLine(look)
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield DocumentList(look)
                yield Bar(look, id="details", shade="")
            with Vertical(id="right"):
                yield DocView(look)
                yield ChangeView(look, zone)
                yield HistoryView(look, zone)
                yield Bar(look, id="note", shade="")
        yield Bar(look, id="card", shade="alert")
        yield Bar(look, id="prompt-title")
        with Horizontal(id="prompt-row"):
            sign = Bar(look, id="prompt-sign", shade="")
            sign.rows = ((Run(f" {look.glyphs.prompt}", "accent"),),)
            yield sign
            yield EditPrompt(self.situation.keys, look)
        yield Bar(look, id="keys", shade="")
        yield Bar(look, id="status")
        yield Bar(look, id="too-small", shade="")

    @property
    def program(self) -> App[int]:
        """The running program; Textual leaves the type of its result open."""
        return cast("App[int]", self.app)  # pyright: ignore[reportUnknownMemberType]

    @property
    def documents(self) -> DocumentList:
        """The list of documents."""
        return self.query_one(DocumentList)

    @property
    def preview(self) -> DocView:
        """The preview."""
        return self.query_one(DocView)

    @property
    def changes(self) -> ChangeView:
        """The tracked changes."""
        return self.query_one(ChangeView)

    @property
    def history(self) -> HistoryView:
        """The edits so far."""
        return self.query_one(HistoryView)

    @property
    def prompt(self) -> EditPrompt:
        """The prompt."""
        return self.query_one(EditPrompt)

    def bar(self, name: str) -> Bar:
        """Return a bar by its id."""
        return self.query_one(f"#{name}", Bar)

    # What is known

    @property
    def sheet(self) -> Sheet | None:
        """The open document."""
        return self.desk.sheets.get(self.open_id)

    def jobs_here(self) -> list[Job]:
        """Return the edits under way on the open document."""
        return [job for job in self.desk.jobs if job.document == self.open_id]

    @property
    def is_wide(self) -> bool:
        """Whether list and document stand beside each other."""
        return self.size.width >= WIDE

    def where(self) -> Where:
        """Return where the focus is, for keys and help."""
        focused = self.focused
        if isinstance(focused, EditPrompt):
            return "prompt"
        name = focused.id if focused is not None else None
        places: dict[str, Where] = {
            "documents": "documents",
            "preview": "preview",
            "changes": "changes",
        }
        return places.get(name or "", "panes")

    def say(self, text: str, role: str = "muted") -> None:
        """Put a sentence on the status line."""
        self.status = (text, role)
        self.show_bars()

    def _on_timer_update(self) -> None:
        """Leave a frame out while the terminal has not taken the last ones; the next shows all.

        Without it a slow line plays every stale frame, and keys seem to do nothing for seconds.
        """
        if self.pending() > MOST_PENDING:
            self._update_timer.resume()
        else:
            super()._on_timer_update()

    # What subclasses give

    def desk_changed(self) -> None:
        """Show what the desk knows, soon and once."""
        if not self.is_dirty:
            self.is_dirty = True
            self.call_later(self.show)

    def show(self) -> None:
        """Bring everything on the screen up to date."""

    def show_bars(self) -> None:
        """Bring the fixed lines up to date."""

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes for the new size."""
        self.arrange_panes()

    def arrange_panes(self) -> None:
        """Show the panes that fit."""
        cells, height = self.size
        is_tiny = cells < SMALLEST[0] or height < SMALLEST[1]
        was_tiny = self.has_class("-tiny")
        if is_tiny and not was_tiny:
            self._in_use = self.focused  # what is not shown loses the keys
        self.set_class(is_tiny, "-tiny")
        if was_tiny and not is_tiny:
            self.call_after_refresh(self.set_focus, self._in_use)
        self.set_class(self.is_wide, "-wide")
        self.set_class(height < 20, "-low")
        if is_tiny:
            message = notices.too_small(cells, height)
            gap = " " * max(0, (cells - width(message)) // 2)
            self.bar("too-small").show(
                *(() for _ in range(max(0, height // 2 - 1))), (Run(gap), *message)
            )
        left = self.query_one("#left")
        left.display = self.shows_list()
        left.styles.width = self.left_width() if self.is_wide else "100%"
        right = self.query_one("#right")
        right.display = self.is_wide or self.pane != "documents"
        for pane in PANES[1:]:
            self.query_one(f"#{pane}").display = pane == self.right_pane()
        self.show_bars()

    def right_pane(self) -> str:
        """Return the pane that stands at the right, or would."""
        return self.last_right if self.pane == "documents" else self.pane

    def show_pane(self, pane: str, *, focus: bool = True) -> None:
        """Bring a pane to the front."""
        self.pane = pane
        if pane == "documents":
            self.is_list_hidden = self.is_zoomed = False
        else:
            self.last_right = pane
        self.arrange_panes()
        if focus:
            self.query_one(f"#{pane}").focus()

    def panes_in_order(self) -> Sequence[str]:
        """Return what `tab` goes through."""
        right = self.right_pane()
        if self.is_wide:
            return (*(("documents",) if self.shows_list() else ()), right, "prompt")
        return ("documents", "preview", "changes", "history", "prompt")

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
        """Return the width of the list in cells."""
        return self.list_width or max(34, min(46, self.size.width // 3))
