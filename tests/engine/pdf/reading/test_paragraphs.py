"""Lines that end on purpose, and gaps between paragraphs, part what a group holds."""

from __future__ import annotations

from redraft.engine.model import Paragraph, Text
from redraft.engine.pdf.reader import read
from redraft.engine.pdf.reading.layout import Line
from redraft.engine.pdf.reading.paragraphs import joined, passages, typography
from tests.engine.pdf.paper import group, line, page, paper

FULL = "and the words of this line go on to the very margin of its column"


def parted(*lines: Line) -> list[str]:
    one = group(*lines)
    ordinary = typography([page(one)])
    return [
        " ".join(row.text.strip() for row in passage.lines)
        for passage in joined(list(passages(one, 1, ordinary)))
    ]


def test_lines_that_are_each_a_sentence_are_paragraphs_of_their_own() -> None:
    lines = [
        line(50, 100 + 12 * row, text)
        for row, text in enumerate(("Time is short.", "Facilitator: Ann Lee.", "Notes are kept."))
    ]
    assert parted(*lines) == ["Time is short.", "Facilitator: Ann Lee.", "Notes are kept."]


def test_full_lines_of_which_one_is_no_sentence_stay_a_paragraph() -> None:
    lines = [
        line(50, 100 + 12 * row, text)
        for row, text in enumerate((f"The first {FULL}.", f"Second {FULL}", "until it ends."))
    ]
    assert len(parted(*lines)) == 1


def test_a_small_gap_after_a_full_line_that_ends_a_sentence_parts_paragraphs() -> None:
    first = [line(50, 100, f"The first {FULL}"), line(50, 111, f"it begins {FULL}.")]
    second = [line(50, 127, f"Another one {FULL}"), line(50, 138, "and ends.")]
    assert len(parted(*first, *second)) == 2
    close = [line(50, 122, f"Another one {FULL}"), line(50, 133, "and ends.")]
    assert len(parted(*first, *close)) == 1


def test_a_gap_where_no_sentence_ends_parts_nothing() -> None:
    first = [line(50, 100, f"The first {FULL}"), line(50, 111, f"it begins {FULL}")]
    assert len(parted(*first, line(50, 127, "which goes on below"))) == 1


def test_an_address_is_read_line_by_line() -> None:
    drawn = paper().page().lines(72, 100, "Sent to us.", "Paid by them.", "Kept by all.")
    document = read(drawn.data())
    (body,) = (story for story in document.stories if story.kind == "body")
    texts = [
        "".join(part.text for part in block.content if isinstance(part, Text))
        for block in body.blocks
        if isinstance(block, Paragraph)
    ]
    assert texts == ["Sent to us.", "Paid by them.", "Kept by all."]
