"""The front door of the engine: plain functions from paths to values, each made to run in a worker process.

A version of a document is its file plus an opaque `state` (bytes, `engine.state`): which revision ids are ours and which
edit wrote each, and the fingerprint of the baseline. Whoever stores the file stores the state beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.model import Format, ImageNote, Notice, Revision, View
from engine.plan import EditPlan, Fault


@dataclass(frozen=True, slots=True)
class Inspection:
    """What an upload is: `state` belongs to version 0."""

    format: Format
    media_type: str
    images: tuple[ImageNote, ...]
    state: bytes
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as Markdown."""

    markdown: str
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """Under which name and time an edit is marked; `tracked` False accepts the edit's own marks at once.

    `date` is ISO 8601 UTC without fractions (`2026-11-21T06:30:00Z`).
    """

    edit_uid: str
    author: str
    date: str
    tracked: bool


@dataclass(frozen=True, slots=True)
class EditReport:
    """What an edit did. `applied` False: nothing changed, no file was written, and `summary` says why."""

    applied: bool
    summary: str
    revisions: tuple[Revision, ...] = ()
    warnings: tuple[str, ...] = ()
    state: bytes = b""


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
class ModelView:
    """What a model is shown: `text` is the view of the document, `tokens` a rough count."""

    text: str
    tokens: int
    whole: bool


def inspect(source: Path, name: str) -> Inspection:
    """Say what the file is and whether it is accepted; `name` is the upload's name, whose suffix must not contradict.

    Raises:
        UnsupportedFormatError, CorruptDocumentError: with a sentence for the caller.
    """
    raise NotImplementedError


def read(source: Path, view: View = "final") -> Reading:
    """Read a document as GitHub-flavoured Markdown.

    Raises:
        UnreadableError: nothing in it can be read as text.
    """
    raise NotImplementedError


def interpret(source: Path, instruction: str, lookup: str | None) -> EditPlan:
    """Turn an instruction into a plan with the built-in interpreter.

    Raises:
        NotUnderstoodError, AmbiguousError, NotFoundError, RefusedError.
    """
    raise NotImplementedError


def show(source: Path, instruction: str, lookup: str | None, nonce: str) -> ModelView:
    """Render what a model is shown of the document for this instruction."""
    raise NotImplementedError


def check(source: Path, plan: EditPlan) -> tuple[Fault, ...]:
    """Validate every operation of a plan against the document; empty when all can be carried out."""
    raise NotImplementedError


def edit(
    source: Path, target: Path, state: bytes, plan: EditPlan, signature: Signature
) -> EditReport:
    """Carry out a plan on a copy, verify it, and write it to `target`: all of it or nothing.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError, VerificationError.
    """
    raise NotImplementedError


def changes(source: Path, state: bytes) -> tuple[Revision, ...]:
    """List the tracked changes of a document in document order, ours and others'."""
    raise NotImplementedError


def resolve(
    source: Path,
    target: Path,
    state: bytes,
    action: Literal["accept", "reject"],
    selection: Selection,
) -> Resolution:
    """Accept or reject the selected changes into `target`.

    Raises:
        NotFoundError: an id, author or edit that is not there.
    """
    raise NotImplementedError


def clean(source: Path, target: Path, state: bytes) -> None:
    """Write the copy in which our changes are accepted and others' stand."""
    raise NotImplementedError
