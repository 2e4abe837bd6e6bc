"""Is an edited PDF what it should be? Judged by MuPDF and PDFium, which know nothing of the editor.

Pixels outside the declared boxes are as before, new text stands on blank ground, both extractors
find the new words and miss none of the others, links, fields, outline, tags and all other pages are
as they were.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from redraft.engine.errors import VerificationError
from redraft.engine.pdf.glyphs.content_interpreter import contents
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects

DPI: Final = 100
VISIBLE: Final = 12
# A glyph behind an edit may snap to another fraction of a pixel: MuPDF adds up widths that it has
# rounded to whole thousandths, and is given the true place after the edit. More pixels than these
# may differ only where letters are that stand still.
SNAPPED_PIXELS: Final = 200
SNAPPED_DELTA: Final = 160
# A watermark that is as light as this is written over, as the words before the edit were.
FAINT: Final = 32
HINT: Final = 2
MOST_OF_LINE: Final = 0.6
MOVED: Final = 0.15
MOVED_PIXELS: Final = 0.01
THIN: Final = 4
ROW: Final = 72 / DPI
MARKS: Final = (8, 9, 10, 11)
"""MuPDF's numbers of highlights, underlines, squiggly lines and strikeouts."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What an edit says it did to a page (`index` from 0; boxes in page space, points).

    `removed` and `added` are the texts taken out and put in; `passages` the old and the new text of
    each block that was changed, the new one empty for a block that went, the old one for one that
    came. `links_gone` counts the links that went, less those that came. `is_at_most` says that a
    reader may lose any of `removed`, as they differ in what they read, and must lose nothing else.
    `moved` are boxes whose content stands higher now, and by how much. `marks_gone` are the kinds
    of marks that went with all their words. `doubled` is drawn over other text,
    before or now, which a reader may count or not.
    """

    index: int
    declared: tuple[Box, ...]
    fresh: tuple[Box, ...]
    removed: str
    added: str
    passages: tuple[tuple[str, str], ...]
    links_gone: int = 0
    is_at_most: bool = False
    moved: tuple[tuple[Box, float], ...] = ()
    marks_gone: tuple[str, ...] = ()
    doubled: str = ""


def verify(
    before: bytes, after: bytes, claims: Sequence[Claim], titles: Mapping[str, str] | None = None
) -> None:
    """Holds an edited file against the one it was made from.

    Args:
        before: the file as it was.
        after: the file as it is.
        claims: what the edit did.
        titles: the new titles of entries of the outline by the old ones.

    Raises:
        VerificationError: something is not as the claims say.
    """
    with objects.opened(before) as old, objects.opened(after) as new:
        _check_structure(old, new, claims)
    _check_with_mupdf(before, after, claims, titles or {})
    _check_with_pdfium(before, after, claims)


def _check_structure(old: Any, new: Any, claims: Sequence[Claim]) -> None:
    """Compares other pages byte for byte, and fields, tags and outline."""
    _require(len(old.pages) == len(new.pages), "the number of pages changed")
    edited = {claim.index for claim in claims}
    for index, (first, second) in enumerate(zip(old.pages, new.pages, strict=True)):
        if index not in edited:
            same = contents(first.obj) == contents(second.obj)
            _require(same, f"page {index + 1} changed though it was not edited")
    for path in (("/AcroForm", "/Fields"), ("/StructTreeRoot",), ("/Outlines",), ("/Metadata",)):
        is_same = (objects.entry(old.Root, *path) is None) == (
            objects.entry(new.Root, *path) is None
        )
        _require(is_same, f"{path[0].lstrip('/')} was lost")
    for claim in claims:
        first, second = (_annotations(document.pages[claim.index].obj) for document in (old, new))
        first["Link"] -= claim.links_gone
        first.subtract(claim.marks_gone)
        _require(+first == +second, f"annotations of page {claim.index + 1} were lost")


def _annotations(page: Any) -> Counter[str]:
    annotations = objects.elements(objects.entry(page, "/Annots"))
    return Counter(
        objects.name(objects.entry(annotation, "/Subtype")) for annotation in annotations
    )


def _check_with_mupdf(
    before: bytes, after: bytes, claims: Sequence[Claim], titles: Mapping[str, str]
) -> None:
    import pymupdf  # a quarter of a second, and only workers need it

    with (
        pymupdf.open(stream=before, filetype="pdf") as one,
        pymupdf.open(stream=after, filetype="pdf") as two,
    ):
        old, new = _Opened(one), _Opened(two)
        expected = [
            [level, titles.get(" ".join(str(title).split()), title), *rest]
            for level, title, *rest in old.outline()
        ]
        _require(expected == new.outline(), "the outline changed")
        for claim in claims:
            _check_text(claim, old.text(claim.index), new.text(claim.index), "MuPDF")
            _check_pixels(claim, old, new)


def _check_with_pdfium(before: bytes, after: bytes, claims: Sequence[Claim]) -> None:
    pdfium: Any = import_module("pypdfium2")
    one, two = pdfium.PdfDocument(before), pdfium.PdfDocument(after)
    try:
        for claim in claims:
            texts = [_pdfium_text(data, claim.index) for data in (one, two)]
            _check_text(claim, texts[0], texts[1], "PDFium")
    finally:
        one.close()
        two.close()


def _pdfium_text(document: Any, index: int) -> str:
    page = document[index]
    textpage = page.get_textpage()
    text = str(textpage.get_text_range())
    textpage.close()
    page.close()
    return letters(text)


def _check_text(claim: Claim, old: str, new: str, judge: str) -> None:
    """Compares letters: none lost, none more than claimed, and each new passage in one piece."""
    expected = Counter(old)
    expected.subtract(letters(claim.removed))
    expected.update(letters(claim.added))
    page = claim.index + 1
    if claim.is_at_most:
        is_kept = +expected <= Counter(new) <= Counter(old)
        _require(is_kept, f"{judge} reads other text on page {page} than expected")
        return
    twice = Counter(letters(claim.doubled))
    is_expected = +(expected - twice) <= Counter(new) <= +(expected + twice)
    _require(is_expected, f"{judge} reads other text on page {page} than expected")
    for before, after in claim.passages:
        was, now = letters(before), letters(after)
        if now and (not was or was in old):
            _require(now in new, f"{judge} does not find the new text of page {page} in one piece")
        if was and not now:
            gone = old.count(was) > new.count(was)
            _require(gone or was not in old, f"{judge} still finds deleted text on page {page}")


@dataclass(slots=True)
class _Opened:
    """A document as MuPDF has it."""

    document: Any

    def outline(self) -> list[list[Any]]:
        return list(self.document.get_toc(simple=True))

    def text(self, index: int) -> str:
        return letters(str(self.document[index].get_text("text")))

    def characters(self, index: int) -> Iterator[tuple[str, float, float]]:
        """Yields each visible character with its origin, in points from the top left."""
        import pymupdf

        turned = self.document[index].rotation_matrix
        for block in self.document[index].get_text("rawdict")["blocks"]:
            for line in block.get("lines", ()):
                for span in line["spans"]:
                    for char in span["chars"]:
                        if char["c"].strip():
                            place: Any = pymupdf.Point(char["origin"]) * turned
                            yield char["c"], float(place.x), float(place.y)

    def lines(self, index: int) -> list[_Area]:
        """Returns the boxes of the lines of text in pixels of the page as it is shown."""
        import pymupdf

        scale, turned = DPI / 72, self.document[index].rotation_matrix
        boxes: list[Any] = [
            pymupdf.Rect(line["bbox"]) * turned
            for block in self.document[index].get_text("dict")["blocks"]
            for line in block.get("lines", ())
        ]
        return [
            (int(x0 * scale) - 1, int(y0 * scale) - 1, int(x1 * scale) + 2, int(y1 * scale) + 2)
            for x0, y0, x1, y1 in boxes
        ]

    def part(self, index: int, box: Box, up: float) -> _Picture:
        """Draws what stands in a box of page space, or as much higher: width, height, RGB bytes."""
        import pymupdf

        page = self.document[index]
        matrix: Any = page.transformation_matrix * page.rotation_matrix
        corners = [(box.x0, box.y0 + up), (box.x1, box.y1 + up)]
        points: list[Any] = [pymupdf.Point(*corner) * matrix for corner in corners]
        clip = pymupdf.Rect(points[0], points[1]).normalize()
        origin: Any = clip.top_left
        zoom = DPI / 72
        drawn = pymupdf.Matrix(zoom, 0, 0, zoom, -origin.x * zoom, -origin.y * zoom)
        shown = page.get_displaylist().get_pixmap(matrix=drawn, clip=clip, alpha=False)
        return shown.width, shown.height, bytes(shown.samples)

    def unmarked(self, index: int) -> bytes:
        """Takes the marks off the words of a page, for they are in no one's way, and draws it."""
        page = self.document[index]
        for mark in list(page.annots(types=MARKS)):
            page.delete_annot(mark)
        return self.picture(index)[2]

    def picture(self, index: int) -> tuple[int, int, bytes, Any]:
        """Draws a page: width, height, RGB bytes, and the matrix from page space to pixels."""
        page = self.document[index]
        pixels = page.get_pixmap(dpi=DPI, alpha=False)
        matrix = page.transformation_matrix * page.rotation_matrix
        return pixels.width, pixels.height, bytes(pixels.samples), matrix


def _check_pixels(claim: Claim, old: _Opened, new: _Opened) -> None:
    width, height, first, matrix = old.picture(claim.index)
    other_width, other_height, second, _ = new.picture(claim.index)
    page = claim.index + 1
    _require((width, height) == (other_width, other_height), f"page {page} changed its size")
    hidden = [_in_pixels(box, matrix, 2) for box in claim.declared]
    count, worst = _differences(first, second, width, height, hidden)
    if count:
        is_snapped = count <= SNAPPED_PIXELS
        if not is_snapped:
            text = [*hidden, *old.lines(claim.index)]
            is_snapped = not _differences(first, second, width, height, text)[0]
        is_still = is_snapped and worst < SNAPPED_DELTA
        is_still = is_still and _stands_still(old, new, claim.index, hidden)
        _require(is_still, f"{count} pixels of page {page} changed beside the edit")
    for box, up in claim.moved:
        there = old.part(claim.index, box, 0.0)
        if min(there[:2]) <= THIN:
            around = Box(box.x0 - ROW, box.y0 - ROW, box.x1 + ROW, box.y1 + ROW)
            looks = _is_drawn_again(
                old.part(claim.index, around, 0.0), new.part(claim.index, around, up)
            )
        else:
            looks = _is_alike(there, new.part(claim.index, box, up))
        _require(looks, f"what was moved on page {page} looks otherwise there")
    for box in claim.fresh:
        area = _in_pixels(box, matrix, -1)
        if not _is_blank(first, width, height, area, FAINT):
            first = old.unmarked(claim.index)
            is_blank = _is_blank(first, width, height, area, FAINT)
            _require(is_blank, f"the new text would cover something on page {page}")


_Picture = tuple[int, int, bytes]


def _is_drawn_again(before: _Picture, now: _Picture) -> bool:
    """Whether a thin line that was drawn is drawn where it was moved to.

    A hairline may fall on one row of pixels or on two, here or just beside, so pixels cannot be
    compared one by one; but along the line, most columns (or rows) of pixels that showed
    something must show something again.
    """
    was, here = _inked_stripes(before), _inked_stripes(now)
    return sum(here) >= MOST_OF_LINE * sum(was)


def _inked_stripes(picture: _Picture) -> list[bool]:
    """Says for each stripe across a thin picture whether anything is drawn in it."""
    width, height, samples = picture
    pixels = [samples[at : at + 3] for at in range(0, 3 * width * height, 3)]
    stripes = (
        [pixels[x::width] for x in range(width)]
        if width >= height
        else [pixels[y * width : (y + 1) * width] for y in range(height)]
    )
    return [
        any(abs(a - b) > HINT for pixel in stripe for a, b in zip(pixel, stripe[0], strict=True))
        or any(value < 255 - VISIBLE for value in stripe[0])
        for stripe in stripes
    ]


def _is_alike(first: _Picture, second: _Picture) -> bool:
    """Whether two pictures are the same but for a row: letters snap to whole rows of pixels."""
    width, height, there = first
    if second[:2] != first[:2]:
        return False
    here, row = second[2], 3 * width
    pairs = ((there, here), (there[row:], here[:-row]), (there[:-row], here[row:]))
    # A faint watermark stays where it is and is seen through what moves.
    least = min(_differences(a, b, width, len(a) // row, (), FAINT)[0] for a, b in pairs)
    return least <= max(4, MOVED_PIXELS * width * height)


def _stands_still(old: _Opened, new: _Opened, index: int, hidden: Sequence[_Area]) -> bool:
    """Whether every character outside of some areas stands where it stood, to 0.15 pt."""
    first, second = (
        [
            (char, x, y)
            for char, x, y in document.characters(index)
            if not any(a <= x * DPI / 72 <= c and b <= y * DPI / 72 <= d for a, b, c, d in hidden)
        ]
        for document in (old, new)
    )
    near: dict[tuple[str, int, int], list[tuple[float, float]]] = {}
    for char, x, y in second:
        near.setdefault((char, round(x), round(y)), []).append((x, y))
    return len(first) == len(second) and all(
        any(
            abs(x - u) < MOVED and abs(y - v) < MOVED
            for dx, dy in itertools.product((-1, 0, 1), repeat=2)
            for u, v in near.get((char, round(x) + dx, round(y) + dy), ())
        )
        for char, x, y in first
    )


_Area = tuple[int, int, int, int]


def _in_pixels(box: Box, matrix: Any, margin: int) -> _Area:
    import pymupdf

    scale = DPI / 72
    area: Any = pymupdf.Rect(box.x0, box.y0, box.x1, box.y1) * matrix
    return (
        int(area.x0 * scale) - margin,
        int(area.y0 * scale) - margin,
        int(area.x1 * scale) + 1 + margin,
        int(area.y1 * scale) + 1 + margin,
    )


def _differences(
    first: bytes,
    second: bytes,
    width: int,
    height: int,
    hidden: Sequence[_Area],
    slack: int = VISIBLE,
) -> tuple[int, int]:
    """Counts pixels that differ visibly outside some areas, and returns the largest difference."""
    stride = width * 3
    count = worst = 0
    for y in range(height):
        start = y * stride
        if first[start : start + stride] == second[start : start + stride]:
            continue
        for left, right in _open_spans(y, width, hidden):
            low, high = start + left * 3, start + right * 3
            if first[low:high] == second[low:high]:
                continue
            for at in range(low, high, 3):
                deltas = (abs(first[at + n] - second[at + n]) for n in range(3))
                delta = max(deltas)
                if delta > slack:
                    count, worst = count + 1, max(worst, delta)
    return count, worst


def _open_spans(y: int, width: int, hidden: Sequence[_Area]) -> Iterator[tuple[int, int]]:
    """Yields the parts of a row of pixels that no area hides."""
    covers = sorted((x0, x1) for x0, y0, x1, y1 in hidden if y0 <= y < y1)
    at = 0
    for low, high in covers:
        if low > at:
            yield at, min(low, width)
        at = max(at, high)
    if at < width:
        yield at, width


def _is_blank(samples: bytes, width: int, height: int, area: _Area, slack: int = VISIBLE) -> bool:
    """Whether an area has one colour, or ones that differ by `slack` at most."""
    x0, y0, x1, y1 = max(area[0], 0), max(area[1], 0), min(area[2], width), min(area[3], height)
    if x1 <= x0 or y1 <= y0:
        return True
    start = (y0 * width + x0) * 3
    ground = samples[start : start + 3]
    for y in range(y0, y1):
        row = samples[(y * width + x0) * 3 : (y * width + x1) * 3]
        if row == ground * (x1 - x0):
            continue
        pairs = itertools.zip_longest(row, ground * (x1 - x0), fillvalue=0)
        if any(abs(a - b) > slack for a, b in pairs):
            return False
    return True


def _require(holds: bool, what: str) -> None:
    if not holds:
        message = f"The edit was not kept: {what}"
        raise VerificationError(message)
