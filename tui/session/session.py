"""The desk: knows the documents, and does what the panes ask for.

It knows nothing of the screen. Whatever changes is told by one call of `changed`; what a person
should read is returned or raised. Edits survive a broken line: the same edit is sent again until
the service tells how it ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

from redraft.tui.session.service_updates import Seams, ServiceLine
from redraft.tui.session.state import Failure, Job, Summary, Transfer, tally
from redraft.tui.session.store import pause
from redraft.tui.transport.failures import (
    ClientError,
    GoneError,
    KeyRejectedError,
    ServiceError,
    TimedOutError,
    UnreachableError,
)
from redraft.tui.transport.requests import Copy, Edit, Upload, View
from redraft.tui.transport.wire import Edited, Moved, Uploaded

_T = TypeVar("_T")


class Desk(ServiceLine):
    """Documents and what is going on with them."""

    def __init__(self, seams: Seams, changed: Callable[[], None]) -> None:
        super().__init__(seams, changed)
        self._transfer_count = 0

    # Reading

    def is_stale(self, document: str, view: View) -> bool:
        """Whether the preview has to be read, again or for the first time."""
        sheet = self.sheets.get(document)
        if sheet is None or sheet.is_expired or sheet.reading_since is not None:
            return False
        if sheet.read_error and sheet.read_version == sheet.info.version:
            return False
        return (
            sheet.markdown is None
            or sheet.read_version != sheet.info.version
            or sheet.view != view
            or sheet.changes_version != sheet.info.version
        )

    def begin_read(self, document: str) -> None:
        """Note that the document is about to be read."""
        self.update(document, reading_since=self.clock.steady())

    async def read(self, document: str, view: View) -> None:
        """Read the document, its changes and its history, after `begin_read`."""
        sheet = self.sheets.get(document)
        if sheet is None:  # it was taken off the list in the meantime
            return
        version = sheet.info.version
        try:
            markdown = await self.client.markdown(document, self._seams.new_uid(), view)
            changes = await self._or_none(self.client.changes(document))
            history = await self._or_none(self.client.history(document))
        except GoneError:
            self.mark_gone(document)
            return
        except UnreachableError as error:
            self.update(document, reading_since=None)
            self._lost(error)
            return
        except ServiceError as error:
            self.update(document, reading_since=None, read_error=error.detail, read_version=version)
            return
        read = version if markdown.version is None else markdown.version
        self.update(
            document,
            reading_since=None,
            read_error="",
            markdown=markdown.markdown,
            read_version=read,
            view=view,
            changes=sheet.changes if changes is None else tuple(changes),
            changes_version=read,
            history=sheet.history if history is None else tuple(history),
        )

    @staticmethod
    async def _or_none(call: Awaitable[_T]) -> _T | None:
        """Do without what an older service does not have, or failed to make."""
        try:
            return await call
        except (GoneError, KeyRejectedError):
            raise
        except ServiceError:
            return None

    # Files

    def begin_upload(self, upload: Upload) -> Transfer:
        """Note a file that is about to be sent."""
        self._transfer_count += 1
        transfer = Transfer(
            self._transfer_count, upload.name, len(upload.data), 0, self.clock.steady()
        )
        self.transfers.append(transfer)
        self.changed()
        return transfer

    async def finish_upload(self, transfer: Transfer, upload: Upload) -> Uploaded:
        """Send a file, after `begin_upload`.

        Raises:
            ClientError: it was not taken; the transfer stays in the list as failed.
        """

        def told(sent: int) -> None:
            self.replace_transfer(replace(transfer, sent=sent))

        try:
            answer = await self.client.upload(upload, told)
        except asyncio.CancelledError:
            self.drop_transfer(transfer.number)
            raise
        except ClientError as error:
            self.replace_transfer(replace(transfer, state="failed", reason=str(error)))
            raise
        self.drop_transfer(transfer.number)
        await self.refresh()
        return answer

    async def download(self, document: str, copy: Copy) -> bytes:
        """Fetch a document's file."""
        return await self._guarded(document, self.client.download(document, copy))

    async def make_link(self, document: str, seconds: int) -> str:
        """Return a URL that downloads the document without a key."""
        link = await self._guarded(document, self.client.link(document, seconds))
        return link.download_url

    async def delete(self, document: str) -> None:
        """Delete a document on the server."""
        await self._guarded(document, self.client.delete(document))
        self.forget(document)

    # Changing

    def start_edit(self, document: str, edit: Edit) -> Job:
        """Note an edit that is about to be sent."""
        is_first = not any(job.document == document for job in self.jobs)
        job = Job(
            edit.uid,
            document,
            edit.instructions,
            self.clock.steady(),
            edit.lookup or "",
            edit.large,
            "running" if is_first else "waiting",
        )
        self.jobs.append(job)
        self.update(document, failure=None, summary=None)
        self.changed()
        return job

    async def finish_edit(self, document: str, edit: Edit) -> Summary | Failure | None:
        """Send an edit that was started and wait for its end; None when it was cancelled.

        It stays a job of ours when we leave before its end: the service must not be stopped then.
        """
        try:
            ended = await self._outcome(document, edit)
        except Exception:
            self.end_job(document, edit.uid)
            raise
        cancelled = any(job.uid == edit.uid and job.is_cancelling for job in self.jobs)
        self.end_job(document, edit.uid)
        if isinstance(ended, Summary):
            self.update(document, summary=ended)
        elif not cancelled:
            self.update(document, failure=ended)
        await self.refresh()
        if isinstance(ended, Failure) or not ended.applied:
            await self.read_history(document)
        return None if cancelled and isinstance(ended, Failure) else ended

    async def _outcome(self, document: str, edit: Edit) -> Summary | Failure:
        try:
            answer = await self._edit_until_answered(document, edit)
        except ServiceError as error:
            if isinstance(error, GoneError):
                self.mark_gone(document)
            return Failure(
                edit.instructions,
                error.detail,
                isinstance(error, TimedOutError),
                edit.lookup or "",
                edit.large,
                edit.uid,
            )
        text = (answer.edit_applied and tally(answer.revisions)) or answer.summary
        return Summary(
            edit.instructions,
            answer.edit_applied,
            text,
            answer.time_to_edit,
            tuple(answer.warnings),
        )

    async def _edit_until_answered(self, document: str, edit: Edit) -> Edited:
        attempt = 0
        while True:
            try:
                answer = await self.client.edit(document, edit)
            except UnreachableError as error:
                attempt += 1
                self.set_job(edit.uid, "unknown")
                self._lost(error)
                await self._seams.sleep(pause(attempt))
            else:
                self.reached()
                return answer

    async def cancel(self, job: Job) -> bool:
        """Cancel an edit; return False when it had ended before."""
        self.jobs = [
            replace(other, is_cancelling=True) if other.uid == job.uid else other
            for other in self.jobs
        ]
        self.changed()
        answer = await self.client.cancel(job.document, job.uid)
        return answer.cancelled

    async def resolve(
        self,
        document: str,
        action: Literal["accept", "reject"],
        selection: Mapping[str, object],
    ) -> int:
        """Accept or reject changes; return how many are gone."""
        count = await self._guarded(document, self.client.resolve(document, action, selection))
        await self.refresh()
        return count

    async def move(self, document: str, direction: Literal["undo", "redo"]) -> Moved:
        """Undo or redo the last edit of the document."""
        moved = await self._guarded(document, self.client.move(document, direction))
        await self.refresh()
        return moved

    async def _guarded(self, document: str, call: Awaitable[_T]) -> _T:
        """Wait for a call and learn from its failure what it says about the document."""
        try:
            return await call
        except GoneError:
            self.mark_gone(document)
            raise
        except UnreachableError as error:
            self._lost(error)
            raise
