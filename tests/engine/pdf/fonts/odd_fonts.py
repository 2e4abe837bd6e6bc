"""Pages in fonts that few files have, made of glyphs that are squares."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO
from typing import Any

NAMES = [".notdef", "A", "B", "eacute"]
ADVANCE = {".notdef": 500, "A": 700, "B": 600, "eacute": 550}
TO_UNICODE = (
    b"1 begincodespacerange <%b> <%b> endcodespacerange 3 beginbfchar"
    b" <%b> <0041> <%b> <0042> <%b> <00E9> endbfchar"
)


def _square(pen: Any) -> None:
    pen.moveTo((50, 0))
    for point in ((450, 0), (450, 600), (50, 600)):
        pen.lineTo(point)
    pen.closePath()


def program(*, is_cff: bool, maps: dict[tuple[int, int], dict[int, str]] | None = None) -> bytes:
    """Make a TrueType font, or an OpenType one of CFF; `maps` are its character maps."""
    builder: Any = import_module("fontTools.fontBuilder").FontBuilder(1000, isTTF=not is_cff)
    builder.setupGlyphOrder(NAMES)
    builder.setupCharacterMap({65: "A", 66: "B", 0xE9: "eacute"})
    if is_cff:
        shapes: dict[str, Any] = {}
        for name in NAMES:
            pen: Any = import_module("fontTools.pens.t2CharStringPen")
            cff: Any = pen.T2CharStringPen(ADVANCE[name], None)
            _square(cff)
            shapes[name] = cff.getCharString()
        builder.setupCFF("Squares", {"FullName": "Squares"}, shapes, {})
    else:
        outlines: dict[str, Any] = {}
        for name in NAMES:
            outline: Any = import_module("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
            _square(outline)
            outlines[name] = outline.glyph()
        builder.setupGlyf(outlines)
    builder.setupHorizontalMetrics({name: (ADVANCE[name], 50) for name in NAMES})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    if maps is not None:
        _map(builder.font, maps)
    out = BytesIO()
    builder.font.save(out)
    return out.getvalue()


def _map(font: Any, maps: dict[tuple[int, int], dict[int, str]]) -> None:
    subtable: Any = import_module("fontTools.ttLib.tables._c_m_a_p").CmapSubtable
    tables: list[Any] = []
    for (platform, encoding), codes in maps.items():
        table: Any = subtable.newSubtable(4 if platform == 3 else 0)
        table.platformID, table.platEncID, table.language = platform, encoding, 0
        table.cmap = codes
        tables.append(table)
    font["cmap"].tables = tables


def page(stream: bytes, font: Any, document: Any) -> bytes:
    """Make a PDF of one page of 300 x 300 points whose font `F1` is given."""
    import pikepdf

    fonts = pikepdf.Dictionary(F1=document.make_indirect(font))
    made = pikepdf.Dictionary(
        Type=pikepdf.Name.Page,
        MediaBox=[0, 0, 300, 300],
        Resources=pikepdf.Dictionary(Font=fonts),
        Contents=document.make_stream(stream),
    )
    document.pages.append(pikepdf.Page(document.make_indirect(made)))
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def _descriptor(document: Any, flags: int, **programs: Any) -> Any:
    import pikepdf

    held: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.FontDescriptor,
        FontName=pikepdf.Name.Squares,
        Flags=flags,
        FontBBox=[0, -200, 1000, 800],
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=600,
        StemV=80,
    )
    for key, (data, kind) in programs.items():
        stream: Any = document.make_stream(data)
        if kind:
            stream[pikepdf.Name.Subtype] = pikepdf.Name(f"/{kind}")
        held[f"/{key}"] = stream
    return document.make_indirect(held)


def _simple(kind: str, flags: int, key: str, data: bytes, subtype: str, encoding: Any) -> bytes:
    import pikepdf

    document: Any = pikepdf.new()
    font: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name(f"/{kind}"),
        BaseFont=pikepdf.Name.Squares,
        FirstChar=0,
        LastChar=255,
        Widths=[{65: 700, 66: 600, 233: 550}.get(code, 500) for code in range(256)],
        FontDescriptor=_descriptor(document, flags, **{key: (data, subtype)}),
    )
    if encoding is not None:
        font[pikepdf.Name.Encoding] = encoding
    stream = b"BT /F1 20 Tf 2 Tc 20 200 Td (AB\xe9A) Tj ET"
    return page(stream, font, document)


def truetype(maps: dict[tuple[int, int], dict[int, str]], *, is_symbolic: bool) -> bytes:
    """Draw `ABéA` in a TrueType font with some character maps."""
    import pikepdf

    data = program(is_cff=False, maps=maps)
    encoding = None if is_symbolic else pikepdf.Name.WinAnsiEncoding
    return _simple("TrueType", 4 if is_symbolic else 32, "FontFile2", data, "", encoding)


def opentype() -> bytes:
    """Draw `ABéA` in an OpenType font of CFF, with an encoding of its own."""
    import pikepdf

    differences = pikepdf.Array([65, pikepdf.Name.A, pikepdf.Name.B, 233, pikepdf.Name.eacute])
    encoding = pikepdf.Dictionary(Differences=differences)
    return _simple("Type1", 4, "FontFile3", program(is_cff=True), "OpenType", encoding)


def type3() -> bytes:
    """Draw `ABéA` in a font whose glyphs are content streams, ten units to the em."""
    import pikepdf

    document: Any = pikepdf.new()
    shape = document.make_stream(b"7 0 d0 1 0 4 6 re f")
    differences = pikepdf.Array([65, pikepdf.Name.A, pikepdf.Name.B, 233, pikepdf.Name.eacute])
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type3,
        FontBBox=[0, 0, 10, 10],
        FontMatrix=pikepdf.Array([0.1, 0, 0, 0.1, 0, 0]),
        CharProcs=pikepdf.Dictionary(A=shape, B=shape, eacute=shape),
        Encoding=pikepdf.Dictionary(Type=pikepdf.Name.Encoding, Differences=differences),
        FirstChar=65,
        LastChar=233,
        Widths=[{65: 7, 66: 6, 233: 5.5}.get(code, 5) for code in range(65, 234)],
        Resources=pikepdf.Dictionary(),
    )
    return page(b"BT /F1 20 Tf 2 Tc 20 200 Td (AB\xe9A) Tj ET", font, document)


def composite(
    string: bytes,
    encoding: str | bytes,
    codes: tuple[bytes, bytes, bytes] | None = None,
    *,
    is_cff: bool = False,
    glyph_map: bytes | None = None,
    **metrics: Any,
) -> bytes:
    """Show a string in a Type 0 font with the glyphs of `NAMES`.

    Args:
        string: What is shown.
        encoding: The name of a map, or a map.
        codes: The codes of A, B and é for the file's own map to characters.
        is_cff: Whether the glyphs are of CFF.
        glyph_map: Leads from CIDs to glyphs.
        metrics: Further entries of the CIDFont.
    """
    import pikepdf

    document: Any = pikepdf.new()
    data = program(is_cff=is_cff)
    held = ("FontFile3", "OpenType") if is_cff else ("FontFile2", "")
    inner: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.CIDFontType0 if is_cff else pikepdf.Name.CIDFontType2,
        BaseFont=pikepdf.Name.Squares,
        CIDSystemInfo=pikepdf.Dictionary(
            Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String("Identity"), Supplement=0
        ),
        FontDescriptor=_descriptor(document, 4, **{held[0]: (data, held[1])}),
        W=pikepdf.Array([1, pikepdf.Array([700, 600, 550])]),
        **metrics,
    )
    if glyph_map is not None:
        inner[pikepdf.Name.CIDToGIDMap] = document.make_stream(glyph_map)
    font: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type0,
        BaseFont=pikepdf.Name.Squares,
        DescendantFonts=pikepdf.Array([document.make_indirect(inner)]),
        Encoding=_map_of(document, encoding),
    )
    if codes is not None:
        digits = [code.hex().encode() for code in codes]
        low, high = (byte * len(codes[0]) for byte in (b"00", b"ff"))
        font[pikepdf.Name.ToUnicode] = document.make_stream(TO_UNICODE % (low, high, *digits))
    stream = b"BT /F1 20 Tf 2 Tc 120 200 Td <%b> Tj ET" % string.hex().encode()
    return page(stream, font, document)


def _map_of(document: Any, encoding: str | bytes) -> Any:
    import pikepdf

    if isinstance(encoding, str):
        return pikepdf.Name(f"/{encoding}")
    stream: Any = document.make_stream(encoding)
    stream[pikepdf.Name.Type] = pikepdf.Name.CMap
    stream[pikepdf.Name.CMapName] = pikepdf.Name.Own
    return stream


def unembedded(string: bytes, encoding: str, ordering: str) -> bytes:
    """Show a string in a font of a collection that every reader brings along."""
    import pikepdf

    document: Any = pikepdf.new()
    inner = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.CIDFontType0,
        BaseFont=pikepdf.Name.Squares,
        CIDSystemInfo=pikepdf.Dictionary(
            Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String(ordering), Supplement=2
        ),
        FontDescriptor=_descriptor(document, 4),
    )
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type0,
        BaseFont=pikepdf.Name.Squares,
        DescendantFonts=pikepdf.Array([document.make_indirect(inner)]),
        Encoding=pikepdf.Name(f"/{encoding}"),
    )
    return page(b"BT /F1 20 Tf 120 200 Td <%b> Tj ET" % string.hex().encode(), font, document)
