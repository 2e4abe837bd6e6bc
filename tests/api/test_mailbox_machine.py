"""The mailbox against a model of a few lines: whatever happens in whatever order, both agree.

The whole service runs in this process over a real database and real files; the clock and the end
of every edit belong to the test. `REDRAFT_STATE_EXAMPLES` asks for more rounds of
`REDRAFT_STATE_STEPS` steps each; `make soak LONG=1` asks for 500 of 50.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from redraft.api.app import Application, Externals
from redraft.api.clock import SteadyClock
from redraft.api.files.local import LocalFiles
from redraft.api.metadata.protocol import Accepted, Limits, Replayed, Submission
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.metadata.sqlite_operations import SqliteOperations
from redraft.api.operations.metering import Meter
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE
from redraft.engine.errors import ModelError, RefusedError
from redraft.engine.instruct import Calls, Instruction, Planned
from redraft.engine.plan import EditPlan
from tests.api import fake_engine
from tests.api.builders import HeldClock
from tests.api.fake_engine import FakeEngine

EXAMPLES = int(os.environ.get("REDRAFT_STATE_EXAMPLES", "8"))
STEPS = int(os.environ.get("REDRAFT_STATE_STEPS", "30"))
TTL, DEADLINE, ATTEMPTS = 900.0, 300.0, 2
KEY = "machine"
UIDS = tuple(f"{number}1111111-2222-4333-8444-555555555555" for number in range(4))
OPEN = ("queued", "running")
T = TypeVar("T")


@dataclass
class Entry:
    """An operation as the model knows it, and who waits for its answer."""

    uid: str
    kind: str
    body: int
    received: float
    state: str = "queued"
    attempt: int = 0
    is_final: bool = False
    status: int = 0
    callers: list[asyncio.Task[httpx.Response]] = field(
        default_factory=list[asyncio.Task[httpx.Response]]
    )


@dataclass
class Model:
    """One document: its text with what undo and redo lead to, its mailbox, its time."""

    expires: float
    present: str = "END"
    past: list[str] = field(default_factory=list[str])
    future: list[str] = field(default_factory=list[str])
    version: int = 0
    entries: list[Entry] = field(default_factory=list[Entry])
    is_dead: bool = False

    def head(self) -> Entry | None:
        return next((entry for entry in self.entries if entry.state in OPEN), None)

    def latest(self, uid: str) -> Entry | None:
        return next((entry for entry in reversed(self.entries) if entry.uid == uid), None)

    def end(self, entry: Entry, state: str, status: int, *, final: bool = False) -> None:
        entry.state, entry.status, entry.is_final = state, status, final

    def write(self, entry: Entry, now: float) -> None:
        self.past.append(self.present)
        self.future.clear()
        self.present = self.present.replace("END", f"{entry.uid[0]}{entry.body} END")
        self._renew(now)
        self.end(entry, "applied", 200, final=True)

    def move(self, entry: Entry, now: float) -> None:
        source, target = (
            (self.past, self.future) if entry.kind == "undo" else (self.future, self.past)
        )
        if not source:
            self.end(entry, "unchanged", 200)
            return
        target.append(self.present)
        self.present = source.pop()
        self._renew(now)
        self.end(entry, "applied", 200)

    def settle(self, now: float) -> None:
        """Run what runs by itself, up to an edit that waits for the test, or the end."""
        while (entry := self.head()) is not None:
            if entry.state == "queued" and self.expires <= now:
                self.is_dead = True
                return
            if entry.received + DEADLINE <= now:
                self.end(entry, "timed_out", 408)
                continue
            if entry.state == "queued":
                entry.state, entry.attempt = "running", entry.attempt + 1
                if entry.attempt > ATTEMPTS:
                    self.end(entry, "failed", 500)
                    continue
            if entry.kind == "edit":
                return
            self.move(entry, now)
        self.is_dead = self.expires <= now

    def _renew(self, now: float) -> None:
        self.expires = now + TTL
        self.version += 1


class _Counting(SqliteOperations):
    """The mailboxes, with a count of what they were asked to accept."""

    def __init__(self, operations: SqliteOperations) -> None:
        vars(self).update(vars(operations))
        self.accepts = 0

    async def accept(
        self, submission: Submission, now: float, limits: Limits
    ) -> Accepted | Replayed:
        try:
            return await super().accept(submission, now, limits)
        finally:
            self.accepts += 1


class MailboxMachine(RuleBasedStateMachine):
    """Sends requests, ends edits, lets time pass, stops and kills the service."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._folder = Path(tempfile.mkdtemp())
        self._clock = HeldClock()
        self._gates: list[asyncio.Future[str]] = []

    @initialize()
    def begin(self) -> None:
        self._run(self._open())
        self._run(self._upload())

    @precondition(lambda self: self.model.is_dead)
    @rule()
    def upload(self) -> None:
        self._run(self._upload())

    @rule(uid=st.sampled_from(UIDS), body=st.integers(0, 1))
    def edit(self, uid: str, body: int) -> None:
        self._run(self._edit(uid, body))

    @rule(kind=st.sampled_from(["undo", "redo"]))
    def move(self, kind: str) -> None:
        self._run(self._move(kind))

    @precondition(lambda self: self.model.head() is not None)
    @rule(how=st.sampled_from(["applied", "applied", "unchanged", "refused", "passing"]))
    def finish(self, how: str) -> None:
        self._run(self._finish(how))

    @rule(uid=st.sampled_from(UIDS))
    def cancel(self, uid: str) -> None:
        self._run(self._cancel(uid))

    @rule(seconds=st.sampled_from([20, 120, 299, 301, 901]))
    def advance(self, seconds: int) -> None:
        self._run(self._advance(seconds))

    @rule()
    def crash(self) -> None:
        self._run(self._stop(is_orderly=False))

    @rule()
    def restart(self) -> None:
        self._run(self._stop(is_orderly=True))

    @invariant()
    def both_agree(self) -> None:
        self._run(self._compare())

    def teardown(self) -> None:
        self._run(self._close(is_orderly=False))
        self._runner.close()
        shutil.rmtree(self._folder)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    async def _open(self) -> None:
        files = LocalFiles(self._folder)
        files.prepare()
        self._metadata = await SqliteMetadata.open(self._folder / DATABASE)
        self._metadata.operations = self._desk = _Counting(self._metadata.operations)
        externals = Externals(FakeEngine(InProcess()), self._plan, self._clock)
        configured = Settings(data_dir=self._folder, api_keys=(KEY,), drain_seconds=0)
        self._application = Application(
            configured, self._metadata, files, externals, SteadyClock(self._clock)
        )
        await self._application.start()
        transport = httpx.ASGITransport(app=self._application.asgi)  # pyright: ignore[reportArgumentType] - Litestar's types of ASGI
        headers = {"Authorization": f"Bearer {KEY}"}
        self._client = httpx.AsyncClient(
            transport=transport, base_url="http://machine", headers=headers
        )

    async def _plan(self, calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
        gate: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._gates.append(gate)
        try:
            how = await gate
        finally:
            self._gates.remove(gate)
        if how == "refused":
            raise RefusedError(how)
        if how == "passing":
            raise ModelError(how)
        if how == "unchanged":
            return Planned(EditPlan("no_change", how), ())
        return Planned(await calls.interpret(instruction.text, instruction.lookup), ())

    async def _upload(self) -> None:
        answer = await self._client.post(
            "/v1/documents/",
            files={"file": ("a.docx", fake_engine.docx("END"))},
            data={"ttl_seconds": str(int(TTL))},
        )
        assert answer.status_code == 200
        self._path = f"/v1/documents/{answer.json()['docId']}"
        self.model = Model(self._clock.now() + TTL)

    async def _submit(self, path: str, body: dict[str, str] | None) -> asyncio.Task[httpx.Response]:
        before = self._desk.accepts
        task = asyncio.create_task(self._client.post(f"{self._path}/{path}", json=body))
        await _until(lambda: self._desk.accepts > before or task.done())
        return task

    async def _edit(self, uid: str, body: int) -> None:
        text = f"replace END with {uid[0]}{body} END"
        latest = self.model.latest(uid)
        task = await self._submit("edits", {"editUid": uid, "editInstructions": text})
        if self.model.is_dead:
            assert (await task).status_code == 404
        elif latest is not None and latest.body != body:
            assert (await task).status_code == 422
        elif latest is not None and latest.state in OPEN:
            latest.callers.append(task)
        elif latest is not None and latest.is_final:
            answer = await task
            assert answer.status_code == latest.status
            assert answer.headers["idempotent-replayed"] == "true"
        else:
            entry = Entry(uid, "edit", body, self._clock.now(), callers=[task])
            self.model.entries.append(entry)
            await self._settle()

    async def _move(self, kind: str) -> None:
        task = await self._submit(kind, None)
        if self.model.is_dead:
            assert (await task).status_code == 404
        else:
            entry = Entry("", kind, 0, self._clock.now(), callers=[task])
            self.model.entries.append(entry)
            await self._settle()

    async def _finish(self, how: str) -> None:
        entry, now = self.model.head(), self._clock.now()
        assert entry is not None
        self._gates[0].set_result(how)
        if how == "applied":
            self.model.write(entry, now)
        elif how == "unchanged":
            self.model.end(entry, "unchanged", 200, final=True)
        else:
            self.model.end(entry, "failed", 500, final=how == "refused")
        await self._settle()

    async def _cancel(self, uid: str) -> None:
        entry = self.model.latest(uid)
        answer = await self._client.delete(f"{self._path}/edits/{uid}")
        if self.model.is_dead or entry is None:
            assert answer.status_code == 404
            return
        is_open = entry.state in OPEN
        if is_open:
            self.model.end(entry, "cancelled", 500, final=True)
        assert answer.json() == {"editUid": uid, "cancelled": is_open, "state": entry.state}
        await self._settle()

    async def _advance(self, seconds: int) -> None:
        self._clock.advance(seconds)
        await self._settle()

    async def _stop(self, *, is_orderly: bool) -> None:
        was_running = self.model.head() if not self.model.is_dead else None
        callers = [task for entry in self.model.entries for task in entry.callers]
        await self._close(is_orderly=is_orderly)
        for entry in self.model.entries:
            if entry.state in OPEN:
                entry.state = "queued"
                entry.callers.clear()
        if was_running is not None and is_orderly:
            was_running.attempt -= 1
        for task in callers:
            answer = (await asyncio.gather(task, return_exceptions=True))[0]
            if is_orderly and isinstance(answer, httpx.Response):
                assert answer.status_code == 503 or task.done()
        await self._open()
        await self._settle()

    async def _close(self, *, is_orderly: bool) -> None:
        if is_orderly:
            await self._application.drain()
            await asyncio.sleep(0)
        # All that runs in this loop is cut off where it stands, as by a kill.
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await _until(lambda: not is_orderly or all(task.done() for task in self._callers()))
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self._gates.clear()
        await self._client.aclose()
        await self._metadata.close()

    def _callers(self) -> list[asyncio.Task[httpx.Response]]:
        return [task for entry in self.model.entries for task in entry.callers]

    async def _settle(self) -> None:
        """Let model and service come to rest, and compare the answers that were given."""
        self.model.settle(self._clock.now())
        if self.model.is_dead:
            lost = [entry for entry in self.model.entries if entry.state in OPEN]
            for entry in lost:
                self.model.end(entry, "gone", 404)
        waiting = sum(entry.state in OPEN for entry in self.model.entries)
        ended = [entry for entry in self.model.entries if entry.state not in OPEN]
        tasks = [task for entry in ended for task in entry.callers]
        while (await self._metadata.documents.totals())[2] != waiting:
            await self._application.mailbox.sweep()
        await _until(
            lambda: all(task.done() for task in tasks) and bool(self._gates) == bool(waiting)
        )
        for entry in ended:
            for task in entry.callers:
                # What is over in the same instant as its document may be told either way.
                allowed = {404, 408} if entry.state == "gone" else {entry.status}
                assert (await task).status_code in allowed, (entry, (await task).text)
            entry.callers.clear()

    async def _compare(self) -> None:
        download = await self._client.get(f"{self._path}/download")
        if self.model.is_dead:
            assert download.status_code == 404
            return
        assert download.content == fake_engine.docx(self.model.present)
        told = (await self._client.get(f"{self._path}/exists")).json()["document"]
        waiting = sum(entry.state in OPEN for entry in self.model.entries)
        assert (told["version"], told["pending"]) == (self.model.version, waiting)
        history = (await self._client.get(f"{self._path}/edits")).json()["edits"]
        assert [(entry["kind"], entry["state"]) for entry in history] == [
            (entry.kind, entry.state) for entry in self.model.entries
        ]


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - the condition has no event of its own
            await asyncio.sleep(0.001)


MailboxMachine.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestMailbox = pytest.mark.thorough(pytest.mark.timeout(0)(MailboxMachine.TestCase))
