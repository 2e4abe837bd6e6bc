"""Tells watchers what happens to documents, while it happens.

Events are not kept: who connects late, or again, reads the list and the history.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import contextmanager

import msgspec

from redraft.api.clock import Clock, iso
from redraft.api.operations.mailbox import Event

MOST_WAITING = 256
QUIET_SECONDS = 15.0
ENDINGS = ("expired", "deleted")


class EventBody(msgspec.Struct, kw_only=True, rename="camel"):
    """The data of one server-sent event."""

    document_id: str
    event: str
    kind: str | None
    edit_uid: str | None
    note: str
    at: str


class Broadcaster:
    """Hands events on to whoever watches a document."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._watchers: dict[str, set[asyncio.Queue[Event | None]]] = {}
        self._is_closed = False

    def announce(self, event: Event) -> None:
        """Tells the watchers of a document; one that is too slow is let go."""
        for queue in tuple(self._watchers.get(event.document, ())):
            if queue.full():
                queue.get_nowait()
                queue.put_nowait(None)
            else:
                queue.put_nowait(event)

    def is_watched(self, document: str) -> bool:
        """Whether anybody would hear of a document."""
        return document in self._watchers

    def close(self) -> None:
        """Lets all watchers go, as the service stops."""
        self._is_closed = True
        for queues in self._watchers.values():
            for queue in queues:
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(None)

    @contextmanager
    def listening(self, document: str) -> Generator[asyncio.Queue[Event | None]]:
        """Gives the events of a document as they happen; None says that no more will come."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue(MOST_WAITING)
        self._watchers.setdefault(document, set()).add(queue)
        try:
            yield queue
        finally:
            watchers = self._watchers[document]
            watchers.discard(queue)
            if not watchers:
                del self._watchers[document]

    async def watch(
        self, document: str, is_open: Callable[[], Awaitable[bool]]
    ) -> AsyncGenerator[bytes]:
        """Streams the events of a document as server-sent events, until it ends.

        Or until `is_open` says that who watches may not any more; it is asked before each word.
        """
        with self.listening(document) as queue:
            yield b"retry: 2000\n\n"
            while not self._is_closed:
                try:
                    event = await asyncio.wait_for(queue.get(), QUIET_SECONDS)
                except TimeoutError:
                    if not await is_open():
                        return
                    yield b": still here\n\n"
                    continue
                if event is None or not await is_open():
                    return
                yield self._written(event)
                if event.kind in ENDINGS:
                    return

    def _written(self, event: Event) -> bytes:
        body = EventBody(
            document_id=event.document,
            event=event.kind,
            kind=event.operation,
            edit_uid=event.uid or None,
            note=event.note,
            at=iso(self._clock.now()),
        )
        return b"event: %s\ndata: %s\n\n" % (event.kind.encode(), msgspec.json.encode(body))
