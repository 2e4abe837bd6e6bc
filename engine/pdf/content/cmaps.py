"""Character maps: codes to characters (ToUnicode) and codes to CIDs (ISO 32000-2, 9.7.5, 9.10.3).

Covers: [x] codespace ranges of 1-4 bytes  [x] bfchar, bfrange with both forms  [x] cidchar,
cidrange  [x] Identity-H, Identity-V  [x] embedded maps, `usecmap` of an identity  [-] the other
predefined maps (UniJIS-UTF16-H and the like): `predefined` gives None
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.pdf.content.lexer import Operator, Token, operators

MOST_ENTRIES: Final = 200_000


@dataclass(slots=True)
class CMap:
    """A character map.

    `spaces` are (length, low, high) of the code ranges; `cids` and `text` map codes; codes that an
    identity covers map to themselves.
    """

    spaces: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    cids: dict[int, int] = field(default_factory=dict[int, int])
    text: dict[int, str] = field(default_factory=dict[int, str])
    is_identity: bool = False
    is_vertical: bool = False

    def codes(self, data: bytes) -> Iterator[bytes]:
        """Cut a string into codes; without code ranges each is two bytes."""
        at = 0
        while at < len(data):
            length = self._length(data, at)
            yield data[at : at + length]
            at += length

    def cid(self, code: int) -> int:
        """Give the CID of a code; 0 when the map has none."""
        return self.cids.get(code, code if self.is_identity else 0)

    def _length(self, data: bytes, at: int) -> int:
        if self.is_identity or not self.spaces:
            return 2
        for length, low, high in self.spaces:
            if _is_within(data[at : at + length], length, low, high):
                return length
        return min(length for length, _, _ in self.spaces)


def predefined(name: str) -> CMap | None:
    """Give a predefined map by its name; None for one that is not known here."""
    if name in ("Identity-H", "Identity-V"):
        return CMap(is_identity=True, is_vertical=name.endswith("V"))
    return None


def read(data: bytes) -> CMap:
    """Read a map; what is damaged in it is left out."""
    found = CMap()
    for operator in operators(data):
        if operator.name == "endcodespacerange":
            _spaces(found, operator.operands)
        elif operator.name == "usecmap" and operator.operands:
            found.is_identity = operator.operands[-1].data.startswith(b"Identity")
        elif operator.name == "def":
            _define(found, operator)
        elif operator.name in _READERS and len(found.text) + len(found.cids) < MOST_ENTRIES:
            _READERS[operator.name](found, operator.operands)
    return found


def _define(found: CMap, operator: Operator) -> None:
    if len(operator.operands) >= 2 and operator.operands[-2].data == b"WMode":
        found.is_vertical = operator.operands[-1].number == 1


def _is_within(code: bytes, length: int, low: int, high: int) -> bool:
    """Whether each byte of a code lies between the bytes of the bounds."""
    if len(code) < length:
        return False
    lows, highs = low.to_bytes(length, "big"), high.to_bytes(length, "big")
    return all(a <= byte <= b for a, byte, b in zip(lows, code, highs, strict=True))


def _spaces(found: CMap, operands: Sequence[Token]) -> None:
    for low, high in zip(operands[::2], operands[1::2], strict=False):
        if 1 <= len(low.data) <= 4 and len(low.data) == len(high.data):
            found.spaces.append((len(low.data), _number(low), _number(high)))
    found.spaces.sort()


def _bf_chars(found: CMap, operands: Sequence[Token]) -> None:
    for code, text in zip(operands[::2], operands[1::2], strict=False):
        found.text[_number(code)] = _characters(text)


def _bf_ranges(found: CMap, operands: Sequence[Token]) -> None:
    for low, high, target in _triples(operands):
        first, last = _number(low), min(_number(high), _number(low) + 0xFFFF)
        if target.kind == "array":
            for code, item in zip(range(first, last + 1), target.items, strict=False):
                found.text[code] = _characters(item)
            continue
        start = _characters(target)
        for code in range(first, last + 1) if start else ():
            following = ord(start[-1]) + code - first
            found.text[code] = start[:-1] + chr(min(following, 0x10FFFF))


def _cid_chars(found: CMap, operands: Sequence[Token]) -> None:
    for code, cid in zip(operands[::2], operands[1::2], strict=False):
        found.cids[_number(code)] = int(cid.number)


def _cid_ranges(found: CMap, operands: Sequence[Token]) -> None:
    for low, high, cid in _triples(operands):
        first, last = _number(low), min(_number(high), _number(low) + 0xFFFF)
        found.cids.update({code: int(cid.number) + code - first for code in range(first, last + 1)})


_READERS: Final = {
    "endbfchar": _bf_chars,
    "endbfrange": _bf_ranges,
    "endcidchar": _cid_chars,
    "endcidrange": _cid_ranges,
}


def _triples(operands: Sequence[Token]) -> Iterator[tuple[Token, Token, Token]]:
    return zip(operands[::3], operands[1::3], operands[2::3], strict=False)


def _number(token: Token) -> int:
    return int.from_bytes(token.data[:4], "big")


def _characters(token: Token) -> str:
    """Read UTF-16BE; one byte alone, as some programs write it, is that character."""
    if token.kind != "string":
        return ""
    if len(token.data) == 1:
        return chr(token.data[0])
    return token.data.decode("utf-16-be", errors="replace")
