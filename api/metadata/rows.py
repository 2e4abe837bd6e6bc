"""Rows of a database as values, and the queries that select them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from redraft.api.metadata.database import DAMAGED, Value, first
from redraft.api.metadata.protocol import Answered, Document, MetadataError, Operation, Version

T = TypeVar("T")


class Row(Protocol):
    """A row of a database: columns by name, and their values in order."""

    def keys(self) -> Iterable[str]:
        """Returns the names of the columns."""
        ...

    def __iter__(self) -> Iterator[Any]: ...

    def __getitem__(self, name: str, /) -> Any: ...


DOCUMENT = """
    SELECT d.*,
        (SELECT count(*) FROM operations o
         WHERE o.document = d.id AND o.state IN ('queued', 'running')) AS pending,
        EXISTS (SELECT 1 FROM operations o
                WHERE o.document = d.id AND o.state = 'running') AS is_running
    FROM documents d
"""
VERSION = "SELECT * FROM versions WHERE document = ? AND number = ?"


def current(connection: sqlite3.Connection, document: str) -> tuple[Document, Version] | None:
    """Returns a document and its current version."""
    document_row = first(connection, DOCUMENT + "WHERE d.id = ?", (document,))
    if document_row is None:
        return None
    row = first(connection, VERSION, (document, document_row["version"]))
    return None if row is None else (document_of(document_row), version_of(row))


def version_row(document: str, version: Version) -> tuple[Value, ...]:
    """Returns the row of a version, for NEW_VERSION."""
    return (
        document,
        version.number,
        version.blob,
        version.size,
        version.digest,
        version.state,
        version.back,
        version.forward,
    )


def document_of(row: Row) -> Document:
    """Reads a row of DOCUMENT."""
    return checked(Document, row, decoded=("images",), flags=("tracked", "is_running"))


def version_of(row: Row) -> Version:
    """Reads a row of VERSION."""
    return checked(Version, row)


def answered_of(row: Row) -> Answered | None:
    """Reads id, status and body of an operation; None for one that has not ended."""
    return None if row["status"] is None else Answered(row["status"], row["body"])


def operation_of(row: Row) -> Operation:
    """Reads a row of the operations."""
    return checked(Operation, row, decoded=("warnings", "spending"))


def checked(kind: type[T], row: Row, decoded: Sequence[str] = (), flags: Sequence[str] = ()) -> T:
    """Makes a value of a row whose columns have the names and types of its fields.

    Args:
        kind: The dataclass; columns that it has no field for are left out.
        row: The row.
        decoded: Columns that hold JSON.
        flags: Columns that hold 0 or 1.

    Raises:
        MetadataError: a column holds something else; the database is damaged.
    """
    fields = dict(zip(row.keys(), row, strict=True))
    try:
        for name in decoded:
            fields[name] = msgspec.json.decode(fields[name])
        for name in flags:
            fields[name] = bool(fields[name])
        return msgspec.convert(fields, kind)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise MetadataError(DAMAGED) from error
