"""Reading and editing see one page: what a reader is shown is what an edit can take hold of.

For every character of every block there is exactly one glyph of the model, which draws it, stands
where MuPDF has the character, in a line of the block, and is of no other block; several characters
have one glyph only where that is a ligature. Every glyph of a page that is seen is of a block, or a
label that is read as such. What has no glyph is counted by the reason.

`REDRAFT_SWEEP=full` takes every file of the corpus, in one process (`-n0`); the figures are on
stdout (`-s`).
"""

from __future__ import annotations

import sys
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from redraft.engine.errors import UnreadableError
from redraft.engine.pdf.apply import apply
from redraft.engine.plan import EditPlan, FormatText
from redraft.engine.report import Signature
from tests.documents import is_full_sweep, names
from tests.engine.pdf.one_model import Tally, measured
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=False)

# What the page's own operators do not draw, or what no edit is let near.
NOT_OURS = frozenset(("annotation or field", "right to left", "vertical"))
LEAST = 0.999
"""Of all other characters; missing are formulas, and signs that the file gives no character."""
SPARE = frozenset(("label", "right to left", "vertical"))
MOST_SPARE = 0.001


@lru_cache(maxsize=1)
def total() -> Tally:
    """The figures of all files of this run."""
    return Tally()


@pytest.mark.corpus
@pytest.mark.parametrize("name", names("pdf", start=3))
def test_every_character_that_is_read_is_one_glyph_of_its_block(corpus: Path, name: str) -> None:
    try:
        found = measured((corpus / "pdf" / name).read_bytes())
    except UnreadableError:
        return
    sys.stdout.write(f"\n{name}: {found}\n" + "".join(f"  {each}\n" for each in found.examples[:9]))
    assert not found.wrong, found.wrong[:5]
    assert not found.spare["lost"], found.examples
    total().add(found)


@pytest.mark.corpus
def test_hardly_a_character_and_hardly_a_glyph_is_missing() -> None:
    found = total()
    sys.stdout.write(f"\n{found}\n")
    if not found.blocks:
        pytest.skip("no file was swept")
    assert found.blocks >= 3500 or not is_full_sweep()
    missing = sum(count for reason, count in found.untied.items() if reason not in NOT_OURS)
    ours = found.tied + missing
    assert found.tied >= LEAST * ours, str(found)
    spare = sum(count for reason, count in found.spare.items() if reason not in SPARE)
    assert spare <= MOST_SPARE * found.glyphs, str(found)


# Pages that are turned, cut, moved or enlarged: page space is elsewhere than what is seen.
BOXES: list[dict[str, Any]] = [
    {"Rotate": 90},
    {"Rotate": 270, "CropBox": [10, 60, 290, 290]},
    {"CropBox": [10, 60, 290, 290]},
    {"CropBox": [-50, -50, 500, 500]},
    {"MediaBox": [5, 55, 305, 355]},
    {"MediaBox": [305, 355, 5, 55]},
    {"UserUnit": 2.5},
    {"UserUnit": 0.5, "Rotate": 180, "CropBox": [10, 60, 290, 290]},
]


@pytest.mark.parametrize("entries", BOXES, ids=str)
def test_however_a_page_is_cut_and_turned_its_blocks_are_found(entries: dict[str, Any]) -> None:
    found = measured(with_entries(two_of_a_kind(), entries))
    assert not found.wrong
    assert (found.blocks, found.whole, found.tied) == (3, 3, found.characters)


def with_entries(data: bytes, entries: dict[str, Any]) -> bytes:
    """Give a PDF whose first page has further entries."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        page: Any = document.pages[0].obj
        for key, value in entries.items():
            page[f"/{key}"] = pikepdf.Array(value) if isinstance(value, list) else value
        out = BytesIO()
        document.save(out)
        return out.getvalue()


def two_of_a_kind() -> bytes:
    """The caption of a picture, beside the text, is drawn before the heading that says the same."""
    words = b"BT /F1 10 Tf 20 %d Td (The viewer shows a page in any browser %d.) Tj ET "
    text = b"".join(words % (230 - 12 * row, row) for row in range(6))
    return pdf(
        b"BT /F1 10 Tf 230 120 Td (PDF.js) Tj ET BT /F2 20 Tf 20 260 Td (PDF.js) Tj ET " + text
    )


def test_of_two_blocks_with_the_same_words_the_one_that_was_named_is_changed() -> None:
    data = two_of_a_kind()
    assert not measured(data).wrong
    for anchor, size in (("p1.b1", 20), ("p1.b3", 10)):
        operation = FormatText(anchor, "PDF.js", "color", "#FF0000")
        edited, _ = apply(data, EditPlan("edit", "", (operation,)), BY_ANN)
        red = {
            round(glyph.size)
            for glyph in model(edited).glyphs()
            if glyph.show.state.fill.split()[:3] == [b"1", b"0", b"0"]
        }
        assert red == {size}, anchor
