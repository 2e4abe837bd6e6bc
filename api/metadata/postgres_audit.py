"""The audit log in PostgreSQL: one chain, to which transactions of all processes add in turn."""

from __future__ import annotations

from redraft.api.clock import iso
from redraft.api.metadata.audit import BEGINNING, Deed, Entry, pseudonym, sealed
from redraft.api.metadata.postgres_database import (
    BEGIN_LIGHTLY,
    NOW,
    Connection,
    PostgresDatabase,
)
from redraft.api.metadata.rows import checked

LAST = "SELECT * FROM audit ORDER BY number DESC LIMIT 1"
AUDIT_LOCK = 7_262_114
"""The advisory lock of whoever adds; taken last in a transaction, so that nobody waits in rings."""


class PostgresAudit:
    """The audit log; the clock is the database's."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    async def record(
        self, now: float, who: str, what: Deed, subject: str, digest: str | None = None
    ) -> None:
        """Writes down what changes no document."""
        del now
        async with self._database.transaction() as connection:
            await append(connection, who, what, subject, (digest, digest))

    async def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """Returns the entries that follow a number, in their order."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                "SELECT * FROM audit WHERE number > $1 ORDER BY number LIMIT $2", after, limit
            )
        return tuple(checked(Entry, row) for row in rows)

    async def head(self) -> Entry | None:
        """Returns the last entry; None of an empty log."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(LAST)
        return None if row is None else checked(Entry, row)


async def append(
    connection: Connection,
    who: str,
    what: Deed,
    subject: str,
    digests: tuple[str | None, str | None] = (None, None),
) -> None:
    """Writes an entry within a transaction; `digests` are those before and after."""
    # Until the transaction ends nobody else adds; the last entry is read in a statement of its own.
    await connection.execute(f"SELECT pg_advisory_xact_lock({AUDIT_LOCK})")
    row = await connection.fetchrow(LAST)
    number, before = (1, BEGINNING) if row is None else (row["number"] + 1, row["hash"])
    now = await connection.fetchval(f"SELECT {NOW}")
    salt = await connection.fetchval("SELECT salt FROM audit_salt")
    name = pseudonym(who, salt.encode())
    entry = sealed(Entry(number, iso(now), name, what, subject, *digests), before)
    await connection.execute(
        "INSERT INTO audit VALUES ($1,$2,$3,$4,$5,$6,$7,$8)",
        number,
        entry.at,
        entry.who,
        what,
        subject,
        entry.before,
        entry.after,
        entry.hash,
    )


async def owner_and_digest(connection: Connection, document: str) -> tuple[str, str | None]:
    """Returns the owner of a document and the digest of its current version."""
    row = await connection.fetchrow(
        """
        SELECT d.owner, v.digest FROM documents d
        LEFT JOIN versions v ON v.document = d.id AND v.number = d.version WHERE d.id = $1
        """,
        document,
    )
    return ("", None) if row is None else (row["owner"], row["digest"])
