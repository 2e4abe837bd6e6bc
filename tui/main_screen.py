"""The main screen: holds the panes, and hands what a person does to the controllers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar, cast

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.worker import Worker

from redraft.tui.controllers.clause_review import ClauseReview
from redraft.tui.controllers.commenting import Commenting
from redraft.tui.controllers.document_life import DocumentLife
from redraft.tui.controllers.drafts import Drafts
from redraft.tui.controllers.editing import Editing
from redraft.tui.controllers.external_programs import ExternalPrograms
from redraft.tui.controllers.leaving import Leaving
from redraft.tui.controllers.model_setup import ModelSetup
from redraft.tui.controllers.pane_layout import PANES, PaneLayout
from redraft.tui.controllers.presenter import Presenter
from redraft.tui.controllers.reading import Reading
from redraft.tui.controllers.reviewing import Reviewing
from redraft.tui.controllers.safekeeping import Safekeeping
from redraft.tui.controllers.searching import Searching
from redraft.tui.controllers.service_connection import ServiceConnection
from redraft.tui.controllers.transfers import Transfers
from redraft.tui.error_boundary import ErrorBoundary
from redraft.tui.keys import ACTIONS, Action, Where, shown_keys
from redraft.tui.launch_options import LaunchOptions
from redraft.tui.local_files import named_file
from redraft.tui.look import Look
from redraft.tui.messages import (
    CancelWanted,
    ModelWanted,
    PathPasted,
    PlaceWanted,
    PromptChanged,
    Said,
    Sent,
    TabChosen,
)
from redraft.tui.panes import notices
from redraft.tui.panes.bar import Bar, TabLine
from redraft.tui.panes.change_lines import ChangeMode
from redraft.tui.panes.change_view import ChangeView
from redraft.tui.panes.doc_view import DocView
from redraft.tui.panes.document_list import DocumentList
from redraft.tui.panes.edit_prompt import EditPrompt
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.panes.history import HistoryView
from redraft.tui.panes.line_view import LineView
from redraft.tui.screens.dialog import Choice, ChoiceScreen
from redraft.tui.screens.help_screen import HelpScreen
from redraft.tui.session.session import Session
from redraft.tui.session.session_file import SavedSession
from redraft.tui.session.state import Job, OpenDocument, redoable, undoable
from redraft.tui.text.runs import Run
from redraft.tui.text.text_search import Query

MOST_PENDING = 3  # pieces of output

_T = TypeVar("_T")


class MainScreen(ErrorBoundary, Screen[None]):
    """The screen that people work on."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding(action.keys, action.binding, action.label, show=False, id=action.id)
        for action in ACTIONS
        if action.where not in ("prompt", "lists")
    ]

    def __init__(self, options: LaunchOptions, look: Look) -> None:
        super().__init__()
        self.options = options
        self.look = look
        self.session = Session(options.dependencies, self._session_changed)
        self.mode: ChangeMode = "inline"
        self.search_query = Query()
        self.status: tuple[str, str] = ("", "muted")
        self.is_dirty = False
        self.pending_output: Callable[[], int] = lambda: 0
        self._open_id = ""
        self.panes = PaneLayout(self)
        self.safekeeping = Safekeeping(self)
        self.drafts = Drafts(self, self.safekeeping)
        self.editing = Editing(self, self.drafts)
        self.commenting = Commenting(self, self.editing.begin)
        self.presenter = Presenter(self, self.editing.text_shown)
        self.searching = Searching(self)
        self.reading = Reading(self, self.searching)
        self.reviewing = Reviewing(self)
        self.clause_review = ClauseReview(self, self.reading, self.editing.begin)
        self.transfers = Transfers(self, self.drafts, self.safekeeping)
        self.connection = ServiceConnection(self, self.transfers)
        self.document_life = DocumentLife(self, self.drafts, self.transfers)
        self.programs = ExternalPrograms(self)
        self.model_setup = ModelSetup(self)
        self.leaving = Leaving(self, self.drafts, self.safekeeping)
        self._commands = self._commands_by_id()

    def _commands_by_id(self) -> dict[str, Callable[[], None]]:
        """Returns what each action of the main screen calls, by the action's id."""
        panes, reading = self.panes, self.reading
        return {
            "edit.recall": self.drafts.recall,
            "edit.external": self.programs.edit_instruction,
            "edit.leave": self._leave_prompt,
            "edit.cancel": self._cancel,
            "edit.retry": self._retry,
            "edit.decide": self.editing.decisions.decide,
            "prompt.focus": self._focus_prompt,
            **{f"pane.{pane}": partial(self._show_pane, pane) for pane in PANES},
            "pane.next": lambda: self._go_to_pane(panes.next_pane(1)),
            "pane.previous": lambda: self._go_to_pane(panes.next_pane(-1)),
            "pane.zoom": lambda: self._rearrange(panes.zoom),
            "list.toggle": lambda: self._rearrange(panes.toggle_list),
            "list.wider": lambda: self._rearrange(lambda: panes.widen(2)),
            "list.narrower": lambda: self._rearrange(lambda: panes.widen(-2)),
            "doc.upload": self.transfers.upload,
            "doc.save": self.transfers.save,
            "doc.link": self.transfers.link,
            "doc.undo": self.editing.undo,
            "doc.redo": self.editing.redo,
            "doc.delete": self.document_life.delete,
            "doc.ttl": lambda: self.document_life.explain_time_left(),
            "search": self.searching.ask,
            "change.next": lambda: reading.next_change(1),
            "change.previous": lambda: reading.next_change(-1),
            "change.view": reading.switch_view,
            **self._change_commands(),
            "outline": reading.outline,
            "comments": self.commenting.show,
            "lookup.here": reading.point_at,
            "copy": lambda: reading.copy(self.get_selected_text()),
            "pager": self.programs.page_preview,
            "palette": self._palette,
            "help": self._help,
            **self._connection_commands(),
            "model.setup": self.model_setup.begin,
            "back": self._back,
            "quit": self.leaving.quit,
        }

    def _change_commands(self) -> dict[str, Callable[[], None]]:
        reviewing = self.reviewing
        return {
            "change.filter": reviewing.filter_changes,
            "change.review": self.clause_review.begin,
            "copy.markdown": self.reading.copy_markdown,
            "change.fold": lambda: self.changes.fold(),
            "change.fold_all": lambda: self.changes.fold_all(),
            "change.accept": reviewing.accept,
            "change.reject": self._reject,
            "change.accept_all": reviewing.accept_all,
            "change.reject_all": reviewing.reject_all,
            "change.accept_edit": reviewing.accept_edit,
            "change.reject_edit": reviewing.reject_edit,
        }

    def _connection_commands(self) -> dict[str, Callable[[], None]]:
        return {
            "connection.retry": self.connection.reconnect,
            "connection.change": self.connection.change_service,
            "connection.local": self.connection.local_service,
        }

    # Making

    def compose(self) -> ComposeResult:
        """Makes the panes."""
        look, zone = self.look, self.options.dependencies.clock.zone
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
            yield EditPrompt(self.options.keys, look)
        yield Bar(look, id="keys", shade="")
        yield Bar(look, id="status")
        yield Bar(look, id="too-small", shade="")

    def on_mount(self, event: events.Mount) -> None:
        """Begins: restores the session, connects, counts seconds."""
        saved = self.options.store.load() if self.options.store else SavedSession()
        self._open_id = saved.document
        self.drafts.restore(saved)
        self._rearrange(self.panes.arrange)
        self.call_later(self.show)  # the panes have their sizes by then
        self.prompt.takes_paths = self.options.reach != "service"
        self.prompt.quotable = self.preview.whole_text
        self.prompt.numbers = self.preview.numbers
        self.prompt.focus()
        self.connection.connect()
        if self.options.ticks:
            self.set_interval(1.0, self.on_tick)

    async def on_unmount(self) -> None:
        """Lets go of the service."""
        await self.session.updates.close()

    # The panes

    @property
    def program(self) -> App[int]:
        """The running program; Textual leaves the type of its result open."""
        return cast("App[int]", self.app)  # pyright: ignore[reportUnknownMemberType]

    @property
    def tabs(self) -> TabLine:
        """The line of tabs."""
        return self.query_one(TabLine)

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
        """The operations so far."""
        return self.query_one(HistoryView)

    @property
    def prompt(self) -> EditPrompt:
        """The prompt."""
        return self.query_one(EditPrompt)

    def bar(self, name: str) -> Bar:
        """Returns a bar by its id."""
        return self.query_one(f"#{name}", Bar)

    # What is known

    @property
    def open_id(self) -> str:
        """The id of the open document; empty: none."""
        return self._open_id

    @property
    def document(self) -> OpenDocument | None:
        """The open document."""
        return self.session.store.documents.get(self._open_id)

    def jobs_here(self) -> list[Job]:
        """Returns the edits under way on the open document."""
        return [job for job in self.session.store.jobs if job.document_id == self._open_id]

    def refusal(self) -> str:
        """Returns why the open document cannot be changed now, or nothing."""
        document = self.document
        if document is None:
            return "open a document first"
        if document.is_expired:
            return notices.expired(document, self.session.store.clock.zone)
        if not self.session.store.is_online:
            return "offline: the text stays here"
        return ""

    def where(self) -> Where:
        """Returns where the focus is, for keys and help."""
        places: dict[str, Where] = {
            "documents": "documents",
            "preview": "preview",
            "changes": "changes",
            "prompt": "prompt",
        }
        return places.get(self.panes.focused_id(), "panes")

    # What controllers ask for

    def say(self, text: str, role: str = "muted") -> None:
        """Puts a sentence on the status line."""
        self.status = (text, role)
        self.show_bars()
        self.clause_review.refresh()

    def show(self) -> None:
        """Brings everything on the screen up to date, and follows what is open."""
        self.is_dirty = False
        if not self.is_mounted:
            return
        self.presenter.show()
        self.searching.refresh()
        self.connection.note_link()  # the answer may have come before the screen was there
        self.connection.follow()
        self.safekeeping.refresh()
        self.clause_review.refresh()

    def show_bars(self) -> None:
        """Brings the fixed lines up to date."""
        if self.is_mounted:
            self.presenter.show_bars()

    def open_document(self, document_id: str) -> None:
        """Shows another document, with the instruction that was being written for it."""
        if document_id != self._open_id:
            self.drafts.switch(self._open_id, document_id)
        self._open_id = document_id
        self._session_changed()

    def forget_card(self) -> bool:
        """Closes the message about the last edit; returns whether there was one."""
        if not self.presenter.has_card():
            return False
        self.session.store.dismiss(self._open_id)
        self.show()
        return True

    def ask(self, dialog: Screen[_T], answered: Callable[[_T | None], None]) -> None:
        """Opens a dialog; `answered` gets what was chosen, None when it was left."""
        self.program.push_screen(dialog, answered)

    def tell(self, dialog: Screen[None]) -> None:
        """Opens a box that is only read."""
        self.program.push_screen(dialog)

    def start(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False
    ) -> Worker[None]:
        """Runs something beside the screen; `exclusive` ends what the group ran before."""
        return self.run_worker(work, group=group, exclusive=exclusive)

    def set_look(self, look: Look) -> None:
        """Draws with other signs and colours."""
        self.look = look
        for view in self.query(LineView):
            view.set_look(look)
        self.show()

    def save_session(self) -> None:
        """Saves what is to be remembered until the next start."""
        self.drafts.save()

    def _session_changed(self) -> None:
        """Shows what the session knows, soon and once; the state of the connection comes first."""
        if self.is_mounted:
            self.connection.note_link()
        if not self.is_dirty:
            self.is_dirty = True
            self.call_later(self.show)

    def on_tick(self) -> None:
        """Counts down once a second, asks the service when it is time, saves what is written."""
        self.drafts.save_what_is_written()
        self.presenter.tick()
        self.connection.tick()
        self.show()

    # What panes tell

    def on_sent(self, message: Sent) -> None:
        """An instruction was sent; a path alone is a file to upload."""
        path = named_file(message.text) if self.prompt.takes_paths else None
        if path is None:
            self.editing.send(message.text)
        else:
            self.prompt.load_text("")
            self.transfers.upload_named(path)

    def on_model_wanted(self, message: ModelWanted) -> None:
        """The other model is wanted; where there is none, one can be set up."""
        if self.session.store.models == () and not self.model_setup.refusal():
            self.model_setup.begin()
        else:
            self.editing.switch_model()

    def on_cancel_wanted(self, message: CancelWanted) -> None:
        """Cancel was asked for in the prompt."""
        self._cancel()

    def on_place_wanted(self, message: PlaceWanted) -> None:
        """`@` was typed in the prompt."""
        self.reading.point_at()

    def on_prompt_changed(self, message: PromptChanged) -> None:
        """The prompt points elsewhere, or another model is chosen."""
        self.show_bars()

    def on_path_pasted(self, message: PathPasted) -> None:
        """A path was pasted into the prompt."""
        self.transfers.upload_named(message.path)

    def on_paste(self, event: events.Paste) -> None:
        """Something was pasted; where nothing is written, a path becomes an upload."""
        if self.focused is not self.prompt:
            self.transfers.pasted(event.text)

    def on_said(self, message: Said) -> None:
        """A pane has something to say."""
        self.say(message.text, message.role)

    def on_tab_chosen(self, message: TabChosen) -> None:
        """A tab was clicked."""
        self._show_pane(message.pane)

    def on_entry_view_moved(self, message: EntryView.Moved) -> None:
        """The cursor of a list moved."""
        self.reading.cursor_moved(message.view)

    def on_entry_view_chosen(self, message: EntryView.Chosen) -> None:
        """An entry of a list was chosen."""
        self.reading.chosen(message.view)

    def on_descendant_focus(self) -> None:
        """Other keys work now."""
        self.panes.note_focus()
        if self.is_mounted:
            self.presenter.show_notice()
        self.show_bars()

    def on_resize(self, event: events.Resize) -> None:
        """Arranges the panes for the new size."""
        self._rearrange(self.panes.arrange)

    def _on_timer_update(self) -> None:
        """Leaves a frame out while the terminal has not taken the last ones; the next shows all.

        Without it a slow line plays every stale frame, and keys seem to do nothing for seconds.
        """
        if self.pending_output() > MOST_PENDING:
            self._update_timer.resume()
        else:
            super()._on_timer_update()

    # Actions

    def action_perform(self, action_id: str) -> None:
        """Does what an action of the main screen stands for."""
        self._commands[action_id]()

    def performed_actions(self) -> frozenset[str]:
        """Returns the ids of the actions that `action_perform` knows."""
        return frozenset(self._commands)

    def _rearrange(self, change: Callable[[], None]) -> None:
        change()
        self.show_bars()

    def _show_pane(self, pane: str) -> None:
        self.panes.show_pane(pane)
        self.show_bars()

    def _go_to_pane(self, pane: str) -> None:
        if pane == "prompt":
            self.prompt.focus()
        else:
            self.panes.show_pane(pane)
        self.show_bars()

    def _focus_prompt(self) -> None:
        self.prompt.focus()

    def _leave_prompt(self) -> None:
        self.forget_card()
        self._show_pane(self.panes.pane)

    def _back(self) -> None:
        """Leaves the search, else the message, else the zoom, else says how to go on."""
        if self.search_query.text:
            self.searching.search(Query())
        elif self.forget_card():
            pass
        elif self.panes.is_zoomed:
            self.panes.zoom()
        else:
            self.say("i goes to the prompt, ? explains the keys")
        self.show_bars()

    def _cancel(self) -> None:
        """Cancels the upload under the cursor, else an edit."""
        transfer = self.transfers.at_cursor()
        if transfer is not None:
            self.transfers.stop(transfer)
        else:
            self.editing.cancel()

    def _reject(self) -> None:
        """Cancels the upload under the cursor, else rejects a change."""
        transfer = self.transfers.at_cursor()
        if transfer is not None:
            self.transfers.stop(transfer)
        else:
            self.reviewing.reject()

    def _retry(self) -> None:
        """Sends the file under the cursor again, else asks the service, else the edit."""
        transfer = self.transfers.at_cursor()
        if transfer is not None:
            if transfer.state == "failed":
                self.transfers.repeat(transfer)
        elif self.session.store.is_online:
            self.editing.retry()
        else:
            self.connection.reconnect()

    def _help(self) -> None:
        self.tell(HelpScreen(self.look, self.options.keys, self.where()))

    def _palette(self) -> None:
        """Offers every action by name."""
        where = self.where()
        keys, ascii_only = self.options.keys, self.look.is_ascii
        by_id = {action.id: action for action in ACTIONS if action.where != "lists"}
        choices = [
            Choice(
                action.id,
                action.help.rstrip(".") + self._why_not(action),
                shown_keys(action, keys, ascii_only=ascii_only),
            )
            for action in by_id.values()
        ]

        def run(choice: Choice | None) -> None:
            if choice is not None:
                work = self._run_action(by_id[choice.id], was_typing=where == "prompt")
                self.start(work, group="palette")

        self.ask(ChoiceScreen(self.look, "What would you like to do?", choices), run)

    def _why_not(self, action: Action) -> str:
        """Returns why an action would do nothing now, in brackets, or nothing."""
        history = self.document.history if self.document is not None else ()
        if action.id == "doc.undo" and undoable(history) is None:
            return " (there is nothing to undo)"
        if action.id == "doc.redo" and redoable(history) is None:
            return " (there is nothing to redo)"
        return ""

    async def _run_action(self, action: Action, *, was_typing: bool) -> None:
        if action.where == "changes":
            self._show_pane("changes")
        elif action.where == "documents":
            self._show_pane("documents")
        elif was_typing:
            self.prompt.focus()
        target = self.prompt if action.where == "prompt" else self
        await self.program.run_action(action.binding, target)
