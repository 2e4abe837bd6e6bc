"""The store: what is known of the connection, the documents and the edits under way.

It does no input or output (`tui.session.session` does); `changed` is called after each change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import msgspec

from redraft.tui.clock import Clock
from redraft.tui.session.state import Job, Link, Sheet, Transfer
from redraft.tui.transport.wire import DocumentInfo

LONGEST_PAUSE = 30.0


def pause(attempts: int) -> float:
    """Return how many seconds to wait after so many failed attempts."""
    return min(LONGEST_PAUSE, 2.0 ** min(attempts, 5))


def _without_own(info: DocumentInfo, sheet: Sheet) -> DocumentInfo:
    """Take our own reading out of what waits or runs: to a person it is no edit."""
    if sheet.reading_since is None or not info.pending:
        return info
    return msgspec.structs.replace(info, pending=info.pending - 1)


class Book:
    """Documents, jobs, uploads and the connection."""

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        self.link = Link()
        self.sheets: dict[str, Sheet] = {}
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
        before = dict(self.sheets)
        present = {info.doc_id: info for info in listed}
        merged: dict[str, Sheet] = {}
        for key, sheet in before.items():
            info = present.pop(key, None)
            if info is not None:
                merged[key] = replace(sheet, info=_without_own(info, sheet), expired_at=None)
            else:
                merged[key] = self._gone(sheet)
        merged.update({key: Sheet(info) for key, info in present.items()})
        if merged != before:
            self.sheets = merged
            self.changed()

    def _gone(self, sheet: Sheet) -> Sheet:
        if sheet.is_expired:
            return sheet
        return replace(sheet, expired_at=self.clock.now(), reading_since=None)

    def update(self, document: str, **values: object) -> None:
        """Change what is known of a document."""
        sheet = self.sheets.get(document)
        if sheet is not None:
            self.sheets[document] = replace(sheet, **values)  # pyright: ignore[reportArgumentType]
            self.changed()

    def mark_gone(self, document: str) -> None:
        """Note that the server does not have the document."""
        sheet = self.sheets.get(document)
        if sheet is not None and not sheet.is_expired:
            self.sheets[document] = self._gone(sheet)
            self.changed()

    def forget(self, document: str) -> None:
        """Take a document that is gone off the list."""
        self.sheets.pop(document, None)
        self.changed()

    def dismiss(self, document: str) -> None:
        """Take the message about the last edit away."""
        self.update(document, failure=None, summary=None)

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

    def end_job(self, document: str, uid: str) -> None:
        """Take an edit off the list; the next one of its document is running now."""
        self.jobs = [job for job in self.jobs if job.uid != uid]
        following = next((job for job in self.jobs if job.document == document), None)
        if following is not None and following.state == "waiting":
            now = self.clock.steady()
            self.jobs = [
                replace(job, state="running", sent_at=now) if job.uid == following.uid else job
                for job in self.jobs
            ]
        self.changed()
