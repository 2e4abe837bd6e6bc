"""What the text of a plan will say: its markup read by the judge itself.

Stars are marks unless blanks stand on both sides or a backslash in front; a token of an object
stands for an object of its kind, a token of a field for a text that is not known here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from redraft.engine.judge.content import Piece

_LEXEME: Final = re.compile(
    r"(?P<slashes>\\+)(?P<escaped>[*\u27e6\u27e7])"
    r"|[\u27e6]\s*(?P<close>/?)\s*(?P<name>[A-Za-z]+[0-9]*)\s*(?::(?:\\.|[^\u27e7\\])*)?\u27e7"
    r"|\[\[\s*/?(?P<square>[a-z]+[0-9]+)\s*(?::[^\]]*)?\]\]|</?(?P<angle>[a-z]+[0-9]+)\s*/?>"
    r"|(?P<stars>\*+)"
)
_CHARACTERS: Final = {"tab": "\t", "br": "\n"}
# What the view calls objects, and how their kinds begin in the content.
_OBJECTS: Final = {
    "fn": "footnoteReference",
    "en": "endnoteReference",
    "im": "picture",
    "eq": "equation",
    "pb": "page break",
    "cb": "column break",
}
_PAIRS: Final = ("a", "cc")


def read(text: str, known: str = "") -> list[Piece]:
    """Returns the pieces of a new text.

    Args:
        text: As a plan brings it.
        known: The objects of the block; without any, `[[fn1]]` and `<fn1>` are letters.
    """
    pieces: list[Piece] = []
    at = opened = 0
    for lexeme in _LEXEME.finditer(text):
        if lexeme.start() < at:
            continue
        _letters(text[at : lexeme.start()], pieces)
        at = lexeme.end()
        if lexeme["slashes"]:
            at = _escaped(text, lexeme, pieces)
        elif lexeme["stars"]:
            _letters(_stars(text, lexeme.start(), lexeme.end()), pieces)
        elif lexeme["name"]:
            _token(lexeme["name"].lower(), pieces)
            if lexeme["name"].lower().startswith("cc"):
                pieces[opened:] = _shown(pieces[opened:]) if lexeme["close"] else pieces[opened:]
                opened = len(pieces)
        else:
            _synonym(lexeme, known, pieces)
    _letters(text[at:], pieces)
    return pieces


def _letters(text: str, pieces: list[Piece]) -> None:
    if text:
        pieces.append(Piece(text, certainty="new"))


def _escaped(text: str, lexeme: re.Match[str], pieces: list[Piece]) -> int:
    """Read backslashes before a sign of the markup; gives the place behind what was read."""
    count = len(lexeme["slashes"])
    _letters("\\" * (count // 2), pieces)
    if count % 2:
        _letters(lexeme["escaped"], pieces)
        return lexeme.end()
    return _syntax(text, lexeme.end() - 1, pieces)


def _synonym(lexeme: re.Match[str], known: str, pieces: list[Piece]) -> None:
    """Read `[[fn1]]` or `<fn1>`, which are tokens where the block has such an object."""
    name = lexeme["square"] or lexeme["angle"]
    kind = name.rstrip("0123456789")
    if _OBJECTS.get(kind, "\0") in known or (known and kind in (*_PAIRS, "x")):
        _token(name, pieces)
    else:
        _letters(lexeme[0], pieces)


def _shown(pieces: list[Piece]) -> list[Piece]:
    """What a control shows: its words, or a box or placeholder that are none."""
    words = [replace(p, certainty="either") if p.text else p for p in pieces]
    return words or [Piece(certainty="unknown")]


def plain(text: str) -> str:
    """Returns the letters of a new text."""
    return "".join(piece.text for piece in read(text))


def _syntax(text: str, at: int, pieces: list[Piece]) -> int:
    """Read a mark behind an even number of backslashes; gives the place behind it."""
    lexeme = _LEXEME.match(text, at)
    if lexeme is None:
        return at
    if lexeme["name"]:
        _token(lexeme["name"].lower(), pieces)
    return lexeme.end()


def _stars(text: str, start: int, end: int) -> str:
    before, after = text[:start][-1:], text[end:][:1]
    is_letter = (not before or before.isspace()) and (not after or after.isspace())
    return text[start:end] if is_letter else ""


def _token(name: str, pieces: list[Piece]) -> None:
    """Put down what a token stands for; the ends of links and controls say nothing."""
    kind = name.rstrip("0123456789")
    if kind in _CHARACTERS:
        pieces.append(Piece(_CHARACTERS[kind], certainty="new"))
    elif kind in _OBJECTS:
        pieces.append(Piece(object=name, certainty="new"))
    elif kind == "x":
        pieces.append(Piece(certainty="unknown"))
