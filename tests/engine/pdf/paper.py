"""Make small PDFs and small layouts for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, cast

from redraft.engine.model import Document, Mark
from redraft.engine.pdf.reader import read
from redraft.engine.pdf.reading.layout import Box, Group, Line, Page, Span, around
from tests.engine.pdf.stream.streams import pdf


@dataclass(slots=True)
class Paper:
    """A PDF that is being drawn with MuPDF; positions are baselines in points from the top left."""

    document: Any
    pages: list[Any] = field(default_factory=list[Any])

    def page(self) -> Paper:
        self.pages.append(self.document.new_page(width=595, height=842))
        return self

    def text(
        self, x: float, y: float, words: str, *, size: float = 11, font: str = "helv"
    ) -> Paper:
        self.pages[-1].insert_text((x, y), words, fontsize=size, fontname=font)
        return self

    def lines(self, x: float, y: float, *words: str, size: float = 11, font: str = "helv") -> Paper:
        for number, line in enumerate(words):
            self.text(x, y + number * size * 1.2, line, size=size, font=font)
        return self

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> Paper:
        self.pages[-1].draw_line((x0, y0), (x1, y1))
        return self

    def picture(self, x0: float, y0: float, x1: float, y1: float) -> Paper:
        import pymupdf

        pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20), False)
        self.pages[-1].insert_image((x0, y0, x1, y1), pixmap=pixels)
        return self

    def link(self, x0: float, y0: float, x1: float, y1: float, uri: str) -> Paper:
        import pymupdf

        area = pymupdf.Rect(x0, y0, x1, y1)
        self.pages[-1].insert_link({"kind": pymupdf.LINK_URI, "from": area, "uri": uri})
        return self

    def field(
        self, name: str, x0: float, y0: float, x1: float, y1: float, value: str = ""
    ) -> Paper:
        import pymupdf

        held: Any = pymupdf.Widget()
        held.field_name, held.field_value = name, value
        held.field_type = cast("Any", pymupdf).PDF_WIDGET_TYPE_TEXT
        held.rect = pymupdf.Rect(x0, y0, x1, y1)
        self.pages[-1].add_widget(held)
        return self

    def data(self, **options: Any) -> bytes:
        return cast("bytes", self.document.tobytes(**options))

    def read(self) -> Document:
        return read(self.data())


def paper() -> Paper:
    import pymupdf

    return Paper(pymupdf.open()).page()


def line(x: float, y: float, text: str, *, size: float = 10, marks: Mark = Mark.NONE) -> Line:
    """Make a line whose characters are half as wide as they are high."""
    box = Box(x, y, x + len(text) * size / 2, y + size)
    return Line(box, (Span(text, box, size, marks),))


def group(*lines: Line) -> Group:
    return Group(around(each.box for each in lines), lines)


def page(*groups: Group, rules: tuple[Box, ...] = (), number: int = 1) -> Page:
    return Page(number, 595, 842, groups, rules)


def justified(lines: list[str], x: float, y: float, width: float, *, size: float = 8) -> bytes:
    """Draw lines in the font `F1` (Helvetica) flush left and right, but for the last."""
    shown = [b"BT /F1 %g Tf" % size]
    for number, line in enumerate(lines):
        words = line.split()
        natural = _width(" ", size)
        if number < len(lines) - 1:
            natural = (width - sum(_width(word, size) for word in words)) / (len(words) - 1)
        gap = b" %.2f " % (-1000 * natural / size)
        held = gap.join(b"(%s)" % word.encode("latin-1") for word in words)
        shown.append(b"1 0 0 1 %g %g Tm [%s] TJ" % (x, y - 1.25 * size * number, held))
    return b"\n".join([*shown, b"ET"])


def _width(text: str, size: float) -> float:
    import pymupdf

    return float(pymupdf.get_text_length(text, "helv", size))


def book(leaves: int) -> bytes:
    """Make a book: chapters of twelve pages, an outline, links of all kinds, and page labels.

    The outline has two entries a chapter. Every page leads to page 1, to the one after it, and by a
    name to that of seven times its number; all pages have names. It opens on page 5. Eight pages
    have Roman numbers, the ones after them begin at 1.
    """
    import pikepdf

    streams = [
        b"BT /F2 9 Tf 40 240 Td (%s) Tj 0 -40 Td /F1 9 Tf (Leaf %d of the book.) Tj ET"
        % (b"Chapter %d" % (number // 12 + 1) if number % 12 == 0 else b"Further", number + 1)
        for number in range(leaves)
    ]
    with pikepdf.open(BytesIO(pdf(*streams))) as opened:
        document: Any = opened
        pages = [page.obj for page in document.pages]

        def link(place: int, key: str, to: Any) -> Any:
            box = pikepdf.Array([40, place, 90, place + 10])
            held = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=box)
            held[key] = to
            return document.make_indirect(held)

        names: list[Any] = []
        for number, page in enumerate(pages):
            first, after = pages[0], pages[(number + 1) % leaves]
            action = pikepdf.Dictionary(S=pikepdf.Name.GoTo, D=_place(after))
            named = pikepdf.String(f"leaf-{(number * 7) % leaves + 1:03}")
            ways = (("/Dest", _place(first)), ("/A", action), ("/Dest", named))
            page[pikepdf.Name.Annots] = pikepdf.Array(
                [link(100 - 20 * at, *way) for at, way in enumerate(ways)]
            )
            names += [pikepdf.String(f"leaf-{number + 1:03}"), _place(page)]
        root = document.Root
        root.Names = pikepdf.Dictionary(Dests=pikepdf.Dictionary(Names=pikepdf.Array(names)))
        root.OpenAction = _place(pages[4])
        roman = pikepdf.Dictionary(S=pikepdf.Name.r)
        arabic = pikepdf.Dictionary(S=pikepdf.Name.D)
        root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array([0, roman, 8, arabic]))
        with document.open_outline() as outline:
            for number in range(0, leaves, 12):
                chapter = pikepdf.OutlineItem(f"Chapter {number // 12 + 1}", number)
                if number + 5 < leaves:
                    chapter.children.append(pikepdf.OutlineItem(f"Leaf {number + 6}", number + 5))
                outline.root.append(chapter)
        out = BytesIO()
        document.save(out)
        return out.getvalue()


def _place(page: Any) -> Any:
    import pikepdf

    return pikepdf.Array([page, pikepdf.Name.Fit])
