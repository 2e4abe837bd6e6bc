"""Looks in a sentence: `bold`, `in dark blue`, `Georgia 11pt`, `12 pt`."""

from __future__ import annotations

import re

from redraft.engine.interpreter.commands import Look
from redraft.engine.interpreter.frame_words import Said
from redraft.engine.interpreter.meanings import is_font

_LOOKS = {
    "bold": Look("bold", "on"),
    "italic": Look("italic", "on"),
    "underline": Look("underline", "on"),
    "strikethrough": Look("strike", "on"),
    "smallcaps": Look("small_caps", "on"),
    "highlighted": Look("highlight", "yellow"),
    "superscript": Look("vertical", "superscript"),
    "subscript": Look("vertical", "subscript"),
}
_SIZE = re.compile(r"(\d{1,3}(?:[.,]5)?)-?(?:pt|pts|points?|punkt)?")
_LONGEST_FONT = 4


def look_at(said: Said, at: int) -> tuple[int, tuple[Look, ...]] | None:
    """Returns the look that is said at a place, and where the next word is; else None."""
    if said.words[at].is_lifted:
        return None
    for end in range(min(len(said.words), at + _LONGEST_FONT), at, -1):
        if is_font(said.text(at, end)):
            return end, (Look("font", said.text(at, end)),)
    end, roles = said.phrase(at, len(said.words))
    look = next((_LOOKS[role] for role in sorted(roles) if role in _LOOKS), None)
    if look is not None:
        return end, (look,)
    color = next((role[1:] for role in sorted(roles) if re.fullmatch(r"k[a-z]+", role)), "")
    if color:
        return end, (Look("color", color),)
    if roles & {"fontsize", "size", "fontname", "color", "fontcolor"}:
        return end, ()
    return _size(said, at)


def _size(said: Said, at: int) -> tuple[int, tuple[Look, ...]] | None:
    match = _SIZE.fullmatch(said.words[at].key)
    if match is None:
        return None
    size = match[1].replace(",", ".")
    if match[0] != match[1]:
        return at + 1, (Look("size", size),)
    if at + 1 < len(said.words):
        end, roles = said.phrase(at + 1, len(said.words))
        if "points" in roles:
            return end, (Look("size", size),)
    return None
