"""What is written with glyphs that a font's map of characters leaves out can be read again."""

from __future__ import annotations

import io
import re
from importlib import import_module
from typing import Any

import pikepdf

from redraft.engine.pdf.apply import apply
from redraft.engine.plan import EditPlan, ReplaceText
from redraft.engine.report import Signature

SIGNED = Signature("e1", "Dana", "2026-11-21T06:30:00Z", tracked=False)
LINE = "The fee is due."


def letters() -> bytes:
    """A TrueType font in which every letter is a box."""
    builder: Any = import_module("fontTools.fontBuilder").FontBuilder(1000)
    pen: Any = import_module("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
    pen.moveTo((50, 0))
    for corner in ((50, 600), (450, 600), (450, 0)):
        pen.lineTo(corner)
    pen.closePath()
    box = pen.glyph()
    names = {code: f"uni{code:04X}" for code in range(0x20, 0x7F)}
    order = [".notdef", *names.values()]
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(order, box))
    builder.setupHorizontalMetrics(dict.fromkeys(order, (500, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def drawn_with_its_own_letters_named() -> bytes:
    """A line in a font that is embedded whole; only the letters of the line are in its map."""
    pymupdf: Any = import_module("pymupdf")
    with pymupdf.open() as made:
        page = made.new_page()
        page.insert_font(fontname="F0", fontbuffer=letters())
        page.insert_text((72, 100), LINE, fontname="F0", fontsize=12)
        data = made.tobytes()
    opened: Any = pikepdf.open(io.BytesIO(data))
    with opened as document:
        font: Any = document.pages[0].obj["/Resources"]["/Font"]["/F0"]
        named = {f"{ord(letter):04x}".encode() for letter in LINE}
        entries = re.findall(rb"<([0-9a-fA-F]{4})>\s*<([0-9a-fA-F]{4})>", _entries(font))
        kept = [b"<%s> <%s>" % each for each in entries if each[1].lower() in named]
        assert 0 < len(kept) < len(entries)
        font.ToUnicode = document.make_stream(
            b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
            b"1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            b"%d beginbfchar\n%s\nendbfchar\nendcmap end end" % (len(kept), b"\n".join(kept))
        )
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


def _entries(font: Any) -> bytes:
    """Single entries of a map, its ranges spelled out."""
    data = bytes(font.ToUnicode.read_bytes())
    found = b"".join(re.findall(rb"beginbfchar(.*?)endbfchar", data, re.DOTALL))
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", data, re.DOTALL):
        for first, last, start in re.findall(rb"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            for step in range(int(last, 16) - int(first, 16) + 1):
                found += b"<%04x> <%04x>\n" % (int(first, 16) + step, int(start, 16) + step)
    return found


def test_letters_that_the_map_leaves_out_are_added_to_it() -> None:
    before = drawn_with_its_own_letters_named()
    edit = EditPlan("edit", "", (ReplaceText("p1.b1", "due", "back"),))
    after, report = apply(before, edit, SIGNED)
    assert report.applied
    assert report.warnings == ()  # the glyphs are the font's own
    with pikepdf.open(io.BytesIO(after)) as document:
        assert len(document.pages[0].obj["/Resources"]["/Font"]) == 1
    pdfium: Any = import_module("pypdfium2")
    pymupdf: Any = import_module("pymupdf")
    with pymupdf.open(stream=after, filetype="pdf") as opened:
        assert "The fee is back." in opened[0].get_text()
    opened = pdfium.PdfDocument(after)
    assert "The fee is back." in opened[0].get_textpage().get_text_range()
    opened.close()
