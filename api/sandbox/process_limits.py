"""What a worker process is allowed: little memory, little time, few files, no network, no secrets.

This module is imported in the worker, so it imports nothing of the service but the system calls.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from redraft.api.disk_errors import NO_ROOM
from redraft.api.sandbox import landlock, system_calls
from redraft.api.sandbox.results import Crashed
from redraft.engine.errors import EngineError

KEPT_VARIABLES = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "PYTHONPATH",
    "REDRAFT_PROTECTED",
    "REDRAFT_SIGNED",
)
LARGEST_FILE = 256 * 1024 * 1024
MOST_DESCRIPTORS = 64
DISCARD = 9
"""The port of RFC 863; nothing is sent to it."""
NEW_NETWORK, NEW_USER = 0x40000000, 0x10000000
"""Flags of unshare(2)."""
COLLECTING = (10_000, 10, 10)
"""How many new objects make the collector look. A document is built of many small objects without
a circle among them: looking through 300,000 paragraphs as often as usual is a fifth of the time."""
NO_ROOM_LEFT = "no room left"
"""The kind of what crashed for want of disk."""


def confine(memory: int, worker_folders: landlock.WorkerFolders | None) -> None:
    """Gives up, for the rest of this process, what handling a document does not need.

    Args:
        memory: Bytes of address space; 0 for no limit.
        worker_folders: Where its files are; None for anywhere.
    """
    for name in tuple(os.environ):
        if name not in KEPT_VARIABLES:
            del os.environ[name]
    import resource

    _limit(resource, resource.RLIMIT_CORE, 0)
    _limit(resource, resource.RLIMIT_FSIZE, LARGEST_FILE)
    _limit(resource, resource.RLIMIT_NOFILE, MOST_DESCRIPTORS)
    if memory:
        _limit(resource, resource.RLIMIT_AS, memory)
    gc.freeze()  # what was loaded before the fork stays, and stays shared
    gc.set_threshold(*COLLECTING)
    # An interrupt typed in the terminal goes to the whole group; the service decides, not we.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if worker_folders is not None:
        tempfile.tempdir = str(worker_folders.outputs)
    # A kernel or a container that knows no rights to files may know the rest.
    if not landlock.separate(worker_folders):
        landlock.separate()
    if not system_calls.refuse():
        _leave_the_network()


def has_network() -> bool:
    """Says whether this process could reach another machine, without sending anything."""
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as tried:
                # Of a datagram socket this asks for a route only.
                tried.connect((address, DISCARD))
        except OSError:
            continue
        return True
    return False


def sees(folder: Path) -> bool:
    """Says whether this process could look into a folder that holds none of its files."""
    try:
        next(folder.iterdir(), None)
    except OSError:
        return False
    return True


def perform(function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
    """Calls a function within its CPU time.

    Args:
        function: One of the engine's.
        arguments: Its arguments.
        seconds: CPU time that this call may use; the kernel ends the process after it.
    """
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    signal.setitimer(signal.ITIMER_PROF, seconds)  # CPU time of all threads, to the millisecond
    try:
        return attempt(function, arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def attempt(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Calls a function; what it should never raise comes back as Crashed.

    Raises:
        EngineError: what the engine raised on purpose.
    """
    try:
        return function(*arguments)
    except EngineError:
        raise
    except Exception as error:  # noqa: BLE001, RUF100 - the worker's outermost frame: one bad file fails one call
        # The message may quote the document, so only the kind and the places go to the log.
        frames = traceback.extract_tb(error.__traceback__)
        is_full = isinstance(error, OSError) and error.errno in NO_ROOM
        return Crashed(
            NO_ROOM_LEFT if is_full else type(error).__name__,
            tuple(f"{frame.filename}:{frame.lineno}" for frame in frames[-5:]),
        )


def _leave_the_network() -> None:
    # A network of its own without any interface. It takes a privilege, or a kernel that gives users
    # namespaces; where neither is, `has_network` says so.
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_NETWORK):
        libc.unshare(NEW_USER | NEW_NETWORK)
    system_calls.control(system_calls.PR_SET_NO_NEW_PRIVS, 1)


def _limit(resource: ModuleType, kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, hard))
