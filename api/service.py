"""The use cases: what each endpoint asks for, without a word of HTTP.

A document is visible to the key that uploaded it, until it expires; to everybody else it is as if
it did not exist, but for the presigned URL, where the interface wants a 403.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal
from uuid import UUID, uuid4, uuid5

import msgspec
from structlog.contextvars import bind_contextvars

from redraft.api.context import ServiceContext
from redraft.api.errors import (
    OK,
    LostFileError,
    MissingBlockError,
    MissingDocumentError,
    MissingEditError,
    NotReadyError,
    OverloadedError,
    ServiceError,
    StorageError,
    StorageFullError,
    UidReusedError,
    UnsupportedFileError,
    WorkerError,
    cancelled,
    refusal,
)
from redraft.api.files.protocol import AbsentError, FullError, StoreError, UnwritableError
from redraft.api.metadata.audit import SERVICE
from redraft.api.metadata.keys import QUOTA_USED
from redraft.api.metadata.protocol import (
    NO_QUOTA,
    Document,
    MetadataError,
    OperationKind,
    Submission,
    Version,
)
from redraft.api.metrics import Totals
from redraft.api.operations.execution import read_body
from redraft.api.operations.mailbox import Answer, refused
from redraft.api.operations.renditions import as_service_error
from redraft.api.requests import filenames
from redraft.api.requests.bodies import AnyEdit, EditRequest, ReadRequest, ResolveRequest, digest
from redraft.api.requests.fields import document_id
from redraft.api.schemas import (
    BlockItem,
    BlockList,
    Cancelled,
    ChangeList,
    CommentList,
    DocumentInfo,
    DocumentList,
    DocumentText,
    Existence,
    History,
    Readiness,
    Uploaded,
    change_item,
    comment_item,
    history_item,
    info,
    uploaded,
)
from redraft.engine import editor
from redraft.engine.errors import EngineError, NotFoundError
from redraft.engine.exact_edits import part_of
from redraft.engine.report import BlockWindow, Inspection

UPLOADS = UUID("5b1f8f6a-6a1c-4b5e-9c57-0d6f6f1f7f10")
"""The namespace of the ids of documents (RFC 9562, 5.5)."""
OTHER_FILE = "Idempotency-Key was already used for a different upload"
UNCONFINED = "missing; `redraft doctor` says what"
LARGEST_UPLOAD = 10 * 1024 * 1024
GRACE_SECONDS = 30.0
"""How long a database or a store that several services share may be away."""
COUNTED_SECONDS = 30.0
"""How long a count of all that several services keep is told again."""
SPACE_NEEDED = 2 * LARGEST_UPLOAD


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to be taken in, and what was chosen for it."""

    name: str
    data: bytes
    ttl_seconds: int
    return_markdown: bool
    tracked: bool
    author: str
    uid: str
    """Makes it once: another upload of the same key and uid is the same."""


class Service:
    """The use cases over the parts."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._documents = context.metadata.documents
        self._clock = context.clock
        self._is_shared = context.metadata.operations.is_shared
        self._totals, self._counted = (0, 0, 0), -COUNTED_SECONDS
        self._answered: dict[str, float] = {}

    async def upload(self, owner: str, upload: Upload) -> Uploaded:
        """Takes a file in.

        Raises:
            UnsupportedFileError, StorageFullError, OverloadedError.
        """
        await self._check_room(owner, len(upload.data))
        files = self._context.files
        identifier = str(uuid5(UPLOADS, f"{owner} {upload.uid}"))
        before = await self._replayed(identifier, upload)
        if before is not None:
            return before
        filename = filenames.cleaned(upload.name)
        blob = f"0-{uuid4().hex[:12]}"
        try:
            async with files.scratch() as path:
                await asyncio.to_thread(path.write_bytes, upload.data)
                inspection = await self._accepted(
                    self._context.workers.call(
                        editor.inspect,
                        path,
                        filename,
                        seconds=self._context.settings.inspect_seconds,
                        owner=owner,
                    )
                )
                await self._documents.expect(identifier)
                kept = await files.keep(path, f"{identifier}/{blob}")
        except (StoreError, OSError) as error:
            fault = as_service_error(error)
            # Of a new document nothing can be missing yet.
            raise (
                StorageError(retry_after=5) if isinstance(fault, LostFileError) else fault
            ) from error
        version = Version(0, blob, kept.size, kept.digest, inspection.state)
        document = self._document(identifier, owner, upload, inspection)
        try:
            await self._documents.add(document, version, await self._context.quota(owner))
        except OverloadedError:
            await files.discard(identifier)
            raise
        self._context.renditions.captions.begin(document, version)
        markdown, warnings = None, inspection.warnings
        if upload.return_markdown:
            markdown, warnings = await self._first_reading(document, version, warnings)
        return uploaded(document, markdown, warnings)

    async def listed(self, owner: str) -> DocumentList:
        """Lists the documents of a key."""
        now = self._clock.now()
        alive = [self._info(d) for d in await self._documents.list(owner) if d.is_alive(now)]
        models = list(self._context.models)
        return DocumentList(documents=alive, total_count=len(alive), models=models)

    async def existence(self, owner: str, written: str) -> Existence:
        """Says whether a document exists for a key."""
        try:
            document = await self._context.visible(owner, written)
        except MissingDocumentError:
            return Existence(exists=False, document=None)
        return Existence(exists=True, document=self._info(document))

    def _info(self, document: Document) -> DocumentInfo:
        images = self._context.renditions.captions.images(document)
        return info(replace(document, images=images))

    async def edit(self, owner: str, written: str, request: EditRequest) -> Answer:
        """Queues an edit and waits for its answer."""
        kind: OperationKind = "preview" if request.dry_run else "edit"
        return await self._submit(owner, written, kind, request, request.edit_uid)

    async def compare(self, owner: str, written: str, request: AnyEdit) -> Answer:
        """Queues the changes that make a document another one, and waits for their answer.

        Raises:
            MissingDocumentError: one of them is not there.
        """
        await self._context.visible(owner, request.other)
        return await self.edit(owner, written, request)

    async def read(self, owner: str, written: str, request: ReadRequest) -> Answer:
        """Reads at once what nothing stands before and was read before; else wait in the queue."""
        started = self._clock.monotonic()
        submission = _submission(owner, written, "read", request, request.read_uid)
        mailbox, operations = self._context.mailbox, self._context.metadata.operations
        if not mailbox.is_draining:
            current = await operations.glance(submission, self._clock.now())
            if current is not None:
                reading = await self._context.renditions.stored_reading(*current, request.view)
                if reading is not None:
                    reading = await self._context.renditions.captioned(*current, reading)
                    spent = self._clock.monotonic() - started
                    return Answer(OK, read_body(request, *current, reading, spent), ran=spent)
        return await mailbox.submit(submission)

    async def resolve(self, owner: str, written: str, request: ResolveRequest, uid: str) -> Answer:
        """Queues accepting or rejecting changes and waits for its answer; `uid` makes it once."""
        return await self._submit(owner, written, request.action, request, uid)

    async def move(
        self, owner: str, written: str, direction: Literal["undo", "redo"], uid: str
    ) -> Answer:
        """Queues an undo or redo and waits for its answer; `uid` makes it once."""
        return await self._submit(owner, written, direction, None, uid)

    async def delete(self, owner: str, written: str) -> Answer:
        """Queues the end of a document and waits for it."""
        answer = await self._submit(owner, written, "delete", None, str(uuid4()))
        if answer.status == OK:  # else the document stays, as behind an edit that took its time
            await self._context.files.discard(document_id(written))
            await self._context.metadata.audit.record(
                self._clock.now(), SERVICE, "erased", document_id(written)
            )
        return answer

    async def cancel(self, owner: str, written: str, edit_uid: str) -> Cancelled:
        """Cancels an edit that waits or runs.

        Raises:
            MissingDocumentError, MissingEditError.
        """
        document = await self._context.visible(owner, written)
        outcome = refused(cancelled(), "cancelled", "Cancelled")
        operation = await self._context.mailbox.cancel(document.id, edit_uid.lower(), outcome)
        if operation is None:
            raise MissingEditError
        after = await self._context.metadata.operations.find(document.id, "edit", edit_uid.lower())
        state = "cancelled" if after is None else after.state
        was_open = operation.state in ("queued", "running")
        return Cancelled(
            edit_uid=edit_uid, cancelled=was_open and state == "cancelled", state=state
        )

    async def history(self, owner: str, written: str) -> History:
        """Lists what was done to a document."""
        document = await self._context.visible(owner, written)
        operations = await self._context.metadata.operations.history(document.id)
        edits = [
            history_item(operation, _instruction(operation.kind, operation.request))
            for operation in operations
        ]
        return History(document_id=document.id, edits=edits, total_count=len(edits))

    async def changes(self, owner: str, written: str) -> ChangeList:
        """Lists the tracked changes of a document as it stands."""
        document, version = await self._context.visible_version(owner, written)
        try:
            revisions = await self._context.renditions.changes(document, version)
        except (FullError, UnwritableError) as error:
            raise as_service_error(error) from error
        except (AbsentError, EngineError, WorkerError) as error:
            raise ServiceError(refusal(as_service_error(error), "change").detail) from error
        return ChangeList(
            document_id=document.id,
            document_name=document.name,
            version=document.version,
            changes=[change_item(revision) for revision in revisions],
            total_count=len(revisions),
        )

    async def comments(self, owner: str, written: str) -> CommentList:
        """Lists the comments of a document as it stands."""
        document, version = await self._context.visible_version(owner, written)
        try:
            comments = await self._context.renditions.comments(document, version)
        except (StoreError, EngineError, WorkerError) as error:
            raise ServiceError(refusal(as_service_error(error), "change").detail) from error
        return CommentList(
            document_id=document.id,
            document_name=document.name,
            version=document.version,
            comments=[comment_item(comment) for comment in comments],
            total_count=len(comments),
        )

    async def blocks(self, owner: str, written: str, start: str, limit: int) -> BlockList:
        """Returns a window of the blocks of a document as it stands.

        Raises:
            MissingDocumentError: or a ServiceError with the status that says what failed.
        """
        document, whole = await self.all_blocks(owner, written)
        try:
            window = part_of(whole, start, limit)
        except NotFoundError as error:
            raise MissingBlockError(str(error)) from error
        return BlockList(
            document_id=document.id,
            document_name=document.name,
            version=document.version,
            total_count=window.total,
            blocks=[BlockItem(id=one.id, kind=one.kind, text=one.text) for one in window.blocks],
            next=window.next,
        )

    async def all_blocks(self, owner: str, written: str) -> tuple[Document, BlockWindow]:
        """Returns a document as it stands and all its blocks.

        Raises:
            MissingDocumentError: or a ServiceError with the status that says what failed.
        """
        document, version = await self._context.visible_version(owner, written)
        try:
            return document, await self._context.renditions.blocks(document, version)
        except (StoreError, EngineError, WorkerError) as error:
            raise ServiceError(refusal(as_service_error(error), "change").detail) from error

    async def text(self, owner: str, written: str) -> DocumentText:
        """Returns a document as it stands as text for an editor.

        Raises:
            MissingDocumentError: or a ServiceError with the status that says what failed.
        """
        document, version = await self._context.visible_version(owner, written)
        try:
            async with self._context.renditions.at_hand(document, version) as stored:
                markdown = await self._context.workers.call(
                    editor.text,
                    stored,
                    seconds=self._context.settings.edit_seconds,
                    owner=owner,
                )
        except (StoreError, EngineError, WorkerError) as error:
            raise ServiceError(refusal(as_service_error(error), "change").detail) from error
        return DocumentText(
            document_id=document.id,
            document_name=document.name,
            version=document.version,
            markdown=markdown,
        )

    async def readiness(self) -> Readiness:
        """Says whether every part takes work.

        Raises:
            NotReadyError: one does not, or the service is stopping.
        """
        checks = {
            "database": await self._database(),
            "storage": await self._storage(),
            "clock": self._context.clock.fault or "ok",
        }
        now = self._clock.monotonic()
        for name, check in checks.items():
            if check == "ok":
                self._answered[name] = now
            elif self._is_shared and now - self._answered.get(name, now) < GRACE_SECONDS:
                checks[name] = "ok"  # else a hiccup would take all services out at once
        checks["service"] = "shutting down" if self._context.mailbox.is_draining else "ok"
        faults = [f"{name}: {check}" for name, check in checks.items() if check != "ok"]
        checks["confinement"] = "ok" if self._context.workers.is_confined else UNCONFINED
        if self._context.settings.confinement == "require" and checks["confinement"] != "ok":
            faults.append(f"confinement: {UNCONFINED}")
        if faults:
            raise NotReadyError("Not ready: " + ", ".join(faults), retry_after=10)
        return Readiness(status="ready", checks=checks)

    async def _database(self) -> str:
        try:
            await self._context.metadata.keys.highest()
        except MetadataError:
            return "not available"
        return "ok"

    async def standing(self) -> Totals:
        """Says how much waits now over all keys, and how much is kept, as it was counted lately."""
        now = self._clock.monotonic()
        if now - self._counted >= COUNTED_SECONDS or not self._is_shared:
            self._totals, self._counted = await self._documents.totals(), now
        backlog = await self._context.metadata.operations.backlog(self._clock.now())
        try:
            free = await self._context.files.free()
        except StoreError:
            free = None
        return Totals(*self._totals, free, self._context.workers.is_confined, *backlog)

    async def watched(self, owner: str, written: str) -> Document:
        """Returns a document for whoever wants to watch it.

        Raises:
            MissingDocumentError: unknown, expired, or another key's.
        """
        return await self._context.visible(owner, written)

    async def _replayed(self, identifier: str, upload: Upload) -> Uploaded | None:
        """Returns the answer to an upload that was made before under the same uid.

        Raises:
            UidReusedError: it was another file.
        """
        document = await self._documents.get(identifier)
        first = await self._documents.version(identifier, 0)
        if document is None or first is None or not document.is_alive(self._clock.now()):
            return None
        data_digest = await asyncio.to_thread(lambda: sha256(upload.data).hexdigest())
        if data_digest != first.digest:
            raise UidReusedError(OTHER_FILE)
        return uploaded(document, None, ())

    async def _submit(
        self,
        owner: str,
        written: str,
        kind: OperationKind,
        request: msgspec.Struct | None,
        uid: str,
    ) -> Answer:
        submission = _submission(owner, written, kind, request, uid)
        return await self._context.mailbox.submit(submission)

    async def _accepted(self, inspecting: Awaitable[Inspection]) -> Inspection:
        try:
            return await inspecting
        except (EngineError, WorkerError) as error:
            raise UnsupportedFileError(refusal(error, "upload").detail) from error

    async def _first_reading(
        self, document: Document, version: Version, warnings: tuple[str, ...]
    ) -> tuple[str | None, tuple[str, ...]]:
        # The upload stands even if its Markdown cannot be made; a read will say the same.
        try:
            reading = await self._context.renditions.reading(
                document, version, "final", self._context.settings.read_seconds
            )
        except (StoreError, EngineError, WorkerError) as error:
            return None, (*warnings, refusal(as_service_error(error), "read").detail)
        return reading.text, warnings

    async def _storage(self) -> str:
        try:
            free = await self._context.files.free()
        except StoreError:
            return "a folder of it is gone or closed"
        return "ok" if free >= SPACE_NEEDED else "no space left"

    async def _check_room(self, owner: str, size: int) -> None:
        try:
            free = await self._context.files.free()
        except StoreError as error:
            raise as_service_error(error) from error
        if free < SPACE_NEEDED:
            raise StorageFullError
        quota = await self._context.quota(owner)
        if quota == NO_QUOTA:
            return
        # Asked before the work, and again in the transaction that adds the document.
        count, total = await self._documents.usage(owner)
        if quota.is_exceeded(count + 1, total + size):
            raise OverloadedError(QUOTA_USED, retry_after=60)

    def _document(
        self, identifier: str, owner: str, upload: Upload, inspection: Inspection
    ) -> Document:
        now = self._clock.now()
        return Document(
            id=identifier,
            owner=owner,
            name=filenames.with_suffix(filenames.cleaned(upload.name), inspection.format),
            format=inspection.format,
            media_type=inspection.media_type,
            size=len(upload.data),
            tracked=upload.tracked,
            author=upload.author,
            images=inspection.images,
            ttl_seconds=upload.ttl_seconds,
            created_at=now,
            updated_at=now,
            expires_at=now + upload.ttl_seconds,
        )


def _submission(
    owner: str, written: str, kind: OperationKind, request: msgspec.Struct | None, uid: str
) -> Submission:
    document = document_id(written)
    bind_contextvars(document=document, operation=uid.lower())
    return Submission(
        id=uuid4().hex,
        owner=owner,
        document=document,
        kind=kind,
        uid=uid.lower(),
        request=b"{}" if request is None else msgspec.json.encode(request),
        digest="" if request is None else digest(request),
    )


def _instruction(kind: OperationKind, request: bytes) -> str:
    if kind != "edit":
        return ""
    said = msgspec.json.decode(request, type=AnyEdit)
    if said.markdown:
        return "edited as text"
    if said.playbook:
        return "reviewed by a playbook"
    if said.other:
        return "compared"
    count = len(said.operations)
    if not count:
        return said.edit_instructions
    return "1 operation" if count == 1 else f"{count} operations"
