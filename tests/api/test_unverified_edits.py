"""What callers read of an edit that did not pass the checks of the engine."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path

import httpx
import pytest

from redraft.api.app import Externals, running
from redraft.api.clock import SystemClock
from redraft.api.errors import refusal
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.engine.errors import VerificationError
from redraft.engine.plan import EditPlan, FindReplace, InsertBlocks, NewBlock, SetField, SetProperty
from redraft.engine.plan_json import without_texts
from tests.api import fake_engine, fake_planner
from tests.api.fake_engine import FakeEngine


def test_a_broken_law_is_told_in_one_plain_line() -> None:
    error = VerificationError("law 2 is broken in word/document.xml: a row has other cells")
    answer = refusal(error, "edit")
    assert (answer.status, answer.detail) == (
        500,
        "Edit operation failed: The edit did not pass its checks",
    )
    assert not answer.final


def test_a_plan_without_texts_keeps_ids_and_choices() -> None:
    plan = EditPlan(
        "edit",
        "Secret reason",
        (
            FindReplace("Secret", "words", scope="section:p3", limit=-1),
            InsertBlocks("t1.r2.c3.p1", "after", (NewBlock("bullet", "Secret"),)),
            SetField("Secret title", "p1"),
            SetProperty("title", "Secret"),
        ),
    )
    written = without_texts(plan)
    assert "ecret" not in written
    assert json.loads(written) == [
        {"op": "find_replace", "find": 6, "replace": 5, "scope": "section:p3", "limit": -1},
        {
            "op": "insert_blocks",
            "block": "t1.r2.c3.p1",
            "where": "after",
            "blocks": [{"kind": "bullet", "text": 6}],
        },
        {"op": "set_field", "control": 12, "value": 2},
        {"op": "set_property", "name": "title", "value": 6},
    ]


async def test_a_decision_that_breaks_a_law_is_counted_and_logged_too(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("redraft"), "propagate", True)
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, SystemClock())
    settings = Settings(data_dir=tmp_path / "data", api_keys=("one",))
    async with (
        running(settings, externals) as application,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
            base_url="http://here",
            headers={"Authorization": "Bearer one"},
        ) as client,
    ):
        file = {"file": ("a.docx", fake_engine.docx("unsettled"))}
        document = (await client.post("/v1/documents/", files=file)).json()["docId"]
        wish = {"action": "reject", "all": True}
        answer = await client.post(f"/v1/documents/{document}/changes", json=wish)
        figures = (await client.get("/metrics")).text
    assert answer.status_code == 500
    assert "law" not in answer.text
    assert 'redraft_unverified_edits_total{format="docx"} 1.0' in figures
    (line,) = [str(r.msg) for r in caplog.records if "did not pass its checks" in str(r.msg)]
    assert "law 1 is broken" in line
    assert "reject" in line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("half-way", {"detail": "Edit operation failed: The edit did not pass its checks"}),
        ("in full!", {"editApplied": True}),
    ],
)
async def test_a_broken_law_is_counted_and_logged_with_what_it_takes_to_look_for_it(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    said: dict[str, object],
) -> None:
    monkeypatch.setattr(logging.getLogger("redraft"), "propagate", True)
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, SystemClock())
    settings = Settings(data_dir=tmp_path / "data", api_keys=("one",))
    data = fake_engine.docx("hello")
    async with (
        running(settings, externals) as application,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
            base_url="http://here",
            headers={"Authorization": "Bearer one"},
        ) as client,
    ):
        file = {"file": ("a.docx", data)}
        document = (await client.post("/v1/documents/", files=file)).json()["docId"]
        edit = {"editUid": document, "editInstructions": f"replace hello with {words}"}
        answer = await client.post(f"/v1/documents/{document}/edits", json=edit)
        figures = (await client.get("/metrics")).text
    assert {name: answer.json().get(name) for name in said} == said
    assert "law" not in answer.text
    assert 'redraft_unverified_edits_total{format="docx"} 1.0' in figures
    lines = [str(r.msg) for r in caplog.records if "did not pass its checks" in str(r.msg)]
    assert len(lines) == 1
    assert hashlib.sha256(data).hexdigest() in lines[0]
    assert '"find":5,"replace":8' in lines[0].replace("\\", "")
    assert "hello" not in lines[0]
