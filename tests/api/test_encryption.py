"""Encryption at rest: nothing readable on the disk, and a deleted key is a deleted document."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from redraft.api.admin import commands
from redraft.api.app import Externals, running
from redraft.api.clock import SystemClock
from redraft.api.encryption import sealing
from redraft.api.encryption.document_keys import DocumentKeys
from redraft.api.encryption.master_keys import MasterKeys, load, new_master_key
from redraft.api.encryption.sealed_files import SealedFiles
from redraft.api.encryption.sealed_metadata import SealedMetadata
from redraft.api.encryption.sealing import (
    CHUNK,
    SealError,
    Values,
    open_file,
    seal_file,
)
from redraft.api.files.local import LocalFiles
from redraft.api.files.protocol import AbsentError, DamagedError, Span
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import SettingError, Settings
from tests.api import fake_planner
from tests.api.builders import HeldClock, document, version
from tests.api.fake_engine import FakeEngine, docx

KEY, OTHER_KEY = new_master_key(), new_master_key()
CANARY = "canaryword"
SECRET_NAME = "canaryname.docx"
NOW_AND_THEN = "canaryagain"
DOCUMENT_KEY = bytes(range(32))


@asynccontextmanager
async def service(data: Path, **options: Any) -> AsyncGenerator[httpx.AsyncClient]:
    settings = Settings(data_dir=data, api_keys=("one",), **options)
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, SystemClock())
    async with running(settings, externals) as application:
        transport = httpx.ASGITransport(application.asgi)  # pyright: ignore[reportArgumentType] - the scope has another name
        headers = {"Authorization": "Bearer one"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://here", headers=headers
        ) as client:
            yield client


async def worked_on(client: httpx.AsyncClient) -> str:
    """Uploads a document, edits, reads, undoes and downloads it."""
    files = {"file": (SECRET_NAME, docx(CANARY))}
    form = {"tracked_changes": "true", "author_name": "canaryauthor"}
    name = (await client.post("/v1/documents/", files=files, data=form)).json()["docId"]
    edit = {"editUid": str(uuid4()), "editInstructions": f"replace {CANARY} with {NOW_AND_THEN}"}
    answer = await client.post(f"/v1/documents/{name}/edits", json=edit)
    assert answer.json()["editApplied"], answer.text
    again = await client.post(f"/v1/documents/{name}/edits", json=edit)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json() == answer.json()
    other = edit | {"editInstructions": "replace a with b"}
    assert (await client.post(f"/v1/documents/{name}/edits", json=other)).status_code == 422
    await check(client, name)
    return name


async def check(client: httpx.AsyncClient, name: str) -> None:
    read = await client.post(f"/v1/documents/{name}/markdown", json={"readUid": str(uuid4())})
    assert (read.json()["markdown"], read.json()["documentName"]) == (NOW_AND_THEN, SECRET_NAME)
    path = f"/v1/documents/{name}/download"
    whole = await client.get(path)
    assert whole.content == docx(NOW_AND_THEN)
    part = await client.get(path, headers={"Range": "bytes=2-5"})
    assert (part.status_code, part.content) == (206, docx(NOW_AND_THEN)[2:6])
    first = await client.get(path, params={"view": "original"})
    assert first.content == docx(CANARY)
    history = (await client.get(f"/v1/documents/{name}/edits")).json()["edits"]
    assert history[0]["instruction"] == f"replace {CANARY} with {NOW_AND_THEN}"
    (listed,) = (await client.get("/v1/documents/")).json()["documents"]
    assert listed["name"] == SECRET_NAME


def readable(folder: Path) -> list[str]:
    """Names the files in which a word of the document stands, in one of its encodings."""
    return [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and b"canary" in path.read_bytes()
    ]


async def command(*words: str, data: Path) -> int:
    name, *more = words
    return await asyncio.to_thread(getattr(commands, name), [*more, "--data-dir", str(data)])


async def test_nothing_of_a_document_can_be_read_in_the_data_folder(tmp_path: Path) -> None:
    async with service(tmp_path / "plain") as client:
        await worked_on(client)
        assert len(readable(tmp_path / "plain")) > 2  # the check finds what is there
    async with service(tmp_path / "data", encryption_key=KEY) as client:
        name = await worked_on(client)
        assert readable(tmp_path / "data") == []
    assert readable(tmp_path / "data") == []
    async with service(tmp_path / "data", encryption_key=KEY) as client:
        await check(client, name)


async def test_what_a_worker_reads_lies_in_the_work_folder_and_goes(tmp_path: Path) -> None:
    seen: list[str] = []
    work = tmp_path / "work"

    class Watching(FakeEngine):
        async def call(self, function: Any, *arguments: Any, **options: Any) -> Any:
            seen.extend(readable(tmp_path / "data"))
            assert readable(work)
            return await super().call(function, *arguments, **options)

    options: dict[str, Any] = {"encryption_key": KEY, "work_dir": str(work)}
    settings = Settings(data_dir=tmp_path / "data", api_keys=("one",), **options)
    externals = Externals(Watching(InProcess()), fake_planner.plan, SystemClock())
    async with running(settings, externals) as application:
        transport = httpx.ASGITransport(application.asgi)  # pyright: ignore[reportArgumentType] - the scope has another name
        headers = {"Authorization": "Bearer one"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://here", headers=headers
        ) as client:
            await worked_on(client)
    assert (seen, readable(work)) == ([], [])


async def test_a_deleted_key_is_a_deleted_document_and_the_log_proves_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    async with service(data, encryption_key=KEY) as client:
        name = await worked_on(client)
        shutil.copytree(data / "documents" / name, tmp_path / "kept")  # somebody has a copy
        assert (await client.delete(f"/v1/documents/{name}")).status_code == 200
    with closing(sqlite3.connect(data / "redraft.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM documents").fetchone() == (0,)
    metadata = await SqliteMetadata.open(data / "redraft.sqlite")
    keys = DocumentKeys(load(KEY), metadata.documents)
    shutil.copytree(tmp_path / "kept", data / "documents" / name)
    files = SealedFiles(LocalFiles(data), keys, data)
    for path in (tmp_path / "kept").iterdir():
        stored = await files.load(f"{name}/{path.name}")
        assert stored.startswith(sealing.FILE_MARK)  # there is no key to open it with
    await metadata.close()
    assert await command("audit", "export", "--document", name, data=data) == 0
    deeds = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [deed["what"] for deed in deeds][-3:] == ["key destroyed", "delete", "erased"]
    assert len(deeds[-3]["before"]) == 64


async def test_what_was_changed_or_put_in_the_place_of_another_file_is_not_opened(
    tmp_path: Path,
) -> None:
    async with service(tmp_path, encryption_key=KEY) as client:
        name = await worked_on(client)
        folder = tmp_path / "documents" / name
        first = next(path for path in folder.iterdir() if path.name.startswith("0-"))
        path = next(
            path for path in folder.iterdir() if path.name.startswith("1-") and "." not in path.name
        )
        whole = path.read_bytes()
        for changed in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[:-1], first.read_bytes(), b""):
            path.write_bytes(changed)
            assert (await client.get(f"/v1/documents/{name}/download")).status_code == 500
        path.write_bytes(whole)
        await check(client, name)


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 7])
async def test_parts_of_a_sealed_file_are_those_of_the_file(
    size: int, tmp_path: Path, metadata: SqliteMetadata, clock: HeldClock
) -> None:
    data = bytes(number * 7 % 251 for number in range(size))
    keys = DocumentKeys(load(KEY), metadata.documents)
    files = SealedFiles(LocalFiles(tmp_path), keys, tmp_path)
    files.prepare()
    stored = document(clock)
    sealed = SealedMetadata(metadata, keys)
    await sealed.documents.expect(stored.id)
    key = f"{stored.id}/0-blob"
    kept = await files.put(data, key)
    await sealed.documents.add(stored, version())
    assert (kept.size, await files.size(key), await files.load(key)) == (size, size, data)
    ends = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, size // 2, size}
    for start in sorted(end for end in ends if end <= size):
        for stop in sorted(end for end in ends if start <= end <= size):
            pieces = [piece async for piece in files.read(key, Span(start, stop))]
            assert b"".join(pieces) == data[start:stop], (start, stop)


def test_chunks_cannot_be_left_out_moved_or_cut_off() -> None:
    data = bytes(3 * CHUNK)
    stored = seal_file(data, DOCUMENT_KEY, "a/b")
    head, step = sealing.HEADER, CHUNK + sealing.TAG
    chunks = [stored[head + n * step : head + (n + 1) * step] for n in range(3)]
    whole = stored[:head]
    assert open_file(stored, DOCUMENT_KEY, "a/b") == data
    for kept in ([0, 1], [0, 2], [1, 0, 2], [0, 1, 2, 2], []):
        with pytest.raises(SealError):
            open_file(whole + b"".join(chunks[n] for n in kept), DOCUMENT_KEY, "a/b")
    for key, name in ((DOCUMENT_KEY, "a/c"), (bytes(32), "a/b")):
        with pytest.raises(SealError):
            open_file(stored, key, name)


def test_a_value_belongs_to_its_document_and_field() -> None:
    values = Values(DOCUMENT_KEY, str(uuid4()))
    sealed = values.sealed(b"text", "state")
    assert values.opened(sealed, "state") == b"text"
    assert values.sealed(b"text", "state") != sealed
    for other, field in ((values, "request"), (Values(DOCUMENT_KEY, str(uuid4())), "state")):
        with pytest.raises(SealError):
            other.opened(sealed, field)


async def test_without_its_key_the_service_says_so_and_does_not_start(tmp_path: Path) -> None:
    async with service(tmp_path, encryption_key=KEY) as client:
        await worked_on(client)
    choices: tuple[dict[str, str], ...] = ({}, {"encryption_key": OTHER_KEY})
    for options in choices:
        with pytest.raises(SettingError, match="were encrypted with a key which REDRAFT_ENCRYP"):
            async with service(tmp_path, **options):
                pass


async def test_keys_are_sealed_anew_while_the_service_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = f"{OTHER_KEY}\n{KEY}"
    async with service(tmp_path, encryption_key=KEY) as client:
        name = await worked_on(client)
    async with service(tmp_path, encryption_key=both) as client:
        monkeypatch.setenv("REDRAFT_ENCRYPTION_KEY", both)
        assert await command("encryption", "status", data=tmp_path) == 0
        assert capsys.readouterr().out == "1\tencrypted with a later key\n"
        assert await command("encryption", "rotate", data=tmp_path) == 0
        assert capsys.readouterr().out == "1\tsealed anew\n"
        await check(client, name)
    async with service(tmp_path, encryption_key=OTHER_KEY) as client:
        await check(client, name)


async def test_what_was_there_before_is_encrypted_by_a_command_that_may_be_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with service(tmp_path) as client:
        name = await worked_on(client)
    async with service(tmp_path, encryption_key=KEY) as client:
        await check(client, name)  # as it was, and readable
    assert readable(tmp_path)
    monkeypatch.setenv("REDRAFT_ENCRYPTION_KEY", KEY)
    done: list[Path] = []
    replace_file = Path.replace

    def cut_off(path: Path, target: Path) -> Path:
        if path.name.endswith(".sealing"):
            done.append(path)
            if len(done) == 2:
                raise OSError(5, "cut off")
        return replace_file(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", cut_off)
        assert await command("encryption", "migrate", data=tmp_path) == 1
    async with service(tmp_path, encryption_key=KEY) as client:
        await check(client, name)  # half of it is sealed
    assert await command("encryption", "migrate", data=tmp_path) == 0
    assert readable(tmp_path) == []
    async with service(tmp_path, encryption_key=KEY) as client:
        await check(client, name)
    assert await command("audit", "verify", data=tmp_path) == 0
    capsys.readouterr()


async def test_a_backup_is_as_encrypted_as_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, target = tmp_path / "data", tmp_path / "backup"
    async with service(data, encryption_key=KEY) as client:
        name = await worked_on(client)
        monkeypatch.delenv("REDRAFT_ENCRYPTION_KEY", raising=False)
        assert await command("backup", str(target), data=data) == 1
        assert "documents in it are encrypted; set REDRAFT_ENC" in capsys.readouterr().err
        monkeypatch.setenv("REDRAFT_ENCRYPTION_KEY", OTHER_KEY)
        assert await command("backup", str(target), data=data) == 1
        monkeypatch.setenv("REDRAFT_ENCRYPTION_KEY", KEY)
        assert await command("backup", str(target), data=data) == 0
        assert "2 files" in capsys.readouterr().err
    assert readable(target) == []
    damaged = tmp_path / "damaged"
    shutil.copytree(target, damaged)
    file = next((damaged / "documents").rglob("1-*"))
    file.write_bytes(file.read_bytes()[:-1])
    assert await command("restore", str(damaged), data=tmp_path / "new") == 1
    assert await command("restore", str(target), data=tmp_path / "new") == 0
    async with service(tmp_path / "new", encryption_key=KEY) as client:
        await check(client, name)


async def test_a_damaged_or_missing_object_is_told_as_by_any_store(
    tmp_path: Path, metadata: SqliteMetadata, clock: HeldClock
) -> None:
    keys = DocumentKeys(load(KEY), metadata.documents)
    files = SealedFiles(LocalFiles(tmp_path), keys, tmp_path)
    files.prepare()
    stored = replace(document(clock), sealed_key=MasterKeys([DOCUMENT_KEY]).sealed(bytes(32), ""))
    keys.prepare(stored.id)
    kept = await files.put(b"data", f"{stored.id}/a")
    await files.verify(f"{stored.id}/a", kept.digest)
    with pytest.raises(DamagedError):
        await files.verify(f"{stored.id}/a", "0" * 64)
    with pytest.raises(AbsentError):
        await files.load(f"{stored.id}/b")
    await files.discard(stored.id)
    assert await files.documents() == ()


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("short", "holds what is no key"),
        ("file:/nowhere/key", "cannot be read: /nowhere/key: No such file"),
        ("command:false", "gives no key: it ended with exit code 1"),
        ("command:/nowhere/program", "gives no key"),
        ("command:true", "gives no key"),
    ],
)
def test_a_key_that_cannot_be_used_is_refused_in_a_sentence(source: str, complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        load(source)


@pytest.mark.process
def test_a_key_comes_from_a_file_or_a_command(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n{OTHER_KEY}\n")
    sealed = load(KEY).sealed(DOCUMENT_KEY, "a")
    for source in (KEY, f"file:{path}", f"command:cat {path}"):
        keys = load(source)
        assert keys.opened(sealed, "a") == DOCUMENT_KEY
        assert keys.is_first(sealed)
