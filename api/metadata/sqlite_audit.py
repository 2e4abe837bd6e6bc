"""The audit log in SQLite: entries are written in the transaction of what they tell of."""

from __future__ import annotations

import sqlite3

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
from redraft.api.metadata.database import Database, first
from redraft.api.metadata.rows import checked

LAST = "SELECT * FROM audit ORDER BY number DESC LIMIT 1"


class SqliteAudit:
    """The audit log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(
        self, now: float, who: str, what: Deed, subject: str, digest: str | None = None
    ) -> None:
        """Writes down what changes no document."""
        await self._database.write(
            lambda connection: append(connection, now, who, what, subject, (digest, digest))
        )

    async def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """Returns the entries that follow a number, in their order."""
        rows = await self._database.rows(
            "SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
        )
        return tuple(checked(Entry, row) for row in rows)

    async def head(self) -> Entry | None:
        """Returns the last entry; None of an empty log."""
        row = await self._database.row(LAST)
        return None if row is None else checked(Entry, row)


def append(
    connection: sqlite3.Connection,
    now: float,
    who: str,
    what: Deed,
    subject: str,
    digests: tuple[str | None, str | None] = (None, None),
) -> None:
    """Writes an entry within a transaction; `digests` are those before and after."""
    row = first(connection, LAST)
    number, before = (1, BEGINNING) if row is None else (row["number"] + 1, row["hash"])
    salt = connection.execute("SELECT salt FROM audit_salt").fetchall()[0]["salt"]
    name = pseudonym(who, salt)
    entry = sealed(Entry(number, iso(now), name, what, subject, *digests), before)
    connection.execute(
        "INSERT INTO audit VALUES (?,?,?,?,?,?,?,?)",
        (number, entry.at, entry.who, what, subject, entry.before, entry.after, entry.hash),
    )


def end_key(connection: sqlite3.Connection, now: float, document: str) -> None:
    """Writes down that the key of a document goes with its row, if it has one."""
    row = first(connection, "SELECT sealed_key FROM documents WHERE id = ?", (document,))
    if row is not None and row["sealed_key"] is not None:
        digests = (fingerprint(row["sealed_key"]), None)
        append(connection, now, SERVICE, "key destroyed", document, digests)


def owner_and_digest(connection: sqlite3.Connection, document: str) -> tuple[str, str | None]:
    """Returns the owner of a document and the digest of its current version."""
    row = first(
        connection,
        """
        SELECT d.owner, v.digest FROM documents d
        LEFT JOIN versions v ON v.document = d.id AND v.number = d.version WHERE d.id = ?
        """,
        (document,),
    )
    return ("", None) if row is None else (row["owner"], row["digest"])
