"""Keeps a process out of its neighbours and out of all files but a few, by landlock(7).

A domain needs no privilege and can never be left again. It is made by three calls whose numbers are
the same on every processor; what a kernel does not know yet is not asked of it. A worker imports
this module, so it imports nothing of the service but the calls.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from redraft.api.sandbox.system_calls import PR_SET_NO_NEW_PRIVS, control

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
GIVE_VERSION, PATH_BENEATH = 1, 1
SIGNALS_SINCE = 6
"""The first version in which a domain keeps signals inside."""
NO_NETWORK_RULE, SIGNALS = 0, 1 << 1
WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
REMOVE_FILE, MAKE_REGULAR, MAKE_BLOCK_DEVICE, TRUNCATE = 1 << 5, 1 << 8, 1 << 11, 1 << 14
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights to files each version knows; a later one is asked for those of version 5."""
LIBRARIES, INPUTS, OUTPUTS = (
    READ_FILE | READ_DIR,
    READ_FILE,
    READ_FILE | WRITE_FILE | REMOVE_FILE | MAKE_REGULAR | TRUNCATE,
)
"""Inputs and outputs cannot be listed: the name of a file is random, and the only way to it."""
FOR_PACKAGES = ("site-packages", "dist-packages")
SYSTEM = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/urandom",
)
"""What libraries of the system look for besides themselves; no secret of anybody is there."""


@dataclass(frozen=True, slots=True)
class WorkerFolders:
    """Where a process finds the files that it is to open, and where it leaves what it makes."""

    inputs: Path
    outputs: Path


def separate(worker_folders: WorkerFolders | None = None) -> bool:
    """Keeps this process out of all others: of their memory, and from Linux 6.12 their signals too.

    A filter sees no paths, and /proc/PID/mem of a process without one would be a way around it. Any
    domain closes that; where there is no room to keep to, it forbids one thing that nobody needs.

    Args:
        worker_folders: What is left of the machine's files, beside what Python and its libraries
            need; no program can be started then. None leaves all files.

    Returns:
        False where the kernel cannot do it; then nothing has been given up.
    """
    if sys.platform != "linux" or not control(PR_SET_NO_NEW_PRIVS, 1):
        return False
    version = landlock_version()
    if version < 1:
        return False
    rights = MAKE_BLOCK_DEVICE if worker_folders is None else (1 << RIGHTS.get(version, 16)) - 1
    attributes = struct.pack("=QQQ", rights, NO_NETWORK_RULE, SIGNALS)
    size = len(attributes) if version >= SIGNALS_SINCE else 8
    domain = _call(CREATE_RULESET, ctypes.c_char_p(attributes), size, 0)
    if domain < 0:
        return False
    try:
        if worker_folders is not None and not _furnish(domain, worker_folders, rights):
            return False
        return _call(RESTRICT_SELF, domain, 0) == 0
    finally:
        os.close(domain)


def landlock_version() -> int:
    """Says which version of landlock(7) the kernel has; less than 1 for none."""
    return _call(CREATE_RULESET, None, 0, GIVE_VERSION)


def _furnish(domain: int, worker_folders: WorkerFolders, rights: int) -> bool:
    """Allows what is left; False when the inputs or outputs cannot be, without which all fails."""
    for place in _libraries():
        if not worker_folders.inputs.resolve().is_relative_to(place):
            _allow(domain, place, LIBRARIES & rights)
    return _allow(domain, worker_folders.inputs, INPUTS & rights) and _allow(
        domain, worker_folders.outputs, OUTPUTS & rights
    )


def _libraries() -> Iterable[Path]:
    """Names what Python may still import and what that needs.

    Of the places in sys.path the first may be where somebody happened to start the program, so only
    those that are for packages are taken, what PYTHONPATH names, and the packages that are loaded.
    """
    for_packages = (place for place in sys.path if Path(place).name in FOR_PACKAGES)
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    loaded = (
        folder
        for name, module in tuple(sys.modules.items())
        if "." not in name or name.rpartition(".")[0] == "redraft"  # a checkout links to those
        for folder in getattr(module, "__path__", ())
    )
    readable = (sys.prefix, sys.base_prefix, *for_packages, *named, *loaded, *SYSTEM)
    return dict.fromkeys(Path(place).resolve() for place in readable if place)


def _allow(domain: int, place: Path, rights: int) -> bool:
    """Allows rights to a file or to all below a folder; False where it is not there."""
    try:
        opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            rights &= ~READ_DIR
        rule = struct.pack("=Qi", rights, opened)
        return _call(ADD_RULE, domain, PATH_BENEATH, ctypes.c_char_p(rule), 0) == 0
    finally:
        os.close(opened)


def _call(number: int, *values: ctypes.c_char_p | int | None) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    arguments = (ctypes.c_long(value) if isinstance(value, int) else value for value in values)
    return libc.syscall(ctypes.c_long(number), *arguments)
