from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import pickle
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

import redraft.api.sandbox.workers
from redraft.api.errors import StorageFullError, WorkerError, WorkerTimeoutError
from redraft.api.sandbox import process_limits
from redraft.api.sandbox.fork_server import LENGTH
from redraft.api.sandbox.landlock import SIGNALS_SINCE, WorkerFolders, landlock_version
from redraft.api.sandbox.process_limits import attempt, confine, has_network
from redraft.api.sandbox.results import Crashed
from redraft.api.sandbox.system_calls import MACHINES
from redraft.api.sandbox.workers import InProcess, WorkerProcesses, Workers, workers
from redraft.engine.errors import EngineError, ModelError, NotFoundError, UnsupportedFormatError
from redraft.engine.report import StoredVersion
from tests.api import fake_engine
from tests.remote.test_program import is_running

pytestmark = pytest.mark.process


@pytest.fixture(params=["processes", "in process"])
async def pool(request: pytest.FixtureRequest) -> AsyncGenerator[Workers]:
    made: Workers = InProcess() if request.param == "in process" else WorkerProcesses(1, 1 << 30)
    await made.start()
    yield made
    await made.stop()


async def test_a_call_returns_its_value_or_raises_its_error(pool: Workers, tmp_path: Path) -> None:
    file = tmp_path / "a.docx"
    file.write_bytes(fake_engine.docx("hello"))
    reading = await pool.call(fake_engine.read, StoredVersion(file), "final", seconds=60)
    assert reading.markdown == "hello"
    with pytest.raises(NotFoundError) as raised:
        await pool.call(
            fake_engine.interpret, StoredVersion(file), "replace a with b", None, seconds=60
        )
    assert raised.value.closest == "something like it"
    with pytest.raises(WorkerError, match="ZeroDivisionError"):
        await pool.call(fake_engine.interpret, StoredVersion(file), "break", None, seconds=60)


async def test_a_call_that_finds_no_space_on_the_disk_says_so(pool: Workers) -> None:
    with pytest.raises(StorageFullError):
        await pool.call(_fill_the_disk, seconds=60)


async def test_workers_that_never_get_ready_are_an_error_that_names_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", _die)
    monkeypatch.setattr(redraft.api.sandbox.workers, "START_SECONDS", 3)
    with pytest.raises(
        WorkerError, match="no worker process starts; raise REDRAFT_WORKER_MEMORY_MB"
    ):
        await WorkerProcesses(1, 0).start()


async def test_a_call_that_takes_too_long_is_an_error(pool: Workers, tmp_path: Path) -> None:
    with pytest.raises(WorkerTimeoutError, match=r"longer than 0\.2 seconds .* try again later"):
        await pool.call(time.sleep, 2, seconds=0.2)


async def test_a_worker_does_not_look_for_circles_after_every_few_paragraphs() -> None:
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        rounds = await pool.call(_collections, 50_000, seconds=60)
        assert sum(rounds) <= 50_000 / 10_000 + 1
        assert await pool.call(gc.get_freeze_count, seconds=60) > 10_000
    finally:
        await pool.stop()


def _collections(count: int) -> tuple[int, ...]:
    """Make so many objects that stay; say how often the collector looked, by generation."""
    before = [each["collections"] for each in gc.get_stats()]
    kept = [[number] for number in range(count)]
    after = [each["collections"] for each in gc.get_stats()]
    assert len(kept) == count
    return tuple(b - a for a, b in zip(before, after, strict=True))


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


@pytest.mark.parametrize("waits", [True, False], ids=["seen before the call", "and in the call"])
async def test_workers_that_die_while_nothing_runs_are_followed_by_others(waits: bool) -> None:
    pool = WorkerProcesses(2, 0)
    await pool.start()
    try:
        for _ in range(2):
            killed = await pool.call(os.getpid, seconds=60)
            os.kill(killed, signal.SIGKILL)
            if waits:
                async with asyncio.timeout(60):
                    while is_running(killed):  # noqa: ASYNC110 - nobody tells
                        await asyncio.sleep(0.01)
            assert await pool.call(os.getpid, seconds=60) != killed
        if waits:  # else the other one may have taken the call, and nobody has missed the first
            assert pool.stops()["died"] == 2
    finally:
        await pool.stop()


def _send_a_pickle() -> None:
    """Write to the service what a worker that was taken over would write."""
    trap = pickle.dumps(_Trap())
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, LENGTH.pack(len(trap)) + trap)


class _Trap:
    def __reduce__(self) -> tuple[object, ...]:
        return _spring, ()


def _spring() -> None:
    os.environ["TRAP"] = "sprung"


async def test_a_worker_that_answers_with_a_pickle_runs_nothing_in_the_service() -> None:
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        with pytest.raises(WorkerError):
            await pool.call(_send_a_pickle, seconds=60)
        assert "TRAP" not in os.environ
        assert await pool.call(os.getpid, seconds=60)
    finally:
        await pool.stop()


def _environment() -> tuple[str, ...]:
    parent = Path(f"/proc/{os.getppid()}/environ").read_bytes()
    return (*os.environ, *(name.decode() for name in parent.split(b"\0")))


async def test_a_fork_server_that_was_killed_comes_back_without_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", unconfined)
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        monkeypatch.setenv("REDRAFT_API_KEYS", "canary")
        fork_server = await pool.call(os.getppid, seconds=60)
        worker = await pool.call(os.getpid, seconds=60)
        os.kill(fork_server, signal.SIGKILL)
        os.kill(worker, signal.SIGKILL)
        variables = await pool.call(_environment, seconds=60)
        assert await pool.call(os.getppid, seconds=60) != fork_server
        assert not [name for name in variables if "API_KEYS" in name or "canary" in name]
    finally:
        await pool.stop()


def _burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


async def test_a_call_is_stopped_by_its_own_time_and_not_by_that_of_others() -> None:
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        await pool.call(time.sleep, 0.6, seconds=0.3)
        with pytest.raises(WorkerTimeoutError):
            await pool.call(_burn, 3.0, seconds=0.3)
        assert pool.stops()["timed out"] == 1
    finally:
        await pool.stop()


async def test_a_key_that_keeps_every_worker_busy_does_not_hold_up_another(tmp_path: Path) -> None:
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        begun = tmp_path / "begun"
        greedy = [
            asyncio.create_task(pool.call(_sleep_for_an_hour, begun, seconds=60, owner="greedy"))
            for _ in range(3)
        ]
        await asyncio.to_thread(_wait_for, begun)
        async with asyncio.timeout(30):
            assert await pool.call(os.getpid, seconds=60, owner="quiet")
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
    finally:
        await pool.stop()


def _die(*_: object) -> None:
    os._exit(1)


def _fill_the_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


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
    try:
        return sys.platform == "linux" and not subprocess.run(tried, check=False).returncode
    except PermissionError:  # a worker imports this module for a function of it
        return False


def is_filtered() -> bool:
    return sys.platform == "linux" and platform.machine() in MACHINES


def without_a_filter(memory: int, worker_folders: WorkerFolders | None) -> None:
    """Confine a worker as on a processor whose numbers are not known."""
    process_limits.system_calls.refuse = lambda: False
    confine(memory, worker_folders)


async def reaching() -> tuple[str, bool, bool]:
    """What a worker gets of a connect, whether the listener saw it, and what the worker thinks."""
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            got = await pool.call(_reach, port, seconds=60)
            thinks = await pool.call(has_network, seconds=60)
            listener.setblocking(False)
            try:
                listener.accept()[0].close()
            except BlockingIOError:
                return got, False, thinks
            return got, True, thinks
    finally:
        await pool.stop()


@pytest.mark.skipif(not is_filtered(), reason="the numbers of this processor are not known")
async def test_a_worker_reaches_no_network() -> None:
    assert await reaching() == ("PermissionError", False, False)


@pytest.mark.skipif(not has_namespaces(), reason="this machine gives no namespaces")
async def test_a_worker_without_a_filter_has_a_network_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", without_a_filter)
    assert await reaching() == ("OSError", False, False)


def look(pid: int) -> list[str]:
    """Try what a program in a worker would do to another process of its user."""
    tried: list[tuple[str, Callable[[], object]]] = [
        ("memory", lambda: os.close(os.open(f"/proc/{pid}/mem", os.O_RDWR))),
    ]
    if os.geteuid():  # Root may read it by CAP_PERFMON, whatever else holds.
        tried.append(("environment", Path(f"/proc/{pid}/environ").read_bytes))
    if landlock_version() >= SIGNALS_SINCE:
        tried.append(("signal", lambda: os.kill(pid, 0)))
    open_ways: list[str] = []
    for name, attempt_it in tried:
        try:
            attempt_it()
        except PermissionError:
            continue
        open_ways.append(name)
    return open_ways


@pytest.mark.skipif(
    sys.platform != "linux" or landlock_version() < 1, reason="this kernel has no landlock"
)
async def test_a_worker_gets_into_no_other_process() -> None:
    pool = WorkerProcesses(1, 0)
    await pool.start()
    try:
        # The fork server has no filter, and would be a way around the one of its workers.
        fork_server = await pool.call(os.getppid, seconds=60)
        for pid in (os.getpid(), fork_server):
            assert await pool.call(look, pid, seconds=60) == []
    finally:
        await pool.stop()


def unconfined(*_: object) -> None:
    """Leave a worker as it is."""


async def test_workers_with_a_network_are_told_of_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", unconfined)
    assert await reaching() == ("reached", True, True)
    assert "can reach the network" in caplog.text


@pytest.mark.skipif(not is_filtered(), reason="the numbers of this processor are not known")
async def test_confined_workers_are_not_told_of(caplog: pytest.LogCaptureFixture) -> None:
    await reaching()
    assert "can reach the network" not in caplog.text
