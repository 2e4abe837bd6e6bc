"""The main screen: connects, watches, and does what concerns documents as a whole."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from textual import events, work
from textual.app import SuspendNotSupported
from textual.binding import Binding

from tui import files
from tui.dialog import Choice, ChoiceScreen, ConfirmScreen
from tui.editing import Editing
from tui.errors import ClientError
from tui.file_screens import SaveOrder, SaveScreen, UploadOrder, UploadScreen
from tui.help_screen import HelpScreen
from tui.keys import ACTIONS, Action, shown_keys
from tui.messages import PathPasted
from tui.orders import Upload
from tui.runs import one_line, plain
from tui.situation import Session
from tui.state import LAST_CALL, counted, shown_ttl

LINK_SECONDS = 3600


class MainScreen(Editing):
    """The screen that people work on."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding(action.keys, action.call, action.label, show=False, id=action.id)
        for action in ACTIONS
        if action.where not in ("prompt", "lists")
    ]
    _warned: frozenset[str] = frozenset()
    _minutes = 60
    _tracked = True
    _author = ""

    # Life

    def on_mount(self, event: events.Mount) -> None:
        """Begin: restore the session, connect, watch."""
        self._author = self.situation.author
        session = self.situation.store.load() if self.situation.store else Session()
        self.prompt.past = list(session.past)
        self.prompt.restore(session.drafts.get("", ""))
        self.list_width = session.list_width
        self.open_id = session.document
        self.restored_lines = dict(session.lines)
        self.arrange_panes()
        self.show()
        self.prompt.focus()
        self._connect()
        if self.situation.ticks:
            self.set_interval(1.0, self.on_tick)

    def on_tick(self) -> None:
        """Once a second: count down, and ask the service when it is time."""
        self.tick += 1
        self._warn_of_expiry()
        self.show()
        self.run_worker(self.desk.poll, group="poll")

    @work(group="connect", exclusive=True)
    async def _connect(self) -> None:
        try:
            client = await self.situation.connect()
        except ClientError as error:
            self.desk.fail_to_start(error)
            return
        self.desk.connect(client)
        await self.desk.poll()
        await self._upload_at_start()

    async def _upload_at_start(self) -> None:
        if not self.desk.is_online:
            return
        demo = self.situation.demo
        for path in self.situation.files:
            self.upload_path(UploadOrder(path, self._minutes, self._tracked, self._author))
        if demo is not None:
            names = {sheet.info.name: sheet.id for sheet in self.desk.sheets.values()}
            if demo.name in names:
                self.open_document(names[demo.name])
            else:
                self.upload_path(UploadOrder(demo, self._minutes, True, self._author))

    def _warn_of_expiry(self) -> None:
        for sheet in self.desk.sheets.values():
            left = self.desk.left(sheet)
            if sheet.is_expired or left is None or not 0 < left <= LAST_CALL:
                self._warned -= {sheet.id}
            elif sheet.id not in self._warned:
                self._warned |= {sheet.id}
                name = one_line(sheet.info.name)
                self.program.bell()
                self.say(f"{name} expires in {shown_ttl(left)}; s saves it", "error")

    def session(self) -> Session:
        """Return what is to be remembered."""
        return Session(
            document=self.open_id,
            past=tuple(self.prompt.past),
            drafts={"": self.prompt.text} if self.prompt.text else {},
            lines={self.open_id: self.preview.scroll_offset.y} if self.open_id else {},
            list_width=self.list_width,
        )

    def save_session(self) -> None:
        """Keep what is to be remembered."""
        if self.situation.store is not None:
            self.situation.store.save(self.session())

    def action_reconnect(self) -> None:
        """Ask the service again, or start it again."""
        sheet = self.sheet
        if sheet is not None and sheet.read_error:
            self.desk.update(sheet.id, read_error="", read_version=None)
        self.desk.retry_now()
        if self.desk.has_client:
            self.run_worker(self.desk.poll, group="poll")
        else:
            self._connect()

    # Uploading

    def action_upload(self) -> None:
        """Choose a file to upload."""
        self._ask_upload("")

    def on_path_pasted(self, message: PathPasted) -> None:
        """A path was pasted into the prompt."""
        self._ask_upload(message.path)

    def _ask_upload(self, typed: str) -> None:
        order = UploadOrder(Path(), self._minutes, self._tracked, self._author)
        screen = UploadScreen(self.look, self.situation.folder, order, typed)
        self.program.push_screen(screen, self._upload_chosen)

    def _upload_chosen(self, order: UploadOrder | None) -> None:
        if order is not None:
            self._minutes, self._tracked = order.minutes, order.tracked
            self._author = order.author
            self.upload_path(order)

    def upload_path(self, order: UploadOrder) -> None:
        """Check a file and send it."""
        try:
            data = files.load(order.path)
        except files.FileError as error:
            self.say(f"{order.path.name}: {error}", "error")
            return
        seconds = order.minutes * 60
        self._upload(Upload(order.path.name, data, seconds, order.tracked, order.author))

    @work(group="upload")
    async def _upload(self, upload: Upload) -> None:
        try:
            answer = await self.desk.upload(upload)
        except ClientError as error:
            self.say(f"{upload.name}: {error}", "error")
            return
        words = f"{self.look.glyphs.ok} {one_line(answer.name)} uploaded"
        if answer.warnings:
            words += f"; {'; '.join(answer.warnings)}"
        self.say(words, "warning" if answer.warnings else "ok")
        self.open_document(answer.doc_id)
        self.documents.select_document(answer.doc_id)

    # Saving

    def action_save(self) -> None:
        """Choose a copy and where to save it."""
        sheet = self.sheet
        if sheet is None or sheet.is_expired:
            self.say("there is no document to save", "warning")
            return

        def chosen(order: SaveOrder | None) -> None:
            if order is not None:
                self._save(sheet.id, order)

        self.program.push_screen(
            SaveScreen(self.look, sheet.info.name, self.situation.folder), chosen
        )

    @work(group="save")
    async def _save(self, document: str, order: SaveOrder) -> None:
        self.say(f"fetching the {order.copy} copy")
        try:
            data = await self.desk.download(document, order.copy)
            await asyncio.to_thread(files.save, order.path, data, over=order.over)
        except (ClientError, files.FileError) as error:
            self.say(f"not saved: {error}", "error")
            return
        self.say(f"{self.look.glyphs.ok} saved {order.path}", "ok")

    def action_link(self) -> None:
        """Copy a link that downloads the document."""
        if self.sheet is not None and not self.sheet.is_expired:
            self._link(self.open_id)

    @work(group="link")
    async def _link(self, document: str) -> None:
        try:
            url = await self.desk.make_link(document, LINK_SECONDS)
        except ClientError as error:
            self.say(f"no link: {error}", "error")
            return
        self.program.copy_to_clipboard(url)
        self.say(f"link for 60 min, sent to the clipboard: {url}", "ok")

    # The document as a whole

    def action_delete(self) -> None:
        """Delete the document, after asking; one that is gone is taken off the list."""
        entry = self.documents.current()
        if entry is None:
            return
        if entry.transfer is not None:
            self.desk.drop_transfer(entry.transfer.number)
            return
        sheet = entry.sheet
        if sheet is None:
            return
        if sheet.is_expired:
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
        self.say(
            f"{left} left: a document is kept for {minutes} min after its upload or the last edit "
            "that was applied; reading does not count"
        )

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
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "instruction.txt"
            path.write_text(self.prompt.text, "utf-8")
            if self._run_outside([*shlex.split(editor), str(path)]):
                self.prompt.restore(path.read_text("utf-8").rstrip("\n"))

    def action_pager(self) -> None:
        """Read the preview in the person's pager."""
        sheet = self.sheet
        if sheet is None or sheet.markdown is None:
            self.say("there is nothing to read")
            return
        pager = os.environ.get("PAGER") or "less"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "preview.md"
            path.write_text(plain(sheet.markdown), "utf-8")
            self._run_outside([*shlex.split(pager), str(path)])

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
