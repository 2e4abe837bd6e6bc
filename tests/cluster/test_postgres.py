"""The metadata in PostgreSQL, asked by several processes' worth of connections at once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import asyncpg
import pytest

from redraft.api.auth.presign import Presigner
from redraft.api.clock import SystemClock
from redraft.api.errors import MissingDocumentError, OverloadedError, UidReusedError
from redraft.api.http_server.rate_limits import RequestLimiter
from redraft.api.metadata.audit import verified
from redraft.api.metadata.postgres import PostgresMetadata
from redraft.api.metadata.postgres_database import open_postgres, upgrade
from redraft.api.metadata.postgres_schema import STEPS
from redraft.api.metadata.protocol import (
    Accepted,
    Change,
    Document,
    Limits,
    MetadataError,
    Operation,
    Outcome,
    Quota,
    Replayed,
    Submission,
    Taken,
)
from tests.api.builders import HeldClock, document, submission, version
from tests.cluster.postgres_server import PostgresServer

CLOCK = SystemClock()
NOW = 0.0
DONE = Outcome("applied", 200, b'{"a":1}', final=True)
PASSING = Outcome("failed", 500, b"{}", final=False)


async def stored(metadata: PostgresMetadata, owner: str = "ann", ttl: float = 300) -> Document:
    made = document(CLOCK, owner)
    made = replace(made, expires_at=CLOCK.now() + ttl)
    await metadata.documents.add(made, version())
    return made


async def accepted(metadata: PostgresMetadata, asked: Submission) -> Operation:
    answer = await metadata.operations.accept(asked, NOW, Limits())
    assert isinstance(answer, Accepted)
    return answer.operation


async def taken(metadata: PostgresMetadata, on: Document) -> Taken:
    found = await metadata.operations.take(on.id, None, NOW)
    assert found is not None
    return found


@pytest.fixture
async def other(url: str) -> AsyncGenerator[PostgresMetadata]:
    """Another process on the same database."""
    opened = await PostgresMetadata.open(url, 8, 2.0)
    yield opened
    await opened.close()


async def test_numbers_are_given_in_the_order_of_acceptance_by_several_processes(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata)
    both = (metadata, other)
    made = await asyncio.gather(*(accepted(both[n % 2], submission(on)) for n in range(20)))
    assert sorted(operation.seq for operation in made) == list(range(1, 21))
    first = await taken(other, on)
    assert (first.operation.seq, first.operation.state, first.operation.attempt) == (
        1,
        "running",
        1,
    )
    assert 298 < first.remaining <= 300


async def test_a_document_that_another_process_works_on_is_left_to_it(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata)
    await accepted(metadata, submission(on))
    first = await taken(metadata, on)
    assert await other.operations.take(on.id, None, NOW) is None
    assert await other.operations.due(9, NOW) == ()
    assert await metadata.operations.commit(first, DONE, Change(version(1)), 0, NOW)
    assert await metadata.operations.take(on.id, first.hold, NOW) is None
    await accepted(other, submission(on))
    assert (await taken(other, on)).hold.token == first.hold.token + 1


async def test_a_lease_that_ran_out_is_taken_over_and_the_late_commit_refused(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata)
    await accepted(metadata, submission(on))
    late = await taken(metadata, on)
    await asyncio.sleep(2.1)
    assert await other.operations.due(9, NOW) == (on.id,)
    again = await taken(other, on)
    assert again.operation.attempt == 2
    assert await metadata.operations.renew([late], NOW) == frozenset()
    assert not await metadata.operations.commit(late, DONE, Change(version(1)), 0, NOW)
    unchanged = await other.documents.get(on.id)
    assert unchanged is not None
    assert unchanged.version == 0
    assert await other.operations.commit(again, DONE, Change(version(1)), 0, NOW)


async def test_a_renewed_lease_lasts(metadata: PostgresMetadata, other: PostgresMetadata) -> None:
    on = await stored(metadata)
    asked = await accepted(metadata, submission(on))
    first = await taken(metadata, on)
    for _ in range(3):
        await asyncio.sleep(0.9)
        assert await metadata.operations.renew([first], NOW) == {asked.id}
        assert await other.operations.take(on.id, None, NOW) is None
    await other.operations.conclude(asked.id, PASSING, NOW)
    assert await metadata.operations.renew([first], NOW) == frozenset()


async def test_what_is_released_is_as_if_it_had_not_been_started(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata)
    await accepted(metadata, submission(on))
    first = await taken(metadata, on)
    await metadata.operations.release(first.hold)
    again = await taken(other, on)
    assert again.operation.attempt == 1
    assert not await metadata.operations.commit(first, DONE, Change(), 0, NOW)
    await metadata.operations.release(first.hold)
    assert await other.operations.commit(again, DONE, Change(), 0, NOW)


async def test_a_final_answer_is_replayed_at_any_process_and_another_body_refused(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata)
    asked = submission(on, uid="one")
    await accepted(metadata, asked)
    joined = await other.operations.accept(submission(on, uid="one"), NOW, Limits())
    assert isinstance(joined, Accepted)
    assert joined.joined
    await metadata.operations.conclude(asked.id, DONE, NOW)
    again = await other.operations.accept(submission(on, uid="one"), NOW, Limits())
    assert again == Replayed(200, b'{"a":1}')
    with pytest.raises(UidReusedError):
        await other.operations.accept(submission(on, uid="one", digest="x"), NOW, Limits())


async def test_sixty_four_wait_on_a_document_and_no_more_through_four_processes(
    url: str, metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata)
    stores = [metadata, other, *[await PostgresMetadata.open(url, 4, 2.0) for _ in range(2)]]

    async def ask(store: PostgresMetadata) -> bool:
        try:
            await store.operations.accept(submission(on), NOW, Limits(queued_per_document=64))
        except OverloadedError:
            return False
        return True

    let_in = await asyncio.gather(*(ask(store) for store in stores * 20))
    assert sum(let_in) == 64
    for store in stores[2:]:
        await store.close()


async def test_limits_of_a_key_are_exact_over_its_documents(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    one, two = await stored(metadata), await stored(metadata)
    limits = Limits(queued_per_document=8, pending_per_owner=12)

    async def ask(number: int) -> bool:
        store, on = (metadata, one) if number % 2 else (other, two)
        try:
            await store.operations.accept(submission(on), NOW, limits)
        except OverloadedError:
            return False
        return True

    let_in = await asyncio.gather(*(ask(number) for number in range(40)))
    assert sum(let_in) == 12


async def test_twenty_uploads_at_once_stay_within_the_quota_of_documents(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    async def add(store: PostgresMetadata) -> bool:
        try:
            await store.documents.add(document(CLOCK), version(), Quota(documents=7))
        except OverloadedError:
            return False
        return True

    added = await asyncio.gather(*(add(store) for store in (metadata, other) * 10))
    assert sum(added) == 7
    assert (await metadata.documents.usage("ann"))[0] == 7


async def test_requests_of_a_minute_are_counted_by_all_processes_together(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    clock = HeldClock()
    clock.wall -= clock.wall % 60 - 10
    limiters = [RequestLimiter(clock, 50, store.keys) for store in (metadata, other)]

    async def ask(limiter: RequestLimiter) -> int:
        try:
            return int(dict(await limiter.count("a key"))["RateLimit-Remaining"])
        except OverloadedError:
            return -1

    told = await asyncio.gather(*(ask(limiter) for limiter in limiters * 60))
    assert sum(remaining >= 0 for remaining in told) == 50
    assert min(remaining for remaining in told if remaining >= 0) == 0
    clock.advance(50)
    assert [await ask(limiter) for limiter in limiters] == [49, 47]
    alone = [await ask(limiters[1]) for _ in range(60)]
    assert sum(remaining >= 0 for remaining in alone) == 47  # one lies unused at the first


async def test_two_first_starts_at_once_agree_on_one_signing_key(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    one, two = Presigner(metadata.keys, CLOCK), Presigner(other.keys, CLOCK)
    await asyncio.gather(one.prepare(), two.prepare())
    for presigner in (one, two):
        link = await presigner.link("doc", 0, 60, "key")
        for verifier in (one, two):
            assert await verifier.verified(link.path, parse_qsl(link.query)) == "key"
    alive = [key for key in await metadata.keys.signing(is_fresh=True) if key.retired_at is None]
    assert len(alive) == 1


async def test_a_link_that_is_signed_with_a_new_key_opens_at_once_everywhere(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    one, two = Presigner(metadata.keys, CLOCK), Presigner(other.keys, CLOCK)
    await one.prepare()
    before = await two.link("doc", 0, 60, "key")  # it believes this key for some seconds
    await one.rotate()
    link = await one.link("doc", 0, 60, "key")
    assert link.query != before.query
    assert await two.verified(link.path, parse_qsl(link.query)) == "key"


async def test_either_the_deadline_or_the_commit_ends_an_operation_and_never_both(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    late = replace(PASSING, state="timed_out", status=408)
    for number in range(12):
        on = await stored(metadata)
        asked = await accepted(metadata, submission(on))
        begun = await taken(metadata, on)

        async def end(asked: Operation = asked, turn: int = number % 4) -> bool:
            await asyncio.sleep(turn / 1000)
            return await other.operations.conclude(asked.id, late, NOW)

        committed, timed_out = await asyncio.gather(
            metadata.operations.commit(begun, DONE, Change(version(1)), 0, NOW), end()
        )
        assert committed != timed_out
        found = await other.documents.get(on.id)
        assert found is not None
        assert found.version == int(committed)
        answered = (await other.operations.answers([asked.id]))[asked.id]
        assert answered is not None
        assert answered.status == (200 if committed else 408)


async def test_ten_thousand_expired_documents_are_deleted_once_by_four_sweepers(
    metadata: PostgresMetadata, other: PostgresMetadata, url: str
) -> None:
    alive = await stored(metadata)
    first = await stored(metadata, ttl=-1)
    connection = await asyncpg.connect(url)
    try:
        for table, own in (("documents", "id"), ("versions", "document")):
            await connection.execute(
                f"""
                CREATE TEMP TABLE copied AS SELECT * FROM {table} WHERE {own} = '{first.id}';
                INSERT INTO {table}
                    SELECT (jsonb_populate_record(copied, jsonb_build_object('{own}', 'd' || n))).*
                    FROM copied, generate_series(2, 10000) n;
                DROP TABLE copied;
                """  # noqa: S608 - names of tables
            )
    finally:
        await connection.close()

    async def sweep(store: PostgresMetadata) -> tuple[list[str], list[str]]:
        over, cleared = [*await store.documents.expire(NOW)], list[str]()
        while batch := await store.documents.garbage():
            cleared.extend(batch)
            await store.documents.cleared(batch)
        return over, cleared

    swept = await asyncio.gather(*(sweep(store) for store in (metadata, other) * 2))
    for deleted in zip(*swept, strict=True):
        ids = [identifier for some in deleted for identifier in some]
        assert (len(ids), len(set(ids))) == (10_000, 10_000)
    assert await other.documents.known() == {alive.id}
    assert await other.documents.garbage() == ()


async def test_a_document_lives_as_long_as_a_process_that_lives_runs_something_on_it(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata, ttl=0.5)
    await accepted(metadata, submission(on))
    await taken(metadata, on)
    await asyncio.sleep(0.6)
    assert await other.documents.expire(NOW) == ()
    found = await other.documents.get(on.id)
    assert found is not None
    assert found.is_running
    await asyncio.sleep(1.6)  # nobody renews its lease
    assert await other.documents.expire(NOW) == (on.id,)


async def test_an_operation_of_an_expired_document_is_not_begun(metadata: PostgresMetadata) -> None:
    on = await stored(metadata, ttl=0.3)
    await accepted(metadata, submission(on))
    await asyncio.sleep(0.4)
    late = await taken(metadata, on)
    assert late.operation.state == "queued"
    await metadata.operations.abandon(on.id, PASSING, NOW)
    with pytest.raises(MissingDocumentError):
        await metadata.operations.accept(submission(on), NOW, Limits())


async def test_a_deletion_is_answered_at_the_process_where_it_was_asked(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    on = await stored(metadata)
    asked = await accepted(metadata, submission(on, kind="delete"))
    waiting = await accepted(metadata, submission(on))
    begun = await taken(other, on)
    assert await other.operations.commit(begun, DONE, Change(is_deletion=True), 0, NOW)
    answers = await metadata.operations.answers([asked.id, waiting.id])
    assert {name: answer and answer.body for name, answer in answers.items()} == {
        asked.id: DONE.body
    }


async def test_a_read_is_taken_at_a_glance_only_when_no_change_stands_before_it(
    metadata: PostgresMetadata,
) -> None:
    on = await stored(metadata)
    asked = submission(on, kind="read")
    assert await metadata.operations.glance(asked, NOW) == (on, version())
    edit = await accepted(metadata, submission(on))
    assert await metadata.operations.glance(asked, NOW) is None
    await metadata.operations.conclude(edit.id, DONE, NOW)
    assert await metadata.operations.glance(asked, NOW) is not None
    with pytest.raises(MissingDocumentError):
        await metadata.operations.glance(replace(asked, owner="bob"), NOW)


async def test_what_the_chart_asks_to_grow_by_is_how_long_the_oldest_has_waited(
    metadata: PostgresMetadata, url: str
) -> None:
    chart = Path(__file__).parents[2] / "deploy" / "helm" / "templates" / "autoscaling.yaml"
    [query] = re.findall(
        r"query: >-\n(.*?)\n *targetQueryValue", chart.read_text("utf-8"), re.DOTALL
    )
    connection = await asyncpg.connect(url)
    try:
        assert await connection.fetchval(query) == 0
        assert await metadata.operations.backlog(NOW) == (0, 0)
        await accepted(metadata, submission(await stored(metadata)))
        await asyncio.sleep(0.2)
        waited = await connection.fetchval(query)
    finally:
        await connection.close()
    count, seconds = await metadata.operations.backlog(NOW)
    assert count == 1
    assert 0.2 <= waited <= seconds


async def test_a_schema_is_made_once_and_an_older_or_newer_one_refused(
    postgres: PostgresServer,
) -> None:
    url = await asyncio.to_thread(postgres.empty)
    with pytest.raises(MetadataError, match="redraft db upgrade"):
        await open_postgres(url, 2)
    taken_steps = await asyncio.gather(upgrade(url), upgrade(url))
    assert sorted(taken_steps) == [0, len(STEPS)]
    await (await open_postgres(url, 2)).close()
    later = (*STEPS, "CREATE TABLE added (n integer)")
    assert await upgrade(url, later, oldest=len(STEPS)) == 1
    await (await open_postgres(url, 2)).close()  # two releases side by side
    await upgrade(url, (*later, "CREATE TABLE more (n integer)"), oldest=len(later))
    with pytest.raises(MetadataError, match="upgrade redraft"):
        await open_postgres(url, 2)


async def test_what_is_on_legal_hold_is_neither_deleted_nor_expired(
    metadata: PostgresMetadata, other: PostgresMetadata
) -> None:
    held, free = await stored(metadata, ttl=60), await stored(metadata, "bob", ttl=60)
    await accepted(metadata, submission(held, "delete"))
    delete = await taken(metadata, held)
    changed = await other.documents.legal_hold("ann", NOW, is_owner=True, begins=True)
    assert changed == (held.id,)
    assert not await metadata.operations.commit(delete, DONE, Change(is_deletion=True), 0, NOW)
    change = Change(version(1), expires_at=CLOCK.now() - 1)
    assert await metadata.operations.commit(delete, DONE, change, 0, NOW)
    assert await metadata.documents.expire(NOW) == ()
    found = await metadata.documents.get(held.id)
    assert found is not None
    assert found.is_on_legal_hold
    released = await other.documents.legal_hold(held.id, NOW, is_owner=False, begins=False)
    assert released == (held.id,)
    found = await metadata.documents.get(held.id)
    assert found is not None
    assert not found.is_on_legal_hold
    assert {held.id, free.id} == await metadata.documents.known()


async def test_the_audit_log_is_one_chain_to_which_all_processes_add(
    metadata: PostgresMetadata, other: PostgresMetadata, url: str
) -> None:
    made = await asyncio.gather(
        *(stored(one, f"owner {number}") for number in range(10) for one in (metadata, other))
    )
    asked = submission(made[0])
    await accepted(metadata, asked)
    edit = await taken(metadata, made[0])
    changed = replace(version(1), digest="after")
    await metadata.operations.commit(edit, DONE, Change(changed), 0, NOW)
    await stored(metadata, ttl=-1)
    await metadata.documents.expire(NOW)
    await metadata.audit.record(NOW, "set-abc", "link", made[0].id)
    entries = list(verified(await other.audit.entries()))
    assert len(entries) == 20 + 1 + 2 + 1
    assert {one.subject for one in entries[:20]} == {one.id for one in made}
    assert [(one.what, one.before, one.after) for one in entries[20:]] == [
        ("edit", "", "after"),
        ("upload", None, ""),
        ("expire", "", None),
        ("link", None, None),
    ]
    assert entries[-1].who not in ("set-abc", "")
    assert await metadata.audit.head() == entries[-1]
    connection = await asyncpg.connect(url)
    try:
        for sql in ("UPDATE audit SET who = ''", "DELETE FROM audit", "TRUNCATE audit"):
            with pytest.raises(asyncpg.RaiseError, match="only added to"):
                await connection.execute(sql)
    finally:
        await connection.close()


@pytest.mark.usefixtures("postgres")
async def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(MetadataError, match="cannot be reached") as raised:
        await open_postgres("postgresql://ann:hidden-word@127.0.0.1:9/x", 2)
    assert "hidden-word" not in str(raised.value)
