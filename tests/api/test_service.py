"""Faults of the disk, in the words for callers; the whole service in this process."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest

from api.app import Outside, running
from api.clock import SystemClock
from api.files.local import LocalFiles
from api.files.protocol import AbsentError, FullError
from api.settings import Settings
from api.workers import InProcess
from tests.api import fake_engine, fake_planner

FULL = "The service has no storage space left"
GONE = "The storage of the service is not available at the moment"
MISSING = "The file of this document is missing"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
    outside = Outside(InProcess(), fake_engine, fake_planner.plan, SystemClock())
    settings = Settings(data_dir=tmp_path / "data", api_keys=("one",))
    async with (
        running(settings, outside) as application,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
            base_url="http://here",
            headers={"Authorization": "Bearer one"},
        ) as opened,
    ):
        yield opened


async def uploaded(client: httpx.AsyncClient, **fields: str) -> httpx.Response:
    file = ("a.docx", fake_engine.docx("hello"))
    return await client.post("/v1/documents/", files={"file": file}, data=fields)


def broken(monkeypatch: pytest.MonkeyPatch, name: str, error: Exception) -> None:
    async def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(LocalFiles, name, fail)


@pytest.mark.parametrize(
    ("error", "status", "detail"),
    [(FullError(), 507, FULL), (AbsentError(), 503, GONE), (OSError(5, "input/output"), 503, GONE)],
)
async def test_an_upload_that_cannot_be_kept_says_why(
    client: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    detail: str,
) -> None:
    broken(monkeypatch, "keep", error)
    answer = await uploaded(client)
    assert (answer.status_code, answer.json()) == (status, {"detail": detail})
    assert (await client.get("/v1/documents/")).json()["totalCount"] == 0


@pytest.mark.parametrize(("error", "told"), [(FullError(), FULL), (AbsentError(), MISSING)])
async def test_an_upload_stands_although_its_markdown_cannot_be_kept(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    broken(monkeypatch, "put", error)
    answer = await uploaded(client, return_markdown="true")
    assert answer.status_code == 200
    assert answer.json()["markdown"] is None
    assert answer.json()["warnings"] == [f"Failed to generate markdown: {told}"]
    document = answer.json()["docId"]
    assert (await client.get(f"/v1/documents/{document}/download")).status_code == 200


async def test_a_copy_that_cannot_be_kept_is_the_500_of_the_contract(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = (await uploaded(client, tracked_changes="true")).json()["docId"]
    path = f"/v1/documents/{document}"
    body = {"editUid": document, "editInstructions": "replace hello with goodbye"}
    assert (await client.post(f"{path}/edits", json=body)).status_code == 200
    broken(monkeypatch, "keep", FullError())
    answer = await client.get(f"{path}/download?view=clean")
    assert answer.status_code == 500
    assert answer.json() == {"detail": "Failed to process direct download"}


@pytest.mark.parametrize(
    ("error", "status", "detail"),
    [(FullError(), 507, FULL), (AbsentError(), 500, f"Operation failed: {MISSING}")],
)
async def test_changes_that_cannot_be_listed_say_why(
    client: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    detail: str,
) -> None:
    document = (await uploaded(client)).json()["docId"]
    broken(monkeypatch, "put", error)
    answer = await client.get(f"/v1/documents/{document}/changes")
    assert (answer.status_code, answer.json()) == (status, {"detail": detail})
