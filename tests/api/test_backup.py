"""Backups are whole, verified and made while the service runs; revoked keys stay revoked."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from redraft.api.admin import backup as backups
from redraft.api.admin import commands
from redraft.api.app import Externals, running
from redraft.api.auth.api_keys import NewKey, new_key
from redraft.api.clock import SystemClock
from redraft.api.metadata.audit import verified
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE
from tests.api import fake_engine, fake_planner
from tests.api.fake_engine import FakeEngine

KEY = "a key of the settings"
CLOCK = SystemClock()


@asynccontextmanager
async def service(data: Path, key: str = KEY) -> AsyncGenerator[httpx.AsyncClient]:
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, CLOCK)
    settings = Settings(data_dir=data, api_keys=(KEY,))
    async with (
        running(settings, externals) as application,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
            base_url="http://here",
            headers={"Authorization": f"Bearer {key}"},
        ) as client,
    ):
        yield client


async def upload(client: httpx.AsyncClient, text: str = "hello") -> str:
    file = ("a.docx", fake_engine.docx(text))
    answer = await client.post("/v1/documents/", files={"file": file})
    assert answer.status_code == 200
    return answer.json()["docId"]


async def content(client: httpx.AsyncClient, document: str) -> bytes:
    answer = await client.get(f"/v1/documents/{document}/download")
    assert answer.status_code == 200, answer.text
    return answer.content


async def back_up(data: Path, target: Path) -> int:
    return await asyncio.to_thread(commands.backup, [str(target), "--data-dir", str(data)])


async def restore(backup: Path, data: Path, *more: str) -> int:
    words = [str(backup), "--data-dir", str(data), *more]
    return await asyncio.to_thread(commands.restore, words)


async def test_what_a_running_service_holds_comes_back_elsewhere(tmp_path: Path) -> None:
    data, other, target = (tmp_path / name for name in ("data", "other", "backup"))
    async with service(data) as client:
        documents = [await upload(client, f"text {number}") for number in range(3)]
        contents = [await content(client, name) for name in documents]
        assert await back_up(data, target) == 0
        later = await upload(client)
    assert await restore(target, other) == 0
    async with service(other) as client:
        assert [await content(client, name) for name in documents] == contents
        assert (await client.get(f"/v1/documents/{later}/download")).status_code == 404
    assert {path.stat().st_mode & 0o077 for path in target.rglob("*")} == {0}


async def test_a_restore_is_in_the_audit_log_whose_chain_goes_on(tmp_path: Path) -> None:
    async with service(tmp_path / "data") as client:
        await upload(client)
        await back_up(tmp_path / "data", tmp_path / "backup")
        await upload(client)
    await restore(tmp_path / "backup", tmp_path / "data", "--replace")
    words = ["verify", str(tmp_path / "data" / "audit-2.jsonl")]  # of what was replaced
    assert await asyncio.to_thread(commands.audit, words) == 0
    metadata = await SqliteMetadata.open(tmp_path / "data" / DATABASE)
    entries = list(verified(await metadata.audit.entries()))
    await metadata.close()
    assert [entry.what for entry in entries] == ["upload", "restored"]


async def test_a_document_that_is_damaged_is_named_and_the_others_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    async with service(data) as client:
        whole, damaged = await upload(client, "one"), await upload(client, "two")
    (file,) = (data / "documents" / damaged).iterdir()
    file.write_bytes(b"x" + file.read_bytes()[1:])
    assert await back_up(data, tmp_path / "backup") == 1
    assert f"document {damaged} is damaged and not in the backup" in capsys.readouterr().err
    assert await restore(tmp_path / "backup", tmp_path / "other") == 0
    assert [path.name for path in (tmp_path / "other" / "documents").iterdir()] == [whole]


async def test_a_document_that_is_deleted_meanwhile_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    copied = shutil.copyfile
    async with service(data) as client:
        stays, goes = await upload(client, "one"), await upload(client, "two")

        def delete_first(source: Path, target: Path) -> Path:
            if source.parent.name == goes:
                shutil.rmtree(source.parent)
                with sqlite3.connect(data / DATABASE) as database:
                    database.execute("DELETE FROM documents WHERE id = ?", (goes,))
                database.close()
            return copied(source, target)

        monkeypatch.setattr(shutil, "copyfile", delete_first)
        assert await back_up(data, tmp_path / "backup") == 0
    assert "1 documents, 1 files" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "backup" / "documents").iterdir()] == [stays]


@pytest.mark.parametrize("name", [DATABASE, "documents", backups.MANIFEST])
async def test_a_backup_that_was_changed_is_refused_and_nothing_is_replaced(
    name: str, tmp_path: Path
) -> None:
    data, target = tmp_path / "data", tmp_path / "backup"
    async with service(data) as client:
        document = await upload(client)
        await back_up(data, target)
    path = target / name
    file = next(path.rglob("*/*")) if path.is_dir() else path
    kept = file.read_bytes()
    file.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    assert await restore(target, data, "--replace") == 1
    async with service(data) as client:
        assert await content(client, document)


async def test_a_folder_that_holds_something_or_is_in_use_is_left_alone(tmp_path: Path) -> None:
    data, target = tmp_path / "data", tmp_path / "backup"
    async with service(data) as client:
        document = await upload(client)
        assert await back_up(data, target) == 0
        assert await back_up(data, target) == 1
        assert await restore(target, data) == 2
        assert await content(client, document)
    assert await back_up(tmp_path / "absent", tmp_path / "more") == 1
    assert not (tmp_path / "absent").exists()
    assert not (tmp_path / "more").exists()


async def keys_of(data: Path, *new: NewKey) -> None:
    await asyncio.to_thread(data.mkdir)
    metadata = await SqliteMetadata.open(data / DATABASE)
    for key in new:
        await metadata.keys.add(key.key)
    await metadata.close()


async def revoke(data: Path, key: NewKey) -> None:
    words = ["revoke", key.key.id, "--data-dir", str(data)]
    assert await asyncio.to_thread(commands.keys, words) == 0


async def opens(data: Path, key: NewKey) -> bool:
    async with service(data, key.text) as client:
        return (await client.get("/v1/documents/")).status_code == 200


async def test_a_revoked_key_stays_revoked_after_a_restore(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, target = tmp_path / "data", tmp_path / "backup"
    gone, valid = new_key("gone", CLOCK.now()), new_key("valid", CLOCK.now())
    await keys_of(data, gone, valid)
    await back_up(data, target)
    await revoke(data, gone)
    assert await restore(target, data, "--replace") == 0
    told = capsys.readouterr()
    assert "1 keys of the backup that were revoked here since stay revoked" in told.err
    assert valid.key.id in told.out
    assert gone.key.id not in told.out
    assert not await opens(data, gone)
    assert await opens(data, valid)


async def test_a_database_that_was_put_back_by_hand_opens_no_revoked_key(tmp_path: Path) -> None:
    data = tmp_path / "data"
    gone = new_key("gone", CLOCK.now())
    await keys_of(data, gone)
    shutil.copyfile(data / DATABASE, tmp_path / "copy")
    await revoke(data, gone)
    shutil.copyfile(tmp_path / "copy", data / DATABASE)
    assert not await opens(data, gone)


async def test_a_restore_elsewhere_says_which_keys_work_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = new_key("gone", CLOCK.now())
    await keys_of(tmp_path / "data", gone)
    await back_up(tmp_path / "data", tmp_path / "backup")
    await revoke(tmp_path / "data", gone)
    capsys.readouterr()
    assert await restore(tmp_path / "backup", tmp_path / "other") == 0
    told = capsys.readouterr()
    assert "these keys of the backup work again" in told.err
    assert told.out.startswith(gone.key.id)


@pytest.mark.parametrize("name", ["backup", "restore"])
def test_a_shared_database_is_left_to_its_own_tools(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("REDRAFT_DATABASE_URL", "postgresql://here/none")
    monkeypatch.setenv("REDRAFT_FILES_URL", "s3://bucket")
    command = getattr(commands, name)
    assert command([str(tmp_path / "backup"), "--data-dir", str(tmp_path)]) == 2
    assert "pg_dump" in capsys.readouterr().err
