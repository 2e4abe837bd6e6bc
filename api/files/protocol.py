"""Where the bytes of documents live: immutable objects under keys that the service makes itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class StoreError(Exception):
    """Base of what the store raises on purpose."""


class AbsentError(StoreError):
    """There is no object under that key, or it cannot be read."""


class DamagedError(AbsentError):
    """The object is not what was stored."""


class FullError(StoreError):
    """The store has no space left."""


class UnwritableError(StoreError):
    """The store takes nothing: a folder of it is gone, closed to us, or can only be read."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of bytes of an object: from `start` up to, not including, `stop`."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class StoredObject:
    """What was stored: how many bytes, and their SHA-256 in hexadecimal digits."""

    size: int
    digest: str


class FileStore(Protocol):
    """Keeps objects. A key is `document/name`; an object is never changed after `keep`."""

    def prepare(self) -> None:
        """Gets the room of this process ready, before anything else."""
        ...

    def scratch(self) -> AbstractAsyncContextManager[Path]:
        """Gives a path for a new temporary file, which is removed when the block ends."""
        ...

    async def keep(self, scratch: Path, key: str) -> StoredObject:
        """Makes a finished scratch file durable under a key, whole or not at all.

        Raises:
            FullError, UnwritableError: nothing was stored.
        """
        ...

    async def put(self, data: bytes, key: str) -> StoredObject:
        """Stores bytes durably under a key, whole or not at all.

        Raises:
            FullError, UnwritableError: nothing was stored.
        """
        ...

    async def load(self, key: str) -> bytes:
        """Returns the whole object.

        Raises:
            AbsentError: it is not there.
        """
        ...

    def at_hand(self, key: str, digest: str = "") -> AbstractAsyncContextManager[Path]:
        """Gives a local path at which the object can be read, for as long as the block lasts.

        Args:
            key: The object.
            digest: The SHA-256 that it must have; empty for any.

        Raises:
            AbsentError: it is not there, or is not what was stored (DamagedError).
            FullError, UnwritableError: no path can be made.
        """
        ...

    async def verify(self, key: str, digest: str) -> None:
        """Reads the object and compares it with the SHA-256 that it was stored with.

        Raises:
            AbsentError: it is not there.
            DamagedError: its bytes have changed since it was stored.
        """
        ...

    async def size(self, key: str) -> int:
        """Says how many bytes the object has.

        Raises:
            AbsentError: it is not there.
        """
        ...

    def read(self, key: str, span: Span) -> AsyncIterator[bytes]:
        """Streams bytes of the object.

        Raises:
            AbsentError: it is not there.
        """
        ...

    async def discard(self, document: str) -> None:
        """Removes every object of a document; missing ones are no error."""
        ...

    async def clear(self) -> None:
        """Removes scratch files that are too old to be of any work that goes on."""
        ...

    async def documents(self) -> tuple[str, ...]:
        """Lists the documents that have objects."""
        ...

    async def free(self) -> int:
        """Says how many bytes are free.

        Raises:
            UnwritableError: the store takes nothing, however much is free.
        """
        ...
