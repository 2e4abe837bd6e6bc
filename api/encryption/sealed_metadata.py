"""The metadata over other metadata that hold what is sealed: states, requests, answers and names.

What tells of no text stays as it is: ids, owners, times, sizes, digests of files, the names of
language models and what they cost.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from redraft.api.encryption.document_keys import DocumentKeys
from redraft.api.encryption.sealing import SealError, Values, document_of
from redraft.api.metadata.audit import OPERATOR
from redraft.api.metadata.database import DAMAGED
from redraft.api.metadata.keys import NO_QUOTA, Quota
from redraft.api.metadata.protocol import (
    Accepted,
    Answered,
    Change,
    Document,
    Documents,
    Hold,
    Limits,
    Metadata,
    MetadataError,
    Operation,
    OperationKind,
    Operations,
    Outcome,
    Replayed,
    Spending,
    Submission,
    Taken,
    Version,
)


class SealedMetadata:
    """Everything the service remembers, without its texts for whoever reads the database."""

    def __init__(self, inner: Metadata, keys: DocumentKeys) -> None:
        self._inner = inner
        self.documents = SealedDocuments(inner.documents, keys)
        self.operations = SealedOperations(inner.operations, keys)
        self.keys = inner.keys
        self.audit = inner.audit
        self.channel = inner.channel

    async def close(self) -> None:
        """Lets go of the database."""
        await self._inner.close()


class SealedDocuments:
    """Documents and their versions."""

    def __init__(self, inner: Documents, keys: DocumentKeys) -> None:
        self._inner = inner
        self._keys = keys

    async def add(self, document: Document, version: Version, quota: Quota = NO_QUOTA) -> None:
        """Stores a new document with its version 0, and with its key."""
        sealed_key = self._keys.sealed_new(document.id)
        document = replace(document, sealed_key=sealed_key)
        values = self._keys.values_of(document)
        try:
            await self._inner.add(
                sealed_document(document, values), sealed_version(version, values), quota
            )
        finally:
            self._keys.settle(document.id)

    async def get(self, document: str) -> Document | None:
        """Returns a document, whether it is expired or not."""
        row = await self._inner.get(document)
        return None if row is None else self._opened(row)

    async def list(self, owner: str) -> tuple[Document, ...]:
        """Returns the documents of one owner, the newest last."""
        return tuple(map(self._opened, await self._inner.list(owner)))

    async def every(self, after: str, limit: int) -> tuple[Document, ...]:
        """Returns documents of all owners, in the order of their ids, from behind one on."""
        return tuple(map(self._opened, await self._inner.every(after, limit)))

    async def version(self, document: str, number: int) -> Version | None:
        """Returns one version of a document."""
        version = await self._inner.version(document, number)
        if version is None:
            return None
        return opened_version(version, await self._keys.values(document))

    async def current(self, document: str) -> tuple[Document, Version] | None:
        """Returns a document and its current version."""
        row = await self._inner.current(document)
        return None if row is None else opened_pair(row, self._keys)

    async def usage(self, owner: str) -> tuple[int, int]:
        """Counts an owner's documents and the bytes of all their versions."""
        return await self._inner.usage(owner)

    async def totals(self) -> tuple[int, int, int]:
        """Counts all documents, the bytes of all versions, and operations that wait or run."""
        return await self._inner.totals()

    async def expired(self, now: float) -> tuple[str, ...]:
        """Returns the ids of the documents that `expire` would delete."""
        return await self._inner.expired(now)

    async def expire(self, now: float) -> tuple[str, ...]:
        """Deletes documents whose time is over and that nothing runs on; returns their ids."""
        return await self._inner.expire(now)

    async def expect(self, document: str) -> None:
        """Notes that objects are stored for a document, and makes its key."""
        await self._inner.expect(document)
        self._keys.prepare(document)

    async def garbage(self) -> tuple[str, ...]:
        """Returns documents whose objects are to be deleted."""
        return await self._inner.garbage()

    async def cleared(self, documents: Collection[str]) -> None:
        """Notes that the objects of what `garbage` returned are deleted."""
        await self._inner.cleared(documents)

    async def legal_hold(
        self, subject: str, now: float, *, is_owner: bool, begins: bool, who: str = OPERATOR
    ) -> tuple[str, ...]:
        """Begins or ends the legal hold of a document, or of all that an owner has now."""
        return await self._inner.legal_hold(subject, now, is_owner=is_owner, begins=begins, who=who)

    async def known(self) -> frozenset[str]:
        """Returns the ids of all documents."""
        return await self._inner.known()

    async def rewrap(self, document: str, before: bytes, after: bytes) -> bool:
        """Puts a document's key, sealed anew, in the place of the one that was there."""
        return await self._inner.rewrap(document, before, after)

    async def wipe(self) -> None:
        """Leaves no trace of deleted rows in the files of the database."""
        await self._inner.wipe()

    def _opened(self, row: Document) -> Document:
        return opened_document(row, self._keys.values_of(row))


class SealedOperations:
    """The mailboxes."""

    def __init__(self, inner: Operations, keys: DocumentKeys) -> None:
        self._inner = inner
        self._keys = keys

    @property
    def is_shared(self) -> bool:
        """Whether other processes may run operations of the same documents."""
        return self._inner.is_shared

    async def accept(
        self, submission: Submission, now: float, limits: Limits
    ) -> Accepted | Replayed:
        """Takes the document's next number for an operation, or finds the one with its uid."""
        values = await self._keys.values(submission.document)
        if values is not None:
            request = values.sealed(submission.request, "request")
            digest = values.digest(submission.digest)
            submission = replace(submission, request=request, digest=digest)
        accepted = await self._inner.accept(submission, now, limits)
        if isinstance(accepted, Accepted):
            return replace(accepted, operation=opened_operation(accepted.operation, values))
        return replace(accepted, body=_opened_bytes(accepted.body, values, "body"))

    async def glance(self, submission: Submission, now: float) -> tuple[Document, Version] | None:
        """Looks whether anything waits or runs before a read that could change its document."""
        row = await self._inner.glance(submission, now)
        return None if row is None else opened_pair(row, self._keys)

    async def find(self, document: str, kind: OperationKind, uid: str) -> Operation | None:
        """Returns the latest operation of that kind and uid."""
        operation = await self._inner.find(document, kind, uid)
        return None if operation is None else await self._opened(operation)

    async def take(self, document: str, hold: Hold | None, now: float) -> Taken | None:
        """Returns the oldest unfinished operation, marked as running."""
        taken = await self._inner.take(document, hold, now)
        if taken is None:
            return None
        return replace(taken, operation=await self._opened(taken.operation))

    async def commit(
        self, taken: Taken, outcome: Outcome, change: Change, base: int, now: float
    ) -> bool:
        """Ends a running operation and changes its document, both or neither."""
        values = await self._keys.values(taken.operation.document)
        # What is answered to a deletion outlives the key, and says nothing but that it was done.
        if values is not None and not change.is_deletion:
            outcome = sealed_outcome(outcome, values)
        if change.version is not None:
            change = replace(change, version=sealed_version(change.version, values))
        return await self._inner.commit(taken, outcome, change, base, now)

    async def renew(self, running: Collection[Taken], now: float) -> frozenset[str]:
        """Keeps the holds of what runs; returns the ids of the operations that may go on."""
        return await self._inner.renew(running, now)

    async def release(self, hold: Hold) -> None:
        """Ends a hold; what was running under it is queued again."""
        await self._inner.release(hold)

    async def conclude(self, operation: str, outcome: Outcome, now: float) -> bool:
        """Ends an unfinished operation; what is answered then is a sentence of the service."""
        return await self._inner.conclude(operation, outcome, now)

    async def charge(self, operation: str, spending: Spending) -> None:
        """Notes what models have taken for an operation that somebody else ends."""
        await self._inner.charge(operation, spending)

    async def abandon(self, document: str, outcome: Outcome, now: float) -> None:
        """Ends all unfinished operations of a document."""
        await self._inner.abandon(document, outcome, now)

    async def recover(self) -> None:
        """Queues what was running when the last process ended."""
        await self._inner.recover()

    async def due(self, most: int, now: float) -> tuple[str, ...]:
        """Returns documents with unfinished operations and no hold, who waits longest first."""
        return await self._inner.due(most, now)

    async def backlog(self, now: float) -> tuple[int, float]:
        """Counts operations that wait, and says for how many seconds the oldest has."""
        return await self._inner.backlog(now)

    async def overdue(self, now: float) -> tuple[Operation, ...]:
        """Returns unfinished operations whose deadline has passed."""
        return tuple([await self._opened(one) for one in await self._inner.overdue(now)])

    async def answers(self, operations: Collection[str]) -> Mapping[str, Answered | None]:
        """Returns what operations answered, by id; None for one that has not ended."""
        answers = await self._inner.answers(operations)
        return {name: await self._answered(answer) for name, answer in answers.items()}

    async def history(self, document: str) -> tuple[Operation, ...]:
        """Returns the operations of a document that may change it, oldest first."""
        values = await self._keys.values(document)
        history = await self._inner.history(document)
        return tuple(opened_operation(operation, values) for operation in history)

    async def _opened(self, operation: Operation) -> Operation:
        return opened_operation(operation, await self._keys.values(operation.document))

    async def _answered(self, answer: Answered | None) -> Answered | None:
        document = document_of(answer.body) if answer is not None and answer.body else ""
        if answer is None or answer.body is None or not document:
            return answer
        values = await self._keys.values(document)
        return replace(answer, body=_opened_bytes(answer.body, values, "body"))


def sealed_document(document: Document, values: Values | None) -> Document:
    """Seals what a document is called, its author, and what its pictures show."""
    if values is None:
        return document
    return replace(
        document,
        name=values.sealed_text(document.name, "name"),
        author=values.sealed_text(document.author, "author"),
        images=tuple(
            replace(image, caption=values.sealed_text(image.caption, "caption"))
            for image in document.images
        ),
    )


def opened_document(document: Document, values: Values | None) -> Document:
    """Opens what `sealed_document` has sealed."""
    if values is None:
        return document
    return replace(
        document,
        name=_opened_text(document.name, values, "name"),
        author=_opened_text(document.author, values, "author"),
        images=tuple(
            replace(image, caption=_opened_text(image.caption, values, "caption"))
            for image in document.images
        ),
    )


def sealed_version(version: Version, values: Values | None) -> Version:
    """Seals the state of a version."""
    if values is None:
        return version
    return replace(version, state=values.sealed(version.state, "state"))


def opened_version(version: Version, values: Values | None) -> Version:
    """Opens it."""
    return replace(version, state=_opened_bytes(version.state, values, "state"))


def opened_pair(row: tuple[Document, Version], keys: DocumentKeys) -> tuple[Document, Version]:
    """Opens a document and its current version."""
    document, version = row
    values = keys.values_of(document)
    return opened_document(document, values), opened_version(version, values)


def sealed_outcome(outcome: Outcome, values: Values) -> Outcome:
    """Seals what an operation answered, and what the history tells of it."""
    return replace(
        outcome,
        body=values.sealed(outcome.body, "body") if outcome.body else outcome.body,
        summary=values.sealed_text(outcome.summary, "summary"),
        warnings=tuple(values.sealed_text(one, "warning") for one in outcome.warnings),
    )


def opened_operation(operation: Operation, values: Values | None) -> Operation:
    """Opens what was asked of an operation and what the history tells of it."""
    if values is None:
        return operation
    return replace(
        operation,
        request=_opened_bytes(operation.request, values, "request"),
        summary=_opened_text(operation.summary, values, "summary"),
        warnings=tuple(_opened_text(one, values, "warning") for one in operation.warnings),
    )


def _opened_bytes(value: bytes, values: Values | None, field: str) -> bytes:
    try:
        return value if values is None else values.opened(value, field)
    except SealError as error:
        raise MetadataError(DAMAGED) from error


def _opened_text(text: str, values: Values, field: str) -> str:
    try:
        return values.opened_text(text, field)
    except SealError as error:
        raise MetadataError(DAMAGED) from error
