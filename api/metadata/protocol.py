"""What the service remembers: documents, their versions, their operations, and keys.

Each method is one transaction. Moments are wall time in seconds since the epoch. The order of
`seq` within a document is the order in which its operations were received.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from redraft.api.metadata.audit import OPERATOR, Audit
from redraft.api.metadata.keys import NO_QUOTA, Keys, Quota
from redraft.engine.model import Format, ImageNote

OperationKind: TypeAlias = Literal[
    "edit", "preview", "read", "accept", "reject", "undo", "redo", "delete"
]
"""A preview is an edit that is only tried: like a read it changes nothing and is in no history."""
OperationState: TypeAlias = Literal[
    "queued", "running", "applied", "unchanged", "done", "failed", "timed_out", "cancelled"
]


DEADLINE_SECONDS = 300.0
"""How long after it was received an operation may still have an effect."""


class MetadataError(Exception):
    """The database did not do what it was asked; `full` when it has no space left."""

    def __init__(self, message: str, *, full: bool = False) -> None:
        super().__init__(message)
        self.full = full


MOVED = (
    "what it holds was moved away with `redraft migrate`, and is an old copy; move it back, "
    "or use another"
)
HELD_UNTIL, HELD_FROM = 253_402_300_799.0, 200_000_000_000.0
"""The end of the year 9999, when a document on legal hold expires, and a moment long before it.

A hold is nothing but a late end: whatever looks whether a document is over leaves it alone. A wall
clock that is set back moves that end with all others, so that any moment after the second counts.
"""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it stands; `version` counts every change and picks the current version."""

    id: str
    owner: str
    name: str
    format: Format
    media_type: str
    size: int
    tracked: bool
    author: str
    images: tuple[ImageNote, ...]
    ttl_seconds: int
    created_at: float
    updated_at: float
    expires_at: float
    version: int = 0
    pending: int = 0
    is_running: bool = False
    sealed_key: bytes | None = None
    """Its own key, sealed by a key of the operator; None where it is not encrypted."""

    @property
    def is_on_legal_hold(self) -> bool:
        """Whether it is kept beyond its time, and not deleted."""
        return self.expires_at >= HELD_FROM

    def is_alive(self, now: float) -> bool:
        """Whether it exists for callers: a running operation holds it beyond its time."""
        return self.expires_at > now or self.is_running


@dataclass(frozen=True, slots=True)
class Version:
    """A file, its state, and where undo and redo lead from here.

    `blob` names an immutable object; several versions may share one. `back` and `forward` are
    numbers of versions whose content undo and redo bring back.
    """

    number: int
    blob: str
    size: int
    digest: str
    state: bytes
    back: int | None = None
    forward: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """An operation that a caller asks for; `request` is its JSON, `digest` tells bodies apart."""

    id: str
    owner: str
    document: str
    kind: OperationKind
    uid: str
    request: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may wait: per document, and per owner over all documents (0: no limit)."""

    queued_per_document: int = 64
    pending_per_owner: int = 0


@dataclass(frozen=True, slots=True)
class Spending:
    """What planning with a model took: requests, tokens, and money where prices are set."""

    model: str
    requests: int
    input: int
    cached: int
    output: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an operation ended; `body` is the JSON answer, `final` that a replay repeats it."""

    state: OperationState
    status: int
    body: bytes
    final: bool
    summary: str = ""
    warnings: tuple[str, ...] = ()
    spending: Spending | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """One numbered entry of a document's mailbox."""

    id: str
    document: str
    seq: int
    kind: OperationKind
    uid: str
    request: bytes
    state: OperationState
    attempt: int
    received_at: float
    deadline: float
    started_at: float | None = None
    finished_at: float | None = None
    summary: str = ""
    warnings: tuple[str, ...] = ()
    spending: Spending | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """The right to run the operations of a document.

    Whoever takes it over gets a higher token, after which nothing is committed with a lower one.
    """

    document: str
    token: int


@dataclass(frozen=True, slots=True)
class Taken:
    """An operation that is to be run under a hold; `remaining` seconds are left until its deadline.

    It is still `queued` when its document's time is over: then it must not be run.
    """

    operation: Operation
    hold: Hold
    remaining: float


@dataclass(frozen=True, slots=True)
class Answered:
    """What an operation that has ended answered; no body where none was kept."""

    status: int
    body: bytes | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """An operation that waits or runs; `joined` when it was there before."""

    operation: Operation
    joined: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """The final answer that was given before."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """What a finished operation does to its document: a new version, or its end."""

    version: Version | None = None
    expires_at: float | None = None
    is_deletion: bool = False
    quota: Quota = NO_QUOTA


class Documents(Protocol):
    """Documents and their versions."""

    async def add(self, document: Document, version: Version, quota: Quota = NO_QUOTA) -> None:
        """Stores a new document with its version 0.

        Raises:
            OverloadedError: its owner would have more than the quota; nothing is stored.
        """
        ...

    async def get(self, document: str) -> Document | None:
        """Returns a document, whether it is expired or not."""
        ...

    async def list(self, owner: str) -> tuple[Document, ...]:
        """Returns the documents of one owner, the newest last."""
        ...

    async def every(self, after: str, limit: int) -> tuple[Document, ...]:
        """Returns documents of all owners, in the order of their ids, from behind one on."""
        ...

    async def version(self, document: str, number: int) -> Version | None:
        """Returns one version of a document."""
        ...

    async def current(self, document: str) -> tuple[Document, Version] | None:
        """Returns a document and its current version."""
        ...

    async def usage(self, owner: str) -> tuple[int, int]:
        """Counts an owner's documents and the bytes of all their versions."""
        ...

    async def totals(self) -> tuple[int, int, int]:
        """Counts all documents, the bytes of all versions, and operations that wait or run."""
        ...

    async def expired(self, now: float) -> tuple[str, ...]:
        """Returns the ids of the documents that `expire` would delete."""
        ...

    async def expire(self, now: float) -> tuple[str, ...]:
        """Deletes documents whose time is over and that nothing runs on; returns their ids."""
        ...

    async def expect(self, document: str) -> None:
        """Notes that objects are stored for a document, so that they go if it is never added.

        Raises:
            OverloadedError: those of an earlier document of this id are being deleted.
        """
        ...

    async def garbage(self) -> tuple[str, ...]:
        """Returns documents whose objects are to be deleted: gone, or never added in an hour.

        Nobody else is given them in the next minutes. Where a folder can be listed there are none.
        """
        ...

    async def cleared(self, documents: Collection[str]) -> None:
        """Notes that the objects of what `garbage` returned are deleted."""
        ...

    async def legal_hold(
        self, subject: str, now: float, *, is_owner: bool, begins: bool, who: str = OPERATOR
    ) -> tuple[str, ...]:
        """Begins or ends the legal hold of a document, or of all that an owner has now.

        A document whose hold ends begins its time anew. Returns the ids of those that changed.
        """
        ...

    async def known(self) -> frozenset[str]:
        """Returns the ids of all documents."""
        ...

    async def rewrap(self, document: str, before: bytes, after: bytes) -> bool:
        """Puts a document's key, sealed anew, in the place of the one that was there.

        Returns:
            False when the document is gone or has another one.
        """
        ...

    async def wipe(self) -> None:
        """Leaves no trace of deleted rows in the files of the database."""
        ...


class Operations(Protocol):
    """The mailboxes.

    `now` is the caller's wall time; a store with a clock of its own goes by that.
    """

    @property
    def is_shared(self) -> bool:
        """Whether other processes may run operations of the same documents."""
        ...

    async def accept(
        self, submission: Submission, now: float, limits: Limits
    ) -> Accepted | Replayed:
        """Takes the document's next number for an operation, or finds the one with its uid.

        Raises:
            MissingDocumentError, UidReusedError, OverloadedError.
        """
        ...

    async def glance(self, submission: Submission, now: float) -> tuple[Document, Version] | None:
        """Looks whether anything waits or runs before a read that could change its document.

        Returns the version that it reads, None when it has to wait its turn. Other reads are no
        reason to wait: in whatever order, all of them read that version. Nothing is written down:
        a read changes nothing, and one that has ended stands for nothing.

        Raises:
            MissingDocumentError: unknown, expired, or another owner's.
        """
        ...

    async def find(self, document: str, kind: OperationKind, uid: str) -> Operation | None:
        """Returns the latest operation of that kind and uid; earlier ones failed in passing."""
        ...

    async def take(self, document: str, hold: Hold | None, now: float) -> Taken | None:
        """Returns the oldest unfinished operation, marked as running.

        Args:
            document: Whose operation.
            hold: What the operation before was run under, None for the first one.
            now: When it is.

        Returns:
            None when there is none, which ends the hold, or when another process has a hold.
        """
        ...

    async def commit(
        self, taken: Taken, outcome: Outcome, change: Change, base: int, now: float
    ) -> bool:
        """Ends a running operation and changes its document, both or neither.

        `base` is the document's version that the change was made from. Returns False when the
        operation was ended otherwise, the hold was taken over, or the document has moved on.
        """
        ...

    async def renew(self, running: Collection[Taken], now: float) -> frozenset[str]:
        """Keeps the holds of what runs; returns the ids of the operations that may go on.

        Missing are those that were ended, or whose hold was taken over.
        """
        ...

    async def release(self, hold: Hold) -> None:
        """Ends a hold; what was running under it is queued again, as if it had not been started."""
        ...

    async def conclude(self, operation: str, outcome: Outcome, now: float) -> bool:
        """Ends an unfinished operation without effect; False when it had ended before."""
        ...

    async def charge(self, operation: str, spending: Spending) -> None:
        """Notes what models have taken for an operation that somebody else ends."""
        ...

    async def abandon(self, document: str, outcome: Outcome, now: float) -> None:
        """Ends all unfinished operations of a document."""
        ...

    async def recover(self) -> None:
        """Queues what was running when the last process ended, if nobody else can be running it."""
        ...

    async def due(self, most: int, now: float) -> tuple[str, ...]:
        """Returns documents with unfinished operations and no hold, who waits longest first."""
        ...

    async def backlog(self, now: float) -> tuple[int, float]:
        """Counts operations that wait, and says for how many seconds the oldest has; 0 for none."""
        ...

    async def overdue(self, now: float) -> tuple[Operation, ...]:
        """Returns unfinished operations whose deadline has passed."""
        ...

    async def answers(self, operations: Collection[str]) -> Mapping[str, Answered | None]:
        """Returns what operations answered, by id; None for one that has not ended.

        An operation that went with its document is missing.
        """
        ...

    async def history(self, document: str) -> tuple[Operation, ...]:
        """Returns the operations of a document that may change it, oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class Note:
    """A hint that something happened to a document: words of the service, none of anybody else."""

    document: str
    kind: str
    operation: OperationKind | None = None
    uid: str = ""
    text: str = ""


class Channel(Protocol):
    """Tells other processes what happens. It may lose a note, and never invents one."""

    def publish(self, note: Note) -> None:
        """Tells the others, soon; never waits."""
        ...

    async def run(self, hear: Callable[[Note], None]) -> None:
        """Hears the others until it is cancelled, or returns where there are none."""
        ...


class Metadata(Protocol):
    """Everything the service remembers."""

    @property
    def documents(self) -> Documents:
        """Documents and their versions."""
        ...

    @property
    def operations(self) -> Operations:
        """The mailboxes."""
        ...

    @property
    def keys(self) -> Keys:
        """Keys and the clock mark."""
        ...

    @property
    def audit(self) -> Audit:
        """Who did what."""
        ...

    @property
    def channel(self) -> Channel:
        """What other processes tell and are told."""
        ...

    async def close(self) -> None:
        """Lets go of the database."""
        ...
