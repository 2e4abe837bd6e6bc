"""Name and number trees, read flat and written as one node (ISO 32000-2, 7.9.6 and 7.9.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from redraft.engine.pdf.stream import objects

DEEPEST: Final = 32
MOST: Final = 200_000


def pairs(root: Any, key: str) -> list[tuple[Any, Any]]:
    """Returns keys and values of a tree; `key` is `/Nums` or `/Names`."""
    listed: list[tuple[Any, Any]] = []
    for pair in _pairs(root, key, 0):
        listed.append(pair)
        if len(listed) >= MOST:
            break
    return listed


def _pairs(node: Any, key: str, depth: int) -> Iterator[tuple[Any, Any]]:
    if depth > DEEPEST:
        return
    leaves = objects.elements(objects.entry(node, key))
    yield from zip(leaves[::2], leaves[1::2], strict=False)
    for kid in objects.elements(objects.entry(node, "/Kids")):
        yield from _pairs(kid, key, depth + 1)


def write(root: Any, key: str, entries: Sequence[tuple[Any, Any]]) -> None:
    """Puts keys and values, sorted by the caller, into the root and drops its branches."""
    import pikepdf

    for name in ("/Kids", "/Limits"):
        if name in root:
            del root[name]
    root[key] = pikepdf.Array([part for pair in entries for part in pair])
