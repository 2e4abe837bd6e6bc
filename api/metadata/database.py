"""One SQLite file: a connection that writes, one that reads, and the steps to today's schema."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import aiosqlite

from api.metadata.migrations import STEPS
from api.metadata.protocol import MetadataError

Durability: TypeAlias = Literal["normal", "full"]
Value: TypeAlias = str | int | float | bytes | None
FULL_CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


class Database:
    """An open database.

    Readers never wait for the writer (WAL). Each write transaction begins IMMEDIATE: one that
    read first and wrote later would fail at once when another process writes.
    """

    def __init__(self, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self._writer = writer
        self._reader = reader
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[aiosqlite.Connection]:
        """Hold the writer within BEGIN IMMEDIATE; roll back when the block raises.

        Raises:
            MetadataError: the database refused.
        """
        async with self._turn:
            try:
                with _translated():
                    await self._writer.execute("BEGIN IMMEDIATE")
                    yield self._writer
                    await self._writer.execute("COMMIT")
            except BaseException:
                # A cancelled task must not leave its transaction open for the next one.
                # Without one, rolling back does nothing.
                await asyncio.shield(self._writer.rollback())
                raise

    async def rows(self, sql: str, values: Iterable[Value] = ()) -> list[sqlite3.Row]:
        """Run a query on the reading connection.

        Raises:
            MetadataError: the database refused.
        """
        with _translated():
            return list(await self._reader.execute_fetchall(sql, values))

    async def row(self, sql: str, values: Iterable[Value] = ()) -> sqlite3.Row | None:
        """Return the first row of a query."""
        rows = await self.rows(sql, values)
        return rows[0] if rows else None

    async def wipe(self) -> None:
        """Move everything out of the write-ahead log and cut it to nothing."""
        async with self._turn:
            with _translated():
                await self._writer.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")

    async def close(self) -> None:
        """Close both connections."""
        await self._reader.close()
        await self._writer.close()


class _translated:  # noqa: N801 - reads as a word of the with statement
    """Turns what SQLite raises into MetadataError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            full = getattr(error, "sqlite_errorcode", 0) & 0xFF in FULL_CODES
            raise MetadataError(type(error).__name__, full=full) from error


async def open_database(path: Path, durability: Durability = "normal") -> Database:
    """Open the database, making it or bringing its schema up to date.

    Before an older schema is changed, the file is copied to `<name>.before-<version>`.

    Raises:
        MetadataError: it cannot be opened, or a newer release has written it.
    """
    with _translated():
        writer = await _connect(path, durability)
        try:
            await _migrate(writer, path)
        except BaseException:
            await writer.close()
            raise
        await asyncio.to_thread(path.chmod, 0o600)
        return Database(writer, await _connect(path, durability))


async def _connect(path: Path, durability: Durability) -> aiosqlite.Connection:
    connection = await aiosqlite.connect(path, isolation_level=None, cached_statements=256)
    connection.row_factory = sqlite3.Row
    for pragma in (
        "journal_mode=WAL",
        f"synchronous={'FULL' if durability == 'full' else 'NORMAL'}",
        "busy_timeout=5000",
        "foreign_keys=ON",
        "secure_delete=ON",
        "trusted_schema=OFF",
    ):
        await connection.execute_fetchall(f"PRAGMA {pragma}")
    return connection


async def _migrate(connection: aiosqlite.Connection, path: Path) -> None:
    rows = list(await connection.execute_fetchall("PRAGMA user_version"))
    taken = int(rows[0][0])
    if taken > len(STEPS):
        message = "the database was written by a newer release of redraft"
        raise MetadataError(message)
    if 0 < taken < len(STEPS):
        await connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        await asyncio.to_thread(shutil.copy2, path, path.with_name(f"{path.name}.before-{taken}"))
    for number, step in enumerate(STEPS[taken:], start=taken + 1):
        await connection.executescript(
            f"BEGIN IMMEDIATE;{step};PRAGMA user_version={number};COMMIT;"
        )
