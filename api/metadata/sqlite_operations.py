"""The operations part of the metadata in SQLite: the numbered mailbox of each document."""

from __future__ import annotations

import sqlite3

import aiosqlite
import msgspec

from api.errors import MissingDocumentError, OverloadedError, UidReusedError
from api.metadata.database import Database
from api.metadata.protocol import (
    Accepted,
    Change,
    Limits,
    Operation,
    OperationKind,
    Outcome,
    Replayed,
    Submission,
)

OPEN = "state IN ('queued', 'running')"
RETRY_SECONDS = 5
HISTORY_KINDS = ("edit", "accept", "reject", "undo", "redo")


class SqliteOperations:
    """The mailboxes. Each method is one transaction; a rowcount of 0 says that it came too late."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accept(
        self, submission: Submission, now: float, limits: Limits
    ) -> Accepted | Replayed:
        """Take the document's next number for an operation, or find the one with its uid."""
        async with self._database.transaction() as connection:
            seq = await _next_seq(connection, submission, now)
            row = await _first(
                connection,
                "SELECT * FROM operations WHERE document = ? AND kind = ? AND uid = ?",
                (submission.document, submission.kind, submission.uid),
            )
            if row is not None:
                if row["digest"] != submission.digest:
                    raise _reused(submission)
                if row["state"] in ("queued", "running"):
                    return Accepted(_operation(row), joined=True)
                if row["final"]:
                    return Replayed(row["status"], row["body"])
            await _check_limits(connection, submission, limits)
            await connection.execute(
                "DELETE FROM operations WHERE document = ? AND kind = ? AND uid = ?",
                (submission.document, submission.kind, submission.uid),
            )
            await connection.execute(
                """
                INSERT INTO operations
                    (id, document, owner, seq, kind, uid, request, digest, state, received_at)
                VALUES (?,?,?,?,?,?,?,?,'queued',?)
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
                ),
            )
            await connection.execute(
                "UPDATE documents SET next_seq = ? WHERE id = ?", (seq + 1, submission.document)
            )
            return Accepted(
                Operation(
                    id=submission.id,
                    document=submission.document,
                    seq=seq,
                    kind=submission.kind,
                    uid=submission.uid,
                    request=submission.request,
                    state="queued",
                    attempt=0,
                    received_at=now,
                ),
                joined=False,
            )

    async def oldest(self, document: str) -> Operation | None:
        """Return the oldest unfinished operation of a document."""
        row = await self._database.row(
            f"SELECT * FROM operations WHERE document = ? AND {OPEN} ORDER BY seq LIMIT 1",  # noqa: S608 - a constant
            (document,),
        )
        return None if row is None else _operation(row)

    async def find(self, document: str, kind: OperationKind, uid: str) -> Operation | None:
        """Return the operation of that kind and uid."""
        row = await self._database.row(
            "SELECT * FROM operations WHERE document = ? AND kind = ? AND uid = ?",
            (document, kind, uid),
        )
        return None if row is None else _operation(row)

    async def begin(self, operation: str, now: float) -> Operation | None:
        """Mark an operation as running; None when it, or its document, is no more."""
        async with self._database.transaction() as connection:
            row = await _first(
                connection,
                """
                UPDATE operations SET state = 'running', attempt = attempt + 1, started_at = ?1
                WHERE id = ?2 AND state IN ('queued', 'running') AND EXISTS
                    (SELECT 1 FROM documents d
                     WHERE d.id = operations.document
                        AND (d.expires_at > ?1 OR operations.state = 'running'))
                RETURNING *
                """,
                (now, operation),
            )
            return None if row is None else _operation(row)

    async def commit(
        self, operation: Operation, outcome: Outcome, change: Change, base: int, now: float
    ) -> bool:
        """End a running operation and change its document, both or neither."""
        async with self._database.transaction() as connection:
            cursor = await connection.execute(
                """
                UPDATE operations SET state = ?, finished_at = ?, status = ?, body = ?, final = ?,
                    summary = ?, warnings = ?
                WHERE id = ? AND state = 'running' AND attempt = ?
                """,
                (
                    outcome.state,
                    now,
                    outcome.status,
                    outcome.body if outcome.final else None,
                    outcome.final,
                    outcome.summary,
                    msgspec.json.encode(outcome.warnings),
                    operation.id,
                    operation.attempt,
                ),
            )
            if cursor.rowcount != 1:
                return False
            moved = await _change_document(connection, operation.document, change, base, now)
            if not moved:
                await connection.rollback()
                await connection.execute("BEGIN IMMEDIATE")
            return moved

    async def conclude(self, operation: str, outcome: Outcome, now: float) -> bool:
        """End an unfinished operation without effect; False when it had ended before."""
        async with self._database.transaction() as connection:
            return await _conclude(connection, "id", operation, outcome, now) == 1

    async def abandon(self, document: str, outcome: Outcome, now: float) -> None:
        """End all unfinished operations of a document."""
        async with self._database.transaction() as connection:
            await _conclude(connection, "document", document, outcome, now)

    async def put_back(self, operation: Operation) -> None:
        """Queue a running operation again, as if it had not been started."""
        async with self._database.transaction() as connection:
            await connection.execute(
                """
                UPDATE operations SET state = 'queued', attempt = attempt - 1, started_at = NULL
                WHERE id = ? AND state = 'running' AND attempt = ?
                """,
                (operation.id, operation.attempt),
            )

    async def recover(self) -> tuple[Operation, ...]:
        """Queue what was running when the process ended; return all unfinished operations."""
        async with self._database.transaction() as connection:
            await connection.execute(
                "UPDATE operations SET state = 'queued' WHERE state = 'running'"
            )
            rows = await connection.execute_fetchall(
                "SELECT * FROM operations WHERE state = 'queued' ORDER BY document, seq"
            )
            return tuple(_operation(row) for row in rows)

    async def waiting(self) -> tuple[str, ...]:
        """Return the documents that have unfinished operations."""
        rows = await self._database.rows(
            f"SELECT DISTINCT document FROM operations WHERE {OPEN}"  # noqa: S608 - a constant
        )
        return tuple(row["document"] for row in rows)

    async def history(self, document: str) -> tuple[Operation, ...]:
        """Return the operations of a document that may change it, oldest first."""
        places = ",".join("?" * len(HISTORY_KINDS))
        rows = await self._database.rows(
            f"SELECT * FROM operations WHERE document = ? AND kind IN ({places}) ORDER BY seq",  # noqa: S608 - only question marks
            (document, *HISTORY_KINDS),
        )
        return tuple(_operation(row) for row in rows)


async def _first(
    connection: aiosqlite.Connection, sql: str, values: tuple[str | int | float, ...]
) -> sqlite3.Row | None:
    rows = list(await connection.execute_fetchall(sql, values))
    return rows[0] if rows else None


async def _next_seq(connection: aiosqlite.Connection, submission: Submission, now: float) -> int:
    row = await _first(
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


async def _check_limits(
    connection: aiosqlite.Connection, submission: Submission, limits: Limits
) -> None:
    for column, value, limit in (
        ("document", submission.document, limits.queued_per_document),
        ("owner", submission.owner, limits.pending_per_owner),
    ):
        if not limit:
            continue
        state = "state = 'queued'" if column == "document" else OPEN
        row = await _first(
            connection,
            f"SELECT count(*) AS n FROM operations WHERE {column} = ? AND {state}",  # noqa: S608 - constants
            (value,),
        )
        if row is not None and row["n"] >= limit:
            where = "on this document" if column == "document" else "of this key"
            message = f"Too many operations {where} are waiting; try again later"
            raise OverloadedError(message, retry_after=RETRY_SECONDS)


async def _change_document(
    connection: aiosqlite.Connection, document: str, change: Change, base: int, now: float
) -> bool:
    if change.is_deletion:
        await connection.execute("DELETE FROM documents WHERE id = ?", (document,))
        return True
    if change.version is None:
        return True
    cursor = await connection.execute(
        """
        UPDATE documents SET version = ?, size = ?, updated_at = ?,
            expires_at = ifnull(?, expires_at)
        WHERE id = ? AND version = ?
        """,
        (change.version.number, change.version.size, now, change.expires_at, document, base),
    )
    if cursor.rowcount != 1:
        return False
    await connection.execute(
        "INSERT INTO versions VALUES (?,?,?,?,?,?,?,?)",
        (
            document,
            change.version.number,
            change.version.blob,
            change.version.size,
            change.version.digest,
            change.version.state,
            change.version.back,
            change.version.forward,
        ),
    )
    return True


async def _conclude(
    connection: aiosqlite.Connection, column: str, value: str, outcome: Outcome, now: float
) -> int:
    cursor = await connection.execute(
        f"""
        UPDATE operations SET state = ?, finished_at = ?, status = ?, body = ?, final = ?,
            summary = ?
        WHERE {column} = ? AND {OPEN}
        """,  # noqa: S608 - constants
        (
            outcome.state,
            now,
            outcome.status,
            outcome.body if outcome.final else None,
            outcome.final,
            outcome.summary,
            value,
        ),
    )
    return cursor.rowcount


def _reused(submission: Submission) -> UidReusedError:
    if submission.kind == "read":
        return UidReusedError("readUid was already used for a different read")
    return UidReusedError()


def _operation(row: sqlite3.Row) -> Operation:
    return Operation(
        id=row["id"],
        document=row["document"],
        seq=row["seq"],
        kind=row["kind"],
        uid=row["uid"],
        request=row["request"],
        state=row["state"],
        attempt=row["attempt"],
        received_at=row["received_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        summary=row["summary"],
        warnings=msgspec.json.decode(row["warnings"], type=tuple[str, ...]),
    )
