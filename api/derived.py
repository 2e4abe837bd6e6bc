"""What can be worked out from a version's file, worked out once and kept beside it.

The Markdown of a version is shared by every read of it; so are its list of changes and its clean
copy. All of it goes when the document goes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from api.files.protocol import AbsentError, FileStore
from api.metadata.protocol import Document, Version
from api.seams import Engine
from api.settings import Settings
from api.workers import Workers
from engine.model import Notice, Revision, View

T = TypeVar("T")


class KeptReading(msgspec.Struct):
    """A read as it is kept."""

    markdown: str
    notices: tuple[Notice, ...]


class Derived:
    """Makes and keeps what is derived from a file.

    Args:
        files: Where the files are.
        workers: Runs the engine.
        engine: Does the work.
        settings: How long a call may take (seconds).
    """

    def __init__(
        self, files: FileStore, workers: Workers, engine: Engine, settings: Settings
    ) -> None:
        self._files = files
        self._workers = workers
        self._engine = engine
        self._seconds = settings.read_seconds

    async def reading(
        self, document: Document, version: Version, view: View, remaining: float
    ) -> KeptReading:
        """Read a version as Markdown.

        Raises:
            EngineError, WorkerError: it cannot be read.
            AbsentError: its file is missing.
        """

        async def make() -> KeptReading:
            async with self._files.at_hand(key_of(document, version)) as source:
                seconds = min(self._seconds, remaining)
                reading = await self._workers.call(self._engine.read, source, view, seconds=seconds)
            return KeptReading(reading.markdown, reading.notices)

        return await self._kept(f"{key_of(document, version)}.{view}", KeptReading, make)

    async def changes(self, document: Document, version: Version) -> tuple[Revision, ...]:
        """List the tracked changes of a version."""

        async def make() -> tuple[Revision, ...]:
            async with self._files.at_hand(key_of(document, version)) as source:
                return await self._workers.call(
                    self._engine.changes, source, version.state, seconds=self._seconds
                )

        return await self._kept(f"{key_of(document, version)}.changes", tuple[Revision, ...], make)

    async def clean(self, document: Document, version: Version) -> str:
        """Make the copy in which our changes are accepted; return its key."""
        key = key_of(document, version)
        target = f"{key}.clean"
        try:
            await self._files.size(target)
        except AbsentError:
            async with self._files.at_hand(key) as source, self._files.scratch() as scratch:
                await self._workers.call(
                    self._engine.clean, source, scratch, version.state, seconds=self._seconds
                )
                await self._files.keep(scratch, target)
        return target

    async def _kept(self, key: str, kind: type[T], make: Callable[[], Awaitable[T]]) -> T:
        try:
            return msgspec.json.decode(await self._files.load(key), type=kind)
        except AbsentError:
            value = await make()
        await self._files.put(msgspec.json.encode(value), key)
        return value


def key_of(document: Document, version: Version) -> str:
    """Return the key of a version's file."""
    return f"{document.id}/{version.blob}"
