"""Rows of the SQLite database as values, and the queries that select them."""

from __future__ import annotations

import sqlite3

import msgspec

from redraft.api.metadata.database import Value, first
from redraft.api.metadata.protocol import Document, Operation, Spending, Version
from redraft.engine.model import ImageNote

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


def document_of(row: sqlite3.Row) -> Document:
    """Reads a row of DOCUMENT."""
    return Document(
        id=row["id"],
        owner=row["owner"],
        name=row["name"],
        format=row["format"],
        media_type=row["media_type"],
        size=row["size"],
        tracked=bool(row["tracked"]),
        author=row["author"],
        images=msgspec.json.decode(row["images"], type=tuple[ImageNote, ...]),
        ttl_seconds=row["ttl_seconds"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        expires_at=row["expires_at"],
        version=row["version"],
        pending=row["pending"],
        is_running=bool(row["is_running"]),
    )


def version_of(row: sqlite3.Row) -> Version:
    """Reads a row of VERSION."""
    return Version(
        number=row["number"],
        blob=row["blob"],
        size=row["size"],
        digest=row["digest"],
        state=row["state"],
        back=row["back"],
        forward=row["forward"],
    )


def operation_of(row: sqlite3.Row) -> Operation:
    """Reads a row of the operations."""
    return Operation(
        id=row["id"],
        document=row["document"],
        seq=row["seq"],
        kind=row["kind"],
        uid=row["uid"],
        request=row["request"],
        state=row["state"],
        attempt=row["attempt"],
        received_at=row["received_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        summary=row["summary"],
        warnings=msgspec.json.decode(row["warnings"], type=tuple[str, ...]),
        spending=msgspec.json.decode(row["spending"], type=Spending | None),
    )
