"""A document that moves on while its edit is planned: the old plan never touches the new version.

The queue of one service lets nothing in between; here another hand writes the next version into
the database while the planner thinks, on the real engine and real files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from msgspec.structs import asdict, replace

from redraft.api.app import Externals, running
from redraft.api.clock import SystemClock
from redraft.api.files.local import LocalFiles
from redraft.api.operations.metering import Meter
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE
from redraft.engine import editor
from redraft.engine.instruct import Calls, Instruction, Planned
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    InsertBlocks,
    NewBlock,
    Operation,
    RewriteBlock,
)
from redraft.engine.report import StoredVersion
from tests.engine.pdf.paper import paper
from tests.interface.situation_documents import word

KEY = "k" * 40
LINES = ("The first fox jumps.", "The second dog sleeps.", "The third cat hunts.")
NEXT = ("The second dog sleeps.", "The third cat hunts.", "A fourth owl calls.")
NOT_THERE = {"detail": "Edit operation failed: Unable to locate the specified text"}


def in_pdf(*said: str) -> bytes:
    made = paper()
    for number, line in enumerate(said):
        made.text(72, 100 + 30 * number, line)
    return made.data()


def in_word(*said: str) -> bytes:
    return word(*said)


@dataclass
class Thinker:
    """A planner during whose first thought something happens to the document."""

    think: Callable[[Calls], Awaitable[EditPlan]]
    meanwhile: Callable[[], Awaitable[None]]
    plans: list[EditPlan] = field(default_factory=lambda: list[EditPlan]())

    async def __call__(self, calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
        plan = await self.think(calls)
        self.plans.append(plan)
        if len(self.plans) == 1:
            await self.meanwhile()
        return Planned(plan, ())


@dataclass
class Desk:
    """A service on a folder with one document."""

    client: httpx.AsyncClient
    document: str
    thinker: Thinker

    async def edit(self) -> httpx.Response:
        body = {"editUid": "9b2f4c1e-0000-4000-8000-000000000001", "editInstructions": "as thought"}
        return await self.client.post(f"/v1/documents/{self.document}/edits", json=body)

    async def stored(self) -> tuple[int, bytes]:
        told = (await self.client.get(f"/v1/documents/{self.document}/exists")).json()
        file = await self.client.get(f"/v1/documents/{self.document}/download")
        return int(told["document"]["version"]), file.content


@asynccontextmanager
async def desk(
    folder: Path, name: str, now: bytes, later: bytes, think: Callable[[Calls], Awaitable[EditPlan]]
) -> AsyncGenerator[Desk]:
    identifier = ""

    async def move_on() -> None:
        kept = await LocalFiles(folder).put(later, f"{identifier}/by-another-hand")
        (folder / name).write_bytes(later)
        state = editor.inspect(folder / name, name).state
        with closing(sqlite3.connect(folder / DATABASE, timeout=10)) as base, base:
            base.execute("UPDATE documents SET version = 1 WHERE id = ?", (identifier,))
            base.execute(
                "INSERT INTO versions SELECT document, 1, 'by-another-hand', ?, ?, ?, 0, NULL"
                " FROM versions WHERE document = ? AND number = 0",
                (kept.size, kept.digest, state, identifier),
            )

    thinker = Thinker(think, move_on)
    settings = Settings(data_dir=folder, api_keys=(KEY,), workers=0, drain_seconds=0)
    externals = Externals(InProcess(), thinker, SystemClock())
    async with running(settings, externals) as application:
        transport = httpx.ASGITransport(app=application.asgi)  # pyright: ignore[reportArgumentType] - Litestar's types of ASGI
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://desk", headers=headers
        ) as client:
            answer = await client.post("/v1/documents/", files={"file": (name, now)})
            assert answer.status_code == 200, answer.text
            identifier = answer.json()["docId"]
            yield Desk(client, identifier, thinker)


FORMATS = pytest.mark.parametrize(
    ("name", "make"), [("a.pdf", in_pdf), ("a.docx", in_word)], ids=["pdf", "docx"]
)


@FORMATS
async def test_words_that_are_gone_from_the_next_version_are_not_found_in_it(
    tmp_path: Path, name: str, make: Callable[..., bytes]
) -> None:
    async def replace_fox(calls: Calls) -> EditPlan:
        return await calls.interpret('Replace "fox" with "hare"', None)

    later = make(*NEXT)
    async with desk(tmp_path, name, make(*LINES), later, replace_fox) as held:
        answer = await held.edit()
        assert (answer.status_code, answer.json()) == (500, NOT_THERE)
        assert await held.stored() == (1, later)
        assert len(held.thinker.plans) == 1, "the second thought found no fox to plan with"


@FORMATS
async def test_an_edit_that_still_fits_is_planned_anew_on_the_next_version(
    tmp_path: Path, name: str, make: Callable[..., bytes]
) -> None:
    async def replace_cat(calls: Calls) -> EditPlan:
        return await calls.interpret('Replace "cat" with "lynx"', None)

    async with desk(tmp_path, name, make(*LINES), make(*NEXT), replace_cat) as held:
        answer = await held.edit()
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] == 2
        assert [len(plan.operations) for plan in held.thinker.plans] == [1, 1]
        read = await held.client.get(f"/v1/documents/{held.document}/download")
        (tmp_path / name).write_bytes(read.content)
        said = editor.read(StoredVersion(tmp_path / name)).markdown
        assert said.split("\n\n")[1].strip() == "The third lynx hunts."
        assert "fox" not in said


@FORMATS
@pytest.mark.parametrize(
    "operation",
    [
        RewriteBlock("p{}2", "The second dog wakes."),
        DeleteBlocks("p{}2", "p{}2"),
        InsertBlocks("p{}3", "after", (NewBlock("paragraph", "The cat is old."),)),
    ],
    ids=lambda each: type(each).__name__,
)
async def test_a_planner_that_keeps_to_the_old_version_touches_no_block_of_the_new_one(
    tmp_path: Path, name: str, make: Callable[..., bytes], operation: Operation
) -> None:
    """The second block of the new version was the third of the old one."""
    kept: list[EditPlan] = []

    async def stubborn(calls: Calls) -> EditPlan:
        if not kept:
            view = await calls.show("as thought", None, "N0")
            anchored = of_form(operation, "1.b" if name.endswith(".pdf") else "")
            kept.append(EditPlan("edit", "r", (anchored,), snapshot=view.snapshot))
        return kept[0]

    later = make(*NEXT)
    async with desk(tmp_path, name, make(*LINES), later, stubborn) as held:
        answer = await held.edit()
        assert (answer.status_code, answer.json()) == (500, NOT_THERE)
        assert await held.stored() == (1, later)
        assert held.thinker.plans == [kept[0], kept[0]]
        told = (await held.client.get(f"/v1/documents/{held.document}/edits")).json()
        assert "has changed since the edit was planned" in str(told["edits"][-1])


def of_form(operation: Operation, middle: str) -> Operation:
    """Write the anchors of an operation as the format has them: `p1.b2` or `p2`."""
    named = {
        name: str(value).format(middle)
        for name, value in asdict(operation).items()
        if name in ("block", "first", "last")
    }
    return replace(operation, **named)
