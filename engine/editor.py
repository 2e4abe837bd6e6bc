"""The front door of the engine: plain functions from paths to values, made for worker processes.

A version of a document is its file plus an opaque `state` (bytes, see `engine.state`): which
revision ids are ours and which edit wrote each, and the fingerprint of the baseline. Whoever
stores the file stores the state beside it. No function here keeps anything between calls.

A PDF carries no marks of ours: the changes of a tracked one are counted against the upload, which
the functions that need it take as `original`. Without it a PDF has no tracked changes.

A plan is good for the bytes it was made on: `interpret` and `show` note their digest, and on any
other bytes the plan is not carried out, since its anchors may name other blocks there.

Each function imports the part it needs, so that `redraft read` does not wait for the redline, nor
the redline for the PDF reader; `PARTS` names them all for whoever wants them loaded beforehand.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from redraft.engine import formats
from redraft.engine.errors import (
    EditError,
    NotFoundError,
    RefusedError,
    UnreadableError,
    UnsupportedFormatError,
)
from redraft.engine.model import Document, Extra, Revision, View
from redraft.engine.report import (
    BlockWindow,
    EditReport,
    Inspection,
    ModelView,
    Reading,
    Resolution,
    Selection,
    Signature,
)

if TYPE_CHECKING:
    from redraft.engine.compare.redlining import Redline
    from redraft.engine.plan import EditPlan, Fault

_MOVED_ON = "The document has changed since the edit was planned; ask for the edit again"

PARTS = (
    "redraft.engine.docx.apply",
    "redraft.engine.docx.reading.reader",
    "redraft.engine.docx.changes.accept_or_reject",
    "redraft.engine.docx.changes.revisions",
    "redraft.engine.editor",
    "redraft.engine.interpreter.interpreter",
    "redraft.engine.markdown.document",
    "redraft.engine.pdf.apply",
    "redraft.engine.pdf.plan_faults",
    "redraft.engine.pdf.reader",
    "redraft.engine.pdf.tracked.redline",
    "redraft.engine.planner.view",
    "redraft.engine.transcript.redline",
)


def inspect(source: Path, name: str, author: str = "") -> Inspection:
    """Say what the file is and whether it is accepted.

    Args:
        source: the uploaded bytes.
        name: the name given at upload; its suffix must not contradict the content.
        author: whose tracked changes in a `.docx` count as ours, in the state that is given.

    Raises:
        UnsupportedFormatError, CorruptDocumentError: with a sentence for the caller.
    """
    data = source.read_bytes()
    kind = formats.detect(data, name)
    if kind == "pdf":
        from redraft.engine.pdf import reader as pdf_reader

        return Inspection(kind, formats.MEDIA_TYPES[kind], pdf_reader.images(data), b"")
    from redraft.engine.docx import apply
    from redraft.engine.docx.opc.package import Package
    from redraft.engine.docx.reading import reader

    document = reader.read(Package.open(data), "final")
    state = apply.initial_state(data, author)
    return Inspection(kind, formats.MEDIA_TYPES[kind], document.images, state)


def read(
    source: Path,
    view: View = "final",
    include: Collection[Extra] = (),
    state: bytes = b"",
    original: Path | None = None,
) -> Reading:
    """Read a document as GitHub-flavoured Markdown.

    Args:
        source: the version to read.
        view: how tracked changes are shown.
        include: `headers` or `comments`: to be in the Markdown, and data of their own beside it.
        state: that of `source`, by which the changes of a tracked PDF are known.
        original: the upload of a tracked PDF; without it a PDF has no changes to be shown.

    Raises:
        UnreadableError: nothing in it can be read as text.
    """
    from redraft.engine.markdown import document as markdown

    document = _document(source, view, state, original)
    stories = markdown.stories(document, include)
    return Reading(
        markdown.write(document, include), document.notices, document.images, tuple(stories)
    )


def interpret(
    source: Path,
    instruction: str,
    lookup: str | None,
    state: bytes = b"",
    places: Collection[str] = (),
) -> EditPlan:
    """Turn an instruction into a plan with the built-in interpreter.

    Args:
        source: the version it is about.
        instruction: what should change, in plain sentences.
        lookup: an excerpt that says where.
        state: that of `source`, by which changes are ours.
        places: which of the candidates of an AmbiguousError are meant, by their `place`.

    Raises:
        NotUnderstoodError, AmbiguousError, NotFoundError, RefusedError.
    """
    from redraft.engine.interpreter import interpreter
    from redraft.engine.planner.topics import speaks_of_changes

    snapshot = _digest(source.read_bytes())
    document = _editable(source)
    pending = _pending(source, state) if speaks_of_changes(instruction) else ()
    plan = interpreter.interpret(document, instruction, lookup, pending, places)
    return replace(plan, snapshot=snapshot)


def show(
    source: Path, instruction: str, lookup: str | None, nonce: str, state: bytes = b""
) -> ModelView:
    """Render what a model is shown of the document for this instruction."""
    from redraft.engine.planner import view

    snapshot = _digest(source.read_bytes())
    document = _editable(source)
    remarks = _remarks(source, state, document)
    shown = view.render(document, instruction, lookup, nonce, _pending(source, state), remarks)
    return replace(shown, snapshot=snapshot)


def check(
    source: Path, plan: EditPlan, state: bytes = b"", tracked: bool = False
) -> tuple[Fault, ...]:
    """Validate every operation of a plan; empty when all of them can be carried out.

    Args:
        source: the version it is about.
        plan: what is to be done.
        state: that of `source`, by which changes are ours.
        tracked: whether as tracked changes, which of a PDF not everything can be.
    """
    data = source.read_bytes()
    if _is_stale(plan, data):
        from redraft.engine.plan import Fault

        return (Fault(0, "not_found", f"{NotFoundError()}: {_MOVED_ON}"),)
    if formats.is_pdf(data):
        from redraft.engine.pdf.plan_faults import faults

        return faults(data, plan, tracked=tracked, breaks_signature=_breaks_signature())
    from redraft.engine.docx import apply
    from redraft.engine.docx.opc.package import Package

    return apply.faults(Package.open(data), plan, state)


def blocks(source: Path, start: str = "", limit: int = 100, state: bytes = b"") -> BlockWindow:
    """Returns a window of the blocks with the ids that a plan names.

    Args:
        source: the version to read.
        start: the id of the first block; empty for the beginning.
        limit: how many blocks at most, from 1 to 500; others are cut to that.
        state: that of `source`, by which changes are ours.

    Raises:
        NotFoundError: there is no block of that id.
        RefusedError: a PDF of scanned pages.
    """
    from redraft.engine.exact_edits import window

    return window(show(source, "", None, "", state), start, limit)


def faults(
    source: Path, plan: EditPlan, state: bytes = b"", tracked: bool = False
) -> tuple[Fault, ...]:
    """Returns why operations of a plan cannot be carried out, each with its block's true text."""
    from redraft.engine.exact_edits import with_true_text

    wrong = check(source, plan, state, tracked)
    return with_true_text(wrong, plan, show(source, "", None, "", state)) if wrong else ()


def preview(
    source: Path,
    target: Path,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    original: Path | None = None,
) -> EditReport:
    """Carries out a plan as `edit` does, and lists its changes even where it is untracked.

    What is written to `target` is of no use. Of a PDF whose edit cannot be made as tracked changes
    no changes are listed; the rest is as `edit` gives and raises it.
    """
    report = edit(source, target, state, plan, signature, original)
    if not report.applied or signature.tracked:
        return report
    with contextlib.suppress(EditError):
        marked = edit(source, target, state, plan, replace(signature, tracked=True), original)
        return replace(report, revisions=marked.revisions)
    return report


def edit(
    source: Path,
    target: Path,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    original: Path | None = None,
) -> EditReport:
    """Carry out a plan on a copy, verify it, and write it to `target`: all of it or nothing.

    Args:
        source: the version to be edited.
        target: where the edited version goes.
        state: that of `source`.
        plan: what is to be done.
        signature: under whose name.
        original: the upload of a tracked PDF; `source` itself where it is None.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError, VerificationError.
    """
    data = source.read_bytes()
    if _is_stale(plan, data):
        raise NotFoundError(reason=_MOVED_ON)
    if formats.is_pdf(data):
        first = data if original is None else original.read_bytes()
        data, report = _edit_pdf(data, first, state, plan, signature)
    else:
        from redraft.engine.docx import apply

        is_strict = os.environ.get("REDRAFT_PROTECTED") == "refuse"
        data, report = apply.apply(data, state, plan, signature, refuses_protected=is_strict)
    if report.applied:
        target.write_bytes(data)
    return report


def changes(source: Path, state: bytes, original: Path | None = None) -> tuple[Revision, ...]:
    """List the tracked changes of a document in document order, ours and others'.

    Others' in a PDF are its text-edit annotations; they come last, and stay where they are.
    """
    data = source.read_bytes()
    if not formats.is_pdf(data):
        from redraft.engine.docx.changes import revisions

        return revisions.changes(data, state)
    from redraft.engine.pdf.tracked.read_annotations import marks

    if original is None:
        return marks(data)
    from redraft.engine.pdf.tracked import redline as pdf_redline

    return (*pdf_redline.changes(original.read_bytes(), data, state), *marks(data))


def resolve(
    source: Path,
    target: Path,
    state: bytes,
    action: Literal["accept", "reject"],
    selection: Selection,
    original: Path | None = None,
) -> Resolution:
    """Accept or reject the selected changes into `target`.

    Raises:
        NotFoundError: an id, author or edit that is not there.
    """
    data = source.read_bytes()
    if not formats.is_pdf(data):
        from redraft.engine.docx.changes import accept_or_reject as settle

        data, resolution = settle.resolve(data, state, action, selection)
    elif original is None:
        message = (
            "The changes marked in a PDF are notes on its original pages, and cannot be settled "
            "from the file alone: keep the original to reject them, or make the edit without "
            "tracked changes to accept it"
        )
        raise NotFoundError(message)
    else:
        from redraft.engine.pdf.tracked import redline as pdf_redline

        data, resolution = pdf_redline.resolve(
            original.read_bytes(), data, state, action, selection
        )
    target.write_bytes(data)
    return resolution


def clean(source: Path, target: Path, state: bytes) -> None:
    """Write the copy in which our changes are accepted and others' stand."""
    from redraft.engine.docx.changes import accept_or_reject as settle

    data = source.read_bytes()
    target.write_bytes(data if formats.is_pdf(data) else settle.clean(data, state))


def redline(source: Path, target: Path, state: bytes, original: Path) -> None:
    """Write the copy that shows all changes as tracked ones.

    A .docx shows them as it is; of a PDF it is the upload with annotations.
    """
    data = source.read_bytes()
    if formats.is_pdf(data):
        from redraft.engine.pdf.tracked import redline as pdf_redline

        data = pdf_redline.annotated(original.read_bytes(), data, state)
    target.write_bytes(data)


def compare(first: Path, second: Path, target: Path, signature: Signature) -> Redline:
    """Writes the first version with tracked changes that make it the second; nothing if none do.

    Raises:
        UnsupportedFormatError: one of them is no Word document.
        RefusedError: the second cannot be read as changes of the first.
    """
    from redraft.engine.compare.redlining import compare as compared

    for source in (first, second):
        if formats.detect(source.read_bytes(), source.name) != "docx":
            message = f"{source.name} is no .docx; only two Word documents can be compared"
            raise UnsupportedFormatError(message)
    found = compared(first.read_bytes(), second.read_bytes(), signature)
    if found.revisions:
        target.write_bytes(found.data)
    return found


def as_word(source: Path, target: Path, state: bytes, original: Path) -> None:
    """Write a Word document made of a PDF's blocks, the changes since `original` tracked in it.

    Raises:
        UnreadableError: the PDF has no text layer.
        VerificationError: it would not say what the PDF says.
    """
    from redraft.engine.transcript import redline as transcript

    target.write_bytes(transcript.redline(original.read_bytes(), source.read_bytes(), state))


def _document(
    source: Path, view: View, state: bytes = b"", original: Path | None = None
) -> Document:
    data = source.read_bytes()
    if formats.is_pdf(data):
        if view == "markup" and original is not None:
            from redraft.engine.pdf.tracked import markup_view

            return markup_view.marked(original.read_bytes(), data, state)
        from redraft.engine.pdf import reader as pdf_reader

        return pdf_reader.read(data)
    from redraft.engine.docx.opc.package import Package
    from redraft.engine.docx.reading import reader

    package = Package.open(data)
    if package.main not in package.names():
        message = "Unsupported document format"
        raise UnreadableError(message)
    return reader.read(package, view)


def _edit_pdf(
    data: bytes, original: bytes, state: bytes, plan: EditPlan, signature: Signature
) -> tuple[bytes, EditReport]:
    """Edit a PDF in place, written whole; only a tracked one keeps a log of what its words were."""
    if signature.tracked:
        from redraft.engine.pdf.tracked import redline as pdf_redline

        return pdf_redline.edit(
            original, data, state, plan, signature, breaks_signature=_breaks_signature()
        )
    from redraft.engine.pdf.apply import apply

    edited, report = apply(data, plan, signature, breaks_signature=_breaks_signature())
    return edited, replace(report, revisions=(), state=b"")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_stale(plan: EditPlan, data: bytes) -> bool:
    """Whether a plan speaks of other bytes: its anchors may name other blocks of these."""
    return plan.snapshot not in ("", _digest(data))


def _breaks_signature() -> bool:
    """Whether the operator lets signed PDFs be edited, which makes their signatures invalid."""
    return os.environ.get("REDRAFT_SIGNED") == "edit"


def _pending(source: Path, state: bytes) -> tuple[Revision, ...]:
    """The tracked changes that an instruction may speak of: those in the file itself."""
    data = source.read_bytes()
    if formats.is_pdf(data):
        return ()
    from redraft.engine.docx.changes import revisions

    return revisions.changes(data, state)


def _remarks(source: Path, state: bytes, document: Document) -> Mapping[str, str]:
    """What a model has to know of blocks before it plans."""
    data = source.read_bytes()
    if formats.is_pdf(data):
        return {}
    from redraft.engine.docx.opc.package import Package
    from redraft.engine.docx.view_hints import remarks
    from redraft.engine.state import decode

    return remarks(Package.open(data), decode(state), document)


def _editable(source: Path) -> Document:
    """Read a document for an edit.

    Raises:
        RefusedError: a PDF without text; says why.
    """
    try:
        return _document(source, "final")
    except UnreadableError:
        data = source.read_bytes()
        if not formats.is_pdf(data):
            raise
        from redraft.engine.pdf.glyphs.target_blocks import why_no_text

        raise RefusedError(why_no_text(data)) from None
