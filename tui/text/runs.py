"""Runs: pieces of text with a role, and the cleaning of text that others wrote.

Document text, names, instructions and server messages are hostile: they may hold escape sequences,
bidi overrides or markup. They become runs only through `plain`, and runs are never parsed again, so
that nothing but text comes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len

BOLD, ITALIC, UNDERLINE, STRIKE, REVERSE, DIM = 1, 2, 4, 8, 16, 32

# C0, DEL, C1, bidi marks and overrides, separators that some terminals break at, byte order mark,
# surrogates.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


class Run(NamedTuple):
    """Text of one look; a named tuple because a long document has a hundred thousand of them.

    `role` names a colour of the palette (`tui.theme`), `flags` are BOLD, ITALIC … or-ed together.
    """

    text: str
    role: str = "text"
    flags: int = 0


Line: TypeAlias = tuple[Run, ...]


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def plain(text: str) -> str:
    """Return the text with tabs as spaces, other controls as visible signs; newlines stay."""
    if text.isascii() and text.isprintable():
        return text
    return UNSAFE.sub(_visible, text.replace("\r\n", "\n").replace("\t", "    "))


def one_line(text: str) -> str:
    """Return cleaned text with every stretch of white space as one space."""
    return " ".join(plain(text).split())


def width(line: Iterable[Run]) -> int:
    """Return the width of a line in terminal cells."""
    return sum(cell_len(run.text) for run in line)


def text_of(line: Iterable[Run]) -> str:
    """Return the characters of a line without their look."""
    return "".join(run.text for run in line)


def clip(text: str, cells: int, ellipsis: str = "…") -> str:
    """Shorten text to a width in cells, ending in the ellipsis when something is left out."""
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return text
    room = cells - cell_len(ellipsis)
    kept: list[str] = []
    for character in text:
        room -= cell_len(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + ellipsis


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """Fill text with spaces up to a width in cells, on the left when `right` aligned."""
    missing = " " * max(0, cells - cell_len(text))
    return missing + text if right else text + missing


def fit(text: str, cells: int, ellipsis: str = "…") -> str:
    """Clip or pad text to exactly this width."""
    return pad(clip(text, cells, ellipsis), cells)


def clip_line(line: Line, cells: int, ellipsis: str = "…") -> Line:
    """Shorten a line to a width in cells."""
    if width(line) <= cells:
        return line
    kept: list[Run] = []
    room = cells
    for run in line:
        taken = cell_len(run.text)
        if taken >= room:
            kept.append(run._replace(text=clip(run.text + " ", room, ellipsis)))
            break
        kept.append(run)
        room -= taken
    return tuple(kept)


def spread(left: Line, right: Line, cells: int, ellipsis: str = "…") -> Line:
    """Put one line at the left edge, one at the right; the left is clipped when they meet."""
    room = max(0, cells - width(right) - 1)
    kept = clip_line(left, room, ellipsis)
    gap = " " * max(1, cells - width(kept) - width(right))
    return clip_line((*kept, Run(gap), *right), cells, ellipsis)
