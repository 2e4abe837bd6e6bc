"""The whole service twice in this process, on one PostgreSQL and one bucket."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx
import msgspec
import obstore
import pytest

from redraft.api.app import Application, Externals, running
from redraft.api.auth.api_keys import new_key
from redraft.api.auth.revoked_keys import noted
from redraft.api.clock import SystemClock
from redraft.api.encryption.master_keys import new_master_key
from redraft.api.files.s3 import bucket, listed
from redraft.api.metadata import postgres
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import open_metadata
from tests.api import fake_engine, fake_planner
from tests.api.fake_engine import FakeEngine

KEY = "k" * 40


class Service:
    """One of the services, and its client."""

    def __init__(self, application: Application, client: httpx.AsyncClient) -> None:
        self.application = application
        self.client = client

    async def upload(self, text: str = "a b") -> str:
        answer = await self.client.post(
            "/v1/documents/", files={"file": ("a.docx", fake_engine.docx(text))}
        )
        assert answer.status_code == 200, answer.text
        return f"/v1/documents/{answer.json()['docId']}"

    async def edit(self, document: str, text: str, uid: str = "") -> httpx.Response:
        body = {"editUid": uid or str(uuid4()), "editInstructions": text}
        return await self.client.post(f"{document}/edits", json=body)

    async def text(self, document: str) -> bytes:
        return (await self.client.get(f"{document}/download")).content


class AheadClock(SystemClock):
    """A clock that is an hour ahead."""

    def now(self) -> float:
        return super().now() + 3600


@pytest.fixture
def settings(url: str, bucket_url: str, tmp_path: Path) -> Settings:
    return Settings(
        data_dir=tmp_path / "one",
        api_keys=(KEY,),
        database_url=url,
        files_url=bucket_url,
        drain_seconds=1,
        lease_seconds=3,
    )


async def figures(service: Service) -> dict[str, float]:
    """What a service tells Prometheus, of what has no labels."""
    text = (await service.client.get("/metrics")).text
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines if "{" not in name}


async def serving(stack: AsyncExitStack, settings: Settings, clock: SystemClock) -> Service:
    """Start a service in this process, for as long as the stack lasts."""
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, clock)
    application = await stack.enter_async_context(running(settings, externals))
    transport = httpx.ASGITransport(app=application.asgi)  # pyright: ignore[reportArgumentType] - Litestar's types of ASGI
    client = await stack.enter_async_context(
        httpx.AsyncClient(
            transport=transport,
            base_url="http://test",
            headers={"Authorization": f"Bearer {KEY}"},
            timeout=60,
        )
    )
    return Service(application, client)


@pytest.fixture
async def services(settings: Settings, tmp_path: Path) -> AsyncGenerator[tuple[Service, Service]]:
    """Two services, the clock of one of which is an hour ahead."""
    other = msgspec.structs.replace(settings, data_dir=tmp_path / "two")
    async with AsyncExitStack() as stack:
        one = await serving(stack, settings, SystemClock())
        yield one, await serving(stack, other, AheadClock())


async def test_a_document_is_edited_and_read_through_either(
    services: tuple[Service, Service],
) -> None:
    one, two = services
    document = await one.upload()
    assert (await two.edit(document, "replace a with c")).status_code == 200
    assert (await one.edit(document, "replace b with d")).status_code == 200
    for service in services:
        assert await service.text(document) == fake_engine.docx("c d")
        answer = await service.client.post(f"{document}/markdown", json={"readUid": str(uuid4())})
        assert answer.json()["markdown"] == "c d"
        history = (await service.client.get(f"{document}/edits")).json()["edits"]
        assert [entry["state"] for entry in history] == ["applied", "applied"]
    assert (await two.client.post(f"{document}/undo")).json()["version"] == 3
    assert await one.text(document) == fake_engine.docx("c b")


async def test_two_services_with_one_key_encrypt_what_they_share(
    settings: Settings, tmp_path: Path, url: str, bucket_url: str
) -> None:
    settings = msgspec.structs.replace(settings, encryption_key=new_master_key())
    other = msgspec.structs.replace(settings, data_dir=tmp_path / "two")
    async with AsyncExitStack() as stack:
        one = await serving(stack, settings, SystemClock())
        two = await serving(stack, other, AheadClock())
        document = await one.upload("canary b")
        assert (await two.edit(document, "replace canary with other")).status_code == 200
        assert await one.text(document) == fake_engine.docx("other b")
        connection = await asyncpg.connect(url)
        for table in ("documents", "versions", "operations"):
            rows = str(await connection.fetch(f"SELECT * FROM {table}"))  # noqa: S608 - a constant
            assert rows != "[]"
            assert not re.search(r"canary|a\.docx", rows)
        store = bucket(bucket_url)
        for key in await listed(store, ""):
            answer = await obstore.get_async(store, key)
            assert b"canary" not in bytes(await answer.bytes_async())
        name = document.rpartition("/")[2]
        assert (await two.client.delete(document)).status_code == 200
        assert (await one.client.get(f"{document}/download")).status_code == 404
        metadata = await open_metadata(settings)
        deeds = [entry.what for entry in await metadata.audit.entries() if entry.subject == name]
        assert {"key destroyed", "delete", "erased"} <= set(deeds)
        assert await metadata.documents.known() == set()
        await metadata.close()
        await connection.close()


async def test_a_revoked_key_stays_revoked_when_an_older_database_is_put_back(
    services: tuple[Service, Service], settings: Settings, url: str, tmp_path: Path
) -> None:
    one, two = services
    metadata = await open_metadata(settings)
    made = new_key("", SystemClock().now())
    await metadata.keys.add(made.key)
    await metadata.keys.revoke(made.key.id, SystemClock().now())
    await one.application.sweep()
    await two.application.sweep()
    connection = await asyncpg.connect(url)
    restored = "UPDATE api_keys SET revoked_at = NULL WHERE id = $1"
    for folder, service in (("one", one), ("two", two)):
        assert noted(tmp_path / folder) == {made.key.id}
        await connection.execute(restored, made.key.id)
        await service.application.sweep()
        (key,) = await metadata.keys.list()
        assert key.revoked_at is not None
    await connection.execute(restored, made.key.id)
    async with AsyncExitStack() as stack:  # another start reads the list before anything else
        await serving(stack, settings, SystemClock())
        (key,) = await metadata.keys.list()
        assert key.revoked_at is not None
    await connection.close()
    await metadata.close()


async def test_an_edit_behind_one_that_runs_elsewhere_is_answered_where_it_was_asked(
    services: tuple[Service, Service], tmp_path: Path
) -> None:
    one, two = services
    document = await one.upload()
    gate = tmp_path / "gate"
    held = asyncio.create_task(one.edit(document, f"hold {gate} replace a with c"))
    await asyncio.sleep(0.3)
    behind = asyncio.create_task(two.edit(document, "replace c with e"))
    await asyncio.sleep(0.5)
    waiting = await figures(one)
    assert waiting["redraft_queue_depth"] == 1
    assert waiting["redraft_queue_oldest_seconds"] >= 0.4
    reading = asyncio.create_task(
        two.client.post(f"{document}/markdown", json={"readUid": str(uuid4())})
    )
    await asyncio.sleep(0.3)
    gate.touch()
    assert [(await task).status_code for task in (held, behind, reading)] == [200, 200, 200]
    assert (await reading).json()["markdown"] in ("c b", "e b")
    assert await two.text(document) == fake_engine.docx("e b")


async def test_the_same_edit_sent_to_both_is_made_once(
    services: tuple[Service, Service],
) -> None:
    one, two = services
    document, uid = await one.upload("a"), str(uuid4())
    answers = await asyncio.gather(
        *(service.edit(document, "replace a with aa", uid) for service in services * 3)
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert await two.text(document) == fake_engine.docx("aa")


async def test_what_runs_elsewhere_is_cancelled_and_stops(
    services: tuple[Service, Service], tmp_path: Path
) -> None:
    one, two = services
    document, uid = await one.upload(), str(uuid4())
    held = asyncio.create_task(
        one.edit(document, f"hold {tmp_path / 'never'} replace a with c", uid)
    )
    await asyncio.sleep(0.3)
    answer = await two.client.delete(f"{document}/edits/{uid}")
    assert answer.json()["cancelled"] is True
    assert (await held).status_code == 500
    assert not one.application.mailbox.is_busy
    assert await two.text(document) == fake_engine.docx("a b")


async def test_a_service_whose_hold_was_taken_over_stops_its_work_and_changes_nothing(
    services: tuple[Service, Service], tmp_path: Path, url: str
) -> None:
    one, two = services
    document, gate = await one.upload(), tmp_path / "gate"
    held = asyncio.create_task(one.edit(document, f"hold {gate} replace a with c"))
    await asyncio.sleep(0.3)
    connection = await asyncpg.connect(url)
    try:  # as if it had been paused beyond its lease
        await connection.execute("UPDATE documents SET token = token + 1, lease_until = 0")
    finally:
        await connection.close()
    async with asyncio.timeout(20):
        while not two.application.mailbox.is_busy:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.05)
    gate.touch()
    assert (await held).status_code == 200
    assert (await figures(one))["redraft_leases_lost_total"] == 1
    assert await two.text(document) == fake_engine.docx("c b")
    [entry] = (await one.client.get(f"{document}/edits")).json()["edits"]
    assert entry["state"] == "applied"


async def test_a_deadline_that_passes_is_408_where_it_was_asked_and_leaves_no_effect(
    services: tuple[Service, Service], tmp_path: Path, url: str
) -> None:
    one, two = services
    document = await one.upload()
    asked = [asyncio.create_task(one.edit(document, f"hold {tmp_path / 'never'} replace a with c"))]
    await asyncio.sleep(0.3)
    asked.append(asyncio.create_task(two.edit(document, "replace a with d")))
    await asyncio.sleep(0.3)
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("UPDATE operations SET deadline = 0")
    finally:
        await connection.close()
    assert [(await answer).status_code for answer in asked] == [408, 408]
    assert await two.text(document) == fake_engine.docx("a b")
    assert (await two.edit(document, "replace a with d")).status_code == 200


async def test_where_no_hint_arrives_answers_come_by_asking(
    services: tuple[Service, Service], tmp_path: Path, url: str
) -> None:
    one, two = services
    document, gate = await one.upload(), tmp_path / "gate"
    connection = await asyncpg.connect(url)
    try:
        deaf = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query ~* $1"
        async with asyncio.timeout(10):
            while await connection.fetchval(deaf, "^ *LISTEN") < 2:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
    finally:
        await connection.close()
    held = asyncio.create_task(one.edit(document, f"hold {gate} replace a with c"))
    await asyncio.sleep(0.3)
    behind = asyncio.create_task(two.edit(document, "replace c with e"))
    await asyncio.sleep(0.3)
    gate.touch()
    async with asyncio.timeout(4):  # a second, and the machine's business
        assert [(await task).status_code for task in (held, behind)] == [200, 200]


async def test_a_clock_that_is_an_hour_ahead_ends_no_document_and_no_link(
    services: tuple[Service, Service],
) -> None:
    one, ahead = services
    answer = await one.client.post(
        "/v1/documents/",
        files={"file": ("a.docx", fake_engine.docx("a b"))},
        data={"ttl_seconds": "300"},
    )
    document = f"/v1/documents/{answer.json()['docId']}"
    link = (await one.client.get(document)).json()["downloadUrl"]
    await ahead.application.sweep()
    assert (await ahead.client.get(httpx.URL(link).raw_path.decode())).status_code == 200
    assert (await ahead.edit(document, "replace a with c")).status_code == 200
    of_one, of_other = [
        (await service.client.get(f"{document}/exists")).json()["document"] for service in services
    ]
    assert of_one == of_other


async def test_a_watcher_hears_what_happens_at_the_other_service(
    services: tuple[Service, Service],
) -> None:
    one, two = services
    document = await one.upload()

    async def open_for_ever() -> bool:
        return True

    watching = two.application.broadcaster.watch(document.rpartition("/")[2], open_for_ever)
    assert b"retry" in await anext(watching)
    assert (await one.edit(document, "replace a with c")).status_code == 200
    events: list[bytes] = []
    async with asyncio.timeout(10):
        while not events or b"event: applied" not in events[-1]:
            events.append(await anext(watching))
    assert b"1 replaced" in events[-1]
    await watching.aclose()


async def test_a_document_is_deleted_elsewhere_while_something_waits(
    services: tuple[Service, Service], tmp_path: Path
) -> None:
    one, two = services
    document, gate = await one.upload(), tmp_path / "gate"
    held = asyncio.create_task(one.edit(document, f"hold {gate} replace a with c"))
    await asyncio.sleep(0.3)
    deleting = asyncio.create_task(two.client.delete(document))
    await asyncio.sleep(0.3)
    late = asyncio.create_task(two.edit(document, "replace a with d"))
    await asyncio.sleep(0.3)
    gate.touch()
    assert (await held).status_code == 200
    assert (await deleting).status_code == 200
    assert (await late).status_code == 404
    assert (await one.client.get(f"{document}/exists")).json()["exists"] is False


async def test_a_link_made_by_one_opens_at_the_other_and_a_revoked_key_is_refused_there(
    services: tuple[Service, Service], settings: Settings
) -> None:
    one, two = services
    metadata = await open_metadata(settings)
    made = new_key("test", SystemClock().now())
    await metadata.keys.add(made.key)
    one.client.headers["Authorization"] = f"Bearer {made.text}"
    document = await one.upload()
    link = (await one.client.get(document)).json()["downloadUrl"]
    two.client.headers["Authorization"] = f"Bearer {made.text}"
    assert (await two.client.get(httpx.URL(link).raw_path.decode())).status_code == 200
    assert (await two.client.get(f"{document}/exists")).status_code == 200
    assert await metadata.keys.revoke(made.key.id, SystemClock().now())
    await metadata.close()
    async with asyncio.timeout(5):
        while (await two.client.get(f"{document}/exists")).status_code != 401:  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def test_expired_documents_leave_nothing_in_the_bucket(
    services: tuple[Service, Service], settings: Settings
) -> None:
    one, two = services
    document = await one.upload()
    await two.edit(document, "replace a with c")
    identifier = document.rpartition("/")[2]
    store = bucket(settings.files_url)
    assert len(await listed(store, f"{identifier}/")) >= 2
    metadata = await open_metadata(settings)
    answer = await two.client.delete(document)
    assert answer.status_code == 200
    await asyncio.gather(one.application.sweep(), two.application.sweep())
    await one.application.sweep()
    assert await metadata.documents.garbage() == ()
    await metadata.close()
    assert await listed(store, f"{identifier}/") == []


async def test_an_upload_that_was_broken_off_is_swept_away(
    services: tuple[Service, Service], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = services
    monkeypatch.setattr(postgres, "UPLOAD_SECONDS", -1.0)
    metadata = await open_metadata(settings)
    await metadata.documents.expect("a-document")
    assert await metadata.documents.garbage() == ("a-document",)
    assert await metadata.documents.garbage() == ()  # it is claimed
    await metadata.documents.cleared(("a-document",))
    await metadata.documents.expect("a-document")
    await one.application.sweep()
    assert await metadata.documents.garbage() == ()
    await metadata.close()
