"""The audit log: who did what to which document, as a chain that shows whatever is taken out of it.

An entry names digests and never a text or a name of a file. Its hash covers the hash of the entry
before it, so that nobody changes, removes or inserts an entry without changing all hashes after it.
Whoever keeps a later hash elsewhere also sees that the end was cut off. Entries outlive documents.

    {"number":2,"at":"2026-01-31T12:00:00.000Z","who":"4f0c…","what":"edit","subject":"<document>",
     "before":"<SHA-256>","after":"<SHA-256>","hash":"<SHA-256>"}
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Literal, Protocol, TypeAlias

import msgspec

Deed: TypeAlias = Literal[
    "upload",
    "edit",
    "accept",
    "reject",
    "undo",
    "redo",
    "link",
    "download",
    "delete",
    "expire",
    "erased",
    "hold",
    "release",
    "key created",
    "key revoked",
    "key ends",
    "quota",
    "ordered",
    "key destroyed",
    "encrypted",
    "key sealed anew",
    "restored",
]
"""What an entry says was done: `erased` is that the files of a deleted document are gone, and
`ordered` that an administrator wanted it deleted. `key destroyed` is that the key of an encrypted
document went with its row: `before` is then the SHA-256 of that key as it was kept, sealed."""
SERVICE, OPERATOR = "service", "operator"
"""Who did it where it was no key: the service by itself, or somebody at its command line."""
FROM_SETTINGS = "set-"
"""What the owner of a key of the settings begins with; a short hash of the key follows."""
BEGINNING = "0" * 64
"""What stands in the place of the hash before the first entry."""


class Entry(msgspec.Struct, frozen=True):
    """One line of the log.

    Attributes:
        number: From 1, without gaps.
        at: ISO 8601 in UTC.
        who: The owner of a key, SERVICE or OPERATOR.
        what: What was done.
        subject: The id of a document or a key.
        before: SHA-256 of the document's file before it; None where there was none.
        after: SHA-256 of its file after it; None where there is none.
        hash: SHA-256 over the hash of the entry before and this entry.
    """

    number: int
    at: str
    who: str
    what: Deed
    subject: str
    before: str | None
    after: str | None
    hash: str = ""


class BrokenChainError(Exception):
    """The log is not as it was written; the message says from which entry on."""


class Audit(Protocol):
    """The audit log of a service."""

    async def record(
        self, now: float, who: str, what: Deed, subject: str, digest: str | None = None
    ) -> None:
        """Writes down what changes no document; `digest` is the file that it was about."""
        ...

    async def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """Returns the entries that follow a number, in their order."""
        ...

    async def head(self) -> Entry | None:
        """Returns the last entry; None of an empty log."""
        ...


def sealed(entry: Entry, before: str) -> Entry:
    """Gives an entry its hash, after the entry of the hash `before`."""
    text = msgspec.json.encode(msgspec.structs.replace(entry, hash=""))
    digest = hashlib.sha256(before.encode("ascii") + b"\n" + text).hexdigest()
    return msgspec.structs.replace(entry, hash=digest)


def fingerprint(sealed_key: bytes) -> str:
    """Names the key of a document as it is kept, without telling it."""
    return hashlib.sha256(sealed_key).hexdigest()


def pseudonym(owner: str, salt: bytes) -> str:
    """Names an owner in the log; one that is named after its key, by a hash with a salt.

    The log is handed to others, who could find a weak key by its own hash.
    """
    if not owner.startswith(FROM_SETTINGS):
        return owner
    return FROM_SETTINGS + hashlib.sha256(salt + owner.encode()).hexdigest()[:12]


def verified(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Passes on the entries of a whole log, each checked against the one before it.

    Raises:
        BrokenChainError: an entry was changed, removed, inserted or moved.
    """
    before = BEGINNING
    for number, entry in enumerate(entries, start=1):
        if entry.number != number:
            message = f"entry {number} is missing; the next one there is has number {entry.number}"
            raise BrokenChainError(message)
        if sealed(entry, before).hash != entry.hash:
            message = f"entry {number} is not what was written, or another one stood before it"
            raise BrokenChainError(message)
        before = entry.hash
        yield entry
