"""Locks on open files, which end with the file or the process, on every system.

They hold between programs that ask for them. Unix locks the file; Windows locks one byte, far
behind what is written, since nobody else could read what is locked.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import Final, Protocol

BYTE: Final = 1 << 30


class _File(Protocol):
    def fileno(self) -> int: ...


def lock(file: _File, *, waits: bool = False, is_shared: bool = False) -> None:
    """Locks an open file until it is closed.

    Args:
        file: The file; where it is read and written next is not kept on Windows.
        waits: Whether to wait until another process lets go, on Windows at most ten seconds.
        is_shared: Whether others may have such a lock, too; on Windows nobody may.

    Raises:
        BlockingIOError: another process has it.
        OSError: the file system knows no locks.
    """
    unix = _module("fcntl")
    if unix is not None:
        kind = unix.LOCK_SH if is_shared else unix.LOCK_EX
        unix.flock(file, kind if waits else kind | unix.LOCK_NB)
        return
    windows = import_module("msvcrt")
    os.lseek(file.fileno(), BYTE, os.SEEK_SET)
    try:
        windows.locking(file.fileno(), windows.LK_LOCK if waits else windows.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(error.errno, error.strerror) from error
    finally:
        os.lseek(file.fileno(), 0, os.SEEK_SET)


def _module(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:
        return None
