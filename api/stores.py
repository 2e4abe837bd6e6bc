"""Where the service keeps everything: one folder with SQLite, or PostgreSQL and a bucket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redraft.api.auth.revoked_keys import close_again
from redraft.api.clock import SET_BACK_SECONDS, Clock, DatabaseClock, SteadyClock
from redraft.api.files.local import LocalFiles
from redraft.api.files.protocol import FileStore, StoreError
from redraft.api.logs import logger_for
from redraft.api.metadata.protocol import Document, Documents, Metadata, MetadataError
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.settings import SettingError, Settings, variable

if TYPE_CHECKING:
    from redraft.api.encryption.master_keys import MasterKeys

DATABASE = "redraft.sqlite"
NO_EXTRA = "PostgreSQL and S3 need more packages; install redraft[cluster]"
OTHER_KEY = (
    f"were encrypted with a key which {variable('encryption_key')} does not give; set it to that "
    "key, or after a new one to both"
)
AT_ONCE = 1000
"""Documents that are looked up in one go."""
log = logger_for("redraft.stores")


@dataclass(frozen=True, slots=True)
class Stores:
    """What is kept, and the time that goes with it."""

    metadata: Metadata
    files: FileStore
    clock: SteadyClock
    shared_clock: DatabaseClock | None = None
    """What `clock` goes by, where several processes share the database."""


@asynccontextmanager
async def open_stores(settings: Settings, clock: Clock) -> AsyncGenerator[Stores]:
    """Opens what the settings name.

    Raises:
        MetadataError: the database or the bucket cannot be used.
    """
    folder = settings.data_dir
    await asyncio.to_thread(folder.mkdir, mode=0o700, parents=True, exist_ok=True)
    files = await open_files(settings)
    metadata = await open_metadata(settings)
    try:
        metadata, files = await _sealed(settings, metadata, files)
        await asyncio.to_thread(files.prepare)
        if metadata.operations.is_shared:
            shared = DatabaseClock(clock, metadata.keys.highest)
            await shared.follow()
            steady = SteadyClock(shared)
            await close_again(metadata.keys, settings.data_dir, steady.now())
            yield Stores(metadata, files, steady, shared)
            return
        latest = await metadata.keys.highest()
        behind = latest - clock.now()
        if behind > SET_BACK_SECONDS:
            log.warning("the clock was set back since the last stop", seconds=behind)
            await metadata.keys.set_back(clock.now(), behind)
            latest = 0.0
        steady = SteadyClock(clock, latest)
        await close_again(metadata.keys, settings.data_dir, steady.now())
        yield Stores(metadata, files, steady)
    finally:
        await metadata.close()


async def open_metadata(settings: Settings) -> Metadata:
    """Opens the database alone.

    Raises:
        MetadataError: it cannot be opened.
    """
    if not settings.database_url:
        return await SqliteMetadata.open(settings.data_dir / DATABASE, settings.durability)
    try:
        from redraft.api.metadata.postgres import PostgresMetadata  # only where it is installed
    except ImportError as error:
        raise MetadataError(NO_EXTRA) from error
    return await PostgresMetadata.open(
        settings.database_url, settings.database_connections, settings.lease_seconds
    )


async def _sealed(
    settings: Settings, metadata: Metadata, files: FileStore
) -> tuple[Metadata, FileStore]:
    """Puts encryption over what is kept, where a key is set.

    Raises:
        SettingError: there is no such key, or documents were encrypted with another one.
    """
    master = await open_master_keys(settings)
    async for document in every_document(metadata.documents):
        sealed_key = document.sealed_key
        if sealed_key is not None and (master is None or not master.is_known(sealed_key)):
            message = f"{where(settings)} holds documents that {OTHER_KEY}"
            raise SettingError(message)
    if master is None:
        return metadata, files
    from redraft.api.encryption.document_keys import DocumentKeys  # brings what is not everywhere
    from redraft.api.encryption.sealed_files import SealedFiles
    from redraft.api.encryption.sealed_metadata import SealedMetadata

    keys = DocumentKeys(master, metadata.documents)
    return SealedMetadata(metadata, keys), SealedFiles(files, keys, settings.work_folder)


async def open_master_keys(settings: Settings) -> MasterKeys | None:
    """Reads the keys that documents are encrypted with; None where none is set.

    Raises:
        SettingError: they cannot be read.
    """
    if not settings.encryption_key:
        return None
    try:
        from redraft.api.encryption.master_keys import load
    except ImportError as error:
        message = "encryption needs one more package; install redraft[encryption]"
        raise SettingError(message) from error
    return await asyncio.to_thread(load, settings.encryption_key)


async def every_document(documents: Documents) -> AsyncGenerator[Document]:
    """Gives all documents as they are stored."""
    page = await documents.every("", AT_ONCE)
    while page:
        for document in page:
            yield document
        page = await documents.every(page[-1].id, AT_ONCE)


def where(settings: Settings) -> str:
    """Names the database for a person, without the password that its address may hold."""
    if settings.database_url:
        return f"the database of {variable('database_url')}"
    return f"the database in {settings.data_dir}"


async def open_files(settings: Settings) -> FileStore:
    """Opens the files alone, and sees to it that a bucket can be used.

    Raises:
        MetadataError: it cannot.
    """
    if not settings.files_url:
        return LocalFiles(settings.data_dir)
    try:
        from redraft.api.files.s3 import S3Files, bucket  # only where it is installed
    except ImportError as error:
        raise MetadataError(NO_EXTRA) from error
    files = S3Files(bucket(settings.files_url), settings.data_dir)
    try:
        await files.probe()
    except StoreError as error:
        message = f"the bucket of {variable('files_url')} cannot be used: {error}"
        raise MetadataError(message) from error
    return files
