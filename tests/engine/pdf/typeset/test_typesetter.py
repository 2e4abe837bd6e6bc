"""How the lines of a paragraph are set anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.fonts.fonts import Font
from redraft.engine.pdf.glyphs.edited_words import Word, old, squeezed
from redraft.engine.pdf.typeset.measuring import tightest_blank
from redraft.engine.plan import EditPlan, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=False)
LEFT, WIDE, SIZE = 20.0, 200.0, 10.0
FIRST = (
    "The committee has found that all of it is in",
    "the best of hands, and that nothing at all was,",
    "for all one knows, taken out of the old house.",
    "Its members were told of the matter at once and",
    "had no more to say of it.",
)


def length(text: str) -> float:
    import pymupdf

    font: Any = pymupdf.Font("helv")
    return float(font.text_length(text, SIZE))


def justified(lines: tuple[str, ...], hanging: float = 0.0) -> bytes:
    """Set lines to one width but for the last; so much of a mark at an end hangs over the edge."""
    parts = [f"BT /F1 {SIZE} Tf 12 TL {LEFT} 250 Td"]
    for line in lines:
        over = hanging * length(line[-1]) if line[-1] in ".,-" else 0.0
        blank = (WIDE + over - length(line)) / line.count(" ") if line is not lines[-1] else 0.0
        parts.append(f"{blank:.5f} Tw ({line}) Tj T*")
    below = "ET BT /F2 14 Tf 20 182 Td (A heading right below) Tj ET"
    return pdf(" ".join([*parts, below]).encode("ascii"))


def ends(data: bytes) -> dict[float, float]:
    """Where the lines end, by their baselines, from the top down."""
    found: dict[float, float] = {}
    for glyph in model(data).glyphs():
        if not glyph.is_blank:
            found[round(glyph.y, 1)] = max(found.get(glyph.y, 0.0), glyph.x + glyph.ink_width)
    return dict(sorted(found.items(), reverse=True))


def replaced(data: bytes, find: str, new: str) -> tuple[bytes, tuple[str, ...]]:
    edited, report = apply(data, EditPlan("edit", "", (ReplaceText("p1.b1", find, new),)), BY_ANN)
    return edited, report.warnings


@pytest.mark.parametrize("hanging", [0.0, 0.7])
def test_a_justified_paragraph_stays_so_though_marks_hang_over_its_edge(hanging: float) -> None:
    data = justified(FIRST, hanging)
    assert max(ends(data).values()) - LEFT - WIDE == pytest.approx(hanging * 2.78, abs=0.1)
    edited, _ = replaced(data, "has found", "found")
    first, second, third, *_ = ends(edited).values()
    assert first == pytest.approx(LEFT + WIDE, abs=0.4)
    assert all(abs(each - LEFT - WIDE) < 2.5 for each in (second, third))


def test_the_last_line_does_not_run_over_the_edge() -> None:
    lines = (*FIRST[:4], "had no more to say of any of it to most men")
    assert WIDE - 15 < length(lines[-1]) < WIDE
    edited, warnings = replaced(justified(lines), "to say of any", "to speak of any")
    assert not warnings
    last = list(ends(edited).values())[4]
    assert length("had no more to speak of any of it to most men") > WIDE
    assert last <= LEFT + WIDE + 0.4


def word() -> Word:
    glyphs = list(model(pdf(b"BT /F1 10 Tf 20 250 Td (word) Tj ET")).glyphs())
    return Word([old(glyph) for glyph in glyphs])


def test_what_is_made_narrower_twice_is_narrower_by_both() -> None:
    narrow = squeezed(squeezed(replace(word(), hyphen=word().atoms[0]), 0.9), 0.9)
    assert narrow.hyphen is not None
    for atom in (*narrow.atoms, narrow.hyphen):
        assert atom.voice.squeeze == pytest.approx(0.81)


def test_blanks_that_are_read_from_gaps_stay_wide_enough_to_be_read() -> None:
    own = word()
    assert tightest_blank([own], 10.0, 2.5) == pytest.approx(0.6)
    bare = Font("Bare", "simple", {}, {})
    gone = [replace(atom, voice=replace(atom.voice, font=bare)) for atom in word().atoms]
    assert tightest_blank([own, replace(own, atoms=gone)], 10.0, 2.5) == pytest.approx(0.68)
    assert tightest_blank([own, replace(own, atoms=gone)], 10.0, 1.0) == pytest.approx(1.0)
