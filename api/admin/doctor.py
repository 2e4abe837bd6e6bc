"""`redraft doctor`: looks at the set-up and says in one line each what it found."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from redraft.api.disk_errors import unusable
from redraft.api.errors import ServiceError
from redraft.api.files.local import LocalFiles
from redraft.api.metadata.protocol import MetadataError
from redraft.api.sandbox.process_limits import has_network, sees
from redraft.api.sandbox.workers import workers
from redraft.api.serve import holder_of, is_taken
from redraft.api.settings import Settings
from redraft.api.stores import open_files, open_metadata

DONE, FAILED = 0, 1
ENOUGH_ROOM = 1024 * 1024 * 1024
MEBIBYTE = 1024 * 1024
REACHES = {
    False: "reaches no network",
    True: "can reach the network; Linux on x86-64 or ARM64 refuses that to it, and elsewhere a "
    "container with an internal network does",
}
READS = {
    False: "reads no files but those of its document",
    True: "can read all files of this user; Linux 5.13 or newer with landlock refuses that to it",
}


class _FindingError(Exception):
    """Something that has to be put right."""


def examine(settings: Settings, environment: Mapping[str, str], output: TextIO) -> int:
    """Runs every check; 0 when the service would work, 1 when something has to be put right."""
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("data folder", lambda: _folder(settings.data_dir)),
        ("database", lambda: asyncio.run(_database(settings))),
        ("files", lambda: asyncio.run(_files(settings))),
        ("server", lambda: _server(settings)),
        ("worker", lambda: asyncio.run(_worker(settings))),
        ("language model", lambda: _model(environment)),
    )
    failed = False
    for name, check in checks:
        try:
            output.write(f"ok    {name}: {check()}\n")
        except (_FindingError, MetadataError, ServiceError, OSError) as error:
            failed = True
            reason = unusable(settings.data_dir, error) if isinstance(error, OSError) else error
            output.write(f"fault {name}: {reason}\n")
    return FAILED if failed else DONE


def _folder(folder: Path) -> str:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        message = f"{folder} cannot be written by this user"
        raise _FindingError(message)
    free = shutil.disk_usage(folder).free
    if free < ENOUGH_ROOM:
        message = f"{folder} has only {free // MEBIBYTE} MiB free"
        raise _FindingError(message)
    return f"{folder}, {free // MEBIBYTE} MiB free"


async def _database(settings: Settings) -> str:
    metadata = await open_metadata(settings)
    try:
        document_ids = await metadata.documents.known()
        keys = await metadata.keys.list()
    finally:
        await metadata.close()
    told = f"{len(document_ids)} documents, {len(keys) + len(settings.api_keys)} keys"
    return told + (await _shared(settings) if settings.database_url else "")


async def _shared(settings: Settings) -> str:
    """Says what several services that share a database have to know of it."""
    from redraft.api.metadata.postgres_database import probe  # only where it is installed

    probed = await probe(settings.database_url)
    if not probed.is_direct:
        events = "a pool by transaction stands in between, so events of other services come late"
    else:
        events = "events of other services are heard" if probed.hears else "NOTIFY is not heard"
    off = probed.now - time.time()
    clock = f"its clock, by which all go, is {off:+.0f} s off this one"
    return f"; PostgreSQL {probed.release}, schema {probed.steps}, {events}; {clock}"


async def _files(settings: Settings) -> str:
    await open_files(settings)
    if not settings.files_url:
        return "in the data folder"
    return "in a bucket, which takes new objects and overwrites none"


def _server(settings: Settings) -> str:
    holder = holder_of(settings.data_dir) if is_taken(settings.data_dir) else None
    return "not running" if holder is None else f"runs at {holder.url} (pid {holder.pid})"


async def _worker(settings: Settings) -> str:
    with TemporaryDirectory() as folder:
        files = LocalFiles(Path(folder))
        await asyncio.to_thread(files.prepare)
        pool = workers(
            min(1, settings.workers), settings.worker_memory_mb * MEBIBYTE, files.worker_folders
        )
        await pool.start()
        try:
            pid = await pool.call(os.getpid, seconds=30)
            reaches = await pool.call(has_network, seconds=30)
            reads = await pool.call(sees, Path("/"), seconds=30)
        finally:
            await pool.stop()
    if not settings.workers:
        service = "is the service itself, with its network and files"
        return f"answers (pid {pid}) and {service}; set REDRAFT_WORKERS to 1 or more"
    return f"answers (pid {pid}) and {REACHES[reaches]}, and {READS[reads]}"


def _model(environment: Mapping[str, str]) -> str:
    name = environment.get("REDRAFT_MODEL", "")
    if not environment.get("OPENAI_API_KEY") and not environment.get("OPENAI_BASE_URL"):
        return "none; the built-in interpreter answers (OPENAI_API_KEY, OPENAI_BASE_URL add one)"
    return f"{name or 'the default one'} at {environment.get('OPENAI_BASE_URL', 'its maker')}"
