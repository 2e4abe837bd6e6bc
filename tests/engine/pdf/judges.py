"""Was a PDF edited and nothing else? Judged by three libraries, none of which knows the editor.

pikepdf compares what is stored, MuPDF draws, MuPDF and PDFium read.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from io import BytesIO
from typing import Any, TypeAlias

Rect: TypeAlias = tuple[float, float, float, float]

DPI = 100
VISIBLE = 12
FEW, FAINT = 30, 80
"""So many pixels may differ by so much: a letter that snaps to another fraction of a pixel."""


def sound(
    before: bytes, after: bytes, *, pages: tuple[int, ...] = (0,), below: str = "", **gone: int
) -> None:
    """Hold an edited file against the one before it, as every acceptance case demands.

    Args:
        before: the file before the edit.
        after: the file after it.
        pages: the pages that were edited, from 0; all others keep their bytes.
        below: the end of the line below which everything may have gone up or down as a whole.
        gone: how many annotations of a kind are fewer now (`Link=1`).
    """
    _opens(after)
    _is_kept(before, after, pages, Counter(gone))
    for page in pages:
        hidden = changed_lines(before, after, page)
        if below:
            hidden.append(_moved_as_one(before, after, page, below))
        count, worst = differences(before, after, page, hidden)
        assert count <= FEW, f"{count} pixels of page {page + 1}"
        assert worst < FAINT, f"a pixel of page {page + 1} by {worst}"


def _moved_as_one(before: bytes, after: bytes, page: int, below: str) -> Rect:
    """Give the part of a page below a line, whose lines all stand as much higher or lower now."""
    old = lines(before, page)
    top = next(box[3] for text, box in old if below.strip().endswith(text[-20:]) and len(text) > 9)
    held: dict[str, list[float]] = {}
    for text, box in old:
        if box[1] > top - 2 and text:
            held.setdefault(text, []).append(box[1])
    now: dict[str, list[float]] = {}
    for text, box in lines(after, page):
        now.setdefault(text, []).append(box[1])
    assert held
    # Lines with the same words, such as bullets, are paired from the bottom of the page up.
    steps = {
        round(was - there, 1)
        for text, places in held.items()
        for was, there in zip(
            sorted(places, reverse=True), sorted(now.get(text, ()), reverse=True), strict=False
        )
    }
    assert len(steps) == 1, f"the lines of page {page + 1} moved apart: {steps}"
    return (0.0, top, 10_000.0, 10_000.0)


def _opens(data: bytes) -> None:
    import pikepdf
    import pymupdf

    with pikepdf.open(BytesIO(data)) as document:
        assert document.check_pdf_syntax() == []
    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    assert not opened.is_repaired
    opened.close()
    pdfium: Any = import_module("pypdfium2")
    document = pdfium.PdfDocument(data)
    assert len(document) > 0
    document.close()


def _is_kept(before: bytes, after: bytes, pages: tuple[int, ...], gone: Counter[str]) -> None:
    import pikepdf

    with pikepdf.open(BytesIO(before)) as first, pikepdf.open(BytesIO(after)) as second:
        assert len(first.pages) == len(second.pages)
        for number, (one, two) in enumerate(zip(first.pages, second.pages, strict=True)):
            if number not in pages:
                assert _drawn(one) == _drawn(two), f"page {number + 1}"
        old, new = _annotations(first), _annotations(second)
        old.subtract(gone)
        assert +old == new
        assert _tags(first) == _tags(second)
    assert outline(before) == outline(after)
    assert widgets(before).keys() == widgets(after).keys()


def _drawn(page: Any) -> bytes:
    page.contents_coalesce()
    return bytes(page.obj.Contents.read_bytes()) if "/Contents" in page.obj else b""


def _annotations(document: Any) -> Counter[str]:
    return Counter(
        str(each.get("/Subtype"))[1:]
        for page in document.pages
        for each in page.obj.get("/Annots") or ()
    )


def _tags(document: Any) -> int:
    """Count the elements of the structure tree."""
    count = 0
    waiting: list[Any] = [document.Root.get("/StructTreeRoot")]
    pikepdf: Any = import_module("pikepdf")
    while waiting:
        held = waiting.pop()
        if isinstance(held, pikepdf.Array):
            waiting += list(held)
        elif isinstance(held, pikepdf.Dictionary):
            count += 1
            waiting.append(held.get("/K"))
    return count


def outline(data: bytes) -> list[Any]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [(level, page) for level, _, page in document.get_toc()]


def widgets(data: bytes) -> dict[str, str]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return {
            str(each.field_name): str(each.field_value)
            for page in document
            for each in page.widgets()
        }


def lines(data: bytes, page: int) -> list[tuple[str, Rect]]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        turned = document[page].rotation_matrix
        return [
            (
                "".join(span["text"] for span in line["spans"]).strip(),
                tuple(pymupdf.Rect(line["bbox"]) * turned),
            )
            for block in document[page].get_text("dict")["blocks"]
            for line in block.get("lines", ())
        ]


def changed_lines(before: bytes, after: bytes, page: int) -> list[Rect]:
    """Give the boxes of the lines that say something else than before, as the page is shown."""
    old, new = lines(before, page), lines(after, page)
    first, second = Counter(text for text, _ in old), Counter(text for text, _ in new)
    changed = {*(first - second), *(second - first)} - {""}
    return [box for text, box in (*old, *new) if text in changed]


def differences(before: bytes, after: bytes, page: int, hidden: list[Rect]) -> tuple[int, int]:
    """Count the pixels that differ visibly outside of boxes, and give the largest difference."""
    first, second = picture(before, page), picture(after, page)
    assert first[:2] == second[:2]
    width, _, one = first
    two = second[2]
    if one == two:
        return 0, 0
    scale = DPI / 72
    areas = [(x0 * scale - 2, y0 * scale - 2, x1 * scale + 3, y1 * scale + 3)
             for x0, y0, x1, y1 in hidden]  # fmt: skip
    count = worst = 0
    stride = width * 3
    for start in range(0, len(one), stride):
        if one[start : start + stride] == two[start : start + stride]:
            continue
        y = start // stride
        across = [(a, c) for a, b, c, d in areas if b <= y <= d]
        for x in range(width):
            at = start + 3 * x
            if one[at : at + 3] == two[at : at + 3] or any(a <= x <= c for a, c in across):
                continue
            delta = max(abs(one[at + n] - two[at + n]) for n in range(3))
            if delta > VISIBLE:
                count, worst = count + 1, max(worst, delta)
    return count, worst


def picture(data: bytes, page: int) -> tuple[int, int, bytes]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        pixels = document[page].get_pixmap(dpi=DPI, alpha=False)
        return pixels.width, pixels.height, bytes(pixels.samples)


def glyph_numbers(data: bytes, page: int) -> list[tuple[str, int]]:
    """Give the characters of a page with the numbers of their glyphs in their fonts."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (chr(code), int(glyph))
            for span in document[page].get_texttrace()
            for code, glyph, *_ in span["chars"]
        ]


def read_by_pdfium(data: bytes, page: int = 0) -> str:
    pdfium: Any = import_module("pypdfium2")
    document = pdfium.PdfDocument(data)
    text = str(document[page].get_textpage().get_text_range())
    document.close()
    return text


def places_of_widget(data: bytes, name: str) -> list[Rect]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            tuple(each.rect)
            for page in document
            for each in page.widgets()
            if each.field_name == name
        ]


def drawn_in_widget(data: bytes, name: str) -> str:
    """Give the words that the appearance of a field shows, read by drawing it alone."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        for page in document:
            for each in page.widgets():
                if each.field_name == name:
                    return str(page.get_text(clip=each.rect))
    return ""


def targets(data: bytes) -> list[tuple[str, int | None]]:
    """Give what leads to a page, and the number of that page from 0; None leads nowhere.

    Links, entries of the outline, named destinations, and the place where the document opens.
    """
    import pikepdf

    with pikepdf.open(BytesIO(data)) as opened:
        document: Any = opened
        numbers = {page.obj.objgen: number for number, page in enumerate(document.pages)}
        root = document.Root
        named = {**_names(root.get("/Names", {}).get("/Dests")), **dict(root.get("/Dests", {}))}

        def number_of(held: Any) -> int | None:
            if isinstance(held, pikepdf.String | pikepdf.Name):
                held = named.get(str(held))
            if isinstance(held, pikepdf.Dictionary):
                held = held.get("/D")
            is_array = isinstance(held, pikepdf.Array) and len(held) > 0
            is_page = is_array and isinstance(held[0], pikepdf.Dictionary)
            return numbers.get(held[0].objgen) if is_page else None

        found = [(f"name {name}", number_of(each)) for name, each in named.items()]
        if "/OpenAction" in root:
            found.append(("opening", number_of(root.OpenAction)))
        for number, page in enumerate(document.pages):
            for each in page.obj.get("/Annots") or ():
                if "/Dest" in each or each.get("/A", {}).get("/S") == "/GoTo":
                    found.append((f"link on {number}", number_of(each.get("/Dest") or each.A.D)))
        waiting = [root.get("/Outlines", {}).get("/First")]
        while waiting:
            entry = waiting.pop()
            if entry is not None:
                goes = entry.get("/Dest") or entry.get("/A", {}).get("/D")
                found.append((f"entry {entry.Title}", number_of(goes)))
                waiting += [entry.get("/Next"), entry.get("/First")]
        return found


def _names(tree: Any) -> dict[str, Any]:
    """Give the names of a name tree with what they name (ISO 32000-1, 7.9.6)."""
    found: dict[str, Any] = {}
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node is not None:
            held = list(node.get("/Names") or ())
            found |= {str(key): value for key, value in zip(held[::2], held[1::2], strict=True)}
            waiting += list(node.get("/Kids") or ())
    return found


def form(data: bytes) -> list[tuple[object, ...]]:
    """Give every field on the pages: where it is, what it is, what it holds, how it is drawn."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        return [
            (
                number,
                *(str(_inherited(each, key)) for key in ("/T", "/FT", "/Ff", "/V", "/AS")),
                tuple(round(float(v), 2) for v in each.Rect),
                _looks(each.get("/AP")),
            )
            for number, page in enumerate(document.pages)
            for each in page.obj.get("/Annots") or ()
            if each.get("/Subtype") == "/Widget"
        ]


def _inherited(field: Any, key: str) -> Any:
    held = field
    while held is not None and key not in held:
        held = held.get("/Parent")
    return None if held is None else held[key]


def _looks(appearance: Any) -> tuple[object, ...]:
    """Give the streams of an appearance, by state where it has several."""
    pikepdf: Any = import_module("pikepdf")
    if appearance is None:
        return ()
    if isinstance(appearance, pikepdf.Stream):
        return (bytes(appearance.read_bytes()),)
    return tuple((str(key), *_looks(held)) for key, held in sorted(appearance.items()))
