"""What is stored beside a tracked PDF: who changed which words when, and what was accepted.

A version is (upload, edited file, log). The baseline, against which changes are counted, is the
upload with the accepted steps carried out; without any it is the upload itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from engine.errors import CorruptDocumentError
from engine.model import Revision
from engine.pdf.content.dressing import Asked, Formatting
from engine.pdf.content.edits import Edits
from engine.report import Signature

_PAGE: Final = re.compile(r"p(\d+)\.")


@dataclass(frozen=True, slots=True)
class Place:
    """What an edit did in one place: the words it took and brought, in the block `anchor`.

    With `formatting` the words stayed, and their look or link is another one.
    """

    anchor: str
    before: str
    after: str
    formatting: tuple[Formatting, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One edit: its id, author and date, and its places."""

    uid: str
    author: str
    date: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Log:
    """All edits of a document in order, and the steps that were accepted.

    `made` are the steps that lead from the upload to the edited file.
    """

    entries: tuple[Entry, ...] = ()
    accepted: tuple[Edits, ...] = ()
    made: tuple[Edits, ...] = ()

    @property
    def asked(self) -> frozenset[Asked]:
        """The looks and links that were asked for."""
        return frozenset(
            Asked(int(match[1]) - 1, name, value)
            for each in self.entries
            for place in each.places
            for name, _, value in place.formatting
            if (match := _PAGE.match(place.anchor))
        )


def entry(signature: Signature, revisions: Sequence[Revision]) -> Entry:
    """Make the entry of an edit."""
    places = tuple(
        Place(each.anchor, each.before, each.after, each.formatting) for each in revisions
    )
    return Entry(signature.edit_uid, signature.author, signature.date, places)


def encode(log: Log) -> bytes:
    """The bytes to be stored beside the file."""
    return msgspec.json.encode(log)


def decode(state: bytes) -> Log:
    """Read a log; no bytes are an empty one.

    Raises:
        CorruptDocumentError: these are not bytes that `encode` made.
    """
    if not state:
        return Log()
    try:
        return msgspec.json.decode(state, type=Log)
    except msgspec.MsgspecError as error:
        message = "The stored state of the document is damaged"
        raise CorruptDocumentError(message) from error
