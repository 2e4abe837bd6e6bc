"""In fonts that few files have, glyphs say what MuPDF reads and are where PDFium has them."""

from __future__ import annotations

import ctypes
from importlib import import_module
from typing import Any

import pytest

from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.fonts.fonts import UNKNOWN
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.stream.matrices import applied
from redraft.engine.plan import EditPlan, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.fonts import odd_fonts
from tests.engine.pdf.stream.streams import model

BY_ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=False)
Place = tuple[str, float, float | None]
OWN = (
    b"begincmap 1 begincodespacerange <00> <7f> endcodespacerange"
    b" 1 begincidrange <10> <12> 1 endcidrange endcmap"
)
MIXED = (
    b"begincmap 2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange"
    b" 2 begincidchar <41> 1 <8042> 2 endcidchar 1 begincidrange <9000> <9001> 3 endcidrange"
    b" endcmap"
)
LATIN = {65: "A", 66: "B", 0xE9: "eacute"}

FONTS = {
    "truetype": (odd_fonts.truetype({(3, 1): LATIN}, is_symbolic=False), "ABéA"),
    "symbolic truetype, Windows": (
        odd_fonts.truetype({(3, 0): {0xF000 + c: n for c, n in LATIN.items()}}, is_symbolic=True),
        "ABéA",
    ),
    "symbolic truetype, Macintosh": (
        odd_fonts.truetype({(1, 0): LATIN}, is_symbolic=True),
        "ABéA",
    ),
    "opentype": (odd_fonts.opentype(), "ABéA"),
    "type 3": (odd_fonts.type3(), "ABéA"),
    "identity": (
        odd_fonts.composite(b"\0\1\0\2\0\3", "Identity-H", (b"\0\1", b"\0\2", b"\0\3")),
        "ABé",
    ),
    "identity without characters": (odd_fonts.composite(b"\0\1\0\2\0\3", "Identity-H"), "ABé"),
    "identity of opentype": (
        odd_fonts.composite(
            b"\0\1\0\2\0\3", "Identity-H", (b"\0\1", b"\0\2", b"\0\3"), is_cff=True
        ),
        "ABé",
    ),
    "a map to glyphs": (
        odd_fonts.composite(
            b"\0\1\0\2\0\3",
            "Identity-H",
            (b"\0\1", b"\0\2", b"\0\3"),
            glyph_map=b"\0\0\0\3\0\2\0\1",
        ),
        "ABé",
    ),
    "a map of one byte": (
        odd_fonts.composite(b"\x10\x11\x12", OWN, (b"\x10", b"\x11", b"\x12")),
        "ABé",
    ),
    "a map of one and two bytes": (
        odd_fonts.composite(b"\x41\x80\x42\x90\x00\x41", MIXED),
        UNKNOWN * 4,
    ),
    "vertical": (
        odd_fonts.composite(b"\0\1\0\2\0\3", "Identity-V", (b"\0\1", b"\0\2", b"\0\3")),
        "ABé",
    ),
    "vertical with its metrics": (
        odd_fonts.composite(
            b"\0\1\0\2\0\3",
            "Identity-V",
            (b"\0\1", b"\0\2", b"\0\3"),
            DW2=[900, -800],
            W2=[2, [-1100, 250, 700], 3, 4, -500, 300, 600],
        ),
        "ABé",
    ),
    "Japanese": (odd_fonts.unembedded("東京ab".encode("cp932"), "90ms-RKSJ-H", "Japan1"), "東京ab"),
    "Japanese, vertical": (
        odd_fonts.unembedded("東京".encode("utf-16-be"), "UniJIS-UTF16-V", "Japan1"),
        "東京",
    ),
    "Chinese": (odd_fonts.unembedded("北京ab".encode("gbk"), "GBK-EUC-H", "GB1"), "北京ab"),
    "Taiwanese": (odd_fonts.unembedded("臺北".encode("big5"), "ETen-B5-H", "CNS1"), "臺北"),
    "Korean": (odd_fonts.unembedded("서울 a".encode("cp949"), "KSCms-UHC-H", "Korea1"), "서울 a"),
}

# PDFium draws these in a font of the machine and says nothing of characters that it lacks.
UNEMBEDDED = frozenset(("Japanese", "Japanese, vertical", "Chinese", "Taiwanese", "Korean"))
# MuPDF asks neither the map of the font program nor anything else what these codes mean.
SILENT = frozenset(("identity without characters", "a map of one and two bytes"))


@pytest.mark.parametrize("name", FONTS)
def test_glyphs_say_the_same_and_are_in_the_same_places(name: str) -> None:
    data, text = FONTS[name]
    read = model(data)
    places = [(round(g.x), round(g.y)) for g in read.glyphs() if not g.is_blank]
    seen_by_pdfium = by_pdfium(data)
    if seen_by_pdfium or name not in UNEMBEDDED:
        assert places == seen_by_pdfium
    assert "".join(glyph.text for glyph in read.glyphs()) == text
    if name not in SILENT:
        seen = by_mupdf(data)
        assert "".join(char for char, _, _ in seen) == text
        for glyph, (_, x, y) in zip(read.glyphs(), seen, strict=True):
            place = applied(read.view, glyph.x, glyph.y)
            assert place == pytest.approx((x, place[1] if y is None else y), abs=0.1)


def by_mupdf(data: bytes) -> list[Place]:
    """Characters and where they begin; of one in vertical text MuPDF names the end."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (char["c"], round(char["origin"][0], 1), None if line["wmode"] else char["origin"][1])
            for block in document[0].get_text("rawdict", flags=2 | 128)["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
            for char in span["chars"]
        ]


def by_pdfium(data: bytes) -> list[tuple[int, int]]:
    """The origins of characters that are seen, in whole points of page space."""
    pdfium: Any = import_module("pypdfium2")
    document = pdfium.PdfDocument(data)
    text = document[0].get_textpage()
    found: list[tuple[int, int]] = []
    for at in range(text.count_chars()):
        x, y = ctypes.c_double(), ctypes.c_double()
        char = chr(pdfium.raw.FPDFText_GetUnicode(text.raw, at))
        if not char.isspace() and not pdfium.raw.FPDFText_IsGenerated(text.raw, at):
            pdfium.raw.FPDFText_GetCharOrigin(text.raw, at, x, y)
            found.append((round(x.value), round(y.value)))
    document.close()
    return found


def test_words_in_a_font_with_a_predefined_map_are_edited() -> None:
    # The codes of one string are of one and of two bytes.
    data = odd_fonts.unembedded("北 ab 京北".encode("gbk"), "GBK-EUC-H", "GB1")
    (target,) = known_in(data)
    operation = ReplaceText(target.anchor, "京北", "北北")
    edited, _ = apply(data, EditPlan("edit", "", (operation,)), BY_ANN)
    assert [each.text for each in known_in(edited)] == ["北 ab 北北"]
    codes = [glyph.code for glyph in model(edited).glyphs()]
    assert (codes.count("北".encode("gbk")), codes.count(b"a")) == (3, 1)
