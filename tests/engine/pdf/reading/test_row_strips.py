from __future__ import annotations

import pytest

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.layout import Box, Line, Span
from redraft.engine.pdf.reading.row_strips import rows, strips
from tests.engine.pdf.paper import group, line

COLUMNS = ((50, 100), (120, 200))


def drawn(*baselines: tuple[float, str, str]) -> list[list[str]]:
    """Give the rows that words in two columns make, cells of several lines joined by a slash."""
    lines = [
        line(x, y, words)
        for y, left, right in baselines
        for x, words in ((50, left), (120, right))
        if words
    ]
    made = rows(strips([group(*lines)]), COLUMNS)
    return [["/".join(each.text for each in row.get(n, ())) for n in (0, 1)] for row in made]


def test_lines_of_one_baseline_are_one_strip_whatever_group_they_stand_in() -> None:
    found = strips([group(line(50, 100, "a"), line(50, 120, "c")), group(line(120, 101, "b"))])
    assert [[cell.text for cell in strip.cells] for strip in found] == [["a", "b"], ["c"]]


@pytest.mark.parametrize(("gap", "cells"), [(9, ["a", "b"]), (7, ["a\tb"])])
def test_a_line_is_parted_where_a_gap_is_nearly_as_wide_as_its_type_is_high(
    gap: float, cells: list[str]
) -> None:
    left, right = line(50, 100, "a"), line(55 + gap, 100, "b")
    between = Span("\t", Box(55, 100, 55 + gap, 110), 10)
    whole = Line(Box(50, 100, 60 + gap, 110), (*left.spans, between, *right.spans))
    (strip,) = strips([group(whole)])
    assert [cell.text for cell in strip.cells] == cells


@pytest.mark.parametrize(
    ("baselines", "made"),
    [
        pytest.param(
            [(100, "Login", "A user signs in"), (112, "", "with a name"), (124, "Out", "Gone")],
            [["Login", "A user signs in/with a name"], ["Out", "Gone"]],
            id="a line below in one column goes on",
        ),
        pytest.param(
            [(100, "Trail of", "Who changes what"), (112, "changes", "is written down")],
            [["Trail of/changes", "Who changes what/is written down"]],
            id="all columns go on",
        ),
        pytest.param(
            [(100, "Alpha", "A user signs in"), (112, "Betas", "Another signs up")],
            [["Alpha", "A user signs in"], ["Betas", "Another signs up"]],
            id="what begins in capitals in all columns is a row",
        ),
        pytest.param(
            [(100, "Alpha", "A user"), (112, "", "goes")],
            [["Alpha", "A user"], ["", "goes"]],
            id="a word that had room above was not broken off",
        ),
        pytest.param(
            [(100, "Alpha", "A user signs in"), (130, "", "with a name")],
            [["Alpha", "A user signs in"], ["", "with a name"]],
            id="what stands far below is a row",
        ),
        pytest.param(
            [(100, "2,000,000", "1,000,000,000"), (112, "3,000,000", "4,000,000,000")],
            [["2,000,000", "1,000,000,000"], ["3,000,000", "4,000,000,000"]],
            id="numbers never go on",
        ),
        pytest.param(
            [(100, "void back", "move to something"), (112, "void over", "line to something")],
            [["void back", "move to something"], ["void over", "line to something"]],
            id="small letters say nothing where rows begin with them",
        ),
    ],
)
def test_lines_become_rows(baselines: list[tuple[float, str, str]], made: list[list[str]]) -> None:
    # The last row gives the distance of lines.
    far = [(400, "x", "y"), (412, "X", "Y")]
    assert drawn(*baselines, *far)[: len(made)] == made


def test_what_is_below_a_bold_head_is_no_line_of_it() -> None:
    found = [
        group(
            *(
                line(x, 100, word, marks=Mark.BOLD)
                for x, word in ((50, "Full of"), (120, "Of a long thing"))
            )
        ),
        group(line(50, 112, "names for it"), line(120, 112, "numbers all over")),
    ]
    assert len(rows(strips(found), COLUMNS)) == 2
