"""What the service answers, decoded; unknown fields are ignored, missing ones have defaults.

Only the names of the interface are required; what redraft's own service adds has a default.
"""

from __future__ import annotations

from datetime import datetime

import msgspec


class Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A JSON object with camelCase names."""


class DocumentInfo(Wire, frozen=True):
    """A document in the list; `version` counts every change of it."""

    doc_id: str
    name: str
    created_at: str = ""
    size: int = 0
    content_type: str = ""
    ttl_seconds: int = 3600
    expires_at: datetime | None = None
    tracked_changes: bool = False
    author_name: str = ""
    version: int = 0
    pending: int = 0

    @property
    def is_pdf(self) -> bool:
        """Whether it was uploaded as a PDF."""
        return self.content_type == "application/pdf" or self.name.lower().endswith(".pdf")


class DocumentList(Wire, frozen=True):
    """All documents of a key.

    `models` names the language models: the ordinary one, the large one; None: it was not told.
    """

    documents: list[DocumentInfo]
    models: list[str] | None = None


class Uploaded(Wire, frozen=True):
    """The answer to an upload."""

    doc_id: str
    name: str
    warnings: list[str] = []


class Markdown(Wire, frozen=True):
    """A document as Markdown in one view; `version` says which state of it was read."""

    markdown: str
    version: int | None = None


class Change(Wire, frozen=True):
    """One tracked change; `before` and `after` are the words struck and inserted.

    `lead` and `trail` are the words around it with every change accepted; the original ones with
    every change rejected, None where a service does not tell them.
    """

    id: str
    kind: str
    author: str = ""
    date: str = ""
    edit_uids: list[str] = []
    where: str = ""
    anchor: str = ""
    story: str = "body"
    before: str = ""
    after: str = ""
    lead: str = ""
    trail: str = ""
    formatting: list[tuple[str, str, str]] = []
    original_lead: str | None = None
    original_trail: str | None = None


class ChangeList(Wire, frozen=True):
    """The tracked changes of a document in document order."""

    changes: list[Change]
    version: int | None = None


class Comment(Wire, frozen=True):
    """A comment on `words`; `parent` is the comment that it answers."""

    id: str
    author: str = ""
    date: str = ""
    text: str = ""
    on: str = ""
    words: str = ""
    resolved: bool = False
    parent: str | None = None


class CommentList(Wire, frozen=True):
    """The comments of a document in document order."""

    comments: list[Comment]


class Edited(Wire, frozen=True):
    """The answer to an edit; `dry_run`: it was not made, and the rest says what it would do."""

    edit_uid: str
    edit_applied: bool
    time_to_edit: float
    summary: str = ""
    warnings: list[str] = []
    revisions: list[Change] = []
    version: int | None = None
    dry_run: bool = False


class HistoryItem(Wire, frozen=True):
    """One operation that changed a document, or was to."""

    edit_uid: str
    kind: str = "edit"
    instruction: str = ""
    state: str = ""
    queued_at: str = ""
    started_at: str | None = None
    finished_at: str | None = None
    summary: str = ""
    warnings: list[str] = []


class History(Wire, frozen=True):
    """The operations of a document, oldest first."""

    edits: list[HistoryItem]


class DownloadLink(Wire, frozen=True):
    """A presigned URL; whoever has it can download the document for `expires_in` seconds."""

    download_url: str
    expires_in: int
    filename: str


class Resolved(Wire, frozen=True):
    """How many changes were accepted or rejected."""

    resolved: int


class Moved(Wire, frozen=True):
    """The answer to undo and redo; `applied` is false when there was nowhere to go."""

    applied: bool
    summary: str = ""


class Cancelled(Wire, frozen=True):
    """The answer to cancelling an edit; `cancelled` is false when it had ended before."""

    cancelled: bool
    state: str = ""


class Event(Wire, frozen=True):
    """Something that happened to a document; `kind` is that of the operation it belongs to.

    `event` is queued, started, progress, applied, unchanged, failed, expired or deleted; `opened`
    is the client's own and says that the stream stands.
    """

    event: str
    kind: str | None = None
    edit_uid: str | None = None
    note: str = ""


class Candidate(Wire, frozen=True):
    """A place that an instruction may mean; `words` are those around it, it between ⟪ and ⟫."""

    place: str
    label: str = ""
    words: str = ""


class ErrorBody(msgspec.Struct, frozen=True):
    """Every error; an instruction that fits several places comes with these."""

    detail: str
    candidates: tuple[Candidate, ...] = ()
