from __future__ import annotations

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.plan import DeleteBlocks, ReplaceText
from tests.engine.pdf.stream.streams import model, pdf
from tests.engine.pdf.test_apply import edited, texts

LINES = ("A notice that is drawn once more", "over itself, so that it looks bold.")


def twice(offset: float) -> bytes:
    once = b" ".join(
        b"BT /F1 10 Tf 1 0 0 1 %g %g Tm (%s) Tj ET" % (20 + shift, 250 - 12 * row, text.encode())
        for shift in (0.0, offset)
        for row, text in enumerate(LINES)
    )
    return pdf(once + b" BT /F1 10 Tf 20 180 Td (A little moon is plain.) Tj ET")


@pytest.mark.parametrize("offset", [0.0, 0.3, 0.6])
def test_text_that_is_drawn_twice_is_read_once(offset: float) -> None:
    assert texts(twice(offset)) == [" ".join(LINES), "A little moon is plain."]


def test_an_edit_changes_both_drawings_and_none_of_the_old_words_is_left() -> None:
    after, _ = edited(twice(0.3), ReplaceText("p1.b1", "notice", "warning"))
    assert texts(after)[0] == " ".join(LINES).replace("notice", "warning")
    drawn = "".join(glyph.text for glyph in model(after).glyphs())
    assert (drawn.count("warning"), drawn.count("notice")) == (2, 0)
    starts = [glyph.x for glyph in model(after).glyphs() if glyph.text == "w" and glyph.y == 250]
    assert sorted(starts)[1] - sorted(starts)[0] == pytest.approx(0.3, abs=0.01)


def test_what_follows_text_that_is_drawn_twice_is_not_torn_apart() -> None:
    with pytest.raises(RefusedError, match="drawn twice to look bold"):
        edited(twice(0.3), DeleteBlocks("p1.b1", "p1.b1", close_up=True))
