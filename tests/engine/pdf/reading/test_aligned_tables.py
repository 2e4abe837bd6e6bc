from __future__ import annotations

import pytest

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.aligned_tables import find_aligned
from redraft.engine.pdf.reading.layout import Group
from tests.engine.pdf.paper import group, line

Rows = list[list[str]]


def page_of(rows: Rows, xs: tuple[float, ...], *, head: bool = False) -> list[Group]:
    """Draw each cell as a group of its own; the first row bold if it is a head."""
    groups: list[Group] = []
    for number, row in enumerate(rows):
        marks = Mark.BOLD if head and number == 0 else Mark.NONE
        cells = zip(xs, row, strict=True)
        groups += [group(line(x, 100 + 12 * number, t, marks=marks)) for x, t in cells if t]
    return groups


def read(groups: list[Group]) -> list[Rows]:
    grids, _ = find_aligned(groups, 1)
    made: list[Rows] = []
    for grid in grids:
        texts = [" ".join(x.text for x in cell.lines) for cell in grid.cells]
        made.append([texts[n : n + grid.columns] for n in range(0, len(texts), grid.columns)])
    return made


def test_a_cell_of_several_lines_is_one_cell() -> None:
    rows = [
        ["Feature", "Description", "State"],
        ["Login", "A user signs in with a name and", "Done"],
        ["", "password, if they are known.", ""],
        ["Search", "Words are found.", "Open"],
    ]
    whole = "A user signs in with a name and password, if they are known."
    assert read(page_of(rows, (50, 120, 320), head=True)) == [
        [rows[0], ["Login", whole, "Done"], rows[3]]
    ]


def test_the_head_of_numbers_that_are_set_to_the_right_stands_over_them() -> None:
    heads = [["Item", "Fee"]]
    rows = [["Desk", "1,200"], ["Lamp", "30"], ["Chair", "95"], ["Shelf", "7"]]
    groups = page_of(heads, (50, 150))
    for number, (item, fee) in enumerate(rows, start=1):
        y = 100 + 12 * number
        groups += [group(line(50, y, item)), group(line(200 - 5 * len(fee), y, fee))]
    assert read(groups) == [[*heads, *rows]]


def test_a_last_line_that_stands_alone_is_not_of_the_table() -> None:
    rows = [["Desk", "10"], ["Lamp", "20"], ["Chair", "30"], ["End.", ""]]
    groups = page_of(rows, (50, 120))
    grids, rest = find_aligned(groups, 1)
    assert [grid.rows for grid in grids] == [3]
    assert [held.lines[0].text for held in rest] == ["End."]


def test_empty_cells_are_kept_below_a_bold_head() -> None:
    rows = [["Name", "Mon", "Tue", "Wed"], ["Ann", "x", "", ""], ["Bob", "", "", "x"]]
    assert read(page_of(rows, (50, 120, 170, 220), head=True)) == [rows]
    assert read(page_of(rows, (50, 120, 170, 220))) == []


def test_terms_and_long_explanations_are_a_table_when_there_are_many() -> None:
    rows = [[word, "explained in a long line of words that is nearly full"] for word in "ABCDE"]
    assert read(page_of([[f"The {a}", b] for a, b in rows], (50, 120))) == [
        [[f"The {a}", b] for a, b in rows]
    ]
    assert read(page_of([[f"The {a}", b] for a, b in rows[:4]], (50, 120))) == []


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(
            [[str(n), "a note in a long line of words that goes to the end"] for n in range(7, 14)],
            id="numbered notes",
        ),
        pytest.param([["(a)", "first"], ["(b)", "second"], ["(c)", "third"]], id="a list"),
        pytest.param(
            [["One", "....... 1"], ["Two", "....... 2"], ["Six", "...... 3"]], id="leaders"
        ),
        pytest.param([["Desk", "10"], ["Lamp", "20"]], id="two rows"),
    ],
)
def test_labels_leaders_and_few_rows_are_no_table(rows: Rows) -> None:
    assert read(page_of(rows, (50, 120))) == []


def test_lists_in_three_columns_are_no_table() -> None:
    rows = [["Ann", "Dora", "Gerd"], ["Bob", "Emil", "Hans"], ["Cid", "Fred", "Ida"]]
    assert read(page_of(rows, (50, 120, 190))) == []
    assert read(page_of([[*row[:2], "7"] for row in rows], (50, 120, 190))) != []


def test_gaps_in_other_places_right_below_say_that_it_is_no_table() -> None:
    rows = [["Desk", "10", "a1"], ["Lamp", "20", "a2"], ["Chair", "30", "a3"]]
    below = [group(line(50, 136, "Words over the gap of")), group(line(170, 136, "a table"))]
    table = page_of(rows, (50, 90, 140))
    assert read(table) == [rows]
    assert read([*table, *below]) == []


def test_lines_of_prose_half_beside_the_rows_are_not_of_the_table() -> None:
    rows = [["hit", "coast 1"], ["headed", "west 2"], ["swirling", "north 3"], ["was", "hit 4"]]
    table = page_of(rows, (150, 220))
    prose = [group(line(50, 100 + 18 * number, "A line of prose")) for number in range(3)]
    assert read(table) == [rows]
    assert read([*table, *prose]) == []


def test_type_of_another_size_is_not_of_the_table() -> None:
    rows = [["Desk", "10"], ["Lamp", "20"], ["Chair", "30"]]
    title = [group(line(50, 78, "Big", size=20)), group(line(120, 78, "99", size=20))]
    assert read([*title, *page_of(rows, (50, 120))]) == [rows]
