"""The filter, judged by a reader of its instructions for both processors, and by this kernel."""

from __future__ import annotations

import os
import platform
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from redraft.api.sandbox.system_calls import (
    ALLOW,
    KILL,
    MACHINES,
    ONLY_X86,
    REFUSE,
    REFUSED,
    UNKNOWN,
    Machine,
    program,
)

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
CALLED = {
    "x86_64": {"socketpair": 53, "read": 0, "sendto": 44},
    "aarch64": {"socketpair": 199, "read": 63, "sendto": 206},
}
filtering = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in MACHINES,
    reason="this system has no filter of system calls that we know",
)
FILTERED = "from redraft.api.sandbox.system_calls import refuse; assert refuse(); "
UNPRIVILEGED = (
    "import ctypes, os, sys; lib = ctypes.CDLL(None); "
    "[lib.prctl(24, right, 0, 0, 0) for right in (19, 21, 38)]; "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""Without CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_PERFMON, by which root sees into every process."""
RING = (
    "import ctypes, os; lib = ctypes.CDLL(None, use_errno=True); "
    "done = lib.syscall(425, 1, ctypes.create_string_buffer(120)); "
    "raise OSError(ctypes.get_errno(), 'refused') if done < 0 else SystemExit(9)"
)
HIDDEN = "from redraft.api.sandbox.system_calls import hide; hide()"


PROCESS, POSIX_SPAWN, POSIX_THREAD = 0x01200011, 0x4111, 0x003D0F00
"""The flags by which the C library starts a process, a program, and a thread."""


def verdict(code: list[bytes], number: int, audit: int, argument: int = 0) -> int:
    """What the kernel would say: the five instructions of classic BPF that the filter uses."""
    seen, place = 0, 0
    while True:
        kind, yes, no, constant = struct.unpack("=HBBI", code[place])
        place += 1
        if kind == 0x06:
            return constant
        if kind == 0x20:
            seen = {0: number, 4: audit, 16: argument & 0xFFFFFFFF}[constant]
        else:
            jumps = {0x15: seen == constant, 0x35: seen >= constant, 0x45: bool(seen & constant)}
            place += yes if jumps[kind] else no


@pytest.mark.parametrize("name", MACHINES)
def test_the_refused_calls_are_refused_and_all_others_go_on(name: str) -> None:
    machine = MACHINES[name]
    code = program(machine)
    refused = {number for number in range(600) if verdict(code, number, machine.audit) == REFUSE}
    assert refused == {*machine.refused, machine.clone}
    names = REFUSED if name == "x86_64" else REFUSED[: -len(ONLY_X86)]
    assert len(machine.refused) == len(names)
    for number in CALLED[name].values():
        assert verdict(code, number, machine.audit) == ALLOW


@pytest.mark.parametrize("name", MACHINES)
def test_clone_starts_threads_and_no_process(name: str) -> None:
    machine = MACHINES[name]
    code = program(machine)
    for flags, expected in (
        (POSIX_THREAD, ALLOW),
        (PROCESS, REFUSE),
        (POSIX_SPAWN, REFUSE),
        (POSIX_THREAD << 32, REFUSE),
    ):
        assert verdict(code, machine.clone, machine.audit, flags) == expected
    assert verdict(code, 435, machine.audit, POSIX_THREAD) == UNKNOWN


@filtering
@pytest.mark.parametrize(
    "attempt",
    [
        "os.fork()",
        "os.posix_spawn(sys.executable, [sys.executable, '-V'], {})",
        "subprocess.run([sys.executable, '-V'])",
        "os.execv(sys.executable, [sys.executable, '-V'])",
        "lib.vfork() >= 0 or denied()",
    ],
)
def test_no_process_and_no_program_is_started_with_the_filter(attempt: str) -> None:
    code = (
        "import ctypes, os, subprocess, sys; lib = ctypes.CDLL(None, use_errno=True)\n"
        "def denied(): raise PermissionError(ctypes.get_errno())\n"
        f"{FILTERED}{attempt}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "PermissionError" in done.stderr
    assert done.stdout == ""


@filtering
def test_threads_start_with_the_filter() -> None:
    code = (
        "import threading; seen = []; "
        f"{FILTERED}thread = threading.Thread(target=seen.append, args=(1,)); "
        "thread.start(); thread.join(); assert seen == [1]"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@filtering
@pytest.mark.parametrize(
    "call",
    [
        "os.chmod(path, 0o777)",
        "os.chown(path, 1, 1)",
        "os.utime(path, (0, 0))",
        "os.truncate(path, 0)",
        "time.clock_settime(time.CLOCK_REALTIME, time.time())",
        "lib.shmget(0, 4096, 0o1600) >= 0 or denied()",
        "lib.msgget(0, 0o1600) >= 0 or denied()",
    ],
)
def test_modes_owners_times_shared_memory_and_the_clock_are_refused(
    call: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch(0o600)
    code = (
        f"import ctypes, os, time; path = {str(file)!r}; "
        "lib = ctypes.CDLL(None, use_errno=True)\n"
        "def denied(): raise PermissionError(ctypes.get_errno())\n"
        f"{FILTERED}{call}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "PermissionError" in done.stderr


def test_another_way_into_the_kernel_is_none() -> None:
    machine = MACHINES["x86_64"]
    code = program(machine)
    assert verdict(code, 0x40000000 + 41, machine.audit) == REFUSE
    i386 = 0x40000003
    assert verdict(code, 359, i386) == KILL
    for other in ("x86_64", "aarch64"):
        for foreign in set(MACHINES) - {other}:
            assert verdict(program(MACHINES[other]), 0, MACHINES[foreign].audit) == KILL


@filtering
def test_the_numbers_are_those_of_the_headers_of_this_machine() -> None:
    header = Path("/usr/include") / f"{platform.machine()}-linux-gnu/asm/unistd_64.h"
    if not header.exists():
        pytest.skip("the headers of the kernel are not here")
    lines = dict(
        line.split()[1:3]
        for line in header.read_text("ascii").splitlines()
        if line.startswith("#define __NR_")
    )
    machine: Machine = MACHINES[platform.machine()]
    numbers = dict(zip(map(str, REFUSED), machine.refused, strict=False))
    known = {name for name in numbers if f"__NR_{name}" in lines}
    assert set(numbers) - known <= {"fchmodat2"}  # newer than some headers
    assert {name: int(lines[f"__NR_{name}"]) for name in known} == {
        name: numbers[name] for name in known
    }


@filtering
@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.socket(socket.AF_INET)",
        "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
        RING,
    ],
    ids=["v4", "v6", "unix", "netlink", "a ring"],
)
def test_no_socket_can_be_opened_with_the_filter(attempt: str) -> None:
    tried = [sys.executable, "-c", FILTERED + attempt]
    done = subprocess.run(tried, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "PermissionError" in done.stderr


@filtering
def test_pairs_of_sockets_and_pipes_go_on_with_the_filter() -> None:
    pair = (
        "import os, socket; one, other = socket.socketpair(); one.send(b'a'); "
        "assert other.recv(1) == b'a'; source, sink = os.pipe(); os.write(sink, b'b'); "
        "assert os.read(source, 1) == b'b'"
    )
    subprocess.run([sys.executable, "-c", FILTERED + pair], cwd=ROOT, check=True)


WAITING = [sys.executable, "-c", HIDDEN + "; print('here', flush=True); input()"]
SERVING = [sys.executable, "-m", "redraft", "serve", "--port", "0"]


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
@pytest.mark.parametrize("command", [WAITING, SERVING], ids=["a process", "the service"])
def test_what_holds_keys_shows_its_environment_to_no_process_of_its_user(
    command: list[str], tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", UNPRIVILEGED, *command],
        cwd=ROOT,
        env={**os.environ, "OPENAI_API_KEY": "canary", "REDRAFT_DATA_DIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert any("here" in line or "listening" in line for line in process.stdout)
            look = "import sys; print(b'canary' in open(sys.argv[1], 'rb').read())"
            asking = [sys.executable, "-c", UNPRIVILEGED, sys.executable, "-c", look]
            seen = subprocess.run(
                [*asking, f"/proc/{process.pid}/environ"],
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            process.kill()
    assert "PermissionError" in seen.stderr
    assert seen.stdout == ""
