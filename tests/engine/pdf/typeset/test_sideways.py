"""A single line that outgrows its column grows sideways where the page is free."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import ReplaceText
from tests.engine.pdf.stream.streams import model, pdf
from tests.engine.pdf.typeset.test_line_ends import PROSE, edited, rows

HELVETICA = 5.56
"""The width of a digit at 10 points."""


def ends(data: bytes, y: int) -> tuple[float, float]:
    """Where the line on a baseline begins and ends."""
    inked = [g for g in model(data).glyphs() if round(g.y) == y and not g.is_blank]
    return min(g.x for g in inked), max(g.x + g.ink_width for g in inked)


def anchor(data: bytes, text: str) -> str:
    return next(target.anchor for target in known_in(data) if text in target.text)


def test_a_date_at_the_right_edge_grows_to_the_left() -> None:
    right = ends(pdf(PROSE), 138)[1]
    date = f"BT /F1 10 Tf {right - 6 * HELVETICA - 5.56:.2f} 220 Td (3.7.2024) Tj ET".encode()
    before = pdf(PROSE + date)
    after = edited(before, ReplaceText(anchor(before, "3.7.2024"), "3.7", "13.7"))
    assert rows(after)[220] == "13.7.2024"
    assert ends(after, 220)[1] == pytest.approx(ends(before, 220)[1], abs=0.01)


def test_a_number_that_fills_its_cell_on_the_right_grows_to_the_left() -> None:
    cell = b"40 190 60 20 re S BT /F1 10 Tf 80 196 Td (850) Tj ET"
    before = pdf(PROSE + cell)
    after = edited(before, ReplaceText(anchor(before, "850"), "850", "12850"))
    assert rows(after)[196] == "12850"
    assert ends(after, 196)[1] == pytest.approx(ends(before, 196)[1], abs=0.01)


def test_what_stands_behind_a_tab_stop_keeps_the_edge_of_the_lines_around_it() -> None:
    right = ends(pdf(PROSE), 138)[1]
    gap = (right - HELVETICA - 20 - 34.45) * 100
    before = pdf(PROSE + b"BT /F1 10 Tf 20 180 Td [(Repairs) %d (3)] TJ ET" % -gap)
    name = anchor(before, "Repairs")
    edge = ends(before, 180)[1]
    for old, new in (("3", "13"), ("Repairs", "Repairs of roofs")):
        after = edited(before, ReplaceText(name, old, new))
        assert ends(after, 180)[1] == pytest.approx(edge, abs=0.01)


def test_what_does_not_fit_a_cell_is_refused_with_the_width_of_the_cell() -> None:
    cell = b"80 190 20 20 re S BT /F1 10 Tf 82 196 Td (850) Tj ET"
    before = pdf(PROSE + cell)
    with pytest.raises(RefusedError, match=r"does not fit its place on page 1 \(\d\d pt\)"):
        edited(before, ReplaceText(anchor(before, "850"), "850", "12850000"))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("docling-parse__font_04.pdf", "3,850", "13,850"),
        ("pdfplumber__issue-33-lorem-ipsum.pdf", "0.43", "10.43"),
        ("pypdf__outlines-with-invalid-destinations.pdf", "2 Bar 2", "2 Bar 21"),
    ],
)
def test_a_digit_more_stays_on_its_line(corpus: Path, name: str, old: str, new: str) -> None:
    path = corpus / "fresh" / "pdf" / name
    if not path.exists():
        pytest.skip("the file is not here")
    before = path.read_bytes()
    target = next(target for target in known_in(before) if old in target.text)
    after = edited(before, ReplaceText(target.anchor, old, new))
    levels = [{round(g.y, 1) for g in model(d, target.page).glyphs()} for d in (before, after)]
    assert levels[0] == levels[1]


def test_the_widest_line_of_a_page_grows_as_far_as_the_other_margin() -> None:
    before = pdf(
        b"BT /F1 10 Tf 20 250 Td (Page 1 before the picture) Tj"
        b" 0 -20 Td (This text stands here before the image.) Tj ET"
    )
    after = edited(before, ReplaceText("p1.b2", "before", "before and not behind"))
    assert list(rows(after).values()) == [
        "Page 1 before the picture",
        "This text stands here before and not behind the image.",
    ]
