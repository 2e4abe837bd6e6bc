"""A shared database and its bucket as a place from which or to which documents are moved."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager

from redraft.api.admin.migration import STALE, Row, Rows, insertion, selection
from redraft.api.files.s3 import S3Files, bucket
from redraft.api.metadata.database import Value
from redraft.api.metadata.postgres import UPLOAD_SECONDS
from redraft.api.metadata.postgres_audit import AUDIT_LOCK, PostgresAudit
from redraft.api.metadata.postgres_database import (
    APPLICATION,
    NOW,
    PostgresDatabase,
    open_postgres,
)
from redraft.api.settings import Settings

CONNECTIONS = 4
COLUMNS = """
    SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = current_schema()
"""
OTHERS = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = $1
"""


class SharedPlace:
    """A database that no service uses, where documents are moved away from it."""

    def __init__(self, database: PostgresDatabase, files: S3Files) -> None:
        self._database = database
        self.files = files
        self.audit = PostgresAudit(database)
        self._flags: set[tuple[str, str]] = set()

    async def columns(self) -> Mapping[str, frozenset[str]]:
        """Returns the columns of every table."""
        tables: dict[str, frozenset[str]] = {}
        async with self._database.transaction() as connection:
            for table, name, kind in await connection.fetch(COLUMNS):
                tables[table] = tables.get(table, frozenset()) | {name}
                if kind == "boolean":
                    self._flags.add((table, name))
        return tables

    async def rows(self, table: str, columns: Sequence[str], where: Value = None) -> list[Row]:
        """Returns rows; a flag is 0 or 1, as in SQLite."""
        sql, values = selection(table, columns, where, "$1")
        async with self._database.transaction() as connection:
            rows = await connection.fetch(sql, *values)
        return [
            {name: int(v) if isinstance(v, bool) else v for name, v in row.items()} for row in rows
        ]

    async def insert(self, rows: Rows) -> None:
        """Adds those rows that are not there, in one transaction."""
        async with self._database.transaction() as connection:
            if "audit" in rows:
                await connection.execute(f"SELECT pg_advisory_xact_lock({AUDIT_LOCK})")
            for table, new in rows.items():
                for row in new:
                    marks = [f"${number + 1}" for number in range(len(row))]
                    values = (
                        bool(value) if (table, name) in self._flags else value
                        for name, value in row.items()
                    )
                    await connection.execute(insertion(table, row, marks), *values)
            arrived = [row["id"] for row in rows.get("documents", ())]
            await connection.execute("DELETE FROM garbage WHERE document = ANY($1)", arrived)

    async def users(self) -> int:
        """Counts the connections of services that use what is here."""
        async with self._database.transaction() as connection:
            return await connection.fetchval(OTHERS, APPLICATION)

    async def arriving(self, documents: Collection[str]) -> None:
        """Notes that objects of documents come, so that they go again if their rows do not."""
        async with self._database.transaction() as connection:
            await connection.execute(
                f"""
                INSERT INTO garbage
                    SELECT document, {NOW} + {UPLOAD_SECONDS} FROM unnest($1::text[]) t (document)
                ON CONFLICT (document) DO UPDATE SET due = excluded.due
                """,  # noqa: S608 - constants
                list(documents),
            )

    async def is_closed(self) -> bool:
        """Whether what is here was moved away."""
        async with self._database.transaction() as connection:
            return await connection.fetchval("SELECT EXISTS (SELECT FROM moved)")

    async def close(self) -> None:
        """Lets no service start here any more."""
        async with self._database.transaction() as connection:
            await connection.execute(f"INSERT INTO moved VALUES ({NOW})")  # noqa: S608 - a constant

    async def reopen(self) -> None:
        """Deletes the old copy, its objects after a while, and lets services start."""
        await self.arriving([str(row["id"]) for row in await self.rows("documents", ["id"])])
        async with self._database.transaction() as connection:
            for table in (*STALE, "moved"):
                await connection.execute(f"DELETE FROM {table}")  # noqa: S608 - a constant


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[SharedPlace]:
    """Opens the database and the bucket of the settings.

    Raises:
        MetadataError: one of them cannot be opened.
    """
    files = S3Files(bucket(settings.files_url), settings.data_dir)
    await files.probe()
    database = await open_postgres(settings.database_url, CONNECTIONS, f"{APPLICATION} migrate")
    try:
        yield SharedPlace(database, files)
    finally:
        await database.close()
