"""Name the glyphs that a font holds and its map of characters does not (ISO 32000-2, 9.10.3).

A producer may embed a whole font and map only the characters it used. What is written with the
other glyphs looks right and could be neither searched nor copied, so the map is completed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from redraft.engine.pdf.glyphs.shared_resources import SharedResources
from redraft.engine.pdf.stream import objects

_BLOCK = 100  # entries at most, by the rules of character maps
_END = b"endcmap"


def complete(shared: Iterable[SharedResources]) -> None:
    """Adds the characters that were written by unnamed glyphs to the maps of their fonts."""
    for resources in set(shared):
        for holder in resources.holders:
            unnamed = resources.font(holder).written
            stream: Any = objects.entry(holder, "/ToUnicode")
            if unnamed and objects.is_stream(stream):
                stream.write(_with(objects.decoded(stream), unnamed))


def _with(data: bytes, unnamed: dict[int, str]) -> bytes:
    before, end, after = data.rpartition(_END)
    rows = [
        f"<{code:04x}> <{text.encode('utf-16-be').hex()}>\n"
        for code, text in sorted(unnamed.items())
    ]
    blocks = (rows[at : at + _BLOCK] for at in range(0, len(rows), _BLOCK))
    added = "".join(
        f"{len(block)} beginbfchar\n{''.join(block)}endbfchar\n" for block in blocks
    ).encode("ascii")
    return before + added + end + after if end else data
