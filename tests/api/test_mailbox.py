from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from redraft.api.errors import MissingDocumentError, ShuttingDownError, StorageError
from redraft.api.metadata.protocol import (
    Change,
    Document,
    Hold,
    Limits,
    MetadataError,
    Operation,
    Outcome,
    Submission,
    Taken,
)
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.operations.mailbox import Event, Mailbox, Work
from redraft.engine.errors import NotFoundError, RefusedError
from tests.api.builders import HeldClock, document, submission, version

DONE = Outcome("applied", 200, b'{"done":1}', final=True)


class Desk:
    """A mailbox whose work waits until the test lets it go on."""

    def __init__(self, metadata: SqliteMetadata, clock: HeldClock) -> None:
        self.metadata = metadata
        self.clock = clock
        self.events: list[Event] = []
        self.running: list[Operation] = []
        self.gate = asyncio.Event()
        self.error: Exception | None = None
        self.work = Work(DONE)
        self.mailbox = Mailbox(
            metadata.operations,
            clock,
            self._execute,
            self.events.append,
            Limits(),
        )

    async def document(self) -> Document:
        stored = document(self.clock)
        await self.metadata.documents.add(stored, version())
        return stored

    async def ask(self, asked: Submission) -> asyncio.Task[object]:
        task: asyncio.Task[object] = asyncio.create_task(self.mailbox.submit(asked))
        await until(lambda: task.done() or any(event.uid == asked.uid for event in self.events))
        return task

    async def _execute(self, operation: Operation, remaining: float) -> Work:
        self.running.append(operation)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return self.work


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - the condition has no event of its own
            await asyncio.sleep(0.005)


@pytest.fixture
def desk(metadata: SqliteMetadata, clock: HeldClock) -> Desk:
    return Desk(metadata, clock)


async def test_whoever_gives_up_waiting_leaves_the_work_running(desk: Desk) -> None:
    stored = await desk.document()
    asked = submission(stored)
    task = await desk.ask(asked)
    await until(lambda: bool(desk.running))
    task.cancel()
    desk.gate.set()
    await until(lambda: desk.events[-1].kind == "applied")
    again = await desk.mailbox.submit(submission(stored, uid=asked.uid))
    assert (again.body, again.is_replay) == (DONE.body, True)
    assert len(desk.running) == 1


async def test_the_deadline_wins_over_work_that_comes_later(desk: Desk, clock: HeldClock) -> None:
    stored = await desk.document()
    task = await desk.ask(submission(stored))
    await until(lambda: bool(desk.running))
    clock.advance(300)
    answer = await task
    assert getattr(answer, "status") == 408  # noqa: B009
    desk.gate.set()
    await asyncio.sleep(0.02)
    unchanged = await desk.metadata.documents.get(stored.id)
    assert unchanged is not None
    assert unchanged.version == 0


async def test_work_from_an_older_version_is_thrown_away_and_done_again(desk: Desk) -> None:
    stored = await desk.document()
    desk.work = Work(DONE, Change(version(1), desk.clock.now() + 900), base=5)
    desk.gate.set()
    task = await desk.ask(submission(stored))
    answer = await task
    assert getattr(answer, "status") == 500  # noqa: B009
    assert [operation.attempt for operation in desk.running] == [1, 2]
    unchanged = await desk.metadata.documents.get(stored.id)
    assert unchanged is not None
    assert unchanged.version == 0


async def test_a_database_that_fails_is_told_and_the_next_sweep_goes_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await desk.document()
    take = desk.metadata.operations.take

    async def broken(document: str, hold: Hold | None, now: float) -> Taken | None:
        message = "gone"
        raise MetadataError(message)

    monkeypatch.setattr(desk.metadata.operations, "take", broken)
    with pytest.raises(StorageError):
        await desk.mailbox.submit(submission(stored))
    monkeypatch.setattr(desk.metadata.operations, "take", take)
    desk.gate.set()
    await desk.mailbox.sweep()
    await until(lambda: desk.events[-1].kind == "applied")


async def test_an_unforeseen_error_is_a_500_without_its_message(desk: Desk) -> None:
    stored = await desk.document()
    desk.error = ZeroDivisionError("canary")
    desk.gate.set()
    answer = await desk.mailbox.submit(submission(stored))
    assert (answer.status, answer.body) == (
        500,
        b'{"detail":"Edit operation failed: Internal error"}',
    )


async def test_the_closest_passage_goes_to_the_history_only(desk: Desk) -> None:
    stored = await desk.document()
    desk.error = NotFoundError(closest="a passage")
    desk.gate.set()
    answer = await desk.mailbox.submit(submission(stored))
    assert b"passage" not in answer.body
    (told,) = await desk.metadata.operations.history(stored.id)
    assert told.summary == "Closest passage: a passage"


async def test_the_history_tells_why_an_operation_failed(desk: Desk) -> None:
    stored = await desk.document()
    desk.error = RefusedError("this place is protected")
    desk.gate.set()
    await desk.mailbox.submit(submission(stored))
    (told,) = await desk.metadata.operations.history(stored.id)
    assert told.summary == "Edit operation failed: this place is protected"


async def test_a_deletion_answers_everybody_who_waits_behind_it(desk: Desk) -> None:
    stored = await desk.document()
    desk.work = Work(DONE, Change(is_deletion=True))
    first = await desk.ask(submission(stored, kind="delete"))
    second = await desk.ask(submission(stored))
    desk.gate.set()
    assert getattr(await first, "status") == 200  # noqa: B009
    with pytest.raises(MissingDocumentError):
        await second
    assert await desk.metadata.documents.totals() == (0, 0, 0)


async def test_a_drained_mailbox_takes_nothing_and_puts_back_what_runs(desk: Desk) -> None:
    stored = await desk.document()
    running = await desk.ask(submission(stored))
    await until(lambda: bool(desk.running))
    waiting = await desk.ask(submission(stored))
    await desk.mailbox.drain(0)
    for task in (running, waiting):
        with pytest.raises(ShuttingDownError):
            await task
    with pytest.raises(ShuttingDownError):
        await desk.mailbox.submit(submission(stored))
    found = await desk.metadata.operations.find(stored.id, "edit", desk.running[0].uid)
    assert found is not None
    assert (found.state, found.attempt) == ("queued", 0)


async def test_a_stop_does_not_wait_for_a_database_that_fails(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await desk.document()
    running = await desk.ask(submission(stored))
    await until(lambda: bool(desk.running))

    async def broken(_: Hold) -> None:
        message = "gone"
        raise MetadataError(message)

    monkeypatch.setattr(desk.metadata.operations, "release", broken)
    await desk.mailbox.drain(0)
    with pytest.raises(ShuttingDownError):
        await running
    assert await desk.metadata.operations.due(9, desk.clock.now()) == (stored.id,)


async def test_another_try_has_no_more_time_than_was_left(
    desk: Desk, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await desk.document()
    take = desk.metadata.operations.take

    async def broken(document: str, hold: Hold | None, now: float) -> Taken | None:
        message = "gone"
        raise MetadataError(message)

    monkeypatch.setattr(desk.metadata.operations, "take", broken)
    asked = submission(stored)
    with pytest.raises(StorageError):
        await desk.mailbox.submit(asked)
    monkeypatch.setattr(desk.metadata.operations, "take", take)
    clock.advance(200)
    await desk.mailbox.sweep()
    await until(lambda: bool(desk.running))
    clock.advance(100)
    await desk.mailbox.sweep()
    await until(lambda: desk.events[-1].kind == "failed")
    found = await desk.metadata.operations.find(stored.id, "edit", asked.uid)
    assert found is not None
    assert found.state == "timed_out"


async def test_what_was_ended_elsewhere_is_stopped_at_the_next_renewal(desk: Desk) -> None:
    stored = await desk.document()
    asked = submission(stored)
    task = await desk.ask(asked)
    await until(lambda: bool(desk.running))
    cancelled = Outcome("cancelled", 500, b"{}", final=True)
    await desk.metadata.operations.conclude(asked.id, cancelled, desk.clock.now())
    await desk.mailbox.sweep()
    assert not task.done()
    desk.clock.advance(6)
    await desk.mailbox.sweep()
    await desk.mailbox.sweep()
    assert getattr(await task, "body") == b"{}"  # noqa: B009
    assert desk.gate.is_set() is False


async def test_an_answer_that_another_process_wrote_down_is_given(desk: Desk) -> None:
    stored = await desk.document()
    held = await desk.ask(submission(stored))
    await until(lambda: bool(desk.running))
    asked = submission(stored)
    task = await desk.ask(asked)
    await desk.metadata.operations.conclude(asked.id, DONE, desk.clock.now())
    await desk.mailbox.sweep()
    assert getattr(await task, "body") == DONE.body  # noqa: B009
    desk.gate.set()
    await held


async def test_whoever_waits_for_an_operation_that_went_with_its_document_is_told(
    desk: Desk,
) -> None:
    stored = await desk.document()
    held = await desk.ask(submission(stored))
    await until(lambda: bool(desk.running))
    task = await desk.ask(submission(stored))
    desk.clock.advance(299)
    await desk.metadata.operations.abandon(stored.id, DONE, desk.clock.now())
    desk.clock.advance(1)
    assert await desk.metadata.documents.expire(desk.clock.now()) == (stored.id,)
    await desk.mailbox.sweep()  # stops what runs
    await until(lambda: held.done() or not desk.mailbox.is_busy)
    await desk.mailbox.sweep()
    for waiting in (held, task):
        with pytest.raises(MissingDocumentError):
            await waiting


async def test_work_stops_when_its_hold_could_not_be_renewed_in_time(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await desk.document()
    await desk.ask(submission(stored))
    await until(lambda: bool(desk.running))

    async def broken(running: object, now: float) -> frozenset[str]:
        message = "gone"
        raise MetadataError(message)

    monkeypatch.setattr(desk.metadata.operations, "renew", broken)
    desk.clock.advance(11)
    with pytest.raises(MetadataError):
        await desk.mailbox.sweep()
    assert len(desk.running) == 1
    desk.clock.advance(2)
    with pytest.raises(MetadataError):
        await desk.mailbox.sweep()
    await until(lambda: len(desk.running) == 2)
    assert [operation.attempt for operation in desk.running] == [1, 2]
