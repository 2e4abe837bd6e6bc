"""The same plan gives the same redline, byte for byte, through every door."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from mcp import Client

import redraft
from redraft import command_line
from redraft.api.app import running
from redraft.api.serve import shipped
from redraft.api.settings import Settings
from redraft.assist.calls import Calls, Parts
from redraft.assist.local_files import CALLER, LocalDocuments, LocalOptions, entries_of
from redraft.assist.protocol_server import Context, ProtocolServer
from redraft.assist.roots import Roots
from tests.api import fake_planner
from tests.api.builders import HeldClock
from tests.assist.connections import SAMPLE, call
from tests.engine.pdf.paper import paper

pytestmark = pytest.mark.thorough

MOMENT = 1_790_000_000.0
KEY = "k" * 40
Plan = Sequence[Mapping[str, Any]]
WORD: Plan = [
    {"op": "replace_text", "block": "p1", "find": "14", "replace": "15"},
    {"op": "find_replace", "find": "Harbour Lane", "replace": "Quay Street"},
    {"op": "delete_blocks", "first": "p117", "last": "p117"},
    {"op": "add_comment", "block": "p3", "find": "Services", "text": "Which?"},
]
ANSWER: Plan = [{"op": "reply_comment", "target": "c1", "text": "All of them."}]
PAPER: Plan = [
    {"op": "replace_text", "block": "p1.b1", "find": "notice", "replace": "cancellation"},
    {"op": "add_comment", "block": "p1.b1", "find": "30 days", "text": "Too long?"},
]


def by_command(source: Path, plans: Sequence[Plan]) -> bytes:
    file = source
    for number, operations in enumerate(plans):
        plan = source.with_name("plan.json")
        plan.write_text(json.dumps(operations), "utf-8")
        out = source.with_name(f"by-command-{number}{source.suffix}")
        words = ["apply", str(file), str(plan), "-o", str(out), "--author", "Ann", "--yes"]
        assert command_line.main(words) == 0
        file = out
    return file.read_bytes()


def by_python(source: Path, plans: Sequence[Plan]) -> bytes:
    with redraft.open(source, author="Ann") as document:
        for operations in plans:
            assert document.edit(operations).applied
        return document.to_bytes()


async def by_http(application: Any, source: Path, plans: Sequence[Plan]) -> bytes:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=application.asgi),
        base_url="http://test",
        headers={"Authorization": f"Bearer {KEY}"},
    ) as client:
        made = await client.post(
            "/v1/documents/",
            files={"file": (source.name, await asyncio.to_thread(source.read_bytes))},
            data={"tracked_changes": "true", "author_name": "Ann"},
        )
        address = f"/v1/documents/{made.json()['docId']}"
        for operations in plans:
            body = {"editUid": str(uuid4()), "operations": list(operations)}
            answer = await client.post(f"{address}/edits", json=body)
            assert answer.status_code == 200, answer.text
        return (await client.get(f"{address}/download")).content


async def by_assistant(application: Any, source: Path, plans: Sequence[Plan]) -> bytes:
    parts = Parts(application.service, application.downloads, application.broadcaster)
    calls = Calls(parts, CALLER)
    roots = Roots([source.parent])
    options = LocalOptions((source.parent,), "", reads_only=False)
    entries = entries_of(LocalDocuments(roots, options), options, has_model=False)

    async def calls_for(_: Context) -> Calls:
        await asyncio.sleep(0)
        return calls

    async with Client(ProtocolServer(entries, calls_for).server) as client:
        document = (await call(client, "open", path=source.name, author="Ann"))["document"]
        for operations in plans:
            await call(client, "edit", document=document, operations=list(operations))
        name = f"by-assistant{source.suffix}"
        await call(client, "save", document=document, path=name)
    roots.close()
    return await asyncio.to_thread(source.with_name(name).read_bytes)


@pytest.mark.parametrize(
    ("name", "plans"), [("a.docx", (WORD,)), ("a.docx", (WORD, ANSWER)), ("a.pdf", (PAPER,))]
)
async def test_every_door_gives_the_same_redline(
    name: str, plans: Sequence[Plan], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(MOMENT)))
    letter = paper().lines(72, 100, "The notice period is 30 days.").data()
    source = tmp_path / name
    source.write_bytes(letter if name.endswith(".pdf") else SAMPLE.read_bytes())
    settings = Settings(data_dir=tmp_path / "data", api_keys=(KEY,), workers=0, drain_seconds=0)
    outside = replace(shipped(settings, {}), planner=fake_planner.plan, clock=HeldClock(MOMENT))
    redlines = [await asyncio.to_thread(by_python, source, plans)]
    async with running(settings, outside) as application:
        redlines.append(await by_http(application, source, plans))
        redlines.append(await by_assistant(application, source, plans))
    redlines.append(await asyncio.to_thread(by_command, source, plans))
    assert [one == redlines[0] for one in redlines] == [True] * 4
    assert redlines[0] != source.read_bytes()
