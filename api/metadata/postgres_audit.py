"""The audit log in PostgreSQL: one chain of what transactions of all processes have written down.

What a transaction does is written down in it, in no order. The entries are sealed into the chain
afterwards, many in one transaction: a chain has one end, and whoever held it until a commit is on
the disk would let one commit at a time through. Whoever looks at the log seals first, and so does
every sweep, which tells the head.
"""

from __future__ import annotations

from collections.abc import Sequence

from redraft.api.clock import iso
from redraft.api.metadata.audit import (
    BEGINNING,
    SERVICE,
    Deed,
    Entry,
    fingerprint,
    pseudonym,
    sealed,
)
from redraft.api.metadata.postgres_database import (
    BEGIN_LIGHTLY,
    NOW,
    Connection,
    PostgresDatabase,
)
from redraft.api.metadata.rows import Row, checked

LAST = "SELECT * FROM audit ORDER BY number DESC LIMIT 1"
AUDIT_LOCK = 7_262_114
"""The advisory lock of whoever seals."""
AT_ONCE = 1_000
"""Entries that one transaction seals."""
Digests = tuple[str | None, str | None]
NO_FILE: Digests = (None, None)
"""Of what is no document."""


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
            await append(connection, who, what, ((subject, (digest, digest)),))

    async def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """Returns the entries that follow a number, in their order."""
        await self._seal()
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                "SELECT * FROM audit WHERE number > $1 ORDER BY number LIMIT $2", after, limit
            )
        return tuple(checked(Entry, row) for row in rows)

    async def head(self) -> Entry | None:
        """Returns the last entry; None of an empty log."""
        await self._seal()
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(LAST)
        return None if row is None else checked(Entry, row)

    async def _seal(self) -> None:
        """Puts what was written down until now at the end of the chain."""
        while await self._sealed() == AT_ONCE:
            pass

    async def _sealed(self) -> int:
        async with self._database.transaction() as connection:
            # The last entry is read in a statement of its own, once nobody else adds.
            await connection.execute(f"SELECT pg_advisory_xact_lock({AUDIT_LOCK})")
            rows = await connection.fetch(
                f"""
                DELETE FROM audit_waiting WHERE id IN
                    (SELECT id FROM audit_waiting ORDER BY id LIMIT {AT_ONCE}) RETURNING *
                """  # noqa: S608 - constants
            )
            if rows:
                last = await connection.fetchrow(LAST)
                count, before = (0, BEGINNING) if last is None else (last["number"], last["hash"])
                salt: str = await connection.fetchval("SELECT salt FROM audit_salt")
                entries: list[tuple[object, ...]] = []
                for number, row in enumerate(sorted(rows, key=lambda row: row["id"]), count + 1):
                    who = pseudonym(row["who"], salt.encode())
                    told = (row["what"], row["subject"], row["before"], row["after"])
                    entry = sealed(Entry(number, iso(row["at"]), who, *told), before)
                    before = entry.hash
                    entries.append((number, entry.at, who, *told, before))
                await connection.executemany(
                    "INSERT INTO audit VALUES ($1,$2,$3,$4,$5,$6,$7,$8)", entries
                )
            return len(rows)


async def append(
    connection: Connection, who: str, what: Deed, deeds: Sequence[tuple[str, Digests]]
) -> None:
    """Writes down, within a transaction, what was done to subjects.

    Args:
        connection: Of the transaction.
        who: Who did it.
        what: What.
        deeds: The id of each subject, and the digests of its file before and after it.
    """
    await connection.execute(
        f"""
        INSERT INTO audit_waiting (at, who, what, subject, before, after)
        SELECT {NOW}, $1::text, $2::text, * FROM unnest($3::text[], $4::text[], $5::text[])
        """,  # noqa: S608 - constants
        who,
        what,
        [subject for subject, _ in deeds],
        [digests[0] for _, digests in deeds],
        [digests[1] for _, digests in deeds],
    )


async def end_keys(connection: Connection, rows: Sequence[Row]) -> None:
    """Writes down that the keys of documents go with their rows, of those that have one.

    Args:
        connection: Of the transaction.
        rows: With `id` and `sealed_key`.
    """
    keys = [(row["id"], row["sealed_key"]) for row in rows]
    deeds = [(name, (fingerprint(key), None)) for name, key in keys if key is not None]
    if deeds:
        await append(connection, SERVICE, "key destroyed", deeds)
