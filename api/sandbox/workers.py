"""Runs engine functions away from the event loop, in processes that can be stopped.

Untrusted files are only ever opened there. A call that takes too long or is cancelled ends its
process; a process that dies fails only its call.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import CancelledError as FutureCancelledError
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from multiprocessing import forkserver
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pebble import ProcessExpired, ProcessPool

from redraft.api.errors import StorageFullError, WorkerError, WorkerTimeoutError
from redraft.api.logs import logger_for
from redraft.api.sandbox.landlock import WorkerFolders
from redraft.api.sandbox.process_limits import (
    KEPT_VARIABLES,
    NO_ROOM_LEFT,
    Crashed,
    attempt,
    confine,
    has_network,
    perform,
    sees,
)
from redraft.api.settings import variable
from redraft.engine import editor

T = TypeVar("T")
CALLS_PER_PROCESS = 200
ROOT = Path("/")
START_SECONDS = 120.0
NO_WORKER = (
    f"no worker process starts; raise {variable('worker_memory_mb')} or lower {variable('workers')}"
)
PRELOADED = ("redraft.api.sandbox.process_limits", *editor.PARTS, "lxml.etree", "pymupdf")
log = logger_for("redraft.workers")


class Workers(Protocol):
    """Runs functions on files."""

    async def call(self, function: Callable[..., T], *arguments: Any, seconds: float) -> T:
        """Calls a module-level function and returns its value.

        Raises:
            EngineError: what the function raised.
            WorkerTimeoutError: it took longer than `seconds`, and was stopped.
            WorkerError: its process died, or it failed in a way that nobody foresaw.
        """
        ...

    async def start(self) -> None:
        """Gets ready, so that the first call does not wait."""
        ...

    async def stop(self) -> None:
        """Ends all processes."""
        ...

    def stops(self) -> Mapping[str, int]:
        """Counts the calls whose process was ended, by reason."""
        ...


class InProcess:
    """Runs the functions in threads of this process: for tests and `workers=0`."""

    async def call(self, function: Callable[..., T], *arguments: Any, seconds: float) -> T:
        """Calls in a thread; one that takes too long is left behind: threads cannot be stopped."""
        thread = asyncio.to_thread(attempt, function, arguments)
        try:
            value = await asyncio.wait_for(thread, seconds)
        except TimeoutError as error:
            raise WorkerTimeoutError(seconds) from error
        return _opened(value)

    async def start(self) -> None:
        """Nothing to get ready."""

    async def stop(self) -> None:
        """Nothing to end."""

    def stops(self) -> Mapping[str, int]:
        """Nothing can be stopped."""
        return {}


class WorkerProcesses:
    """A pool of processes forked from a server that has the engine loaded already.

    Args:
        count: How many calls run at once.
        memory: Bytes of address space of each; 0 for no limit.
        worker_folders: The files that they may open; None for all of their user.
    """

    def __init__(
        self, count: int, memory: int, worker_folders: WorkerFolders | None = None
    ) -> None:
        self._count = count
        self._memory = memory
        self._worker_folders = worker_folders
        self._context = multiprocessing.get_context("forkserver")
        self._pool: ProcessPool | None = None
        self._stops: dict[str, int] = dict.fromkeys(("timed out", "died", "cancelled"), 0)

    async def start(self) -> None:
        """Starts the fork server without secrets in its environment, and one worker of each."""
        await asyncio.to_thread(self._start)
        try:
            # One that dies while it gets ready is followed by others for ever.
            async with asyncio.timeout(START_SECONDS):
                reaching = await asyncio.gather(
                    *(self.call(has_network, seconds=60) for _ in range(self._count)),
                )
        except (WorkerError, TimeoutError) as error:
            await self.stop()
            raise WorkerError(NO_WORKER) from error
        if any(reaching):
            log.warning("worker processes can reach the network; run `redraft doctor` for advice")
        if self._worker_folders is not None and await self.call(sees, ROOT, seconds=60):
            log.warning(
                "worker processes can read every file of this user; run `redraft doctor` for advice"
            )

    async def call(self, function: Callable[..., T], *arguments: Any, seconds: float) -> T:
        """Calls in a process; cancelling the waiting task ends that process too."""
        try:
            return _opened(await self._called(function, arguments, seconds))
        except (FutureTimeoutError, TimeoutError) as error:
            self._stops["timed out"] += 1
            log.warning("a worker was stopped at its limit", seconds=seconds)
            raise WorkerTimeoutError(seconds) from error
        except (ProcessExpired, RuntimeError, FutureCancelledError) as error:
            self._stops["died"] += 1
            log.warning("a worker died", error=type(error).__name__)
            raise WorkerError from error
        except asyncio.CancelledError:
            self._stops["cancelled"] += 1
            raise

    async def _called(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Any:
        call = (function, arguments, seconds)
        try:
            return await asyncio.wrap_future(
                self._whole_pool().schedule(perform, args=call, timeout=seconds)
            )
        except RuntimeError:
            # The pool gave itself up before the call was begun; a new one may do it.
            return await asyncio.wrap_future(
                self._whole_pool().schedule(perform, args=call, timeout=seconds)
            )

    def _whole_pool(self) -> ProcessPool:
        """Returns the pool, or a new one for one that gave itself up.

        It does so when a worker dies while none has work: somebody was short of memory.
        """
        if self._pool is None:
            raise WorkerError
        if not self._pool.active:
            self._stops["died"] += 1
            log.warning("idle worker processes died; new ones are started")
            threading.Thread(target=self._pool.join, daemon=True).start()
            self._pool = self._new_pool()
        return self._pool

    def stops(self) -> Mapping[str, int]:
        """Counts the calls whose process was ended, by reason."""
        return dict(self._stops)

    async def stop(self) -> None:
        """Ends all processes without waiting for their calls."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            pool.stop()
            await asyncio.to_thread(pool.join)

    def _start(self) -> None:
        self._context.set_forkserver_preload(list(PRELOADED))
        with _scrubbed_environment(KEPT_VARIABLES):
            forkserver.ensure_running()
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPool:
        return ProcessPool(
            max_workers=self._count,
            max_tasks=CALLS_PER_PROCESS,
            initializer=confine,
            initargs=(self._memory, self._worker_folders),
            context=self._context,
        )


def workers(count: int, memory: int, worker_folders: WorkerFolders | None = None) -> Workers:
    """Chooses how engine functions run: in `count` processes, or in this one when it is 0."""
    return WorkerProcesses(count, memory, worker_folders) if count else InProcess()


def _opened(value: Any) -> Any:
    if isinstance(value, Crashed):
        origin = " < ".join(reversed(value.frames))
        log.error("a worker failed", error=value.kind, origin=origin)
        if value.kind == NO_ROOM_LEFT:
            raise StorageFullError
        message = (
            "The document needs more memory than a worker may use"
            if value.kind == "MemoryError"
            else f"The document could not be processed ({value.kind})"
        )
        raise WorkerError(message)
    return value


@contextmanager
def _scrubbed_environment(kept: Sequence[str]) -> Generator[None]:
    # The fork server copies the environment when it starts, and every worker descends from it.
    removed = {name: os.environ.pop(name) for name in tuple(os.environ) if name not in kept}
    try:
        yield
    finally:
        os.environ.update(removed)
