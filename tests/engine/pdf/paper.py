"""Make small PDFs and small layouts for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from engine.model import Document, Mark
from engine.pdf.layout import Box, Group, Line, Page, Span, around
from engine.pdf.reader import read


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
