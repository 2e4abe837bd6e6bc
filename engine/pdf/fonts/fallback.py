"""Fonts for words whose own font lacks a character: the standard fonts' twins, embedded.

They are embedded as composite fonts with Identity-H, so that a code is the number that the glyph
has in the whole font, with ToUnicode and widths, cut down to the glyphs in use.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import Any, Final

from redraft.engine.pdf.fonts.cmaps import CMap
from redraft.engine.pdf.fonts.font_programs import STANDARD_NAMES
from redraft.engine.pdf.fonts.fonts import Font, Style, standard_name

PREFIX: Final = "Rdr"
_MOST_CIDS: Final = 65536


def choose(style: Style) -> str:
    """Names the standard font that looks most like a style."""
    family = "Times" if style.is_serif else "Helvetica"
    return standard_name("Courier" if style.is_fixed else family, style)


@lru_cache(maxsize=12)
def font(name: str) -> Font:
    """Returns a standard font to write with; its codes are glyph numbers of two bytes."""
    import pymupdf  # a quarter of a second, and only workers need it

    source: Any = pymupdf.Font(STANDARD_NAMES[name])
    text: dict[int, str] = {}
    widths: dict[int, float] = {}
    for point in source.valid_codepoints():
        glyph = int(source.has_glyph(point))
        if glyph and glyph not in text:
            text[glyph] = chr(point)
            widths[glyph] = float(source.glyph_advance(point))
    return Font(
        name, "composite", text, widths, 0.0, CMap(is_identity=True), frozenset(text),
        is_embedded=True,
    )  # fmt: skip


def resource_name(name: str) -> str:
    """Names a fallback font in the resources of a page."""
    return PREFIX + name.replace("-", "")


def embed(document: Any, name: str, codes: Iterable[bytes]) -> Any:
    """Adds a fallback font to a document, with the glyphs of the given codes only."""
    import pikepdf
    import pymupdf

    face = font(name)
    used = sorted({int.from_bytes(code, "big") for code in codes})
    source: Any = pymupdf.Font(STANDARD_NAMES[name])
    program = document.make_stream(_subset(bytes(source.buffer), frozenset(used)))
    program[pikepdf.Name.Subtype] = pikepdf.Name.CIDFontType0C
    full_name = pikepdf.Name(f"/{_tag(used)}+{name}")
    box: Any = source.bbox
    descriptor: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.FontDescriptor,
        FontName=full_name,
        Flags=4,
        FontBBox=[round(float(v) * 1000) for v in (box.x0, box.y0, box.x1, box.y1)],
        ItalicAngle=-12 if "Italic" in name or "Oblique" in name else 0,
        Ascent=round(float(source.ascender) * 1000),
        Descent=round(float(source.descender) * 1000),
        CapHeight=700,
        StemV=80,
        FontFile3=program,
    )
    widths: list[Any] = []
    for code in used:
        widths += [code, pikepdf.Array([round(face.widths.get(code, 0.0) * 1000, 3)])]
    descendant: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.CIDFontType0,
        BaseFont=full_name,
        CIDSystemInfo=pikepdf.Dictionary(
            Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String("Identity"), Supplement=0
        ),
        FontDescriptor=document.make_indirect(descriptor),
        DW=0,
        W=pikepdf.Array(widths),
    )
    made: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type0,
        BaseFont=full_name,
        Encoding=pikepdf.Name("/Identity-H"),
        DescendantFonts=pikepdf.Array([document.make_indirect(descendant)]),
        ToUnicode=document.make_stream(_to_unicode({code: face.text[code] for code in used})),
    )
    return document.make_indirect(made)


def _tag(used: list[int]) -> str:
    """Makes the six letters of a subset out of what is in it."""
    value = sum((n + 1) * code for n, code in enumerate(used)) % 26**6
    letters = ""
    for _ in range(6):
        value, rest = divmod(value, 26)
        letters += chr(65 + rest)
    return letters


def _subset(program: bytes, used: frozenset[int]) -> bytes:
    """Cuts a font down to some glyphs, whose numbers in the whole font become their CIDs.

    The font is CID-keyed then (Adobe Technical Note 5176, 18 to 20): its character set says which
    CID each glyph has, so that nothing has to be kept of those that are not used.
    """
    library: Any = import_module("fontTools.cffLib")
    fonts: Any = library.CFFFontSet()
    fonts.decompile(BytesIO(program), None)
    top: Any = fonts[0]
    names = list(top.charset)
    for number, name in enumerate(names):
        if number and number not in used:
            glyph = top.CharStrings[name]
            glyph.program, glyph.bytecode = ["endchar"], None
    fonts.desubroutinize()
    names_kept = {f"cid{number:05d}": names[number] for number in sorted(used) if number}
    glyphs = {
        new: top.CharStrings[old] for new, old in ({".notdef": ".notdef"} | names_kept).items()
    }
    part = library.FontDict()
    part.setCFF2(isCFF2=False)
    part.FontName, part.Private = fonts.fontNames[0], top.Private
    parts = library.FDArrayIndex()
    parts.strings, parts.GlobalSubrs = fonts.strings, fonts.GlobalSubrs
    parts.append(part)
    choice = library.FDSelect()
    choice.format, choice.gidArray = 3, [0] * len(glyphs)
    charstrings = library.CharStrings(
        None, list(glyphs), fonts.GlobalSubrs, top.Private, choice, parts
    )
    for name, glyph in glyphs.items():
        glyph.private, glyph.fdSelectIndex = top.Private, 0
        charstrings.charStrings[name] = glyph
    for key in ("Encoding", "Private"):
        _forget(top.rawDict, key)
        _forget(top.__dict__, key)
    top.ROS, top.CIDCount = ("Adobe", "Identity", 0), _MOST_CIDS
    top.charset, top.CharStrings = list(glyphs), charstrings
    top.FDArray, top.FDSelect = parts, choice
    out = BytesIO()
    fonts.compile(out, import_module("fontTools.ttLib").TTFont(recalcBBoxes=False))
    return out.getvalue()


def _forget(table: dict[str, object], key: str) -> None:
    table.pop(key, None)


def _to_unicode(text: dict[int, str]) -> bytes:
    rows = [
        f"<{code:04x}> <{char.encode('utf-16-be').hex()}>" for code, char in sorted(text.items())
    ]
    blocks = [rows[at : at + 100] for at in range(0, len(rows), 100)]
    body = "\n".join(
        f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks
    )
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    ).encode("ascii")
