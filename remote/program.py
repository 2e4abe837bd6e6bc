"""A program in a pseudo-terminal of its own, as a process: read, typed into, resized, hung up."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PTY_EXEC = Path(__file__).with_name("pty_exec.py")
CHUNK = 1 << 16
SIZE = (80, 24)
LARGEST = (700, 250)  # a screen is drawn whole, so an absurd size would cost as much
ENDING = 5.0  # seconds to save a draft and restore the screen
KEPT = (
    "PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "TZ",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "LD_LIBRARY_PATH",
)


@dataclass(frozen=True, slots=True)
class Start:
    """What is started: the words of the command, its environment, and where."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path


def kept(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns what a program of ours needs of our own environment, and no more."""
    return {name: environment[name] for name in KEPT if name in environment}


def command_line(*words: str) -> list[str]:
    """Returns the command line of redraft with these words."""
    return [sys.executable, "-P", "-m", "redraft", *words]


def fitting(columns: int, rows: int) -> tuple[int, int]:
    """Returns a size that can be drawn; 0 means that the other side does not know."""
    return min(columns, LARGEST[0]) or SIZE[0], min(rows, LARGEST[1]) or SIZE[1]


class Program:
    """A running program and the near end of its terminal."""

    def __init__(self, process: asyncio.subprocess.Process, master: int) -> None:
        self._process = process
        self._master = master
        self._is_over = False

    @classmethod
    async def start(cls, start: Start, size: tuple[int, int]) -> Program:
        """Starts a program in a terminal of a size (columns, rows)."""
        master, slave = pty.openpty()
        try:
            _set_size(slave, size)
            os.set_blocking(master, False)
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(PTY_EXEC), *start.command),
                stdin=slave,
                stdout=slave,
                stderr=slave,
                cwd=start.folder,
                env=dict(start.environment),
                start_new_session=True,
            )
        except BaseException:
            os.close(master)
            raise
        finally:
            os.close(slave)
        return cls(process, master)

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    async def read(self) -> bytes:
        """Returns what the program wrote; nothing once it has ended."""
        while not self._is_over:
            try:
                return os.read(self._master, CHUNK)
            except BlockingIOError:
                await self._wait(asyncio.get_running_loop().add_reader, is_reading=True)
            except OSError:  # EIO: nobody has the other end open
                return b""
        return b""

    async def write(self, data: bytes) -> None:
        """Types; waits while the program does not take it."""
        while data and not self._is_over:
            try:
                data = data[os.write(self._master, data) :]
            except BlockingIOError:
                await self._wait(asyncio.get_running_loop().add_writer, is_reading=False)
            except OSError:
                return

    async def _wait(
        self, listen: Callable[[int, Callable[[], None]], object], *, is_reading: bool
    ) -> None:
        """Waits until the terminal can be read or written."""
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            if not ready.done():
                ready.set_result(None)

        listen(self._master, wake)
        try:
            await ready
        finally:
            if not self._is_over:
                (loop.remove_reader if is_reading else loop.remove_writer)(self._master)

    def resize(self, columns: int, rows: int) -> None:
        """Tells the program that its terminal has another size."""
        if not self._is_over:
            _set_size(self._master, (columns, rows))

    def hang_up(self) -> None:
        """Tells the program that its terminal was closed; it has a moment to save its state."""
        if self._process.returncode is None:
            self._signal(signal.SIGHUP)

    async def end(self, patience: float = ENDING) -> int:
        """Hangs up if it still runs, makes sure that it ends, and returns its exit code."""
        try:
            return await self._ended(patience)
        finally:
            self._close()

    async def _ended(self, patience: float) -> int:
        self.hang_up()
        emptied = asyncio.create_task(self._discard())  # it must not wait for a reader
        try:
            await asyncio.wait_for(self._process.wait(), patience)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            await self._process.wait()
        finally:
            emptied.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await emptied
        code = self._process.returncode or 0
        return code if code >= 0 else 128 - code

    async def finish(self, patience: float = ENDING) -> int:
        """Waits for the end of a program that closed its terminal itself; returns its exit code."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), patience)
        return await self.end(patience)

    async def _discard(self) -> None:
        while await self.read():
            pass

    def _signal(self, number: signal.Signals) -> None:
        """Sends a signal to the program and whatever it started on its terminal."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _close(self) -> None:
        if not self._is_over:
            self._is_over = True
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._master)
            loop.remove_writer(self._master)
            os.close(self._master)


def _set_size(terminal: int, size: tuple[int, int]) -> None:
    columns, rows = fitting(*size)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
