"""Runs the service as a process: one per data folder, stopped by SIGTERM without losing work."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TextIO

import msgspec
import uvicorn

from redraft import file_lock
from redraft.api.app import Application, Externals, Mount, running
from redraft.api.auth.api_keys import new_key
from redraft.api.clock import SystemClock
from redraft.api.disk_errors import unusable
from redraft.api.errors import WorkerError
from redraft.api.files.local import DOCUMENTS, has_documents, worker_folders_of
from redraft.api.http_server.http_connection import timed
from redraft.api.logs import logger_for, start_logging
from redraft.api.metadata.protocol import MetadataError
from redraft.api.operations.metering import Meter, metered
from redraft.api.operations.planner import Planner
from redraft.api.sandbox.system_calls import hide
from redraft.api.sandbox.workers import workers
from redraft.api.settings import Settings, variable
from redraft.api.stores import DATABASE, open_metadata, where
from redraft.api.tracing import NO_TRACES, open_traces
from redraft.engine.instruct import Calls, Instruction, Planned
from redraft.engine.planner.captions import Captioner
from redraft.engine.planner.model import Models

DONE, FAILED, WRONG_USE = 0, 1, 2
NO_KEY = "there is no API key in the shared database; create one with `redraft keys create`"
KEY_FILE = "api-key"
LOCK_FILE = "server.lock"
KEEP_ALIVE_SECONDS = 65
CLOSING_SECONDS = 5
BACKLOG = 2048
MOST_DESCRIPTORS = 65_536
OWN_DESCRIPTORS = 256
"""Descriptors that are kept for files, the database and the workers."""
MOST_WITHOUT_LIMIT = 1000
log = logger_for("redraft.serve")


class StartError(Exception):
    """The service cannot start; the message says why and what to do."""


class Holder(msgspec.Struct):
    """What the lock file says about the process that holds the data folder."""

    pid: int
    url: str


def serve(settings: Settings, environment: Mapping[str, str], mount: Mount | None = None) -> int:
    """Runs the service until it is told to stop.

    Args:
        settings: How.
        environment: Where the language model is looked up.
        mount: What else is served.

    Returns:
        0 after an orderly stop, 2 with a sentence when it cannot start.
    """
    start_logging(settings.log_format, settings.log_level)
    hide()
    return serve_with(settings, lambda: replace(shipped(settings, environment), mount=mount))


def shipped(settings: Settings, environment: Mapping[str, str]) -> Externals:
    """Says what the service works with when nothing else is put in."""
    models = _models(environment)
    return Externals(
        workers(
            settings.workers,
            settings.worker_memory_mb * 1024 * 1024,
            worker_folders_of(settings.work_folder),
        ),
        _planner(models),
        SystemClock(),
        models.names,
        tracing=open_traces() if settings.traces == "on" else NO_TRACES,
        captioner=None if models.vision is None else Captioner(models.vision),
    )


def serve_with(settings: Settings, externals: Callable[[], Externals]) -> int:
    """Runs the service with workers, a planner and a clock of the caller's choice.

    `outside` is called once it is sure that the service can start.
    """
    os.umask(0o077)  # whatever is made from here on is for this user alone
    try:
        with take_folder(settings.data_dir) as lock:
            asyncio.run(_serve(settings, externals, lock))
    except StartError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(unusable(settings.data_dir, error))
    return DONE


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"redraft: {sentence}\n")
    return WRONG_USE


def take_folder(folder: Path) -> TextIO:
    """Makes the data folder if needed, and lock it for this process until the file is closed.

    Raises:
        StartError: another process has it, or it cannot be written.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / LOCK_FILE).open("a+", encoding="utf-8")
    except OSError as error:
        raise StartError(unusable(folder, error)) from error
    try:
        file_lock.lock(lock)
    except OSError as error:
        holder = holder_of(folder)
        lock.close()
        pid = "another process" if holder is None else f"pid {holder.pid}"
        message = (
            f"the data folder is in use by {pid}; use another {variable('data_dir')}, "
            "or stop that process: a SQLite data folder belongs to one process"
        )
        raise StartError(message) from error
    if not (folder / DATABASE).exists() and has_documents(folder):
        lock.close()
        message = (
            f"{folder} has documents and no database; restore {DATABASE} from a backup, or move "
            f"the folder {folder / DOCUMENTS} away, whose files would be deleted otherwise"
        )
        raise StartError(message)
    return lock


def is_taken(folder: Path) -> bool:
    """Whether a process holds a data folder; one that was killed leaves its words, not its lock."""
    try:
        with (folder / LOCK_FILE).open("r+b") as lock:
            file_lock.lock(lock, is_shared=True)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def holder_of(folder: Path) -> Holder | None:
    """Says which process holds a data folder, as it wrote itself; None when nobody did."""
    try:
        return msgspec.json.decode((folder / LOCK_FILE).read_bytes(), type=Holder)
    except (OSError, msgspec.DecodeError):
        return None


class _Server(uvicorn.Server):
    """A server that drains the mailboxes before it stops listening."""

    def __init__(self, config: uvicorn.Config, application: Application) -> None:
        super().__init__(config)
        self._application = application
        self._loop = asyncio.get_running_loop()
        self._is_stopping = False
        self._draining: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begins to drain at the first signal; stops at once at the second."""
        if self._is_stopping:
            self.force_exit = True
            super().handle_exit(sig, frame)
            return
        self._is_stopping = True
        self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        log.info("stopping; new operations are refused")
        try:
            await self._application.drain()
        finally:
            self.should_exit = True


async def _serve(settings: Settings, externals: Callable[[], Externals], lock: TextIO) -> None:
    try:
        await _check_keys(settings)
    except MetadataError as error:
        message = f"{where(settings)} cannot be opened: {error}"
        raise StartError(message) from error
    with _listen(settings) as listener:
        host, port = listener.getsockname()[:2]
        url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        try:
            async with running(settings, externals()) as application:
                _write_holder(lock, Holder(os.getpid(), url))
                sys.stderr.write(f"redraft: listening on {url}\n")
                sys.stderr.flush()
                await _Server(_configuration(settings, application), application).serve([listener])
        except MetadataError as error:
            message = f"{where(settings)} cannot be opened: {error}"
            raise StartError(message) from error
        except WorkerError as error:
            raise StartError(error.detail) from error
        finally:
            lock.truncate(0)


def _configuration(settings: Settings, application: Application) -> uvicorn.Config:
    return uvicorn.Config(
        application.asgi,
        http=timed(settings.header_seconds),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=CLOSING_SECONDS,
        limit_concurrency=_connection_limit(settings),
    )


def _connection_limit(settings: Settings) -> int:
    """Returns how many connections are served at once, as descriptors allow; raises their limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return settings.connection_limit or MOST_WITHOUT_LIMIT
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    room = max(16, (MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft) - OWN_DESCRIPTORS)
    return min(settings.connection_limit or room, room)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # With the protocol named, asyncio turns off Nagle's algorithm, which costs 40 ms an answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        # Whoever connects from here on waits to be accepted instead of being turned away.
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        message = (
            f"{settings.host}:{settings.port} cannot be opened for listening: {error.strerror}; "
            f"set {variable('host')} or {variable('port')}, or --port 0 for any free port"
        )
        raise StartError(message) from error
    return listener


async def _check_keys(settings: Settings) -> None:
    """Sees to it that there is a key: one is made at the first start on this machine alone.

    Raises:
        StartError: others could reach the service, and there is no key.
        MetadataError: the database cannot be opened.
    """
    if settings.api_keys:
        return
    metadata = await open_metadata(settings)
    try:
        now = SystemClock().now()
        if any(key.is_valid(now) for key in await metadata.keys.list()):
            return
        if not settings.is_loopback:
            message = (
                f"there is no API key, and {settings.host} is reachable from other machines; "
                f"create one with `redraft keys create`, or set {variable('api_keys')}"
            )
            raise StartError(message)
        if metadata.operations.is_shared:
            raise StartError(NO_KEY)
        first_key = new_key("first start", now)
        path = settings.data_dir / KEY_FILE
        # In this order: a key that is known and that nobody can read would be the only one.
        _write_secret(path, first_key.text)
        await metadata.keys.add(first_key.key)
        sys.stderr.write(f"redraft: created an API key in {path}\n")
    finally:
        await metadata.close()


def _write_secret(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text + "\n")


def _write_holder(lock: TextIO, holder: Holder) -> None:
    lock.truncate(0)
    lock.write(msgspec.json.encode(holder).decode() + "\n")
    lock.flush()


def _models(environment: Mapping[str, str]) -> Models:
    from redraft.engine.planner.configuration import models_from

    return models_from(environment)


def _planner(models: Models) -> Planner:
    from redraft.engine.instruct import instruct

    async def plan(calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
        return await instruct(calls, metered(models, meter), instruction)

    return plan
