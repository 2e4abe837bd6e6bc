"""Deletes documents whose time is over: the row first, then the files, then every trace."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace

from redraft.api.clock import Clock
from redraft.api.files.protocol import FileStore
from redraft.api.logs import error_origin, logger_for
from redraft.api.metadata.audit import SERVICE, Entry
from redraft.api.metadata.protocol import Metadata, MetadataError
from redraft.api.metrics import Sweeps
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
        prepare: Called before each sweep.
        report: Told what sweeps came to, after each.
    """

    def __init__(
        self,
        metadata: Metadata,
        files: FileStore,
        mailbox: Mailbox,
        announce: Callable[[Event], None],
        clock: Clock,
        seconds: float,
        prepare: Callable[[], Awaitable[None]] = _nothing,
        report: Callable[[Sweeps], None] = lambda _: None,
    ) -> None:
        self._metadata = metadata
        self._files = files
        self._mailbox = mailbox
        self._announce = announce
        self._clock = clock
        self._seconds = seconds
        self._prepare = prepare
        self._orphans: frozenset[str] = frozenset()
        self._head: Entry | None = None
        self._report = report
        self._sweeping = asyncio.Lock()
        self.sweeps = Sweeps()

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
        async with self._sweeping:
            started = self._clock.monotonic()
            now = self._clock.now()
            try:
                count = await self._sweep()
            except (MetadataError, OSError):
                self.sweeps = replace(self.sweeps, failed=self.sweeps.failed + 1)
                self._report(self.sweeps)
                raise
            spent = self._clock.monotonic() - started
            before = self.sweeps
            self.sweeps = Sweeps(
                before.count + 1, before.failed, before.expired + count, now, round(spent, 6)
            )
            self._report(self.sweeps)

    async def _sweep(self) -> int:
        """Sweeps once; returns how many documents have expired."""
        await self._prepare()
        now = self._clock.now()
        await self._metadata.keys.mark(now)
        expired = await self._metadata.documents.expire(now)
        for document in expired:
            self._announce(Event("expired", document))
            self._mailbox.vanish(document)
        await self._discard(expired)
        known = await self._metadata.documents.known()
        await self._discard_orphans(known)
        await self._files.clear()
        await self._mailbox.sweep()
        await self._tell_head()
        # The log of the database still holds what was deleted, until it is emptied.
        await self._metadata.documents.wipe()
        return len(expired)

    async def _discard(self, expired: Collection[str]) -> None:
        """Removes the objects of what expired, and of what the database has noted as garbage."""
        documents = self._metadata.documents
        gone = tuple(dict.fromkeys((*expired, *await documents.garbage())))
        while gone:
            for document in gone:
                await self._erase(document)
            await documents.cleared(gone)
            gone = await documents.garbage()

    async def _erase(self, document: str) -> None:
        await self._files.discard(document)
        await self._metadata.audit.record(self._clock.now(), SERVICE, "erased", document)

    async def _tell_head(self) -> None:
        """Writes the head of the audit log into the log, where whoever cuts the one has no hand."""
        head = await self._metadata.audit.head()
        if head is not None and head != self._head:
            self._head = head
            log.info("the audit log", head=f"{head.number}:{head.hash}")

    async def _discard_orphans(self, known: frozenset[str]) -> None:
        """Removes files of documents that are not known, once two sweeps in a row have seen them.

        An upload keeps its file a moment before its row, so the first sight proves nothing.
        """
        unknown = frozenset(await self._files.documents()) - known
        for document in unknown & self._orphans:
            await self._erase(document)
        self._orphans = unknown
