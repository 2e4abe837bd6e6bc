"""Files on their way: uploads with progress, cancelling and trying again; copies and links."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textual import events, work
from textual.worker import Worker

from redraft.tui import local_files
from redraft.tui.controllers.editing import Editing
from redraft.tui.messages import PathPasted
from redraft.tui.screens.dialog import TellScreen
from redraft.tui.screens.file_screens import SaveOrder, SaveScreen, UploadOrder, UploadScreen
from redraft.tui.session.state import Transfer
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.requests import Upload

LINK_SECONDS = 3600


class Delivery(Editing):
    """A screen that sends files and fetches them."""

    _minutes = 60
    _tracked = True
    _author = ""
    _sending: Mapping[int, tuple[Upload, Worker[Any]]] = {}

    # Uploading

    def action_upload(self) -> None:
        """Choose a file to upload."""
        self._ask_upload("")

    def on_path_pasted(self, message: PathPasted) -> None:
        """A path was pasted into the prompt."""
        self._ask_upload(message.path)

    def on_paste(self, event: events.Paste) -> None:
        """Something was pasted where nothing is written: a path becomes an upload."""
        if self.focused is self.prompt:
            return
        if self.situation.reach == "service":  # which files there are is not told either
            self.say("i goes to the prompt, for text")
            return
        path = local_files.named_file(event.text)
        if path is None:
            self.say("no file is named so; i goes to the prompt, for text")
        else:
            self._ask_upload(path)

    def _ask_upload(self, typed: str) -> None:
        if self.situation.reach == "service":
            self.say("files are not reached from here; put them by `sftp` or `scp`", "warning")
            return
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
            data = local_files.load(order.path)
        except local_files.FileError as error:
            self.say(f"{order.path.name}: {error}", "error")
            return
        seconds = order.minutes * 60
        self._begin(Upload(order.path.name, data, seconds, order.tracked, order.author))

    def _begin(self, upload: Upload) -> None:
        transfer = self.desk.begin_upload(upload)
        self._sending = {**self._sending, transfer.number: (upload, self._send(transfer, upload))}

    @work(group="upload")
    async def _send(self, transfer: Transfer, upload: Upload) -> None:
        try:
            answer = await self.desk.finish_upload(transfer, upload)
        except ClientError as error:
            self.say(f"{upload.name}: {error}", "error")
            return
        self._forget(transfer)
        words = f"{self.look.glyphs.ok} {one_line(answer.name)} uploaded"
        if answer.warnings:
            words += f"; {'; '.join(answer.warnings)}"
        self.say(words, "warning" if answer.warnings else "ok")
        self.arrived(answer.doc_id, answer.name)
        self.open_document(answer.doc_id)
        self.documents.select_document(answer.doc_id)

    def arrived(self, document: str, name: str) -> None:
        """Do what follows an upload."""

    def _forget(self, transfer: Transfer) -> None:
        left = {
            number: sending
            for number, sending in self._sending.items()
            if number != transfer.number
        }
        self._sending = left

    def transfer_here(self) -> Transfer | None:
        """Return the upload under the cursor of the list, if the list has the focus."""
        entry = self.documents.current()
        is_here = self.focused is self.documents and entry is not None
        return entry.transfer if is_here and entry is not None else None

    def stop_transfer(self, transfer: Transfer) -> None:
        """Break an upload off, or take a failed one off the list."""
        if transfer.number in self._sending and transfer.state == "sending":
            self._sending[transfer.number][1].cancel()
            self.say(f"{one_line(transfer.name)}: upload cancelled", "warning")
        self.desk.drop_transfer(transfer.number)
        self._forget(transfer)

    def repeat_transfer(self, transfer: Transfer) -> None:
        """Send a file again that was not taken."""
        upload, _ = self._sending[transfer.number]
        self.desk.drop_transfer(transfer.number)
        self._forget(transfer)
        self._begin(upload)

    def action_cancel(self) -> None:
        """Cancel the upload under the cursor, else an edit."""
        transfer = self.transfer_here()
        if transfer is not None:
            self.stop_transfer(transfer)
        else:
            super().action_cancel()

    def action_reject(self) -> None:
        """Cancel the upload under the cursor, else reject a change."""
        transfer = self.transfer_here()
        if transfer is not None:
            self.stop_transfer(transfer)
        else:
            super().action_reject()

    def action_retry(self) -> None:
        """Send the file under the cursor again, else take the failed instruction back."""
        transfer = self.transfer_here()
        if transfer is None:
            super().action_retry()
        elif transfer.state == "failed":
            self.repeat_transfer(transfer)

    # Saving

    def action_save(self) -> None:
        """Choose a copy and where to save it."""
        sheet = self.sheet
        if sheet is None or sheet.is_expired:
            self.say("there is no document to save", "warning")
            return
        if self.situation.reach == "service":
            self.say("nothing is saved here; get copies by `sftp`, or S makes a link", "warning")
            return

        def chosen(order: SaveOrder | None) -> None:
            if order is not None:
                self._save(sheet.id, order)

        info = sheet.info
        screen = SaveScreen(
            self.look, info.name, self.situation.folder, tracked=info.tracked_changes
        )
        self.program.push_screen(screen, chosen)

    @work(group="save")
    async def _save(self, document: str, order: SaveOrder) -> None:
        self.say(f"fetching the {order.copy} copy")
        try:
            data = await self.desk.download(document, order.copy)
            await asyncio.to_thread(local_files.save, order.path, data, over=order.over)
        except (ClientError, local_files.FileError) as error:
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
        self.say("link for 60 min, sent to the clipboard", "ok")
        title = "A link that downloads the document without a key, for 60 minutes"
        self.program.push_screen(TellScreen(self.look, title, url, self.size.width))
