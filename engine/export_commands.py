"""`redraft export FILE -o OUT.html|pdf`: a document for people without Word."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, TypeAlias

from redraft.engine import editor, formats
from redraft.engine.errors import RefusedError
from redraft.engine.export.html_page import page
from redraft.engine.file_commands import DONE, WRONG_USE, say
from redraft.engine.model import View
from redraft.engine.report import Selection, StoredVersion

ExportView: TypeAlias = Literal["markup", "clean", "original"]
VIEWS: Final[dict[ExportView, View]] = {
    "markup": "markup",
    "clean": "final",
    "original": "original",
}


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The flags of `redraft export`."""

    output: Path
    view: ExportView
    force: bool

    @classmethod
    def of(cls, parsed: argparse.Namespace) -> ExportOptions:
        """Takes the flags from a parsed command line."""
        return cls(parsed.output, parsed.view, parsed.force)


def export(file: Path, options: ExportOptions, as_pdf: Callable[[Path], bytes]) -> int:
    """Writes a document as a page of HTML or as a PDF.

    Args:
        file: A .docx or .pdf.
        options: Where it goes, and how tracked changes are shown.
        as_pdf: Makes a PDF of a .docx.

    Raises:
        EngineError: the document cannot be read, or not be shown in this way.
    """
    target = options.output
    suffix = target.suffix.lower()
    if suffix not in (".html", ".htm", ".pdf"):
        say(f"{target} would be neither HTML nor PDF; name it .html or .pdf")
        return WRONG_USE
    if target.exists() and not options.force:
        say(f"{target} exists; name another file with -o, or use --force to overwrite it")
        return WRONG_USE
    formats.detect(file.read_bytes(), file.name)
    if suffix == ".pdf":
        target.write_bytes(_pdf(file, options.view, as_pdf))
    else:
        target.write_text(_html(file, options.view), "utf-8")
    say(f"written to {target}")
    return DONE


def _html(file: Path, view: ExportView) -> str:
    version = StoredVersion(file, editor.inspect(file, file.name).state)
    reading = editor.read(version, VIEWS[view], ("headers", "comments"))
    revisions = editor.changes(version) if view == "markup" else ()
    return page(file.name, reading.markdown, revisions)


def _pdf(file: Path, view: ExportView, as_pdf: Callable[[Path], bytes]) -> bytes:
    if formats.is_pdf(file.read_bytes()):
        message = f"{file.name} is a PDF already; export it as .html"
        raise RefusedError(message)
    if view == "markup":
        return as_pdf(file)
    with TemporaryDirectory() as folder:
        settled = Path(folder) / file.name
        state = editor.inspect(file, file.name).state
        action = "accept" if view == "clean" else "reject"
        editor.resolve(StoredVersion(file, state), settled, action, Selection(all=True))
        return as_pdf(settled)
