"""Are the pages of a rearranged PDF what they should be? Judged by MuPDF and PDFium."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from redraft.engine.errors import VerificationError
from redraft.engine.pdf.glyphs.content_interpreter import contents
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.pdf.page_operations.page_order import Slot
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects

DPI: Final = 40


def check_pages(before: bytes, after: bytes, slots: Sequence[Slot]) -> None:
    """Holds a rearranged file against the one it was made from.

    Every page that stays has its content byte for byte, looks pixel for pixel as before, turned
    where it was turned, and reads the same in PDFium; inserted pages are blank.

    Raises:
        VerificationError: one of these does not hold.
    """
    with objects.opened(before) as old, objects.opened(after) as new:
        require(len(new.pages) == len(slots), "the number of pages is wrong")
        for number, slot in enumerate(slots):
            content = contents(new.pages[number].obj)
            was = contents(old.pages[slot.origin].obj) if slot.origin is not None else b""
            require(content == was, f"page {number + 1} has other content than before")
    _check_looks(before, after, slots)
    with reading(before) as one, reading(after) as two:
        for number, slot in enumerate(slots):
            was = one(slot.origin) if slot.origin is not None else ""
            now = two(number)
            # A turned page is read in the order in which its lines are seen.
            same = was == now or (slot.turn and Counter(letters(was)) == Counter(letters(now)))
            require(bool(same), f"PDFium reads other text on page {number + 1} than before")


def _check_looks(before: bytes, after: bytes, slots: Sequence[Slot]) -> None:
    import pymupdf  # a quarter of a second, and only workers need it

    with (
        pymupdf.open(stream=before, filetype="pdf") as one,
        pymupdf.open(stream=after, filetype="pdf") as two,
    ):
        old: Any = one
        new: Any = two
        for number, slot in enumerate(slots):
            page = new[number]
            picture = page.get_pixmap(dpi=DPI, alpha=False)
            if slot.origin is None:
                is_as_expected = picture.is_unicolor
            else:
                was = old[slot.origin]
                if slot.turn:
                    was.set_rotation((was.rotation + slot.turn) % 360)
                first = was.get_pixmap(dpi=DPI, alpha=False)
                same_size = (first.width, first.height) == (picture.width, picture.height)
                is_as_expected = same_size and bytes(first.samples) == bytes(picture.samples)
            require(is_as_expected, f"page {number + 1} looks otherwise than before")


@contextmanager
def reading(data: bytes) -> Generator[Callable[[int], str]]:
    """Opens a file in PDFium; gives what reads the text of a page, counted from 0."""
    pdfium: Any = import_module("pypdfium2")
    document: Any = pdfium.PdfDocument(data)

    def text(index: int) -> str:
        page = document[index]
        textpage = page.get_textpage()
        content = str(textpage.get_text_range())
        textpage.close()
        page.close()
        return content

    try:
        yield text
    finally:
        document.close()


def require(holds: bool, what: str) -> None:
    """Raises where something does not hold."""
    if not holds:
        message = f"The edit was not kept: {what}"
        raise VerificationError(message)


@dataclass(frozen=True, slots=True)
class Mark:
    """What was drawn on a page: its box in page space, and the text that a reader finds of it."""

    box: Box
    text: str


def check_stamped(before: bytes, after: bytes, marks: Sequence[Mark]) -> None:
    """Holds a stamped file against the one it was made from, page by page.

    MuPDF and PDFium read the old letters and those of the mark; outside its box no pixel differs.

    Raises:
        VerificationError: one of these does not hold.
    """
    import pymupdf

    with reading(before) as one, reading(after) as two:
        for number, mark in enumerate(marks):
            _check_letters(one(number), two(number), mark, "PDFium", number)
    with (
        pymupdf.open(stream=before, filetype="pdf") as first,
        pymupdf.open(stream=after, filetype="pdf") as second,
    ):
        old: Any = first
        new: Any = second
        require(old.page_count == new.page_count == len(marks), "the number of pages changed")
        for number, mark in enumerate(marks):
            was, now = old[number], new[number]
            _check_letters(was.get_text(), now.get_text(), mark, "MuPDF", number)
            same = _masked(was, mark.box) == _masked(now, mark.box)
            require(same, f"page {number + 1} changed beside what was written on it")


def _check_letters(before: str, after: str, mark: Mark, judge: str, number: int) -> None:
    expected = Counter(letters(before))
    expected.update(letters(mark.text))
    same = expected == Counter(letters(after))
    require(same, f"{judge} reads other text on page {number + 1} than expected")


def _masked(page: Any, box: Box) -> bytes:
    """Draws a page with a box of page space painted over."""
    import pymupdf

    picture = page.get_pixmap(dpi=DPI, alpha=False)
    rect: Any = pymupdf.Rect(box.x0, box.y0, box.x1, box.y1)
    rect = rect * page.transformation_matrix * page.rotation_matrix * (DPI / 72)
    width, height = picture.width, picture.height
    left, right = (min(max(int(x), 0), width) for x in (rect.x0 - 2, rect.x1 + 3))
    top, bottom = (min(max(int(y), 0), height) for y in (rect.y0 - 2, rect.y1 + 3))
    samples = bytearray(picture.samples)
    for y in range(top, bottom):
        start = (y * width + left) * 3
        samples[start : start + (right - left) * 3] = bytes((right - left) * 3)
    return bytes(samples)
