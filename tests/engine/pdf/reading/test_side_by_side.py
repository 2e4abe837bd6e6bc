from __future__ import annotations

import pytest

from redraft.engine.pdf.reading.layout import Box, Line, Span, around
from redraft.engine.pdf.reading.side_by_side import parted
from tests.engine.pdf.paper import group, line, paper
from tests.engine.pdf.test_reader import said


def row(y: float, *words: str, gap: float = 25) -> Line:
    """A line of words with tab stops between them, each so wide."""
    spans: list[Span] = []
    x = 20.0
    for word in words:
        if spans:
            spans.append(Span("\t", Box(x, y, x + gap, y + 10), 10))
            x += gap
        spans.append(*line(x, y, word).spans)
        x = spans[-1].box.x1
    return Line(around(span.box for span in spans), tuple(spans))


def found(*lines: Line) -> list[str]:
    return [each.text for made in parted([group(*lines)], 842) for each in made.lines]


@pytest.mark.parametrize("y", [10, 820])
def test_what_stands_side_by_side_at_an_edge_of_the_page_is_apart(y: float) -> None:
    prose = line(20, 400, "Words of the page")
    lines = sorted((row(y, "A title", "An address", "3"), prose), key=lambda each: each.box.y0)
    assert sorted(found(*lines)) == sorted(["A title", "An address", "3", "Words of the page"])


@pytest.mark.parametrize(
    ("first", "below"),
    [
        (row(400, "A title", "An address"), line(20, 600, "far")),
        (row(10, "A title", "An address", gap=15), line(20, 600, "far")),
        (row(10, "A title", "An address"), line(20, 28, "near")),
        (row(10, "1.", "The number of a paragraph"), line(20, 600, "far")),
        (row(10, "\u2022", "The bullet of a list"), line(20, 600, "far")),
        (row(10, "Author:", "Ann Lee"), line(20, 600, "far")),
    ],
    ids=["in the page", "a blank", "next to the text", "a number", "a bullet", "a name"],
)
def test_another_line_with_a_gap_stays_one(first: Line, below: Line) -> None:
    assert found(first, below) == [first.text, below.text]


def test_the_lines_before_and_after_stay_together() -> None:
    made = parted([group(row(5, "a" * 9, "b" * 9), line(20, 80, "c"), line(20, 92, "d"))], 842)
    assert [[each.text for each in held.lines] for held in made] == [
        ["a" * 9],
        ["b" * 9],
        ["c", "d"],
    ]


def test_the_printed_head_of_a_page_is_read_as_two_blocks() -> None:
    drawn = paper().text(10, 16, "A title of the printed page").text(300, 16, "https://a.example/")
    blocks = drawn.text(60, 100, "Words of the page.").read().body.blocks
    texts = ["A title of the printed page", "https://a.example/", "Words of the page."]
    assert [said(block) for block in blocks] == texts


def columns(both: Line) -> list[tuple[str, ...]]:
    left = [line(20, 100 + 12 * n, "words of the left column") for n in range(5)]
    right = [line(220, 106 + 12 * n, "words of the right column") for n in range(5)]
    mixed = [each for pair in zip(left, right, strict=True) for each in pair]
    made = parted([group(*mixed), group(both)], 842)
    return [tuple(each.text for each in held.lines) for held in made]


def test_columns_whose_lines_were_taken_for_one_by_their_level_are_two() -> None:
    both = row(170, "the left one ends as so", "the right one goes on so", gap=85)
    left, right, *last = columns(both)
    assert left == ("words of the left column",) * 5
    assert right == ("words of the right column",) * 5
    assert last == [("the left one ends as so",), ("the right one goes on so",)]


def test_a_row_of_more_cells_leaves_the_columns_as_they_are() -> None:
    cells = row(170, "12", "13", "14", "15", gap=60)
    assert columns(cells)[-1] == ("12\t13\t14\t15",)
