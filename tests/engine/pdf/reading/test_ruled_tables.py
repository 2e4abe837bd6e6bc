from __future__ import annotations

from redraft.engine.pdf.reading.layout import Box, Line, Span, around
from redraft.engine.pdf.reading.ruled_tables import Grid, find_grids
from tests.engine.pdf.paper import group, line, page


def frame(xs: tuple[float, ...], ys: tuple[float, ...]) -> tuple[Box, ...]:
    """Rules of a full grid."""
    flat = [Box(xs[0], y, xs[-1], y) for y in ys]
    return (*flat, *(Box(x, ys[0], x, ys[-1]) for x in xs))


def texts(grid: Grid) -> list[str]:
    return [" ".join(held.text.strip() for held in cell.lines) for cell in grid.cells]


def joined(*spans: tuple[float, str]) -> Line:
    """One line over several cells, as a page's stream often has it."""
    made = tuple(span for x, text in spans for span in line(x, 102, text).spans)
    return Line(around(span.box for span in made), made)


def test_a_line_over_several_cells_is_parted_between_them() -> None:
    found = page(
        group(joined((60, "one "), (110, "two ")), line(60, 122, "three")),
        rules=frame((50, 100, 150), (100, 120, 140)),
    )
    (grid,), rest = find_grids(found)
    assert texts(grid) == ["one", "two", "three", ""]
    assert rest == []


def test_what_stands_beside_a_table_on_the_same_line_stays_outside() -> None:
    found = page(
        group(joined((60, "one "), (200, "beside")), line(60, 122, "two")),
        rules=frame((50, 100, 150), (100, 120, 140)),
    )
    (grid,), rest = find_grids(found)
    assert texts(grid) == ["one", "", "two", ""]
    assert [held.text for left in rest for held in left.lines] == ["beside"]


def test_a_border_that_is_missing_joins_cells_over_columns_and_rows() -> None:
    rules = (
        *(Box(50, y, 150, y) for y in (100, 160)),
        Box(100, 120, 150, 120),
        Box(50, 140, 150, 140),
        *(Box(x, 100, x, 160) for x in (50, 150)),
        Box(100, 100, 100, 140),
    )
    text = group(line(60, 102, "a"), line(110, 102, "b"), line(110, 122, "c"), line(60, 142, "d"))
    (grid,), _ = find_grids(page(text, rules=rules))
    spans = [(c.row, c.column, c.row_span, c.column_span) for c in grid.cells]
    assert spans == [(0, 0, 2, 1), (0, 1, 1, 1), (1, 1, 1, 1), (2, 0, 1, 2)]
    assert texts(grid) == ["a", "b", "c", "d"]


def test_rules_that_part_no_cells_make_no_rows() -> None:
    rules = (*frame((50, 100), (100, 120, 140)), Box(30, 130, 50, 130))
    (grid,), _ = find_grids(page(group(line(60, 102, "a"), line(60, 122, "b")), rules=rules))
    assert (grid.rows, grid.columns) == (2, 1)


def test_a_frame_around_one_text_is_no_table() -> None:
    found = page(group(line(60, 102, "a")), rules=frame((50, 150), (100, 140)))
    assert find_grids(found) == ([], [group(line(60, 102, "a"))])


def test_a_span_of_spaces_is_nobody_s() -> None:
    blank = Line(Box(60, 102, 65, 112), (Span(" ", Box(60, 102, 65, 112), 10),))
    rules = frame((50, 100, 150), (100, 120, 140))
    assert find_grids(page(group(blank), rules=rules))[0] == []


def test_a_row_as_thin_as_the_gap_of_a_border_is_none() -> None:
    rules = frame((50, 100, 150), (100, 120, 124, 140))
    text = group(line(60, 102, "a"), line(110, 102, "b"), line(60, 126, "c"))
    (grid,), _ = find_grids(page(text, rules=rules))
    assert (grid.rows, texts(grid)) == (2, ["a", "b", "c", ""])


def test_a_thin_row_takes_nothing_from_the_cell_that_spans_it() -> None:
    rules = (*frame((50, 150), (100, 140)), Box(100, 100, 100, 140))
    rules = (*rules, Box(100, 118, 150, 118), Box(100, 122, 150, 122))
    text = group(line(60, 102, "a"), line(110, 102, "b"), line(110, 124, "c"))
    (grid,), _ = find_grids(page(text, rules=rules))
    assert [(c.row, c.column, c.row_span) for c in grid.cells] == [(0, 0, 2), (0, 1, 1), (1, 1, 1)]


def test_a_chart_is_no_table_for_its_numbers_stand_on_the_lines() -> None:
    numbers = group(*(line(60, y - 5, str(y)) for y in (120, 140, 160)), line(60, 102, "Sales"))
    found = page(numbers, rules=frame((50, 150), (100, 120, 140, 160, 180)))
    assert find_grids(found) == ([], [numbers])


def test_a_table_in_a_cell_stays_in_the_cell() -> None:
    inner = frame((110, 150, 190), (115, 130, 145))
    rules = (*frame((50, 100, 200), (100, 150, 170)), *inner)
    text = group(
        line(60, 102, "a"), line(105, 102, "above"), line(112, 117, "in"), line(112, 132, "side")
    )
    (grid,), rest = find_grids(page(text, rules=rules))
    assert texts(grid) == ["a", "above", "", ""]
    (nested,) = grid.cells[1].grids
    assert (texts(nested), rest) == (["in", "", "side", ""], [])


def test_one_row_of_several_cells_is_a_table() -> None:
    text = group(line(60, 102, "a"), line(110, 102, "b"))
    (grid,), _ = find_grids(page(text, rules=frame((50, 100, 150), (100, 120))))
    assert (grid.rows, texts(grid)) == (1, ["a", "b"])


def boxes(right: float = 150) -> tuple[Box, ...]:
    """Rules of a box, and of one below that begins further to the right."""
    upper = (Box(50, 100, 150, 100), Box(50, 120, 150, 120), Box(50, 100, 50, 120))
    lower = (Box(80, 121, right, 121), Box(80, 160, right, 160), Box(80, 121, 80, 160))
    return (*upper, *lower, Box(150, 100, 150, 120), Box(right, 121, right, 160))


def test_boxes_of_different_width_under_one_another_are_no_table() -> None:
    words = group(line(55, 102, "Tips"), line(85, 125, "one"), line(85, 140, "two"))
    assert find_grids(page(words, rules=boxes())) == ([], [words])
    assert find_grids(page(words, rules=boxes(right=130))) == ([], [words])


def test_boxes_of_one_width_under_one_another_are_a_table_of_one_column() -> None:
    words = group(line(55, 102, "Tips"), line(55, 125, "one"))
    (grid,), _ = find_grids(page(words, rules=frame((50, 150), (100, 120, 140))))
    assert (grid.columns, texts(grid)) == (1, ["Tips", "one"])


def test_an_empty_cell_that_is_ruled_stands_beside_the_others() -> None:
    rules = (*frame((50, 150), (100, 120, 140)), Box(80, 120, 80, 140))
    words = group(line(55, 102, "Tips"), line(85, 122, "one"))
    (grid,), _ = find_grids(page(words, rules=rules))
    assert texts(grid) == ["Tips", "", "one"]


def test_an_empty_cell_at_an_open_side_stands_beside_the_others_between_two_rules() -> None:
    flat = tuple(Box(50, y, 150, y) for y in (100, 120, 140))
    uprights = Box(150, 100, 150, 140), Box(50, 100, 50, 120), Box(80, 120, 80, 140)
    words = group(line(55, 102, "Tips"), line(85, 122, "one"))
    (grid,), _ = find_grids(page(words, rules=(*flat, *uprights)))
    assert texts(grid) == ["Tips", "", "one"]


def test_what_is_only_a_box_is_left_on_the_page_with_what_is_in_it() -> None:
    words = group(line(60, 102, "a"), line(110, 102, "b"))
    found = page(words, rules=frame((50, 100, 150), (100, 120)))
    assert find_grids(found, lambda grid: grid.columns == 2) == ([], [words])
    assert len(find_grids(found, lambda grid: grid.columns == 1)[0]) == 1
