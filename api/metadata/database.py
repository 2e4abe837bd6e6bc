"""One SQLite file: a connection that writes, one that reads, and the steps to today's schema."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import aiosqlite

from redraft.api.disk_errors import OTHER_FOLDER
from redraft.api.metadata.migrations import STEPS
from redraft.api.metadata.protocol import MetadataError

Durability: TypeAlias = Literal["normal", "full"]
Value: TypeAlias = str | int | float | bytes | None
ROWS_AT_ONCE = 64
COPY_SECONDS = 86_400.0
MOST_REMEMBERED = 2_000
T = TypeVar("T")
FULL_CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
ELSE = f"or {OTHER_FOLDER}"
DAMAGED = f"it is damaged or not a database; restore a backup, move the file away, {ELSE}"
REASONS = {
    sqlite3.SQLITE_CANTOPEN: "no file can be opened there; remove the folder of that name, "
    f"give its parent to the user that runs redraft, {ELSE}",
    sqlite3.SQLITE_ERROR: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_READONLY: f"it is not writable; give it to the user that runs redraft, {ELSE}",
    sqlite3.SQLITE_FULL: f"the disk is full; free some space, {ELSE}",
    sqlite3.SQLITE_IOERR: f"the disk is full or failing; free some space, check the disk, {ELSE}",
    sqlite3.SQLITE_BUSY: f"another program is using it; stop that program, {ELSE}",
}
"""What an operator reads, by the primary result code of SQLite."""


class _Connection(aiosqlite.Connection):
    """A connection that runs whole pieces of work in its thread, in one go."""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._execute(work, self._conn)  # pyright: ignore[reportUnknownMemberType]

    async def ended(self) -> None:
        """Waits for the thread of a connection that could not be made.

        It has an answer for the event loop yet, which must not be closed before.
        """
        await asyncio.to_thread(self._thread.join)


class _Memory:
    """Answers of queries, which hold as long as nobody writes: neither we nor another process.

    SQLite says so itself, by a number that it keeps in shared memory: to ask for it takes
    microseconds and no disk, so that this is done where the event loop runs.

    Args:
        watcher: A connection that is used for nothing else.
    """

    def __init__(self, watcher: sqlite3.Connection) -> None:
        self._watcher = watcher
        self._answers: dict[Hashable, Any] = {}
        self._state: int | None = None

    def state(self) -> int | None:
        """Returns a number that is another one once anybody has written; None if unknown."""
        try:
            # Read to its end, or it would hold the log of the database open.
            state = int(self._watcher.execute("PRAGMA data_version").fetchall()[0][0])
        except sqlite3.Error:
            state = None
        if state is None or state != self._state or len(self._answers) >= MOST_REMEMBERED:
            self._answers.clear()
        self._state = state
        return state

    def answers(self) -> dict[Hashable, Any]:
        """Returns what still holds."""
        self.state()
        return self._answers

    def keep(self, key: Hashable, value: object, state: int | None) -> None:
        """Remembers an answer, unless somebody has written since that state."""
        if state is not None and self.state() == state:
            self._answers[key] = value

    def close(self) -> None:
        self._watcher.close()


class Database:
    """An open database.

    A piece of work is a plain function over the connection. It runs in one go in the thread of
    its connection: nothing comes between its statements, and a caller who stops waiting changes
    nothing. Readers never wait for the writer (WAL).
    """

    def __init__(
        self, path: Path, writer: _Connection, reader: _Connection, memory: _Memory
    ) -> None:
        self._path = path
        self._writer = writer
        self._reader = reader
        self._memory = memory

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs work in a transaction; when it raises, nothing has happened.

        The transaction begins IMMEDIATE: one that read first and wrote later would fail at once
        when another process writes.

        Raises:
            MetadataError: the database refused.
        """
        with _translated():
            return await self._writer.run(lambda connection: _transaction(connection, work))

    async def change(self, sql: str, values: Sequence[Value]) -> int:
        """Runs one statement in a transaction of its own; returns how many rows it changed.

        Raises:
            MetadataError: the database refused.
        """
        return await self.write(lambda connection: connection.execute(sql, values).rowcount)

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs several queries on the reading connection in one go.

        Raises:
            MetadataError: the database refused.
        """
        with _translated():
            return await self._reader.run(work)

    async def remember(self, key: Hashable, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs queries as `read` does, or gives what they gave if nobody has written since.

        Args:
            key: Tells the queries and their values apart; the answer must be a value.
            work: The queries.

        Raises:
            MetadataError: the database refused.
        """
        answers = self._memory.answers()
        if key in answers:
            return answers[key]
        state = self._memory.state()
        value = await self.read(work)
        self._memory.keep(key, value, state)
        return value

    async def rows(self, sql: str, values: Sequence[Value] = ()) -> list[sqlite3.Row]:
        """Runs a query on the reading connection.

        Raises:
            MetadataError: the database refused.
        """
        return await self.read(lambda connection: connection.execute(sql, values).fetchall())

    async def row(self, sql: str, values: Sequence[Value] = ()) -> sqlite3.Row | None:
        """Returns the first row of a query."""
        rows = await self.rows(sql, values)
        return rows[0] if rows else None

    async def wipe(self) -> None:
        """Cuts the write-ahead log to nothing, and drops copies that an upgrade made a day ago."""
        with _translated():
            await self._writer.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        await asyncio.to_thread(_drop_old_copies, self._path)

    async def close(self) -> None:
        """Closes all connections."""
        self._memory.close()
        await self._reader.close()
        await self._writer.close()


def first(
    connection: sqlite3.Connection, sql: str, values: Sequence[Value] | Mapping[str, Value] = ()
) -> sqlite3.Row | None:
    """Returns the first row of a query, within a piece of work."""
    rows = connection.execute(sql, values).fetchall()
    return rows[0] if rows else None


def _drop_old_copies(path: Path) -> None:
    # They hold text of documents that have expired since.
    for copy in path.parent.glob(f"{path.name}.before-*"):
        if time.time() - copy.stat().st_mtime > COPY_SECONDS:
            copy.unlink(missing_ok=True)


def _transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        value = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    return value


class _translated:  # noqa: N801 - reads as a word of the with statement
    """Turns what SQLite raises into MetadataError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            # Without a code it is Python that could not read a text or a type.
            reason = REASONS.get(code, type(error).__name__ if code else DAMAGED)
            raise MetadataError(reason, full=code in FULL_CODES) from error
        if isinstance(error, UnicodeDecodeError):  # SQLite quotes what it found in a damaged page
            raise MetadataError(DAMAGED) from error


async def open_database(path: Path, durability: Durability = "normal") -> Database:
    """Opens the database, making it or bringing its schema up to date.

    Before an older schema is changed, the file is copied to `<name>.before-<version>`.

    Raises:
        MetadataError: it cannot be opened, or a newer release has written it.
    """
    with _translated():
        _close_to_others(path)
        writer = await _connect(path, durability)
        try:
            await _migrate(writer, path)
            reader = await _connect(path, durability)
        except BaseException:
            await writer.close()
            raise
        watcher = sqlite3.connect(path, timeout=0, isolation_level=None)
        return Database(path, writer, reader, _Memory(watcher))


def _close_to_others(path: Path) -> None:
    """Makes the file with a mode that SQLite gives to all that it puts beside it."""
    with contextlib.suppress(OSError):  # what is wrong with it is told when it is opened
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for file in path.parent.glob(f"{path.name}*"):
            file.chmod(0o600)


async def _connect(path: Path, durability: Durability) -> _Connection:
    def connector() -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, cached_statements=256)

    connection = _Connection(connector, ROWS_AT_ONCE)
    try:
        await connection
    except sqlite3.Error:
        await connection.ended()
        raise
    connection.row_factory = sqlite3.Row
    try:
        for pragma in _pragmas(durability):
            await connection.execute_fetchall(f"PRAGMA {pragma}")
    except BaseException:
        # Its thread would keep the process from ending.
        await connection.close()
        raise
    return connection


def _pragmas(durability: Durability) -> tuple[str, ...]:
    return (
        "journal_mode=WAL",
        f"synchronous={'FULL' if durability == 'full' else 'NORMAL'}",
        "busy_timeout=5000",
        "foreign_keys=ON",
        "secure_delete=ON",
        "trusted_schema=OFF",
    )


async def _migrate(connection: aiosqlite.Connection, path: Path) -> None:
    rows = list(await connection.execute_fetchall("PRAGMA user_version"))
    schema_version = int(rows[0][0])
    if schema_version > len(STEPS):
        message = "the database was written by a newer version of redraft; upgrade redraft"
        raise MetadataError(message)
    if 0 < schema_version < len(STEPS):
        await connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        copy = path.with_name(f"{path.name}.before-{schema_version}")
        await asyncio.to_thread(shutil.copyfile, path, copy)
        await asyncio.to_thread(copy.chmod, 0o600)
    for number, step in enumerate(STEPS[schema_version:], start=schema_version + 1):
        await connection.executescript(
            f"BEGIN IMMEDIATE;{step};PRAGMA user_version={number};COMMIT;"
        )
