"""Names of glyphs: what a code means in the encodings that PDF knows (ISO 32000-2, annex D).

Covers: [x] StandardEncoding  [x] WinAnsiEncoding  [x] MacRomanEncoding  [x] Differences
[x] names of the Adobe Glyph List, `uniXXXX`, `uXXXXX`, and those of mathematics that
MuPDF knows  [-] MacExpertEncoding: as Standard
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final

NO_GLYPH: Final = ".notdef"
SHORTEST: Final = 4
_NUMBER = re.compile(r"u(?:ni)?[0-9A-Fa-f]+")

# Names that fonts use beside the Adobe Glyph List; TeX's and Word's among them.
_FURTHER: Final = {
    "nbspace": "\u00a0",
    "sfthyphen": "\u00ad",
    "dotlessj": "\u0237",
    "visiblespace": "\u2423",
    "mapsto": "\u21a6",
}


@cache
def named(encoding: str) -> Mapping[int, str]:
    """Returns the glyph names of a predefined encoding by code; Standard for one not known."""
    if encoding == "WinAnsiEncoding":
        return _win_ansi()
    table = "MacRoman" if encoding == "MacRomanEncoding" else "StandardEncoding"
    source: list[str] = getattr(import_module(f"fontTools.encodings.{table}"), table)
    names = {code: name for code, name in enumerate(source) if name != NO_GLYPH}
    if table == "MacRoman":
        names[202] = "space"
    return names


def _win_ansi() -> Mapping[int, str]:
    """Returns Windows code page 1252.

    Codes above 32 that it leaves free are bullets (annex D.2).
    """
    names = dict.fromkeys(range(127, 256), "bullet")
    for code in range(32, 256):
        name = glyph_name(bytes((code,)).decode("cp1252", errors="ignore"))
        if name and code != 127:
            names[code] = name
    return names | {160: "space", 173: "hyphen"}


def with_differences(base: Mapping[int, str], differences: Iterable[Any]) -> dict[int, str]:
    """Lays a `/Differences` array over an encoding.

    Each number sets the code of the names after.
    """
    names = dict(base)
    code = 0
    for item in differences:
        text = str(item)
        if text.startswith("/"):
            names[code] = text[1:]
            code += 1
        elif text.lstrip("+-").replace(".", "", 1).isdigit():
            code = int(float(text))
    return names


@lru_cache(maxsize=4096)
def character(name: str) -> str:
    """Returns the characters a glyph name stands for; empty when it names none."""
    base = name.split(".", maxsplit=1)[0]
    if not base:
        return ""
    text: str = import_module("fontTools.agl").toUnicode(base)
    return text or _FURTHER.get(base, "") or _mathematical(base)


def _mathematical(name: str) -> str:
    """Asks MuPDF, which the reader has its characters from; it takes some names for numbers."""
    is_name = name.isascii() and name.isalpha() and len(name) >= SHORTEST
    if not is_name or _NUMBER.fullmatch(name):
        return ""
    from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

    low: Any = mupdf
    char = chr(low.fz_unicode_from_glyph_name(name))
    return "" if is_private(char) or char == "\ufffd" else char


def is_private(text: str) -> bool:
    """Whether a character means something only where it is agreed on, as in symbol fonts."""
    return "\ue000" <= text <= "\uf8ff"


@lru_cache(maxsize=1024)
def glyph_name(text: str) -> str:
    """Returns the glyph name of one character by the Adobe Glyph List; empty without one."""
    names: dict[int, str] = import_module("fontTools.agl").UV2AGL
    return names.get(ord(text), "") if len(text) == 1 else ""
