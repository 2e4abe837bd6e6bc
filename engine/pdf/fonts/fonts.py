"""Fonts of a PDF: codes to characters and widths, and characters back to codes.

Covers: [x] Type 1, MMType1, TrueType, with and without a program  [x] Type 0 with Identity and
embedded maps  [x] Type 3  [x] ToUnicode  [x] Encoding, Differences, built-in encodings  [x] Widths,
W, DW  W2, DW2  [x] predefined CJK maps and collections
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from redraft.engine.pdf.fonts import cmaps, font_programs
from redraft.engine.pdf.fonts.cmaps import CMap
from redraft.engine.pdf.fonts.encodings import character, is_private, named, with_differences
from redraft.engine.pdf.fonts.font_programs import Program
from redraft.engine.pdf.stream import objects

MOST_CIDS: Final = 0x10000


class Pen(NamedTuple):
    """What one character does, in units of the font size.

    `down` is how far the text position goes, negative downwards; (`x`, `y`) is where that position
    is on the glyph, seen from its own origin.
    """

    down: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Upright:
    """The vertical metrics of a font by CID; `down` and `y` are those of all other CIDs."""

    down: float = -1.0
    y: float = 0.88
    pens: Mapping[int, Pen] = field(default_factory=dict[int, Pen])

    def pen(self, cid: int, width: float) -> Pen:
        """Returns what the character of a CID does; `width` is its advance in horizontal text."""
        return self.pens.get(cid) or Pen(self.down, width / 2, self.y)


def _load_upright(inner: Any) -> Upright:
    """Reads the metrics of a CIDFont."""
    listed = objects.numbers(objects.entry(inner, "/DW2"))
    y, down = (listed[0] / 1000, listed[1] / 1000) if len(listed) == 2 else (0.88, -1.0)
    return Upright(down, y, _pens(objects.entry(inner, "/W2")))


def _pens(value: Any) -> dict[int, Pen]:
    """Reads `/W2`: `c [down x y …]` and `first last down x y`."""
    pens: dict[int, Pen] = {}
    pending: list[float] = []
    for element in objects.elements(value):
        numbers = objects.numbers(element)
        if numbers:
            start = int(pending[-1]) if pending else 0
            for number in range(len(numbers) // 3):
                pens[start + number] = _pen(numbers[3 * number : 3 * number + 3])
            pending = []
            continue
        pending.append(objects.number(element) or 0.0)
        if len(pending) == 5:
            first, last = int(pending[0]), min(int(pending[1]), int(pending[0]) + MOST_CIDS)
            pens.update(dict.fromkeys(range(first, last + 1), _pen(pending[2:])))
            pending = []
    return pens


def _pen(values: list[float]) -> Pen:
    down, x, y = (value / 1000 for value in values)
    return Pen(down, x, y)


Kind: TypeAlias = Literal["simple", "composite", "type3"]

UNKNOWN: Final = "\ufffd"
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_SYMBOLIC, _FIXED, _SERIF, _ITALIC, _BOLD = 1 << 2, 1, 1 << 1, 1 << 6, 1 << 18
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|-bd|-medi$|cmb|sfb", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"ital|obli|slanted|-it\b|cmti|cmsl|sfti|sfsl", re.IGNORECASE)
_SERIF_NAME = re.compile(
    r"times|serif|roman|georgia|garamond|cambria|palat|book|minion|charter|century|nimbusrom"
    r"|cm[rbst]|sf(?:rm|ti|bx|sl)|lmr",
    re.IGNORECASE,
)
_SANS_NAME = re.compile(r"sans|arial|helvet|calibri|verdana|tahoma|segoe", re.IGNORECASE)
_FIXED_NAME = re.compile(r"cour|mono|consol|typewriter|[cs][mf]tt|menlo|nimbusmon", re.IGNORECASE)
_ALIASES: Final = (("arial", "Helvetica"), ("times", "Times"), ("courier", "Courier"))
_STAND_INS: Final = {"\u00a0": " ", "\u2010": "-", "\u2011": "-", "\u00ad": "-"}


class Char(NamedTuple):
    """One code of a string: its bytes, characters and advance in units of the font size."""

    code: bytes
    text: str
    width: float


@dataclass(frozen=True, slots=True)
class Style:
    """What a font looks like, as far as its name and flags say."""

    is_bold: bool = False
    is_italic: bool = False
    is_serif: bool = False
    is_fixed: bool = False


@dataclass(slots=True, eq=False)
class Font:
    """A font as a content stream uses it.

    `drawn` are the codes whose glyph the program really holds, None when that is not known.
    `seen` collects the codes that were met in the document. `unnamed` are the codes that the font's
    own map of characters leaves out, and `written` those of them that were asked for.
    """

    name: str
    kind: Kind
    text: Mapping[int, str]
    widths: Mapping[int, float]
    default_width: float = 0.0
    cmap: CMap | None = None
    drawn: frozenset[int] | None = None
    style: Style = field(default_factory=Style)
    is_embedded: bool = False
    seen: set[int] = field(default_factory=set[int])
    unnamed: frozenset[int] = frozenset()
    written: dict[int, str] = field(default_factory=dict[int, str])
    chars: dict[bytes, Char] = field(default_factory=dict[bytes, Char])
    codes: dict[str, bytes] = field(default_factory=dict[str, bytes])
    upright: Upright | None = None

    @property
    def is_vertical(self) -> bool:
        """Whether its text runs downwards."""
        return self.cmap is not None and self.cmap.is_vertical

    def decode(self, data: bytes) -> list[Char]:
        """Cuts a shown string into codes."""
        pieces: Iterable[bytes]
        if self.cmap is not None:
            pieces = self.cmap.codes(data)
        else:
            pieces = (data[at : at + 1] for at in range(len(data)))
        return [self.chars.get(code) or self._char(code) for code in pieces]

    def pen(self, char: Char) -> Pen:
        """Says how a character moves vertical text."""
        number = int.from_bytes(char.code, "big")
        cid = self.cmap.cid(number) if self.cmap is not None else number
        return (self.upright or Upright()).pen(cid, char.width)

    def encode(self, text: str) -> Char | None:
        """Returns the code that draws one character; None when the font does not hold it."""
        if not self.codes:
            self._reverse()
        code = self.codes.get(text) or self.codes.get(_STAND_INS.get(text, ""))
        if not code:
            return None
        number = int.from_bytes(code, "big")
        if number in self.unnamed:
            self.written[number] = self.text[number]
        return self.chars.get(code) or self._char(code)

    def _char(self, code: bytes) -> Char:
        number = int.from_bytes(code, "big")
        char = Char(code, self.text.get(number) or UNKNOWN, self._width(number))
        self.chars[code] = char
        self.seen.add(number)
        return char

    def _width(self, number: int) -> float:
        cid = self.cmap.cid(number) if self.cmap is not None else number
        return self.widths.get(cid, self.default_width)

    def _reverse(self) -> None:
        """Maps characters back; codes that the document uses come before those it could use."""
        for number, text in sorted(self.text.items(), key=lambda item: item[0] not in self.seen):
            plain = " " if text == "\u00a0" else text
            if len(plain) != 1 or plain in self.codes or plain == UNKNOWN:
                continue
            is_held = number in self.seen or (self.drawn is not None and number in self.drawn)
            code = self._bytes(number)
            if is_held and code is not None and self._width(number) > 0:
                self.codes[plain] = code
        self.codes.setdefault("", b"")

    def _bytes(self, number: int) -> bytes | None:
        if self.cmap is not None:
            return self.cmap.code(number)
        return number.to_bytes(1, "big") if number < 256 else None


def load(holder: Any) -> Font:
    """Reads a font dictionary.

    What it lacks is filled with the defaults of ISO 32000-2, 9.6-9.7.
    """
    kind = objects.name(objects.entry(holder, "/Subtype"))
    to_unicode = _to_unicode(holder)
    if kind == "Type0":
        return _composite(holder, to_unicode)
    if kind == "Type3":
        return _type3(holder, to_unicode)
    return _simple(holder, to_unicode, is_truetype=kind == "TrueType")


def _to_unicode(holder: Any) -> Mapping[int, str]:
    stream = objects.entry(holder, "/ToUnicode")
    text_of_codes = cmaps.read(objects.decoded(stream)).text if objects.is_stream(stream) else {}
    return {code: text for code, text in text_of_codes.items() if text.strip("\0")}


def _program(descriptor: Any) -> tuple[Program | None, bool]:
    """Loads the font program; also whether there is one at all."""
    for key in ("FontFile", "FontFile2", "FontFile3"):
        stream = objects.entry(descriptor, f"/{key}")
        if objects.is_stream(stream):
            return font_programs.load(key, objects.decoded(stream)), True
    return None, False


def _style(name: str, flags: int) -> Style:
    return Style(
        bool(flags & _BOLD or _BOLD_NAME.search(name)),
        bool(flags & _ITALIC or _ITALIC_NAME.search(name)),
        bool((flags & _SERIF or _SERIF_NAME.search(name)) and not _SANS_NAME.search(name)),
        bool(flags & _FIXED or _FIXED_NAME.search(name)),
    )


def standard_name(family: str, style: Style) -> str:
    """Names the standard font of a family (`Times`, `Helvetica`, `Courier`) in a style."""
    slant = "Italic" if family == "Times" else "Oblique"
    tail = ("Bold" if style.is_bold else "") + (slant if style.is_italic else "")
    if not tail:
        return "Times-Roman" if family == "Times" else family
    return f"{family}-{tail}"


def _stand_in(name: str) -> str:
    """Returns the standard font that a font without program and widths is drawn with."""
    if name in font_programs.STANDARD_NAMES:
        return name
    family = next((to for start, to in _ALIASES if name.lower().startswith(start)), "Helvetica")
    return standard_name(family, _style(name, 0))


def _simple(holder: Any, to_unicode: Mapping[int, str], *, is_truetype: bool) -> Font:
    name = _SUBSET.sub("", objects.name(objects.entry(holder, "/BaseFont")))
    descriptor = objects.entry(holder, "/FontDescriptor")
    flags = int(objects.number(objects.entry(descriptor, "/Flags")) or 0)
    program, is_embedded = _program(descriptor)
    names = _names(holder, program, name, is_symbolic=is_truetype and bool(flags & _SYMBOLIC))
    if not is_embedded:
        program = font_programs.standard(_stand_in(name))
    text = {
        code: letters for code, glyph_name in names.items() if (letters := character(glyph_name))
    }
    if is_truetype and program is not None and is_embedded:
        text = {**_text_of_truetype(program, names), **text}
    text = {**text, **to_unicode}
    widths, default = _widths(holder, descriptor, program, names)
    if not is_embedded and objects.elements(objects.entry(holder, "/Widths")):
        drawn = frozenset(code for code in names if widths.get(code, 0) > 0)
    else:
        drawn = _drawn(program, names, text)
    style = _style(name, flags)
    return Font(name, "simple", text, widths, default, None, drawn, style, is_embedded)


def _names(
    holder: Any, program: Program | None, name: str, *, is_symbolic: bool
) -> Mapping[int, str]:
    """Returns the glyph names by code (ISO 32000-2, 9.6.5); `program` is the embedded one."""
    encoding = objects.entry(holder, "/Encoding")
    if objects.name(encoding):
        return named(objects.name(encoding))
    base_name = objects.name(objects.entry(encoding, "/BaseEncoding"))
    base: Mapping[int, str] = named(base_name or "StandardEncoding")
    if not base_name:
        if name in ("Symbol", "ZapfDingbats") and program is None:
            twin = font_programs.standard(name)
            base = twin.encoding if twin is not None else base
        elif is_symbolic and program is not None:
            base = {}
        elif program is not None and program.encoding:
            base = program.encoding
    return with_differences(base, objects.elements(objects.entry(encoding, "/Differences")))


def _text_of_truetype(program: Program, names: Mapping[int, str]) -> dict[int, str]:
    """Reads the characters of codes that have no name through the font's own maps and names."""
    text_of_codes: dict[int, str] = {}
    own = {glyph: name for name, glyph in program.post.items()}
    is_windows = (3, 0) in program.cmaps
    others = named("WinAnsiEncoding" if is_windows else "MacRomanEncoding")
    for code in range(256):
        glyph = 0 if code in names else _glyph_of_code(program, code)
        candidates = (program.characters.get(glyph, ""), character(own.get(glyph, "")))
        text = next(
            (candidate for candidate in candidates if candidate and not is_private(candidate)), ""
        )
        text = text or character(others.get(code, ""))
        if glyph and text:
            text_of_codes[code] = text
    return text_of_codes


def _glyph_of_code(program: Program, code: int) -> int:
    symbol = program.cmaps.get((3, 0), {})
    roman = program.cmaps.get((1, 0), {})
    return symbol.get(0xF000 + code) or symbol.get(code) or roman.get(code, 0)


def _drawn(
    program: Program | None, names: Mapping[int, str], text: Mapping[int, str]
) -> frozenset[int] | None:
    """Returns the codes whose glyph is really there."""
    if program is None:
        return None
    if program.names:
        return frozenset(code for code, glyph_name in names.items() if glyph_name in program.names)
    drawn: set[int] = set()
    unicode_map = program.cmaps.get((3, 1), {})
    for code in range(256):
        name = names.get(code, "")
        letters = character(name)
        glyph = unicode_map.get(ord(letters), 0) if len(letters) == 1 else 0
        glyph = glyph or _glyph_of_code(program, code) or program.post.get(name, 0)
        if glyph in program.glyphs or (glyph and text.get(code, "x").isspace()):
            drawn.add(code)
    return frozenset(drawn)


def _widths(
    holder: Any, descriptor: Any, program: Program | None, names: Mapping[int, str]
) -> tuple[Mapping[int, float], float]:
    """Returns the widths by code in units of the font size, and that of other codes."""
    listed = objects.elements(objects.entry(holder, "/Widths"))
    first = int(objects.number(objects.entry(holder, "/FirstChar")) or 0)
    missing = objects.number(objects.entry(descriptor, "/MissingWidth")) or 0.0
    if listed:
        widths = {
            first + n: (objects.number(width) or 0.0) / 1000 for n, width in enumerate(listed)
        }
        return widths, missing / 1000
    known: Mapping[str, float] = program.widths if program is not None else {}
    return {code: known[width] / 1000 for code, width in names.items() if width in known}, 0.0


def _type3(holder: Any, to_unicode: Mapping[int, str]) -> Font:
    matrix = objects.numbers(objects.entry(holder, "/FontMatrix"))
    scale = matrix[0] if len(matrix) == 6 else 0.001
    differences = objects.entry(holder, "/Encoding", "/Differences")
    names = with_differences({}, objects.elements(differences))
    text = {code: letters for code, name in names.items() if (letters := character(name))}
    widths, _ = _widths(holder, None, None, names)
    procedures = {key.lstrip("/") for key, _ in objects.items(objects.entry(holder, "/CharProcs"))}
    drawn = frozenset(code for code, name in names.items() if name in procedures)
    scaled = {code: width * 1000 * scale for code, width in widths.items()}
    return Font("", "type3", {**text, **to_unicode}, scaled, 0.0, None, drawn, is_embedded=True)


def _composite(holder: Any, to_unicode: Mapping[int, str]) -> Font:
    name = _SUBSET.sub("", objects.name(objects.entry(holder, "/BaseFont")))
    descendants = objects.elements(objects.entry(holder, "/DescendantFonts"))
    inner = descendants[0] if descendants else None
    descriptor = objects.entry(inner, "/FontDescriptor")
    program, is_embedded = _program(descriptor)
    cmap = _code_map(objects.entry(holder, "/Encoding"))
    text = dict(to_unicode) or _text_of_collection(inner, cmap)
    drawn: set[int] = set()
    if program is not None:
        glyphs = _glyph_map(objects.entry(inner, "/CIDToGIDMap"))
        text = {**_text_of_glyphs(program, cmap, glyphs), **text}
        for code in text:
            glyph = _glyph(program, glyphs, cmap.cid(code))
            if glyph in program.glyphs or (glyph and text[code].isspace()):
                drawn.add(code)
    default = objects.number(objects.entry(inner, "/DW"))
    flags = int(objects.number(objects.entry(descriptor, "/Flags")) or 0)
    return Font(
        name,
        "composite",
        text,
        _cid_widths(objects.entry(inner, "/W")),
        (1000.0 if default is None else default) / 1000,
        cmap,
        frozenset(drawn) if program is not None else None,
        _style(name, flags),
        is_embedded,
        unnamed=frozenset(text.keys() - to_unicode.keys()) if to_unicode else frozenset(),
        upright=_load_upright(inner) if cmap.is_vertical else None,
    )


def _code_map(encoding: Any) -> CMap:
    if objects.is_stream(encoding):
        cmap = cmaps.read(objects.decoded(encoding))
        cmap.base_on(objects.name(objects.entry(encoding, "/UseCMap")))
        is_vertical = objects.number(objects.entry(encoding, "/WMode")) == 1
        return replace(cmap, is_vertical=cmap.is_vertical or is_vertical)
    name = objects.name(encoding)
    return cmaps.predefined(name) or CMap(is_vertical=name.endswith("-V"))


def _text_of_collection(inner: Any, cmap: CMap) -> dict[int, str]:
    """Reads characters through the collection that the CIDs are of (ISO 32000-2, 9.10.2)."""
    ordering = objects.string(objects.entry(inner, "/CIDSystemInfo", "/Ordering"))
    collection = cmaps.collection(ordering.decode("latin-1"))
    if cmap.is_identity or not collection:
        return dict(collection)
    return {code: collection[cid] for code, cid in cmap.cids.items() if cid in collection}


def _glyph_map(value: Any) -> bytes | None:
    return objects.decoded(value) if objects.is_stream(value) else None


def _glyph(program: Program, glyphs: bytes | None, cid: int) -> int:
    if glyphs is not None:
        return int.from_bytes(glyphs[2 * cid : 2 * cid + 2], "big")
    return program.cids.get(cid, 0) if program.cids is not None else cid


def _text_of_glyphs(program: Program, cmap: CMap, glyphs: bytes | None) -> dict[int, str]:
    """Reads characters through the program's Unicode map where codes are CIDs."""
    if not cmap.is_identity or not program.characters:
        return {}
    if glyphs is None and program.cids is None:
        return dict(program.characters)
    if glyphs is None:
        by_glyph = {gid: cid for cid, gid in (program.cids or {}).items()}
        return {by_glyph[g]: text for g, text in program.characters.items() if g in by_glyph}
    text_of_cids: dict[int, str] = {}
    for cid in range(len(glyphs) // 2):
        glyph = int.from_bytes(glyphs[2 * cid : 2 * cid + 2], "big")
        if glyph and glyph in program.characters:
            text_of_cids[cid] = program.characters[glyph]
    return text_of_cids


def _cid_widths(value: Any) -> dict[int, float]:
    """Reads `/W`: `c [w1 w2 …]` and `first last w` (ISO 32000-2, 9.7.4.3)."""
    widths: dict[int, float] = {}
    pending: list[float] = []
    for element in objects.elements(value):
        listed = objects.elements(element)
        if listed:
            start = int(pending[-1]) if pending else 0
            widths.update(
                {start + n: (objects.number(w) or 0) / 1000 for n, w in enumerate(listed)}
            )
            pending = []
            continue
        pending.append(objects.number(element) or 0.0)
        if len(pending) == 3:
            first, last = int(pending[0]), min(int(pending[1]), int(pending[0]) + 0xFFFF)
            widths.update(dict.fromkeys(range(first, last + 1), pending[2] / 1000))
            pending = []
    return widths
