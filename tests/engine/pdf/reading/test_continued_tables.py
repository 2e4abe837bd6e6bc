from __future__ import annotations

import pytest

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.continued_tables import with_continuations
from redraft.engine.pdf.reading.layout import Box, around
from redraft.engine.pdf.reading.ruled_tables import Grid, GridCell
from tests.engine.pdf.paper import line

XS = (50.0, 150.0, 250.0)
HEAD = ("Name", "Remark")


def grid(page: int, *rows: tuple[str, ...], xs: tuple[float, ...] = XS, ruled: bool = True) -> Grid:
    """A table of one line a row, its head bold where it is the one of these tests."""
    cells: list[GridCell] = []
    for number, row in enumerate(rows):
        marks = Mark.BOLD if row[0].istitle() and row[0].endswith("ame") else Mark.NONE
        for column, text in enumerate(row):
            box = Box(xs[column], 100 + 20 * number, xs[column + 1], 120 + 20 * number)
            lines = (line(box.x0 + 2, box.y0 + 2, text, marks=marks),) if text else ()
            cells.append(GridCell(number, column, 1, 1, box, lines))
    box = around(cell.box for cell in cells)
    return Grid(page, box, len(rows), len(rows[0]), tuple(cells), ruled)


def parts(*items: Grid | str) -> list[tuple[int, int, bool]]:
    """Give page, repeated rows and whether it resumes, of each part of the only table."""
    (whole,) = with_continuations(list(items))
    assert isinstance(whole, Grid)
    return [(part.page, part.repeated, part.resumes) for part in whole.parts]


def test_a_table_on_the_next_page_with_the_same_columns_is_the_same_table() -> None:
    assert parts(grid(1, HEAD, ("a", "b")), grid(2, ("C", "d")), grid(3, ("E", "f"))) == [
        (2, 0, False),
        (3, 0, False),
    ]


def test_a_header_that_is_repeated_is_counted() -> None:
    assert parts(grid(1, HEAD, ("a", "b")), grid(2, HEAD, ("C", "d"))) == [(2, 1, False)]


def test_an_empty_first_row_is_a_header_that_was_read_as_the_pages_own() -> None:
    assert parts(grid(1, HEAD, ("a", "b")), grid(2, ("", ""), ("C", "d"))) == [(2, 1, False)]


@pytest.mark.parametrize(
    ("last", "first", "resumes"),
    [
        (("Ann", "She came early"), ("", "The rest."), True),
        (("Ann", "She came and was"), ("", "the first."), True),
        (("a long line of word", "She came and was so"), ("Over", "friendly to all."), True),
        (("Ann", "She came and was"), ("Bob", "the first."), False),
        (("Ann", "She came."), ("Bob", "He did not."), False),
        (("Ann", ""), ("", "The first."), False),
        (("", "She came"), ("", "He did not."), False),
    ],
)
def test_a_row_goes_on_where_its_first_cell_is_empty_or_a_sentence_is_cut(
    last: tuple[str, ...], first: tuple[str, ...], *, resumes: bool
) -> None:
    assert parts(grid(1, HEAD, last), grid(2, first, ("C", "d"))) == [(2, 0, resumes)]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(grid(3, ("C", "d")), id="a page between"),
        pytest.param(grid(1, ("C", "d")), id="the same page"),
        pytest.param(grid(2, ("C", "d"), xs=(50, 180, 250)), id="other columns"),
        pytest.param(grid(2, ("C", "d", "e"), xs=(*XS, 300)), id="more columns"),
        pytest.param(grid(2, ("C", "d"), ruled=False), id="no rules"),
        pytest.param(grid(2, ("Surname", "Fee"), ("C", "d")), id="a header of its own"),
    ],
)
def test_other_tables_stay_tables_of_their_own(after: Grid) -> None:
    before = grid(1, HEAD, ("a", "b"))
    assert with_continuations([before, after]) == [before, after]


def test_what_stands_between_keeps_tables_apart() -> None:
    items = [grid(1, HEAD, ("a", "b")), "words", grid(2, HEAD, ("C", "d"))]
    assert with_continuations(items) == items


def test_a_repeated_header_tells_the_same_table_though_its_columns_moved() -> None:
    moved = grid(2, HEAD, ("C", "d"), xs=(60, 170, 260))
    assert parts(grid(1, HEAD, ("a", "b")), moved) == [(2, 1, False)]
