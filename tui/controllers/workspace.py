"""What the controllers may use of the main screen."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.geometry import Size
from textual.screen import Screen
from textual.worker import Worker

from redraft.tui.controllers.pane_layout import PaneLayout
from redraft.tui.keys import Where
from redraft.tui.launch_options import LaunchOptions
from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar, TabLine
from redraft.tui.panes.change_lines import ChangeMode
from redraft.tui.panes.change_view import ChangeView
from redraft.tui.panes.doc_view import DocView
from redraft.tui.panes.document_list import DocumentList
from redraft.tui.panes.edit_prompt import EditPrompt
from redraft.tui.panes.history import HistoryView
from redraft.tui.session.session import Session
from redraft.tui.session.state import Job, OpenDocument
from redraft.tui.text.text_search import Query

_T = TypeVar("_T")


class Workspace(Protocol):
    """The main screen as its controllers see it: the panes, the session, and a way to speak."""

    options: LaunchOptions
    look: Look
    session: Session
    panes: PaneLayout
    mode: ChangeMode
    search_query: Query

    @property
    def open_id(self) -> str:
        """The id of the open document; empty: none."""
        ...

    @property
    def document(self) -> OpenDocument | None:
        """The open document."""
        ...

    @property
    def program(self) -> App[int]:
        """The running program."""
        ...

    @property
    def size(self) -> Size:
        """Width and height in cells."""
        ...

    @property
    def status(self) -> tuple[str, str]:
        """The sentence on the status line, and its role."""
        ...

    @property
    def tabs(self) -> TabLine:
        """The line of tabs."""
        ...

    @property
    def documents(self) -> DocumentList:
        """The list of documents."""
        ...

    @property
    def preview(self) -> DocView:
        """The preview."""
        ...

    @property
    def changes(self) -> ChangeView:
        """The tracked changes."""
        ...

    @property
    def history(self) -> HistoryView:
        """The operations so far."""
        ...

    @property
    def prompt(self) -> EditPrompt:
        """The prompt."""
        ...

    def bar(self, name: str) -> Bar:
        """Returns a bar by its id."""
        ...

    def where(self) -> Where:
        """Returns where the focus is, for keys and help."""
        ...

    def jobs_here(self) -> list[Job]:
        """Returns the edits under way on the open document."""
        ...

    def refusal(self) -> str:
        """Returns why the open document cannot be changed now, or nothing."""
        ...

    def say(self, text: str, role: str = "muted") -> None:
        """Puts a sentence on the status line."""
        ...

    def show(self) -> None:
        """Brings everything on the screen up to date."""
        ...

    def show_bars(self) -> None:
        """Brings the fixed lines up to date."""
        ...

    def open_document(self, document_id: str) -> None:
        """Shows another document."""
        ...

    def save_session(self) -> None:
        """Saves what is to be remembered until the next start."""
        ...

    def forget_card(self) -> bool:
        """Closes the message about the last edit; returns whether there was one."""
        ...

    def ask(self, dialog: Screen[_T], answered: Callable[[_T | None], None]) -> None:
        """Opens a dialog; `answered` gets what was chosen, None when it was left."""
        ...

    def tell(self, dialog: Screen[None]) -> None:
        """Opens a box that is only read."""
        ...

    def start(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False
    ) -> Worker[None]:
        """Runs something beside the screen; `exclusive` ends what the group ran before."""
        ...


def may_change(screen: Workspace) -> bool:
    """Whether the open document can be changed now; says why not."""
    refusal = screen.refusal()
    if refusal:
        screen.say(refusal, "warning")
    return not refusal
