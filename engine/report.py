"""What the engine's front door takes and gives back (see `engine.editor`)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from redraft.engine.model import Format, ImageNote, Notice, Revision, StoryKind


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version of a document as it lies on the disk.

    Attributes:
        path: Its file.
        state: What is stored beside the file, by which changes are ours; see `engine.state`.
        original: The upload of a tracked PDF, whose changes are counted against it; None for any
            other document, and for a PDF without tracked changes.
    """

    path: Path
    state: bytes = b""
    original: Path | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a document without an alternative text.

    `id` is that of the view (`im1`), `name` that of the Markdown.
    """

    id: str
    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Inspection:
    """What an upload is: `state` belongs to version 0."""

    format: Format
    media_type: str
    images: tuple[ImageNote, ...]
    state: bytes
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoryReading:
    """A header, footer or comment as Markdown.

    `purpose` is a header's or footer's (`default`, `first`, `even`); `author`, `date` (ISO 8601)
    and `on`, the id of the block it hangs on, are a comment's.
    """

    kind: StoryKind
    id: str
    markdown: str
    purpose: str = ""
    author: str = ""
    date: str = ""
    on: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as Markdown; `stories` are those that were asked for, as data of their own."""

    markdown: str
    notices: tuple[Notice, ...] = ()
    images: tuple[ImageNote, ...] = ()
    stories: tuple[StoryReading, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """Under which name and time an edit is marked.

    `tracked` False accepts the edit's own marks at once. `date` is ISO 8601 UTC without
    fractions (`2026-11-21T06:30:00Z`).
    """

    edit_uid: str
    author: str
    date: str
    tracked: bool

    @classmethod
    def now(cls, author: str, *, tracked: bool) -> Signature:
        """Returns a signature of this moment, or of SOURCE_DATE_EPOCH where that is set."""
        fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
        is_fixed = fixed.isdecimal()
        moment = datetime.fromtimestamp(int(fixed), UTC) if is_fixed else datetime.now(UTC)
        from uuid import uuid4  # reading makes no id

        return cls(str(uuid4()), author, moment.strftime("%Y-%m-%dT%H:%M:%SZ"), tracked)


@dataclass(frozen=True, slots=True)
class EditReport:
    """What an edit did.

    `applied` False: nothing changed, no file was written, and `summary` says why. `accepted` and
    `rejected` are the changes that the plan decided on, as they stood before. `failed_check`
    names the law that was broken where paragraphs were written anew instead of changed words.
    """

    applied: bool
    summary: str
    revisions: tuple[Revision, ...] = ()
    warnings: tuple[str, ...] = ()
    state: bytes = b""
    accepted: tuple[Revision, ...] = ()
    rejected: tuple[Revision, ...] = ()
    failed_check: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which changes are meant: by ids, by author, by edit, or all of them; exactly one is said."""

    ids: tuple[str, ...] = ()
    author: str | None = None
    edit_uid: str | None = None
    all: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """What accepting or rejecting did: how many changes are gone, and the new state."""

    resolved: int
    state: bytes


@dataclass(frozen=True, slots=True)
class BlockLine:
    """One block as a model is shown it.

    `kind` is what stands behind the id (`h2 num="2."`, `li1`, `table 3x2`, nothing for a plain
    paragraph), `text` the final view in the syntax of `engine.tokens`; a row is one block.
    """

    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class BlockWindow:
    """Blocks in document order; `next` is the id of the first one after them, None at the end.

    `snapshot` goes into a plan that is made of them, so that it is carried out on these bytes only.
    """

    snapshot: str
    total: int
    blocks: tuple[BlockLine, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class ModelView:
    """What a model is shown: `text` is the view of the document, `tokens` a rough count.

    `snapshot` goes into the plan that a model makes of it.
    """

    text: str
    tokens: int
    whole: bool
    format: Format = "docx"
    snapshot: str = ""
