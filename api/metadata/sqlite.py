"""The metadata in SQLite: the three parts over one database, and the documents part."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec

from redraft.api.metadata.audit import OPERATOR, SERVICE
from redraft.api.metadata.database import Database, Durability, first, open_database
from redraft.api.metadata.protocol import (
    HELD_FROM,
    HELD_UNTIL,
    MOVED,
    NO_QUOTA,
    Document,
    MetadataError,
    Note,
    Quota,
    Version,
)
from redraft.api.metadata.rows import (
    DOCUMENT,
    VERSION,
    current,
    document_of,
    version_of,
    version_row,
)
from redraft.api.metadata.sqlite_audit import SqliteAudit, append, end_key, owner_and_digest
from redraft.api.metadata.sqlite_keys import SqliteKeys
from redraft.api.metadata.sqlite_operations import NEW_VERSION, SqliteOperations, check_quota

MOVED_AWAY = 0x6D6F7664
"""The application id of a database whose documents were moved away."""
DEAD = """
    expires_at <= ? AND NOT EXISTS
        (SELECT 1 FROM operations o WHERE o.document = documents.id AND o.state = 'running')
"""
NEW_DOCUMENT = """
    INSERT INTO documents
        (id, owner, name, format, media_type, size, tracked, author, images, ttl_seconds,
            created_at, updated_at, expires_at, version, sealed_key, next_seq)
    VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,1)
"""


class SqliteMetadata:
    """Everything the service remembers, in one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.documents = SqliteDocuments(database)
        self.operations = SqliteOperations(database)
        self.keys = SqliteKeys(database)
        self.channel = NoChannel()
        self.audit = SqliteAudit(database)

    @classmethod
    async def open(cls, path: Path, durability: Durability = "normal") -> SqliteMetadata:
        """Opens the database at a path, making or upgrading it.

        Raises:
            MetadataError: it cannot be opened, or was moved away.
        """
        database = await open_database(path, durability)
        if await is_moved(database):
            await database.close()
            raise MetadataError(MOVED)
        return cls(database)

    async def close(self) -> None:
        """Lets go of the database."""
        await self._database.close()


async def is_moved(database: Database) -> bool:
    """Whether what a database holds was moved away."""
    row = await database.row("PRAGMA application_id")
    return row is not None and row[0] == MOVED_AWAY


class NoChannel:
    """Nobody to tell: one process owns the file."""

    def publish(self, note: Note) -> None:
        """Does nothing."""

    async def run(self, hear: Callable[[Note], None]) -> None:
        """Returns at once."""


class SqliteDocuments:
    """Documents and their versions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, document: Document, version: Version, quota: Quota = NO_QUOTA) -> None:
        """Stores a new document with its version 0."""
        row = (
            document.id,
            document.owner,
            document.name,
            document.format,
            document.media_type,
            document.size,
            document.tracked,
            document.author,
            msgspec.json.encode(document.images),
            document.ttl_seconds,
            document.created_at,
            document.updated_at,
            document.expires_at,
            document.version,
            document.sealed_key,
        )
        start = version_row(document.id, version)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(NEW_DOCUMENT, row)
            connection.execute(NEW_VERSION, start)
            check_quota(connection, document.id, quota)
            digests = (None, version.digest)
            append(connection, document.created_at, document.owner, "upload", document.id, digests)

        await self._database.write(work)

    async def get(self, document: str) -> Document | None:
        """Returns a document, whether it is expired or not."""

        def work(connection: sqlite3.Connection) -> Document | None:
            row = first(connection, DOCUMENT + "WHERE d.id = ?", (document,))
            return None if row is None else document_of(row)

        return await self._database.remember(("document", document), work)

    async def list(self, owner: str) -> tuple[Document, ...]:
        """Returns the documents of one owner, the newest last."""
        rows = await self._database.rows(
            DOCUMENT + "WHERE d.owner = ? ORDER BY d.created_at, d.id", (owner,)
        )
        return tuple(document_of(row) for row in rows)

    async def every(self, after: str, limit: int) -> tuple[Document, ...]:
        """Returns documents of all owners, in the order of their ids, from behind one on."""
        rows = await self._database.rows(
            DOCUMENT + "WHERE d.id > ? ORDER BY d.id LIMIT ?", (after, limit)
        )
        return tuple(document_of(row) for row in rows)

    async def version(self, document: str, number: int) -> Version | None:
        """Returns one version of a document."""

        def work(connection: sqlite3.Connection) -> Version | None:
            row = first(connection, VERSION, (document, number))
            return None if row is None else version_of(row)

        return await self._database.remember(("version", document, number), work)

    async def current(self, document: str) -> tuple[Document, Version] | None:
        """Returns a document and its current version."""
        return await self._database.remember(
            ("current", document), lambda connection: current(connection, document)
        )

    async def usage(self, owner: str) -> tuple[int, int]:
        """Counts an owner's documents and the bytes of all their versions."""
        row = await self._database.row(
            """
            SELECT (SELECT count(*) FROM documents WHERE owner = ?1) AS documents,
                (SELECT total(v.size) FROM versions v JOIN documents d ON d.id = v.document
                 WHERE d.owner = ?1) AS bytes
            """,
            (owner,),
        )
        return (0, 0) if row is None else (row["documents"], int(row["bytes"]))

    async def totals(self) -> tuple[int, int, int]:
        """Counts all documents, the bytes of all versions, and operations that wait or run."""
        row = await self._database.row(
            """
            SELECT (SELECT count(*) FROM documents), (SELECT total(size) FROM versions),
                (SELECT count(*) FROM operations WHERE state IN ('queued', 'running'))
            """
        )
        return (0, 0, 0) if row is None else (row[0], int(row[1]), row[2])

    async def expired(self, now: float) -> tuple[str, ...]:
        """Returns the ids of the documents that `expire` would delete."""
        rows = await self._database.rows(f"SELECT id FROM documents WHERE {DEAD}", (now,))  # noqa: S608 - a constant
        return tuple(row["id"] for row in rows)

    async def expire(self, now: float) -> tuple[str, ...]:
        """Deletes documents whose time is over and that nothing runs on; returns their ids."""

        def work(connection: sqlite3.Connection) -> tuple[str, ...]:
            rows = connection.execute(f"SELECT id FROM documents WHERE {DEAD}", (now,)).fetchall()  # noqa: S608 - a constant
            for row in rows:
                _, digest = owner_and_digest(connection, row["id"])
                append(connection, now, SERVICE, "expire", row["id"], (digest, None))
                end_key(connection, now, row["id"])
                connection.execute("DELETE FROM documents WHERE id = ?", (row["id"],))
            return tuple(row["id"] for row in rows)

        return await self._database.write(work)

    async def expect(self, document: str) -> None:
        """Does nothing: the sweeper lists the folder."""

    async def garbage(self) -> tuple[str, ...]:
        """Returns nothing: the sweeper lists the folder."""
        return ()

    async def cleared(self, documents: Collection[str]) -> None:
        """Does nothing."""

    async def legal_hold(
        self, subject: str, now: float, *, is_owner: bool, begins: bool, who: str = OPERATOR
    ) -> tuple[str, ...]:
        """Begins or ends the legal hold of a document, or of all that an owner has now."""
        end = "?2" if begins else "?2 + ttl_seconds"
        which = f"{'owner' if is_owner else 'id'} = ?1 AND expires_at {'<' if begins else '>='} ?3"
        values = (subject, HELD_UNTIL if begins else now, HELD_FROM)

        def work(connection: sqlite3.Connection) -> tuple[str, ...]:
            rows = connection.execute(
                f"UPDATE documents SET expires_at = {end} WHERE {which} RETURNING id",  # noqa: S608 - constants
                values,
            ).fetchall()
            for row in rows:
                deed = "hold" if begins else "release"
                append(connection, now, who, deed, row["id"])
            return tuple(row["id"] for row in rows)

        return await self._database.write(work)

    async def known(self) -> frozenset[str]:
        """Returns the ids of all documents."""
        return frozenset(row["id"] for row in await self._database.rows("SELECT id FROM documents"))

    async def rewrap(self, document: str, before: bytes, after: bytes) -> bool:
        """Puts a document's key, sealed anew, in the place of the one that was there."""
        changed = await self._database.change(
            "UPDATE documents SET sealed_key = ? WHERE id = ? AND sealed_key = ?",
            (after, document, before),
        )
        return changed == 1

    async def wipe(self) -> None:
        """Leaves no trace of deleted rows in the files of the database."""
        await self._database.wipe()
