"""Tells other processes on the same database what happens: hints, which may be lost.

Whoever hears nothing finds out by asking, a second later. A hint is sent in a transaction of its
own, many in one, since PostgreSQL lets one such transaction commit at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable

import asyncpg
import msgspec

from redraft.api.logs import logger_for
from redraft.api.metadata.postgres_database import CONNECT_SECONDS, FAULTS, PostgresDatabase
from redraft.api.metadata.protocol import MetadataError, Note

CHANNEL = "redraft"
LARGEST = 7_000
"""Bytes of one hint; PostgreSQL takes up to 8,000."""
MOST_WAITING = 1_000
PAUSE_SECONDS = 0.02
"""How long hints are collected before they are sent together."""
AGAIN_SECONDS = 5.0
log = logger_for("redraft.channel")


class PostgresChannel:
    """Hints over NOTIFY; one connection listens, which no pool may stand in front of.

    Args:
        database: Over which hints are sent.
        url: Where to listen.
        sender: The name of this process, which hears none of its own.
    """

    def __init__(self, database: PostgresDatabase, url: str, sender: str) -> None:
        self._database = database
        self._url = url
        self._sender = sender
        self._notes: deque[Note] = deque(maxlen=MOST_WAITING)
        self._written = asyncio.Event()

    def publish(self, note: Note) -> None:
        """Tells the others, soon; never waits."""
        self._notes.append(note)
        self._written.set()

    async def run(self, hear: Callable[[Note], None]) -> None:
        """Sends and hears until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._send())
            if self._database.is_pooled:
                log.warning("a pool stands in between: events of other services are not heard")
            else:
                tasks.create_task(self._listen(hear))

    async def _send(self) -> None:
        while True:
            await self._written.wait()
            await asyncio.sleep(PAUSE_SECONDS)
            self._written.clear()
            while self._notes:
                payload = self._payload()
                with contextlib.suppress(MetadataError):  # it is a hint
                    async with self._database.transaction() as connection:
                        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, payload)

    def _payload(self) -> str:
        """Takes as many notes as go into one hint."""
        notes = [self._notes.popleft()]
        size = 0
        while self._notes and size < LARGEST:
            size = len(msgspec.json.encode((self._sender, (*notes, self._notes[0]))))
            if size < LARGEST:
                notes.append(self._notes.popleft())
        return msgspec.json.encode((self._sender, notes)).decode()

    async def _listen(self, hear: Callable[[Note], None]) -> None:
        def heard(_connection: object, _pid: int, _channel: str, payload: object) -> None:
            sender, notes = msgspec.json.decode(str(payload), type=tuple[str, tuple[Note, ...]])
            if sender != self._sender:
                for note in notes:
                    hear(note)

        while True:
            ended = asyncio.Event()
            try:
                connection = await asyncpg.connect(self._url, timeout=CONNECT_SECONDS)
                connection.add_termination_listener(lambda _, ended=ended: ended.set())
                try:
                    await connection.add_listener(CHANNEL, heard)
                    await ended.wait()
                finally:
                    connection.terminate()
            except FAULTS as error:
                log.warning("events of other services are not heard", error=type(error).__name__)
            await asyncio.sleep(AGAIN_SECONDS)
