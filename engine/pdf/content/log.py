"""The log of a PDF's edits: who changed which words when; the opaque `state` of a version."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.errors import CorruptDocumentError
from engine.model import Revision
from engine.report import Signature


class Entry(msgspec.Struct, frozen=True):
    """One edit: its id, author and date, and the words it brought and took."""

    uid: str
    author: str
    date: str
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


def logged(state: bytes, signature: Signature, revisions: Sequence[Revision]) -> bytes:
    """Add an edit to the log that `state` holds."""
    entry = Entry(
        signature.edit_uid,
        signature.author,
        signature.date,
        tuple(revision.after for revision in revisions),
        tuple(revision.before for revision in revisions),
    )
    return msgspec.json.encode([*entries(state), entry])


def entries(state: bytes) -> list[Entry]:
    """Read a log.

    Raises:
        CorruptDocumentError: these are not bytes that `logged` made.
    """
    if not state:
        return []
    try:
        return msgspec.json.decode(state, type=list[Entry])
    except msgspec.MsgspecError as error:
        message = "The stored state of the document is damaged"
        raise CorruptDocumentError(message) from error
