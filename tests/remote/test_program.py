from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from redraft.remote.program import Program, Start, fitting, kept
from tests.remote.conftest import MARKER

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]


@asynccontextmanager
async def started(
    folder: Path, *command: str, size: tuple[int, int] = (80, 24)
) -> AsyncGenerator[Program]:
    start = Start(command or MARKER, {**os.environ, "TERM": "xterm"}, folder)
    program = await Program.start(start, size)
    try:
        yield program
    finally:
        await program.end()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def until(program: Program, wanted: bytes) -> bytes:
    seen = b""
    async with asyncio.timeout(30):
        while wanted not in seen:
            data = await program.read()
            assert data, seen
            seen += data
    return seen


async def test_it_has_a_terminal_of_the_size_asked_for_and_hears_of_another(
    tmp_path: Path,
) -> None:
    async with started(tmp_path, size=(100, 30)) as program:
        await until(program, b"size=100x30")
        program.resize(60, 15)
        await until(program, b"size=60x15")


async def test_keys_arrive_as_the_bytes_they_are(tmp_path: Path) -> None:
    async with started(tmp_path) as program:
        await until(program, b"size=")
        await program.write(b"\xff\xfe\x1b[M \xc80")
        await until(program, b"keys=fffe1b5b4d20c830")


async def test_its_exit_code_is_told(tmp_path: Path) -> None:
    async with started(tmp_path) as program:
        await until(program, b"size=")
        await program.write(b"q")
        while await program.read():
            pass
        assert await program.finish() == 3


async def test_ending_hangs_up_and_waits(tmp_path: Path) -> None:
    async with started(tmp_path) as program:
        await until(program, b"size=")
        assert await program.end() == 129
    assert (tmp_path / "hung-up").exists()


async def test_one_that_does_not_listen_is_killed_with_what_it_started(tmp_path: Path) -> None:
    stubborn = "trap '' HUP; sleep 600 & echo child=$!; wait; sleep 600"
    async with started(tmp_path, "/bin/sh", "-c", stubborn) as program:
        seen = await until(program, b"child=")
        child = int(seen.partition(b"child=")[2].split()[0])
        assert await program.end(0.2) == 128 + 9
    assert not is_running(program.pid)
    # The signal is sent to the whole group; the kernel ends its members in its own time.
    async with asyncio.timeout(30):
        while is_running(child):  # noqa: ASYNC110  it is no child of ours: nothing tells its end
            await asyncio.sleep(0.02)


async def test_one_that_writes_without_end_can_be_ended(tmp_path: Path) -> None:
    async with started(
        tmp_path, "/bin/sh", "-c", "trap '' HUP; while :; do echo y; done"
    ) as program:
        await until(program, b"y")
        assert await program.end(0.2) == 128 + 9
        assert await program.read() == b""


async def test_a_program_that_is_not_there_ends_at_once(tmp_path: Path) -> None:
    async with started(tmp_path, str(tmp_path / "nothing")) as program:
        while await program.read():
            pass
        assert await program.finish() != 0


@pytest.mark.parametrize(
    ("asked", "given"),
    [((0, 0), (80, 24)), ((120, 36), (120, 36)), ((65535, 65535), (700, 250))],
)
def test_a_size_is_one_that_can_be_drawn(asked: tuple[int, int], given: tuple[int, int]) -> None:
    assert fitting(*asked) == given


def test_secrets_of_the_server_stay_with_it() -> None:
    assert kept({"PATH": "/bin", "OPENAI_API_KEY": "s", "REDRAFT_API_KEYS": "t"}) == {
        "PATH": "/bin"
    }
