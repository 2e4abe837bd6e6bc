"""Write headers, footers, page numbers and watermarks on every page.

[x] pagination artifacts with their box (ISO 32000-2, 14.8.2.2)  [x] an embedded font, cut down,
once for all pages  [x] turned and cropped pages  [x] room is measured, nothing is covered
[x] a watermark is drawn as shapes, so that no reader takes it for words of the page
[-] first or odd pages only  [-] replacing a watermark that is there
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.pdf.fonts import fallback
from redraft.engine.pdf.fonts.fonts import Char
from redraft.engine.pdf.glyphs.content_interpreter import contents
from redraft.engine.pdf.page_operations.checks import Mark, check_stamped
from redraft.engine.pdf.page_operations.glyph_outlines import Shape, shape
from redraft.engine.pdf.page_operations.margins import Edge, Shown, Spot, area, shown, spots
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.lexer import operators
from redraft.engine.pdf.stream.matrices import Matrix, applied, product
from redraft.engine.pdf.stream.objects import saved
from redraft.engine.pdf.typeset.text_operators import matrix, number, written_string
from redraft.engine.plan import StampKind, StampPages

FONT: Final = "Helvetica"
BOLD: Final = "Helvetica-Bold"
SIZE: Final = 9.0
SMALLEST: Final = 6.0
_EDGES: Final[Mapping[StampKind, Edge]] = {
    "header": "top",
    "footer": "bottom",
    "page_numbers": "bottom",
}
_SUBTYPES: Final[Mapping[StampKind, str]] = {
    "header": "/Subtype /Header /Attached [/Top]",
    "footer": "/Subtype /Footer /Attached [/Bottom]",
    "page_numbers": "/Subtype /PageNum /Attached [/Bottom]",
    "watermark": "/Subtype /Watermark",
}


@dataclass(frozen=True, slots=True)
class _Written:
    """What comes on a page: operators, its box in page space, and the letters a reader finds."""

    drawing: bytes
    mark: Mark


def check(operation: StampPages) -> None:
    """Says nothing where a stamp can be written.

    Raises:
        PlanError: it has no text, or several lines.
        RefusedError: a letter that no font at hand has.
    """
    text = _template(operation)
    if not text.strip():
        message = f"text: the {operation.kind.replace('_', ' ')} has no text"
        raise PlanError(message)
    if "\n" in text:
        raise PlanError("text: it must be one line")
    _codes(text, BOLD if operation.kind == "watermark" else FONT)


def stamp(data: bytes, operation: StampPages, *, is_verified: bool = True) -> bytes:
    """Writes a stamp on every page and verify it.

    Raises:
        PlanError, RefusedError: as `check`; also when a page has no room.
        VerificationError: something else changed.
    """
    check(operation)
    pages = shown(data)
    with objects.opened(data) as document:
        if operation.kind == "watermark":
            written = _watermark(document, pages, _template(operation))
        else:
            written = _lines(document, pages, operation)
        edited = saved(document)
    if is_verified:
        check_stamped(data, edited, [stamped.mark for stamped in written])
    return edited


def _template(operation: StampPages) -> str:
    if operation.kind == "page_numbers" and not operation.text.strip():
        return "{page}"
    return operation.text.strip()


def _codes(text: str, font: str) -> list[Char]:
    face = fallback.font(font)
    chars: list[Char] = []
    for letter in text:
        char = face.encode(letter)
        if char is None:
            message = (
                f"The letter “{letter}” cannot be written on the pages: no font at hand has it"
            )
            raise RefusedError(message)
        chars.append(char)
    return chars


def _lines(document: Any, pages: Sequence[Shown], operation: StampPages) -> list[_Written]:
    """Writes a line of text at an edge of every page."""
    template = _template(operation)
    texts = [
        template.replace("{pages}", str(len(pages))).replace("{page}", str(page.number))
        for page in pages
    ]
    lines = [_codes(text, FONT) for text in texts]
    size = _size(pages, lines)
    widths = [size * sum(char.width for char in line) for line in lines]
    places = spots(pages, widths, size, _EDGES[operation.kind])
    used = {char.code for line in lines for char in line}
    font = fallback.embed(document, FONT, used)
    name = _free_name(document, "/Font")
    written: list[_Written] = []
    for page, line, text, width, spot in zip(pages, lines, texts, widths, places, strict=True):
        box = _upright(page.matrix, area(spot, width, size))
        codes = b"".join(char.code for char in line)
        drawing = b" ".join(
            (
                b"BT 0 g /" + name.encode(),
                number(size),
                b"Tf",
                matrix(_baseline(page.matrix, spot)),
                b"Tm",
                written_string(codes),
                b"Tj ET",
            )
        )
        made = _Written(drawing, Mark(box, text))
        _append(document, page, operation.kind, made, ("/Font", name, font))
        written.append(made)
    return written


def _size(pages: Sequence[Shown], lines: Sequence[Sequence[Char]]) -> float:
    """Returns the size at which every line fits its page.

    Raises:
        RefusedError: none does.
    """
    size = SIZE
    for page, line in zip(pages, lines, strict=True):
        width = sum(char.width for char in line)
        size = min(size, (page.width - 48) / max(width, 0.1))
    if size < SMALLEST:
        raise RefusedError("The text is too long for one line of a page; shorten it")
    return round(size, 2)


def _watermark(document: Any, pages: Sequence[Shown], text: str) -> list[_Written]:
    """Draws words large and pale across every page, along its diagonal."""
    import pikepdf

    drawn = shape(_codes(text, BOLD), BOLD)
    form = document.make_stream(drawn.path + b" f")
    form[pikepdf.Name.Type] = pikepdf.Name.XObject
    form[pikepdf.Name.Subtype] = pikepdf.Name.Form
    box = drawn.box
    form[pikepdf.Name.BBox] = pikepdf.Array([round(v, 3) for v in (box.x0, box.y0, box.x1, box.y1)])
    form[pikepdf.Name.Resources] = pikepdf.Dictionary()
    pale = document.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.ExtGState, ca=0.2, CA=0.2))
    name, state = _free_name(document, "/XObject"), _free_name(document, "/ExtGState")
    written: list[_Written] = []
    for page in pages:
        place = product(_across(page, drawn), page.matrix)
        drawing = b" ".join(
            (b"/" + state.encode(), b"gs 0.4 g", matrix(place), b"cm /" + name.encode(), b"Do")
        )
        made = _Written(drawing, Mark(_upright(place, box), ""))
        _append(
            document, page, "watermark", made, ("/XObject", name, form), ("/ExtGState", state, pale)
        )
        written.append(made)
    return written


def _across(page: Shown, drawn: Shape) -> Matrix:
    """Places a shape in the middle of a page, from its bottom left to its top right corner."""
    angle = math.atan2(page.height, page.width)
    scale = 0.72 * math.hypot(page.width, page.height) / max(drawn.box.width, 1.0)
    scale = min(scale, 0.3 * min(page.width, page.height) / max(drawn.box.height, 1.0))
    cos, sin = scale * math.cos(angle), scale * math.sin(angle)
    # y grows downwards on the page as it is shown, and upwards in the shape.
    linear: Matrix = (cos, -sin, -sin, -cos, 0.0, 0.0)
    x, y = applied(linear, *drawn.box.middle)
    return (*linear[:4], page.width / 2 - x, page.height / 2 - y)


def _baseline(view: Matrix, spot: Spot) -> Matrix:
    """Returns the text matrix of an upright line on a page as it is shown."""
    return product((1.0, 0.0, 0.0, -1.0, spot.x, spot.y), view)


def _upright(transform: Matrix, box: Box) -> Box:
    corners = [applied(transform, x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _free_name(document: Any, kind: str) -> str:
    """Returns a name that no page uses for a resource of a kind yet."""
    taken = {
        key
        for page in document.pages
        for key, _ in objects.items(objects.entry(objects.inherited(page.obj, "/Resources"), kind))
    }
    count = 1
    while f"/Stamp{count}" in taken:
        count += 1
    return f"Stamp{count}"


def _append(
    document: Any,
    page: Shown,
    kind: StampKind,
    made: _Written,
    *resources: tuple[str, str, Any],
) -> None:
    """Puts operators behind a page's content, which keeps its own streams."""
    holder = document.pages[page.number - 1].obj
    box = made.mark.box
    corners = b" ".join(number(v, 2) for v in (box.x0, box.y0, box.x1, box.y1))
    told = b"/Artifact <</Type /Pagination " + _SUBTYPES[kind].encode() + b" /BBox [" + corners
    drawing = told + b"]>> BDC q " + made.drawing + b" Q EMC\n"
    append(document, holder, drawing, is_wrapped=page.is_wrapped)
    for group, name, value in resources:
        _add_resource(holder, group, name, value)


def append(document: Any, page: Any, drawing: bytes, *, is_wrapped: bool = False) -> None:
    """Draws behind a page's content, in page space, whatever state the content leaves."""
    import pikepdf

    old_contents = objects.entry(page, "/Contents")
    old = [old_contents] if objects.is_stream(old_contents) else objects.elements(old_contents)
    before, after = b"q\n", b"\nQ\n"
    if not is_wrapped:
        missing, surplus = _balance(contents(page))
        before, after = b"q " * (surplus + 1) + b"\n", b"\n" + b"Q " * (missing + 1) + b"\n"
    page[pikepdf.Name.Contents] = pikepdf.Array(
        [document.make_stream(before), *old, document.make_stream(after + drawing)]
    )


def _balance(data: bytes) -> tuple[int, int]:
    """Returns how many states are saved and not restored, and how many restored too often."""
    depth = surplus = 0
    for operator in operators(data):
        if operator.name == "q":
            depth += 1
        elif operator.name == "Q" and depth:
            depth -= 1
        elif operator.name == "Q":
            surplus += 1
    return depth, surplus


def _add_resource(page: Any, group: str, name: str, value: Any) -> None:
    import pikepdf

    resources = objects.inherited(page, "/Resources")
    if resources is None:
        resources = pikepdf.Dictionary()
        page[pikepdf.Name.Resources] = resources
    if group not in resources:
        resources[group] = pikepdf.Dictionary()
    resources[group][f"/{name}"] = value
