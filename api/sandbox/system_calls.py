"""Refuses a process, for the rest of its life, what leads out of it to a network or a neighbour.

A filter of seccomp(2) needs no privilege and can never be taken off again, so it holds as root, as
anybody, and in a container whose runtime forbids namespaces. It is a page of instructions, written
here: the bindings of libseccomp need that library on the machine, which an image of Python lacks,
and a package that assembles filters by itself is more to trust than the filter. A worker imports
this module, so it imports nothing of the service.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
from dataclasses import dataclass

PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 4, 22, 38
MODE_FILTER = 2
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""Instructions of linux/bpf_common.h: a word of the call, three jumps, the verdict."""
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
"""Where linux/seccomp.h has them in what a filter looks at; of the argument its lower half."""
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
UNKNOWN = 0x00050000 | errno.ENOSYS
THREAD = 0x00010000
"""The flag of clone(2) that starts a thread and no process."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The numbers of a processor: linux/audit.h and its asm/unistd.h.

    Attributes:
        audit: What the kernel calls it.
        refused: The numbers of REFUSED, in that order.
        clone: What starts a thread or a process, by its flags.
        other: The first number of a second way to call the same kernel; 0 where there is none.
    """

    audit: int
    refused: tuple[int, ...]
    clone: int
    other: int = 0


CLONE3 = 435
"""clone(2) with its flags in memory, where a filter does not see them; one number everywhere."""
ONLY_X86 = ("chmod", "chown", "lchown", "utime", "utimes", "futimesat", "fork", "vfork")
"""Calls that a newer processor has under one name only."""
REFUSED = (
    "socket",
    "connect",
    "io_uring_setup",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "fchmodat",
    "fchownat",
    "fchmod",
    "fchown",
    "utimensat",
    "shmget",
    "semget",
    "msgget",
    "clock_settime",
    "settimeofday",
    "adjtimex",
    "clock_adjtime",
    "fchmodat2",
    "execve",
    "execveat",
    "truncate",
    *ONLY_X86,
)
"""No socket of any family: the one of the fork server would lead to a process without a filter.

A ring opens sockets by itself, and the others reach into a process that has some. Pairs of sockets
and pipes go on. Nor does a worker change modes, owners or times of files, share memory with
neighbours, cut off files by their names (which Landlock forbids from Linux 6.2 on only), start
processes or programs, or, as root, set the clock. Threads can be started: clone3
is answered as by a kernel that does not have it, so that the C library asks by clone.
"""
MACHINES = {
    "x86_64": Machine(
        0xC000003E,
        (
            *(41, 42, 425, 101, 310, 311, 438),
            *(268, 260, 91, 93, 280, 29, 64, 68, 227, 164, 159, 305, 452, 59, 322, 76),
            *(90, 92, 94, 132, 235, 261, 57, 58),
        ),
        clone=56,
        other=0x40000000,
    ),
    "aarch64": Machine(
        0xC00000B7,
        (
            *(198, 203, 425, 117, 270, 271, 438),
            *(53, 54, 52, 55, 88, 194, 190, 186, 112, 170, 171, 266, 452, 221, 281, 45),
        ),
        clone=220,
    ),
}


class _Program(ctypes.Structure):
    """The struct sock_fprog of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse() -> bool:
    """Refuses the calls in this process and whatever it starts; False where that cannot be done."""
    machine = MACHINES.get(platform.machine())
    # A program of 32 bits has other numbers.
    if sys.platform != "linux" or machine is None or struct.calcsize("P") != 8:
        return False
    code = b"".join(program(machine))
    filter_program = _Program(len(code) // 8, code)
    # The kernel takes a filter from anybody who can gain no privilege by a program any more.
    return control(PR_SET_NO_NEW_PRIVS, 1) and control(
        PR_SET_SECCOMP, MODE_FILTER, ctypes.addressof(filter_program)
    )


def program(machine: Machine) -> list[bytes]:
    """Writes the filter.

    A call of another processor ends the process, a refused one is EPERM, and a clone is refused
    unless it starts a thread.
    """
    numbers = machine.refused
    steps = [
        _step(LOAD, ARCHITECTURE),
        _step(EQUAL, machine.audit, yes=1),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
    ]
    if machine.other:
        steps.append(_step(AT_LEAST, machine.other, yes=len(numbers) + 5))
    steps += [
        _step(EQUAL, number, yes=len(numbers) - place + 4) for place, number in enumerate(numbers)
    ]
    return [
        *steps,
        _step(EQUAL, CLONE3, yes=5),
        _step(EQUAL, machine.clone, no=2),
        _step(LOAD, FIRST_ARGUMENT),
        _step(ANY_BIT, THREAD, no=1),
        _step(RETURN, ALLOW),
        _step(RETURN, REFUSE),
        _step(RETURN, UNKNOWN),
    ]


def control(option: int, *values: int) -> bool:
    """Calls prctl(2), and says whether the kernel did it."""
    libc = ctypes.CDLL(None, use_errno=True)
    arguments = (*values, 0, 0, 0, 0)[:4]
    return not libc.prctl(option, *(ctypes.c_ulong(value) for value in arguments))


def hide() -> None:
    """Keeps other processes of the same user out of our memory and environment.

    A process that holds keys calls it before anything that opens documents is started.
    """
    if sys.platform == "linux":
        control(PR_SET_DUMPABLE, 0)


def _step(code: int, constant: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, constant)
