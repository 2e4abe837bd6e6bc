from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from api.confinement import Crashed, attempt
from api.errors import WorkerError, WorkerTimeoutError
from api.workers import InProcess, WorkerProcesses, Workers, workers
from engine.errors import EngineError, ModelError, NotFoundError, UnsupportedFormatError
from tests.api import fake_engine

pytestmark = pytest.mark.xdist_group("workers")


@pytest.fixture(params=["processes", "in process"])
async def pool(request: pytest.FixtureRequest) -> AsyncGenerator[Workers]:
    made: Workers = InProcess() if request.param == "in process" else WorkerProcesses(1, 1 << 30)
    await made.start()
    yield made
    await made.stop()


async def test_a_call_returns_its_value_or_raises_its_error(pool: Workers, tmp_path: Path) -> None:
    file = tmp_path / "a.docx"
    file.write_bytes(fake_engine.docx("hello"))
    reading = await pool.call(fake_engine.read, file, "final", seconds=60)
    assert reading.markdown == "hello"
    with pytest.raises(NotFoundError) as raised:
        await pool.call(fake_engine.interpret, file, "replace a with b", None, seconds=60)
    assert raised.value.closest == "something like it"
    with pytest.raises(WorkerError, match="ZeroDivisionError"):
        await pool.call(fake_engine.interpret, file, "break", None, seconds=60)


async def test_a_call_that_takes_too_long_is_an_error(pool: Workers, tmp_path: Path) -> None:
    with pytest.raises(WorkerTimeoutError):
        await pool.call(time.sleep, 2, seconds=0.2)


async def test_a_cancelled_call_ends_its_process_and_the_next_one_works(tmp_path: Path) -> None:
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        before = await pool.call(os.getpid, seconds=60)
        begun = tmp_path / "begun"
        task = asyncio.create_task(pool.call(_sleep_for_an_hour, begun, seconds=7200))
        await asyncio.to_thread(_wait_for, begun)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        after = await pool.call(os.getpid, seconds=60)
        assert after != before
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)
    finally:
        await pool.stop()


def _sleep_for_an_hour(begun: Path) -> None:
    begun.touch()
    time.sleep(3600)


def _wait_for(file: Path) -> None:
    for _ in range(6000):
        if file.exists():
            return
        time.sleep(0.01)


async def test_a_pool_that_was_stopped_says_so() -> None:
    pool = workers(1, 0)
    with pytest.raises(WorkerError):
        await pool.call(os.getpid, seconds=1)


def test_no_workers_means_in_this_process() -> None:
    assert isinstance(workers(0, 0), InProcess)


@pytest.mark.parametrize(
    "error",
    [
        UnsupportedFormatError("a sentence", is_other=True),
        NotFoundError("a sentence", "closest"),
        ModelError("a sentence", passing=False),
        EngineError("a sentence"),
    ],
)
async def test_any_engine_error_survives_the_way_out_of_a_process(
    error: EngineError, pool: Workers
) -> None:
    with pytest.raises(EngineError) as raised:
        await pool.call(_raise, error, seconds=60)
    assert type(raised.value) is type(error)
    assert str(raised.value) == str(error)
    assert raised.value.args == error.args
    assert vars(error).items() <= vars(raised.value).items()


def _raise(error: EngineError) -> None:
    raise error


def test_an_unforeseen_error_comes_out_without_its_message() -> None:
    def fail() -> None:
        message = "canary"
        raise ValueError(message)

    crashed = attempt(fail, ())
    assert isinstance(crashed, Crashed)
    assert crashed.kind == "ValueError"
    assert "canary" not in repr(crashed)


def _reach(port: int) -> str:
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
    except OSError as error:
        return type(error).__name__
    return "reached"


def has_namespaces() -> bool:
    tried = ["unshare", "--user", "--net", "true"]
    return sys.platform == "linux" and not subprocess.run(tried, check=False).returncode


@pytest.mark.skipif(not has_namespaces(), reason="this machine gives no namespaces")
async def test_a_worker_reaches_no_network() -> None:
    pool = WorkerProcesses(1, 0)
    await pool.start()
    listener = socket.create_server(("127.0.0.1", 0))
    try:
        port = listener.getsockname()[1]
        assert _reach(port) == "reached"
        assert await pool.call(_reach, port, seconds=60) != "reached"
    finally:
        listener.close()
        await pool.stop()
