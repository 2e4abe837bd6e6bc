from __future__ import annotations

from engine.model import Paragraph, Text
from engine.pdf.content.lines import pieces
from engine.pdf.content.mapping import Finder, Located
from engine.pdf.content.targets import Target
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


# Two cells of two lines each, so near each other that both lines are one piece.
CELLS = pdf(
    b"BT /F1 10 Tf 20 250 Td [(cholera \\(6\\),) -1400 (without those)] TJ ET"
    b" BT /F1 10 Tf 20 239 Td [(typhus, etc.) -1700 (of the left side)] TJ ET"
)


def test_cells_that_share_their_lines_are_parted_at_the_gap() -> None:
    finder = Finder()
    finder.add(0, pieces(model(CELLS)))
    assert drawn(finder.locate("cholera (6), typhus, etc.", "", 0)) == [
        "cholera (6),",
        "typhus, etc.",
    ]
    assert drawn(finder.locate("without those of the left side", "", 0)) == [
        "without those",
        "of the left side",
    ]


def test_the_second_of_such_cells_is_found_by_itself() -> None:
    finder = Finder()
    finder.add(0, pieces(model(CELLS)))
    assert drawn(finder.locate("without those of the left side", "", 0)) == [
        "without those",
        "of the left side",
    ]


def target(anchor: str, text: str) -> Target:
    return Target(anchor, 0, text, "", Paragraph(anchor, (Text(text),)))


def test_what_begins_a_line_comes_before_what_may_stand_inside_of_one() -> None:
    data = pdf(b"BT /F1 10 Tf 20 250 Td (She lives in Cork now.) Tj ET")
    finder = Finder()
    finder.add(0, pieces(model(data)))
    found = finder.find([target("p1.b1", "Cork"), target("p1.b2", "She lives in Cork now.")])
    assert list(found) == ["p1.b2"]


# The colon of a row of another column is drawn on the second baseline of a paragraph beside it.
COLON = pdf(
    b"BT /F1 10 Tf 60 250 Td (Networks give out the) Tj ET"
    b" BT /F1 10 Tf 50 239 Td (:) Tj ET BT /F1 10 Tf 60 239 Td (addresses of a region.) Tj ET"
)


def test_a_mark_apart_from_a_line_is_not_of_its_block() -> None:
    finder = Finder()
    finder.add(0, pieces(model(COLON)))
    assert drawn(finder.locate("Networks give out the addresses of a region.", "", 0)) == [
        "Networks give out the",
        "addresses of a region.",
    ]


def test_a_mark_that_the_block_has_there_is_its_own() -> None:
    finder = Finder()
    finder.add(0, pieces(model(COLON)))
    assert drawn(finder.locate("Networks give out the : addresses of a region.", "", 0)) == [
        "Networks give out the",
        ":addresses of a region.",
    ]


def test_a_block_goes_on_on_the_next_pages_and_is_not_looked_for_on_all_others() -> None:
    words = (b"Here it begins", b"and goes on", b"until its end")
    finder = Finder()
    for page in range(200):
        drawn_here = words[page] if page < len(words) else b"and goes on until its end"
        data = pdf(b"BT /F1 10 Tf 20 250 Td (%s) Tj ET" % drawn_here)
        finder.add(page, pieces(model(data)))
    found = finder.locate("Here it begins and goes on until its end", "", 0)
    assert found is not None
    assert [row.page for row in found.rows] == [0, 1, 2]
