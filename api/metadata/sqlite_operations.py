"""The operations part of the metadata in SQLite: the numbered mailbox of each document."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from typing import cast

import msgspec

from redraft.api.errors import MissingDocumentError, OverloadedError
from redraft.api.metadata.audit import Deed
from redraft.api.metadata.database import Database, Value, first
from redraft.api.metadata.keys import QUOTA_USED
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
from redraft.api.metadata.rows import answered_of, current, operation_of, version_row
from redraft.api.metadata.sqlite_audit import append, end_key, owner_and_digest

OPEN = "state IN ('queued', 'running')"
SAME = """
    SELECT * FROM operations WHERE document = ? AND kind = ? AND uid = ? ORDER BY seq DESC LIMIT 1
"""
OLDEST = f"SELECT * FROM operations WHERE document = ? AND {OPEN} ORDER BY seq LIMIT 1"  # noqa: S608 - a constant
OPEN_ON = f"SELECT kind, uid FROM operations WHERE document = ? AND {OPEN}"  # noqa: S608 - a constant
BEGIN = f"""
    UPDATE operations SET state = 'running', attempt = attempt + 1, started_at = :now
    WHERE id = (SELECT id FROM operations WHERE document = :document AND {OPEN}
                ORDER BY seq LIMIT 1)
        AND (state = 'running' OR EXISTS
            (SELECT 1 FROM documents d WHERE d.id = :document AND d.expires_at > :now))
    RETURNING *
"""  # noqa: S608 - constants
QUEUED_ON = "SELECT count(*) AS n FROM operations WHERE document = ? AND state = 'queued'"
OPEN_OF = f"SELECT count(*) AS n FROM operations WHERE owner = ? AND {OPEN}"  # noqa: S608 - a constant
MINE = """
    id = ? AND state = 'running' AND attempt = ?
        AND (SELECT token FROM documents d WHERE d.id = operations.document) = ?
"""
"""An operation that runs, in this attempt, under this token."""
TAKE_OVER = "UPDATE documents SET token = token + (token IS NOT ?) WHERE id = ? RETURNING token"
NEW_VERSION = "INSERT INTO versions VALUES (?,?,?,?,?,?,?,?)"
HELD_BY_OWNER = """
    SELECT count(DISTINCT d.id) AS documents, total(v.size) AS bytes
    FROM documents d JOIN versions v ON v.document = d.id
    WHERE d.owner = (SELECT owner FROM documents WHERE id = ?)
"""


class SqliteOperations:
    """The mailboxes. Each method is one transaction; a rowcount of 0 says that it came too late.

    One process owns the file, so nobody else can have a hold: a token only tells an attempt of this
    process from an earlier one, and a hold needs no renewal.
    """

    is_shared = False

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accept(
        self, submission: Submission, now: float, limits: Limits
    ) -> Accepted | Replayed:
        """Takes the document's next number for an operation, or finds the one with its uid."""
        return await self._database.write(
            lambda connection: _accept(connection, submission, now, limits)
        )

    async def glance(self, submission: Submission, now: float) -> tuple[Document, Version] | None:
        """Takes a read before which nothing waits or runs that could change its document."""
        current, unfinished = await self._database.remember(
            ("glance", submission.document),
            lambda connection: _standing(connection, submission.document),
        )
        if current is None or current[0].owner != submission.owner or not current[0].is_alive(now):
            raise MissingDocumentError
        is_next = all(kind == "read" and uid != submission.uid for kind, uid in unfinished)
        return current if is_next else None

    async def find(self, document: str, kind: OperationKind, uid: str) -> Operation | None:
        """Returns the latest operation of that kind and uid."""
        row = await self._database.row(SAME, (document, kind, uid))
        return None if row is None else operation_of(row)

    async def take(self, document: str, hold: Hold | None, now: float) -> Taken | None:
        """Returns the oldest unfinished operation, marked as running; None when there is none."""

        def work(connection: sqlite3.Connection) -> Taken | None:
            row = first(connection, BEGIN, {"now": now, "document": document})
            if row is None:
                row = first(connection, OLDEST, (document,))
            if row is None:
                return None
            held = None if hold is None else hold.token
            (token,) = connection.execute(TAKE_OVER, (held, document)).fetchall()[0]
            operation = operation_of(row)
            return Taken(operation, Hold(document, token), operation.deadline - now)

        return await self._database.write(work)

    async def commit(
        self, taken: Taken, outcome: Outcome, change: Change, base: int, now: float
    ) -> bool:
        """Ends a running operation and changes its document, both or neither."""
        operation = taken.operation

        def work(connection: sqlite3.Connection) -> bool:
            values = (operation.id, operation.attempt, taken.hold.token)
            if not _end(connection, MINE, values, outcome, now):
                return False
            owner, digest = owner_and_digest(connection, operation.document)
            if change.is_deletion:
                end_key(connection, now, operation.document)
            if not _change_document(connection, operation.document, change, base, now):
                raise _LateError
            if change.is_deletion or change.version is not None:
                digests = (digest, None if change.version is None else change.version.digest)
                deed = cast("Deed", operation.kind)
                append(connection, now, owner, deed, operation.document, digests)
            return True

        try:
            return await self._database.write(work)
        except _LateError:
            return False

    async def conclude(self, operation: str, outcome: Outcome, now: float) -> bool:
        """Ends an unfinished operation without effect; False when it had ended before."""
        ended = await self._database.write(
            lambda connection: _end(connection, f"id = ? AND {OPEN}", (operation,), outcome, now)
        )
        return ended == 1

    async def abandon(self, document: str, outcome: Outcome, now: float) -> None:
        """Ends all unfinished operations of a document."""
        await self._database.write(
            lambda connection: _end(
                connection, f"document = ? AND {OPEN}", (document,), outcome, now
            )
        )

    async def charge(self, operation: str, spending: Spending) -> None:
        """Notes what models have taken for an operation that somebody else ends."""
        await self._database.change(
            "UPDATE operations SET spending = ? WHERE id = ?",
            (msgspec.json.encode(spending), operation),
        )

    async def renew(self, running: Collection[Taken], now: float) -> frozenset[str]:
        """Returns the ids of the operations that may go on."""

        def work(connection: sqlite3.Connection) -> frozenset[str]:
            return frozenset(
                taken.operation.id
                for taken in running
                if first(
                    connection,
                    f"SELECT 1 FROM operations WHERE {MINE}",  # noqa: S608 - a constant
                    (taken.operation.id, taken.operation.attempt, taken.hold.token),
                )
            )

        return await self._database.read(work)

    async def release(self, hold: Hold) -> None:
        """Ends a hold; what was running under it is queued again, as if it had not been started."""
        await self._database.change(
            """
            UPDATE operations SET state = 'queued', attempt = attempt - 1, started_at = NULL
            WHERE document = ?1 AND state = 'running'
                AND (SELECT token FROM documents WHERE id = ?1) = ?2
            """,
            (hold.document, hold.token),
        )

    async def recover(self) -> None:
        """Queues what was running when the last process ended."""
        await self._database.change(
            "UPDATE operations SET state = 'queued' WHERE state = 'running'", ()
        )

    async def due(self, most: int, now: float) -> tuple[str, ...]:
        """Returns documents with unfinished operations, who waits longest first."""
        rows = await self._database.rows(
            f"""
            SELECT document FROM operations WHERE {OPEN}
            GROUP BY document ORDER BY min(received_at) LIMIT ?
            """,  # noqa: S608 - a constant
            (most,),
        )
        return tuple(row["document"] for row in rows)

    async def backlog(self, now: float) -> tuple[int, float]:
        """Counts operations that wait, and says for how many seconds the oldest has."""
        row = await self._database.row(
            f"""
            SELECT count(*) AS n, min(received_at) AS oldest FROM operations
            WHERE {OPEN} AND state = 'queued'
            """  # noqa: S608 - a constant
        )
        assert row is not None
        return row["n"], max(0.0, now - row["oldest"]) if row["n"] else 0.0

    async def overdue(self, now: float) -> tuple[Operation, ...]:
        """Returns unfinished operations whose deadline has passed."""
        rows = await self._database.rows(
            f"SELECT * FROM operations WHERE {OPEN} AND deadline <= ?",  # noqa: S608 - a constant
            (now,),
        )
        return tuple(map(operation_of, rows))

    async def answers(self, operations: Collection[str]) -> Mapping[str, Answered | None]:
        """Returns what operations answered, by id; None for one that has not ended."""
        marks = ",".join("?" * len(operations))
        rows = await self._database.rows(
            f"SELECT id, status, body FROM operations WHERE id IN ({marks})",  # noqa: S608 - only question marks
            tuple(operations),
        )
        return {row["id"]: answered_of(row) for row in rows}

    async def history(self, document: str) -> tuple[Operation, ...]:
        """Returns the operations of a document that may change it, oldest first."""
        marks = ",".join("?" * len(HISTORY_KINDS))
        rows = await self._database.rows(
            f"SELECT * FROM operations WHERE document = ? AND kind IN ({marks})"  # noqa: S608 - only question marks
            " AND state <> 'done' ORDER BY seq",  # what was only shown is no operation
            (document, *HISTORY_KINDS),
        )
        return tuple(operation_of(row) for row in rows)


class _LateError(Exception):
    """The document has moved on; the whole transaction is to be undone."""


def _accept(
    connection: sqlite3.Connection, submission: Submission, now: float, limits: Limits
) -> Accepted | Replayed:
    seq = _next_seq(connection, submission, now)
    same = (submission.document, submission.kind, submission.uid)
    row = first(connection, SAME, same)
    before = None if row is None else stands_for(row, submission)
    if before is not None:
        return before
    _check_limits(connection, submission, limits)
    if row is not None and submission.kind in UNRECORDED:  # one row is enough
        connection.execute("DELETE FROM operations WHERE id = ?", (row["id"],))
    connection.execute(
        """
        INSERT INTO operations
            (id, document, owner, seq, kind, uid, request, digest, state, received_at, deadline)
        VALUES (?,?,?,?,?,?,?,?,'queued',?,?)
        """,
        (
            submission.id,
            submission.document,
            submission.owner,
            seq,
            submission.kind,
            submission.uid,
            submission.request,
            submission.digest,
            now,
            now + DEADLINE_SECONDS,
        ),
    )
    connection.execute(
        "UPDATE documents SET next_seq = ? WHERE id = ?", (seq + 1, submission.document)
    )
    accepted = Operation(
        id=submission.id,
        document=submission.document,
        seq=seq,
        kind=submission.kind,
        uid=submission.uid,
        request=submission.request,
        state="queued",
        attempt=0,
        received_at=now,
        deadline=now + DEADLINE_SECONDS,
    )
    return Accepted(accepted, joined=False)


def _standing(
    connection: sqlite3.Connection, document: str
) -> tuple[tuple[Document, Version] | None, tuple[tuple[str, str], ...]]:
    """Returns a document with its version, and kind and uid of what is unfinished on it."""
    unfinished = connection.execute(OPEN_ON, (document,)).fetchall()
    return current(connection, document), tuple((row["kind"], row["uid"]) for row in unfinished)


def _next_seq(connection: sqlite3.Connection, submission: Submission, now: float) -> int:
    row = first(
        connection,
        """
        SELECT next_seq FROM documents WHERE id = ?1 AND owner = ?2 AND (expires_at > ?3 OR EXISTS
            (SELECT 1 FROM operations o WHERE o.document = ?1 AND o.state = 'running'))
        """,
        (submission.document, submission.owner, now),
    )
    if row is None:
        raise MissingDocumentError
    return int(row["next_seq"])


def _check_limits(connection: sqlite3.Connection, submission: Submission, limits: Limits) -> None:
    for count_query, value, limit, scope in (
        (QUEUED_ON, submission.document, limits.queued_per_document, ON_DOCUMENT),
        (OPEN_OF, submission.owner, limits.pending_per_owner, OF_OWNER),
    ):
        row = first(connection, count_query, (value,)) if limit else None
        check_waiting(0 if row is None else row["n"], limit, scope)


def check_quota(connection: sqlite3.Connection, document: str, quota: Quota) -> None:
    """Raises OverloadedError when the owner of a document now has more than the quota."""
    if quota == NO_QUOTA:
        return
    row = first(connection, HELD_BY_OWNER, (document,))
    if row is not None and quota.is_exceeded(row["documents"], int(row["bytes"])):
        raise OverloadedError(QUOTA_USED, retry_after=60)


def _change_document(
    connection: sqlite3.Connection, document: str, change: Change, base: int, now: float
) -> bool:
    if change.is_deletion:
        deleted = connection.execute(
            "DELETE FROM documents WHERE id = ? AND expires_at < ?", (document, HELD_FROM)
        )
        return deleted.rowcount == 1
    if change.version is None:
        return True
    cursor = connection.execute(
        """
        UPDATE documents SET version = ?, size = ?, updated_at = ?,
            expires_at = iif(expires_at >= ?, expires_at, ifnull(?, expires_at))
        WHERE id = ? AND version = ?
        """,
        (
            change.version.number,
            change.version.size,
            now,
            HELD_FROM,
            change.expires_at,
            document,
            base,
        ),
    )
    if cursor.rowcount != 1:
        return False
    connection.execute(NEW_VERSION, version_row(document, change.version))
    check_quota(connection, document, change.quota)
    return True


def _end(
    connection: sqlite3.Connection,
    condition: str,
    values: tuple[Value, ...],
    outcome: Outcome,
    now: float,
) -> int:
    """Ends the operations that the condition picks; returns how many there were."""
    cursor = connection.execute(
        f"""
        UPDATE operations SET state = ?, finished_at = ?, status = ?, body = ?, final = ?,
            summary = ?, warnings = ?, spending = ifnull(?, spending)
        WHERE {condition}
        """,  # noqa: S608 - the conditions of this module
        (
            outcome.state,
            now,
            outcome.status,
            outcome.body or None,
            outcome.final,
            outcome.summary,
            msgspec.json.encode(outcome.warnings),
            None if outcome.spending is None else msgspec.json.encode(outcome.spending),
            *values,
        ),
    )
    return cursor.rowcount
