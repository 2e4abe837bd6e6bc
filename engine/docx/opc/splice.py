"""Puts changed blocks back into the bytes of a part; every other byte stays.

The blocks of a part are found twice, in the tree and in the bytes, in the same order. Changed ones
are serialised alone, without the namespace declarations that hold at their place anyway. A part
that is not UTF-8, or whose blocks cannot be matched, is serialised as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence, Set
from typing import Final

from lxml import etree

from redraft.engine.docx.names import STRICT, W_ID, W_P, W_TBL, Element, W
from redraft.engine.docx.opc.package import Package

_ENCODING: Final = re.compile(rb"^<\?xml[^>]*\sencoding\s*=\s*[\"']([^\"']*)[\"']")
_DECLARATION: Final = re.compile(rb"\sxmlns(?::([^\s=]+))?=(\"[^\"]*\"|'[^']*')")
_START_TAG: Final = re.compile(rb"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_RANGE_END: Final = re.compile(
    rb"<(?:\w+:)?(move(?:From|To)Range(?:Start|End))\s[^<>]*?\bid=\"(\d+)\"[^<>]*/>"
)
_PURL: Final = b"http://purl.oclc.org/ooxml/"
_TO_STRICT: Final = {value.encode(): key.encode() for key, value in STRICT.items()}


class Splicer:
    """Remembers the blocks of a part before they are changed."""

    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._part = part
        self._blocks = list(package.tree(part).iter(W_P, W_TBL))

    def bytes(self, changed: Mapping[Element, Sequence[Element]]) -> bytes:
        """Returns the part with blocks replaced.

        Args:
            changed: For a paragraph or table that was there at first, what stands in its place now:
                itself, new neighbours before and behind it, or nothing. All are in the tree.
        """
        data = self._package.read(self._part)
        spans = block_spans(data, self._package.tree(self._part))
        if spans is None or len(spans) != len(self._blocks):
            return self._package.serialize(self._part)
        names = _Names(is_strict=_PURL in data)
        pieces: list[bytes] = []
        done = 0
        for block, (start, end) in zip(self._blocks, spans, strict=True):
            if start < done or block not in changed:
                continue
            pieces.append(data[done:start])
            pieces += [names.serialised(element) for element in changed[block]]
            done = end
        return b"".join([*pieces, data[done:]])

    def settled(self, touched: Set[Element] | None, loose: Sequence[Element] = ()) -> bytes:
        """Returns the part after marks were settled.

        Args:
            touched: Paragraphs and tables that changed or are gone; None when something outside
                them changed too.
            loose: Ends of moved ranges between them that are gone too.
        """
        if touched is None:
            return self._package.serialize(self._part)
        data = self.bytes(
            {block: [block] if block.getparent() is not None else [] for block in touched}
        )
        ends = {(str(node.tag).rpartition("}")[2], node.get(W_ID, "")) for node in loose}
        kept, count = without_range_ends(data, ends)
        return kept if count == len(ends) else self._package.serialize(self._part)


def fragment(element: Element, root: Element, data: bytes) -> bytes:
    """Returns an element as it is written below the root of a part with these bytes."""
    return _Names(is_strict=_PURL in data).serialised(element, root)


def without_range_ends(data: bytes, ends: Collection[tuple[str, str]]) -> tuple[bytes, int]:
    """Returns the bytes of a part without some ends of moved ranges, and how many they held.

    Args:
        data: The part.
        ends: The local name and the id of each (ECMA-376 Part 1, 17.13.5.23 and 17.13.5.27).
    """
    counted = 0

    def kept(end: re.Match[bytes]) -> bytes:
        nonlocal counted
        is_gone = (end[1].decode(), end[2].decode()) in ends
        counted += is_gone
        return b"" if is_gone else end[0]

    return (_RANGE_END.sub(kept, data), counted) if ends else (data, 0)


def block_spans(data: bytes, root: Element) -> list[tuple[int, int]] | None:
    """Returns the byte spans of all paragraphs and tables, in order of their beginnings.

    None if not UTF-8.

    Byte offsets count from the start of the part.
    """
    declaration = _ENCODING.match(data)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or (
        declaration is not None
        and declaration[1].lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii")
    ):
        return None
    prefixes = [prefix for prefix, uri in root.nsmap.items() if uri == str(W)]
    named = b"|".join(re.escape(f"{p}:".encode()) if p else b"" for p in prefixes)
    tag = re.compile(
        rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
        rb"|<(/?)(?:" + named + rb")(?:p|tbl)(?=[\s/>])(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>",
        re.DOTALL,
    )
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    for match in tag.finditer(data):
        if match[1] is None:
            continue
        if match[1]:
            if not opened:
                return None
            index = opened.pop()
            spans[index] = (spans[index][0], match.end())
            continue
        spans.append((match.start(), match.end()))
        if not match[0].endswith(b"/>"):
            opened.append(len(spans) - 1)
    return None if opened else spans


class _Names:
    """Serialises elements for the place where they stand."""

    def __init__(self, *, is_strict: bool) -> None:
        self._is_strict = is_strict
        self._known: dict[Element, dict[bytes, bytes]] = {}

    def serialised(self, element: Element, parent: Element | None = None) -> bytes:
        data = etree.tostring(element, encoding="UTF-8", with_tail=False)
        data = data.partition(b"?>\n")[2] if data.startswith(b"<?xml") else data
        known = self._in_scope(element.getparent() if parent is None else parent)
        start = _START_TAG.match(data)
        assert start is not None  # it was serialised as an element

        def without_known(match: re.Match[bytes]) -> bytes:
            return b"" if known.get(match[1] or b"") == match[2][1:-1] else match[0]

        data = _DECLARATION.sub(without_known, start[0]) + data[start.end() :]
        return _strict(data) if self._is_strict else data

    def _in_scope(self, parent: Element | None) -> dict[bytes, bytes]:
        if parent is None:
            return {}
        namespaces = self._known.get(parent)
        if namespaces is None:
            namespaces = self._known[parent] = {
                (prefix or "").encode(): uri.replace("&", "&amp;").encode()
                for prefix, uri in parent.nsmap.items()
            }
        return namespaces


def _strict(data: bytes) -> bytes:
    """Returns declarations inside the fragment in the Strict namespaces that the part uses."""

    def mapped(match: re.Match[bytes]) -> bytes:
        uri = match[2][1:-1]
        return match[0].replace(uri, _TO_STRICT[uri]) if uri in _TO_STRICT else match[0]

    return _DECLARATION.sub(mapped, data)
