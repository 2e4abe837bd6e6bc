"""The metadata in PostgreSQL, which several processes share: three parts over one database."""

from __future__ import annotations

from collections.abc import Collection
from uuid import uuid4

import msgspec

from redraft.api.errors import OverloadedError
from redraft.api.metadata.audit import OPERATOR, SERVICE
from redraft.api.metadata.postgres_audit import NO_FILE, PostgresAudit, append, end_keys
from redraft.api.metadata.postgres_channel import PostgresChannel
from redraft.api.metadata.postgres_database import (
    BEGIN_LIGHTLY,
    NOW,
    PostgresDatabase,
    open_postgres,
)
from redraft.api.metadata.postgres_keys import PostgresKeys
from redraft.api.metadata.postgres_operations import (
    DIGEST,
    DOCUMENT,
    HEARD_SECONDS,
    NEW_VERSION,
    OPEN,
    PostgresOperations,
    check_quota,
    current,
    discarded,
)
from redraft.api.metadata.protocol import (
    HELD_FROM,
    HELD_UNTIL,
    MOVED,
    NO_QUOTA,
    Document,
    MetadataError,
    Quota,
    Version,
)
from redraft.api.metadata.rows import document_of, version_of, version_row

DEAD = f"""
    SELECT id, sealed_key, {DIGEST} AS digest FROM documents d WHERE expires_at <= {NOW} AND NOT
        (lease_until > {NOW} AND EXISTS
            (SELECT 1 FROM operations o WHERE o.document = d.id AND o.state = 'running'))
"""  # noqa: S608 - constants
AT_ONCE = 500
"""Documents that one statement deletes."""
UPLOAD_SECONDS = 3600.0
"""How long an upload may take from its first object to its row."""
CLAIM_SECONDS = 300.0
"""How long deleting the objects of documents may take."""
BEING_DELETED = "An earlier upload with this Idempotency-Key is being deleted; try again later"


class PostgresMetadata:
    """Everything the service remembers, in one PostgreSQL database."""

    def __init__(self, database: PostgresDatabase, url: str, lease_seconds: float) -> None:
        self._database = database
        name = uuid4().hex
        self.documents = PostgresDocuments(database)
        self.operations = PostgresOperations(database, name, lease_seconds)
        self.channel = PostgresChannel(database, url, name)
        self.keys = PostgresKeys(database)
        self.audit = PostgresAudit(database)

    @classmethod
    async def open(cls, url: str, connections: int, lease_seconds: float) -> PostgresMetadata:
        """Connects to a database.

        Raises:
            MetadataError: it cannot be reached, or its schema is another one.
        """
        database = await open_postgres(url, connections)
        async with database.transaction(BEGIN_LIGHTLY) as connection:
            is_moved = await connection.fetchval("SELECT EXISTS (SELECT FROM moved)")
        if is_moved:
            await database.close()
            raise MetadataError(MOVED)
        return cls(database, url, lease_seconds)

    async def close(self) -> None:
        """Lets go of the database."""
        await self._database.close()


class PostgresDocuments:
    """Documents and their versions."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    async def add(self, document: Document, version: Version, quota: Quota = NO_QUOTA) -> None:
        """Stores a new document with its version 0."""
        async with self._database.transaction() as connection:
            await connection.execute(
                """
                INSERT INTO documents
                    (id, owner, name, format, media_type, size, tracked, author, images,
                        ttl_seconds, created_at, updated_at, expires_at, version, sealed_key,
                        next_seq)
                VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,1)
                """,
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
            await connection.execute(NEW_VERSION, *version_row(document.id, version))
            await connection.execute("DELETE FROM garbage WHERE document = $1", document.id)
            await check_quota(connection, document.owner, quota)
            deed = (document.id, (None, version.digest))
            await append(connection, document.owner, "upload", (deed,))

    async def get(self, document: str) -> Document | None:
        """Returns a document, whether it is expired or not."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(DOCUMENT + "WHERE d.id = $1", document)
        return None if row is None else document_of(row)

    async def list(self, owner: str) -> tuple[Document, ...]:
        """Returns the documents of one owner, the newest last."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                DOCUMENT + "WHERE d.owner = $1 ORDER BY d.created_at, d.id", owner
            )
        return tuple(map(document_of, rows))

    async def every(self, after: str, limit: int) -> tuple[Document, ...]:
        """Returns documents of all owners, in the order of their ids, from behind one on."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch(
                DOCUMENT + "WHERE d.id > $1 ORDER BY d.id LIMIT $2", after, limit
            )
        return tuple(map(document_of, rows))

    async def version(self, document: str, number: int) -> Version | None:
        """Returns one version of a document."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(
                "SELECT * FROM versions WHERE document = $1 AND number = $2", document, number
            )
        return None if row is None else version_of(row)

    async def current(self, document: str) -> tuple[Document, Version] | None:
        """Returns a document and its current version."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            return await current(connection, document)

    async def usage(self, owner: str) -> tuple[int, int]:
        """Counts an owner's documents and the bytes of all their versions."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(
                """
                SELECT (SELECT count(*) FROM documents WHERE owner = $1) AS documents,
                    (SELECT coalesce(sum(v.size), 0)::bigint FROM versions v
                     JOIN documents d ON d.id = v.document WHERE d.owner = $1) AS bytes
                """,
                owner,
            )
        return (0, 0) if row is None else (row["documents"], row["bytes"])

    async def totals(self) -> tuple[int, int, int]:
        """Counts all documents, the bytes of all versions, and operations that wait or run."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            row = await connection.fetchrow(
                f"""
                SELECT (SELECT count(*) FROM documents) AS documents,
                    (SELECT coalesce(sum(size), 0)::bigint FROM versions) AS bytes,
                    (SELECT count(*) FROM operations WHERE {OPEN}) AS pending
                """  # noqa: S608 - constants
            )
        return (0, 0, 0) if row is None else (row["documents"], row["bytes"], row["pending"])

    async def expired(self, now: float) -> tuple[str, ...]:
        """Returns the ids of the documents that `expire` would delete."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            return tuple(row["id"] for row in await connection.fetch(DEAD))

    async def expire(self, now: float) -> tuple[str, ...]:
        """Deletes documents whose time is over and that nothing runs on; returns their ids.

        Each is deleted by one of the processes that do so at once.
        """
        deleted: list[str] = []
        while True:
            async with self._database.transaction() as connection:
                rows = await connection.fetch(
                    f"{DEAD} ORDER BY id LIMIT {AT_ONCE} FOR UPDATE SKIP LOCKED"
                )
                over = [row["id"] for row in rows]
                deeds = [(row["id"], (row["digest"], None)) for row in rows]
                await append(connection, SERVICE, "expire", deeds)
                await end_keys(connection, rows)
                await connection.execute("DELETE FROM documents WHERE id = ANY($1)", over)
                await discarded(connection, over)
                await connection.execute(
                    f"DELETE FROM deletions WHERE deleted_at < {NOW} - {HEARD_SECONDS}"  # noqa: S608 - constants
                )
                await connection.execute(f"DELETE FROM windows WHERE minute < {NOW} / 60 - 1")  # noqa: S608 - a constant
            deleted.extend(over)
            if len(over) < AT_ONCE:
                return tuple(deleted)

    async def expect(self, document: str) -> None:
        """Notes that objects are stored for a document, so that they go if it is never added."""
        async with self._database.transaction() as connection:
            noted = await connection.execute(
                f"""
                INSERT INTO garbage VALUES ($1, {NOW} + {UPLOAD_SECONDS})
                ON CONFLICT (document) DO UPDATE SET due = excluded.due
                WHERE garbage.claimed_until < {NOW}
                """,  # noqa: S608 - constants
                document,
            )
        if noted == "INSERT 0 0":
            raise OverloadedError(BEING_DELETED, retry_after=5)

    async def garbage(self) -> tuple[str, ...]:
        """Returns documents whose objects are to be deleted, and keeps others from them."""
        async with self._database.transaction() as connection:
            rows = await connection.fetch(
                f"""
                UPDATE garbage SET claimed_until = {NOW} + {CLAIM_SECONDS} WHERE document IN
                    (SELECT document FROM garbage WHERE due <= {NOW} AND claimed_until <= {NOW}
                     ORDER BY due LIMIT {AT_ONCE} FOR UPDATE SKIP LOCKED)
                RETURNING document
                """  # noqa: S608 - constants
            )
        return tuple(row["document"] for row in rows)

    async def cleared(self, documents: Collection[str]) -> None:
        """Notes that the objects of what `garbage` returned are deleted."""
        async with self._database.transaction() as connection:
            await connection.execute(
                f"""
                DELETE FROM garbage WHERE document = ANY($1) AND due <= {NOW}
                    AND claimed_until > {NOW}
                """,  # noqa: S608 - constants
                list(documents),
            )

    async def legal_hold(
        self, subject: str, now: float, *, is_owner: bool, begins: bool, who: str = OPERATOR
    ) -> tuple[str, ...]:
        """Begins or ends the legal hold of a document, or of all that an owner has now."""
        end = f"{HELD_UNTIL}" if begins else f"{NOW} + ttl_seconds"
        which = f"{'owner' if is_owner else 'id'} = $1"
        which += f" AND expires_at {'<' if begins else '>='} {HELD_FROM}"
        async with self._database.transaction() as connection:
            rows = await connection.fetch(
                f"UPDATE documents SET expires_at = {end} WHERE {which} RETURNING id",  # noqa: S608 - constants
                subject,
            )
            deeds = [(row["id"], NO_FILE) for row in rows]
            await append(connection, who, "hold" if begins else "release", deeds)
        return tuple(row["id"] for row in rows)

    async def known(self) -> frozenset[str]:
        """Returns the ids of all documents."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch("SELECT id FROM documents")
        return frozenset(row["id"] for row in rows)

    async def rewrap(self, document: str, before: bytes, after: bytes) -> bool:
        """Puts a document's key, sealed anew, in the place of the one that was there."""
        async with self._database.transaction() as connection:
            changed = await connection.execute(
                "UPDATE documents SET sealed_key = $3 WHERE id = $1 AND sealed_key = $2",
                document,
                before,
                after,
            )
        return changed == "UPDATE 1"

    async def wipe(self) -> None:
        """Does nothing: PostgreSQL itself clears what was deleted, in its own time."""
