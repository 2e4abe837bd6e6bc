"""Cases 5 to 7: justified text stays in its column, flush on both sides, its words apart."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.engine.pdf import judges
from tests.engine.pdf.acceptance.documents import (
    TWO_COLUMNS,
    block,
    held,
    replaced,
    texts,
)
from tests.engine.pdf.acceptance.typesetting import (
    Column,
    check_set,
    drawn,
    gaps,
    paragraph,
)
from tests.engine.pdf.paper import justified
from tests.engine.pdf.stream.streams import pdf

LEFT, RIGHT = Column(0, 306, 0.25), Column(306, 612, 0.25)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("words", "old", "new", "column"),
    [
        ("Unrestricted Relation Discovery is", "automatically", "rather automatically", RIGHT),
        ("Unrestricted Relation Discovery is", "technique", "well established technique", RIGHT),
        ("Unrestricted Relation Discovery is", "to a certain", "to some", RIGHT),
        ("We are trying", "boundary", "present boundary", LEFT),
    ],
)
def test_cases_5_to_7_justified_text_of_a_real_file_stays_in_its_column(
    corpus: Path, words: str, old: str, new: str, column: Column
) -> None:
    data = held(corpus, TWO_COLUMNS)
    after, _, text = replaced(data, words, old, new)
    assert text in texts(after), "no hyphen is left over inside a line"
    own = (column.left, 0.0, column.right, 800.0)
    assert judges.differences(data, after, 0, [own]) == (0, 0), "the other column"
    before, now = paragraph(data, words, column), paragraph(after, words, column)
    assert check_set(before, now, text, column)


COLUMN = Column(0, 150, 0.278)
SAID = [
    "Dynamic languages such as ours are",
    "very popular for programs on the web,",
    "but they are generally hard to com-",
    "pile well, since their types are not fully",
    "known before they run. Here we show",
    "a method that makes fast machine",
    "code for the loops that are in the mem-",
    "ory of our program. It is in use today.",
]
BESIDE = [
    "A second column stands beside the",
    "first, and says something else in other",
    "words on all days of the year; it must",
    "never move when that one is edit-",
    "ed, not by so much as a point.",
]


def two_columns() -> bytes:
    left = justified(SAID, 24, 280, 116, size=6.5)
    return pdf(left + b"\n" + justified(BESIDE, 160, 280, 116, size=6.5))


@pytest.mark.parametrize(
    ("old", "new", "hyphens"),
    [
        ("Dynamic languages", "Dynamic programming languages", ["mem-"]),
        ("Dynamic languages", "Dynamically typed languages", ["com-", "mem-"]),
        ("languages", "tongues", []),
        ("very ", "", []),
        ("popular", "much liked", ["com-", "mem-"]),
        ("generally", "often", []),
        ("such as ours are", "are", []),
        ("a method", "the way", ["com-"]),
        ("fully", "even", ["com-", "mem-"]),
    ],
)
def test_cases_5_to_7_a_broken_word_is_whole_again_inside_a_line(
    old: str, new: str, hyphens: list[str]
) -> None:
    """It is broken where it was, or not at all; and what stands beside it does not move."""
    data = two_columns()
    after, _, text = replaced(data, "Dynamic", old, new)
    assert text in texts(after)
    assert texts(after)[1] == texts(data)[1]
    assert judges.differences(data, after, 0, [(0.0, 0.0, 150.0, 300.0)]) == (0, 0)
    assert judges.differences(data, after, 0, []) != (0, 0)
    before, now = paragraph(data, "Dynamic", COLUMN), paragraph(after, "Dynamic", COLUMN)
    assert check_set(before, now, text, COLUMN)
    assert [drawn(row)[-4:] for row in now if drawn(row).endswith("-")] == hyphens
    read = judges.read_by_pdfium(after)
    for whole, first in (("compile", "com-"), ("memory", "mem-")):
        assert (whole in read) == (first not in hyphens)
        assert f"{first} " not in read, "a hyphen and a blank inside a line"
        assert f"{first}{whole[3:]}" not in read, "a hyphen inside a line"


def test_the_made_columns_are_justified_and_have_two_broken_words() -> None:
    data = two_columns()
    rows = paragraph(data, "Dynamic", COLUMN)
    assert [drawn(row) for row in rows] == ["".join(line.split()) for line in SAID]
    ends = {round(row[-1].x + row[-1].ink_width) for row in rows[:-1]}
    assert ends == {140}
    assert "hard to compile well" in block(data, "Dynamic").text
    assert "the memory of" in block(data, "Dynamic").text


@pytest.mark.corpus
def test_a_line_that_no_break_fills_is_left_ragged_rather_than_gaping(corpus: Path) -> None:
    """Only a hyphen could fill it, and where a word may be broken is not in the file."""
    data, words = held(corpus, TWO_COLUMNS), "Unrestricted Relation Discovery is"
    after, _, text = replaced(data, words, "a technique", "one")
    assert text in texts(after)
    first, *rest = now = paragraph(after, words, RIGHT)
    assert [drawn(row) for row in rest] == [drawn(row) for row in paragraph(data, words, RIGHT)[1:]]
    (between, within), *_ = gaps(now, text)
    assert len(between) > 3
    assert max(*between, *within) < 1.2 * RIGHT.natural
    assert all(b.x > a.x for a, b in itertools.pairwise(first))
