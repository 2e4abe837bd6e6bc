from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.engine.model import Paragraph, Text
from redraft.engine.pdf.glyphs.lines import pieces
from redraft.engine.pdf.glyphs.mapping import Finder, Located
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.reading.layout import Box
from tests.engine.pdf.stream.streams import model, pdf

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


def placed(anchor: str, text: str, *boxes: tuple[float, float, float, float]) -> Target:
    """A block whose lines stand in boxes: points from the top left of a page of 300 x 300."""
    return replace(target(anchor, text), place=tuple(Box(*box) for box in boxes))


def found_in(stream: bytes, *known: Target) -> dict[str, Located]:
    read = model(pdf(stream))
    finder = Finder()
    finder.add(0, pieces(read), read.view)
    return finder.find(known)


# A caption is drawn before the heading that says the same, and is read after it.
TWICE = b"BT /F1 10 Tf 200 150 Td (PDF.js) Tj ET BT /F1 10 Tf 20 250 Td (PDF.js) Tj ET"


def test_equal_words_are_told_by_where_they_are_read() -> None:
    heading = placed("p1.b1", "PDF.js", (20, 40, 60, 54))
    caption = placed("p1.b2", "PDF.js", (200, 140, 240, 154))
    found = found_in(TWICE, heading, caption)
    assert [found[each].rows[0].piece.left for each in ("p1.b1", "p1.b2")] == [20, 200]


def test_words_that_stand_elsewhere_are_not_the_words_of_a_block() -> None:
    field = placed("p1.b1", "PDF.js", (100, 40, 140, 54))
    assert found_in(TWICE, field) == {}


CELLS_OF_MARKS = (
    b"BT /F1 10 Tf 20 250 Td (Rate) Tj 60 0 Td (-) Tj 12 0 Td (5.2) Tj 60 0 Td (-) Tj ET"
)


def test_a_cell_without_letters_is_found_by_its_place() -> None:
    cells = [
        placed("p1.b1.r1.c1.b1", "Rate", (20, 40, 42, 54)),
        placed("p1.b1.r1.c2.b1", "-", (80, 40, 84, 54)),
        placed("p1.b1.r1.c3.b1", "5.2", (92, 40, 106, 54)),
        placed("p1.b1.r1.c4.b1", "-", (152, 40, 156, 54)),
    ]
    found = found_in(CELLS_OF_MARKS, *cells)
    assert [drawn(found[each.anchor]) for each in cells] == [["Rate"], ["-"], ["5.2"], ["-"]]
    assert [round(found[each.anchor].rows[0].glyphs[0].x) for each in cells] == [20, 80, 92, 152]


def test_marks_that_are_not_all_that_a_block_says_are_not_tied_to_it() -> None:
    assert found_in(CELLS_OF_MARKS, placed("p1.b1", "--", (80, 40, 84, 54))) == {}
    assert found_in(CELLS_OF_MARKS, placed("p1.b1", "+", (80, 40, 84, 54))) == {}


@pytest.mark.parametrize(
    ("stream", "left"),
    [
        (b"BT /F1 10 Tf 20 250 Td (-) Tj 8 0 Td (5.2) Tj ET", 28),
        (b"BT /F1 10 Tf 28 250 Td (5.2) Tj 18 0 Td (-) Tj ET", 28),
    ],
)
def test_a_mark_of_the_cell_beside_is_not_of_the_words(stream: bytes, left: int) -> None:
    found = found_in(stream, placed("p1.b1", "5.2", (left, 40, left + 14, 54)))
    assert drawn(found["p1.b1"]) == ["5.2"]


LISTING = b"BT /F3 10 Tf 20 250 Td (<<) Tj 0 -11 Td (/Size 7) Tj 0 -11 Td (>>) Tj ET"


def test_lines_of_nothing_but_marks_are_of_the_block_they_stand_in() -> None:
    boxes = [(20.0, 40.0 + 11 * row, 70.0, 54.0 + 11 * row) for row in range(3)]
    found = found_in(LISTING, placed("p1.b1", "<< /Size 7 >>", *boxes))["p1.b1"]
    assert found.is_whole
    assert drawn(found) == ["<<", "/Size 7", ">>"]


def test_lines_of_other_marks_are_not() -> None:
    boxes = [(20.0, 40.0 + 11 * row, 70.0, 54.0 + 11 * row) for row in range(3)]
    found = found_in(LISTING, placed("p1.b1", "[[ /Size 7 ]]", *boxes))["p1.b1"]
    assert drawn(found) == ["/Size 7"]
    assert [found.glyphs[at] for at in (0, 1, -2, -1)] == [None] * 4


def test_a_mark_is_never_tied_to_a_glyph_that_draws_another() -> None:
    stream = b"BT /F1 10 Tf 20 250 Td (one, two) Tj ET"
    found = found_in(stream, placed("p1.b1", "one) two", (20, 40, 60, 54)))["p1.b1"]
    assert found.glyphs[3] is None


def test_a_line_of_two_cells_is_parted_where_the_cells_are() -> None:
    stream = b"BT /F1 10 Tf 20 250 Td (net worth) Tj ET BT /F1 10 Tf 20 239 Td (loss) Tj ET"
    known = [
        placed("p1.b1", "worth", (37, 40, 62, 54)),
        placed("p1.b2", "net loss", (20, 40, 34, 54), (20, 51, 36, 65)),
    ]
    found = found_in(stream, *known)
    assert [drawn(found[each.anchor]) for each in known] == [["worth"], ["net ", "loss"]]


CELLS_AT = [(20 + 60 * column, 40 + 14 * row) for row in range(3) for column in range(4)]


@settings(max_examples=40, deadline=None)
@given(
    st.permutations(CELLS_AT),
    st.lists(st.sampled_from(["7", "7 7", "-", "7-"]), min_size=12, max_size=12),
)
def test_in_whatever_order_cells_are_drawn_each_has_its_own_glyphs(
    order: list[tuple[int, int]], texts: list[str]
) -> None:
    said = dict(zip(CELLS_AT, texts, strict=True))
    show = b"BT /F3 10 Tf %d %d Td (%b) Tj ET "
    stream = b"".join(show % (x, 290 - y, said[x, y].encode()) for x, y in order)
    cells = {f"p1.b1.r1.c{number}.b1": place for number, place in enumerate(said, start=1)}
    known = [
        placed(anchor, said[x, y], (x, y, x + 6 * len(said[x, y]), y + 12))
        for anchor, (x, y) in cells.items()
    ]
    found = found_in(stream, *known)
    for anchor, (x, y) in cells.items():
        assert found[anchor].is_whole
        (row,) = found[anchor].rows
        assert "".join(glyph.text for glyph in row.glyphs) == said[x, y]
        assert (round(row.glyphs[0].x), round(row.glyphs[0].y)) == (x, 290 - y)
