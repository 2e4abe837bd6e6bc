"""Content streams into tokens and operators that know their byte offsets (ISO 32000-2, 7.8.2).

Covers: [x] numbers, names, strings, hexadecimal strings, arrays, dictionaries, operators
[x] comments  [x] inline images as one operator `BI`  [x] what is damaged: read on, never raise
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "space", "number", "name", "string", "word", "array", "dictionary", "mark", "image"
]

DEEPEST: Final = 32

_TOKEN = re.compile(
    rb"(?P<space>(?:[\x00\t\n\f\r ]+|%[^\r\n]*)+)"
    rb"|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?=[\x00\t\n\f\r ()<>\[\]{}/%]|\Z))"
    rb"|(?P<name>/[^\x00\t\n\f\r ()<>\[\]{}/%]*)"
    rb"|(?P<hex><(?!<)[^>]*>?)"
    rb"|(?P<mark><<|>>|[\[\]{})>])"
    rb"|(?P<word>[^\x00\t\n\f\r ()<>\[\]{}/%]+)"
    rb"|(?P<open>\()"
)
_PAREN = re.compile(rb"[()\\]")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(\r\n|[\s\S])|\Z)|\r\n?")
_SIMPLE_ESCAPES: Final = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}
_NAME_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_LOOSE_NUMBER = re.compile(rb"[+-]*\d*\.?\d*")
_NOT_HEX = re.compile(rb"[^0-9A-Fa-f]")
_IMAGE_END = re.compile(rb"[\x00\t\n\f\r ]EI(?=[\x00\t\n\f\r ]|\Z)")
_BINARY = re.compile(rb"[^\t\n\f\r\x20-\x7e\x00]")
_VALUES: Final = frozenset((b"true", b"false", b"null"))
_CLOSES: Final[dict[bytes, Kind]] = {b"[": "array", b"<<": "dictionary"}


class Token(NamedTuple):
    """A piece of a stream at bytes [start, end).

    `number` is the value of a number, `data` the decoded bytes of a name (without its slash), a
    string or a word, `items` what an array or a dictionary holds (keys and values in turn).
    """

    kind: Kind
    start: int
    end: int
    data: bytes = b""
    number: float = 0.0
    items: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator with its operands, at bytes [start, end) of the stream, operands included."""

    name: str
    operands: tuple[Token, ...]
    start: int
    end: int

    def numbers(self, count: int) -> tuple[float, ...] | None:
        """Returns the last `count` operands as numbers; None when they are not that."""
        tokens = self.operands[-count:]
        if len(tokens) != count or any(token.kind != "number" for token in tokens):
            return None
        return tuple(token.number for token in tokens)


def tokens(data: bytes) -> Iterator[Token]:
    """Cuts a stream into tokens, blanks and comments among them: joined they are the stream again.

    Arrays and dictionaries come as their marks and contents; an inline image's data as one token.
    """
    at = 0
    while at < len(data):
        token = _token(data, at)
        yield token
        at = token.end
        if token.kind == "word" and token.data == b"ID":
            image = Token("image", at, _end_of_image(data, at))
            if image.end > at:
                yield image
            at = image.end


def operators(data: bytes) -> Iterator[Operator]:
    """Reads the operators of a content stream in order.

    An inline image is one operator `BI` that ends after its `EI`. Operands left without an
    operator at the end are dropped.
    """
    operands: list[Token] = []
    stack: list[tuple[Token, list[Token]]] = []
    image_start: int | None = None
    for token in tokens(data):
        if token.kind in ("space", "image"):
            continue
        if token.kind == "mark":
            operands = _nest(token, operands, stack)
        elif token.kind != "word" or token.data in _VALUES:
            operands.append(token)
        else:
            if token.data == b"BI":
                image_start = token.start
            elif token.data == b"EI" and image_start is not None:
                yield Operator("BI", (), image_start, token.end)
                image_start = None
            elif image_start is None:
                operands = _closed(operands, stack)
                first = operands[0].start if operands else token.start
                yield Operator(token.data.decode("latin-1"), tuple(operands), first, token.end)
            operands, stack = [], []


def _nest(
    token: Token, operands: list[Token], stack: list[tuple[Token, list[Token]]]
) -> list[Token]:
    """Opens or close an array or dictionary; gives the list that takes the next operand."""
    if token.data in _CLOSES:
        if len(stack) < DEEPEST:
            stack.append((token, operands))
            return []
        return operands
    if token.data in (b"]", b">>") and stack:
        opening, outer = stack.pop()
        kind = _CLOSES[opening.data]
        outer.append(Token(kind, opening.start, token.end, items=tuple(operands)))
        return outer
    return operands


def _closed(operands: list[Token], stack: list[tuple[Token, list[Token]]]) -> list[Token]:
    """Closes what a damaged stream has left open before an operator."""
    while stack:
        opening, outer = stack.pop()
        end = operands[-1].end if operands else opening.end
        outer.append(Token(_CLOSES[opening.data], opening.start, end, items=tuple(operands)))
        operands = outer
    return operands


def _token(data: bytes, at: int) -> Token:
    match = _TOKEN.match(data, at)
    if match is None:
        return Token("mark", at, at + 1)
    end = match.end()
    kind = match.lastgroup
    raw = match[0]
    if kind == "number":
        return Token("number", at, end, raw, float(raw))
    if kind == "open":
        return _string(data, at)
    if kind == "hex":
        return Token("string", at, end, _from_hex(raw))
    if kind == "name":
        return Token("name", at, end, _name(raw[1:]))
    if kind == "word":
        return _word(raw, at, end)
    return Token("space" if kind == "space" else "mark", at, end, raw)


def _word(raw: bytes, at: int, end: int) -> Token:
    """Tells an operator from a number that is written badly (`--5`, `1.2.3`, `7-3`)."""
    if raw[0] in b"0123456789+-.":
        match = _LOOSE_NUMBER.match(raw)
        text = match[0] if match else b""
        sign = -1.0 if b"-" in text else 1.0
        digits = text.lstrip(b"+-")
        return Token("number", at, end, raw, sign * float(digits if digits.strip(b".") else b"0"))
    return Token("word", at, end, raw)


def _name(raw: bytes) -> bytes:
    if b"#" not in raw:
        return raw
    return _NAME_ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), raw)


def _from_hex(raw: bytes) -> bytes:
    digits = _NOT_HEX.sub(b"", raw)
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def _string(data: bytes, at: int) -> Token:
    """Reads a literal string; parentheses may be nested (ISO 32000-2, 7.3.4.2)."""
    depth, where = 1, at + 1
    while depth:
        match = _PAREN.search(data, where)
        if match is None:
            return Token("string", at, len(data), _unescaped(data[at + 1 :]))
        where = match.end()
        if match[0] == b"\\":
            where += 1
        else:
            depth += 1 if match[0] == b"(" else -1
    return Token("string", at, where, _unescaped(data[at + 1 : where - 1]))


def _unescaped(raw: bytes) -> bytes:
    if b"\\" not in raw and b"\r" not in raw:
        return raw
    return _ESCAPE.sub(_character, raw)


def _character(match: re.Match[bytes]) -> bytes:
    if match[1] is not None:
        return bytes((int(match[1], 8) & 0xFF,))
    if match[2] is not None:
        return _SIMPLE_ESCAPES.get(match[2], match[2])
    return b"\n" if match[0].startswith(b"\r") else b""


def _end_of_image(data: bytes, start: int) -> int:
    """Finds where the data of an inline image ends: before `EI` with readable text behind it."""
    at = start
    while True:
        match = _IMAGE_END.search(data, at)
        if match is None:
            return len(data)
        if not _BINARY.search(data, match.end(), match.end() + 12):
            return match.start()
        at = match.start() + 1
