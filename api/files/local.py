"""The file store in a local folder: `documents/<document>/<name>`, temporary files beside it.

A file becomes visible by a rename within the folder's volume, after its bytes are on the disk, so
that a reader sees all of it or nothing, and so does a restart after a power cut.

A worker sees nothing of `documents`: what it is to read is given a random second name in `at-hand`,
as long as that takes, and what it makes lies in `scratch`.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from redraft.api.disk_errors import NO_ROOM
from redraft.api.files.protocol import (
    AbsentError,
    DamagedError,
    FullError,
    Span,
    StoredObject,
    UnwritableError,
)
from redraft.api.logs import logger_for
from redraft.api.sandbox.landlock import WorkerFolders

DOCUMENTS = "documents"
CHUNK = 1024 * 1024
log = logger_for("redraft.storage")
LEFT_SECONDS = 600.0
"""Twice what an operation may take: nobody works on a file that is older."""
T = TypeVar("T")


class LocalFiles:
    """Objects as files of one folder.

    Args:
        folder: The data folder; `documents` and the two of the room are made in it.

    Attributes:
        worker_folders: Where workers find what they read, and leave what they make.
    """

    def __init__(self, folder: Path) -> None:
        self._documents = folder / DOCUMENTS
        self.worker_folders = worker_folders_of(folder)
        self._ended: list[Path] = []
        self._ended_before: list[Path] = []

    def prepare(self) -> None:
        """Makes the folders, and empties the room of what a killed process left there."""
        for folder in (self.worker_folders.inputs, self.worker_folders.outputs):
            shutil.rmtree(folder, ignore_errors=True)
        for folder in (self._documents, self.worker_folders.inputs, self.worker_folders.outputs):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @asynccontextmanager
    async def scratch(self) -> AsyncGenerator[Path]:
        """Gives a path for a new file on the same volume; what is left there is removed."""
        path = self.worker_folders.outputs / uuid4().hex
        try:
            yield path
        finally:
            self._ended.append(path)
            await asyncio.to_thread(unlinked, path)

    async def keep(self, scratch: Path, key: str) -> StoredObject:
        """Makes a finished scratch file durable under a key, whole or not at all."""
        target = self._path(key)
        return await writing(lambda: self._keep(scratch, target))

    async def put(self, data: bytes, key: str) -> StoredObject:
        """Stores bytes durably under a key, whole or not at all."""
        async with self.scratch() as path:
            await writing(lambda: path.write_bytes(data))
            return await self.keep(path, key)

    async def load(self, key: str) -> bytes:
        """Returns the whole object."""
        return await _reading(self._path(key).read_bytes)

    @asynccontextmanager
    async def at_hand(self, key: str, digest: str = "") -> AsyncGenerator[Path]:
        """Gives a second name of the object, which nobody can guess and which goes afterwards."""
        path, name = self._path(key), self.worker_folders.inputs / uuid4().hex
        try:
            if digest:
                await self.verify(key, digest)
            await writing(lambda: _link(path, name))
            yield name
        finally:
            await asyncio.to_thread(unlinked, name)

    async def verify(self, key: str, digest: str) -> None:
        """Compares the object with the SHA-256 that it was stored with."""
        path = self._path(key)
        if await _reading(lambda: _digest(path)) != digest:
            log.error("a stored file is damaged; restore it from a backup", document=key)
            raise DamagedError(key)

    async def size(self, key: str) -> int:
        """Says how many bytes the object has."""
        path = self._path(key)
        return await _reading(lambda: path.stat().st_size)

    async def read(self, key: str, span: Span) -> AsyncIterator[bytes]:
        """Streams bytes of the object, at most 1 MiB at a time."""
        path = self._path(key)
        position = span.start
        while position < span.stop:
            length = min(CHUNK, span.stop - position)
            chunk = await _reading(lambda at=position, n=length: _read_at(path, at, n))
            if not chunk:
                raise AbsentError(key)
            position += len(chunk)
            yield chunk

    async def discard(self, document: str) -> None:
        """Removes every object of a document; missing ones are no error."""
        folder = self._documents / document
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def clear(self) -> None:
        """Removes what workers that were killed have left in scratch, once nobody can work on it.

        A worker that is being ended may write once more what was removed already.
        """
        late = (*self._ended_before, *self._ended)
        self._ended_before, self._ended = self._ended, []
        await asyncio.to_thread(_clear, self.worker_folders.outputs, late)

    async def documents(self) -> tuple[str, ...]:
        """Lists the documents that have objects."""
        return await asyncio.to_thread(
            lambda: tuple(sorted(folder.name for folder in self._documents.iterdir()))
        )

    async def free(self) -> int:
        """Says how many bytes are free on the volume."""
        folders = (self._documents, self.worker_folders.inputs, self.worker_folders.outputs)
        return await writing(lambda: min(shutil.disk_usage(folder).free for folder in folders))

    def _path(self, key: str) -> Path:
        document, _, name = key.partition("/")
        if not _is_plain(document) or not _is_plain(name):
            raise AbsentError(key)
        return self._documents / document / name

    def _keep(self, scratch: Path, target: Path) -> StoredObject:
        # Every name on the way is made durable: a rename alone may be lost at a power cut.
        if not target.parent.is_dir():
            target.parent.mkdir(mode=0o700, exist_ok=True)
            _sync_folder(self._documents)
        _sync(scratch, os.O_RDWR)
        with scratch.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        scratch.replace(target)
        _sync_folder(target.parent)
        return StoredObject(size, digest)


def has_documents(folder: Path) -> bool:
    """Whether a data folder holds files of documents."""
    documents = folder / DOCUMENTS
    return documents.is_dir() and any(documents.iterdir())


def worker_folders_of(folder: Path) -> WorkerFolders:
    """Says which parts of a data folder a worker may open."""
    return WorkerFolders(folder / "at-hand", folder / "scratch")


def _clear(folder: Path, late: Iterable[Path]) -> None:
    for path in late:
        unlinked(path)
    for path_left in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if time.time() - path_left.stat().st_mtime > LEFT_SECONDS:
                path_left.unlink()


def _link(path: Path, name: Path) -> None:
    try:
        name.hardlink_to(path)
    except OSError as error:
        if not path.is_file():
            raise AbsentError(str(error.errno)) from error
        if isinstance(error, FileNotFoundError):
            raise
        shutil.copyfile(path, name)  # a volume without second names


def _is_plain(name: str) -> bool:
    return bool(name) and name.replace("-", "").replace(".", "").isalnum() and name[0] != "."


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_at(path: Path, position: int, length: int) -> bytes:
    with path.open("rb") as file:
        file.seek(position)
        return file.read(length)


def _sync_folder(path: Path) -> None:
    """Makes the names in a folder durable, where the system lets a folder be opened."""
    if hasattr(os, "O_DIRECTORY"):
        _sync(path, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unlinked(path: Path) -> None:
    """Removes a file of the room, if it can be removed now."""
    with contextlib.suppress(OSError):  # what cannot be removed now is cleared later
        path.unlink(missing_ok=True)


async def _reading(action: Callable[[], T]) -> T:
    try:
        return await asyncio.to_thread(action)
    except OSError as error:
        raise AbsentError(str(error.errno)) from error


async def writing(action: Callable[[], T]) -> T:
    """Writes in a thread, and says in the words of the store what the system refused."""
    try:
        return await asyncio.to_thread(action)
    except OSError as error:
        kind = FullError if error.errno in NO_ROOM else UnwritableError
        raise kind(str(error.errno)) from error
