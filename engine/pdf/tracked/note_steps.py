"""What is done to the notes of a PDF, as steps that can be carried out again on another copy of it.

Notes are named by what stays the same on every copy: their `NM`, or a digest of what they say where
they have none.

[x] Highlight with words  [x] answers: Text with IRT and RT R (ISO 32000-2, 12.5.6.3)
[x] states: hidden Text with StateModel Review, each after the last one of its author
[x] deleting with answers, states and windows  [x] incremental: the file is a prefix of the new one
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.compare.comparison import Corners
from redraft.engine.pdf.reading.layout import Box, around
from redraft.engine.pdf.tracked.write_annotations import (
    THROUGH,
    YELLOW,
    appended,
    color,
    hang,
    numbers,
    text_string,
    written,
)

_HIDDEN: Final = 30  # hidden, printed, neither zoomed nor turned, as Acrobat writes answers
_REFERENCE: Final = re.compile(r"\b(\d+) \d+ R\b")


@dataclass(frozen=True, slots=True)
class NoteStep:
    """One thing that is done to the notes.

    Attributes:
        kind: What is done.
        name: Of the new annotation, or of the one that is deleted.
        host: The name of what is answered, or of what is resolved or opened again.
        page: Of the words, from 0.
        quads: Where the words are, in parts of lines; without any it is a note beside the text.
        author: Whose it is.
        date: ISO 8601 UTC.
        text: What it says; the state, of a step that sets one.
    """

    kind: Literal["add", "reply", "state", "delete"]
    name: str
    host: str = ""
    page: int = 0
    quads: tuple[Corners, ...] = ()
    author: str = ""
    date: str = ""
    text: str = ""


def with_notes(data: bytes, steps: Sequence[NoteStep]) -> bytes:
    """Carries steps out on a PDF and leaves everything else byte for byte.

    A step whose note is not there, because its words went, is passed over.

    Raises:
        VerificationError: what was written does not read back.
    """
    if not steps:
        return data

    def write(document: Any) -> None:
        for step in steps:
            known = names_in(document)
            match step.kind:
                case "add":
                    _add(document, step)
                case "delete" if step.name in known:
                    _delete(document, known[step.name])
                case "reply" | "state" if step.host in known:
                    _attach(document, step, known[step.host])
                case _:
                    pass

    return appended(data, write)


@dataclass(frozen=True, slots=True)
class Place:
    """An annotation: its page from 0 and its object number."""

    page: int
    number: int


def names_in(document: Any) -> Mapping[str, Place]:
    """Returns the annotations of an open document by their names."""
    places: dict[str, Place] = {}
    for page in range(document.page_count):
        for number in _numbers_on(document, page):
            places.setdefault(name_of(document, page, number), Place(page, number))
    return places


def name_of(document: Any, page: int, number: int) -> str:
    """Returns what an annotation is called on every copy of a document."""
    kind, own = document.xref_get_key(number, "NM")
    if kind == "string" and own:
        return str(own)
    keys = ("Subtype", "T", "Contents", "CreationDate", "M", "Subj")
    said = [str(document.xref_get_key(number, key)[1]) for key in keys]
    return f"page {page} {sha256(repr(said).encode()).hexdigest()[:16]}"


def _numbers_on(document: Any, page: int) -> list[int]:
    """Returns the object numbers of the annotations of a page."""
    kind, value = document.xref_get_key(document.page_xref(page), "Annots")
    if kind == "xref":
        value = document.xref_object(int(value.split()[0]))
    return [int(number) for number in _REFERENCE.findall(value)] if kind != "null" else []


def _add(document: Any, step: NoteStep) -> None:
    if not step.quads:
        message = "The words cannot be followed to their place on the page"
        raise RefusedError(message)
    boxes = [_box(quad) for quad in step.quads]
    corners = numbers([corner for quad in step.quads for corner in quad])
    own = f"/Subtype /Highlight /Subj (Comment) /QuadPoints [{corners}]"
    areas = " ".join(_area(quad) for quad in step.quads)
    drawing = f"/{THROUGH} gs {color(YELLOW)} rg {areas} f"
    made = written(
        document, step.page, step, (step.name, step.text), own, around(boxes), YELLOW, drawing
    )
    hang(document, step.page, [made])


def _box(quad: Corners) -> Box:
    xs, ys = quad[0::2], quad[1::2]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _area(quad: Corners) -> str:
    """Draws around a part of a line, from corner to corner."""
    corners = [(quad[at], quad[at + 1]) for at in (0, 2, 6, 4)]
    return " ".join(f"{x:.3f} {y:.3f} {'l' if n else 'm'}" for n, (x, y) in enumerate(corners))


def _attach(document: Any, step: NoteStep, host: Place) -> None:
    """Writes an answer or a state, at the place of what it belongs to."""
    is_state = step.kind == "state"
    last = _last_state(document, host, step.author) if is_state else host.number
    moment = "D:" + "".join(c for c in step.date if c.isdigit()) + "Z"
    _, rectangle = document.xref_get_key(host.number, "Rect")
    own = "/RT /R"
    text = step.text
    if is_state:
        own = f"/StateModel (Review) /State ({step.text})"
        text = f"{step.text} set by {step.author}"
    number = document.get_new_xref()
    document.update_object(
        number,
        f"<</Type /Annot /Subtype /Text /Subj (Comment) /IRT {last} 0 R {own} /Rect {rectangle}"
        f" /P {document.page_xref(host.page)} 0 R /F {_HIDDEN} /Name /Comment"
        f" /T {text_string(step.author)} /M ({moment}) /CreationDate ({moment})"
        f" /NM {text_string(step.name)} /Contents {text_string(text)}>>",
    )
    hang(document, host.page, [number])


def _last_state(document: Any, host: Place, author: str) -> int:
    """Returns the last state that an author gave a note, to which the next belongs; else it."""
    last = host.number
    for number in _numbers_on(document, host.page):
        if (
            host_of(document, number) == last
            and document.xref_get_key(number, "State")[0] != "null"
            and document.xref_get_key(number, "T")[1] == author
        ):
            last = number
    return last


def host_of(document: Any, number: int) -> int:
    """Returns the object number of what an annotation belongs to; 0 for nothing."""
    kind, value = document.xref_get_key(number, "IRT")
    return int(value.split()[0]) if kind == "xref" else 0


def _delete(document: Any, place: Place) -> None:
    """Takes a note from its page, with what belongs to it."""
    on_page = _numbers_on(document, place.page)
    gone = [place.number]
    for number in gone:
        gone += [one for one in on_page if host_of(document, one) == number and one not in gone]
        kind, window = document.xref_get_key(number, "Popup")
        if kind == "xref" and int(window.split()[0]) not in gone:
            gone.append(int(window.split()[0]))
    holder = document.page_xref(place.page)
    kind, value = document.xref_get_key(holder, "Annots")
    kept = "[" + " ".join(f"{n} 0 R" for n in on_page if n not in gone) + "]"
    if kind == "xref":
        document.update_object(int(value.split()[0]), kept)
    else:
        document.xref_set_key(holder, "Annots", kept)


def refuse_odd(document: Any, place: Place) -> None:
    """Refuses to delete where the list of a page holds more than references.

    Raises:
        RefusedError: it does, and what it holds would be lost.
    """
    holder = document.page_xref(place.page)
    kind, value = document.xref_get_key(holder, "Annots")
    if kind == "xref":
        value = document.xref_object(int(value.split()[0]))
    if _REFERENCE.sub("", value).strip(" \n\r\t[]"):
        message = "The notes of this page are written in a way that none can be deleted"
        raise RefusedError(message)
