from __future__ import annotations

import asyncio
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import aiosqlite
import pytest

from redraft.api.errors import MissingDocumentError, OverloadedError, UidReusedError
from redraft.api.metadata import database, migrations
from redraft.api.metadata.protocol import (
    Accepted,
    Change,
    Limits,
    MetadataError,
    Operation,
    Outcome,
    Replayed,
)
from redraft.api.metadata.sqlite import SqliteMetadata
from tests.api.builders import HeldClock, document, submission, version

DONE = Outcome("applied", 200, b'{"a":1}', final=True)
PASSING = Outcome("failed", 500, b"{}", final=False)


async def accepted(metadata: SqliteMetadata, asked: object, now: float) -> Operation:
    answer = await metadata.operations.accept(asked, now, Limits())  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert isinstance(answer, Accepted)
    return answer.operation


async def test_numbers_are_given_in_the_order_of_acceptance(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    taken = await asyncio.gather(
        *(accepted(metadata, submission(stored), clock.now()) for _ in range(20))
    )
    assert sorted(operation.seq for operation in taken) == list(range(1, 21))
    oldest = await metadata.operations.take(stored.id, None, clock.now())
    assert oldest is not None
    operation = oldest.operation
    assert (operation.seq, operation.state, operation.attempt) == (1, "running", 1)
    assert oldest.remaining == 300


async def test_a_final_outcome_is_replayed_and_another_is_queued_again_at_the_end(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    asked = submission(stored, uid="one")
    first = await accepted(metadata, asked, clock.now())
    await metadata.operations.conclude(first.id, PASSING, clock.now())
    await accepted(metadata, submission(stored), clock.now())
    again = await accepted(metadata, submission(stored, uid="one"), clock.now())
    assert again.seq == 3
    await metadata.operations.conclude(again.id, DONE, clock.now())
    replayed = await metadata.operations.accept(
        submission(stored, uid="one"), clock.now(), Limits()
    )
    assert replayed == Replayed(200, b'{"a":1}')
    with pytest.raises(UidReusedError):
        await metadata.operations.accept(
            submission(stored, uid="one", digest="other"), clock.now(), Limits()
        )


async def test_a_commit_is_refused_when_the_document_has_moved_on(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    await accepted(metadata, submission(stored), clock.now())
    begun = await metadata.operations.take(stored.id, None, clock.now())
    assert begun is not None
    change = Change(version(8, back=0), clock.now() + 900)
    assert not await metadata.operations.commit(begun, DONE, change, 7, clock.now())
    unchanged = await metadata.documents.get(stored.id)
    assert unchanged is not None
    assert (unchanged.version, unchanged.is_running) == (0, True)
    change = Change(version(1, back=0), clock.now() + 900)
    assert await metadata.operations.commit(begun, DONE, change, 0, clock.now())
    changed = await metadata.documents.get(stored.id)
    assert changed is not None
    assert (changed.version, changed.expires_at) == (1, clock.now() + 900)
    assert (await metadata.documents.version(stored.id, 1)) == version(1, back=0)


async def test_an_operation_ends_once(metadata: SqliteMetadata, clock: HeldClock) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    asked = await accepted(metadata, submission(stored), clock.now())
    begun = await metadata.operations.take(stored.id, None, clock.now())
    assert begun is not None
    assert await metadata.operations.conclude(asked.id, PASSING, clock.now()) is True
    assert await metadata.operations.conclude(asked.id, PASSING, clock.now()) is False
    change = Change(version(1), clock.now() + 1)
    assert not await metadata.operations.commit(begun, DONE, change, 0, clock.now())
    unchanged = await metadata.documents.get(stored.id)
    assert unchanged is not None
    assert unchanged.version == 0


async def test_a_second_attempt_voids_the_commit_of_the_first(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    await accepted(metadata, submission(stored), clock.now())
    first = await metadata.operations.take(stored.id, None, clock.now())
    await metadata.operations.recover()
    second = await metadata.operations.take(stored.id, None, clock.now())
    assert first is not None
    assert second is not None
    assert (first.operation.attempt, second.operation.attempt) == (1, 2)
    assert second.hold.token > first.hold.token
    assert not await metadata.operations.commit(first, DONE, Change(), 0, clock.now())
    assert await metadata.operations.commit(second, DONE, Change(), 0, clock.now())


async def test_only_documents_that_nothing_runs_on_expire(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    idle, busy, fresh = document(clock), document(clock), document(clock, ttl=900)
    for stored in (idle, busy, fresh):
        await metadata.documents.add(stored, version())
    asked = await accepted(metadata, submission(busy), clock.now())
    await metadata.operations.take(busy.id, None, clock.now())
    clock.advance(300)
    assert await metadata.documents.expire(clock.now()) == (idle.id,)
    assert await metadata.documents.known() == {busy.id, fresh.id}
    await metadata.operations.conclude(asked.id, PASSING, clock.now())
    assert await metadata.documents.expire(clock.now()) == (busy.id,)
    assert await metadata.operations.find(busy.id, "edit", asked.uid) is None


async def test_what_waits_on_a_document_whose_time_is_over_is_not_marked_as_running(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    await accepted(metadata, submission(stored), clock.now())
    clock.advance(300)
    late = await metadata.operations.take(stored.id, None, clock.now())
    assert late is not None
    assert (late.operation.state, late.operation.attempt) == ("queued", 0)


async def test_nothing_is_accepted_for_a_document_that_is_not_there(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    foreign = submission(document(clock, owner="bob"))
    for asked, now in (
        (foreign, clock.now()),
        (submission(stored), clock.now() + 300),
    ):
        with pytest.raises(MissingDocumentError):
            await metadata.operations.accept(asked, now, Limits())


async def test_limits_count_what_waits(metadata: SqliteMetadata, clock: HeldClock) -> None:
    one, other = document(clock), document(clock)
    for stored in (one, other):
        await metadata.documents.add(stored, version())
    limits = Limits(queued_per_document=2, pending_per_owner=3)
    for _ in range(2):
        await metadata.operations.accept(submission(one), clock.now(), limits)
    with pytest.raises(OverloadedError, match="on this document"):
        await metadata.operations.accept(submission(one), clock.now(), limits)
    await metadata.operations.accept(submission(other), clock.now(), limits)
    with pytest.raises(OverloadedError, match="of this key"):
        await metadata.operations.accept(submission(other), clock.now(), limits)


async def test_usage_counts_documents_and_the_bytes_of_their_versions(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    assert await metadata.documents.usage("ann") == (0, 0)
    for _ in range(2):
        await metadata.documents.add(document(clock), version())
    assert await metadata.documents.usage("ann") == (2, 6)


async def test_the_highest_wall_time_is_remembered(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    assert await metadata.keys.highest() == 0
    await metadata.keys.mark(500)
    await metadata.keys.mark(400)
    assert await metadata.keys.highest() == 500
    await metadata.documents.add(document(clock), version())
    assert await metadata.keys.highest() == clock.now()


async def test_a_transaction_that_fails_leaves_nothing_open(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    with pytest.raises(MetadataError):
        await metadata.documents.add(stored, version())
    await metadata.documents.add(document(clock), version())
    assert len(await metadata.documents.known()) == 2


async def test_a_cancelled_transaction_leaves_nothing_open(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    for _ in range(20):
        task = asyncio.create_task(metadata.documents.add(document(clock), version()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    stored = document(clock)
    await metadata.documents.add(stored, version())
    assert await metadata.documents.get(stored.id) == stored


async def test_a_database_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(MetadataError, match="newer version"):
        await SqliteMetadata.open(path)


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "not.sqlite"
    path.write_bytes(b"this is not a database at all" * 100)
    before = set(threading.enumerate())
    with pytest.raises(MetadataError):
        await SqliteMetadata.open(path)
    # A connection left open has a thread that would keep the process from ending.
    opened = set(threading.enumerate()) - before
    for thread in opened:
        thread.join(timeout=60)
    assert [thread for thread in opened if thread.is_alive()] == []


async def test_an_older_database_is_copied_before_it_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.sqlite"
    await (await SqliteMetadata.open(path)).close()
    more = (*migrations.STEPS, "CREATE TABLE added (n INTEGER)")
    monkeypatch.setattr(database, "STEPS", more)
    await (await SqliteMetadata.open(path)).close()
    today = len(migrations.STEPS)
    assert path.with_name(f"old.sqlite.before-{today}").is_file()
    async with aiosqlite.connect(path) as connection:
        rows = list(await connection.execute_fetchall("PRAGMA user_version"))
    assert rows[0][0] == today + 1


async def test_a_data_folder_of_the_first_release_opens_and_its_queue_is_run(
    tmp_path: Path, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.sqlite"
    monkeypatch.setattr(database, "STEPS", migrations.STEPS[:1])
    old = await SqliteMetadata.open(path)
    stored = document(clock)
    asked = submission(stored, uid="one")
    await old.close()
    with sqlite3.connect(path) as connection:
        row = (stored.id, stored.owner, stored.name, stored.format, stored.media_type, 3, 1, "Ann")
        times = (300, clock.now(), clock.now(), stored.expires_at)
        connection.execute(
            f"INSERT INTO documents VALUES ({','.join('?' * 15)})",  # noqa: S608 - only question marks
            (*row, b"[]", *times, 0, 1),
        )
        connection.execute(
            "INSERT INTO versions VALUES (?, 0, '0-blob', 3, '', ?, NULL, NULL)", (stored.id, b"")
        )
        connection.execute(
            "INSERT INTO operations (id, document, owner, seq, kind, uid, request, digest, state,"
            " received_at) VALUES (?,?,?,1,?,?,?,?,'running',?)",
            (asked.id, stored.id, stored.owner, "edit", "one", b"{}", asked.digest, clock.now()),
        )
        connection.execute("UPDATE documents SET next_seq = 2")
    connection.close()
    monkeypatch.setattr(database, "STEPS", migrations.STEPS)
    opened = await SqliteMetadata.open(path)
    await opened.operations.recover()
    assert await opened.operations.due(9, clock.now()) == (stored.id,)
    joined = await opened.operations.accept(asked, clock.now(), Limits())
    assert isinstance(joined, Accepted)
    assert joined.joined
    await opened.close()


async def test_a_failure_that_may_pass_stays_in_the_history_when_it_is_tried_again(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    for outcome in (PASSING, PASSING, DONE):
        tried = await accepted(metadata, submission(stored, uid="one"), clock.now())
        await metadata.operations.conclude(tried.id, outcome, clock.now())
    history = await metadata.operations.history(stored.id)
    assert [(entry.seq, entry.state) for entry in history] == [
        (1, "failed"),
        (2, "failed"),
        (3, "applied"),
    ]
    found = await metadata.operations.find(stored.id, "edit", "one")
    assert found == history[-1]
    replayed = await metadata.operations.accept(
        submission(stored, uid="one"), clock.now(), Limits()
    )
    assert isinstance(replayed, Replayed)


@pytest.mark.parametrize(("durability", "level"), [("normal", 1), ("full", 2)])
async def test_durability_is_sqlites_synchronous(
    tmp_path: Path, durability: database.Durability, level: int
) -> None:
    opened = await database.open_database(tmp_path / "a.sqlite", durability)
    rows = await opened.rows("PRAGMA synchronous")
    assert rows[0][0] == level
    await opened.close()


async def test_a_read_is_taken_at_a_glance_only_when_no_change_stands_before_it(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    asked = submission(stored, kind="read", uid="one")
    assert await metadata.operations.glance(asked, clock.now()) == (stored, version())
    again = submission(stored, kind="read", uid="one")
    assert await metadata.operations.glance(again, clock.now()) == (stored, version())
    strange = replace(again, owner="somebody else")
    with pytest.raises(MissingDocumentError):
        await metadata.operations.glance(strange, clock.now())
    other = await accepted(metadata, submission(stored, kind="read", uid="two"), clock.now())
    assert await metadata.operations.glance(again, clock.now()) is not None
    in_flight = submission(stored, kind="read", uid="two")
    assert await metadata.operations.glance(in_flight, clock.now()) is None
    await metadata.operations.conclude(other.id, PASSING, clock.now())
    edit = await accepted(metadata, submission(stored), clock.now())
    assert await metadata.operations.glance(again, clock.now()) is None
    await metadata.operations.take(stored.id, None, clock.now())
    assert await metadata.operations.glance(again, clock.now()) is None
    await metadata.operations.conclude(edit.id, DONE, clock.now())
    assert await metadata.operations.glance(again, clock.now()) is not None
    clock.advance(301)
    with pytest.raises(MissingDocumentError):
        await metadata.operations.glance(again, clock.now())


@pytest.mark.parametrize("outcome", [PASSING, DONE], ids=["passing", "final"])
async def test_a_read_that_has_ended_stands_for_nothing_and_one_in_flight_for_itself(
    metadata: SqliteMetadata, clock: HeldClock, outcome: Outcome
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    reading = await accepted(metadata, submission(stored, kind="read", uid="one"), clock.now())
    other = submission(stored, kind="read", uid="one", digest="other")
    with pytest.raises(UidReusedError):
        await metadata.operations.accept(other, clock.now(), Limits())
    await metadata.operations.conclude(reading.id, outcome, clock.now())
    assert (await accepted(metadata, other, clock.now())).seq == reading.seq + 1


async def test_answers_are_remembered_until_anybody_writes(
    tmp_path: Path, clock: HeldClock
) -> None:
    opened = await database.open_database(tmp_path / "a.sqlite")
    runs: list[int] = []

    def work(connection: sqlite3.Connection) -> float:
        runs.append(len(runs))
        return connection.execute("SELECT highest FROM clock").fetchone()[0]

    async def asked() -> float:
        return await opened.remember("clock", work)

    assert [await asked(), await asked(), len(runs)] == [0, 0, 1]
    await opened.change("UPDATE clock SET highest = ?", (7,))
    assert [await asked(), await asked(), len(runs)] == [7, 7, 2]
    elsewhere = sqlite3.connect(tmp_path / "a.sqlite")
    with elsewhere:
        elsewhere.execute("UPDATE clock SET highest = 8")
    elsewhere.close()
    assert [await asked(), await asked(), len(runs)] == [8, 8, 3]
    await opened.close()


async def test_an_answer_during_which_somebody_wrote_is_not_remembered(tmp_path: Path) -> None:
    opened = await database.open_database(tmp_path / "a.sqlite")
    runs: list[int] = []

    def work(connection: sqlite3.Connection) -> float:
        found = connection.execute("SELECT highest FROM clock").fetchone()[0]
        elsewhere = sqlite3.connect(tmp_path / "a.sqlite")
        with elsewhere:
            elsewhere.execute("UPDATE clock SET highest = highest + 1")
        elsewhere.close()
        runs.append(len(runs))
        return found

    assert [await opened.remember("clock", work) for _ in range(3)] == [0, 1, 2]
    await opened.close()


async def test_what_is_remembered_has_an_end(tmp_path: Path) -> None:
    opened = await database.open_database(tmp_path / "a.sqlite")
    runs: list[int] = []
    for number in (*range(database.MOST_REMEMBERED + 1), 0):
        await opened.remember(number, lambda _: runs.append(len(runs)))
    assert len(runs) == database.MOST_REMEMBERED + 2
    await opened.close()
