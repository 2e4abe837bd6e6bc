"""Files on their way: uploads with progress, cancelling and trying again; copies and links."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from textual.worker import Worker

from redraft.tui import local_files
from redraft.tui.controllers.drafts import Drafts
from redraft.tui.controllers.pane_layout import PANES
from redraft.tui.controllers.safekeeping import Safekeeping
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.screens.dialog import TellScreen
from redraft.tui.screens.file_screens import SaveOrder, SaveScreen, UploadOrder, UploadScreen
from redraft.tui.session.session_file import SavedCopy
from redraft.tui.session.state import Transfer
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.requests import Upload

LINK_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an upload comes from: a file, whose changes are saved beside it, or the sample (None).

    `earlier` is the copy that is opened again in place of the file.
    """

    source: Path | None
    earlier: SavedCopy | None = None


@dataclass(frozen=True, slots=True)
class Sending:
    """An upload, what it comes from, and the work that sends it."""

    upload: Upload
    origin: Origin
    worker: Worker[None]


class Transfers:
    """Uploads files, saves copies, and makes links."""

    def __init__(self, screen: Workspace, drafts: Drafts, safekeeping: Safekeeping) -> None:
        self._screen = screen
        self._session = screen.session
        self._drafts = drafts
        self._safekeeping = safekeeping
        self._minutes = 60
        self._tracked = True
        self._author = screen.options.author
        self._sending: Mapping[int, Sending] = {}

    # Uploading

    def upload(self) -> None:
        """Choose a file to upload."""
        self._ask_upload("")

    def upload_named(self, path: str) -> None:
        """Asks how to upload a file whose path is known."""
        self._ask_upload(path)

    def pasted(self, text: str) -> None:
        """Uploads the file that was pasted as a path where nothing is written."""
        if self._screen.options.reach == "service":  # which files there are is not told either
            self._screen.say("i goes to the prompt, for text")
            return
        path = local_files.named_file(text)
        if path is None:
            self._screen.say("no file is named so; i goes to the prompt, for text")
        else:
            self._ask_upload(path)

    def _ask_upload(self, typed: str) -> None:
        if self._screen.options.reach == "service":
            self._screen.say(
                "files are not reached from here; put them by `sftp` or `scp`", "warning"
            )
            return
        order = UploadOrder(Path(), self._minutes, self._tracked, self._author)
        screen = UploadScreen(self._screen.look, self._screen.options.folder, order, typed)
        self._screen.ask(screen, self._upload_chosen)

    def _upload_chosen(self, order: UploadOrder | None) -> None:
        if order is not None:
            self._minutes, self._tracked = order.minutes, order.tracked
            self._author = order.author
            self.upload_path(order)

    def upload_path(self, order: UploadOrder, origin: Origin | None = None) -> None:
        """Checks a file and sends it."""
        try:
            data = local_files.load(order.path)
        except local_files.FileError as error:
            self._screen.say(f"{order.path.name}: {error}", "error")
            return
        seconds = order.minutes * 60
        upload = Upload(order.path.name, data, seconds, order.tracked, order.author)
        self._begin(upload, origin or Origin(order.path))

    def open_file(self, path: Path) -> None:
        """Opens a file where it was left: its document, else its saved copy, else the file."""
        earlier = self._safekeeping.earlier_copy(path)
        if earlier is None:
            self.upload_path(self._order(path))
            return
        document_id, copy = earlier
        document = self._session.store.documents.get(document_id)
        if document is not None and not document.is_expired:
            self._screen.open_document(document_id)
            self._screen.say(f"{one_line(path.name)}: opened where you left it", "ok")
        elif copy.written and Path(copy.path).is_file():
            self.upload_path(self._order(Path(copy.path)), Origin(path, copy))
        else:
            self.upload_path(self._order(path))

    def upload_sample(self, path: Path) -> None:
        """Uploads the sample, beside which nothing is saved."""
        self.upload_path(self._order(path), Origin(None))

    def _order(self, path: Path) -> UploadOrder:
        """Returns how a file is uploaded: as the last one was, or as the settings say."""
        return UploadOrder(path, self._minutes, self._tracked, self._author)

    def _begin(self, upload: Upload, origin: Origin) -> None:
        transfer = self._session.begin_upload(upload)
        worker = self._screen.start(self._send(transfer, upload, origin), group="upload")
        self._sending = {**self._sending, transfer.number: Sending(upload, origin, worker)}

    async def _send(self, transfer: Transfer, upload: Upload, origin: Origin) -> None:
        try:
            answer = await self._session.finish_upload(transfer, upload)
        except ClientError as error:
            self._screen.say(f"{upload.name}: {error}", "error")
            return
        self._forget(transfer)
        words = f"{self._screen.look.glyphs.ok} {one_line(answer.name)} uploaded"
        if origin.source is not None and origin.earlier is not None:
            self._safekeeping.keep_on(answer.doc_id, origin.earlier, upload.data)
            words = (
                f"{self._screen.look.glyphs.ok} {one_line(upload.name)} opened, with your changes"
            )
        elif origin.source is not None:
            self._safekeeping.keep(answer.doc_id, origin.source, upload.data)
        if answer.warnings:
            words += f"; {'; '.join(answer.warnings)}"
        self._screen.say(words, "warning" if answer.warnings else "ok")
        self._drafts.take_over(answer.doc_id, answer.name)
        self._screen.open_document(answer.doc_id)
        self._screen.documents.select_document(answer.doc_id)
        panes = self._screen.panes
        panes.show_pane("preview", focus=panes.focused_id() in PANES)
        self._screen.save_session()
        self._screen.show_bars()

    def _forget(self, transfer: Transfer) -> None:
        left = {
            number: sending
            for number, sending in self._sending.items()
            if number != transfer.number
        }
        self._sending = left

    def at_cursor(self) -> Transfer | None:
        """Return the upload under the cursor of the list, if the list has the focus."""
        entry = self._screen.documents.current()
        is_here = self._screen.panes.focused_id() == "documents" and entry is not None
        return entry.transfer if is_here and entry is not None else None

    def stop(self, transfer: Transfer) -> None:
        """Break an upload off, or take a failed one off the list."""
        if transfer.number in self._sending and transfer.state == "sending":
            self._sending[transfer.number].worker.cancel()
            self._screen.say(f"{one_line(transfer.name)}: upload cancelled", "warning")
        self._session.store.drop_transfer(transfer.number)
        self._forget(transfer)

    def repeat(self, transfer: Transfer) -> None:
        """Send a file again that was not taken."""
        sending = self._sending[transfer.number]
        self._session.store.drop_transfer(transfer.number)
        self._forget(transfer)
        self._begin(sending.upload, sending.origin)

    # Saving

    def save(self) -> None:
        """Choose a copy and where to save it."""
        document = self._screen.document
        if document is None or document.is_expired:
            self._screen.say("there is no document to save", "warning")
            return
        if self._screen.options.reach == "service":
            self._screen.say(
                "nothing is saved here; get copies by `sftp`, or S makes a link", "warning"
            )
            return

        def chosen(order: SaveOrder | None) -> None:
            if order is not None:
                self._screen.start(self._save(document.id, order), group="save")

        info = document.info
        screen = SaveScreen(
            self._screen.look, info.name, self._screen.options.folder, tracked=info.tracked_changes
        )
        self._screen.ask(screen, chosen)

    async def _save(self, document_id: str, order: SaveOrder) -> None:
        self._screen.say(f"fetching the {order.copy} copy")
        try:
            data = await self._session.download(document_id, order.copy)
            await asyncio.to_thread(local_files.save, order.path, data, over=order.over)
        except (ClientError, local_files.FileError) as error:
            self._screen.say(f"not saved: {error}", "error")
            return
        if order.copy != "original":
            self._safekeeping.note_saved(document_id)
        self._screen.say(f"{self._screen.look.glyphs.ok} saved {order.path}", "ok")

    def link(self) -> None:
        """Copy a link that downloads the document."""
        if self._screen.document is not None and not self._screen.document.is_expired:
            self._screen.start(self._link(self._screen.open_id), group="link")

    async def _link(self, document_id: str) -> None:
        try:
            url = await self._session.make_link(document_id, LINK_SECONDS)
        except ClientError as error:
            self._screen.say(f"no link: {error}", "error")
            return
        self._screen.program.copy_to_clipboard(url)
        self._screen.say("link for 60 min, sent to the clipboard", "ok")
        title = "A link that downloads the document without a key, for 60 minutes"
        if self._screen.options.is_local:
            title = "A link for this computer; it works until redraft ends, at most 60 minutes"
        self._screen.tell(
            TellScreen(self._screen.look, title, url, self._screen.program.size.width)
        )
