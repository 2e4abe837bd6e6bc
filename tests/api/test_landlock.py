"""What a worker sees of the machine's files, judged by this kernel."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

import redraft.api.sandbox.workers
from redraft.api.files.local import LocalFiles
from redraft.api.sandbox import landlock, process_limits
from redraft.api.sandbox.landlock import WorkerFolders, landlock_version
from redraft.api.sandbox.process_limits import confine
from redraft.api.sandbox.workers import WorkerProcesses
from redraft.engine import editor
from redraft.engine.report import Signature, StoredVersion
from tests.interface.situation_documents import text_pdf, word

pytestmark = pytest.mark.process

landlocked = pytest.mark.skipif(
    sys.platform != "linux" or landlock_version() < 1, reason="this kernel has no landlock"
)
SEEN_LATE = ("wave", "_zoneinfo", "fontTools.ttLib.sfnt")
"""Modules that nothing of ours imports, of Python, its extensions and a package."""


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    made = LocalFiles(tmp_path / "data")
    made.prepare()
    return made


def known(memory: int, worker_folders: WorkerFolders | None) -> None:
    """Confine a worker that has loaded this module, whose functions it is to call."""
    confine(memory, worker_folders)


@pytest.fixture
async def pool(
    files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[WorkerProcesses]:
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", known)
    made = WorkerProcesses(1, 1 << 30, files.worker_folders)
    await made.start()
    yield made
    await made.stop()


def got(action: Callable[[], object]) -> str:
    try:
        action()
    except OSError as error:
        return type(error).__name__
    return "done"


def listed(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def tried(paths: dict[str, Path]) -> dict[str, str]:
    """What comes of what a document could make a worker do, told by its name."""
    return {
        "another document": got(paths["other"].read_bytes),
        "the database": got(paths["database"].read_bytes),
        "the key file": got(lambda: paths["key"].open("rb").close()),
        "users": got(lambda: Path("/etc/passwd").read_bytes()),
        "home": got(lambda: listed(Path.home())),
        "documents": got(lambda: listed(paths["other"].parent)),
        "inputs of others": got(lambda: listed(paths["input"].parent)),
        "outputs of others": got(lambda: listed(paths["output"].parent)),
        "own input": got(paths["input"].read_bytes),
        "write input": got(lambda: paths["input"].write_bytes(b"forged")),
        "remove input": got(paths["input"].unlink),
        "own output": got(lambda: paths["output"].write_bytes(b"made")),
        "link": got(lambda: (paths["output"].parent / "link").symlink_to("/etc")),
        "elsewhere": got(lambda: (paths["other"].parent / "new").write_bytes(b"x")),
        "program": got(lambda: subprocess.run([sys.executable, "-V"], check=False)),
    }


def imported(names: tuple[str, ...]) -> list[str]:
    return [importlib.import_module(name).__name__ for name in names]


@landlocked
async def test_a_worker_reads_its_document_writes_its_result_and_no_other_file(
    files: LocalFiles, pool: WorkerProcesses, tmp_path: Path
) -> None:
    await files.put(b"mine", "mine/0-a")
    await files.put(b"theirs", "theirs/0-a")
    data = tmp_path / "data"
    paths = {
        "other": data / "documents" / "theirs" / "0-a",
        "database": data / "redraft.sqlite",
        "key": data / "api-key",
    }
    for name in ("database", "key"):
        paths[name].write_bytes(b"canary")
    async with files.at_hand("mine/0-a") as source, files.scratch() as target:
        paths |= {"input": source, "output": target}
        found = await pool.call(tried, paths, seconds=300)
        done = {what for what, outcome in found.items() if outcome == "done"}
        assert done == {"own input", "own output"}
        assert set(found.values()) == {"done", "PermissionError"}
        assert target.read_bytes() == b"made"
        assert source.read_bytes() == b"mine"
    assert await files.load("mine/0-a") == b"mine"


def surrounded(memory: int, worker_folders: WorkerFolders | None) -> None:
    """Confine a worker whose packages may lie around the data folder."""
    assert worker_folders is not None
    os.environ["PYTHONPATH"] = str(worker_folders.inputs.parents[1])
    confine(memory, worker_folders)


@landlocked
async def test_a_folder_for_packages_around_the_data_gives_nothing_away(
    files: LocalFiles, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", surrounded)
    made = WorkerProcesses(1, 0, files.worker_folders)
    await made.start()
    try:
        await test_a_worker_reads_its_document_writes_its_result_and_no_other_file(
            files, made, tmp_path
        )
    finally:
        await made.stop()


@landlocked
async def test_a_worker_still_imports_what_python_and_its_packages_have(
    pool: WorkerProcesses,
) -> None:
    assert await pool.call(imported, SEEN_LATE, seconds=300) == list(SEEN_LATE)


@landlocked
@pytest.mark.parametrize(
    ("data", "tracked"), [(word("thirty days"), True), (text_pdf("thirty days"), True)]
)
async def test_the_engine_has_all_it_needs_in_the_room(
    files: LocalFiles, pool: WorkerProcesses, data: bytes, tracked: bool
) -> None:
    await files.put(data, "mine/0-a")

    async def call(function: Callable[..., Any], *given: Any) -> Any:
        return await pool.call(function, *given, seconds=300)

    async with (
        files.at_hand("mine/0-a") as source,
        files.scratch() as target,
        files.scratch() as shown,
    ):
        state = (await call(editor.inspect, source, "a")).state
        plan = await call(
            editor.interpret, StoredVersion(source, state), 'Replace "thirty" with "sixty"', None
        )
        signature = Signature("edit", "Ann", "2026-01-01T00:00:00Z", tracked)
        report = await call(
            editor.edit, StoredVersion(source, state, source), target, plan, signature
        )
        assert report.applied
        assert "sixty" in (await call(editor.read, StoredVersion(target), "final")).markdown
        if data.startswith(b"%PDF"):
            await call(editor.redline, StoredVersion(target, report.state, source), shown)
            assert shown.read_bytes().startswith(data)
            await call(editor.as_word, StoredVersion(target, report.state, source), shown)
            assert shown.read_bytes().startswith(b"PK")


def without_landlock(memory: int, worker_folders: WorkerFolders | None) -> None:
    """Confine a worker as on a kernel without landlock."""
    process_limits.landlock.landlock_version = lambda: 0
    confine(memory, worker_folders)


def without_rules(memory: int, worker_folders: WorkerFolders | None) -> None:
    """Confine a worker as in a container that lets nobody add a rule."""
    landlock.ADD_RULE = 9999
    confine(memory, worker_folders)


@pytest.mark.parametrize("confined", [without_landlock, without_rules])
async def test_where_there_is_no_such_room_workers_work_and_the_log_says_so(
    files: LocalFiles,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    confined: Callable[[int, WorkerFolders | None], None],
) -> None:
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", confined)
    pool = WorkerProcesses(1, 0, files.worker_folders)
    await pool.start()
    try:
        assert await pool.call(Path.exists, Path("/etc"), seconds=300)
    finally:
        await pool.stop()
    assert "can read every file of this user" in caplog.text


@landlocked
async def test_where_there_is_one_the_log_says_nothing(
    pool: WorkerProcesses, caplog: pytest.LogCaptureFixture
) -> None:
    assert await pool.call(os.getpid, seconds=300)
    assert "can read all files" not in caplog.text
