"""Running headers and footers are what stands apart at the edges of pages and comes back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest

from redraft.engine.pdf.reading.furniture import without_furniture
from redraft.engine.pdf.reading.layout import Group, Line, Page
from tests.engine.pdf.paper import group, line

HEIGHT = 800.0
CLAUSES = count(1)


def pages(*drawn: Sequence[tuple[float, float, str]]) -> tuple[Page, ...]:
    """Make pages of lines by place, each line a group of its own."""
    return tuple(
        Page(number, 600, HEIGHT, tuple(group(line(*each)) for each in lines))
        for number, lines in enumerate(drawn, 1)
    )


def text(start: float = 100, rows: int = 8) -> list[tuple[float, float, str]]:
    """Make a text whose lines never say the same."""
    return [(72, start + 14 * n, f"Clause {next(CLAUSES)} says so.") for n in range(rows)]


def _lines(groups: tuple[Group, ...]) -> list[Line]:
    return [each for held in groups for each in held.lines]


def dropped(found: tuple[Page, ...]) -> list[str]:
    kept = {id(each) for page in without_furniture(found).pages for each in _lines(page.groups)}
    return [each.text for page in found for each in _lines(page.groups) if id(each) not in kept]


@pytest.mark.parametrize(
    "words",
    [
        ("Draft of the lease",) * 3,
        ("Page 1 of 3", "Page 2 of 3", "Page 3 of 3"),
        ("- 5 -", "- 6 -", "- 7 -"),
        ("iv", "v", "vi"),
        ("Rev. 7, page 12", "Rev. 7, page 13", "Rev. 7, page 14"),
    ],
)
def test_a_line_that_comes_back_is_a_running_one(words: tuple[str, ...]) -> None:
    found = pages(*([(72, 30, each), *text()] for each in words))
    assert dropped(found) == list(words)
    assert [each.text for each in without_furniture(found).running] == list(words)


def test_two_pages_must_both_carry_it() -> None:
    both = pages([(72, 30, "Draft"), *text()], [(72, 30, "Draft"), *text()])
    assert dropped(both) == ["Draft", "Draft"]
    assert dropped(pages([(72, 30, "Draft"), *text()], text())) == []


def test_numbers_that_do_not_count_the_pages_are_no_page_numbers() -> None:
    """They stand apart at the foot of each page, but beside words that are not the same."""
    sums = ("Rent", "7"), ("Water", "19"), ("Heat", "4")
    found = pages(*([*text(), (72, 760, name), (300, 760, value)] for name, value in sums))
    assert dropped(found) == []


def test_the_rows_of_a_table_at_the_edges_of_its_pages_are_no_running_lines() -> None:
    """Every row says what the others say, with another number; every third page begins with 7."""
    found = pages(
        *(
            [
                cell
                for row in range(52)
                for cell in (
                    (72, 30 + 14 * row, "Row"),
                    (200, 30 + 14 * row, str(7 if not row else 52 * page + row)),
                    (300, 30 + 14 * row, "yes"),
                )
            ]
            for page in range(4)
        )
    )
    assert dropped(found) == []


def test_a_number_of_a_table_is_kept_where_page_numbers_stand_below_it() -> None:
    found = pages(
        *(
            [*((72, 40 + 14 * row, f"{60 * n + row}") for row in range(50)), (290, 780, str(n))]
            for n in (1, 2, 3)
        )
    )
    assert dropped(found) == ["1", "2", "3"]


def test_a_line_that_stands_apart_on_most_pages_is_a_running_one_on_all() -> None:
    """On the second page the text comes down to the footer."""
    foot = [(72.0, 770.0, f"Page {n}") for n in (1, 2, 3)]
    full = text(start=770 - 14 * 8)
    found = pages([*text(), foot[0]], [*full, foot[1]], [*text(), foot[2]])
    assert dropped(found) == ["Page 1", "Page 2", "Page 3"]


def test_words_at_one_place_of_all_pages_are_running_though_the_text_is_close() -> None:
    found = pages(*([(72, 30, "Lease of the mill"), *text(start=42)] for _ in range(3)))
    assert dropped(found) == ["Lease of the mill"] * 3


def test_a_word_of_a_cell_at_one_place_of_all_pages_is_kept() -> None:
    found = pages(*([(72, 30, "open"), *text(start=42)] for _ in range(3)))
    assert dropped(found) == []
