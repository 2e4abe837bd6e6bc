"""The inlines of a block as a flat line of pieces: words with marks, tokens for everything else.

This is the middle form between the tree and the text of the view (`engine.tokens`). Names of
tokens: links are numbered within their block (`a1` is its first link); notes, pictures, fields and
controls carry the id of the tree. The same name may stand several times in a block (a picture
repeated).

Marks of blanks are not an opinion: in normal form a blank carries the marks that its two neighbours
share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from redraft.engine.model import (
    Control,
    Field,
    Image,
    Inline,
    LineBreak,
    Link,
    Mark,
    Math,
    NoteReference,
    Text,
)

SHOWN = Mark.BOLD | Mark.ITALIC
_BREAKS = {"line": "br", "page": "pb", "column": "cb"}
_CHARACTERS = {"tab": "\t", "br": "\n"}
_ALT_LIMIT = 60

# Zero-width blanks, word joiners, byte order marks, soft hyphens, bidirectional overrides and
# isolates, tag characters. Joiners of emoji and of Persian or Indic letters, and the marks of
# direction a Hebrew typist sets, change what is read and are not among them.
INVISIBLE = re.compile(
    "[\u00ad\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]+"
)


@dataclass(frozen=True, slots=True)
class Words:
    """Characters of equal shown marks; never empty, never a tab or newline."""

    text: str
    marks: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Atom:
    """Something between characters; `shown` is its read-only face (field result, alt text)."""

    name: str
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """Where a link or control begins."""

    name: str


@dataclass(frozen=True, slots=True)
class Close:
    """Where a link or control ends."""

    name: str


Piece: TypeAlias = Words | Atom | Open | Close


class _Names:
    """Gives each inline its token name, the tree's own id where it has one of the right form."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def name(self, prefix: str, own: str = "") -> str:
        self._counts[prefix] += 1
        if re.fullmatch(rf"{prefix}[0-9]+", own):
            return own
        return f"{prefix}{self._counts[prefix]}"


def pieces(content: Sequence[Inline]) -> tuple[Piece, ...]:
    """Flattens the inlines of one block to pieces in normal form."""
    return normal(_flatten(content, _Names()))


def _flatten(content: Sequence[Inline], names: _Names) -> Iterator[Piece]:
    for inline in content:
        match inline:
            case Text():
                yield from _split(inline.text, inline.marks & SHOWN)
            case Link():
                name = names.name("a")
                yield Open(name)
                yield from _flatten(inline.content, names)
                yield Close(name)
            case Control():
                name = names.name("cc", inline.id)
                yield Open(name)
                yield from _flatten(inline.content, names)
                yield Close(name)
            case _:
                yield _atom(inline, names)


def _atom(inline: Image | LineBreak | NoteReference | Field | Math, names: _Names) -> Atom:
    match inline:
        case LineBreak():
            return Atom(_BREAKS[inline.kind])
        case NoteReference():
            return Atom(names.name("fn" if inline.kind == "footnote" else "en", inline.anchor))
        case Image():
            alt = _one_line(inline.alt)
            cut = alt if len(alt) <= _ALT_LIMIT else alt[: _ALT_LIMIT - 1] + "…"
            return Atom(names.name("im", inline.id), cut)
        case Field():
            return Atom(names.name("x", inline.id), _one_line(plain(inline.content)))
        case Math():
            return Atom(names.name("eq"), _one_line(inline.latex))


def _one_line(text: str) -> str:
    return " ".join(INVISIBLE.sub("", text).split())


def _split(text: str, marks: Mark) -> Iterator[Piece]:
    for part in re.split(r"([\t\n\v\r])", text):
        if part == "\t":
            yield Atom("tab")
        elif part in ("\n", "\v", "\r"):
            yield Atom("br")
        elif part:
            yield Words(part, marks)


def plain(content: Sequence[Inline]) -> str:
    """Returns what a reader sees of inlines: link texts, field results, tabs, breaks; no notes."""
    return visible(pieces(content))


def visible(line: Iterable[Piece]) -> str:
    """Returns what a reader sees of pieces.

    Field results count; pictures, equations, note marks and page breaks are nothing.
    """
    texts: list[str] = []
    for piece in line:
        match piece:
            case Words():
                texts.append(piece.text)
            case Atom():
                is_field = piece.name.startswith("x")
                texts.append(piece.shown if is_field else _CHARACTERS.get(piece.name, ""))
            case Open() | Close():
                pass
    return "".join(texts)


def normal(line: Iterable[Piece]) -> tuple[Piece, ...]:
    """Merges words of equal marks and gives blanks the marks their neighbours share."""
    line = tuple(line)
    if not any(isinstance(piece, Words) and piece.marks for piece in line):
        return _merged(piece for piece in line if not isinstance(piece, Words) or piece.text)
    symbols: list[Piece] = []
    for piece in line:
        if isinstance(piece, Words):
            parts = re.split(r"(\s+)", piece.text)
            symbols += [Words(part, piece.marks) for part in parts if part]
        else:
            symbols.append(piece)
    before = _neighbours(symbols)
    after = _neighbours(symbols[::-1])[::-1]
    return _merged(
        Words(symbol.text, before[index] & after[index])
        if isinstance(symbol, Words) and not is_black(symbol)
        else symbol
        for index, symbol in enumerate(symbols)
    )


def _merged(line: Iterable[Piece]) -> tuple[Piece, ...]:
    """Joins adjacent words of equal marks."""
    merged: list[Piece] = []
    for piece in line:
        last = merged[-1] if merged else None
        if isinstance(piece, Words) and isinstance(last, Words) and last.marks == piece.marks:
            merged[-1] = Words(last.text + piece.text, last.marks)
        else:
            merged.append(piece)
    return tuple(merged)


def is_black(piece: Piece) -> bool:
    """Returns whether a piece is words with more than blanks."""
    return isinstance(piece, Words) and not piece.text.isspace()


def _neighbours(symbols: Sequence[Piece]) -> list[Mark]:
    """Returns for each symbol the marks of the nearest visible word before it; none at the edge."""
    current = Mark.NONE
    marks: list[Mark] = []
    for symbol in symbols:
        marks.append(current)
        if isinstance(symbol, Words) and is_black(symbol):
            current = symbol.marks
    return marks
