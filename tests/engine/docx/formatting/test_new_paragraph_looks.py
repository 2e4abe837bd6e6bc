"""A new paragraph looks like the body text, not like an emphasized or empty neighbour."""

from __future__ import annotations

import pytest

from redraft.engine.plan import InsertBlocks, NewBlock
from tests.engine.redlining import Draft, runs
from tests.engine.wordml import heading_style, p, r, table

EMPTY = "<w:p><w:pPr><w:rPr><w:i/></w:rPr></w:pPr></w:p>"
BODY = (
    p("Term", style="Heading1")
    + p(r("Note well.", "<w:b/>"))
    + EMPTY
    + p("It lasts ten days.")
    + table([p(r("Fee", "<w:b/>"))])
)


@pytest.mark.parametrize(
    ("anchor", "kind", "look"),
    [
        ("p1", "paragraph", ""),
        ("p2", "paragraph", ""),
        ("p2", "like_anchor", "b"),
        ("p3", "paragraph", ""),
        ("p3", "like_anchor", ""),
        ("t1.r1.c1.p1", "paragraph", "b"),
    ],
)
def test_a_new_paragraph_looks_like_the_body(anchor: str, kind: str, look: str) -> None:
    block = NewBlock(kind, "New words.")  # pyright: ignore[reportArgumentType]
    draft = Draft.of(BODY, styles=heading_style(1)).edit(InsertBlocks(anchor, "after", (block,)))
    assert ("New words.", look) in runs(draft.data)
