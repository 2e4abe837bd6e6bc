"""New letters stand on blank ground; lines under words go along with them."""

from __future__ import annotations

import pytest

from redraft.engine.errors import VerificationError
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import EditPlan, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=False)
WORDS = b"BT /F1 10 Tf 20 200 Td (All of it being) Tj 67 0 Td (fully) Tj ET "
UNDERLINED = WORDS + b"20 198.4 84.5 0.6 re f"


def longer(data: bytes) -> bytes:
    return apply(data, EditPlan("edit", "", (ReplaceText("p1.b1", "being", "being it"),)), BY_ANN)[
        0
    ]


def test_new_words_stand_over_the_underline_of_a_gap_which_goes_along() -> None:
    data = longer(pdf(UNDERLINED))
    assert [each.text for each in known_in(data)] == ["All of it being it fully"]
    end = max(glyph.x + glyph.ink_width for glyph in model(data).glyphs())
    lines = [ink.box for ink in model(data).inks]
    assert min(box.x0 for box in lines) == pytest.approx(20, abs=0.5)
    assert max(box.x1 for box in lines) == pytest.approx(end, abs=1.5)


@pytest.mark.parametrize("drawn", [b"81 202.5 4 2 re f", b"83 190 1 20 re f"])
def test_they_cover_nothing_else(drawn: bytes) -> None:
    with pytest.raises(VerificationError, match="would cover something on page 1"):
        longer(pdf(UNDERLINED + b" " + drawn))
