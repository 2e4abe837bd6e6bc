"""The store: what is known about the connection, the documents and the edits under way.

It does no input or output (`tui.session.session` does); `changed` is called after each change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import msgspec

from redraft.tui.clock import Clock
from redraft.tui.session.state import Job, Link, OpenDocument, Transfer
from redraft.tui.transport.wire import DocumentInfo

LONGEST_PAUSE = 30.0


def pause(attempts: int) -> float:
    """Return how many seconds to wait after so many failed attempts."""
    return min(LONGEST_PAUSE, 2.0 ** min(attempts, 5))


def _without_own(info: DocumentInfo, document: OpenDocument) -> DocumentInfo:
    """Take our own reading out of what waits or runs: to a person it is no edit."""
    if document.reading_since is None or not info.pending:
        return info
    return msgspec.structs.replace(info, pending=info.pending - 1)


class Store:
    """Documents, jobs, uploads and the connection."""

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        self.link = Link()
        self.documents: dict[str, OpenDocument] = {}
        self.jobs: list[Job] = []
        self.transfers: list[Transfer] = []
        self.models: tuple[str, ...] | None = None  # by name; None: the service does not tell
        self.clock = clock
        self.changed = changed

    # The connection

    @property
    def is_online(self) -> bool:
        """Whether the service answered last time."""
        return self.link.state == "online"

    def reached(self) -> None:
        """Note that the service answered."""
        if self.link.state != "online":
            self.link = Link("online", self.clock.steady())
            self.changed()

    def note_link(
        self, state: Literal["offline", "failing", "refused", "rejected"], reason: str
    ) -> None:
        """Note that it did not, and when to try again."""
        steady = self.clock.steady()
        is_same = self.link.state == state
        attempts = self.link.attempts + 1 if is_same else 1
        since = self.link.since if is_same else steady
        self.link = Link(state, since, steady + pause(attempts), attempts, reason)
        self.changed()

    def note_models(self, names: list[str] | None) -> None:
        """Note which language models the service can ask."""
        models = None if names is None else tuple(names)
        if models != self.models:
            self.models = models
            self.changed()

    # Documents

    def merge(self, listed: list[DocumentInfo]) -> None:
        """Take in a list of documents: learn which are new, changed or gone."""
        before = dict(self.documents)
        present = {info.doc_id: info for info in listed}
        merged: dict[str, OpenDocument] = {}
        for key, document in before.items():
            info = present.pop(key, None)
            if info is not None:
                merged[key] = replace(document, info=_without_own(info, document), expired_at=None)
            else:
                merged[key] = self._gone(document)
        merged.update({key: OpenDocument(info) for key, info in present.items()})
        if merged != before:
            self.documents = merged
            self.changed()

    def _gone(self, document: OpenDocument) -> OpenDocument:
        if document.is_expired:
            return document
        return replace(document, expired_at=self.clock.now(), reading_since=None)

    def update(self, document_id: str, **values: object) -> None:
        """Change what is known of a document."""
        document = self.documents.get(document_id)
        if document is not None:
            self.documents[document_id] = replace(document, **values)  # pyright: ignore[reportArgumentType]
            self.changed()

    def mark_gone(self, document_id: str) -> None:
        """Note that the server does not have the document."""
        document = self.documents.get(document_id)
        if document is not None and not document.is_expired:
            self.documents[document_id] = self._gone(document)
            self.changed()

    def forget(self, document_id: str) -> None:
        """Take a document that is gone off the list."""
        self.documents.pop(document_id, None)
        self.changed()

    def dismiss(self, document_id: str) -> None:
        """Take the message about the last edit away."""
        self.update(document_id, failure=None, summary=None)

    # Uploads and edits

    def replace_transfer(self, transfer: Transfer) -> None:
        """Note how far an upload is."""
        self.transfers = [
            transfer if other.number == transfer.number else other for other in self.transfers
        ]
        self.changed()

    def drop_transfer(self, number: int) -> None:
        """Take an upload off the list."""
        self.transfers = [other for other in self.transfers if other.number != number]
        self.changed()

    def set_job(self, uid: str, state: Literal["waiting", "running", "unknown"]) -> None:
        """Note how an edit is."""
        self.jobs = [replace(job, state=state) if job.uid == uid else job for job in self.jobs]
        self.changed()

    def note_job(self, uid: str, note: str) -> None:
        """Note the step that an edit is at."""
        self.jobs = [replace(job, note=note) if job.uid == uid else job for job in self.jobs]
        self.changed()

    def end_job(self, document_id: str, uid: str) -> None:
        """Take an edit off the list; the next one of its document is running now."""
        self.jobs = [job for job in self.jobs if job.uid != uid]
        following = next((job for job in self.jobs if job.document_id == document_id), None)
        if following is not None and following.state == "waiting":
            now = self.clock.steady()
            self.jobs = [
                replace(job, state="running", sent_at=now) if job.uid == following.uid else job
                for job in self.jobs
            ]
        self.changed()
