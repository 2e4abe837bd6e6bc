"""The line to the service: lists the documents when it is time, and follows the open one by events.

Events come at once and polling goes on beside them, less often; where there are no events, or the
stream breaks, polling is as quick as without.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from redraft.tui.clock import Clock
from redraft.tui.session.state import Link, Sheet, remaining
from redraft.tui.session.store import Book, pause
from redraft.tui.transport.failures import (
    ClientError,
    KeyRejectedError,
    ServiceError,
    UnreachableError,
)
from redraft.tui.transport.wire import Event

if TYPE_CHECKING:  # httpx takes a tenth of a second, and the first frame does not need it
    from redraft.tui.transport.client import Client

Sleep = Callable[[float], Awaitable[None]]
POLL = 5.0
POLL_BUSY = 1.5
POLL_WATCHING = 20.0


@dataclass(frozen=True, slots=True)
class Seams:
    """What the desk takes from outside: time, identifiers, waiting."""

    clock: Clock
    new_uid: Callable[[], str]
    sleep: Sleep = asyncio.sleep


class ServiceLine(Book):
    """What the service tells by itself, and when it is asked."""

    def __init__(self, seams: Seams, changed: Callable[[], None]) -> None:
        super().__init__(seams.clock, changed)
        self._seams = seams
        self._client: Client | None = None
        self._next_poll = 0.0
        self._asked = self._heard = 0
        self._watched = ""
        self._next_watch = 0.0
        self._failed_watches = 0
        self.watching = ""  # the document whose events come

    # The connection

    @property
    def client(self) -> Client:
        """The client.

        Raises:
            UnreachableError: there is none yet.
        """
        if self._client is None:
            message = "not connected yet"
            raise UnreachableError(message)
        return self._client

    @property
    def has_client(self) -> bool:
        """Whether there is an address to ask."""
        return self._client is not None

    @property
    def key_end(self) -> str:
        """The last characters of the key, enough to tell one from another."""
        return "" if self._client is None else self._client.key[-4:]

    def connect(self, client: Client) -> None:
        """Use this client from now on."""
        self._client = client
        self._next_poll = 0.0

    def disconnect(self) -> None:
        """Forget the service and its documents."""
        self._client = None
        self._watched = self.watching = ""
        self.link = Link()
        self.sheets, self.transfers = {}, []
        self.changed()

    async def close(self) -> None:
        """Let go of the client."""
        if self._client is not None:
            await self._client.close()

    def server_now(self) -> float:
        """Return the wall time at the service."""
        skew = 0.0 if self._client is None else self._client.skew
        return self.clock.now() + skew

    def fail_to_start(self, error: ClientError) -> None:
        """Note that there is no service to connect to."""
        self.link = Link("refused", self.clock.steady(), reason=str(error))
        self.changed()

    async def poll(self) -> bool:
        """List the documents if it is time to; return whether it was."""
        if self._client is None or not self.is_due:
            return False
        self._next_poll = self.clock.steady() + self._interval()
        await self.refresh()
        # Where nobody answered, the next time is the one that people are told.
        self._next_poll = self.link.retry_at or self._next_poll
        return True

    @property
    def is_due(self) -> bool:
        """Whether it is time to ask again."""
        return self.clock.steady() >= max(self._next_poll, self.link.retry_at)

    def _interval(self) -> float:
        """Return the seconds until the documents are listed again."""
        is_told = bool(self.watching)
        busy = {sheet.id for sheet in self.sheets.values() if sheet.info.pending}
        busy |= {job.document for job in self.jobs}
        if busy - {self.watching}:
            return POLL_BUSY
        return POLL_WATCHING if is_told else POLL

    def retry_now(self) -> None:
        """Try again at the next poll."""
        self.link = replace(self.link, retry_at=0.0)
        self._next_poll = 0.0

    async def refresh(self) -> None:
        """List the documents and learn which are new, changed or gone."""
        client = self._client
        if client is None:
            return
        self._asked += 1
        number = self._asked
        try:
            listed = await client.documents()
        except ClientError as error:
            if client is self._client:  # and no other was connected in the meantime
                self._note_refusal(error)
            return
        if client is not self._client:
            return
        self.reached()
        if number > self._heard:  # an answer that was overtaken by a later one is old
            self._heard = number
            self.merge(listed.documents)
            self.note_models(listed.models)

    def _note_refusal(self, error: ClientError) -> None:
        if isinstance(error, UnreachableError):
            self._lost(error)
        elif isinstance(error, ServiceError):
            state = "rejected" if isinstance(error, KeyRejectedError) else "failing"
            self.note_link(state, error.detail)

    def _lost(self, error: UnreachableError) -> None:
        was_here = self.link.state in ("online", "offline", "failing")
        self.note_link("offline" if was_here else "refused", str(error))

    # Events

    def should_watch(self, document: str) -> bool:
        """Whether it is time to follow this document by its events."""
        sheet = self.sheets.get(document)
        if sheet is None or sheet.is_expired or not self.is_online:
            return False
        return document != self._watched or (
            not self.watching and 0 < self._next_watch <= self.clock.steady()
        )

    def begin_watch(self, document: str) -> None:
        """Note that a document is about to be followed."""
        if document != self._watched:
            self._failed_watches = 0
        self._watched, self.watching, self._next_watch = document, "", 0.0

    async def watch(self, document: str) -> None:
        """Follow a document, after `begin_watch`, until it ends or the stream breaks."""
        try:
            async for event in self.client.events(document):
                await self._take(document, event)
        except ClientError:  # polling learns what is wrong, if anything is
            self._failed_watches += 1
        finally:
            if self._watched == document:
                self.watching = ""
                self._next_poll = min(self._next_poll, self.clock.steady() + POLL_BUSY)
                self._next_watch = self.clock.steady() + pause(self._failed_watches)

    async def _take(self, document: str, event: Event) -> None:
        if event.event == "opened":
            self.watching, self._failed_watches = document, 0
        own = next((job for job in self.jobs if job.uid == event.edit_uid), None)
        if own is None:
            if event.event != "progress" and event.kind != "read":
                await self.refresh()
            if event.event in ("failed", "unchanged"):
                await self.read_history(document)
        elif event.event in ("queued", "started"):
            self.set_job(own.uid, "running" if event.event == "started" else "waiting")
        elif event.event == "progress":
            self.note_job(own.uid, event.note)

    async def read_history(self, document: str) -> None:
        """Read the history alone: what came to nothing is in it, and leaves the version as it was.

        Without an answer it stays what it was; the next reading of the document brings it.
        """
        try:
            history = await self.client.history(document)
        except ClientError:
            return
        self.update(document, history=tuple(history))

    def left(self, sheet: Sheet) -> float | None:
        """Return the seconds that a document has left."""
        return remaining(sheet.info, self.server_now())
