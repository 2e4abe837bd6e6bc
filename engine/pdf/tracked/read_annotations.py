"""The text-edit annotations that stand in a PDF, read as changes (ISO 32000-2, 12.5.6.10 and .11).

[x] Caret with its grouped StrikeOut: a replacement  [x] Caret: an insertion
[x] StrikeOut with the intent of an edit: a deletion  [-] StrikeOut as mere emphasis: no change
[x] Highlight or Underline that says what look or link was and is (see
`engine.pdf.tracked.write_annotations`)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from redraft.engine.model import Revision, RevisionKind
from redraft.engine.pdf.mupdf import failures, opened
from redraft.engine.pdf.tracked.write_annotations import CHANGED, UNSAID


def marks(data: bytes) -> tuple[Revision, ...]:
    """Lists the changes that somebody has marked in a PDF, page by page."""
    revisions: list[Revision] = []
    with opened(data) as document:
        anything: Any = document
        for index in range(document.page_count):
            try:
                page = anything[index]
                revisions += _of_page(anything, page, list(page.annots(types=_KINDS)))
            except failures():
                continue  # a damaged page has no marks that could be told
    return tuple(revisions)


_CARET, _STRIKEOUT, _HIGHLIGHT, _UNDERLINE = 14, 11, 8, 9
_KINDS = (_CARET, _STRIKEOUT, _HIGHLIGHT, _UNDERLINE)
_LOOK = re.compile(r"(bold|italic|colour|link): (.*) \u2192 (.*)")


def _of_page(document: Any, page: Any, annotations: Sequence[Any]) -> list[Revision]:
    carets = {
        int(annotation.xref): annotation
        for annotation in annotations
        if annotation.type[0] == _CARET
    }
    strikes = [annotation for annotation in annotations if annotation.type[0] == _STRIKEOUT]
    struck = {_host(document, annotation): annotation for annotation in strikes}
    revisions: list[Revision] = []
    for annotation in annotations:
        if annotation.type[0] in (_HIGHLIGHT, _UNDERLINE):
            revisions += _looks(page, annotation)
        elif int(annotation.xref) in carets:
            partner = struck.get(int(annotation.xref))
            before = "" if partner is None else _under(page, partner)
            kind: RevisionKind = "insertion" if partner is None else "replacement"
            revisions.append(
                _revision(page, annotation, kind, before, str(annotation.info["content"]))
            )
        elif _host(document, annotation) not in carets and _is_edit(document, annotation):
            revisions.append(_revision(page, annotation, "deletion", _under(page, annotation), ""))
    return revisions


def _looks(page: Any, annotation: Any) -> Iterator[Revision]:
    """Reads a mark of a look or link; any other highlight is no change."""
    match = _LOOK.fullmatch(str(annotation.info["content"]))
    if match is not None and str(annotation.info["subject"]).startswith(CHANGED):
        words = _under(page, annotation)
        name, was, now = ("" if value == UNSAID else value for value in match.groups())
        made = _revision(page, annotation, "format", words, words)
        yield replace(made, formatting=((name, was, now),))


def _host(document: Any, annotation: Any) -> int:
    """Returns the object number of the annotation that one belongs to; 0 for none."""
    kind, value = document.xref_get_key(annotation.xref, "IRT")
    return int(value.split()[0]) if kind == "xref" else 0


def _is_edit(document: Any, annotation: Any) -> bool:
    return document.xref_get_key(annotation.xref, "IT")[1] == "/StrikeOutTextEdit"


def _under(page: Any, annotation: Any) -> str:
    """Returns the words that an annotation strikes, line by line."""
    import pymupdf

    corners = list(annotation.vertices or ())
    parts: list[str] = []
    for at in range(0, len(corners) - 3, 4):
        box: Any = pymupdf.Quad(corners[at : at + 4]).rect
        # Neighbouring lines and letters reach a little into the box.
        low, high = box.y0 + 0.4 * box.height, box.y1 - 0.4 * box.height
        parts.append(str(page.get_textbox((box.x0 + 1, low, box.x1 - 1, high))).strip())
    words = " ".join(part for part in parts if part)
    return words or str(annotation.info["content"])


def _revision(page: Any, annotation: Any, kind: RevisionKind, before: str, after: str) -> Revision:
    info = annotation.info
    return Revision(
        str(info["id"] or f"a{annotation.xref}"),
        kind,
        str(info["title"]),
        _iso(str(info["creationDate"] or info["modDate"])),
        "body",
        "",
        f"page {page.number + 1}",
        before,
        after,
    )


def _iso(date: str) -> str:
    """Writes a date (ISO 32000-2, 7.9.4) as ISO 8601; its zone is taken for UTC."""
    digits = "".join(char for char in date.split("+")[0].split("-")[0] if char.isdigit())
    if len(digits) < 8:
        return ""
    digits = digits[:14].ljust(14, "0")
    day, time = (digits[:4], digits[4:6], digits[6:8]), (digits[8:10], digits[10:12], digits[12:14])
    return f"{'-'.join(day)}T{':'.join(time)}Z"
