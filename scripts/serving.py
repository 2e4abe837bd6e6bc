"""A service as a process of its own, for the scripts that load it, measure it and kill it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import httpx

ROOT = Path(__file__).parent.parent
LISTENING = "redraft: listening on "
KEY = "soak"
OURS = ("REDRAFT_", "OPENAI_")
LAST_LINES = 20
PATIENCE = 60
"""Seconds after which what should have gone is said to stay."""


class Serving:
    """A process that says where it listens; a context manager that ends it.

    Args:
        command: What to start; `redraft serve` when it is empty.
        variables: Settings, as environment variables.
        kept: How many of its last lines are kept.
    """

    def __init__(
        self, variables: Mapping[str, str], command: tuple[str, ...] = (), kept: int = LAST_LINES
    ) -> None:
        self._command = command or (sys.executable, "-m", "redraft", "serve")
        self._variables = dict(variables)
        self._process: subprocess.Popen[str] | None = None
        self._last: deque[str] = deque(maxlen=kept)
        self._reading: threading.Thread | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        """The process that listens."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Starts it and waits until it listens.

        Raises:
            RuntimeError: it ended instead; with its last lines.
        """
        kept = {name: text for name, text in os.environ.items() if not name.startswith(OURS)}
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env={**kept, **self._variables},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._last.append(line)
            if line.startswith(LISTENING):
                self.url = line.removeprefix(LISTENING).strip()
                self._drain(self._process.stderr)
                return self
        message = "the service did not start:\n" + "".join(self._last)
        raise RuntimeError(message)

    def kill(self) -> None:
        """Ends it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._ended()

    def stop(self) -> int:
        """Ends it in order; returns its exit code."""
        assert self._process is not None
        self._process.terminate()
        return self._ended()

    def cpu(self) -> float:
        """Returns seconds of processor time that it and its workers have used so far (Linux)."""
        return sum(_cpu_of(pid) for pid in (self.pid, *descendants(self.pid)))

    def lines(self) -> list[str]:
        """Returns the last lines that it wrote."""
        return list(self._last)

    def client(self, key: str = KEY) -> httpx.Client:
        """Opens a client of it."""
        headers = {"Authorization": f"Bearer {key}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=330)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            self.stop()

    def _ended(self) -> int:
        assert self._process is not None
        code = self._process.wait(120)
        if self._reading is not None:
            self._reading.join()
        return code

    def _drain(self, stream: IO[str]) -> None:
        # A pipe that nobody reads would stop the service once it is full.
        def read() -> None:
            with stream:
                self._last.extend(stream)

        self._reading = threading.Thread(target=read, daemon=True)
        self._reading.start()


def settings(folder: Path, port: int = 0, **more: str) -> dict[str, str]:
    """Returns the variables of a service on a folder, sweeping often and saying little."""
    return {
        "REDRAFT_DATA_DIR": str(folder),
        "REDRAFT_PORT": str(port),
        "REDRAFT_API_KEYS": KEY,
        "REDRAFT_LOG_LEVEL": "error",
        "REDRAFT_SWEEP_SECONDS": "1",
        **more,
    }


def free_port() -> int:
    """Returns a port of this machine that nobody listens on at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def descendants(pid: int) -> tuple[int, ...]:
    """Returns the processes that a process has started, and theirs (Linux)."""
    children_of_all: list[int] = []
    pending = [pid]
    while pending:
        try:
            tasks = list(Path(f"/proc/{pending.pop()}/task").iterdir())
            texts = [(task / "children").read_text("ascii") for task in tasks]
        except (FileNotFoundError, ProcessLookupError):
            continue
        children = [int(child) for text in texts for child in text.split()]
        children_of_all += children
        pending += children
    return tuple(children_of_all)


@dataclass(frozen=True, slots=True)
class Mark:
    """A process, told apart from a later one of the same number by when it began."""

    pid: int
    began: str


def mark(pid: int) -> Mark:
    """Remembers a process."""
    return Mark(pid, _stat(pid)[19] if _stat(pid) else "")


def is_alive(marked: Mark) -> bool:
    """Returns whether that very process still runs."""
    fields = _stat(marked.pid)
    return bool(fields) and fields[19] == marked.began and fields[0] != "Z"


def files_left(folder: Path) -> int:
    """Returns how many files of documents a data folder holds."""
    return sum(
        path.is_file() for name in ("documents", "scratch") for path in (folder / name).rglob("*")
    )


def descriptors(pid: int) -> int:
    """Returns how many files and connections a process has open (Linux)."""
    folder = Path(f"/proc/{pid}/fd")
    try:
        return len(list(folder.iterdir()))
    except PermissionError:
        # The service hides what it has from others of its user; the size is the number (Linux 6.2).
        return folder.stat().st_size


def memory(pid: int) -> int:
    """Returns how many bytes of memory a process has (Linux); 0 when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(status.split("VmRSS:")[1].split()[0]) * 1024 if "VmRSS:" in status else 0


async def settled(count: Callable[[], int]) -> int:
    """Waits until none of something is left, or they will not go away; returns how many stay."""
    for _ in range(PATIENCE * 10):
        if not count():
            return 0
        await asyncio.sleep(0.1)
    return count()


def _cpu_of(pid: int) -> float:
    spent = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            spent += int(task.read_text("ascii").split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return spent / 1e9


def _stat(pid: int) -> list[str]:
    """Returns the fields of /proc/PID/stat from the state on; empty without such a process."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return text.rpartition(")")[2].split()
