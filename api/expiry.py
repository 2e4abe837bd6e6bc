"""Deletes documents whose time is over: the row first, then the files, then every trace."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from redraft.api.clock import Clock
from redraft.api.files.protocol import FileStore
from redraft.api.logs import error_origin, logger_for
from redraft.api.metadata.protocol import Metadata, MetadataError
from redraft.api.operations.mailbox import Event, Mailbox

LEAP_SECONDS = 60.0
log = logger_for("redraft.expiry")


async def _nothing() -> None:
    """Does nothing before a sweep."""


class Sweeper:
    """Sweeps at start and every so many seconds.

    Args:
        metadata: Where documents are known.
        files: Where their bytes are.
        mailbox: Whose waiting callers are told.
        announce: Told what has expired.
        clock: When it is.
        seconds: Time between two sweeps.
        follow_clock: Called before each sweep, to follow a clock that was set back.
    """

    def __init__(
        self,
        metadata: Metadata,
        files: FileStore,
        mailbox: Mailbox,
        announce: Callable[[Event], None],
        clock: Clock,
        seconds: float,
        follow_clock: Callable[[], Awaitable[None]] = _nothing,
    ) -> None:
        self._metadata = metadata
        self._files = files
        self._mailbox = mailbox
        self._announce = announce
        self._clock = clock
        self._seconds = seconds
        self._follow_clock = follow_clock
        self._orphans: frozenset[str] = frozenset()

    async def run(self) -> None:
        """Sweeps for ever."""
        while True:
            before = self._clock.now() - self._clock.monotonic()
            await asyncio.sleep(0)
            await self._clock.sleep(self._seconds)
            leap = self._clock.now() - self._clock.monotonic() - before
            if leap > LEAP_SECONDS:
                log.warning("the clock was set forward; documents expire early", seconds=leap)
            try:
                await self.sweep()
            except (MetadataError, OSError) as error:
                log.error("a sweep failed; the next one tries again", origin=error_origin(error))  # noqa: TRY400, RUF100 - a traceback may quote a document

    async def sweep(self) -> None:
        """Deletes what is over, takes up what was left behind, and wipes the traces."""
        await self._follow_clock()
        now = self._clock.now()
        await self._metadata.keys.mark(now)
        for document in await self._metadata.documents.expire(now):
            self._announce(Event("expired", document))
            self._mailbox.vanish(document)
            await self._files.discard(document)
        known = await self._metadata.documents.known()
        await self._discard_orphans(known)
        await self._files.clear()
        await self._mailbox.sweep()
        # The log of the database still holds what was deleted, until it is emptied.
        await self._metadata.documents.wipe()

    async def _discard_orphans(self, known: frozenset[str]) -> None:
        """Removes files of documents that are not known, once two sweeps in a row have seen them.

        An upload keeps its file a moment before its row, so the first sight proves nothing.
        """
        unknown = frozenset(await self._files.documents()) - known
        for document in unknown & self._orphans:
            await self._files.discard(document)
        self._orphans = unknown
