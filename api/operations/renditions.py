"""What can be worked out from a version's file, worked out once and kept beside it.

The Markdown of a version is shared by every read of it; so are its list of changes and its clean
copy. Markdown that is asked for again stays in memory, too. All of it goes when the document goes.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from redraft.api.disk_errors import NO_ROOM
from redraft.api.errors import LostFileError, StorageError, StorageFullError
from redraft.api.files.protocol import AbsentError, FileStore, FullError, StoreError
from redraft.api.logs import error_origin, logger_for
from redraft.api.metadata.protocol import Document, Documents, Version
from redraft.api.operations.mailbox import Event
from redraft.api.operations.memory_cache import MemoryCache
from redraft.api.operations.picture_captions import PictureCaptions, written
from redraft.api.sandbox.workers import Workers
from redraft.api.settings import Settings
from redraft.engine import editor
from redraft.engine.model import Comment, Notice, Revision, View
from redraft.engine.planner.captions import Captioner
from redraft.engine.report import BlockWindow, Selection, StoredVersion

T = TypeVar("T")
log = logger_for("redraft.storage")
CACHE_BYTES = 32 * 1024 * 1024
"""How much Markdown is kept in memory, over all documents."""


class StoredReading(msgspec.Struct):
    """A read as it is kept; its Markdown is a JSON string already, as the answer wants it."""

    markdown: msgspec.Raw
    notices: tuple[Notice, ...]

    @property
    def text(self) -> str:
        """The Markdown."""
        return msgspec.json.decode(self.markdown, type=str)


class Renditions:
    """Makes and keeps what is derived from a file.

    Args:
        files: Where the files are.
        documents: Where versions are looked up.
        workers: Runs the engine.
        settings: How long a call may take (seconds).
        captioner: Describes pictures that have no words; None without a model that sees.
    """

    def __init__(
        self,
        files: FileStore,
        documents: Documents,
        workers: Workers,
        settings: Settings,
        captioner: Captioner | None = None,
    ) -> None:
        self._files = files
        self._documents = documents
        self._workers = workers
        self._seconds = settings.read_seconds
        self._cache: MemoryCache[StoredReading] = MemoryCache(CACHE_BYTES)
        self.captions = PictureCaptions(captioner, workers, self.at_hand, self._seconds)

    def announce(self, event: Event) -> None:
        """Forgets a document that is no more."""
        if event.kind in ("deleted", "expired"):
            self._cache.forget(event.document)
            self.captions.forget(event.document)

    async def captioned(
        self, document: Document, version: Version, reading: StoredReading
    ) -> StoredReading:
        """Returns a reading whose pictures say what they show, as far as that is known soon."""
        captions = await self.captions.current(document, version)
        return StoredReading(written(reading.markdown, captions), reading.notices)

    async def reading(
        self, document: Document, version: Version, view: View, remaining: float
    ) -> StoredReading:
        """Reads a version as Markdown.

        Raises:
            EngineError, WorkerError: it cannot be read.
            StoreError: its file is missing, or what was made cannot be kept.
        """

        async def make() -> StoredReading:
            seconds = min(self._seconds, remaining)
            async with self._shown(document, version, view, seconds) as stored:
                reading = await self._workers.call(
                    editor.read, stored, view, seconds=seconds, owner=document.owner
                )
            return StoredReading(
                msgspec.Raw(msgspec.json.encode(reading.markdown)), reading.notices
            )

        return await self._kept(_reading_key(document, version, view), StoredReading, make)

    @asynccontextmanager
    async def _shown(
        self, document: Document, version: Version, view: View, seconds: float
    ) -> AsyncGenerator[StoredVersion]:
        """Gives what is read for a view.

        A tracked PDF has no marks to look at: its changes are those since the upload, and before
        them it is another file.
        """
        if view == "final" or not version.number or not is_tracked_pdf(document):
            async with self._files.at_hand(key_of(document, version), version.digest) as path:
                yield StoredVersion(path)
            return
        async with self.at_hand(document, version) as stored, self._files.scratch() as before:
            if view == "markup":
                yield stored
                return
            resolution = await self._workers.call(
                editor.resolve,
                stored,
                before,
                "reject",
                Selection(all=True),
                seconds=seconds,
                owner=document.owner,
            )
            yield StoredVersion(before if resolution.resolved else stored.path)

    async def stored_reading(
        self, document: Document, version: Version, view: View
    ) -> StoredReading | None:
        """Returns the Markdown of a version if it was made before."""
        name = f"{version.blob}.{view}"
        reading = self._cache.get(document.id, name)
        if reading is not None:
            return reading
        try:
            data = await self._files.load(_reading_key(document, version, view))
        except AbsentError:
            return None
        reading = msgspec.json.decode(data, type=StoredReading)
        self._cache.put(document.id, name, reading, len(data))
        return reading

    async def changes(self, document: Document, version: Version) -> tuple[Revision, ...]:
        """Lists the tracked changes of a version."""

        async def make() -> tuple[Revision, ...]:
            async with self.at_hand(document, version) as stored:
                return await self._workers.call(
                    editor.changes, stored, seconds=self._seconds, owner=document.owner
                )

        return await self._kept(f"{key_of(document, version)}.changes", tuple[Revision, ...], make)

    async def comments(self, document: Document, version: Version) -> tuple[Comment, ...]:
        """Lists the comments of a version."""

        async def make() -> tuple[Comment, ...]:
            async with self.at_hand(document, version) as stored:
                return await self._workers.call(
                    editor.comments, stored, seconds=self._seconds, owner=document.owner
                )

        return await self._kept(f"{key_of(document, version)}.comments", tuple[Comment, ...], make)

    async def blocks(self, document: Document, version: Version) -> BlockWindow:
        """Lists all blocks of a version with the ids that operations name."""

        async def make() -> BlockWindow:
            async with self.at_hand(document, version) as stored:
                return await self._workers.call(
                    editor.blocks, stored, "", None, seconds=self._seconds, owner=document.owner
                )

        return await self._kept(f"{key_of(document, version)}.blocks", BlockWindow, make)

    async def clean(self, document: Document, version: Version) -> str:
        """Makes the copy in which our changes are accepted; returns its key."""
        return await self._copy(document, version, "clean", editor.clean)

    async def redline(self, document: Document, version: Version) -> str:
        """Makes the copy of a tracked PDF that shows its changes; returns its key."""
        return await self._copy(document, version, "redline", editor.redline)

    async def word(self, document: Document, version: Version, *, is_redline: bool) -> str:
        """Makes the Word document of a tracked PDF, with or without changes; returns its key."""
        if is_redline:
            return await self._copy(document, version, "redline.docx", editor.as_word)
        return await self._copy(document, version, "plain.docx", as_plain_word)

    @asynccontextmanager
    async def at_hand(self, document: Document, version: Version) -> AsyncGenerator[StoredVersion]:
        """Gives a version as the engine takes it, a tracked PDF with its upload.

        Raises:
            AbsentError: a file of it is not there.
            FullError, UnwritableError: no path can be made.
        """
        async with self._files.at_hand(key_of(document, version), version.digest) as path:
            if not is_tracked_pdf(document):
                yield StoredVersion(path, version.state)
                return
            first = await self._documents.version(document.id, 0)
            if first is None:
                raise AbsentError
            async with self._files.at_hand(key_of(document, first), first.digest) as original:
                yield StoredVersion(path, version.state, original)

    async def _copy(
        self,
        document: Document,
        version: Version,
        suffix: str,
        write: Callable[[StoredVersion, Path], None],
    ) -> str:
        """Makes a copy of a version's file unless there is one; returns its key."""
        target = f"{key_of(document, version)}.{suffix}"
        try:
            await self._files.size(target)
        except AbsentError:
            async with (
                self.at_hand(document, version) as stored,
                self._files.scratch() as scratch,
            ):
                await self._workers.call(
                    write, stored, scratch, seconds=self._seconds, owner=document.owner
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


def as_service_error(error: Exception) -> Exception:
    """Says what a fault of the file store is in the words for callers; any other stays as it is.

    The words for callers do not say what the system said; the log does.
    """
    if isinstance(error, (StoreError, OSError)):
        log.error("the storage failed", origin=error_origin(error))
    if isinstance(error, AbsentError):
        return LostFileError()
    if isinstance(error, FullError) or (isinstance(error, OSError) and error.errno in NO_ROOM):
        return StorageFullError()
    return StorageError(retry_after=5) if isinstance(error, (StoreError, OSError)) else error


def as_plain_word(stored: StoredVersion, target: Path) -> None:
    """Writes a PDF as a Word document without changes: as it stands it is its own original."""
    editor.as_word(StoredVersion(stored.path), target)


def _reading_key(document: Document, version: Version, view: View) -> str:
    return f"{key_of(document, version)}.{view}"


def key_of(document: Document, version: Version) -> str:
    """Returns the key of a version's file."""
    return f"{document.id}/{version.blob}"


def is_tracked_pdf(document: Document) -> bool:
    """Whether the changes of a document are counted against its upload: its file has no marks."""
    return document.tracked and document.format == "pdf"
