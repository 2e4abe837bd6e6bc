"""A laptop's folder moves into a shared database and bucket, and back, with all that it holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from redraft.api.admin import migration
from redraft.api.admin.migrate_command import DONE, FAILED, WRONG_USE, migrate
from redraft.api.admin.migration import folder_place
from redraft.api.admin.shared_place import opened
from redraft.api.auth.api_keys import new_key
from redraft.api.clock import SystemClock
from redraft.api.files.protocol import StoredObject, UnwritableError
from redraft.api.files.s3 import S3Files
from redraft.api.metadata.audit import verified
from redraft.api.metadata.protocol import MetadataError
from redraft.api.settings import Settings
from redraft.api.stores import open_metadata
from tests.api import fake_engine
from tests.cluster.test_two_services import KEY, Service, serving


@pytest.fixture
def folder(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "laptop", api_keys=(KEY,), drain_seconds=1)


@pytest.fixture
def shared(url: str, bucket_url: str, tmp_path: Path) -> Settings:
    return Settings(
        data_dir=tmp_path / "scratch",
        api_keys=(KEY,),
        database_url=url,
        files_url=bucket_url,
        drain_seconds=1,
    )


@asynccontextmanager
async def running(settings: Settings) -> AsyncGenerator[Service]:
    async with AsyncExitStack() as stack:
        yield await serving(stack, settings, SystemClock())


async def stands(service: Service) -> dict[str, Any]:
    """What a caller can see of all documents."""
    documents = (await service.client.get("/v1/documents/")).json()["documents"]
    seen: dict[str, Any] = {}
    for one in documents:
        path = f"/v1/documents/{one['docId']}"
        history = (await service.client.get(f"{path}/edits")).json()
        seen[one["docId"]] = (one, history, await service.text(path))
    return seen


async def filled(service: Service) -> list[str]:
    """Three documents: edited twice and once undone, edited once, as uploaded."""
    documents = [await service.upload("a b"), await service.upload("c"), await service.upload("d")]
    await service.edit(documents[0], "replace a with x")
    await service.edit(documents[0], "replace b with y")
    await service.client.post(f"{documents[0]}/undo")
    await service.edit(documents[1], "replace c with z")
    return documents


async def moved(settings: Settings, folder: Settings, *, goes_in: bool) -> int:
    return await asyncio.to_thread(migrate, settings, folder.data_dir, goes_in=goes_in)


def sides(output: str) -> tuple[str, str]:
    """What was printed of the source, and of the target."""
    told = dict(line.split("\t") for line in output.splitlines())
    return told["source"], told["target"]


async def test_a_folder_moves_in_and_back_with_history_undo_keys_links_and_log(
    folder: Settings, shared: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    made = new_key("of the laptop", SystemClock().now())
    async with running(folder) as service:
        documents = await filled(service)
        link = (await service.client.get(documents[1])).json()["downloadUrl"]
        before = await stands(service)
        metadata = await open_metadata(folder)
        await metadata.keys.add(made.key)
        await metadata.close()
    assert await moved(shared, folder, goes_in=True) == DONE
    source, target = sides(capsys.readouterr().out)
    assert source == target
    assert source.startswith("3 documents, 14 rows, 6 files")
    with pytest.raises(MetadataError, match="moved away"):
        await open_metadata(folder)
    assert await moved(shared, folder, goes_in=True) == FAILED
    assert "moved away already" in capsys.readouterr().err

    async with running(shared) as service:
        assert await stands(service) == before
        assert (await service.client.get(httpx.URL(link).raw_path.decode())).status_code == 200
        assert (await service.client.post(f"{documents[0]}/redo")).status_code == 200
        assert await service.text(documents[0]) == fake_engine.docx("x y")
        assert (await service.client.delete(documents[2])).status_code == 200
        after = await stands(service)
        assert await moved(shared, folder, goes_in=False) == FAILED
        assert "stop them all first" in capsys.readouterr().err

    assert await moved(shared, folder, goes_in=False) == DONE
    source, target = sides(capsys.readouterr().out)
    assert source == target
    with pytest.raises(MetadataError, match="moved away"):
        await open_metadata(shared)
    async with running(folder) as service:
        assert await stands(service) == after
        assert (await service.client.get(httpx.URL(link).raw_path.decode())).status_code == 200
        assert (await service.client.post(f"{documents[0]}/undo")).status_code == 200
        service.client.headers["Authorization"] = f"Bearer {made.text}"
        assert (await service.client.get("/v1/documents/")).status_code == 200
    metadata = await open_metadata(folder)
    deeds = [entry.what for entry in verified(await metadata.audit.entries())]
    await metadata.close()
    assert [deeds.count("upload"), deeds.count("delete"), deeds.count("redo")] == [3, 1, 1]
    assert await moved(shared, folder, goes_in=True) == DONE  # and in again, over the old copy


async def test_a_move_that_breaks_off_anywhere_is_started_again_and_ends_as_if_it_had_not(
    folder: Settings,
    shared: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with running(folder) as service:
        await filled(service)
        before = await stands(service)
    put, room = S3Files.put, 0

    async def breaking(self: S3Files, data: bytes, key: str) -> StoredObject:
        nonlocal room
        room -= not key.startswith("probe")
        if room < 0:
            raise UnwritableError(key)
        return await put(self, data, key)

    with monkeypatch.context() as faults:
        faults.setattr(migration, "AT_ONCE", 1)
        faults.setattr(S3Files, "put", breaking)
        tries = 0
        while True:
            room = tries % 4  # it stops before each object of a document once, and goes on later
            if await moved(shared, folder, goes_in=True) == DONE:
                break
            assert "start the move again" in capsys.readouterr().err
            tries += 1
    assert tries >= 3
    source, target = sides(capsys.readouterr().out)
    assert source == target
    async with running(shared) as service:
        assert await stands(service) == before


async def test_a_document_that_differs_at_both_places_stops_the_move(
    folder: Settings, shared: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(folder) as service:
        [document, *_] = await filled(service)
    metadata = await open_metadata(folder)
    current = await metadata.documents.current(document.rpartition("/")[2])
    await metadata.close()
    assert current is not None
    there = await open_metadata(shared)
    await there.documents.add(current[0], current[1])
    await there.close()
    assert await moved(shared, folder, goes_in=True) == FAILED
    assert "is at both places and differs" in capsys.readouterr().err
    await (await open_metadata(folder)).close()  # it is still open


async def test_what_cannot_be_moved_is_said(
    folder: Settings, shared: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await moved(shared, folder, goes_in=True) == WRONG_USE
    assert "no data folder" in capsys.readouterr().err
    assert await moved(folder, folder, goes_in=False) == WRONG_USE
    assert "REDRAFT_DATABASE_URL" in capsys.readouterr().err


async def test_both_databases_have_the_same_columns_but_for_the_hold(
    folder: Settings, shared: Settings
) -> None:
    await asyncio.to_thread(folder.data_dir.mkdir)
    async with folder_place(folder.data_dir) as one, opened(shared) as two:
        of_folder, of_shared = await one.columns(), await two.columns()
    own = {"audit_waiting", "clock", "deletions", "garbage", "moved", "schema_version", "windows"}
    assert of_folder.keys() ^ of_shared.keys() == own
    both = of_folder.keys() & of_shared.keys()
    different = {name: of_folder[name] ^ of_shared[name] for name in both}
    assert {name: columns for name, columns in different.items() if columns} == {
        "documents": {"holder", "lease_until"}
    }
