"""What readers that know no editor make of a PDF: PDFium, MuPDF and qpdf."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import Any, TypeAlias

from redraft.engine.pdf.glyphs.lines import letters

LARGEST = 1600
Box: TypeAlias = tuple[float, float, float, float]


class LawError(AssertionError):
    """An edit did something that it should not."""


def require(holds: bool, message: str) -> None:
    """Raise a `LawError` unless something holds."""
    if not holds:
        raise LawError(message)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter with its box, in points from the top left of the page before it is turned."""

    char: str
    box: Box


@dataclass(frozen=True, slots=True)
class Sheet:
    """What PDFium makes of a page; `text` are the letters alone."""

    said: str
    text: str
    found: tuple[Letter, ...]
    size: tuple[float, float]


@lru_cache(maxsize=6)
def sheets(data: bytes) -> tuple[Sheet, ...]:
    """Read all pages with PDFium."""
    import pymupdf

    pdfium: Any = import_module("pypdfium2")
    document = pdfium.PdfDocument(data)
    try:
        # PDFium takes a page without a box of its own, which inherits one, for a letter.
        with pymupdf.open(stream=data, filetype="pdf") as opened:
            held: Any = opened
            boxes = [(page.cropbox, tuple(page.transformation_matrix)) for page in held]
        return tuple(_sheet(document[at], *box) for at, box in enumerate(boxes))
    finally:
        document.close()


def _sheet(page: Any, crop: Any, matrix: tuple[float, ...]) -> Sheet:
    pdfium: Any = import_module("pypdfium2")
    text = page.get_textpage()
    a, b, c, d, e, f = matrix
    found: list[Letter] = []
    for at in range(text.count_chars()):
        char = chr(pdfium.raw.FPDFText_GetUnicode(text.raw, at))
        if char.isalnum():
            x0, y0, x1, y1 = text.get_charbox(at)
            xs, ys = (
                (a * x0 + c * y0 + e, a * x1 + c * y1 + e),
                (
                    b * x0 + d * y0 + f,
                    b * x1 + d * y1 + f,
                ),
            )
            found.append(Letter(char, (min(xs), min(ys), max(xs), max(ys))))
    said = str(text.get_text_range())
    made = Sheet(said, letters(said), tuple(found), (crop.width, crop.height))
    text.close()
    page.close()
    return made


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file holds: annotations by kind, numbers of things, and what qpdf finds wrong."""

    annotations: Counter[str]
    tags: int
    titles: int
    pages: int
    problems: frozenset[str]
    targets: frozenset[str]


@lru_cache(maxsize=6)
def stored(data: bytes) -> Stored:
    """Look into a file with qpdf."""
    pikepdf: Any = import_module("pikepdf")
    with pikepdf.open(BytesIO(data)) as document:
        problems = {re.sub(r"\d+|<.*?>", "#", str(each)) for each in document.check_pdf_syntax()}
        kinds = Counter(
            str(each.get("/Subtype"))[1:]
            for page in document.pages
            for each in page.obj.get("/Annots") or ()
            if isinstance(each, pikepdf.Dictionary)
        )
        tags = sum(
            1
            for each in document.objects
            if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/StructElem"
        )
        titles = sum(
            1
            for each in document.objects
            if isinstance(each, pikepdf.Dictionary) and "/Title" in each and "/Parent" in each
        )
        targets = {
            str(action.get("/URI"))
            for page in document.pages
            for each in page.obj.get("/Annots") or ()
            if isinstance(each, pikepdf.Dictionary)
            and isinstance(action := each.get("/A"), pikepdf.Dictionary)
        }
        count = len(document.pages)
        return Stored(kinds, tags, titles, count, frozenset(problems), frozenset(targets))


@lru_cache(maxsize=8)
def picture(data: bytes, page: int) -> tuple[int, int, bytes]:
    """Draw a page with PDFium at 72 dpi, a huge one smaller: width, height, bytes."""
    pdfium: Any = import_module("pypdfium2")
    document = pdfium.PdfDocument(data)
    scale = min(1.0, LARGEST / max(document[page].get_size()))
    held = document[page].render(scale=scale, force_bitmap_format=pdfium.raw.FPDFBitmap_BGRx)
    made = held.width, held.height, bytes(held.buffer)
    document.close()
    return made


@lru_cache(maxsize=64)
def lines(data: bytes, page: int) -> list[tuple[str, Box]]:
    """Give the lines of a page as MuPDF has them, in the points of `Letter`."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (
                "".join(span["text"] for span in line["spans"]),
                tuple(round(v, 1) for v in line["bbox"]),
            )
            for block in document[page].get_text("dict")["blocks"]
            for line in block.get("lines", ())
        ]


def shown(data: bytes, page: int, boxes: Sequence[Box]) -> list[Box]:
    """Give boxes as they stand on the page when it is turned."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        matrix = document[page].rotation_matrix
        return [tuple((pymupdf.Rect(box) * matrix).normalize()) for box in boxes]


def text_of(data: bytes) -> Counter[str]:
    """Count the letters of a file."""
    return Counter("".join(sheet.text for sheet in sheets(data)))


def mupdf_letters(data: bytes, page: int) -> list[Letter]:
    """Give the letters of a page as MuPDF has them."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            Letter(char["c"], (*char["origin"], *char["origin"]))
            for block in document[page].get_text("rawdict")["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
            for char in span["chars"]
            if char["c"].isalnum()
        ]


def is_repaired(data: bytes) -> bool:
    """Whether MuPDF finds a file damaged."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return bool(document.is_repaired)


MARKS = (8, 9, 10, 11)
"""MuPDF's numbers of Highlight, Underline, Squiggly and StrikeOut."""
NO_PAGE = ("/URI", "/Title", "/Author", "/Subject", "/Keywords", "/T", "/TU", "/Alt", "/Metadata")
"""Where the words of a page may stand too, which say something of their own."""
_NAMED = re.compile(rb"/(?:URI|Title|Author|Subject|Keywords|Alt|TU?)\s*\((?:[^()\\]|\\.)*\)")


def stored_texts(data: bytes) -> Iterator[tuple[str, str]]:
    """Give all strings of a file and all decoded streams, as they are and with strings joined."""
    pikepdf: Any = import_module("pikepdf")
    with pikepdf.open(BytesIO(data)) as document:
        waiting: list[tuple[str, Any]] = [("the trailer", document.trailer)]
        waiting += [(f"object {number}", each) for number, each in enumerate(document.objects)]
        while waiting:
            name, held = waiting.pop()
            if isinstance(held, pikepdf.String):
                yield name, str(held)
            elif isinstance(held, pikepdf.Array):
                waiting += [(name, each) for each in held if not _is_apart(each)]
            elif isinstance(held, pikepdf.Dictionary | pikepdf.Stream):
                entries = held.items()
                waiting += [(f"{name} {key}", each) for key, each in entries if not _is_apart(each)]
                if isinstance(held, pikepdf.Stream):
                    yield from _streamed(name, held)


def _is_apart(held: Any) -> bool:
    return bool(getattr(held, "is_indirect", False))


def _streamed(name: str, stream: Any) -> Iterator[tuple[str, str]]:
    pikepdf: Any = import_module("pikepdf")
    if stream.get("/Subtype") == "/Image":
        return
    try:
        raw = bytes(stream.read_bytes())
    except pikepdf.PdfError:
        return
    if raw[36:40] == b"acsp":
        return  # a colour profile (ICC.1, 7.2), which names its maker
    if stream.get("/Type") == "/ObjStm":
        # What is in it is walked by itself, where its name says what it is.
        raw = _NAMED.sub(b"", raw)
    if stream.get("/Type") == "/Metadata":
        yield f"{name} /Metadata", raw.decode("latin-1")
        return
    yield name, raw.decode("latin-1")
    strings = re.findall(rb"\(((?:[^()\\]|\\.)*)\)", raw)
    yield f"{name}, joined", b"".join(strings).decode("latin-1")


def marks(data: bytes, page: int) -> list[tuple[Counter[str], str]]:
    """Give each annotation that marks words: the kinds that go with it, and the words."""
    import pymupdf

    found: list[tuple[Counter[str], str]] = []
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        for each in document[page].annots(types=MARKS):
            x0, y0, x1, y1 = each.rect
            held = [
                letter.char
                for letter in sheets(data)[page].found
                for x, y in (middle(letter.box),)
                if x0 <= x <= x1 and y0 <= y <= y1
            ]
            kinds = Counter({str(each.type[1]): 1, "Popup": int(bool(each.popup_xref))})
            found.append((kinds, "".join(held)))
    return found


def middle(box: Box) -> tuple[float, float]:
    """The point in the middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
