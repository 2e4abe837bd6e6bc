"""Faults of the disk, in the words for callers; the whole service in this process."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest

from redraft.api.app import Externals, running
from redraft.api.clock import SystemClock
from redraft.api.files.local import LocalFiles
from redraft.api.files.protocol import AbsentError, FullError, UnwritableError
from redraft.api.metadata.protocol import MetadataError
from redraft.api.metadata.sqlite_keys import SqliteKeys
from redraft.api.sandbox.workers import InProcess
from redraft.api.service import SPACE_NEEDED
from redraft.api.settings import Settings
from tests.api import fake_engine, fake_planner
from tests.api.fake_engine import FakeEngine

FULL = "The service has no storage space left"
GONE = "The storage of the service is not available at the moment"
MISSING = "The file of this document is missing"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, SystemClock())
    settings = Settings(data_dir=tmp_path / "data", api_keys=("one",))
    async with (
        running(settings, externals) as application,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
            base_url="http://here",
            headers={"Authorization": "Bearer one"},
        ) as opened,
    ):
        yield opened


async def test_a_database_that_takes_nothing_more_does_not_spoil_an_orderly_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> None:
        message = "there is no space left"
        raise MetadataError(message, full=True)

    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, SystemClock())
    async with running(Settings(data_dir=tmp_path / "data", api_keys=("one",)), externals):
        monkeypatch.setattr(SqliteKeys, "mark", refused)


async def uploaded(client: httpx.AsyncClient, **fields: str) -> httpx.Response:
    file = ("a.docx", fake_engine.docx("hello"))
    return await client.post("/v1/documents/", files={"file": file}, data=fields)


def broken(monkeypatch: pytest.MonkeyPatch, name: str, error: Exception) -> None:
    async def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(LocalFiles, name, fail)


@pytest.mark.parametrize(
    ("error", "status", "detail"),
    [
        (FullError(), 507, FULL),
        (AbsentError(), 503, GONE),
        (UnwritableError(), 503, GONE),
        (OSError(5, "input/output"), 503, GONE),
        (OSError(28, "no space"), 507, FULL),
    ],
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


@pytest.mark.parametrize(
    ("error", "told"), [(FullError(), FULL), (AbsentError(), MISSING), (UnwritableError(), GONE)]
)
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
    [
        (FullError(), 507, FULL),
        (UnwritableError(), 503, GONE),
        (AbsentError(), 500, f"Operation failed: {MISSING}"),
    ],
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


@pytest.mark.parametrize(("error", "told"), [(FullError(), FULL), (UnwritableError(), GONE)])
async def test_an_edit_that_cannot_be_kept_says_why_changes_nothing_and_may_be_tried_again(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    document = (await uploaded(client)).json()["docId"]
    path = f"/v1/documents/{document}"
    body = {"editUid": document, "editInstructions": "replace hello with goodbye"}
    with monkeypatch.context() as patch:
        broken(patch, "keep", error)
        answer = await client.post(f"{path}/edits", json=body)
    assert (answer.status_code, answer.json()) == (
        500,
        {"detail": f"Edit operation failed: {told}"},
    )
    assert (await client.get(f"{path}/download")).content == fake_engine.docx("hello")
    again = await client.post(f"{path}/edits", json=body)
    assert (again.status_code, again.json()["editApplied"]) == (200, True)


@pytest.mark.parametrize("folder", ["documents", "scratch", "at-hand"])
async def test_a_folder_that_is_gone_is_not_called_a_full_disk(
    client: httpx.AsyncClient, tmp_path: Path, folder: str
) -> None:
    assert (await client.get("/ready")).status_code == 200
    (tmp_path / "data" / folder).rmdir()
    ready, refused = await client.get("/ready"), await uploaded(client)
    told = "Not ready: storage: a folder of it is gone or closed"
    assert (ready.status_code, ready.json()) == (503, {"detail": told})
    assert (refused.status_code, refused.json()) == (503, {"detail": GONE})


async def test_a_full_disk_is_told_as_one(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def little(_: LocalFiles) -> int:
        return SPACE_NEEDED - 1

    monkeypatch.setattr(LocalFiles, "free", little)
    ready, refused = await client.get("/ready"), await uploaded(client)
    assert ready.json() == {"detail": "Not ready: storage: no space left"}
    assert (refused.status_code, refused.json()) == (507, {"detail": FULL})


async def test_what_the_system_said_of_the_storage_is_in_the_log(
    client: httpx.AsyncClient,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logging.getLogger("redraft"), "propagate", True)
    document = (await uploaded(client)).json()["docId"]
    path = f"/v1/documents/{document}"
    shutil.rmtree(tmp_path / "data" / "documents" / document)
    await client.get(f"{path}/download")
    edit = {"editUid": document, "editInstructions": "replace hello with goodbye"}
    await client.post(f"{path}/edits", json=edit)
    shutil.rmtree(tmp_path / "data" / "documents")
    await uploaded(client)
    errors = [str(each.msg) for each in caplog.records if each.levelname == "ERROR"]
    assert ["a download failed" in line for line in errors] == [True, False, False]
    assert ["the storage failed" in line for line in errors] == [False, True, True]
    assert all("because of FileNotFoundError at " in line for line in errors)
    assert not any("a.docx" in line for line in errors)
