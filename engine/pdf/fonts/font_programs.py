"""Font programs inside a PDF: which glyphs they draw, and what their own encoding says.

Covers: [x] Type 1 (FontFile)  [x] CFF, bare and CID-keyed (FontFile3)  [x] TrueType (FontFile2)
[x] OpenType  [x] the fourteen standard fonts, from MuPDF's twins. A program that cannot be read is
as one that is not there.
"""

from __future__ import annotations

import itertools
import logging
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import Any, Final

from redraft.engine.pdf.fonts.encodings import NO_GLYPH, character, named

# What fontTools raises on damaged fonts besides its own TTLibError, which is no subclass of these.
_DAMAGE: Final = (
    struct.error,
    ValueError,
    LookupError,
    AssertionError,
    AttributeError,
    TypeError,
    EOFError,
    OverflowError,
    RecursionError,
)
_TYPE1_CODE = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/]+)\s+put")
_TYPE1_GLYPH = re.compile(rb"/([A-Za-z0-9._-]{1,40})\s+\d+\s+(?:RD|-\||\S{1,3})\s")
_HEX = re.compile(rb"[0-9A-Fa-f\s]{8}")
_NOT_HEX = re.compile(rb"[^0-9A-Fa-f]")

STANDARD_NAMES: Final = {
    "Helvetica": "helv",
    "Helvetica-Bold": "hebo",
    "Helvetica-Oblique": "heit",
    "Helvetica-BoldOblique": "hebi",
    "Courier": "cour",
    "Courier-Bold": "cobo",
    "Courier-Oblique": "coit",
    "Courier-BoldOblique": "cobi",
    "Times-Roman": "tiro",
    "Times-Bold": "tibo",
    "Times-Italic": "tiit",
    "Times-BoldItalic": "tibi",
    "Symbol": "symb",
    "ZapfDingbats": "zadb",
}


@dataclass(frozen=True, slots=True)
class Program:
    """What a font program says of itself.

    `names` are the glyphs it draws by name, `glyphs` those by number (without empty ones);
    `encoding` is its built-in one; the `cmaps` of TrueType are code to glyph number by (platform,
    encoding); `characters` are glyph number to character by its Unicode map. `cids` are the CIDs of
    a CID-keyed font with their glyph numbers, None when CIDs are glyph numbers. `widths` are
    thousandths of the size by name, known for the standard fonts only.
    """

    names: frozenset[str] = frozenset()
    glyphs: frozenset[int] = frozenset()
    encoding: Mapping[int, str] = field(default_factory=dict[int, str])
    cmaps: Mapping[tuple[int, int], Mapping[int, int]] = field(
        default_factory=dict[tuple[int, int], Mapping[int, int]]
    )
    post: Mapping[str, int] = field(default_factory=dict[str, int])
    characters: Mapping[int, str] = field(default_factory=dict[int, str])
    cids: Mapping[int, int] | None = None
    widths: Mapping[str, float] = field(default_factory=dict[str, float])


def load(kind: str, data: bytes) -> Program | None:
    """Reads a font program of the stream key `FontFile`, `FontFile2` or `FontFile3`.

    None when it cannot be read.
    """
    # fontTools reports oddities of fonts that are nothing to anybody here.
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    broken: type[Exception] = import_module("fontTools.ttLib").TTLibError
    try:
        if kind == "FontFile":
            return _type1(data)
        if data[:4] in (b"\0\1\0\0", b"true", b"OTTO", b"ttcf"):
            return _sfnt(data)
        return _cff(data) if kind == "FontFile3" else None
    except (*_DAMAGE, broken):
        return None


def _type1(data: bytes) -> Program:
    marker = data.find(b"eexec")
    if marker < 0:
        return Program()
    start = marker + 5
    while data[start : start + 1] in (b" ", b"\r", b"\n", b"\t"):
        start += 1
    hidden = data[start:]
    if _HEX.fullmatch(hidden[:8]):
        digits = _NOT_HEX.sub(b"", hidden)
        hidden = bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))
    plain = decrypted(hidden)
    at = max(plain.find(b"/CharStrings"), 0)
    names = {match[1].decode("latin-1") for match in _TYPE1_GLYPH.finditer(plain, at + 12)}
    head = data[:marker]
    if re.search(rb"/Encoding\s+StandardEncoding", head):
        encoding = named("StandardEncoding")
    else:
        encoding = {int(m[1]): m[2].decode("latin-1") for m in _TYPE1_CODE.finditer(head)}
    return Program(frozenset(names - {NO_GLYPH}), encoding=encoding)


def decrypted(hidden: bytes) -> bytes:
    """Returns what a Type 1 program hides behind `eexec` (Adobe Type 1 Font Format, 7.1)."""
    key = 55665
    plain = bytearray(len(hidden))
    for at, code in enumerate(hidden):
        plain[at] = code ^ (key >> 8)
        key = ((code + key) * 52845 + 22719) & 0xFFFF
    return bytes(plain)


def _cff(data: bytes) -> Program:
    fonts: Any = import_module("fontTools.cffLib").CFFFontSet()
    fonts.decompile(BytesIO(data), None)
    return _from_top(fonts[0])


def _from_top(top: Any) -> Program:
    charset: list[str] = list(top.charset)
    drawn = frozenset(range(1, len(charset)))
    if hasattr(top, "ROS"):
        cids = {int(name[3:]): gid for gid, name in enumerate(charset) if name.startswith("cid")}
        return Program(glyphs=drawn, cids=cids)
    encoding: Any = top.Encoding
    if isinstance(encoding, str):
        codes: Mapping[int, str] = named("StandardEncoding")
    else:
        codes = {code: str(name) for code, name in enumerate(encoding) if name != NO_GLYPH}
    return Program(frozenset(charset) - {NO_GLYPH}, drawn, codes)


def _sfnt(data: bytes) -> Program:
    font: Any = import_module("fontTools.ttLib").TTFont(BytesIO(data), lazy=True, fontNumber=0)
    cmaps = _character_maps(font)
    unicode_map = cmaps.get((3, 10)) or cmaps.get((3, 1)) or cmaps.get((0, 3)) or {}
    characters = {gid: chr(code) for code, gid in sorted(unicode_map.items(), reverse=True)}
    if "CFF " in font:
        cff = _from_top(font["CFF "].cff[0])
        return Program(
            cff.names, cff.glyphs, cff.encoding, cmaps, {}, characters, cff.cids, cff.widths
        )
    post = {name: gid for gid, name in enumerate(font.getGlyphOrder())} if "post" in font else {}
    return Program(glyphs=_outlined(font), cmaps=cmaps, post=post, characters=characters)


def _character_maps(font: Any) -> dict[tuple[int, int], Mapping[int, int]]:
    """Reads the maps as code to glyph number; a font inside a PDF may have none."""
    if "cmap" not in font:
        return {}
    cmaps_by_id: dict[tuple[int, int], Mapping[int, int]] = {}
    for table in font["cmap"].tables:
        codes: dict[int, str] = getattr(table, "cmap", {})
        cmaps_by_id[(table.platformID, table.platEncID)] = {
            code: font.getGlyphID(name) for code, name in codes.items()
        }
    return cmaps_by_id


def _outlined(font: Any) -> frozenset[int]:
    """Returns the glyphs that have an outline, by the lengths in `loca`."""
    offsets: list[int] = list(font["loca"].locations)
    pairs = enumerate(itertools.pairwise(offsets))
    return frozenset(gid for gid, (start, end) in pairs if end > start)


@lru_cache(maxsize=16)
def standard(name: str) -> Program | None:
    """Returns one of the fourteen standard fonts with its widths in thousandths of the size."""
    key = STANDARD_NAMES.get(name)
    if key is None:
        return None
    import pymupdf  # a quarter of a second, and only workers need it

    font: Any = pymupdf.Font(key)
    program = _cff(bytes(font.buffer))
    widths: dict[str, float] = {}
    for glyph in program.names:
        text = character(glyph)
        if len(text) == 1 and font.has_glyph(ord(text)):
            widths[glyph] = float(font.glyph_advance(ord(text))) * 1000
    return Program(program.names, program.glyphs, program.encoding, widths=widths)
