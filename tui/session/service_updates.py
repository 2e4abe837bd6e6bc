"""Updates from the service: lists the documents on a schedule, and follows the open one by events.

Events arrive at once, and polling continues beside them less often. Where there are no events, or
the stream breaks, polling returns to its normal pace.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from redraft.tui.clock import Clock
from redraft.tui.session.state import Link, OpenDocument, remaining
from redraft.tui.session.store import Store, pause
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
class Dependencies:
    """What the session takes from outside: time, identifiers, waiting."""

    clock: Clock
    new_uid: Callable[[], str]
    sleep: Sleep = asyncio.sleep


class ServiceUpdates:
    """Holds the client, and brings what the service tells into the store."""

    def __init__(self, dependencies: Dependencies, store: Store) -> None:
        self.store = store
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
        self.store.link = Link()
        self.store.documents, self.store.transfers = {}, []
        self.store.changed()

    async def close(self) -> None:
        """Let go of the client."""
        if self._client is not None:
            await self._client.close()

    def server_now(self) -> float:
        """Return the wall time at the service."""
        skew = 0.0 if self._client is None else self._client.skew
        return self.store.clock.now() + skew

    def fail_to_start(self, error: ClientError) -> None:
        """Note that there is no service to connect to."""
        self.store.link = Link("refused", self.store.clock.steady(), reason=str(error))
        self.store.changed()

    async def poll(self) -> bool:
        """List the documents if it is time to; return whether it was."""
        if self._client is None or not self.is_due:
            return False
        self._next_poll = self.store.clock.steady() + self._interval()
        await self.refresh()
        # Where nobody answered, the next time is the one that people are told.
        self._next_poll = self.store.link.retry_at or self._next_poll
        return True

    @property
    def is_due(self) -> bool:
        """Whether it is time to ask again."""
        return self.store.clock.steady() >= max(self._next_poll, self.store.link.retry_at)

    def _interval(self) -> float:
        """Return the seconds until the documents are listed again."""
        is_told = bool(self.watching)
        busy = {document.id for document in self.store.documents.values() if document.info.pending}
        busy |= {job.document_id for job in self.store.jobs}
        if busy - {self.watching}:
            return POLL_BUSY
        return POLL_WATCHING if is_told else POLL

    def retry_now(self) -> None:
        """Try again at the next poll."""
        self.store.link = replace(self.store.link, retry_at=0.0)
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
        self.store.reached()
        if number > self._heard:  # an answer that was overtaken by a later one is old
            self._heard = number
            self.store.merge(listed.documents)
            self.store.note_models(listed.models)

    def _note_refusal(self, error: ClientError) -> None:
        if isinstance(error, UnreachableError):
            self.note_lost(error)
        elif isinstance(error, ServiceError):
            state = "rejected" if isinstance(error, KeyRejectedError) else "failing"
            self.store.note_link(state, error.detail)

    def note_lost(self, error: UnreachableError) -> None:
        """Notes that nobody answered: as offline where the service was reached before."""
        was_here = self.store.link.state in ("online", "offline", "failing")
        self.store.note_link("offline" if was_here else "refused", str(error))

    # Events

    def should_watch(self, document_id: str) -> bool:
        """Whether it is time to follow this document by its events."""
        document = self.store.documents.get(document_id)
        if document is None or document.is_expired or not self.store.is_online:
            return False
        return document_id != self._watched or (
            not self.watching and 0 < self._next_watch <= self.store.clock.steady()
        )

    def begin_watch(self, document_id: str) -> None:
        """Note that a document is about to be followed."""
        if document_id != self._watched:
            self._failed_watches = 0
        self._watched, self.watching, self._next_watch = document_id, "", 0.0

    async def watch(self, document_id: str) -> None:
        """Follow a document, after `begin_watch`, until it ends or the stream breaks."""
        try:
            async for event in self.client.events(document_id):
                await self._take(document_id, event)
        except ClientError:  # polling learns what is wrong, if anything is
            self._failed_watches += 1
        finally:
            if self._watched == document_id:
                self.watching = ""
                self._next_poll = min(self._next_poll, self.store.clock.steady() + POLL_BUSY)
                self._next_watch = self.store.clock.steady() + pause(self._failed_watches)

    async def _take(self, document_id: str, event: Event) -> None:
        if event.event == "opened":
            self.watching, self._failed_watches = document_id, 0
        own = next((job for job in self.store.jobs if job.uid == event.edit_uid), None)
        if own is None:
            if event.event != "progress" and event.kind not in ("read", "preview"):
                await self.refresh()
            if event.event in ("failed", "unchanged"):
                await self.read_history(document_id)
        elif event.event in ("queued", "started"):
            self.store.set_job(own.uid, "running" if event.event == "started" else "waiting")
        elif event.event == "progress":
            self.store.note_job(own.uid, event.note)

    async def read_history(self, document_id: str) -> None:
        """Read the history alone: what came to nothing is in it, and leaves the version as it was.

        Without an answer it stays what it was; the next reading of the document brings it.
        """
        try:
            history = await self.client.history(document_id)
        except ClientError:
            return
        self.store.update(document_id, history=tuple(history))

    def left(self, document: OpenDocument) -> float | None:
        """Return the seconds that a document has left."""
        return remaining(document.info, self.server_now())
