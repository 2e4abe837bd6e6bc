"""The session with a service: reading, uploading, editing and resolving documents.

It knows nothing of the screen: what changes is noted in the store, and what a person should read is
returned or raised. Edits survive a lost connection: the same edit is sent again until the service
tells how it ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

from redraft.tui.session.service_updates import Dependencies, ServiceUpdates
from redraft.tui.session.state import Failure, Job, ShownEdit, Summary, Transfer, tally
from redraft.tui.session.store import Store, pause
from redraft.tui.transport.failures import (
    ClientError,
    GoneError,
    KeyRejectedError,
    ServiceError,
    TimedOutError,
    UnreachableError,
)
from redraft.tui.transport.requests import Copy, Edit, Upload, View
from redraft.tui.transport.wire import Comment, Edited, Moved, Uploaded

_T = TypeVar("_T")

LONGEST_WAIT = 4.0  # seconds until an edit asks again whether its service is back


class Session:
    """Reads, sends and changes documents at the service, and notes in the store how that went."""

    def __init__(self, dependencies: Dependencies, changed: Callable[[], None]) -> None:
        """Begins with an empty store and no client.

        Args:
            dependencies: Clock, identifiers and waiting.
            changed: Is called after each change of the store.
        """
        self.store = Store(dependencies.clock, changed)
        self.updates = ServiceUpdates(dependencies, self.store)
        self._dependencies = dependencies
        self._transfer_count = 0

    # Reading

    def is_stale(self, document_id: str, view: View) -> bool:
        """Whether the preview has to be read, again or for the first time."""
        document = self.store.documents.get(document_id)
        if document is None or document.is_expired or document.reading_since is not None:
            return False
        if document.read_error and document.read_version == document.info.version:
            return False
        return (
            document.markdown is None
            or document.read_version != document.info.version
            or document.view != view
            or document.changes_version != document.info.version
        )

    def begin_read(self, document_id: str) -> None:
        """Note that the document is about to be read."""
        self.store.update(document_id, reading_since=self.store.clock.steady())

    async def read(self, document_id: str, view: View) -> None:
        """Read the document, its changes and its history, after `begin_read`."""
        document = self.store.documents.get(document_id)
        if document is None:  # it was taken off the list in the meantime
            return
        version = document.info.version
        try:
            markdown = await self.updates.client.markdown(
                document_id, self._dependencies.new_uid(), view
            )
            changes = await self._or_none(self.updates.client.changes(document_id))
            history = await self._or_none(self.updates.client.history(document_id))
            comments = await self._comments(document_id)
        except GoneError:
            self.store.mark_gone(document_id)
            return
        except UnreachableError as error:
            self.store.update(document_id, reading_since=None)
            self.updates.note_lost(error)
            return
        except ServiceError as error:
            self.store.update(
                document_id, reading_since=None, read_error=error.detail, read_version=version
            )
            return
        read = version if markdown.version is None else markdown.version
        self.store.update(
            document_id,
            reading_since=None,
            read_error="",
            markdown=markdown.markdown,
            read_version=read,
            view=view,
            changes=document.changes if changes is None else tuple(changes),
            changes_version=read,
            history=document.history if history is None else tuple(history),
            comments=comments,
        )

    async def _comments(self, document_id: str) -> tuple[Comment, ...]:
        """Read the comments; a service that does not list them answers as for a lost document."""
        try:
            return tuple(await self.updates.client.comments(document_id))
        except ServiceError:
            return ()

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
            self._transfer_count, upload.name, len(upload.data), 0, self.store.clock.steady()
        )
        self.store.transfers.append(transfer)
        self.store.changed()
        return transfer

    async def finish_upload(self, transfer: Transfer, upload: Upload) -> Uploaded:
        """Send a file, after `begin_upload`.

        Raises:
            ClientError: it was not taken; the transfer stays in the list as failed.
        """

        def told(sent: int) -> None:
            self.store.replace_transfer(replace(transfer, sent=sent))

        try:
            answer = await self.updates.client.upload(upload, told)
        except asyncio.CancelledError:
            self.store.drop_transfer(transfer.number)
            raise
        except ClientError as error:
            self.store.replace_transfer(replace(transfer, state="failed", reason=str(error)))
            raise
        self.store.drop_transfer(transfer.number)
        await self.updates.refresh()
        return answer

    async def download(self, document_id: str, copy: Copy) -> bytes:
        """Fetch a document's file."""
        return await self._guarded(document_id, self.updates.client.download(document_id, copy))

    async def make_link(self, document_id: str, seconds: int) -> str:
        """Return a URL that downloads the document without a key."""
        link = await self._guarded(document_id, self.updates.client.link(document_id, seconds))
        return link.download_url

    async def delete(self, document_id: str) -> None:
        """Delete a document on the server."""
        await self._guarded(document_id, self.updates.client.delete(document_id))
        self.store.forget(document_id)

    # Changing

    def start_edit(self, document_id: str, edit: Edit) -> Job:
        """Note an edit that is about to be sent."""
        is_first = not any(job.document_id == document_id for job in self.store.jobs)
        job = Job(
            edit.uid,
            document_id,
            edit.instructions,
            self.store.clock.steady(),
            edit.lookup or "",
            edit.large,
            "running" if is_first else "waiting",
        )
        self.store.jobs.append(job)
        self.store.update(document_id, failure=None, summary=None)
        self.store.changed()
        return job

    async def finish_edit(
        self, document_id: str, edit: Edit
    ) -> Summary | Failure | ShownEdit | None:
        """Send an edit that was started and wait for its end; None when it was cancelled.

        It stays a job of ours when we leave before its end: the service must not be stopped then.
        """
        try:
            ended = await self._outcome(document_id, edit)
        except Exception:
            self.store.end_job(document_id, edit.uid)
            raise
        cancelled = any(job.uid == edit.uid and job.is_cancelling for job in self.store.jobs)
        self.store.end_job(document_id, edit.uid)
        if cancelled and not isinstance(ended, Summary):
            await self.updates.read_history(document_id)
            return None
        if isinstance(ended, Summary):
            self.store.update(document_id, summary=ended)
        elif isinstance(ended, Failure):
            self.store.update(document_id, failure=ended)
        else:
            self._note_shown(document_id, ended)
            return ended
        await self.updates.refresh()
        if isinstance(ended, Failure) or not ended.applied:
            await self.updates.read_history(document_id)
        return ended

    def _note_shown(self, document_id: str, shown: ShownEdit) -> None:
        document = self.store.documents.get(document_id)
        if document is not None:
            self.store.update(document_id, shown=(*document.shown, shown))

    def drop_shown(self, document_id: str, shown: ShownEdit) -> None:
        """Note that a person has decided about an edit that was shown."""
        document = self.store.documents.get(document_id)
        if document is not None:
            waiting = tuple(other for other in document.shown if other is not shown)
            self.store.update(document_id, shown=waiting)

    async def _outcome(self, document_id: str, edit: Edit) -> Summary | Failure | ShownEdit:
        try:
            answer = await self._edit_until_answered(document_id, edit)
        except ServiceError as error:
            if isinstance(error, GoneError):
                self.store.mark_gone(document_id)
            is_late = isinstance(error, TimedOutError)
            return Failure(edit, error.detail, is_late, error.candidates)
        if answer.dry_run:
            changes, warnings = tuple(answer.revisions), tuple(answer.warnings)
            return ShownEdit(edit, changes, warnings, answer.version)
        text = (answer.edit_applied and tally(answer.revisions)) or answer.summary
        return Summary(
            edit.instructions,
            answer.edit_applied,
            text,
            answer.time_to_edit,
            tuple(answer.warnings),
        )

    async def _edit_until_answered(self, document_id: str, edit: Edit) -> Edited:
        attempt = 0
        while True:
            try:
                answer = await self.updates.client.edit(document_id, edit)
            except UnreachableError as error:
                attempt += 1
                self.store.set_job(edit.uid, "unknown")
                if self.store.is_online:  # else the poll's own time to try again would never come
                    self.updates.note_lost(error)
                await self._dependencies.sleep(min(pause(attempt), LONGEST_WAIT))
            else:
                self.store.reached()
                return answer

    async def cancel(self, job: Job) -> bool:
        """Cancel an edit; return False when it had ended before."""
        self.store.jobs = [
            replace(other, is_cancelling=True) if other.uid == job.uid else other
            for other in self.store.jobs
        ]
        self.store.changed()
        answer = await self.updates.client.cancel(job.document_id, job.uid)
        return answer.cancelled

    async def resolve(
        self,
        document_id: str,
        action: Literal["accept", "reject"],
        selection: Mapping[str, object],
    ) -> int:
        """Accept or reject changes; return how many are gone."""
        count = await self._guarded(
            document_id, self.updates.client.resolve(document_id, action, selection)
        )
        await self.updates.refresh()
        return count

    async def move(self, document_id: str, direction: Literal["undo", "redo"]) -> Moved:
        """Undo or redo the last edit of the document."""
        moved = await self._guarded(document_id, self.updates.client.move(document_id, direction))
        await self.updates.refresh()
        return moved

    async def _guarded(self, document_id: str, call: Awaitable[_T]) -> _T:
        """Wait for a call and learn from its failure what it says about the document."""
        try:
            return await call
        except GoneError:
            self.store.mark_gone(document_id)
            raise
        except UnreachableError as error:
            self.updates.note_lost(error)
            raise
