"""The operations part of the metadata in PostgreSQL: mailboxes that several processes share.

A document's row is the lock of its mailbox: whoever changes the mailbox holds the row until the
end of the transaction, so that numbers are given, holds are taken and work is committed one after
the other. A hold is the row's `holder`, `token` and `lease_until`. The clock is the database's.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import cast

import msgspec

from redraft.api.errors import MissingDocumentError, OverloadedError
from redraft.api.metadata.audit import Deed
from redraft.api.metadata.keys import QUOTA_USED
from redraft.api.metadata.postgres_audit import append, end_keys
from redraft.api.metadata.postgres_database import BEGIN_LIGHTLY, NOW, Connection, PostgresDatabase
from redraft.api.metadata.protocol import (
    DEADLINE_SECONDS,
    HELD_FROM,
    NO_QUOTA,
    Accepted,
    Answered,
    Change,
    Document,
    Hold,
    Limits,
    Operation,
    OperationKind,
    Outcome,
    Quota,
    Replayed,
    Spending,
    Submission,
    Taken,
    Version,
)
from redraft.api.metadata.replays import (
    HISTORY_KINDS,
    OF_OWNER,
    ON_DOCUMENT,
    UNRECORDED,
    check_waiting,
    stands_for,
)
from redraft.api.metadata.rows import (
    answered_of,
    document_of,
    operation_of,
    version_of,
    version_row,
)

OPEN = "state IN ('queued', 'running')"
IS_RUN = f"""
    (d.lease_until > {NOW} AND EXISTS
        (SELECT 1 FROM operations o WHERE o.document = d.id AND o.state = 'running'))
"""  # noqa: S608 - constants
"""Whether a process that lives runs something on a document `d`."""
DOCUMENT = f"""
    SELECT d.*, {IS_RUN} AS is_running,
        (SELECT count(*) FROM operations o WHERE o.document = d.id AND o.{OPEN}) AS pending
    FROM documents d
"""  # noqa: S608 - constants
DIGEST = "(SELECT digest FROM versions v WHERE v.document = d.id AND v.number = d.version)"
"""The digest of the current version of a document `d`."""
LOCKED = f"""
    SELECT token, holder, lease_until > {NOW} AS is_held, expires_at <= {NOW} AS is_over
    FROM documents WHERE id = $1 FOR UPDATE
"""  # noqa: S608 - constants
SAME = """
    SELECT * FROM operations WHERE document = $1 AND kind = $2 AND uid = $3
    ORDER BY seq DESC LIMIT 1
"""
OLDEST = f"SELECT * FROM operations WHERE document = $1 AND {OPEN} ORDER BY seq LIMIT 1"  # noqa: S608 - constants
END = f"""
    UPDATE operations SET state = $1, finished_at = {NOW}, status = $2, body = $3, final = $4,
        summary = $5, warnings = $6, spending = coalesce($7, spending)
"""  # noqa: S608 - constants
NEW_VERSION = "INSERT INTO versions VALUES ($1,$2,$3,$4,$5,$6,$7,$8)"
HEARD_SECONDS = 600.0
"""How long the answer to a deletion is kept for whoever asked for it at another process."""


class PostgresOperations:
    """The mailboxes.

    Args:
        database: Where they are.
        holder: The name of this process, which no other process has.
        lease_seconds: How long a hold lasts that is not renewed.
    """

    is_shared = True

    def __init__(self, database: PostgresDatabase, holder: str, lease_seconds: float) -> None:
        self._database = database
        self._holder = holder
        self._lease_seconds = lease_seconds

    async def accept(
        self, submission: Submission, now: float, limits: Limits
    ) -> Accepted | Replayed:
        """Takes the document's next number for an operation, or finds the one with its uid."""
        async with self._database.transaction() as connection:
            seq = await connection.fetchval(
                f"""
                SELECT next_seq FROM documents d
                WHERE id = $1 AND owner = $2 AND (expires_at > {NOW} OR {IS_RUN}) FOR UPDATE
                """,  # noqa: S608 - constants
                submission.document,
                submission.owner,
            )
            if seq is None:
                raise MissingDocumentError
            same = (submission.document, submission.kind, submission.uid)
            row = await connection.fetchrow(SAME, *same)
            before = None if row is None else stands_for(row, submission)
            if before is not None:
                return before
            await _check_limits(connection, submission, limits)
            if row is not None and submission.kind in UNRECORDED:  # one row is enough
                await connection.execute("DELETE FROM operations WHERE id = $1", row["id"])
            return await _accepted(connection, submission, seq)

    async def glance(self, submission: Submission, now: float) -> tuple[Document, Version] | None:
        """Takes a read before which nothing waits or runs that could change its document."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            # In this order: what ends between the two statements is seen by the second.
            unfinished = await connection.fetch(
                f"SELECT kind, uid FROM operations WHERE document = $1 AND {OPEN}",  # noqa: S608 - constants
                submission.document,
            )
            standing = await current(connection, submission.document)
            alive = await connection.fetchval(
                f"SELECT owner FROM documents d WHERE id = $1 AND (expires_at > {NOW} OR {IS_RUN})",  # noqa: S608 - constants
                submission.document,
            )
        if standing is None or alive != submission.owner:
            raise MissingDocumentError
        is_next = all(row["kind"] == "read" and row["uid"] != submission.uid for row in unfinished)
        return standing if is_next else None

    async def find(self, document: str, kind: OperationKind, uid: str) -> Operation | None:
        """Returns the latest operation of that kind and uid."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(SAME, document, kind, uid)
        return None if row is None else operation_of(row)

    async def take(self, document: str, hold: Hold | None, now: float) -> Taken | None:
        """Returns the oldest unfinished operation, marked as running; None when there is none.

        A claim that is lost in a crash of the server costs a second run, never a second effect.
        """
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(LOCKED, document)
            is_ours = row is not None and row["holder"] == self._holder
            if row is None or (row["is_held"] and not is_ours):
                return None
            oldest = await connection.fetchrow(OLDEST, document)
            if oldest is None:
                # In the transaction that sees nothing open: who accepts later finds it free.
                await connection.execute(
                    "UPDATE documents SET holder = NULL, lease_until = 0 WHERE id = $1", document
                )
                return None
            is_same = is_ours and hold is not None and hold.token == row["token"]
            token = row["token"] if is_same else row["token"] + 1
            if row["is_over"] and not (is_ours and oldest["state"] == "running"):
                late = replace(operation_of(oldest), state="queued")
                return Taken(late, Hold(document, token), 0.0)
            return await self._begun(connection, document, token, oldest["seq"])

    async def _begun(
        self, connection: Connection, document: str, token: int, seq: int
    ) -> Taken | None:
        await connection.execute(
            f"UPDATE documents SET holder = $2, token = $3, lease_until = {NOW} + $4 WHERE id = $1",  # noqa: S608 - constants
            document,
            self._holder,
            token,
            self._lease_seconds,
        )
        row = await connection.fetchrow(
            f"""
            UPDATE operations SET state = 'running', attempt = attempt + 1, started_at = {NOW}
            WHERE document = $1 AND seq = $2 AND {OPEN}
            RETURNING *, deadline - {NOW} AS remaining
            """,  # noqa: S608 - constants
            document,
            seq,
        )
        # It was ended meanwhile by its deadline or its caller; the next sweep looks again.
        return (
            None
            if row is None
            else Taken(operation_of(row), Hold(document, token), row["remaining"])
        )

    async def commit(
        self, taken: Taken, outcome: Outcome, change: Change, base: int, now: float
    ) -> bool:
        """Ends a running operation and changes its document, both or neither."""
        operation = taken.operation
        async with self._database.transaction() as connection:
            row = await connection.fetchrow(
                f"""
                SELECT id, version, owner, sealed_key, {DIGEST} AS digest FROM documents d
                WHERE id = $1 AND token = $2 AND expires_at < $3 FOR UPDATE
                """,  # noqa: S608 - constants
                operation.document,
                taken.hold.token,
                HELD_FROM if change.is_deletion else math.inf,
            )
            if row is None or (change.version is not None and row["version"] != base):
                return False
            ended = await connection.execute(
                END + "WHERE document = $8 AND id = $9 AND state = 'running' AND attempt = $10",
                *_ending(outcome),
                operation.document,
                operation.id,
                operation.attempt,
            )
            if ended == "UPDATE 0":
                return False
            await _change_document(connection, operation, change, outcome)
            if change.is_deletion:
                await end_keys(connection, (row,))
            if change.is_deletion or change.version is not None:
                digests = (row["digest"], None if change.version is None else change.version.digest)
                deed = cast("Deed", operation.kind)
                await append(connection, row["owner"], deed, ((operation.document, digests),))
        return True

    async def conclude(self, operation: str, outcome: Outcome, now: float) -> bool:
        """Ends an unfinished operation without effect; False when it had ended before."""
        async with self._database.transaction() as connection:
            ended = await connection.execute(
                END + f"WHERE id = $8 AND {OPEN}", *_ending(outcome), operation
            )
        return ended != "UPDATE 0"

    async def charge(self, operation: str, spending: Spending) -> None:
        """Notes what models have taken for an operation that somebody else ends."""
        async with self._database.transaction() as connection:
            await connection.execute(
                "UPDATE operations SET spending = $2 WHERE id = $1",
                operation,
                msgspec.json.encode(spending),
            )

    async def abandon(self, document: str, outcome: Outcome, now: float) -> None:
        """Ends all unfinished operations of a document whose time is over."""
        async with self._database.transaction() as connection:
            row = await connection.fetchrow(LOCKED, document)
            if row is not None and row["is_over"]:
                await connection.execute(
                    END + f"WHERE document = $8 AND {OPEN}", *_ending(outcome), document
                )

    async def renew(self, running: Collection[Taken], now: float) -> frozenset[str]:
        """Keeps the holds of what runs, all in one statement."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                f"""
                UPDATE documents d SET lease_until = {NOW} + $5
                FROM unnest($1::text[], $2::bigint[], $3::text[], $4::int[])
                        AS r (document, token, operation, attempt)
                    JOIN operations o ON o.document = r.document AND o.id = r.operation
                WHERE d.id = r.document AND d.token = r.token
                    AND o.state = 'running' AND o.attempt = r.attempt
                RETURNING r.operation
                """,  # noqa: S608 - constants
                [taken.hold.document for taken in running],
                [taken.hold.token for taken in running],
                [taken.operation.id for taken in running],
                [taken.operation.attempt for taken in running],
                self._lease_seconds,
            )
        return frozenset(row["operation"] for row in rows)

    async def release(self, hold: Hold) -> None:
        """Ends a hold; what was running under it is queued again, as if it had not been started."""
        async with self._database.transaction() as connection:
            released = await connection.execute(
                """
                UPDATE documents SET holder = NULL, lease_until = 0 WHERE id = $1 AND token = $2
                """,
                hold.document,
                hold.token,
            )
            if released != "UPDATE 0":
                await connection.execute(
                    """
                    UPDATE operations SET state = 'queued', attempt = attempt - 1, started_at = NULL
                    WHERE document = $1 AND state = 'running'
                    """,
                    hold.document,
                )

    async def recover(self) -> None:
        """Does nothing: what a process has left is taken over when its lease has run out."""

    async def due(self, most: int, now: float) -> tuple[str, ...]:
        """Returns documents with unfinished operations and no hold, who waits longest first."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                f"""
                SELECT o.document FROM operations o JOIN documents d ON d.id = o.document
                WHERE o.{OPEN} AND d.lease_until <= {NOW}
                GROUP BY o.document ORDER BY min(o.received_at) LIMIT $1
                """,  # noqa: S608 - constants
                most,
            )
        return tuple(row["document"] for row in rows)

    async def backlog(self, now: float) -> tuple[int, float]:
        """Counts operations that wait, and says for how many seconds the oldest has."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(
                f"""
                SELECT count(*) AS waiting, coalesce({NOW} - min(received_at), 0) AS seconds
                FROM operations WHERE {OPEN} AND state = 'queued'
                """  # noqa: S608 - constants
            )
        assert row is not None
        return row["waiting"], max(0.0, row["seconds"])

    async def overdue(self, now: float) -> tuple[Operation, ...]:
        """Returns unfinished operations whose deadline has passed."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                f"SELECT * FROM operations WHERE {OPEN} AND deadline <= {NOW} LIMIT 500"  # noqa: S608 - constants
            )
        return tuple(map(operation_of, rows))

    async def answers(self, operations: Collection[str]) -> Mapping[str, Answered | None]:
        """Returns what operations answered, by id; None for one that has not ended."""
        ids = list(operations)
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                """
                SELECT id, status, body FROM operations WHERE id = ANY($1)
                UNION ALL SELECT operation, 200, body FROM deletions WHERE operation = ANY($1)
                """,
                ids,
            )
        return {row["id"]: answered_of(row) for row in rows}

    async def history(self, document: str) -> tuple[Operation, ...]:
        """Returns the operations of a document that may change it, oldest first."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                "SELECT * FROM operations WHERE document = $1 AND kind = ANY($2) ORDER BY seq",
                document,
                list(HISTORY_KINDS),
            )
        return tuple(map(operation_of, rows))


async def current(connection: Connection, document: str) -> tuple[Document, Version] | None:
    """Returns a document and its current version, as they are at one moment."""
    row = await connection.fetchrow(DOCUMENT + "WHERE d.id = $1", document)
    if row is None:
        return None
    version = await connection.fetchrow(
        "SELECT * FROM versions WHERE document = $1 AND number = $2", document, row["version"]
    )
    return None if version is None else (document_of(row), version_of(version))


async def check_quota(connection: Connection, owner: str, quota: Quota) -> None:
    """Raises OverloadedError when an owner now has more than the quota.

    Until the transaction ends nobody else adds to what the owner has, so that the limit is exact.
    """
    if quota == NO_QUOTA:
        return
    await _queue_for(connection, owner)
    row = await connection.fetchrow(
        """
        SELECT count(DISTINCT d.id) AS documents, coalesce(sum(v.size), 0)::bigint AS bytes
        FROM documents d JOIN versions v ON v.document = d.id WHERE d.owner = $1
        """,
        owner,
    )
    if row is not None and quota.is_exceeded(row["documents"], row["bytes"]):
        raise OverloadedError(QUOTA_USED, retry_after=60)


async def _queue_for(connection: Connection, owner: str) -> None:
    """Waits until no other transaction counts what this owner has."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", owner)


async def _check_limits(connection: Connection, submission: Submission, limits: Limits) -> None:
    waiting = await connection.fetchval(
        "SELECT count(*) FROM operations WHERE document = $1 AND state = 'queued'",
        submission.document,
    )
    check_waiting(waiting, limits.queued_per_document, ON_DOCUMENT)
    if limits.pending_per_owner:
        await _queue_for(connection, submission.owner)
        pending = await connection.fetchval(
            f"SELECT count(*) FROM operations WHERE owner = $1 AND {OPEN}",  # noqa: S608 - constants
            submission.owner,
        )
        check_waiting(pending, limits.pending_per_owner, OF_OWNER)


async def _accepted(connection: Connection, submission: Submission, seq: int) -> Accepted:
    row = await connection.fetchrow(
        f"""
        INSERT INTO operations
            (id, document, owner, seq, kind, uid, request, digest, state, received_at, deadline)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, 'queued', now, now + {DEADLINE_SECONDS}
        FROM (SELECT {NOW} AS now) AS clock RETURNING *
        """,  # noqa: S608 - constants
        submission.id,
        submission.document,
        submission.owner,
        seq,
        submission.kind,
        submission.uid,
        submission.request,
        submission.digest,
    )
    assert row is not None
    await connection.execute(
        "UPDATE documents SET next_seq = $2 WHERE id = $1", submission.document, seq + 1
    )
    return Accepted(operation_of(row), joined=False)


async def _change_document(
    connection: Connection, operation: Operation, change: Change, outcome: Outcome
) -> None:
    document = operation.document
    if change.is_deletion:
        await connection.execute("DELETE FROM documents WHERE id = $1", document)
        await discarded(connection, [document])
        await connection.execute(
            f"INSERT INTO deletions VALUES ($1, $2, {NOW})",  # noqa: S608 - constants
            operation.id,
            outcome.body,
        )
    if change.version is None:
        return
    owner = await connection.fetchval(
        f"""
        UPDATE documents SET version = $2, size = $3, updated_at = {NOW},
            expires_at = CASE WHEN expires_at >= {HELD_FROM} THEN expires_at
                ELSE coalesce($4, expires_at) END
        WHERE id = $1 RETURNING owner
        """,  # noqa: S608 - constants
        document,
        change.version.number,
        change.version.size,
        change.expires_at,
    )
    await connection.execute(NEW_VERSION, *version_row(document, change.version))
    await check_quota(connection, owner, change.quota)


async def discarded(connection: Connection, documents: list[str]) -> None:
    """Notes that the objects of documents are to go, in the transaction that deletes these."""
    await connection.execute(
        f"""
        INSERT INTO garbage SELECT document, {NOW} FROM unnest($1::text[]) AS gone (document)
        ON CONFLICT (document) DO UPDATE SET due = excluded.due
        """,  # noqa: S608 - constants
        documents,
    )


def _ending(outcome: Outcome) -> tuple[object, ...]:
    return (
        outcome.state,
        outcome.status,
        outcome.body or None,
        outcome.final,
        outcome.summary,
        msgspec.json.encode(outcome.warnings),
        None if outcome.spending is None else msgspec.json.encode(outcome.spending),
    )
