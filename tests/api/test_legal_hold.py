"""Legal hold: what is held does not expire and cannot be deleted, whatever is done to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from redraft.api.admin import commands
from redraft.api.app import Application, Externals, running
from redraft.api.auth.api_keys import new_key
from redraft.api.metadata.protocol import Accepted, Change, Limits, Outcome
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE
from tests.api import fake_engine, fake_planner
from tests.api.builders import HeldClock, document, submission, version
from tests.api.fake_engine import FakeEngine

DAY = 86_400
DONE = Outcome("applied", 200, b"{}", final=True)


@dataclass(frozen=True, slots=True)
class Stage:
    application: Application
    client: httpx.AsyncClient
    data: Path

    async def upload(self) -> str:
        file = ("a.docx", fake_engine.docx("hello"))
        answer = await self.client.post("/v1/documents/", files={"file": file})
        assert answer.status_code == 200
        return answer.json()["docId"]

    async def is_there(self, name: str) -> bool:
        await self.application.sweep()
        return (await self.client.get(f"/v1/documents/{name}/download")).status_code == 200

    async def command(self, name: str, *words: str) -> int:
        run = getattr(commands, name)
        return await asyncio.to_thread(run, [*words, "--data-dir", str(self.data)])


@asynccontextmanager
async def staged(data: Path, clock: HeldClock, key: str = "one") -> AsyncGenerator[Stage]:
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, clock)
    settings = Settings(data_dir=data, api_keys=("one",))
    async with (
        running(settings, externals) as application,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
            base_url="http://here",
            headers={"Authorization": f"Bearer {key}"},
        ) as client,
    ):
        yield Stage(application, client, data)


async def test_what_is_held_neither_expires_nor_can_be_deleted(
    tmp_path: Path, clock: HeldClock
) -> None:
    async with staged(tmp_path / "data", clock) as stage:
        held, other = await stage.upload(), await stage.upload()
        assert await stage.command("hold", held) == 0
        answer = await stage.client.delete(f"/v1/documents/{held}")
        assert answer.status_code == 409
        assert "The document is on legal hold" in answer.json()["detail"]
        body = {"editUid": str(uuid4()), "editInstructions": "replace hello with bird"}
        edited = await stage.client.post(f"/v1/documents/{held}/edits", json=body)
        assert edited.status_code == 200
        clock.advance(100 * DAY)
        assert await stage.is_there(held)
        assert not await stage.is_there(other)
        listed = (await stage.client.get("/v1/documents/")).json()["documents"]
        assert [one["expiresAt"][:4] for one in listed] == ["9999"]


async def test_what_is_released_can_be_deleted(tmp_path: Path, clock: HeldClock) -> None:
    async with staged(tmp_path / "data", clock) as stage:
        name = await stage.upload()
        assert await stage.command("hold", name) == 0
        assert await stage.command("hold", name) == 1
        assert await stage.command("release", name) == 0
        assert await stage.command("release", name) == 1
        assert (await stage.client.delete(f"/v1/documents/{name}")).status_code == 200
        assert not await stage.is_there(name)


async def test_a_clock_that_is_set_back_ends_no_hold(tmp_path: Path, clock: HeldClock) -> None:
    async with staged(tmp_path / "data", clock) as stage:
        name = await stage.upload()
        await stage.command("hold", name)
        clock.wall -= 3000 * DAY
        assert await stage.is_there(name)
        assert (await stage.client.delete(f"/v1/documents/{name}")).status_code == 409


async def test_the_documents_of_a_key_are_held_and_no_others(
    tmp_path: Path, clock: HeldClock, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    key = new_key("ann", clock.now())
    await asyncio.to_thread(data.mkdir)
    metadata = await SqliteMetadata.open(data / DATABASE)
    await metadata.keys.add(key.key)
    await metadata.close()
    async with staged(data, clock) as stage:
        other = await stage.upload()
    async with staged(data, clock, key.text) as stage:
        held = await stage.upload()
        assert await stage.command("hold", "--key", key.key.id) == 0
        assert await stage.command("hold", "--key", "nobody") == 1
    told = capsys.readouterr().out
    assert held in told
    assert other not in told


async def test_a_hold_that_comes_while_a_delete_runs_holds(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    asked = submission(stored, "delete")
    assert isinstance(await metadata.operations.accept(asked, clock.now(), Limits()), Accepted)
    taken = await metadata.operations.take(stored.id, None, clock.now())
    assert taken is not None
    await metadata.documents.legal_hold(stored.id, clock.now(), is_owner=False, begins=True)
    change = Change(is_deletion=True)
    assert not await metadata.operations.commit(taken, DONE, change, 0, clock.now())
    assert await metadata.documents.get(stored.id) is not None
    assert [e.what for e in await metadata.audit.entries()] == ["upload", "hold"]


async def test_a_folder_that_is_none_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["a", "--data-dir", str(tmp_path / "absent")]
    assert await asyncio.to_thread(commands.hold, words) == 1
    assert "there is no data folder" in capsys.readouterr().err
    assert not (tmp_path / "absent").exists()
