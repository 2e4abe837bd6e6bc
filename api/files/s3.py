"""The file store in a bucket: objects that are created and never overwritten.

What a process leaves that was killed before its commit is garbage and never damage. Workers see no
network: what they read is downloaded into the room of this process, and what they make is uploaded
from it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    PermissionDeniedError,
    UnauthenticatedError,
)
from obstore.store import S3Store

from redraft.api.files.local import LocalFiles, unlinked
from redraft.api.files.protocol import (
    AbsentError,
    DamagedError,
    Span,
    StoredObject,
    StoreError,
    UnwritableError,
)
from redraft.api.logs import logger_for

CHUNK = 1024 * 1024
RETRY_SECONDS = 60
"""How long an operation waits for a store that is gone or fails."""
MOST_RETRIES = 100
LONGEST_PAUSE = timedelta(seconds=5)
ANSWER_SECONDS = 5.0
"""How long a store may take to say that it is there."""
PROBE = "probe"
PROBE_SECONDS = 15.0
REFUSED = "it refuses the key of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
SILENT = (
    "it does not answer; look at its `endpoint`, at the name of the bucket, and whether "
    "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set"
)
OVERWRITES = "the store overwrites objects that are there; it must refuse to (If-None-Match)"
T = TypeVar("T")
log = logger_for("redraft.storage")


def bucket(url: str) -> S3Store:
    """Opens the bucket of `s3://bucket/prefix?endpoint=http://host:port&region=name`.

    The credentials are those of the environment (AWS_ACCESS_KEY_ID and so on).
    """
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    region = query.get("region", "us-east-1")
    is_plain = query.get("endpoint", "").startswith("http://")
    return S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        endpoint=query.get("endpoint", f"https://s3.{region}.amazonaws.com"),
        region=region,
        virtual_hosted_style_request=False,
        client_options={
            "allow_http": is_plain,
            "connect_timeout": "5s",
            "timeout": "30s",
        },
        retry_config={
            "max_retries": MOST_RETRIES,
            "retry_timeout": timedelta(seconds=RETRY_SECONDS),
            "backoff": {
                "init_backoff": timedelta(milliseconds=100),
                "max_backoff": LONGEST_PAUSE,
                "base": 2,
            },
        },
    )


class S3Files:
    """Objects of one bucket.

    Args:
        store: The bucket.
        folder: Where this process has its room for workers.
    """

    def __init__(self, store: S3Store, folder: Path) -> None:
        self._store = store
        self._room = LocalFiles(folder)
        self.worker_folders = self._room.worker_folders

    def prepare(self) -> None:
        """Makes the folders of the room, and empties it of what a killed process left there."""
        self._room.prepare()

    async def probe(self) -> None:
        """Sees to it that the store takes an object, and refuses another one of the same name.

        Raises:
            UnwritableError: it does not; the message says what to look at.
        """
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self._try()
        except (PermissionDeniedError, UnauthenticatedError) as error:
            raise UnwritableError(REFUSED) from error
        except (BaseError, TimeoutError) as error:
            raise UnwritableError(SILENT) from error

    async def _try(self) -> None:
        key = f"{PROBE}/{uuid4().hex}"
        await obstore.put_async(self._store, key, b"probe", mode="create")
        try:
            await obstore.put_async(self._store, key, b"again", mode="create")
        except AlreadyExistsError:
            return
        finally:
            await obstore.delete_async(self._store, key)
        raise UnwritableError(OVERWRITES)

    def scratch(self) -> AbstractAsyncContextManager[Path]:
        """Gives a path for a new file in the room; what is left there is removed."""
        return self._room.scratch()

    async def keep(self, scratch: Path, key: str) -> StoredObject:
        """Uploads a finished scratch file under a key, whole or not at all."""
        return await self.put(await asyncio.to_thread(scratch.read_bytes), key)

    async def put(self, data: bytes, key: str) -> StoredObject:
        """Uploads bytes under a key; what is there already was made of the same version."""

        async def create() -> None:
            try:
                await obstore.put_async(self._store, key, data, mode="create")
            except AlreadyExistsError:
                log.info("an object was there already", document=key)

        await _asked(create)
        return StoredObject(len(data), hashlib.sha256(data).hexdigest())

    async def load(self, key: str) -> bytes:
        """Returns the whole object."""

        async def get() -> bytes:
            answer = await obstore.get_async(self._store, key)
            return bytes(await answer.bytes_async())

        return await _asked(get)

    @asynccontextmanager
    async def at_hand(self, key: str, digest: str = "") -> AsyncGenerator[Path]:
        """Gives a copy of the object in the room, which goes afterwards."""
        name = self.worker_folders.inputs / uuid4().hex
        data = _checked(await self.load(key), key, digest)
        try:
            await asyncio.to_thread(name.write_bytes, data)
            yield name
        finally:
            await asyncio.to_thread(unlinked, name)

    async def verify(self, key: str, digest: str) -> None:
        """Compares the object with the SHA-256 that it was stored with."""
        _checked(await self.load(key), key, digest)

    async def size(self, key: str) -> int:
        """Says how many bytes the object has."""
        return (await _asked(lambda: obstore.head_async(self._store, key)))["size"]

    async def read(self, key: str, span: Span) -> AsyncIterator[bytes]:
        """Streams bytes of the object, at most 1 MiB at a time."""
        for start in range(span.start, span.stop, CHUNK):
            end = min(start + CHUNK, span.stop)

            async def get(start: int = start, end: int = end) -> bytes:
                return bytes(await obstore.get_range_async(self._store, key, start=start, end=end))

            yield await _asked(get)

    async def discard(self, document: str) -> None:
        """Removes every object of a document; missing ones are no error."""

        async def remove() -> None:
            objects = await listed(self._store, f"{document}/")
            if objects:
                await obstore.delete_async(self._store, objects)

        await _asked(remove)

    async def clear(self) -> None:
        """Removes what workers that were killed have left in the room."""
        await self._room.clear()

    async def documents(self) -> tuple[str, ...]:
        """Names none: a bucket is not listed to look for what nobody knows."""
        return ()

    async def free(self) -> int:
        """Says how many bytes are free in the room; a bucket has no end.

        Raises:
            UnwritableError: the bucket or the room cannot be reached.
        """
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                with suppress(AbsentError):
                    await self.size(f"{PROBE}/none")
        except TimeoutError as error:
            raise UnwritableError(type(error).__name__) from error
        return await self._room.free()


async def listed(store: S3Store, prefix: str) -> list[str]:
    """Lists the keys of objects; raises what the library raises."""
    objects = await obstore.list(store, prefix=prefix).collect_async()  # pyright: ignore[reportUnknownMemberType] - it may return tables of a library that is not here
    return [one["path"] for one in objects]


def _checked(data: bytes, key: str, digest: str) -> bytes:
    if digest and hashlib.sha256(data).hexdigest() != digest:
        log.error("a stored file is damaged; restore it from a backup", document=key)
        raise DamagedError(key)
    return data


async def _asked(work: Callable[[], Awaitable[T]]) -> T:
    try:
        return await work()
    except FileNotFoundError as error:
        raise AbsentError(str(error.errno)) from error
    except StoreError:
        raise
    except (BaseError, OSError) as error:
        raise UnwritableError(type(error).__name__) from error
