"""Runs engine functions away from the event loop, in processes that can be stopped.

Untrusted files are only ever opened there. A call that takes too long or is cancelled ends its
process; a process that dies fails only its call. What comes back is MessagePack, never a pickle
(`results.py`), keys take turns (`fair_slots.py`), and the processes are forked from one that never
held a secret (`fork_server.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from redraft.api.errors import (
    OverloadedError,
    StorageFullError,
    WorkerError,
    WorkerTimeoutError,
)
from redraft.api.logs import logger_for
from redraft.api.sandbox.fair_slots import CrowdedError, FairSlots
from redraft.api.sandbox.fork_server import LENGTH, NUMBER
from redraft.api.sandbox.landlock import WorkerFolders
from redraft.api.sandbox.process_limits import (
    KEPT_VARIABLES,
    NO_ROOM_LEFT,
    attempt,
    confine,
    has_network,
    sees,
)
from redraft.api.sandbox.results import Crashed, Raised, ResultError, decode
from redraft.api.settings import variable
from redraft.engine import editor

T = TypeVar("T")
CALLS_PER_PROCESS = 200
MOST_WAITING = 64
"""Calls of one key that may wait for a worker."""
WALL_FACTOR = 4.0
"""Wall time that a call may take, in multiples of its CPU time: a busy machine is not its fault."""
LARGEST_RESULT = 256 * 1024 * 1024
ROOT = Path("/")
START_SECONDS = 120.0
NO_WORKER = (
    f"no worker process starts; raise {variable('worker_memory_mb')} or lower {variable('workers')}"
)
PRELOADED = (
    "redraft.api.sandbox.process_limits",
    "redraft.api.sandbox.results",
    *editor.PARTS,
    "lxml.etree",
    "pymupdf",
)
FORK_SERVER = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from redraft.api.sandbox.fork_server import main; main(int(sys.argv[2]), sys.argv[3:])"
)
OUT_OF_TIME = tuple(
    getattr(signal, name) for name in ("SIGPROF", "SIGXCPU") if hasattr(signal, name)
)
log = logger_for("redraft.workers")


class Workers(Protocol):
    """Runs functions on files."""

    async def call(
        self, function: Callable[..., T], *arguments: Any, seconds: float, owner: str = ""
    ) -> T:
        """Calls a module-level function and returns its value.

        Args:
            function: A function that can be imported in the worker.
            arguments: Its arguments.
            seconds: CPU time that it may take.
            owner: The key whose work it is; keys take turns.

        Raises:
            EngineError: what the function raised.
            OverloadedError: too many calls of this owner are waiting.
            WorkerTimeoutError: it took longer than `seconds`, and was stopped.
            WorkerError: its process died, or it failed unexpectedly.
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

    @property
    def is_confined(self) -> bool:
        """Whether the workers reach neither the network nor the files of others."""
        ...


class _NotBegunError(WorkerError):
    """A worker died without having read its call, which the socket tells by a reset."""


class InProcess:
    """Runs the functions in threads of this process: for tests and `workers=0`."""

    is_confined = False

    async def call(
        self, function: Callable[..., T], *arguments: Any, seconds: float, owner: str = ""
    ) -> T:
        """Calls in a thread; one that takes too long is left behind: threads cannot be stopped."""
        del owner
        thread = asyncio.to_thread(attempt, function, arguments)
        try:
            value = await asyncio.wait_for(thread, seconds)
        except TimeoutError as error:
            raise WorkerTimeoutError(seconds) from error
        return _opened(value)

    async def start(self) -> None:
        """Has nothing to get ready."""

    async def stop(self) -> None:
        """Has nothing to end."""

    def stops(self) -> Mapping[str, int]:
        """Returns nothing: threads cannot be stopped."""
        return {}


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker process; `calls` is how many it has served."""

    pid: int
    connection: socket.socket
    calls: int = 0


class _ForkServer:
    """The near end of the process that workers are forked from; it is started when it is needed."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = asyncio.Lock()

    async def fork(self, first_frame: bytes) -> _Worker:
        """Starts a worker and sends it its first frame.

        Raises:
            OSError: it cannot be started.
        """
        near, far = socket.socketpair()
        near.setblocking(False)
        try:
            pid = await self._asked(lambda control: _send_descriptor(control, far.fileno()))
            await asyncio.get_running_loop().sock_sendall(near, first_frame)
        except BaseException:
            near.close()
            raise
        finally:
            far.close()
        return _Worker(pid, near)

    async def end(self, worker: _Worker) -> int:
        """Kills a worker, or buries one that has died; returns its wait status, -1 if unknown."""
        worker.connection.close()
        control = self._control
        if control is None:
            return -1
        try:
            return await self._asked(
                lambda current: current.sendall(b"k" + NUMBER.pack(worker.pid)), only=control
            )
        except OSError:  # its workers ended with it
            return -1

    async def stop(self) -> None:
        """Ends the fork server and with it every worker."""
        async with self._lock:
            await asyncio.to_thread(self._close)

    async def _asked(
        self, send: Callable[[socket.socket], None], only: socket.socket | None = None
    ) -> int:
        """Sends a command and returns the number that answers it; a dead server is replaced once.

        Args:
            send: Sends it.
            only: The server that the command is for; none other will do.
        """

        def ask() -> int:
            for is_last in (only is not None, True):
                if self._control is None:
                    if only is not None:
                        break
                    self._start()
                control = self._control
                if only is not None and control is not only:
                    break
                assert control is not None
                with contextlib.suppress(OSError):
                    send(control)
                    answer = control.recv(NUMBER.size, socket.MSG_WAITALL)
                    if len(answer) == NUMBER.size:
                        return NUMBER.unpack(answer)[0]
                self._close()
                if is_last:
                    break
            message = "the fork server has ended"
            raise OSError(message)

        async with self._lock:
            # To its end, whoever gives up waiting: an answer must not be left in the socket.
            return await _uninterrupted(asyncio.to_thread(ask))

    def _start(self) -> None:
        near, far = socket.socketpair()
        # Its environment is written out here each time it starts: none of it is inherited.
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        command = [sys.executable, "-P", "-c", FORK_SERVER, json.dumps(sys.path)]
        with far, contextlib.ExitStack() as cleanup:
            cleanup.callback(near.close)
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [*command, str(far.fileno()), *PRELOADED],
                env=kept,
                stdin=subprocess.DEVNULL,
                pass_fds=(far.fileno(),),
                process_group=0,  # an interrupt typed in the terminal is for the service to hear
            )
            cleanup.pop_all()
        self._control = near

    def _close(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            self._process.kill()
            self._process.wait()
            self._process = None


class WorkerProcesses:
    """A pool of processes forked from a server that has the engine loaded already.

    Args:
        count: How many calls run at once; one more for a key that has nothing running.
        memory: Bytes of address space of each; 0 for no limit.
        worker_folders: The files that they may open; None for all of their user.
    """

    def __init__(
        self, count: int, memory: int, worker_folders: WorkerFolders | None = None
    ) -> None:
        self._count = count
        self._memory = memory
        self._worker_folders = worker_folders
        self._fork_server: _ForkServer | None = None
        self._slots = FairSlots(count, MOST_WAITING)
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._stops: dict[str, int] = dict.fromkeys(("timed out", "died", "cancelled"), 0)
        self.is_confined = False

    async def start(self) -> None:
        """Starts the fork server without secrets in its environment, and the first workers."""
        self._fork_server = _ForkServer()
        try:
            async with asyncio.timeout(START_SECONDS):
                # One after the other while each is kept busy, so that each is another process.
                reaching = await asyncio.gather(
                    *(
                        self.call(has_network, seconds=60, owner=f"start {number}")
                        for number in range(self._count)
                    ),
                )
        except (WorkerError, TimeoutError) as error:
            await self.stop()
            raise WorkerError(NO_WORKER) from error
        sees_files = self._worker_folders is None or await self.call(sees, ROOT, seconds=60)
        if any(reaching):
            log.warning("worker processes can reach the network; run `redraft doctor` for advice")
        if sees_files and self._worker_folders is not None:
            log.warning(
                "worker processes can read every file of this user; run `redraft doctor` for advice"
            )
        self.is_confined = not any(reaching) and not sees_files

    async def call(
        self, function: Callable[..., T], *arguments: Any, seconds: float, owner: str = ""
    ) -> T:
        """Calls in a process; cancelling the waiting task ends that process too."""
        frame = _frame(pickle.dumps((function, arguments, seconds)))
        try:
            async with self._slots.slot(owner):
                try:
                    value = await self._called(frame, seconds)
                except _NotBegunError:  # it died before it had read the call; another may do it
                    value = await self._called(frame, seconds)
                return _opened(value)
        except CrowdedError as error:
            message = "Too many documents of this key are being processed; try again later"
            raise OverloadedError(message, retry_after=5) from error

    def stops(self) -> Mapping[str, int]:
        """Counts the calls whose process was ended, by reason."""
        return dict(self._stops)

    async def stop(self) -> None:
        """Ends all processes without waiting for their calls."""
        fork_server, self._fork_server = self._fork_server, None
        if fork_server is not None:
            await fork_server.stop()
        for worker in self._idle:
            worker.connection.close()
        self._idle.clear()

    async def _called(self, frame: bytes, seconds: float) -> Any:
        worker = await self._ready()
        self._busy.add(worker)
        try:
            async with asyncio.timeout(seconds * WALL_FACTOR):
                value = await _exchange(worker, frame)
        except asyncio.CancelledError:
            self._stops["cancelled"] += 1
            await self._bury(worker)
            raise
        except TimeoutError as error:
            await self._bury(worker)
            raise self._timed_out(seconds) from error
        except (OSError, EOFError, ResultError) as error:
            status = await self._bury(worker)
            if isinstance(error, ConnectionError):
                self._stops["died"] += 1
                raise _NotBegunError from error
            if status > 0 and os.WIFSIGNALED(status) and os.WTERMSIG(status) in OUT_OF_TIME:
                raise self._timed_out(seconds) from error
            self._stops["died"] += 1
            log.warning("a worker died", error=type(error).__name__)
            raise WorkerError from error
        finally:
            self._busy.discard(worker)
        await self._keep(worker)
        return value

    def _timed_out(self, seconds: float) -> WorkerTimeoutError:
        self._stops["timed out"] += 1
        log.warning("a worker was stopped at its limit", seconds=seconds)
        return WorkerTimeoutError(seconds)

    async def _ready(self) -> _Worker:
        """Returns an idle worker that lives, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if _is_silent(worker.connection):
                return worker
            self._stops["died"] += 1
            log.warning("idle worker processes died; new ones are started")
            await self._bury(worker)
        if self._fork_server is None:
            raise WorkerError
        first_frame = _frame(pickle.dumps((confine, (self._memory, self._worker_folders))))
        worker: _Worker | None = None
        try:
            worker = await self._fork_server.fork(first_frame)
            await _receive(worker.connection)
        except BaseException as error:
            if worker is not None:
                await self._bury(worker)
            if isinstance(error, (OSError, EOFError)):
                self._stops["died"] += 1
                raise WorkerError from error
            raise
        return worker

    async def _keep(self, worker: _Worker) -> None:
        worker.calls += 1
        if self._fork_server is None or worker.calls >= CALLS_PER_PROCESS:
            await self._bury(worker)
        else:
            self._idle.append(worker)

    async def _bury(self, worker: _Worker) -> int:
        if self._fork_server is None:
            worker.connection.close()
            return -1
        return await _uninterrupted(self._fork_server.end(worker))


def workers(count: int, memory: int, worker_folders: WorkerFolders | None = None) -> Workers:
    """Chooses how engine functions run: in `count` processes, or in this one when it is 0.

    They run in this one, too, where the system cannot fork, as Windows.
    """
    if count and not hasattr(os, "fork"):
        log.warning("this system has no worker processes; documents are opened by the service")
        return InProcess()
    return WorkerProcesses(count, memory, worker_folders) if count else InProcess()


async def _exchange(worker: _Worker, frame: bytes) -> Any:
    """Sends a call and returns what it came to, as the worker's bytes say."""
    await asyncio.get_running_loop().sock_sendall(worker.connection, frame)
    data = await _receive(worker.connection)
    return decode(data) if len(data) < 1 << 16 else await asyncio.to_thread(decode, data)


async def _receive(connection: socket.socket) -> bytes:
    size = LENGTH.unpack(await _exactly(connection, LENGTH.size))[0]
    if size > LARGEST_RESULT:
        raise ResultError
    return await _exactly(connection, size)


async def _exactly(connection: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    data = bytearray()
    while len(data) < size:
        chunk = await loop.sock_recv(connection, min(size - len(data), 1 << 20))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)


async def _uninterrupted(work: Any) -> Any:
    """Waits for work to its end, even when the waiting task is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        raise


def _frame(data: bytes) -> bytes:
    return LENGTH.pack(len(data)) + data


def _send_descriptor(control: socket.socket, descriptor: int) -> None:
    socket.send_fds(control, [b"s"], [descriptor])


def _is_silent(connection: socket.socket) -> bool:
    """Whether a worker without work says nothing, as one that lives does."""
    try:
        connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _opened(value: Any) -> Any:
    if isinstance(value, Raised):
        raise value.error
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
