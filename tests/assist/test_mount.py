"""`/mcp` on a running service, asked by the official client over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.api.fake_engine import docx
from tests.assist.connections import (
    MODES,
    SAMPLE,
    Mode,
    call,
    http_client,
    refusal,
    text_of,
)
from tests.interface.server_process import KEY, OTHER_KEY, ServerProcess
from tests.interface.situation_documents import word

pytestmark = pytest.mark.process
MOVED = 'Replace "Harbour Lane" with "Quay Street" everywhere'
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
LIST: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    folder = tmp_path_factory.mktemp("mcp")
    server = ServerProcess(folder, staged=True, real_engine=True, mcp="on")
    yield server.start()
    server.close()


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    """A service over stand-in documents, with a planner that can be held at a gate."""
    server = ServerProcess(tmp_path_factory.mktemp("slow"), staged=True, mcp="on")
    yield server.start()
    server.close()


@pytest.fixture
def uploaded(service: ServerProcess) -> str:
    return upload(service)


def upload(service: ServerProcess, name: str = "contract.docx", data: bytes = b"") -> str:
    with service.client() as client:
        files = {"file": (name, data or SAMPLE.read_bytes())}
        fields = {"tracked_changes": "true", "ttl_seconds": "3600"}
        answer = client.post("/v1/documents", files=files, data=fields)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()["docId"]


@pytest.mark.parametrize("mode", MODES)
async def test_an_assistant_works_on_the_documents_of_its_key(
    service: ServerProcess, mode: Mode
) -> None:
    async with http_client(service.url, KEY, mode) as client, httpx.AsyncClient() as plain:
        sending = await call(client, "link", upload=True)
        sent = await plain.put(sending["url"], content=SAMPLE.read_bytes(), timeout=60)
        document = sent.json()["docId"]
        again = await plain.put(sending["url"], content=SAMPLE.read_bytes(), timeout=60)
        assert again.json()["docId"] == document
        other = await plain.put(sending["url"], content=word("another"), timeout=60)
        assert other.status_code == 422
        assert (await call(client, "open", document=document))["blocks"] > 100
        shown = await client.call_tool("read", {"document": document, "limit": 2})
        assert text_of(shown).startswith("version 0 · blocks 1-2 of")
        assert (await call(client, "search", document=document, text="harbour"))["total"]
        edited = await call(client, "edit", document=document, instruction=MOVED)
        assert (edited["state"], edited["total"]) == ("applied", 7)
        assert (await call(client, "changes", document=document))["total"] == 7
        await call(client, "undo", document=document)
        await call(client, "undo", document=document, redo=True)
        await call(client, "resolve", document=document, action="accept", all=True)
        link = await call(client, "link", document=document, view="original")
        fetched = await plain.get(link["url"])
        assert sha256(fetched.content).digest() == sha256(SAMPLE.read_bytes()).digest()
        assert "attachment" in fetched.headers["content-disposition"]


async def test_a_document_is_opened_by_its_name(service: ServerProcess) -> None:
    document = upload(service, "named.docx")
    async with http_client(service.url, KEY) as client:
        assert (await call(client, "open", document="named.docx"))["document"] == document
        assert document in await refusal(client, "open", {})


async def test_the_documents_of_another_key_are_not_there(
    service: ServerProcess, uploaded: str
) -> None:
    async with http_client(service.url, OTHER_KEY) as client:
        for tool in ("open", "read", "changes", "undo", "link"):
            words = await refusal(client, tool, {"document": uploaded})
            assert "not found or has expired" in words
        assert uploaded not in await refusal(client, "open", {})


@pytest.mark.parametrize("key", ["", "wrong-key-wrong-key"])
def test_without_a_key_there_is_a_401_before_anything_is_read(
    service: ServerProcess, key: str
) -> None:
    headers = {**HEADERS, "Authorization": f"Bearer {key}"} if key else HEADERS
    answer = httpx.post(f"{service.url}/mcp", json=LIST, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Origin": "https://evil.example"}, 403), ({"Host": "evil.example"}, 421)],
)
def test_a_page_elsewhere_cannot_speak_to_it(
    service: ServerProcess, headers: dict[str, str], status: int
) -> None:
    sent = {**HEADERS, "Authorization": f"Bearer {KEY}", **headers}
    assert httpx.post(f"{service.url}/mcp", json=LIST, headers=sent).status_code == status


def test_a_body_above_one_mebibyte_is_refused(service: ServerProcess) -> None:
    headers = {**HEADERS, "Authorization": f"Bearer {KEY}"}
    answer = httpx.post(f"{service.url}/mcp", content=b" " * (1024 * 1024 + 1), headers=headers)
    assert answer.status_code == 413


def test_an_address_that_nobody_made_or_that_is_over_opens_nothing(
    service: ServerProcess,
) -> None:
    for method, path in (("GET", f"{uuid4()}/clean"), ("PUT", f"new/{uuid4()}/me")):
        for query in ("", "?exp=99999999999&kid=x&sig=y&by=z"):
            address = f"{service.url}/mcp/files/{path}{query}"
            answer = httpx.request(method, address, content=b"x")
            assert answer.status_code == 403
            assert "not valid or has expired" in answer.text


async def test_an_address_opens_what_it_was_made_for_and_outlives_a_restart(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path, staged=True, real_engine=True, mcp="on").start()
    try:
        document = upload(server)
        async with http_client(server.url, KEY) as client:
            link = (await call(client, "link", document=document, view="original"))["url"]
            sending = (await call(client, "link", upload=True))["url"]
        server.stop()
        server.start()
        path, port = httpx.URL(link).raw_path.decode(), httpx.URL(server.url)
        async with httpx.AsyncClient(base_url=port, timeout=60) as plain:
            assert (await plain.get(path)).content == SAMPLE.read_bytes()
            changed = await plain.get(path.replace("/original?", "/clean?"))
            assert changed.status_code == 403
            sent = await plain.put(
                httpx.URL(sending).raw_path.decode(), content=SAMPLE.read_bytes()
            )
            assert sent.json()["docId"] != document
    finally:
        server.close()


async def test_an_upload_above_10_mib_or_of_another_kind_is_refused(
    service: ServerProcess,
) -> None:
    async with http_client(service.url, KEY) as client, httpx.AsyncClient() as plain:
        for content, status in ((b"x" * (10 * 1024 * 1024 + 1), 413), (b"no document", 400)):
            address = (await call(client, "link", upload=True))["url"]
            answer = await plain.put(address, content=content, timeout=60)
            assert answer.status_code == status


@pytest.mark.parametrize("is_named", [True, False])
async def test_a_lost_connection_ends_only_an_edit_that_nobody_can_find_again(
    slow: ServerProcess, tmp_path: Path, is_named: bool
) -> None:
    document, gate = upload(slow, data=docx("hello")), tmp_path / "gate"
    edit = {"document": document, "instruction": f"hold {gate} replace hello with bye"}
    named = {**edit, "edit_uid": str(uuid4())} if is_named else edit
    async with http_client(slow.url, KEY, "2026-07-28") as client:
        calling = asyncio.create_task(client.call_tool("edit", named))
        await states_until(slow, document, "running")
        calling.cancel()
        await asyncio.wait((calling,))
    if not is_named:
        await states_until(slow, document, "cancelled")
    gate.touch()
    if is_named:
        async with http_client(slow.url, KEY, "2026-07-28") as client:
            assert (await call(client, "edit", **named))["version"] == 1


async def states_until(service: ServerProcess, document: str, state: str) -> None:
    """Waits until the only edit of a document is in a state."""
    async with asyncio.timeout(60):
        async with service.async_client() as client:
            while True:
                edits = (await client.get(f"/v1/documents/{document}/edits")).json()["edits"]
                if [edit["state"] for edit in edits] == [state]:
                    return
                await asyncio.sleep(0.02)


def test_keys_and_documents_are_not_in_the_log(service: ServerProcess) -> None:
    assert "/mcp" in service.log
    for canary in (KEY, OTHER_KEY, "Northwind", "Harbour", "/mcp/files/"):
        assert canary not in service.log


def test_without_the_setting_there_is_no_such_address(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, staged=True).start()
    try:
        headers = {**HEADERS, "Authorization": f"Bearer {KEY}"}
        assert httpx.post(f"{server.url}/mcp", json=LIST, headers=headers).status_code == 404
        assert httpx.get(f"{server.url}/mcp/files/x").status_code == 404
    finally:
        server.close()


async def test_an_edit_survives_a_killed_server_and_is_made_once(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, staged=True, mcp="on").start()
    try:
        document, gate = upload(server, data=docx("hello")), tmp_path / "gate"
        edit = {
            "document": document,
            "instruction": f"hold {gate} replace hello with bye",
            "edit_uid": str(uuid4()),
        }
        async with http_client(server.url, KEY) as client:
            assert (await call(client, "edit", **edit, wait=0.5))["state"] == "running"
        server.kill()
        gate.touch()
        server.start()
        async with http_client(server.url, KEY) as client:
            answers = await asyncio.gather(*(client.call_tool("edit", edit) for _ in range(5)))
            found = [answer.structured_content for answer in answers]
            assert {answer["version"] for answer in found if answer} == {1}
            assert (await call(client, "changes", document=document))["total"] == 1
    finally:
        server.close()
