"""Character maps: codes to characters (ToUnicode) and codes to CIDs (ISO 32000-2, 9.7.5, 9.10.3).

Covers: [x] codespace ranges of 1-4 bytes  [x] bfchar, bfrange with both forms  [x] cidchar,
cidrange  [x] Identity-H, Identity-V  [x] embedded maps, `usecmap` of a predefined one
[x] the predefined maps of 9.7.5.2 and the characters of their collections, as MuPDF has them; their
codes of one and two bytes
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from redraft.engine.pdf.stream.lexer import Operator, Token, operators

MOST_ENTRIES: Final = 200_000
_UP_TO_7F: Final = (1, 0x00, 0x80)
# The code ranges of the predefined maps, by a part of their names; the first that fits counts.
_SPACES: Final = (
    ("UCS2", ((2, 0x0000, 0xFFFF),)),
    ("UTF16", ((2, 0x0000, 0xD7FF), (2, 0xE000, 0xFFFF), (4, 0xD800DC00, 0xDBFFDFFF))),
    ("RKSJ", (_UP_TO_7F, (1, 0xA0, 0xDF), (2, 0x8140, 0x9FFC), (2, 0xE040, 0xFCFC))),
    ("GBK2K", (_UP_TO_7F, (2, 0x8140, 0xFEFE), (4, 0x81308130, 0xFE39FE39))),
    ("GBK", (_UP_TO_7F, (2, 0x8140, 0xFEFE))),
    ("UHC", (_UP_TO_7F, (2, 0x8141, 0xFEFE))),
    ("HKscs", (_UP_TO_7F, (2, 0x8740, 0xFEFE))),
    ("B5", (_UP_TO_7F, (2, 0xA140, 0xFEFE))),
    ("CNS-EUC", (_UP_TO_7F, (2, 0xA1A1, 0xFEFE), (4, 0x8EA1A1A1, 0x8EA7FEFE))),
    ("GB", (_UP_TO_7F, (2, 0xA1A1, 0xFEFE))),
    ("KSC", (_UP_TO_7F, (2, 0xA1A1, 0xFEFE))),
    ("EUC", (_UP_TO_7F, (2, 0x8EA0, 0x8EDF), (2, 0xA1A1, 0xFEFE))),
    ("", ((2, 0x2121, 0x7E7E),)),
)
COLLECTIONS: Final = frozenset(("Japan1", "GB1", "CNS1", "Korea1"))


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

    def base_on(self, name: str) -> None:
        """Takes what a predefined map says of the codes that this one says nothing of."""
        base = predefined(name)
        if base is None:
            return
        self.is_identity = self.is_identity or base.is_identity
        self.is_vertical = self.is_vertical or base.is_vertical
        self.spaces = sorted({*self.spaces, *base.spaces})
        self.cids = {**base.cids, **self.cids}

    def codes(self, data: bytes) -> Iterator[bytes]:
        """Cuts a string into codes; without code ranges each is two bytes."""
        at = 0
        while at < len(data):
            length = self._length(data, at)
            yield data[at : at + length]
            at += length

    def cid(self, code: int) -> int:
        """Returns the CID of a code; 0 when the map has none."""
        return self.cids.get(code, code if self.is_identity else 0)

    def code(self, number: int) -> bytes | None:
        """Writes a code as it stands in a string; None for one that no string can have."""
        lengths = {length for length, _, _ in self.spaces} if not self.is_identity else {2}
        for length in sorted(lengths or {2}):
            if number < 256**length:
                data = number.to_bytes(length, "big")
                if self._length(data, 0) == length:
                    return data
        return None

    def _length(self, data: bytes, at: int) -> int:
        if self.is_identity or not self.spaces:
            return 2
        for length, low, high in self.spaces:
            if _is_within(data[at : at + length], length, low, high):
                return length
        return min(length for length, _, _ in self.spaces)


def predefined(name: str) -> CMap | None:
    """Returns a predefined map by its name; None for one that is not known here."""
    if name in ("Identity-H", "Identity-V"):
        return CMap(is_identity=True, is_vertical=name.endswith("V"))
    cids = _codes_of(name)
    if not cids:
        return None
    spaces = next(ranges for part, ranges in _SPACES if part in name)
    return CMap(list(spaces), dict(cids), is_vertical=name.endswith("V"))


def collection(ordering: str) -> Mapping[int, str]:
    """Returns the characters of the CIDs of a collection, as `Japan1`; none of one not known."""
    if ordering not in COLLECTIONS:
        return {}
    return {cid: chr(code) for cid, code in _codes_of(f"Adobe-{ordering}-UCS2").items() if code}


@lru_cache(maxsize=8)
def _codes_of(name: str) -> Mapping[int, int]:
    """Returns what the codes below 65,536 of a predefined map stand for."""
    if not name.isascii():
        return {}
    from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

    low: Any = mupdf
    builtin: Any = low.pdf_load_builtin_cmap(name).m_internal
    if not builtin:
        return {}
    base = str(builtin.usecmap_name or "")
    codes = dict(_codes_of(base)) if base and base != name else {}
    for code in range(0x10000):
        number = int(low.ll_pdf_lookup_cmap(builtin, code))
        if number >= 0:
            codes[code] = number
    return codes


def read(data: bytes) -> CMap:
    """Reads a map; what is damaged in it is left out."""
    cmap = CMap()
    for operator in operators(data):
        if operator.name == "endcodespacerange":
            _spaces(cmap, operator.operands)
        elif operator.name == "usecmap" and operator.operands:
            cmap.base_on(operator.operands[-1].data.decode("latin-1"))
        elif operator.name == "def":
            _define(cmap, operator)
        elif operator.name in _READERS and len(cmap.text) + len(cmap.cids) < MOST_ENTRIES:
            _READERS[operator.name](cmap, operator.operands)
    return cmap


def _define(cmap: CMap, operator: Operator) -> None:
    if len(operator.operands) >= 2 and operator.operands[-2].data == b"WMode":
        cmap.is_vertical = operator.operands[-1].number == 1


def _is_within(code: bytes, length: int, low: int, high: int) -> bool:
    """Whether each byte of a code lies between the bytes of the bounds."""
    if len(code) < length:
        return False
    lows, highs = low.to_bytes(length, "big"), high.to_bytes(length, "big")
    return all(a <= byte <= b for a, byte, b in zip(lows, code, highs, strict=True))


def _spaces(cmap: CMap, operands: Sequence[Token]) -> None:
    for low, high in zip(operands[::2], operands[1::2], strict=False):
        if 1 <= len(low.data) <= 4 and len(low.data) == len(high.data):
            cmap.spaces.append((len(low.data), _number(low), _number(high)))
    cmap.spaces.sort()


def _bf_chars(cmap: CMap, operands: Sequence[Token]) -> None:
    for code, text in zip(operands[::2], operands[1::2], strict=False):
        cmap.text[_number(code)] = _characters(text)


def _bf_ranges(cmap: CMap, operands: Sequence[Token]) -> None:
    for low, high, target in _triples(operands):
        first, last = _number(low), min(_number(high), _number(low) + 0xFFFF)
        if target.kind == "array":
            for code, item in zip(range(first, last + 1), target.items, strict=False):
                cmap.text[code] = _characters(item)
            continue
        start = _characters(target)
        for code in range(first, last + 1) if start else ():
            following = ord(start[-1]) + code - first
            cmap.text[code] = start[:-1] + chr(min(following, 0x10FFFF))


def _cid_chars(cmap: CMap, operands: Sequence[Token]) -> None:
    for code, cid in zip(operands[::2], operands[1::2], strict=False):
        cmap.cids[_number(code)] = int(cid.number)


def _cid_ranges(cmap: CMap, operands: Sequence[Token]) -> None:
    for low, high, cid in _triples(operands):
        first, last = _number(low), min(_number(high), _number(low) + 0xFFFF)
        cmap.cids.update({code: int(cid.number) + code - first for code in range(first, last + 1)})


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
    """Reads UTF-16BE; one byte alone, as some programs write it, is that character."""
    if token.kind != "string":
        return ""
    if len(token.data) == 1:
        return chr(token.data[0])
    return token.data.decode("utf-16-be", errors="replace")
