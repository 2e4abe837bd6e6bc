"""The file store over another one that holds what is sealed: bytes are opened in this process.

Workers know no key. What one is to read is opened into the work folder under a random name, as long
as that takes, and what it makes lies there until it is sealed; the folder may be one in memory.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from uuid import uuid4

from redraft.api.encryption.document_keys import DocumentKeys
from redraft.api.encryption.sealing import (
    CHUNK,
    HEADER,
    SealedFile,
    SealError,
    file_at,
    open_file,
    seal_file,
)
from redraft.api.files.local import LocalFiles, unlinked, writing
from redraft.api.files.protocol import AbsentError, DamagedError, FileStore, Span, StoredObject
from redraft.api.logs import logger_for

log = logger_for("redraft.storage")


class SealedFiles:
    """Objects that are sealed in another store.

    Args:
        inner: Where they are.
        keys: Those of their documents.
        folder: The work folder.
    """

    def __init__(self, inner: FileStore, keys: DocumentKeys, folder: Path) -> None:
        self._inner = inner
        self._keys = keys
        self._room = LocalFiles(folder)

    def prepare(self) -> None:
        """Gets both stores ready, and empties the work folder."""
        self._inner.prepare()
        self._room.prepare()

    def scratch(self) -> AbstractAsyncContextManager[Path]:
        """Gives a path for a new file in the work folder; what is left there is removed."""
        return self._room.scratch()

    async def keep(self, scratch: Path, key: str) -> StoredObject:
        """Seals a finished scratch file and stores it under a key, whole or not at all."""
        return await self.put(await writing(scratch.read_bytes), key)

    async def put(self, data: bytes, key: str) -> StoredObject:
        """Seals bytes and stores them under a key, whole or not at all."""
        document_key = await self._key(key)
        digest = await asyncio.to_thread(_digest, data)
        if document_key is not None:
            sealed = await asyncio.to_thread(seal_file, data, document_key, key)
            await self._inner.put(sealed, key)
        else:
            await self._inner.put(data, key)
        return StoredObject(len(data), digest)

    async def load(self, key: str) -> bytes:
        """Returns the whole object, opened."""
        document_key = await self._key(key)
        stored = await self._inner.load(key)
        if document_key is None:
            return stored
        try:
            return await asyncio.to_thread(open_file, stored, document_key, key)
        except SealError as error:
            raise _damaged(key) from error

    @asynccontextmanager
    async def at_hand(self, key: str, digest: str = "") -> AsyncGenerator[Path]:
        """Gives an opened copy in the work folder, which goes afterwards."""
        data = await self._checked(key, digest)
        name = self._room.worker_folders.inputs / uuid4().hex
        try:
            await writing(lambda: name.write_bytes(data))
            yield name
        finally:
            await asyncio.to_thread(unlinked, name)

    async def verify(self, key: str, digest: str) -> None:
        """Compares the opened object with the SHA-256 that it was stored with."""
        await self._checked(key, digest)

    async def size(self, key: str) -> int:
        """Says how many bytes the object has when it is opened."""
        file = await self._file(key)
        return file if isinstance(file, int) else file.plain_size

    async def read(self, key: str, span: Span) -> AsyncIterator[bytes]:
        """Streams bytes of the opened object."""
        file = await self._file(key)
        if isinstance(file, int):
            async for piece in self._inner.read(key, span):
                yield piece
            return
        if span.start >= span.stop:
            return
        for number in range(span.start // CHUNK, min((span.stop - 1) // CHUNK + 1, file.chunks)):
            stored = await self._part(key, Span(*file.place(number)))
            try:
                plain = file.opened(number, stored)
            except SealError as error:
                raise _damaged(key) from error
            start = number * CHUNK
            yield plain[max(0, span.start - start) : span.stop - start]

    async def discard(self, document: str) -> None:
        """Removes every object of a document; missing ones are no error."""
        self._keys.settle(document)
        await self._inner.discard(document)

    async def clear(self) -> None:
        """Removes what was left in the work folder and by the other store."""
        await self._inner.clear()
        await self._room.clear()

    async def documents(self) -> tuple[str, ...]:
        """Lists the documents that have objects."""
        return await self._inner.documents()

    async def free(self) -> int:
        """Says how many bytes are free, in the store and in the work folder."""
        return min(await self._inner.free(), await self._room.free())

    async def _key(self, key: str) -> bytes | None:
        return await self._keys.key(key.partition("/")[0])

    async def _checked(self, key: str, digest: str) -> bytes:
        data = await self.load(key)
        if digest and await asyncio.to_thread(_digest, data) != digest:
            raise _damaged(key)
        return data

    async def _file(self, key: str) -> SealedFile | int:
        """Returns how an object is sealed, or how many bytes one has that is not."""
        document_key = await self._key(key)
        size = await self._inner.size(key)
        if document_key is None:
            return size
        header = await self._part(key, Span(0, min(HEADER, size)))
        return file_at(header, size, document_key, key) or size

    async def _part(self, key: str, span: Span) -> bytes:
        return b"".join([piece async for piece in self._inner.read(key, span)])


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _damaged(key: str) -> AbsentError:
    log.error("a stored file is damaged; restore it from a backup", document=key)
    return DamagedError(key)
