"""The front door of the engine: plain functions from paths to values, made for worker processes.

A version of a document is its file plus an opaque `state` (bytes, see `engine.state`): which
revision ids are ours and which edit wrote each, and the fingerprint of the baseline. Whoever
stores the file stores the state beside it. No function here keeps anything between calls.

Each function imports the part it needs, so that `redraft read` does not wait for the redline, nor
the redline for the PDF reader; `PARTS` names them all for whoever wants them loaded beforehand.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

from engine import formats
from engine.errors import NotFoundError, RefusedError, UnreadableError
from engine.model import Document, Revision, View
from engine.plan import EditPlan, Fault
from engine.report import (
    EditReport,
    Inspection,
    ModelView,
    Reading,
    Resolution,
    Selection,
    Signature,
)

PARTS = (
    "engine.docx.apply",
    "engine.docx.reader",
    "engine.docx.resolve",
    "engine.docx.revisions",
    "engine.editor",
    "engine.interpreter.interpreter",
    "engine.markdown",
    "engine.pdf.apply",
    "engine.pdf.faults",
    "engine.pdf.reader",
    "engine.planner.view",
)
NO_PDF_REDLINE = (
    "redraft edits a PDF in place, but cannot yet mark the changes as tracked; the document is "
    "unchanged. Upload it without tracked changes, or upload the .docx it was made from"
)


def inspect(source: Path, name: str) -> Inspection:
    """Say what the file is and whether it is accepted.

    Args:
        source: the uploaded bytes.
        name: the name given at upload; its suffix must not contradict the content.

    Raises:
        UnsupportedFormatError, CorruptDocumentError: with a sentence for the caller.
    """
    data = source.read_bytes()
    kind = formats.detect(data, name)
    if kind == "pdf":
        from engine.pdf import reader as pdf_reader

        pdf_reader.check(data)
        images = pdf_reader.images(data)
        return Inspection(kind, formats.MEDIA_TYPES[kind], images, b"")
    from engine.docx import apply, reader
    from engine.docx.package import Package

    document = reader.read(Package.open(data), "final")
    return Inspection(kind, formats.MEDIA_TYPES[kind], document.images, apply.initial_state(data))


def read(source: Path, view: View = "final") -> Reading:
    """Read a document as GitHub-flavoured Markdown.

    Raises:
        UnreadableError: nothing in it can be read as text.
    """
    from engine import markdown

    document = _document(source, view)
    return Reading(markdown.write(document), document.notices)


def interpret(source: Path, instruction: str, lookup: str | None) -> EditPlan:
    """Turn an instruction into a plan with the built-in interpreter.

    Raises:
        NotUnderstoodError, AmbiguousError, NotFoundError, RefusedError.
    """
    from engine.interpreter import interpreter

    return interpreter.interpret(_editable(source), instruction, lookup)


def show(source: Path, instruction: str, lookup: str | None, nonce: str) -> ModelView:
    """Render what a model is shown of the document for this instruction."""
    from engine.planner import view

    return view.render(_editable(source), instruction, lookup, nonce)


def check(source: Path, plan: EditPlan) -> tuple[Fault, ...]:
    """Validate every operation of a plan; empty when all of them can be carried out."""
    data = source.read_bytes()
    if formats.is_pdf(data):
        from engine.pdf.faults import faults

        return faults(data, plan)
    from engine.docx import apply
    from engine.docx.package import Package

    return apply.faults(Package.open(data), plan)


def edit(
    source: Path, target: Path, state: bytes, plan: EditPlan, signature: Signature
) -> EditReport:
    """Carry out a plan on a copy, verify it, and write it to `target`: all of it or nothing.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError, VerificationError.
    """
    data = source.read_bytes()
    if formats.is_pdf(data):
        data, report = _edit_pdf(data, plan, signature)
    else:
        from engine.docx import apply

        is_strict = os.environ.get("REDRAFT_PROTECTED") == "refuse"
        data, report = apply.apply(data, state, plan, signature, refuses_protected=is_strict)
    if report.applied:
        target.write_bytes(data)
    return report


def changes(source: Path, state: bytes) -> tuple[Revision, ...]:
    """List the tracked changes of a document in document order, ours and others'."""
    from engine.docx import revisions

    data = source.read_bytes()
    return () if formats.is_pdf(data) else revisions.changes(data, state)


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
    from engine.docx import resolve as settle

    source_bytes = source.read_bytes()
    if formats.is_pdf(source_bytes):
        message = "a PDF holds no tracked changes"
        raise NotFoundError(message)
    data, resolution = settle.resolve(source_bytes, state, action, selection)
    target.write_bytes(data)
    return resolution


def clean(source: Path, target: Path, state: bytes) -> None:
    """Write the copy in which our changes are accepted and others' stand."""
    from engine.docx import resolve as settle

    data = source.read_bytes()
    target.write_bytes(data if formats.is_pdf(data) else settle.clean(data, state))


def _document(source: Path, view: View) -> Document:
    data = source.read_bytes()
    if formats.is_pdf(data):
        from engine.pdf import reader as pdf_reader

        return pdf_reader.read(data)
    from engine.docx import reader
    from engine.docx.package import Package

    package = Package.open(data)
    if package.main not in package.names():
        message = "Unsupported document format"
        raise UnreadableError(message)
    return reader.read(package, view)


def _edit_pdf(data: bytes, plan: EditPlan, signature: Signature) -> tuple[bytes, EditReport]:
    """Edit a PDF in place, written whole; it keeps no log, for it has no tracked changes."""
    from engine.pdf.apply import apply

    if signature.tracked:
        raise RefusedError(NO_PDF_REDLINE)
    edited, report = apply(data, b"", plan, signature)
    return edited, replace(report, revisions=(), state=b"")


def _editable(source: Path) -> Document:
    return _document(source, "final")
