"""Moves what a service keeps between a folder and a shared database with its bucket, either way.

Objects are copied first and read back, then the rows of the same documents in one transaction,
which are compared as well. What is there already is compared and not copied again, so that a move
that broke off is started again from the beginning. The source stays as it is, and is closed at the
end: no service starts on it any more.

Tables are copied by the columns that both databases have: those with a column `document` and the
documents themselves by document, all others whole but for what belongs to one place (`OWN`).
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from redraft.api.files.local import LocalFiles
from redraft.api.files.protocol import AbsentError, FileStore
from redraft.api.metadata.audit import Audit, Entry
from redraft.api.metadata.database import Database, Value, open_database
from redraft.api.metadata.sqlite import MOVED_AWAY, is_moved
from redraft.api.metadata.sqlite_audit import SqliteAudit
from redraft.api.stores import DATABASE

Row: TypeAlias = "Mapping[str, Value]"
Rows: TypeAlias = "Mapping[str, Sequence[Row]]"
OF_DATABASE = ("audit", "audit_salt", "audit_waiting", "clock", "schema_version")
OWN = {*OF_DATABASE, "deletions", "garbage", "moved", "sqlite_sequence", "windows"}
STALE = ("documents", "api_keys", "quotas", "presign_keys")
"""What is emptied before newer documents and keys take the place of an old copy."""
AT_ONCE = 200
"""Documents whose rows one transaction copies."""
OBJECTS_AT_ONCE = 16
ENTRIES_AT_ONCE = 1_000
DIFFERS = "document {} is at both places and differs; delete it at one of them"


class MigrationError(Exception):
    """The move cannot go on; the message says why."""


class Place(Protocol):
    """A database and its files, from which or to which documents are moved."""

    @property
    def files(self) -> FileStore:
        """The objects, as they are stored."""
        ...

    @property
    def audit(self) -> Audit:
        """The audit log."""
        ...

    async def columns(self) -> Mapping[str, frozenset[str]]:
        """Returns the columns of every table."""
        ...

    async def rows(self, table: str, columns: Sequence[str], where: Value = None) -> list[Row]:
        """Returns rows: all, or those of one document; a flag is 0 or 1."""
        ...

    async def insert(self, rows: Rows) -> None:
        """Adds those rows that are not there, in one transaction."""
        ...

    async def users(self) -> int:
        """Counts the connections of services that use what is here."""
        ...

    async def arriving(self, documents: Collection[str]) -> None:
        """Notes that objects of documents come, whose rows may never."""
        ...

    async def is_closed(self) -> bool:
        """Whether what is here was moved away."""
        ...

    async def close(self) -> None:
        """Lets no service start here any more."""
        ...

    async def reopen(self) -> None:
        """Deletes what was moved away, of which this is an old copy, and lets services start."""
        ...


@dataclass(slots=True)
class Moved:
    """What was moved, or was there already."""

    documents: int = 0
    objects: int = 0
    size: int = 0
    rows: int = 0
    missing: list[str] = field(default_factory=list[str])
    """Keys of objects that the source has lost."""
    digests: tuple[str, str] = ("", "")
    """SHA-256 over the rows of these documents at the source, and at the target."""
    has_log: bool = True
    """Whether the audit log came along; False where the target has one of its own."""


class FolderPlace:
    """A data folder that no service uses."""

    def __init__(self, folder: Path, database: Database) -> None:
        self._database = database
        self.files = LocalFiles(folder)
        self.audit = SqliteAudit(database)
        self._bytes: dict[str, frozenset[str]] = {}

    async def columns(self) -> Mapping[str, frozenset[str]]:
        """Returns the columns of every table."""
        rows = await self._database.rows(
            """
            SELECT m.name AS tbl, c.name AS col, c.type AS kind
            FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
            """
        )
        tables: dict[str, frozenset[str]] = {}
        for row in rows:
            tables[row["tbl"]] = tables.get(row["tbl"], frozenset()) | {row["col"]}
            if row["kind"] == "BLOB":
                self._bytes[row["tbl"]] = self._bytes.get(row["tbl"], frozenset()) | {row["col"]}
        return tables

    async def rows(self, table: str, columns: Sequence[str], where: Value = None) -> list[Row]:
        """Returns rows; a text in a column of bytes is one that a default made."""
        sql, values = selection(table, columns, where, "?")
        rows = await self._database.rows(sql, values)
        of_bytes = self._bytes.get(table, frozenset())
        return [
            {
                name: value.encode() if name in of_bytes and isinstance(value, str) else value
                for name, value in zip(columns, row, strict=True)
            }
            for row in rows
        ]

    async def insert(self, rows: Rows) -> None:
        """Adds those rows that are not there, in one transaction."""

        def work(connection: sqlite3.Connection) -> None:
            for table, new in rows.items():
                for row in new:
                    sql = insertion(table, row, "?" * len(row))
                    connection.execute(sql, tuple(row.values()))

        await self._database.write(work)

    async def users(self) -> int:
        """Returns 0: whoever opened this place has locked the folder."""
        return 0

    async def arriving(self, documents: Collection[str]) -> None:
        """Does nothing: the sweeper lists the folder."""

    async def is_closed(self) -> bool:
        """Whether what is here was moved away."""
        return await is_moved(self._database)

    async def close(self) -> None:
        """Lets no service start here any more."""
        await self._database.change(f"PRAGMA application_id = {MOVED_AWAY}", ())

    async def reopen(self) -> None:
        """Deletes the old copy, and lets services start."""

        def work(connection: sqlite3.Connection) -> None:
            for table in STALE:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - a constant
            connection.execute("PRAGMA application_id = 0")

        await self._database.write(work)


@asynccontextmanager
async def folder_place(folder: Path) -> AsyncGenerator[FolderPlace]:
    """Opens a data folder.

    Raises:
        MetadataError: its database cannot be opened.
    """
    database = await open_database(folder / DATABASE, "full")
    place = FolderPlace(folder, database)
    try:
        await asyncio.to_thread(place.files.prepare)
        yield place
    finally:
        await database.wipe()
        await database.close()


def selection(
    table: str, columns: Sequence[str], where: Value, mark: str
) -> tuple[str, tuple[Value, ...]]:
    """Returns the query for rows of a table, all or those of one document, and its values."""
    sql = f"SELECT {','.join(columns)} FROM {table}"  # noqa: S608 - names of the schema
    if where is None:
        return sql, ()
    return f"{sql} WHERE {'id' if table == 'documents' else 'document'} = {mark}", (where,)


def insertion(table: str, row: Row, marks: Sequence[str]) -> str:
    """Returns the statement that adds a row if it is not there; the log has no second of a row."""
    sql = f"INSERT INTO {table} ({','.join(row)}) VALUES ({','.join(marks)})"  # noqa: S608 - names of the schema
    return sql if table == "audit" else f"{sql} ON CONFLICT DO NOTHING"


async def move(source: Place, target: Place) -> Moved:
    """Copies everything, compares it, and closes the source.

    Raises:
        MigrationError: something is at both places and differs.
        MetadataError, StoreError: a store failed; the move may be started again.
    """
    if await source.is_closed():
        message = "what it holds was moved away already"
        raise MigrationError(message)
    await _check_unused(source)
    if await target.is_closed():
        await target.reopen()
    tables = _common(await source.columns(), await target.columns())
    moved, sums = Moved(), (hashlib.sha256(), hashlib.sha256())
    waiting = [str(row["id"]) for row in await source.rows("documents", ["id"])]
    present = {row["id"] for row in await target.rows("documents", ["id"])}
    for start in range(0, len(waiting), AT_ONCE):
        batch = waiting[start : start + AT_ONCE]
        rows = await _of_documents(source, tables, batch)
        await _copy_objects(source, target, rows, present, moved)
        await target.insert({name: rows[name] for name in _parents_first(rows)})
        _compare(sums, rows, await _of_documents(target, tables, batch))
        moved.documents += len(batch)
        moved.rows += sum(map(len, rows.values()))
    await target.insert(await _others(source, target, tables))
    moved.digests = (sums[0].hexdigest(), sums[1].hexdigest())
    moved.has_log = await _copy_log(source, target)
    await _check_unused(source)
    await source.close()
    return moved


async def _check_unused(source: Place) -> None:
    users = await source.users()
    if users:
        message = f"services use what is to be moved ({users} connections); stop them all first"
        raise MigrationError(message)


def _common(
    one: Mapping[str, frozenset[str]], two: Mapping[str, frozenset[str]]
) -> Mapping[str, Sequence[str]]:
    return {name: sorted(one[name] & two[name]) for name in sorted(one) if name in two}


def _parents_first(tables: Iterable[str]) -> list[str]:
    return sorted(tables, key=lambda table: table != "documents")


async def _of_documents(
    place: Place, tables: Mapping[str, Sequence[str]], documents: Iterable[str]
) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {
        table: [] for table, names in tables.items() if table == "documents" or "document" in names
    }
    for document in documents:
        for table in rows.keys() - OWN:
            rows[table].extend(await place.rows(table, tables[table], document))
    return {
        table: sorted(rows[table], key=msgspec.json.encode) for table in sorted(rows.keys() - OWN)
    }


async def _others(
    source: Place, target: Place, tables: Mapping[str, Sequence[str]]
) -> dict[str, list[Row]]:
    rows = {
        table: await source.rows(table, names)
        for table, names in tables.items()
        if table not in OWN and table != "documents" and "document" not in names
    }
    # Links that were signed before still open; of two keys that sign, that of the target goes on.
    signing = await target.rows("presign_keys", ["retired_at", "created_at"])
    if any(row["retired_at"] is None for row in signing):
        rows["presign_keys"] = [
            {**row, "retired_at": row["retired_at"] or time.time()} for row in rows["presign_keys"]
        ]
    return rows


async def _copy_objects(
    source: Place, target: Place, rows: Rows, present: Collection[Value], moved: Moved
) -> None:
    keys = sorted({f"{row['document']}/{row['blob']}" for row in rows["versions"]})
    await target.arriving({str(row["id"]) for row in rows["documents"] if row["id"] not in present})
    gate = asyncio.Semaphore(OBJECTS_AT_ONCE)

    async def copy(key: str) -> None:
        async with gate:
            data, document = await _loaded(source.files, key), key.partition("/")[0]
            if data is None:
                moved.missing.append(key)
                return
            if document not in present:
                await target.files.put(data, key)
            if await _loaded(target.files, key) != data:
                raise MigrationError(DIFFERS.format(document))
            moved.objects += 1
            moved.size += len(data)

    await asyncio.gather(*map(copy, keys))


async def _loaded(files: FileStore, key: str) -> bytes | None:
    try:
        return await files.load(key)
    except AbsentError:
        return None


class _Sum(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


def _compare(sums: tuple[_Sum, _Sum], one: Rows, two: Rows) -> None:
    for table in one:
        for total, rows in zip(sums, (one[table], two[table]), strict=True):
            total.update(msgspec.json.encode((table, rows)))
    if sums[0].digest() != sums[1].digest():
        pairs = zip(one["documents"], two["documents"], strict=False)
        name = next((str(a["id"]) for a, b in pairs if a != b), "one of them")
        raise MigrationError(DIFFERS.format(name))


async def _copy_log(source: Place, target: Place) -> bool:
    """Appends what the log of the target lacks; False where it is not the beginning of ours."""
    head = await target.audit.head()
    number = 0
    if head is not None:
        number = head.number
        if await source.audit.entries(number - 1, 1) != (head,):
            return False
    while entries := await source.audit.entries(number, ENTRIES_AT_ONCE):
        await target.insert({"audit": [_row(entry) for entry in entries]})
        number = entries[-1].number
    return True


def _row(entry: Entry) -> Row:
    return msgspec.structs.asdict(entry)
