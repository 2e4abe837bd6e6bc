"""What is stored beside a tracked PDF: who changed which words when, and what was accepted.

A version is (upload, edited file, log). The baseline, against which changes are counted, is the
upload with the accepted steps carried out; without any it is the upload itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from redraft.engine.errors import CorruptDocumentError
from redraft.engine.model import Revision
from redraft.engine.pdf.compare.character_looks import Asked, Formatting
from redraft.engine.pdf.resolved_edits import Edits, PageStep
from redraft.engine.pdf.tracked.note_steps import NoteStep
from redraft.engine.report import Signature

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
class Shaping:
    """What the edit `uid` did to whole pages, a change that is still open."""

    uid: str
    steps: tuple[PageStep, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """All edits of a document in order, and the steps that were accepted.

    `made` are the steps that lead from the upload to the edited file, `shapings` what of them is
    about whole pages and not accepted, in order. The anchors of the entries count pages as the
    edited file does. `notes` is what was done to the notes of the upload, which is no change.
    """

    entries: tuple[Entry, ...] = ()
    accepted: tuple[Edits, ...] = ()
    made: tuple[Edits, ...] = ()
    shapings: tuple[Shaping, ...] = ()
    notes: tuple[NoteStep, ...] = ()

    @property
    def asked(self) -> frozenset[Asked]:
        """The looks and links that were asked for."""
        return frozenset(
            Asked(int(match[1]) - 1, name, value)
            for entry in self.entries
            for place in entry.places
            for name, _, value in place.formatting
            if (match := _PAGE.match(place.anchor))
        )


def entry(signature: Signature, revisions: Sequence[Revision]) -> Entry:
    """Makes the entry of an edit."""
    places = tuple(
        Place(revision.anchor, revision.before, revision.after, revision.formatting)
        for revision in revisions
    )
    return Entry(signature.edit_uid, signature.author, signature.date, places)


def without_rejected(log: Log, open_edits: Collection[str]) -> Log:
    """Forgets the words of edits of which no change is open, so that no other is taken for theirs.

    What they asked of looks stays, for it says which looks count as changed.
    """
    entries = (
        entry
        if entry.uid in open_edits
        else replace(entry, places=tuple(place for place in entry.places if place.formatting))
        for entry in log.entries
    )
    return replace(log, entries=tuple(entries))


def renumbered(entries: Sequence[Entry], pages: Mapping[int, int]) -> tuple[Entry, ...]:
    """Returns entries whose anchors count pages anew; `pages` says from 0 what was which.

    The place of what was on another page is known no more.
    """

    def moved(place: Place) -> Place:
        match = _PAGE.match(place.anchor)
        if match is None:
            return place
        page = pages.get(int(match[1]) - 1)
        rest = place.anchor[match.end() :]
        return replace(place, anchor="" if page is None else f"p{page + 1}.{rest}")

    return tuple(replace(entry, places=tuple(map(moved, entry.places))) for entry in entries)


def encode(log: Log) -> bytes:
    """The bytes to be stored beside the file."""
    return msgspec.json.encode(log)


def decode(state: bytes) -> Log:
    """Reads a log; no bytes are an empty one.

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
