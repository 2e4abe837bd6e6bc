"""The main screen: remembers, and does what concerns documents and the program as a whole."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from textual import events, work
from textual.app import SuspendNotSupported
from textual.binding import Binding

from redraft.tui.controllers.service_connection import Connecting
from redraft.tui.keys import ACTIONS, Action, shown_keys
from redraft.tui.screens.dialog import Choice, ChoiceScreen, ConfirmScreen, TellScreen
from redraft.tui.screens.help_screen import HelpScreen
from redraft.tui.session.session_file import SavedSession
from redraft.tui.session.state import Failure, counted, shown_ttl
from redraft.tui.text.runs import one_line, plain
from redraft.tui.transport.failures import ClientError

MOST_DRAFTS = 50


class MainScreen(Connecting):
    """The screen that people work on."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding(action.keys, action.call, action.label, show=False, id=action.id)
        for action in ACTIONS
        if action.where not in ("prompt", "lists")
    ]

    not_kept = ""
    """Why the session could not be kept; nothing when it was."""

    # Life

    def on_mount(self, event: events.Mount) -> None:
        """Begin: restore the session, connect, watch."""
        self._author = self.situation.author
        session = self.situation.store.load() if self.situation.store else SavedSession()
        self.drafts = dict(session.drafts)
        self.prompt.past = list(session.past)
        self.list_width = session.list_width
        self.open_id = session.document
        self.prompt.restore(self.drafts.pop(self.open_id, "") or self.drafts.pop("", ""))
        self.restored_lines = dict(session.lines)
        self.arrange_panes()
        self.call_later(self.show)  # the panes have their sizes by then
        self.prompt.takes_paths = self.situation.reach != "service"
        self.prompt.focus()
        self.connect()
        if self.situation.ticks:
            self.set_interval(1.0, self.on_tick)

    async def on_unmount(self) -> None:
        """Let go of the service."""
        await self.desk.close()

    # Drafts

    def open_document(self, document: str) -> None:
        """Show another document, with the instruction that was being written for it."""
        if document == self.open_id:
            super().open_document(document)
            return
        written = self.prompt.text
        draft = self.drafts.pop(document, "")
        if self.open_id or draft or not document:
            if written.strip():
                self.drafts[self.open_id] = written
            self.prompt.restore(draft)
        if self.open_id:
            self.prompt.point_at("")
        super().open_document(document)

    def arrived(self, document: str, name: str) -> None:
        """Offer what was written for a document of that name whose time was over."""
        for sheet in self.desk.sheets.values():
            if not sheet.is_expired or sheet.info.name != name:
                continue
            if sheet.id == self.open_id:
                self.drafts[sheet.id] = self.prompt.text
                self.prompt.load_text("")
            written = self.drafts.pop(sheet.id, "")
            if written.strip():
                self.drafts[document] = written

    def give_back(self, document: str, failure: Failure) -> None:
        """Put a failed instruction back, also where another document is open by now."""
        if document == self.open_id:
            super().give_back(document, failure)
        elif not self.drafts.get(document):
            self.drafts[document] = failure.instructions

    def session(self) -> SavedSession:
        """Return what is to be remembered."""
        drafts = {**self.drafts, self.open_id: self.prompt.text}
        kept = [(document, text) for document, text in drafts.items() if text.strip()]
        return SavedSession(
            document=self.open_id,
            past=tuple(self.prompt.past),
            drafts=dict(kept[-MOST_DRAFTS:]),
            lines={self.open_id: self.preview.scroll_offset.y} if self.open_id else {},
            list_width=self.list_width,
        )

    def save_session(self) -> None:
        """Keep what is to be remembered; remember why that failed."""
        if self.situation.store is not None:
            self.not_kept = self.situation.store.save(self.session())

    # The document as a whole

    def action_delete(self) -> None:
        """Delete the document, after asking; one that is gone is taken off the list."""
        entry = self.documents.current()
        if entry is None:
            return
        if entry.transfer is not None:
            self.stop_transfer(entry.transfer)
            return
        sheet = entry.sheet
        if sheet is None:
            return
        if sheet.is_expired:
            self.drafts.pop(sheet.id, None)
            self.desk.forget(sheet.id)
            return
        text = f"Delete {one_line(sheet.info.name)} and all its edits from the service now?"

        def answer(yes: bool | None) -> None:
            if yes:
                self._delete(sheet.id)

        screen = ConfirmScreen(self.look, "Delete?", text, "delete it", "keep it")
        self.program.push_screen(screen, answer)

    @work(group="delete")
    async def _delete(self, document: str) -> None:
        try:
            await self.desk.delete(document)
        except ClientError as error:
            self.say(f"not deleted: {error}", "error")
            return
        self.say("deleted", "ok")

    def action_explain_ttl(self) -> None:
        """Say when the document goes and what keeps it."""
        sheet = self.sheet
        if sheet is None:
            return
        left = shown_ttl(self.desk.left(sheet))
        minutes = round(sheet.info.ttl_seconds / 60)
        words = (
            f"A document is kept for {minutes} minutes after its upload or the last edit that was "
            "applied. Reading does not count. When the time is up it is deleted on the server; "
            "what was read stays readable here, and u uploads it again."
        )
        self.program.push_screen(TellScreen(self.look, f"{left} left", words, self.size.width))

    # The program

    def action_palette(self) -> None:
        """Choose any action by name."""
        where = self.where()
        keys, ascii_only = self.situation.keys, self.look.is_ascii
        by_id = {action.id: action for action in ACTIONS if action.where != "lists"}
        choices = [
            Choice(
                action.id,
                action.help.rstrip("."),
                shown_keys(action, keys, ascii_only=ascii_only),
            )
            for action in by_id.values()
        ]

        def run(choice: Choice | None) -> None:
            if choice is not None:
                self._run_action(by_id[choice.id], where == "prompt")

        self.program.push_screen(
            ChoiceScreen(self.look, "What would you like to do?", choices), run
        )

    @work(group="palette")
    async def _run_action(self, action: Action, was_typing: bool) -> None:
        if action.where == "changes":
            self.show_pane("changes")
        elif action.where == "documents":
            self.show_pane("documents")
        elif was_typing:
            self.prompt.focus()
        target = self.prompt if action.where == "prompt" else self
        await self.program.run_action(action.call, target)

    def action_help(self) -> None:
        """Explain panes and keys."""
        self.program.push_screen(HelpScreen(self.look, self.situation.keys, self.where()))

    def action_external_editor(self) -> None:
        """Write the instruction in the person's own editor."""
        if not self._may_start_programs():
            return
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "instruction.txt"
            path.write_text(self.prompt.text, "utf-8")
            if self._run_outside([*shlex.split(editor), str(path)]):
                self.prompt.restore(path.read_text("utf-8").rstrip("\n"))

    def action_pager(self) -> None:
        """Read the preview in the person's pager."""
        if not self._may_start_programs():
            return
        sheet = self.sheet
        if sheet is None or sheet.markdown is None:
            self.say("there is nothing to read")
            return
        pager = os.environ.get("PAGER") or "less"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "preview.md"
            path.write_text(plain(sheet.markdown), "utf-8")
            self._run_outside([*shlex.split(pager), str(path)])

    def _may_start_programs(self) -> bool:
        """Whether other programs of this machine are the person's to start; says why not."""
        is_own = self.situation.reach == "machine"
        if not is_own:
            self.say("no other program is started here: this terminal is far away", "warning")
        return is_own

    def _run_outside(self, command: list[str]) -> bool:
        """Run a program on the terminal while ours waits."""
        try:
            with self.program.suspend():
                subprocess.run(command, check=False)  # noqa: S603 - the person's own program
        except SuspendNotSupported:
            self.say("not possible here: the terminal cannot be handed over", "warning")
            return False
        except OSError as error:
            self.say(f"{command[0]}: {error.strerror}", "error")
            return False
        return True

    def action_quit(self) -> None:
        """Leave; asks when edits are under way."""
        jobs = self.desk.jobs
        if not jobs:
            self._leave()
            return
        choices = [
            Choice("leave", "leave; the service finishes them", "they are there next time"),
            Choice("cancel", "cancel them and leave"),
            Choice("stay", "stay"),
        ]

        def choose(choice: Choice | None) -> None:
            if choice is not None and choice.id == "leave":
                self._leave()
            elif choice is not None and choice.id == "cancel":
                self._cancel_all_and_leave()

        title = f"{counted(len(jobs), 'edit')} under way"
        self.program.push_screen(ChoiceScreen(self.look, title, choices), choose)

    @work(group="quit")
    async def _cancel_all_and_leave(self) -> None:
        for job in list(self.desk.jobs):
            try:
                await self.desk.cancel(job)
            except ClientError as error:
                self.say(f"could not cancel: {error}", "error")
                return
        self._leave()

    def _leave(self) -> None:
        self.save_session()
        self.program.exit(0)
