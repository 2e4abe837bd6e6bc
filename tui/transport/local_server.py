"""The local service: started when nobody has, joined when it runs, stopped by the last.

It lives in one folder: the key (only its owner can read it), the service's data, its log, where it
listens, and a file for each terminal program that uses it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from redraft import file_lock
from redraft.tui.transport.failures import StartError, refused

PATIENCE = 30.0  # seconds for the service to listen
STEP = 0.05
ENDING = 5.0  # for one that does not listen yet
STOPPING = 40.0
LOG_TAIL = 12  # lines
PROCESS_QUERY_LIMITED_INFORMATION, STILL_ACTIVE = 0x1000, 259  # of Windows
LISTENING = re.compile(r"listening on (http://\S+)")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service listens, who it is, and the key for it."""

    url: str
    pid: int
    key: str


class LocalServer:
    """The service of this person on this machine."""

    def __init__(
        self,
        folder: Path,
        pid: int | None = None,
        environment: Callable[[], Mapping[str, str]] = lambda: os.environ,
    ) -> None:
        """Prepare; nothing is started.

        Args:
            folder: Where everything of it is kept.
            pid: Who uses it; None: this process.
            environment: Tells that of the service at its start.
        """
        self._environment = environment
        self._folder = folder
        self._ready = folder / "service.json"
        self._users = folder / "users"
        self._log = folder / "service.log"
        self._stopping = folder / "stopping"
        self._is_given_up = False
        self._pid = os.getpid() if pid is None else pid
        self.process: subprocess.Popen[bytes] | None = None
        self.is_used = False

    async def open(self) -> Address:
        """Join the service, or start it; one that is being started is stopped on cancellation.

        Raises:
            StartError: it does not start; with the end of its log.
        """
        self._is_given_up = False
        try:
            return await asyncio.to_thread(self._open)
        except asyncio.CancelledError:
            self._is_given_up = True  # the thread cannot be cancelled, and leaving waits for it
            raise

    def _open(self) -> Address:
        try:
            self._users.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            key = self._key()
            with self._lock():
                (self._users / str(self._pid)).touch()
                self.is_used = True
                address = self._running(key)
                return address if address is not None else self._start(key)
        except OSError as error:
            raise StartError(refused(error, "set XDG_DATA_HOME to another folder")) from error

    def close(self, *, stop: bool = True, wait: bool = False) -> None:
        """Leave; the last one stops the service, unless `stop` is False.

        A service takes seconds to end in order, so a person is not kept waiting for it unless
        `wait` says so: the next start does that.
        """
        with contextlib.suppress(OSError), self._lock():
            (self._users / str(self._pid)).unlink(missing_ok=True)
            address = self._running(self._key())
            if stop and address is not None and not self._others():
                self._end_running(address)
                if wait:
                    self._wait_for_end()
        self._let_go()

    def _let_go(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.returncode = 0  # it goes on without us, and nothing here waits for it

    async def restart(self) -> Address:
        """Ends the service and starts it again in its folder, with what is set up now.

        Other terminal programs that use it lose their line, and find the new one by themselves.

        Raises:
            StartError: it does not start.
        """
        await asyncio.to_thread(self._stop)
        return await self.open()

    def _stop(self) -> None:
        with contextlib.suppress(OSError), self._lock():
            address = self._running(self._key())
            if address is not None:
                self._end_running(address)
                self._let_go()

    def _end_running(self, address: Address) -> None:
        with contextlib.suppress(OSError):  # on a full disk it is stopped nevertheless
            self._stopping.write_text(str(address.pid), "ascii")
        self._ready.unlink(missing_ok=True)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(address.pid, signal.SIGTERM)

    def _others(self) -> list[int]:
        """Return the terminal programs that use it; files of those that died are removed."""
        alive: list[int] = []
        for entry in self._users.iterdir():
            if entry.name.isdigit() and _is_alive(int(entry.name)):
                alive.append(int(entry.name))
            else:
                entry.unlink(missing_ok=True)
        return alive

    def _key(self) -> str:
        """Return the key; it is made at the first start and only its owner can read it."""
        path = self._folder / "key"
        try:
            key = path.read_text("ascii").strip()
            if key:
                path.chmod(0o600)
                return key
        except FileNotFoundError:
            pass
        key = secrets.token_urlsafe(32)
        partial = self._folder / f".key.{self._pid}"
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(key)
        partial.replace(path)
        return key

    @contextlib.contextmanager
    def _lock(self) -> Generator[None]:
        """Keep two terminal programs from starting two services."""
        with (self._folder / "lock").open("w") as file:
            file_lock.lock(file, waits=True)
            yield

    def _running(self, key: str) -> Address | None:
        try:
            record = json.loads(self._ready.read_text("utf-8"))
            address = Address(str(record["url"]), int(record["pid"]), key)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return address if _is_alive(address.pid) and _answers(address.url) else None

    def _wait_for_end(self) -> None:
        """Wait for the service that was told to stop; it holds the data folder until it has."""
        try:
            pid = int(self._stopping.read_text("ascii"))
        except (OSError, ValueError):
            return
        deadline = time.monotonic() + STOPPING
        while _is_alive(pid) and not self._is_given_up and time.monotonic() < deadline:
            time.sleep(STEP)
        self._stopping.unlink(missing_ok=True)

    def _start(self, key: str) -> Address:
        self._wait_for_end()
        self._ready.unlink(missing_ok=True)
        command = [
            sys.executable,
            "-P",
            "-m",
            "redraft",
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
        ]
        command += ["--data-dir", str(self._folder / "data")]
        environment = {**self._environment(), "REDRAFT_API_KEYS": key}
        with self._log.open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,  # a hang-up of the terminal is not meant for it
            )
        self.process = process
        return self._wait(process, key)

    def _wait(self, process: subprocess.Popen[bytes], key: str) -> Address:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not self._is_given_up:
            listening = LISTENING.search(self._written())
            if listening is not None:
                return self._told(Address(listening.group(1), process.pid, key))
            if process.poll() is not None:
                break
            time.sleep(STEP)
        self._end(process)
        message = f"`redraft serve` did not start (see {self._log})\n{self._tail()}"
        raise StartError(message.rstrip())

    def _told(self, address: Address) -> Address:
        """Tell other terminal programs where it listens; one that nobody can find is ended."""
        try:
            self._ready.write_text(json.dumps({"url": address.url, "pid": address.pid}), "utf-8")
        except OSError:
            if self.process is not None:
                self._end(self.process)
            raise
        return address

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        if process.poll() is None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(ENDING)

    def _written(self) -> str:
        try:
            return self._log.read_text("utf-8", "replace")
        except OSError:
            return ""

    def _tail(self) -> str:
        return "\n".join(self._written().splitlines()[-LOG_TAIL:])


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":  # there a signal of any number ends a process
        return has_not_ended(pid, vars(ctypes)["WinDLL"]("kernel32"))
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def has_not_ended(pid: int, kernel: Any) -> bool:
    """Whether Windows has a process that runs; other people's processes count as none.

    Args:
        pid: Its number.
        kernel: The library kernel32 of Windows.
    """
    code = ctypes.c_ulong()
    handle = kernel.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, False, pid)
    if not handle:
        return False
    try:
        is_told = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        return bool(is_told) and code.value == STILL_ACTIVE
    finally:
        kernel.CloseHandle(handle)


def _answers(url: str) -> bool:
    """Whether something listens there; a process id alone may belong to somebody else by now."""
    place = urlsplit(url)
    try:
        with socket.create_connection((place.hostname or "", place.port or 80), 1.0):
            return True
    except OSError:
        return False


def _is_zombie(pid: int) -> bool:
    """Whether the process has ended and only its parent has not looked yet."""
    with contextlib.suppress(ChildProcessError, OSError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
