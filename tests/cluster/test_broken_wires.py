"""A bucket that fails in every way, and a database whose last word is not heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import obstore
import pytest

from redraft.api import service as api_service
from redraft.api.clock import SystemClock
from redraft.api.files import s3
from redraft.api.files.s3 import bucket, listed
from redraft.api.metadata.postgres import PostgresMetadata
from redraft.api.metadata.protocol import Change, Limits, Operation, Outcome
from redraft.api.operations.mailbox import Mailbox, Work
from redraft.api.settings import Settings
from tests.api import fake_engine
from tests.api.builders import document, submission, version
from tests.cluster.faulty_wire import FaultyWire, Mode, wire_to
from tests.cluster.postgres_server import PostgresServer
from tests.cluster.s3_server import S3Server
from tests.cluster.test_two_services import KEY, Service, serving


@pytest.fixture
async def wire(bucket_server: S3Server) -> AsyncGenerator[FaultyWire]:
    async with wire_to(bucket_server.port) as made:
        yield made


@pytest.fixture
def settings(
    url: str, bucket_url: str, wire: FaultyWire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    monkeypatch.setattr(s3, "RETRY_SECONDS", 4)
    monkeypatch.setattr(s3, "ANSWER_SECONDS", 1.0)
    through, _, _ = bucket_url.rpartition(":")
    return Settings(
        data_dir=tmp_path,
        api_keys=(KEY,),
        database_url=url,
        files_url=f"{through}:{wire.port}",
        drain_seconds=1,
    )


@pytest.fixture
async def service(settings: Settings) -> AsyncGenerator[Service]:
    async with AsyncExitStack() as stack:
        yield await serving(stack, settings, SystemClock())


@pytest.mark.parametrize("mode", ["gone", "no puts"])
async def test_an_edit_waits_for_its_bucket_and_fails_in_passing_when_it_stays_away(
    service: Service, wire: FaultyWire, mode: Mode
) -> None:
    on, uid = await service.upload(), str(uuid4())
    wire.become(mode)
    waiting = asyncio.create_task(service.edit(on, "replace b with d"))
    await asyncio.sleep(1)
    wire.become("pass")
    assert (await waiting).status_code == 200
    wire.become(mode)
    assert (await service.edit(on, "replace a with c", uid)).status_code == 500
    wire.become("pass")
    assert await service.text(on) == fake_engine.docx("a d")
    assert (await service.edit(on, "replace a with c", uid)).status_code == 200
    assert await service.text(on) == fake_engine.docx("c d")


async def test_without_its_bucket_nothing_is_taken_in_and_the_service_soon_not_ready(
    service: Service, wire: FaultyWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await service.client.get("/ready")).status_code == 200
    wire.become("gone")
    file = {"file": ("a.docx", fake_engine.docx("a"))}
    refused = await service.client.post("/v1/documents/", files=file)
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) > 0
    assert (await service.client.get("/ready")).status_code == 200  # it may be a hiccup
    monkeypatch.setattr(api_service, "GRACE_SECONDS", 0.0)
    refused = await service.client.get("/ready")
    assert refused.status_code == 503
    assert "storage" in refused.json()["detail"]


async def test_a_slow_bucket_makes_slow_answers_and_no_wrong_ones(
    service: Service, wire: FaultyWire
) -> None:
    on = await service.upload()
    wire.become("slow")
    assert (await service.edit(on, "replace a with c")).status_code == 200
    assert await service.text(on) == fake_engine.docx("c b")


async def test_a_document_whose_object_is_gone_is_told_as_lost_and_not_changed(
    service: Service, bucket_url: str
) -> None:
    on = await service.upload()
    identifier = on.rpartition("/")[2]
    store = bucket(bucket_url)
    await obstore.delete_async(store, await listed(store, f"{identifier}/"))
    answer = await service.edit(on, "replace a with c")
    assert answer.status_code == 500
    assert "file" in answer.json()["detail"]
    assert await listed(store, f"{identifier}/") == []
    [entry] = (await service.client.get(f"{on}/edits")).json()["edits"]
    assert entry["state"] == "failed"


async def test_a_commit_whose_answer_is_not_heard_is_made_once_and_answered_as_committed(
    postgres: PostgresServer, url: str
) -> None:
    async with wire_to(postgres.port) as wire:
        through = url.replace(f":{postgres.port}/", f":{wire.port}/")
        metadata = await PostgresMetadata.open(through, 2, 15)

        async def execute(operation: Operation, remaining: float) -> Work:
            wire.cut_after = b"COMMIT"
            return Work(Outcome("applied", 200, b"made", final=True), Change(version(1)), 0)

        mailbox = Mailbox(metadata.operations, SystemClock(), execute, lambda _: None, Limits(), 15)
        on = document(SystemClock())
        await metadata.documents.add(on, version())
        asked = asyncio.create_task(mailbox.submit(submission(on)))
        async with asyncio.timeout(30):
            await wire.cut.wait()
            assert not asked.done()
            while not asked.done():
                await mailbox.sweep()
                await asyncio.sleep(0.1)
        answer = await asked
        assert (answer.status, answer.body) == (200, b"made")
        current = await metadata.documents.get(on.id)
        assert current is not None
        assert current.version == 1
        assert [entry.state for entry in await metadata.operations.history(on.id)] == ["applied"]
        await metadata.close()
