r"""The inline syntax of the view, both ways: pieces of a block to one line of text, and back.

    **bold** *italic*              marks that differ; other formatting is kept by alignment
    ⟦fn1⟧ ⟦en2⟧                    note reference
    ⟦im1⟧ ⟦im1:A duck⟧             picture, with its alt text
    ⟦x1:Section 7⟧ ⟦eq1:a^2⟧       field with its cached result, equation: read only
    ⟦a1⟧text⟦/a1⟧ ⟦cc2⟧text⟦/cc2⟧  link, control or form field: the text may change, not the pair
    ⟦tab⟧ ⟦br⟧                     tab and line break: as free as letters
    ⟦pb⟧ ⟦cb⟧                      page and column break: must come back
    \* \⟦ \⟧                       these characters themselves; backslashes before them are doubled

The API, in the order an editor of a block needs it:

    before = pieces(block.content)   # what is there, in normal form: Words | Atom | Open | Close
    text = write(before)             # what the view shows of it
    parsed = parse(plan_text, before)  # Parsed(pieces, faults); no faults: it can be carried out
    words = visible(before)          # what a reader sees: the string quotes are matched against

`parse(write(p), p).pieces == p` for every p that `pieces` returns, so a block rewritten unchanged
is no edit. For text of a new block say `parse(text, ())`. `escape` turns a person's literal words
into this syntax.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from redraft.engine.inline_pieces import (
    Atom,
    Close,
    Open,
    Piece,
    Words,
    is_black,
    normal,
    pieces,
    plain,
    visible,
)
from redraft.engine.invisible import restored, stripped
from redraft.engine.model import Mark

__all__ = [
    "FREE",
    "Atom",
    "Close",
    "Open",
    "Parsed",
    "Piece",
    "TokenFault",
    "Words",
    "compare",
    "escape",
    "parse",
    "pieces",
    "plain",
    "visible",
    "write",
]

FREE = frozenset({"tab", "br"})

TokenCode: TypeAlias = Literal[
    "dropped_token",
    "invented_token",
    "markup_unbalanced",
    "contains_newline",
    "read_only",
]


@dataclass(frozen=True, slots=True)
class TokenFault:
    """Why a text is not a version of its block; `message` names the token."""

    code: TokenCode
    message: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text read back; `pieces` is best effort when there are faults."""

    pieces: tuple[Piece, ...]
    faults: tuple[TokenFault, ...] = ()


# Writing


def write(line: Sequence[Piece]) -> str:
    """Writes pieces as one line of the view; characters nobody reads are left out."""
    line = normal(stripped(line))
    page = _Page()
    state = Mark.NONE
    for index, piece in enumerate(line):
        match piece:
            case Words():
                lead, core, tail = _margins(piece.text)
                page.literal(lead)
                if core:
                    page.syntax(_markers(state, piece.marks))
                    page.literal(core)
                    state = piece.marks & _ahead(line, index)
                    page.syntax(_markers(piece.marks, state))
                    page.literal(tail)
            case Atom():
                page.token(piece)
            case Open():
                page.syntax(f"⟦{piece.name}⟧")
            case Close():
                page.syntax(f"⟦/{piece.name}⟧")
    return page.text()


class _Page:
    """Joins literal text and syntax; literal backslashes that end up before syntax are doubled."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._literal = ""

    def literal(self, text: str) -> None:
        self._literal += text

    def syntax(self, text: str) -> None:
        if text:
            ended = re.sub(r"\\+$", lambda run: run[0] * 2, escape(self._literal))
            self._found += [ended, text]
            self._literal = ""

    def token(self, atom: Atom) -> None:
        if atom.shown:
            self.syntax(f"⟦{atom.name}:")
            self.literal(atom.shown)
            self.syntax("⟧")
        else:
            self.syntax(f"⟦{atom.name}⟧")

    def text(self) -> str:
        return "".join([*self._found, escape(self._literal)])


def _margins(text: str) -> tuple[str, str, str]:
    core = text.strip()
    if not core:
        return text, "", ""
    start = text.index(core)
    return text[:start], core, text[start + len(core) :]


def _ahead(line: Sequence[Piece], index: int) -> Mark:
    """Returns the marks of the next visible words; shared ones stay open over tokens, blanks."""
    for piece in line[index + 1 :]:
        if isinstance(piece, Words) and is_black(piece):
            return piece.marks
    return Mark.NONE


def _markers(old: Mark, new: Mark) -> str:
    changed = old ^ new
    return ("**" if changed & Mark.BOLD else "") + ("*" if changed & Mark.ITALIC else "")


def escape(text: str) -> str:
    r"""Writes literal characters in the syntax: `2*3` becomes `2\*3`; other backslashes stay."""
    return re.sub(r"(\\*)([*⟦⟧])", r"\1\1\\\2", text)


# Reading back

_LEXEME = re.compile(
    r"(?<!\\)(?P<pairs>(?:\\\\)+)(?=[*⟦⟧])"
    r"|(?<!\\)(?P<slashes>(?:\\\\)*)\\(?P<special>[*⟦⟧])"
    r"|⟦\s*(?P<close>/?)\s*(?P<name>[A-Za-z]+[0-9]*)\s*(?::(?P<shown>(?:\\.|[^⟧\\])*))?⟧"
    r"|(?P<stars>\*+)"
    r"|(?P<newline>[\n\r\v]+)"
    r"|(?P<tab>\t)"
)
_SYNONYM = re.compile(
    r"\[\[\s*(?P<a>/?[a-z]+[0-9]+)\s*(?::[^\]]*)?\]\]|<(?P<b>/?[a-z]+[0-9]+)\s*/?>"
)


def parse(text: str, known: Sequence[Piece]) -> Parsed:
    """Reads one line in the syntax as a new version of a block.

    Args:
        text: What a plan says the block should be.
        known: The pieces of the block as it is; `()` for a block that does not exist yet. Its
            tokens must come back, each as often as it stands there; `[[fn1]]` and `<fn1/>` are
            understood where the name is known and otherwise missing.
    """
    read = _Reader(_canonical(text, known))
    line = _shown_again(read.line, known)
    return Parsed(normal(restored(line, known)), (*read.faults, *compare(known, line)))


def compare(before: Sequence[Piece], after: Sequence[Piece]) -> tuple[TokenFault, ...]:
    """Returns which tokens of a block its new version drops, invents, changes or tears apart."""
    old, new = _counts(before), _counts(after)
    faults = [
        TokenFault("dropped_token", f"{name} is missing; it must come back")
        for name in (old - new).elements()
    ]
    faults += [
        TokenFault("invented_token", f"{name} is not in this block")
        for name in (new - old).elements()
    ]
    faces = _faces(before)
    faults += [
        TokenFault("read_only", f"⟦{piece.name}⟧ shows {faces[piece.name][0]!r} and is read only")
        for piece in after
        if isinstance(piece, Atom) and piece.shown not in faces.get(piece.name, [piece.shown])
    ]
    if not faults and not _is_nested(after):
        faults.append(
            TokenFault("markup_unbalanced", "a ⟦…⟧…⟦/…⟧ pair does not open and close in order")
        )
    return tuple(faults)


def _canonical(text: str, known: Sequence[Piece]) -> str:
    """Rewrites synonyms of known tokens that are otherwise missing."""
    missing = _counts(known) - _counts(_Reader(text).line)
    if not missing:
        return text

    def replace(synonym: re.Match[str]) -> str:
        name = f"⟦{synonym['a'] or synonym['b']}⟧"
        if not missing[name]:
            return synonym[0]
        missing[name] -= 1
        return name

    return _SYNONYM.sub(replace, text)


def _shown_again(line: Sequence[Piece], known: Sequence[Piece]) -> list[Piece]:
    """Gives atoms that came back without their face the face they had."""
    faces = _faces(known)
    return [
        Atom(piece.name, faces[piece.name][0])
        if isinstance(piece, Atom) and not piece.shown and all(faces.get(piece.name, [""]))
        else piece
        for piece in line
    ]


def _faces(line: Sequence[Piece]) -> dict[str, list[str]]:
    faces: dict[str, list[str]] = {}
    for piece in line:
        if isinstance(piece, Atom):
            faces.setdefault(piece.name, []).append(piece.shown)
    return faces


def _counts(line: Sequence[Piece]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for piece in line:
        match piece:
            case Atom() | Open():
                if piece.name not in FREE:
                    counts[f"⟦{piece.name}⟧"] += 1
            case Close():
                counts[f"⟦/{piece.name}⟧"] += 1
            case Words():
                pass
    return counts


def _is_nested(line: Sequence[Piece]) -> bool:
    stack: list[str] = []
    for piece in line:
        if isinstance(piece, Open):
            stack.append(piece.name)
        elif isinstance(piece, Close) and (not stack or stack.pop() != piece.name):
            return False
    return not stack


class _Reader:
    """Reads one line; stars toggle, and are letters when blanks stand on both sides."""

    def __init__(self, text: str) -> None:
        self.line: list[Piece] = []
        self.faults: list[TokenFault] = []
        self._text = text
        self._marks = Mark.NONE
        lexemes = list(_LEXEME.finditer(text))
        self._closed = {lexeme["name"] for lexeme in lexemes if lexeme["close"]}
        position = 0
        for lexeme in lexemes:
            self._words(text[position : lexeme.start()])
            self._lexeme(lexeme)
            position = lexeme.end()
        self._words(text[position:])
        if self._marks:
            marker = _markers(self._marks, Mark.NONE)
            self.faults.append(TokenFault("markup_unbalanced", f"{marker} is not closed"))

    def _words(self, text: str) -> None:
        if text:
            self.line.append(Words(text, self._marks))

    def _lexeme(self, lexeme: re.Match[str]) -> None:
        if lexeme["pairs"]:
            self._words("\\" * (len(lexeme["pairs"]) // 2))
        elif lexeme["special"]:
            self._words("\\" * (len(lexeme["slashes"]) // 2) + lexeme["special"])
        elif lexeme["name"]:
            self._token(lexeme)
        elif lexeme["stars"]:
            self._stars(lexeme)
        elif lexeme["tab"]:
            self.line.append(Atom("tab"))
        else:
            message = "one paragraph per text; write ⟦br⟧ for a line break"
            self.faults.append(TokenFault("contains_newline", message))

    def _token(self, lexeme: re.Match[str]) -> None:
        name = lexeme["name"]
        if lexeme["close"]:
            self.line.append(Close(name))
        elif name in self._closed:
            self.line.append(Open(name))
        else:
            self.line.append(Atom(name, _unescape(lexeme["shown"] or "")))

    def _stars(self, lexeme: re.Match[str]) -> None:
        before = self._text[: lexeme.start()][-1:]
        after = self._text[lexeme.end() :][:1]
        if (not before or before.isspace()) and (not after or after.isspace()):
            self._words(lexeme["stars"])
            return
        if len(lexeme["stars"]) & 2:
            self._marks ^= Mark.BOLD
        if len(lexeme["stars"]) & 1:
            self._marks ^= Mark.ITALIC


def _unescape(text: str) -> str:
    """Reads the face of an atom; it stood before its closing bracket."""
    text = re.sub(r"(?<!\\)(\\+)([*⟦⟧])", lambda run: run[1][: len(run[1]) // 2] + run[2], text)
    return re.sub(r"\\+$", lambda run: run[0][: len(run[0]) // 2], text)
