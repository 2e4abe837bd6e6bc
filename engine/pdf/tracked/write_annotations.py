"""Changes as the text-edit annotations that PDF readers know (ISO 32000-2, 12.5.6.10, 12.5.6.11).

[x] replacement: Caret with IT Replace, StrikeOut with IT StrikeOutTextEdit, IRT and RT Group
[x] insertion: Caret  [x] deletion: StrikeOut  [x] fields and properties: Text
[x] look: Highlight, link: Underline, over the words, which say what was and what is
[x] author, dates, contents, name, own appearance
[x] incremental: the file is a prefix of the annotated one  [-] Popup windows
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import Any, Final, Protocol

from redraft.engine.errors import VerificationError
from redraft.engine.pdf.compare.character_looks import Formatting, as_said
from redraft.engine.pdf.compare.comparison import Difference, Stretch
from redraft.engine.pdf.reading.layout import Box, around

RED, BLUE, YELLOW = (0.85, 0.1, 0.1), (0.1, 0.25, 0.8), (1.0, 0.9, 0.35)
UNSAID: Final = "as it was"
CHANGED: Final = "Changed"
"""How the subjects begin of marks that say what something was and is."""
THROUGH: Final = "Rdr"
"""The graphics state under which words are seen through what is drawn over them."""


@dataclass(frozen=True, slots=True)
class Note:
    """A difference with who made it; `date` ISO 8601 UTC, `name` unique in the file."""

    difference: Difference
    author: str
    date: str
    name: str


@dataclass(frozen=True, slots=True)
class Remark:
    """What changed on a page (from 0) that is no text of it, as a sentence; else as a Note."""

    page: int
    text: str
    author: str
    date: str
    name: str


class Signed(Protocol):
    """Something that somebody wrote."""

    @property
    def author(self) -> str:
        """Who."""
        ...

    @property
    def date(self) -> str:
        """When, ISO 8601 UTC."""
        ...


def annotate(original: bytes, notes: Sequence[Note | Remark]) -> bytes:
    """Writes changes into a PDF as annotations and leaves everything else byte for byte.

    A file that had to be repaired, or is encrypted in a way that forbids it, is written whole.

    Raises:
        VerificationError: what was written does not read back.
    """
    if not notes:
        return original

    def write(document: Any) -> None:
        for number, note in enumerate(notes):
            if isinstance(note, Remark):
                _add_remark(document, note, number)
            else:
                _add(document, note)

    data = appended(original, write)
    _check(data, notes)
    return data


def appended(original: bytes, write: Callable[[Any], None]) -> bytes:
    """Returns a PDF with what was written behind its own bytes.

    A file that had to be repaired, or is encrypted in a way that forbids it, is written whole.

    Raises:
        VerificationError: the file does not begin with the original's bytes.
    """
    import pymupdf  # a quarter of a second, and only workers need it

    # A file, not a folder: whoever opens documents may be shown no folder.
    descriptor, name = mkstemp(suffix=".pdf")
    path = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(original)
        document: Any = pymupdf.open(path)
        try:
            write(document)
            if document.can_save_incrementally():
                document.saveIncr()
                data = path.read_bytes()
                is_prefix = data.startswith(original)
            else:
                data, is_prefix = bytes(document.tobytes()), True
        finally:
            document.close()
    finally:
        path.unlink()
    if not is_prefix:
        raise VerificationError("The annotated file does not begin with the original's bytes")
    return _settled(data, len(original) if data.startswith(original) else 0)


def _settled(data: bytes, start: int) -> bytes:
    """Returns a file whose new identifier (ISO 32000-2, 14.4) is made of what was written."""
    last = list(_IDENTIFIER.finditer(data, start))[-1:]
    for match in last:
        digest = sha256(data[start : match.start(1)] + data[match.end(1) :]).hexdigest()
        data = data[: match.start(1)] + digest[:32].upper().encode() + data[match.end(1) :]
    return data


_IDENTIFIER: Final = re.compile(rb"/ID\s*\[\s*<[0-9A-Fa-f]{32}>\s*<([0-9A-Fa-f]{32})>")


def _page_of(note: Note | Remark) -> int:
    return note.page if isinstance(note, Remark) else note.difference.page


def _check(data: bytes, notes: Sequence[Note | Remark]) -> None:
    """Makes sure that every note reads back under its name."""
    import pymupdf

    names: set[str] = set()
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        for index in {_page_of(note) for note in notes}:
            names |= {str(annotation.info["id"]) for annotation in document[index].annots()}
    if not all(note.name in names for note in notes):
        raise VerificationError("An annotation was written and does not read back")


def _add(document: Any, note: Note) -> None:
    change = note.difference
    if change.formatting is not None:
        hang(document, change.page, [_add_look(document, note, change.formatting)])
        return
    caret = strike = 0
    if change.after:
        caret = _add_caret(document, note)
    if change.stretches:
        strike = _add_strike(document, note, caret)
    hang(document, change.page, [reference for reference in (strike, caret) if reference])


def _add_caret(document: Any, note: Note) -> int:
    change = note.difference
    frame, u, v, size = change.caret
    half = 0.28 * size
    box = frame.upright(Box(u - half, v - 0.45 * size, u + half, v + 0.05 * size))
    corners = [
        frame.point(u - half, v - 0.45 * size),
        frame.point(u, v + 0.05 * size),
        frame.point(u + half, v - 0.45 * size),
    ]
    path = " ".join(f"{x:.3f} {y:.3f} {'m' if n == 0 else 'l'}" for n, (x, y) in enumerate(corners))
    is_replacement = bool(change.stretches)
    own = "/Subj (Replacement Text) /IT /Replace" if is_replacement else "/Subj (Inserted Text)"
    entries = f"/Subtype /Caret {own} /RD [0 0 0 0]"
    drawing = f"{color(BLUE)} rg {path} h f"
    return _annotation(document, note, note.name, entries, box, BLUE, drawing)


def _add_strike(document: Any, note: Note, caret: int) -> int:
    change = note.difference
    lines = [_line(stretch, 0.39) for stretch in change.stretches]
    boxes = [stretch.frame.upright(stretch.box) for stretch in change.stretches]
    own = f"/Subtype /StrikeOut /Subj (Cross-Out) {_quads(change.stretches)}"
    own += " /IT /StrikeOutTextEdit"
    name = note.name
    if caret:
        own += f" /IRT {caret} 0 R /RT /Group"
        name = f"{note.name}-struck"
    width = max(0.6, 0.06 * boxes[0].height)
    drawing = f"{color(RED)} RG {width:.2f} w " + " ".join(lines)
    return _annotation(document, note, name, own, around(boxes), RED, drawing)


def _add_look(document: Any, note: Note, formatting: Formatting) -> int:
    """Marks words that look otherwise, or that link to something else."""
    stretches = note.difference.stretches
    boxes = [stretch.frame.upright(stretch.box) for stretch in stretches]
    is_link = formatting[0] == "link"
    kind = f"/Underline /Subj ({CHANGED} link)" if is_link else f"/Highlight /Subj ({CHANGED} look)"
    colour = BLUE if is_link else YELLOW
    drawing = f"{color(colour)} RG 0.9 w " + " ".join(_line(stretch, 0.1) for stretch in stretches)
    if not is_link:
        areas = " ".join(_area(stretch) for stretch in stretches)
        drawing = f"/{THROUGH} gs {color(colour)} rg {areas} f"
    name, was, now = as_said(formatting)
    words = f"{name}: {was or UNSAID} \u2192 {now}"
    own = f"/Subtype {kind} {_quads(stretches)}"
    names = (note.name, words)
    return written(document, note.difference.page, note, names, own, around(boxes), colour, drawing)


def _corners(stretch: Stretch, order: Sequence[int]) -> Iterator[tuple[float, float]]:
    """Yields the corners of a stretch: those of the top from left to right, then of the bottom."""
    box = stretch.box
    every = ((box.x0, box.y1), (box.x1, box.y1), (box.x0, box.y0), (box.x1, box.y0))
    for number in order:
        yield stretch.frame.point(*every[number])


def _quads(stretches: Sequence[Stretch]) -> str:
    places = (corner for one in stretches for corner in _corners(one, range(4)))
    return f"/QuadPoints [{numbers([number for place in places for number in place])}]"


def _area(stretch: Stretch) -> str:
    """Draws around a stretch."""
    corners = enumerate(_corners(stretch, (0, 1, 3, 2)))
    return " ".join(f"{x:.3f} {y:.3f} {'l' if n else 'm'}" for n, (x, y) in corners) + " h"


def _line(stretch: Stretch, height: float) -> str:
    """Draws a line through a stretch, as high as a part of its own height."""
    box, frame = stretch.box, stretch.frame
    v = box.y0 + height * box.height
    (x0, y0), (x1, y1) = frame.point(box.x0, v), frame.point(box.x1, v)
    return f"{x0:.3f} {y0:.3f} m {x1:.3f} {y1:.3f} l S"


def _add_remark(document: Any, note: Remark, number: int) -> None:
    """Adds a text note in the top left corner of its page, each a little further right."""
    page = document[note.page]
    import pymupdf

    point: Any = pymupdf.Point(page.rect.x0 + 18 + 20 * (number % 20), page.rect.y0 + 18)
    corner = point * page.derotation_matrix * ~page.transformation_matrix
    box = Box(corner[0] - 8, corner[1] - 8, corner[0] + 8, corner[1] + 8)
    drawing = (
        f"1 0.9 0.4 rg {color(BLUE)} RG 1 w {box.x0:.3f} {box.y0:.3f} 16 16 re B"
        f" {box.x0 + 3:.3f} {corner[1] + 2:.3f} m {box.x1 - 3:.3f} {corner[1] + 2:.3f} l"
        f" {box.x0 + 3:.3f} {corner[1] - 3:.3f} m {box.x1 - 3:.3f} {corner[1] - 3:.3f} l S"
    )
    own = f"/Subtype /Text /Name /Note /Subj ({CHANGED})"
    made = written(document, note.page, note, (note.name, note.text), own, box, BLUE, drawing)
    hang(document, note.page, [made])


def _annotation(
    document: Any,
    note: Note,
    name: str,
    own: str,
    box: Box,
    colour: tuple[float, float, float],
    drawing: str,
) -> int:
    """Writes an annotation of a change of text; gives its object number."""
    change = note.difference
    contents = change.before
    if "/Caret" in own:
        contents = f"\n{change.after}" if change.is_block else change.after
    return written(document, change.page, note, (name, contents), own, box, colour, drawing)


def written(
    document: Any,
    index: int,
    note: Signed,
    words: tuple[str, str],
    own: str,
    box: Box,
    colour: tuple[float, float, float],
    drawing: str,
) -> int:
    """Writes an annotation with its appearance, its name and what it says; gives its number."""
    rect = numbers([box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1])
    look = document.get_new_xref()
    document.update_object(
        look,
        f"<</Type /XObject /Subtype /Form /BBox [{rect}] /Group <</S /Transparency>>"
        f" /Resources <</ExtGState <</{THROUGH} <</BM /Multiply>>>>>>>>",
    )
    document.update_stream(look, drawing.encode("ascii"), new=True)
    number = document.get_new_xref()
    page = document.page_xref(index)
    name, contents = words
    moment = "D:" + "".join(c for c in note.date if c.isdigit()) + "Z"
    document.update_object(
        number,
        f"<</Type /Annot {own} /Rect [{rect}] /P {page} 0 R /F 4 /CA 1 /C [{color(colour)}]"
        f" /T {text_string(note.author)} /M ({moment}) /CreationDate ({moment})"
        f" /NM {text_string(name)} /Contents {text_string(contents)} /AP <</N {look} 0 R>>>>",
    )
    return int(number)


def hang(document: Any, page: int, numbers: Sequence[int]) -> None:
    """Adds annotations to the list of a page, which may be an object of its own."""
    holder = document.page_xref(page)
    key = "Annots"
    kind, value = document.xref_get_key(holder, key)
    added = " ".join(f"{number_added} 0 R" for number_added in numbers)
    if kind == "xref":
        number = int(value.split()[0])
        listed = document.xref_object(number).strip()
        document.update_object(number, f"{listed.rstrip(']')} {added}]")
    elif kind == "array":
        document.xref_set_key(holder, key, f"{value.rstrip(']')} {added}]")
    else:
        document.xref_set_key(holder, key, f"[{added}]")


def numbers(values: Sequence[float]) -> str:
    """Writes numbers (ISO 32000-2, 7.3.3)."""
    return " ".join(f"{value:.3f}" for value in values)


def color(value: tuple[float, float, float]) -> str:
    """Writes a colour."""
    return numbers(value)


def text_string(value: str) -> str:
    """Writes a text string (ISO 32000-2, 7.9.2.2)."""
    return "<feff" + value.encode("utf-16-be").hex() + ">"
