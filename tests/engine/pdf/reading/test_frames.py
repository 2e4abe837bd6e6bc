from __future__ import annotations

import pytest

from redraft.engine.pdf.reading.frames import frames
from redraft.engine.pdf.reading.layout import Box


def flats(ys: tuple[float, ...], x0: float = 50, x1: float = 150) -> list[Box]:
    return [Box(x0, y, x1, y) for y in ys]


def uprights(xs: tuple[float, ...], y0: float = 100, y1: float = 140) -> list[Box]:
    return [Box(x, y0, x, y1) for x in xs]


def test_rules_that_cross_make_a_frame_of_their_fields() -> None:
    (frame,) = frames([*flats((100, 120, 140)), *uprights((50, 100, 150))])
    assert (frame.xs, frame.ys, len(frame.cells)) == ((50, 100, 150), (100, 120, 140), 4)
    assert [frame.nearest(*point) for point in ((60, 110), (110, 130), (0, 0), (999, 999))] == [
        0,
        3,
        0,
        3,
    ]


@pytest.mark.parametrize(
    ("rules", "xs", "ys"),
    [
        ([*flats((100, 120, 140)), *uprights((100,))], (50, 100, 150), (100, 120, 140)),
        ([*flats((120,)), *uprights((50, 100, 150))], (50, 100, 150), (100, 120, 140)),
    ],
)
def test_sides_that_no_rule_closes_are_where_the_rules_across_end(
    rules: list[Box], xs: tuple[float, ...], ys: tuple[float, ...]
) -> None:
    (frame,) = frames(rules)
    assert (frame.xs, frame.ys) == (xs, ys)


def test_one_rule_that_runs_out_of_a_frame_opens_no_side() -> None:
    closed = [*flats((100, 120, 140)), *uprights((50, 150))]
    (frame,) = frames([*closed, Box(20, 120, 50, 120)])
    assert frame.xs == (50, 150)


def test_rules_beside_a_frame_are_none_of_its_borders() -> None:
    words_underlined = Box(60, 112, 90, 112)
    (frame,) = frames([*flats((100, 120, 140)), *uprights((50, 100, 150)), words_underlined])
    assert frame.ys == (100, 120, 140)


def test_the_two_strokes_of_a_double_rule_are_one_border() -> None:
    rules = [*flats((100, 102, 120, 140)), *uprights((50, 52, 100, 150))]
    (frame,) = frames(rules)
    assert (frame.xs, frame.ys) == ((50, 100, 150), (100, 120, 140))


def test_a_rule_in_two_pieces_parts_cells_where_they_nearly_meet_too() -> None:
    pieces = [*uprights((100,), 100, 119.8), *uprights((100,), 120.2, 140)]
    (frame,) = frames([*flats((100, 140)), *uprights((50, 150)), *pieces])
    assert [(cell.column, cell.column_span) for cell in frame.cells] == [(0, 1), (1, 1)]


def test_a_frame_in_a_cell_is_a_frame_of_its_own_and_comes_after() -> None:
    inner = [*flats((105, 115, 125), 110, 140), *uprights((110, 125, 140), 105, 125)]
    outer, nested = frames([*inner, *flats((100, 130, 160)), *uprights((50, 100, 150), 100, 160)])
    assert (len(outer.cells), outer.box) == (4, Box(50, 100, 150, 160))
    assert (len(nested.cells), nested.box) == (4, Box(110, 105, 140, 125))


@pytest.mark.parametrize(
    "rules",
    [
        flats((100, 120, 140)),
        [*flats((100, 140)), *uprights((50, 150))],
        [*flats((100, 104)), Box(50, 100, 50, 104), Box(150, 100, 150, 104)],
        [],
    ],
)
def test_rules_that_part_nothing_are_no_frame(rules: list[Box]) -> None:
    assert frames(rules) == []
