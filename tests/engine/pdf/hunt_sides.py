"""The text of a document with changes, before them or after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.engine.model import Block, Inline, Link, Table, Text


def sides(blocks: Sequence[Block], kind: str) -> Iterator[str]:
    """The text of each block without what an insertion or a deletion holds."""
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from sides(cell.blocks, kind)
        elif content := getattr(block, "content", ()):
            yield "".join(_without(content, kind))


def _without(content: Sequence[Inline], kind: str) -> Iterator[str]:
    for inline in content:
        if isinstance(inline, Link):
            yield from _without(inline.content, kind)
        elif isinstance(inline, Text) and (inline.change is None or inline.change.kind != kind):
            yield inline.text
