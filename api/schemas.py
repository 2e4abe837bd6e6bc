"""What goes over the wire, with the names of the interface.

Additions of redraft stand beside the interface's own fields, never instead of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec

from redraft.api.clock import iso
from redraft.api.metadata.protocol import Document, Operation, Spending
from redraft.engine.model import Comment, ImageNote, Notice, Revision
from redraft.engine.playbook.findings import Finding, Outcome, markdown, summary

STATES = {"done": "applied"}


class Wire(msgspec.Struct, kw_only=True, rename="camel"):
    """A JSON object with camelCase names."""


class ImageAnnotation(msgspec.Struct, kw_only=True):
    """An image; exactly these three keys, as existing clients take no other."""

    image_id: str
    caption: str
    source: str


class Uploaded(Wire):
    """The answer to an upload."""

    doc_id: str
    name: str
    created_at: str
    file_type: str
    image_annotations: list[ImageAnnotation] | None
    markdown: str | None
    ttl_seconds: int
    expires_at: str
    tracked_changes: bool
    author_name: str
    version: int
    warnings: list[str]


class DocumentInfo(Wire):
    """A document in the list."""

    doc_id: str
    name: str
    size: int
    created_at: str
    updated_at: str
    content_type: str
    image_annotations: list[ImageAnnotation] | None
    ttl_seconds: int
    expires_at: str
    tracked_changes: bool
    author_name: str
    version: int
    pending: int


class DocumentList(Wire):
    """All documents of a key; `models` are the language models: the ordinary one, the large one."""

    documents: list[DocumentInfo]
    total_count: int
    models: list[str]


class Existence(Wire):
    """Whether a document exists."""

    exists: bool
    document: DocumentInfo | None


class ChangeItem(Wire):
    """One tracked change; `before` and `after` are the words struck and inserted."""

    id: str
    kind: str
    author: str
    date: str
    edit_uid: str | None
    edit_uids: list[str]
    where: str
    anchor: str
    story: str
    before: str
    after: str
    lead: str
    trail: str
    formatting: list[list[str]]
    original_lead: str
    original_trail: str


class ChangeList(Wire):
    """The tracked changes of a document in document order."""

    document_id: str
    document_name: str
    version: int
    changes: list[ChangeItem]
    total_count: int


class CommentItem(Wire):
    """A comment; `words` is the text it hangs on, `parent` the id of the comment it answers."""

    id: str
    author: str
    date: str
    text: str
    on: str
    words: str
    resolved: bool
    parent: str | None


class CommentList(Wire):
    """The comments of a document; exact operations name them by `id`."""

    document_id: str
    document_name: str
    version: int
    comments: list[CommentItem]
    total_count: int


class CitationItem(Wire):
    """Words of the document, as they stand in a block."""

    block: str
    words: str


class FindingItem(Wire):
    """What became of a rule; `model` is who read it, `checked` how much of the document."""

    number: int
    name: str
    rule: str
    outcome: Outcome
    citations: list[CitationItem]
    reason: str
    operations: list[dict[str, Any]]
    checked: str
    model: str


class ReviewItem(Wire):
    """What a playbook says of a document: a sentence, every rule, and a report in Markdown."""

    summary: str
    findings: list[FindingItem]
    report: str


class Edited(Wire):
    """The answer to an edit."""

    edit_uid: str
    edit_applied: bool
    time_to_edit: float
    document_name: str
    document_id: str
    summary: str
    warnings: list[str]
    revisions: list[ChangeItem]
    version: int
    expires_at: str
    dry_run: bool | msgspec.UnsetType = msgspec.UNSET
    """True where nothing was done: the rest says what would be."""
    review: ReviewItem | msgspec.UnsetType = msgspec.UNSET
    """What a playbook says of the document, if one was given."""


class BlockItem(Wire):
    """A block with the id that an operation names; `kind` is empty for a plain paragraph."""

    id: str
    kind: str
    text: str


class BlockList(Wire):
    """A window of the blocks of a document; `next` is where the following one starts."""

    document_id: str
    document_name: str
    version: int
    total_count: int
    blocks: list[BlockItem]
    next: str | None


class DocumentText(Wire):
    """A document as text for an editor, with the ids of its blocks (docs/text.md)."""

    document_id: str
    document_name: str
    version: int
    markdown: str


class NoticeItem(Wire):
    """Something odd in a file that a reader may want to know."""

    code: str
    message: str
    where: str


class ReadOut(Wire):
    """The answer to a read."""

    read_uid: str
    markdown: Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "string"})]
    """JSON already: the Markdown as it is kept."""
    time_to_generate: float
    document_name: str
    document_id: str
    view: str
    version: int
    notices: list[NoticeItem]


class DownloadLink(Wire):
    """A presigned URL."""

    doc_id: str
    download_url: str
    expires_in: int
    filename: str


class Resolved(Wire):
    """The answer to accepting or rejecting changes."""

    document_id: str
    action: str
    resolved: int
    version: int
    expires_at: str


class Moved(Wire):
    """The answer to undo and redo; `applied` is false when there was nowhere to go."""

    document_id: str
    applied: bool
    version: int
    summary: str
    expires_at: str


class Deleted(Wire):
    """The answer to deleting a document."""

    document_id: str
    deleted: bool


class Cancelled(Wire):
    """The answer to cancelling an edit; `cancelled` is false when it had ended before."""

    edit_uid: str
    cancelled: bool
    state: str


class ModelUsage(Wire):
    """What planning an edit with a model took; `cost` is null where no prices are set."""

    model: str
    requests: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost: float | None


class HistoryItem(Wire):
    """One operation that changed a document, or was to."""

    edit_uid: str
    kind: str
    instruction: str
    state: str
    queued_at: str
    started_at: str | None
    finished_at: str | None
    summary: str
    warnings: list[str]
    usage: ModelUsage | None


class History(Wire):
    """The operations of a document, oldest first."""

    document_id: str
    edits: list[HistoryItem]
    total_count: int


class Health(Wire):
    """Whether the process answers."""

    status: str


class Readiness(Wire):
    """Whether the service takes work, and what each part says."""

    status: str
    checks: dict[str, str]


class PlaceItem(msgspec.Struct):
    """A place that an ambiguous instruction may mean; `place` chooses it in the next request."""

    anchor: str
    label: str
    words: str
    place: str


class FaultItem(msgspec.Struct):
    """What is wrong with an operation; `index` counts them from 0."""

    index: int
    code: str
    message: str


class ErrorBody(msgspec.Struct):
    """Every error."""

    detail: str


class EditErrorBody(ErrorBody):
    """An error of an edit.

    `candidates` only where its instruction is ambiguous, `faults` only where exact operations
    cannot be carried out.
    """

    candidates: list[PlaceItem] | msgspec.UnsetType = msgspec.UNSET
    faults: list[FaultItem] | msgspec.UnsetType = msgspec.UNSET


class AdminKey(Wire):
    """A key as administrators see it; 0 documents or bytes at most are no limit."""

    id: str
    owner: str
    name: str
    role: str
    state: str
    created_at: str
    expires_at: str | None
    used_on: str | None
    documents: int
    stored_bytes: int
    most_documents: int
    most_bytes: int


class AdminKeyList(Wire):
    """All keys, oldest first."""

    keys: list[AdminKey]
    total_count: int


class KeyMade(Wire):
    """A new key; `key` is told this once."""

    id: str
    key: str
    owner: str
    role: str
    expires_at: str | None


class KeyClosed(Wire):
    """A key was revoked."""

    id: str
    closed: bool


class AdminDocument(Wire):
    """A document of anybody, without its name."""

    doc_id: str
    owner: str
    size: int
    version: int
    created_at: str
    expires_at: str
    on_hold: bool
    pending: int


class AdminDocumentList(Wire):
    """A page of all documents; `next` is the id to go on behind, null at the end."""

    documents: list[AdminDocument]
    next: str | None


class HoldList(Wire):
    """The documents whose legal hold has begun or ended now."""

    documents: list[str]
    on_hold: bool


class SweepReport(Wire):
    """What the sweeps of this process came to."""

    count: int
    failed: int
    expired: int
    last_at: str | None
    last_seconds: float
    every_seconds: float


def described_images(images: Iterable[ImageNote]) -> list[ImageAnnotation] | None:
    """Lists a document's images; None when it has none."""
    listed = [
        ImageAnnotation(image_id=image.image_id, caption=image.caption, source=image.source)
        for image in images
    ]
    return listed or None


def uploaded(document: Document, markdown: str | None, warnings: Iterable[str]) -> Uploaded:
    """Describes a document that was just uploaded."""
    return Uploaded(
        doc_id=document.id,
        name=document.name,
        created_at=iso(document.created_at),
        file_type=document.media_type,
        image_annotations=described_images(document.images),
        markdown=markdown,
        ttl_seconds=document.ttl_seconds,
        expires_at=iso(document.expires_at),
        tracked_changes=document.tracked,
        author_name=document.author,
        version=document.version,
        warnings=list(warnings),
    )


def info(document: Document) -> DocumentInfo:
    """Describes a document for the list."""
    return DocumentInfo(
        doc_id=document.id,
        name=document.name,
        size=document.size,
        created_at=iso(document.created_at),
        updated_at=iso(document.updated_at),
        content_type=document.media_type,
        image_annotations=described_images(document.images),
        ttl_seconds=document.ttl_seconds,
        expires_at=iso(document.expires_at),
        tracked_changes=document.tracked,
        author_name=document.author,
        version=document.version,
        pending=document.pending,
    )


def review_item(name: str, findings: Sequence[Finding]) -> ReviewItem | msgspec.UnsetType:
    """Shows what a playbook says of a document; nothing where there was none."""
    if not findings:
        return msgspec.UNSET
    items = [
        FindingItem(
            number=one.number,
            name=one.name,
            rule=one.rule,
            outcome=one.outcome,
            citations=[CitationItem(block=c.block, words=c.words) for c in one.citations],
            reason=one.reason,
            operations=msgspec.to_builtins(one.operations),
            checked=one.checked,
            model=one.model,
        )
        for one in findings
    ]
    return ReviewItem(summary=summary(findings), findings=items, report=markdown(name, findings))


def change_item(revision: Revision) -> ChangeItem:
    """Describes a tracked change."""
    return ChangeItem(
        id=revision.id,
        kind=revision.kind,
        author=revision.author,
        date=revision.date,
        edit_uid=revision.edits[-1] if revision.edits else None,
        edit_uids=list(revision.edits),
        where=revision.where,
        anchor=revision.anchor,
        story=revision.story,
        before=revision.before,
        after=revision.after,
        lead=revision.lead,
        trail=revision.trail,
        formatting=[list(entry) for entry in revision.formatting],
        original_lead=_or_else(revision.original_lead, revision.lead),
        original_trail=_or_else(revision.original_trail, revision.trail),
    )


def _or_else(text: str | None, otherwise: str) -> str:
    return otherwise if text is None else text


def comment_item(comment: Comment) -> CommentItem:
    """Describes a comment."""
    return CommentItem(
        id=comment.id,
        author=comment.author,
        date=comment.date,
        text=comment.text,
        on=comment.on,
        words=comment.words,
        resolved=comment.resolved,
        parent=comment.parent or None,
    )


def notice_items(notices: Iterable[Notice]) -> list[NoticeItem]:
    """Describes what was odd in a file."""
    return [
        NoticeItem(code=notice.code, message=notice.message, where=notice.where)
        for notice in notices
    ]


def history_item(operation: Operation, instruction: str) -> HistoryItem:
    """Describes an operation."""
    return HistoryItem(
        edit_uid=operation.uid,
        kind=operation.kind,
        instruction=instruction,
        state=STATES.get(operation.state, operation.state),
        queued_at=iso(operation.received_at),
        started_at=None if operation.started_at is None else iso(operation.started_at),
        finished_at=None if operation.finished_at is None else iso(operation.finished_at),
        summary=operation.summary,
        warnings=list(operation.warnings),
        usage=None if operation.spending is None else _usage(operation.spending),
    )


def _usage(spending: Spending) -> ModelUsage:
    return ModelUsage(
        model=spending.model,
        requests=spending.requests,
        input_tokens=spending.input,
        cached_tokens=spending.cached,
        output_tokens=spending.output,
        cost=spending.cost,
    )


def encode(value: msgspec.Struct) -> bytes:
    """Writes a wire value as JSON."""
    return msgspec.json.encode(value)
