"""A copy of a data folder, whole at one moment, made while the service runs, and put back.

    <backup>/redraft-backup.json    when it was made, and the SHA-256 of the database
    <backup>/redraft.sqlite         the database as it was at one moment
    <backup>/documents/<id>/<blob>  the files that it names, each with the digest that it names

What was made from files (clean copies, lists of changes) is left out; it is made again when needed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from redraft.api.files.local import DOCUMENTS
from redraft.api.metadata.audit import Entry
from redraft.api.settings import variable
from redraft.api.stores import DATABASE

MANIFEST = "redraft-backup.json"
FILES = """
    SELECT DISTINCT v.document, v.blob, v.digest, d.sealed_key
    FROM versions v JOIN documents d ON d.id = v.document ORDER BY v.document, v.blob
"""
FILES_BEFORE_KEYS = """
    SELECT DISTINCT document, blob, digest, NULL FROM versions ORDER BY document, blob
"""
"""Of a database from before documents were encrypted."""
GONE = "SELECT 1 FROM documents WHERE id = ?"


ENCRYPTED = (
    f"documents in it are encrypted; set {variable('encryption_key')} to their key, so that the "
    "files can be compared with what they should be"
)


class BackupError(Exception):
    """A backup cannot be made or used; the message says why."""


Opening: TypeAlias = "Callable[[bytes, bytes, str], bytes]"
"""Opens a sealed file: its bytes, the sealed key of its document, and the name it is stored as."""


def unopened(stored: bytes, sealed_key: bytes, name: str) -> bytes:
    """Opens nothing.

    Raises:
        BackupError: the file is sealed, and there is no key.
    """
    del stored, sealed_key, name
    raise BackupError(ENCRYPTED)


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself: when it was made, and the SHA-256 of its database."""

    made_at: str
    database: str


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup came to: documents, files and their bytes, and documents that are damaged."""

    documents: int
    files: int
    size: int
    damaged: tuple[str, ...]


def make(data_folder: Path, target: Path, made_at: str, opening: Opening = unopened) -> Backup:
    """Makes a backup of a data folder; the service may run.

    Documents that are deleted while it is made are not in it, nor are damaged ones, which it names.

    Raises:
        BackupError: there is no database, it is damaged, or the target exists.
        OSError: the target cannot be written.
    """
    database = data_folder / DATABASE
    if not database.is_file():
        message = f"there is no data folder of a service at {data_folder}"
        raise BackupError(message)
    if target.exists():
        message = f"{target} is there already; name a folder that is not"
        raise BackupError(message)
    with _whole_or_nothing(target) as folder:
        copy = folder / DATABASE
        with _database(database) as live, _database(copy) as copied:
            live.backup(copied)  # one step: the database at one moment, whoever writes meanwhile
            copied.execute("PRAGMA journal_mode=DELETE")
            _check(copied, database)
            backup = _copy_files(live, copied, data_folder / DOCUMENTS, folder / DOCUMENTS, opening)
        manifest = Manifest(made_at, _digest(copy))
        (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    return backup


def verify(backup: Path, opening: Opening = unopened) -> Manifest:
    """Checks every file of a backup against its digest.

    Raises:
        BackupError: it is no backup, or something in it is not what was put there.
    """
    try:
        manifest = msgspec.json.decode((backup / MANIFEST).read_bytes(), type=Manifest)
        if _digest(backup / DATABASE) != manifest.database:
            message = f"the database of {backup} is damaged"
            raise BackupError(message)
        with _database(backup / DATABASE) as database:
            rows = _files(database)
        for document, blob, digest, sealed_key in rows:
            path = backup / DOCUMENTS / document / blob
            if _opened_digest(path, sealed_key, opening) != digest:
                message = f"the file of document {document} in {backup} is damaged"
                raise BackupError(message)
    except (OSError, msgspec.MsgspecError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its description is damaged"
        message = f"{backup} is no whole backup: {reason}"
        raise BackupError(message) from error
    return manifest


def put_back(backup: Path, data_folder: Path) -> None:
    """Puts a verified backup in the place of what a data folder holds; nobody may use the folder.

    All is copied before anything is replaced.

    Raises:
        OSError: it cannot be written; if it fails before the end, it can be done again.
    """
    arriving, leaving = data_folder / "arriving", data_folder / "leaving"
    for folder in (arriving, leaving):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
    (arriving / DOCUMENTS).mkdir(mode=0o700)
    if (backup / DOCUMENTS).is_dir():
        shutil.copytree(backup / DOCUMENTS, arriving / DOCUMENTS, dirs_exist_ok=True)
    shutil.copyfile(backup / DATABASE, arriving / DATABASE)
    for path in (data_folder / DOCUMENTS, *sorted(data_folder.glob(f"{DATABASE}*"))):
        if path.exists():
            path.replace(leaving / path.name)
    for path in (arriving / DOCUMENTS, arriving / DATABASE):
        path.replace(data_folder / path.name)
    shutil.rmtree(arriving)
    shutil.rmtree(leaving)


def revoked(database: Path) -> frozenset[str]:
    """Returns the ids of the keys that a database says are revoked; none if it is unusable."""
    try:
        with _database(database) as opened:
            rows = opened.execute("SELECT id FROM api_keys WHERE revoked_at IS NOT NULL").fetchall()
    except sqlite3.Error:
        return frozenset()
    return frozenset(str(row[0]) for row in rows)


def keep_log(database: Path, folder: Path) -> Path | None:
    """Writes the audit log of a database that is to go into a file, as `redraft audit export` does.

    Returns:
        The file; None of a database that has no log or is unusable.
    """
    try:
        with _database(database) as opened:
            rows = opened.execute("SELECT * FROM audit ORDER BY number").fetchall()
    except sqlite3.Error:
        return None
    if not rows:
        return None
    path = folder / f"audit-{rows[-1][0]}.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(Entry(*row)) + b"\n" for row in rows))
    return path


@contextmanager
def _whole_or_nothing(target: Path) -> Generator[Path]:
    """Gives a folder that becomes the target when the block ends without an error."""
    folder = target.with_name(f".{target.name}.part")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    before = os.umask(0o077)
    try:
        yield folder
        for path in folder.rglob("*"):
            _sync(path)
        folder.replace(target)
    except sqlite3.Error as error:
        message = f"the database cannot be read: {error}"
        raise BackupError(message) from error
    finally:
        os.umask(before)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _database(path: Path) -> Generator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")
        yield connection


def _check(copied: sqlite3.Connection, database: Path) -> None:
    if copied.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        message = f"{database} is damaged; restore an earlier backup"
        raise BackupError(message)


def _copy_files(
    live: sqlite3.Connection,
    copied: sqlite3.Connection,
    source: Path,
    target: Path,
    opening: Opening,
) -> Backup:
    damaged: list[str] = []
    left_out: set[str] = set()
    files, size = 0, 0
    for document, blob, digest, sealed_key in _files(copied):
        if document in left_out:
            continue
        path = target / document / blob
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(source / document / blob, path)
            is_whole = _opened_digest(path, sealed_key, opening) == digest
        except FileNotFoundError:
            is_whole = False
        if is_whole:
            files += 1
            size += path.stat().st_size
            continue
        left_out.add(document)
        shutil.rmtree(path.parent)
        copied.execute("DELETE FROM documents WHERE id = ?", (document,))
        if live.execute(GONE, (document,)).fetchall():
            damaged.append(document)
    (count,) = copied.execute("SELECT count(*) FROM documents").fetchone()
    return Backup(count, files, size, tuple(damaged))


def _files(database: sqlite3.Connection) -> list[tuple[str, str, str, bytes | None]]:
    columns = database.execute("SELECT name FROM pragma_table_info('documents')").fetchall()
    has_keys = ("sealed_key",) in columns
    return database.execute(FILES if has_keys else FILES_BEFORE_KEYS).fetchall()


def _opened_digest(path: Path, sealed_key: bytes | None, opening: Opening) -> str:
    """Returns the SHA-256 of a file as it was uploaded; empty of one that cannot be opened."""
    if sealed_key is None:
        return _digest(path)
    name = f"{path.parent.name}/{path.name}"
    return hashlib.sha256(opening(path.read_bytes(), sealed_key, name)).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
