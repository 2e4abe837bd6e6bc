"""The front door of the engine: plain functions from paths to values, made for worker processes.

A `StoredVersion` is a file plus an opaque `state` (bytes, see `engine.state`): which revision ids
are ours and which edit wrote each, and the fingerprint of the baseline. Whoever stores the file
stores the state beside it. No function here keeps anything between calls.

A PDF carries no marks of ours: the changes of a tracked one are counted against the upload, the
version's `original`. Without it a PDF has no tracked changes.

A plan is good for the bytes it was made on: `interpret` and `show` note their digest, and on any
other bytes the plan is not carried out, since its anchors may name other blocks there.

Each function imports the part it needs, so that `redraft read` does not wait for the redline, nor
the redline for the PDF reader; `PARTS` names them all for whoever wants them loaded beforehand.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from redraft.engine import formats
from redraft.engine.errors import (
    AmbiguousError,
    EditError,
    NotFoundError,
    RefusedError,
    UnreadableError,
)
from redraft.engine.model import Comment, Document, Extra, Revision, View
from redraft.engine.reading import document_of
from redraft.engine.report import (
    BlockWindow,
    EditReport,
    Inspection,
    ModelView,
    Picture,
    Reading,
    Resolution,
    Selection,
    Signature,
    StoredVersion,
)

if TYPE_CHECKING:
    from redraft.engine.plan import EditPlan, Fault

_MOVED_ON = "The document has changed since the edit was planned; ask for the edit again"

PARTS = (
    "redraft.engine.compare.redlining",
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
    "redraft.engine.text_edit.text_edit",
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


def read(version: StoredVersion, view: View = "final", include: Collection[Extra] = ()) -> Reading:
    """Read a document as GitHub-flavoured Markdown.

    Args:
        version: the version to read.
        view: how tracked changes are shown.
        include: `headers` or `comments`: to be in the Markdown, and data of their own beside it.

    Raises:
        UnreadableError: nothing in it can be read as text.
    """
    from redraft.engine.markdown import document as markdown

    document = _document(version, view)
    stories = markdown.stories(document, include)
    return Reading(
        markdown.write(document, include), document.notices, document.images, tuple(stories)
    )


def pictures(version: StoredVersion) -> tuple[Picture, ...]:
    """Returns the pictures of a Word document that nothing is said of, for who describes them.

    The first of them, and none that is very small or large or in a format that models do not see.
    """
    data = version.path.read_bytes()
    if formats.is_pdf(data):
        return ()
    from redraft.engine.docx.opc.package import Package
    from redraft.engine.docx.reading import pictures as docx_pictures

    return docx_pictures.undescribed(Package.open(data))


def interpret(
    version: StoredVersion, instruction: str, lookup: str | None, places: Collection[str] = ()
) -> EditPlan:
    """Turn an instruction into a plan with the built-in interpreter.

    Args:
        version: the version it is about.
        instruction: what should change, in plain sentences.
        lookup: an excerpt that says where.
        places: which of the candidates of an AmbiguousError are meant, by their `place`; of
            several answers to one question the plan does what is wanted at each.

    Raises:
        NotUnderstoodError, AmbiguousError, NotFoundError, RefusedError.
    """
    from redraft.engine.interpreter import interpreter
    from redraft.engine.planner.topics import speaks_of_changes

    def planned(chosen: frozenset[str]) -> EditPlan:
        try:
            return interpreter.interpret(document, instruction, lookup, pending, chosen)
        except AmbiguousError as error:
            meant = [one.place for one in error.candidates if one.place in chosen]
            if len(meant) < 2:
                raise
            others = chosen.difference(meant)
            return _together([planned(others | {place}) for place in meant])

    snapshot = _digest(version.path.read_bytes())
    document = editable(version.path)
    pending = _pending(version) if speaks_of_changes(instruction) else ()
    return replace(planned(frozenset(places)), snapshot=snapshot)


def _together(plans: Sequence[EditPlan]) -> EditPlan:
    """Returns one plan that does what each of at least one does."""
    operations = dict.fromkeys(one for plan in plans for one in plan.operations)
    reasons = dict.fromkeys(plan.reason for plan in plans)
    return replace(plans[0], operations=tuple(operations), reason="; ".join(reasons))


def show(version: StoredVersion, instruction: str, lookup: str | None, nonce: str) -> ModelView:
    """Render what a model is shown of the document for this instruction."""
    from redraft.engine.planner import view

    snapshot = _digest(version.path.read_bytes())
    document = editable(version.path)
    remarks = _remarks(version, document, instruction)
    shown = view.render(document, instruction, lookup, nonce, _pending(version), remarks)
    return replace(shown, snapshot=snapshot)


def check(version: StoredVersion, plan: EditPlan, tracked: bool = False) -> tuple[Fault, ...]:
    """Validate every operation of a plan; empty when all of them can be carried out.

    Args:
        version: the version it is about.
        plan: what is to be done.
        tracked: whether as tracked changes, which of a PDF not everything can be.
    """
    data = version.path.read_bytes()
    if _is_stale(plan, data):
        from redraft.engine.plan import Fault

        return (Fault(0, "not_found", f"{NotFoundError()}: {_MOVED_ON}"),)
    if formats.is_pdf(data):
        from redraft.engine.pdf.plan_faults import faults

        return faults(data, plan, tracked=tracked, breaks_signature=_breaks_signature())
    from redraft.engine.docx import apply
    from redraft.engine.docx.opc.package import Package

    return apply.faults(Package.open(data), plan, version.state)


def blocks(version: StoredVersion, start: str = "", limit: int | None = 100) -> BlockWindow:
    """Returns a window of the blocks with the ids that a plan names.

    Args:
        version: the version to read.
        start: the id of the first block; empty for the beginning.
        limit: how many blocks at most, from 1 to 500; others are cut to that, None gives all.

    Raises:
        NotFoundError: there is no block of that id.
        RefusedError: a PDF of scanned pages.
    """
    from redraft.engine.exact_edits import window

    return window(show(version, "", None, ""), start, limit)


def text(version: StoredVersion) -> str:
    """Returns a document as text for an editor, with the ids of its blocks."""
    from redraft.engine.text_edit.text_edit import text_of

    return text_of(editable(version.path))


def text_plan(
    version: StoredVersion, edited: str, tracked: bool = False
) -> tuple[EditPlan, tuple[Fault, ...]]:
    """Returns the plan that an edited text stands for, and what of it cannot be carried out.

    Args:
        version: the version whose text was edited.
        edited: the text, with the ids of blocks or without.
        tracked: whether as tracked changes, which of a PDF not everything can be.

    Returns:
        A plan, and faults whose `index` counts the lines of the text from 0.
    """
    from redraft.engine.plan import EditPlan, Fault
    from redraft.engine.text_edit.text_edit import edit_plan, plan_of
    from redraft.engine.text_edit.text_plan import TextFaultsError

    snapshot = _digest(version.path.read_bytes())
    try:
        found = plan_of(editable(version.path), edited)
        plan = replace(edit_plan(found), snapshot=snapshot)
    except TextFaultsError as error:
        lines = tuple(Fault(max(f.number, 1) - 1, "line", f.message) for f in error.faults)
        return EditPlan("refuse", str(error)), lines
    wrong = check(version, plan, tracked) if plan.operations else ()
    return plan, tuple(replace(f, index=max(found.numbers[f.index], 1) - 1) for f in wrong)


def faults(version: StoredVersion, plan: EditPlan, tracked: bool = False) -> tuple[Fault, ...]:
    """Returns why operations of a plan cannot be carried out, each with its block's true text."""
    from redraft.engine.exact_edits import with_true_text

    wrong = check(version, plan, tracked)
    return with_true_text(wrong, plan, show(version, "", None, "")) if wrong else ()


def preview(
    version: StoredVersion, target: Path, plan: EditPlan, signature: Signature
) -> EditReport:
    """Carries out a plan as `edit` does, and lists its changes even where it is untracked.

    What is written to `target` is of no use. Of a PDF whose edit cannot be made as tracked changes
    no changes are listed; the rest is as `edit` gives and raises it.
    """
    report = edit(version, target, plan, signature)
    if not report.applied or signature.tracked:
        return report
    with contextlib.suppress(EditError):
        marked = edit(version, target, plan, replace(signature, tracked=True))
        return replace(report, revisions=marked.revisions)
    return report


def edit(version: StoredVersion, target: Path, plan: EditPlan, signature: Signature) -> EditReport:
    """Carry out a plan on a copy, verify it, and write it to `target`: all of it or nothing.

    Args:
        version: the version to be edited; a PDF without an original is its own.
        target: where the edited version goes.
        plan: what is to be done.
        signature: under whose name.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError, VerificationError.
    """
    data = version.path.read_bytes()
    if _is_stale(plan, data):
        raise NotFoundError(reason=_MOVED_ON)
    if formats.is_pdf(data):
        data, report = _edit_pdf(data, _upload(version), version.state, plan, signature)
    else:
        from redraft.engine.docx import whole_paragraphs

        is_strict = os.environ.get("REDRAFT_PROTECTED") == "refuse"
        data, report = whole_paragraphs.edit(
            data, version.state, plan, signature, refuses_protected=is_strict
        )
    if report.applied:
        target.write_bytes(data)
    return report


def changes(version: StoredVersion) -> tuple[Revision, ...]:
    """List the tracked changes of a document in document order, ours and others'.

    Others' in a PDF are its text-edit annotations; they come last, and stay where they are.
    """
    data = version.path.read_bytes()
    if not formats.is_pdf(data):
        from redraft.engine.docx.changes import revisions

        return revisions.changes(data, version.state)
    from redraft.engine.pdf.tracked.read_annotations import marks

    if version.original is None:
        return marks(data)
    from redraft.engine.pdf.tracked import redline as pdf_redline

    first = version.original.read_bytes()
    return (*pdf_redline.changes(first, data, version.state), *marks(data))


def comments(version: StoredVersion) -> tuple[Comment, ...]:
    """Lists the comments of a document with the words they hang on, answers included."""
    data = version.path.read_bytes()
    if formats.is_pdf(data):
        from redraft.engine.pdf.comments import comments as of_pdf

        return of_pdf(data)
    from redraft.engine.docx.opc.package import Package
    from redraft.engine.docx.reading import comment_threads, reader
    from redraft.engine.markdown import document as markdown

    package = Package.open(data)
    stories = markdown.stories(reader.read(package, "final"), ("comments",))
    known = {story.id: story for story in stories if story.kind == "comment"}
    return tuple(
        replace(one, text=known[one.id].markdown.strip(), on=known[one.id].on)
        if one.id in known
        else one
        for one in comment_threads.comments(package)
    )


def resolve(
    version: StoredVersion,
    target: Path,
    action: Literal["accept", "reject"],
    selection: Selection,
) -> Resolution:
    """Accept or reject the selected changes into `target`.

    Raises:
        NotFoundError: an id, author or edit that is not there.
    """
    data = version.path.read_bytes()
    if not formats.is_pdf(data):
        from redraft.engine.docx.changes import accept_or_reject as settle

        data, resolution = settle.resolve(data, version.state, action, selection)
    elif version.original is None:
        message = (
            "The changes marked in a PDF are notes on its original pages, and cannot be settled "
            "from the file alone: keep the original to reject them, or make the edit without "
            "tracked changes to accept it"
        )
        raise NotFoundError(message)
    else:
        from redraft.engine.pdf.tracked import redline as pdf_redline

        data, resolution = pdf_redline.resolve(
            version.original.read_bytes(), data, version.state, action, selection
        )
    target.write_bytes(data)
    return resolution


def clean(version: StoredVersion, target: Path) -> None:
    """Write the copy in which our changes are accepted and others' stand."""
    from redraft.engine.docx.changes import accept_or_reject as settle

    data = version.path.read_bytes()
    target.write_bytes(data if formats.is_pdf(data) else settle.clean(data, version.state))


def redline(version: StoredVersion, target: Path) -> None:
    """Write the copy that shows all changes as tracked ones.

    A .docx shows them as it is; of a PDF it is the upload with annotations.
    """
    data = version.path.read_bytes()
    if formats.is_pdf(data):
        from redraft.engine.pdf.tracked import redline as pdf_redline

        data = pdf_redline.annotated(_upload(version), data, version.state)
    target.write_bytes(data)


def as_word(version: StoredVersion, target: Path) -> None:
    """Write a Word document made of a PDF's blocks, the changes since its original tracked in it.

    Raises:
        UnreadableError: the PDF has no text layer.
        VerificationError: it would not say what the PDF says.
    """
    from redraft.engine.transcript import redline as transcript

    data = version.path.read_bytes()
    target.write_bytes(transcript.redline(_upload(version), data, version.state))


def _upload(version: StoredVersion) -> bytes:
    """Returns the bytes that a PDF's changes are counted against: its own where it has no other."""
    return (version.original or version.path).read_bytes()


def _document(version: StoredVersion, view: View) -> Document:
    data = version.path.read_bytes()
    if view == "markup" and version.original is not None and formats.is_pdf(data):
        from redraft.engine.pdf.tracked import markup_view

        return markup_view.marked(version.original.read_bytes(), data, version.state)
    return document_of(data, view)


def _edit_pdf(
    data: bytes, original: bytes, state: bytes, plan: EditPlan, signature: Signature
) -> tuple[bytes, EditReport]:
    """Edit a PDF in place, written whole; only a tracked one keeps a log of what its words were."""
    from redraft.engine.pdf import discussion

    notes, rest = discussion.split(plan)
    if not notes:
        return _reword_pdf(data, original, state, plan, signature)
    edited, steps = discussion.discuss(data, notes, signature, breaks_signature=_breaks_signature())
    report = EditReport(applied=bool(steps), summary=discussion.summary(steps), state=state)
    if signature.tracked and steps:
        from redraft.engine.pdf.tracked import redline as pdf_redline

        on_upload = discussion.on_upload(steps, data, original)
        report = replace(report, state=pdf_redline.noted(state, on_upload))
    if rest.operations:
        edited, reworded = _reword_pdf(edited, original, report.state, rest, signature)
        summary = "; ".join(one.summary for one in (reworded, report) if one.applied)
        is_applied = reworded.applied or report.applied
        report = replace(reworded, applied=is_applied, summary=summary or reworded.summary)
    warnings = (discussion.UNTRACKED,) if steps and signature.tracked else ()
    return edited, replace(report, warnings=(*report.warnings, *warnings))


def _reword_pdf(
    data: bytes, original: bytes, state: bytes, plan: EditPlan, signature: Signature
) -> tuple[bytes, EditReport]:
    if signature.tracked:
        from redraft.engine.pdf.tracked import redline as pdf_redline

        edited, report = pdf_redline.edit(
            original, data, state, plan, signature, breaks_signature=_breaks_signature()
        )
    else:
        from redraft.engine.pdf.apply import apply

        edited, report = apply(data, plan, signature, breaks_signature=_breaks_signature())
        report = replace(report, revisions=(), state=b"")
    return edited, replace(report, summary=_summary(plan, report))


def _summary(plan: EditPlan, report: EditReport) -> str:
    """Returns why a PDF was edited, and where: `The fee is raised (1 change on page 2)`."""
    reason, places = plan.reason.rstrip("."), report.summary
    if not reason or not report.applied:
        return reason or places
    return f"{reason} ({places[:1].lower()}{places[1:]})"


def _digest(data: bytes) -> str:
    import hashlib  # who only reads does not wait for OpenSSL

    return hashlib.sha256(data).hexdigest()


def _is_stale(plan: EditPlan, data: bytes) -> bool:
    """Whether a plan speaks of other bytes: its anchors may name other blocks of these."""
    return plan.snapshot not in ("", _digest(data))


def _breaks_signature() -> bool:
    """Whether the operator lets signed PDFs be edited, which makes their signatures invalid."""
    return os.environ.get("REDRAFT_SIGNED") == "edit"


def _pending(version: StoredVersion) -> tuple[Revision, ...]:
    """The tracked changes that an instruction may speak of: those in the file itself."""
    data = version.path.read_bytes()
    if formats.is_pdf(data):
        return ()
    from redraft.engine.docx.changes import revisions

    return revisions.changes(data, version.state)


def _remarks(version: StoredVersion, document: Document, asked: str) -> Mapping[str, str]:
    """What a model has to know of blocks before it plans what is asked."""
    data = version.path.read_bytes()
    if formats.is_pdf(data):
        return {}
    from redraft.engine.docx.opc.package import Package
    from redraft.engine.docx.view_hints import remarks
    from redraft.engine.planner.topics import speaks_of_looks
    from redraft.engine.state import decode

    package, state = Package.open(data), decode(version.state)
    return remarks(package, state, document, tells_looks=speaks_of_looks(asked))


def editable(source: Path) -> Document:
    """Reads a document in its final view, for an edit.

    Raises:
        RefusedError: a PDF without text; says why.
    """
    try:
        return _document(StoredVersion(source), "final")
    except UnreadableError:
        data = source.read_bytes()
        if not formats.is_pdf(data):
            raise
        from redraft.engine.pdf.glyphs.target_blocks import why_no_text

        raise RefusedError(why_no_text(data)) from None
