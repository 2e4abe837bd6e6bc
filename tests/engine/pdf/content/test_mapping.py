from __future__ import annotations

from engine.pdf.content.lines import pieces
from engine.pdf.content.mapping import Finder, Located
from tests.engine.pdf.content.streams import model, pdf

# Two heads of a table, of two lines each; the second lines stand so close that they are one piece.
HEADS = pdf(
    b"BT /F1 10 Tf 20 250 Td (mAP) Tj 60 0 Td (Inference) Tj ET"
    b" BT /F1 10 Tf 20 239 Td [(\\(0.75\\)) -600 (time) -300 (\\(secs\\))] TJ ET"
)


def drawn(located: Located | None) -> list[str]:
    assert located is not None
    return ["".join(glyph.text for glyph in row.glyphs) for row in located.rows]


def test_a_cell_goes_on_behind_what_the_cell_beside_it_has_taken() -> None:
    finder = Finder()
    finder.add(0, pieces(model(HEADS)))
    assert drawn(finder.locate("mAP (0.75)", "", 0)) == ["mAP", "(0.75)"]
    assert drawn(finder.locate("Inference time (secs)", "", 0)) == ["Inference", "time(secs)"]
