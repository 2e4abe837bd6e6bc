"""Encrypts the documents of a data folder that were stored before there was a key.

A document gets its key and its values are sealed in one transaction; its files follow, each
replaced as a whole. A file says itself whether it is sealed, so that the document can be read at
any moment between, and whatever was interrupted is done again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from redraft.api.encryption.master_keys import MasterKeys, new_document_key
from redraft.api.encryption.sealing import FILE_MARK, Values, seal_file
from redraft.api.files.local import DOCUMENTS
from redraft.api.metadata.audit import OPERATOR
from redraft.api.metadata.sqlite_audit import append
from redraft.engine.model import ImageNote

VALUES_OF_VERSION = "SELECT number, state FROM versions WHERE document = ?"
VALUES_OF_OPERATION = """
    SELECT id, request, digest, body, summary, warnings FROM operations WHERE document = ?
"""


def migrate(database: Path, folder: Path, master: MasterKeys, now: float) -> tuple[int, int]:
    """Encrypts what is not; returns how many documents and files there were.

    Args:
        database: The database, which no service uses and whose schema is today's.
        folder: The data folder.
        master: The keys of the operator.
        now: When it is.

    Raises:
        sqlite3.Error, OSError: it stopped there, and can be done again.
    """
    files = 0
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA secure_delete=ON")
        plain = connection.execute("SELECT id FROM documents WHERE sealed_key IS NULL").fetchall()
        for row in plain:
            _seal_values(connection, row["id"], master, now)
        for row in connection.execute("SELECT id, sealed_key FROM documents").fetchall():
            key = master.opened(row["sealed_key"], row["id"])
            files += sum(1 for _ in _seal_files(folder / DOCUMENTS / row["id"], key))
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return len(plain), files


def _seal_values(
    connection: sqlite3.Connection, document: str, master: MasterKeys, now: float
) -> None:
    key = new_document_key()
    values = Values(key, document)
    connection.execute("BEGIN IMMEDIATE")
    try:
        row = connection.execute("SELECT * FROM documents WHERE id = ?", (document,)).fetchone()
        connection.execute(
            "UPDATE documents SET sealed_key=?, name=?, author=?, images=? WHERE id = ?",
            (
                master.sealed(key, document),
                values.sealed_text(row["name"], "name"),
                values.sealed_text(row["author"], "author"),
                _images(row["images"], values),
                document,
            ),
        )
        for version in connection.execute(VALUES_OF_VERSION, (document,)).fetchall():
            connection.execute(
                "UPDATE versions SET state = ? WHERE document = ? AND number = ?",
                (values.sealed(version["state"], "state"), document, version["number"]),
            )
        for operation in connection.execute(VALUES_OF_OPERATION, (document,)).fetchall():
            _seal_operation(connection, operation, values)
        append(connection, now, OPERATOR, "encrypted", document)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _seal_operation(connection: sqlite3.Connection, row: sqlite3.Row, values: Values) -> None:
    warnings = msgspec.json.decode(row["warnings"], type=list[str])
    connection.execute(
        """
        UPDATE operations SET request=?, digest=?, body=?, summary=?, warnings=? WHERE id = ?
        """,
        (
            values.sealed(row["request"], "request"),
            values.digest(row["digest"]),
            None if row["body"] is None else values.sealed(row["body"], "body"),
            values.sealed_text(row["summary"], "summary"),
            msgspec.json.encode([values.sealed_text(one, "warning") for one in warnings]),
            row["id"],
        ),
    )


def _images(stored: bytes, values: Values) -> bytes:
    images = msgspec.json.decode(stored, type=list[ImageNote])
    return msgspec.json.encode(
        [ImageNote(one.image_id, values.sealed_text(one.caption, "caption")) for one in images]
    )


def _seal_files(folder: Path, key: bytes) -> Iterator[Path]:
    """Seals the files of one document that are not; gives each that was sealed."""
    for path in sorted(folder.glob("*")):
        data = path.read_bytes()
        if data.startswith(FILE_MARK) or path.suffix == ".sealing":
            continue
        sealed = path.with_name(f".{path.name}.sealing")
        descriptor = os.open(sealed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(seal_file(data, key, f"{folder.name}/{path.name}"))
            file.flush()
            os.fsync(file.fileno())
        sealed.replace(path)
        yield path
