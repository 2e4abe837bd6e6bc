from __future__ import annotations

import pytest

from redraft.engine.plan import InsertBlocks, NewBlock, ReplaceText
from tests.engine.pdf.paper import Paper, paper
from tests.engine.pdf.stream.streams import model
from tests.engine.pdf.test_apply import edited, lines, texts

TEXT = (
    "The supplier delivers the forecast before five in the morning of each",
    "business day. It tells the customer at once where it cannot do so, and",
    "says when the forecast will be there.",
)
LONGER = (
    "It tells the customer at once, in writing and with all reasons, where it cannot do so, and"
)


def baseline(data: bytes, begins: str) -> float:
    heights = sorted({round(g.y, 1) for g in model(data).glyphs()}, reverse=True)
    return heights[[line.startswith(begins) for line in lines(data)].index(True)]


def last_of_text(data: bytes) -> float:
    return baseline(data, next(line for line in lines(data) if line.endswith("will be there.")))


def headed(gap: float, rest: int = 1) -> Paper:
    """Draw a paragraph, a heading `gap` points below it, and paragraphs below that."""
    page = paper().lines(72, 100, *TEXT).text(72, 126.4 + gap, "2. Fees", size=14)
    for number in range(rest):
        page.lines(72, 126.4 + gap + 22 + 50 * number, *TEXT)
    return page


@pytest.mark.parametrize("gap", [24.0, 28.0])
def test_a_longer_paragraph_leaves_the_space_before_the_next_heading(gap: float) -> None:
    before = headed(gap).data()
    old = "It tells the customer at once where it cannot do so, and"
    new = LONGER + " tells it by telephone too, and"
    after, _ = edited(before, ReplaceText("p1.b1", old, new))
    assert texts(after)[0] == " ".join(TEXT).replace(old, new)
    assert len(lines(after)) == len(lines(before)) + 1
    assert last_of_text(before) - baseline(before, "2. Fees") == pytest.approx(gap, abs=0.1)
    assert last_of_text(after) - baseline(after, "2. Fees") == pytest.approx(gap, abs=0.1)


def test_it_comes_nearer_only_where_what_follows_cannot_be_moved() -> None:
    page = headed(28, 13)
    new = LONGER + " tells it by telephone too, and"
    after, _ = edited(
        page.data(),
        ReplaceText("p1.b1", "It tells the customer at once where it cannot do so, and", new),
    )
    assert baseline(after, "2. Fees") == baseline(page.data(), "2. Fees")


def test_a_new_paragraph_among_justified_ones_is_justified() -> None:
    page = paper()
    import pymupdf

    text = " ".join((*TEXT, *TEXT))
    box = pymupdf.Rect(72, 72, 400, 300)
    page.pages[-1].insert_textbox(box, text, fontsize=11, align=pymupdf.TEXT_ALIGN_JUSTIFY)
    new = " ".join(TEXT)
    after, _ = edited(page.data(), InsertBlocks("p1.b1", "after", (NewBlock("paragraph", new),)))
    ends: dict[float, float] = {}
    for glyph in model(after).glyphs():
        if not glyph.is_blank:
            end = glyph.x + glyph.ink_width
            ends[round(glyph.y, 1)] = max(ends.get(round(glyph.y, 1), 0.0), end)
    rights = [ends[height] for height in sorted(ends, reverse=True)]
    added = len(lines(after)) - len(lines(page.data()))
    assert added > 2
    assert all(right == pytest.approx(400, abs=1.5) for right in rights[-added:-1])
