"""What the role of a key allows, and what administrators do."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from redraft.api.admin import admin_command, commands
from redraft.api.app import Application, Externals, running
from redraft.api.auth.api_keys import new_key
from redraft.api.auth.revoked_keys import noted
from redraft.api.metadata.keys import Role
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import open_metadata
from tests.api import fake_planner
from tests.api.builders import HeldClock
from tests.api.fake_engine import FakeEngine, docx

UNKNOWN = "11111111-2222-4333-8444-555555555555"


@dataclass
class Stage:
    application: Application
    settings: Settings
    clients: dict[Role, httpx.AsyncClient]
    keys: dict[Role, str]

    async def upload(self) -> str:
        files = {"file": ("Secret name.docx", docx("hello world"))}
        return (await self.clients["edit"].post("/v1/documents/", files=files)).json()["docId"]

    async def admin(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.clients["admin"].request(method, f"/v1/admin/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


def client_of(application: Application, key: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(application.asgi)  # pyright: ignore[reportArgumentType] - the scope has another name
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.AsyncClient(transport=transport, base_url="http://here", headers=headers)


@asynccontextmanager
async def staged(data: Path) -> AsyncGenerator[Stage]:
    clock = HeldClock()
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, clock)
    settings = Settings(data_dir=data, api_keys=("from the settings",))
    metadata = await open_metadata(settings)
    editor = new_key("editor", clock.now())
    reader = new_key("reader", clock.now(), None, "read", editor.key.owner)
    chief = new_key("chief", clock.now(), None, "admin")
    for made in (editor, reader, chief):
        await metadata.keys.add(made.key)
    await metadata.close()
    keys: dict[Role, str] = {"edit": editor.text, "read": reader.text, "admin": chief.text}
    async with running(settings, externals) as application:
        clients: dict[Role, httpx.AsyncClient] = {
            role: client_of(application, text) for role, text in keys.items()
        }
        yield Stage(application, settings, clients, keys)
        for client in clients.values():
            await client.aclose()


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncGenerator[Stage]:
    async with staged(tmp_path) as made:
        yield made


EDITS: list[tuple[str, str]] = [
    ("POST", "/v1/documents/"),
    ("POST", "/v1/documents/{}/edits"),
    ("PUT", "/v1/documents/{}/markdown"),
    ("POST", "/v1/documents/{}/changes"),
    ("POST", "/v1/documents/{}/undo"),
    ("DELETE", "/v1/documents/{}"),
    ("DELETE", "/v1/documents/{}/edits/" + UNKNOWN),
    ("POST", "/mcp"),
]


async def test_a_reader_reads_the_documents_of_its_owner_and_changes_nothing(stage: Stage) -> None:
    name, reader = await stage.upload(), stage.clients["read"]
    asked = {"readUid": str(uuid4())}
    read = await reader.post(f"/v1/documents/{name}/markdown", json=asked)
    assert (read.status_code, read.json()["markdown"]) == (200, "hello world")
    assert (await reader.get(f"/v1/documents/{name}/download")).content == docx("hello world")
    assert (await reader.get("/v1/documents/")).json()["totalCount"] == 1
    for method, path in EDITS:
        answer = await reader.request(method, path.format(name), json={})
        assert (answer.status_code, answer.json()) == (403, {"detail": "This key may only read"})


async def test_only_administrators_reach_what_is_theirs(stage: Stage) -> None:
    plain = client_of(stage.application, "from the settings")
    paths = [path for path in stage_paths() if path.startswith("/v1/admin")]
    assert len(paths) > 5
    for client in (stage.clients["edit"], stage.clients["read"], plain):
        for path in (*paths, "/v1/admin", "/v1/admin/"):
            for method in ("GET", "POST", "PUT", "DELETE"):
                answer = await client.request(method, path)
                assert answer.status_code == 403, (method, path)
    await plain.aclose()


def stage_paths() -> set[str]:
    from redraft.api.openapi.document import ENDPOINTS

    return {endpoint.path for endpoint in ENDPOINTS}


async def test_an_administrator_sees_whose_a_document_is_and_not_what(stage: Stage) -> None:
    name, chief = await stage.upload(), stage.clients["admin"]
    listed = await chief.get("/v1/admin/documents")
    assert [item["docId"] for item in listed.json()["documents"]] == [name]
    assert "Secret" not in listed.text
    assert (await chief.get(f"/v1/documents/{name}/download")).status_code == 404
    assert (await chief.get(f"/v1/documents/{name}")).status_code == 403


async def test_keys_are_made_and_revoked_and_the_log_says_by_whom(stage: Stage) -> None:
    made = await stage.admin("POST", "keys", {"name": "new", "role": "read", "days": 1})
    fresh = client_of(stage.application, made["key"])
    assert (await fresh.get("/v1/documents/")).status_code == 200
    listed = (await stage.admin("GET", "keys"))["keys"]
    assert made["key"].rpartition("_")[2] not in str(listed)
    assert sorted(key["role"] for key in listed) == ["admin", "edit", "read", "read"]
    await stage.admin("DELETE", f"keys/{made['id']}")
    assert (await fresh.get("/v1/documents/")).status_code == 401
    assert noted(stage.settings.data_dir) == {made["id"]}
    again = await stage.clients["admin"].delete(f"/v1/admin/keys/{made['id']}")
    assert (again.status_code, again.json()["detail"]) == (404, "Key not found or closed")
    metadata = await open_metadata(stage.settings)
    entries = await metadata.audit.entries()
    chief = next(key["owner"] for key in listed if key["role"] == "admin")
    told = [(entry.who, entry.what) for entry in entries if entry.subject == made["id"]]
    assert told == [(chief, "key created"), (chief, "key revoked")]
    await metadata.close()
    await fresh.aclose()


async def test_an_owner_has_a_quota_of_its_own(stage: Stage) -> None:
    await stage.upload()
    listed = (await stage.admin("GET", "keys"))["keys"]
    editor = next(key for key in listed if key["role"] == "edit")
    assert (editor["documents"], editor["mostDocuments"]) == (1, 0)
    await stage.admin("PUT", f"keys/{editor['id']}/quota", {"documents": 1})
    files = {"file": ("a.docx", docx("two"))}
    assert (await stage.clients["edit"].post("/v1/documents/", files=files)).status_code == 429
    await stage.admin("DELETE", f"keys/{editor['id']}/quota")
    assert (await stage.clients["edit"].post("/v1/documents/", files=files)).status_code == 200


async def test_a_hold_keeps_what_an_administrator_would_delete(stage: Stage) -> None:
    name = await stage.upload()
    assert (await stage.admin("PUT", f"documents/{name}/hold"))["documents"] == [name]
    refused = await stage.clients["admin"].delete(f"/v1/admin/documents/{name}")
    assert refused.status_code == 409
    assert (await stage.admin("DELETE", f"documents/{name}/hold"))["documents"] == [name]
    assert (await stage.admin("DELETE", f"documents/{name}"))["deleted"]
    assert (await stage.admin("GET", "documents"))["documents"] == []
    before = (await stage.admin("GET", "sweeps"))["count"]
    assert (await stage.admin("POST", "sweeps"))["count"] == before + 1


async def test_the_command_line_says_the_same(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    name = await stage.upload()
    loop = asyncio.get_running_loop()

    def passed_on(request: httpx.Request) -> httpx.Response:
        asked = stage.clients["admin"].request(
            request.method,
            str(request.url),
            content=request.content,
        )
        answer = asyncio.run_coroutine_threadsafe(asked, loop).result()
        return httpx.Response(answer.status_code, content=answer.content)

    async def run(**options: object) -> int:
        given = argparse.Namespace(server="http://here", **options)
        transport = httpx.MockTransport(passed_on)
        return await asyncio.to_thread(admin_command.run, given, "", transport)

    assert await run(action="documents") == 0
    assert capsys.readouterr().out.startswith(f"{name}\t")
    assert await run(action="hold", document=name, key="") == 0
    assert capsys.readouterr().out == f"{name}\thold\n"
    assert await run(action="delete", document=name) == 1
    assert "legal hold" in capsys.readouterr().err
    assert await run(action="keys") == 0
    assert capsys.readouterr().out.count("\n") == 3


def test_the_command_line_needs_a_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REDRAFT_KEY", raising=False)
    assert commands.admin(["keys"]) == 2
    assert "REDRAFT_KEY" in capsys.readouterr().err
