"""A page is read in columns where prose stands in columns, and row by row elsewhere."""

from __future__ import annotations

import pytest

from redraft.engine.pdf.reading.layout import Box, Group, around
from redraft.engine.pdf.reading.reading_order import columns, in_reading_order
from tests.engine.pdf.paper import line


def paragraph(name: str, x: float, y: float, rows: int = 4) -> Group:
    """Make a paragraph of 150 points, from the top left; its lines begin with its name."""
    lines = tuple(
        line(x, y + 12 * n, f"{name} says in every line what it says") for n in range(rows)
    )
    return Group(around(each.box for each in lines), lines)


def bar(name: str, y: float) -> Group:
    """Make a line over the whole width."""
    return Group(Box(50, y, 550, y + 10), (line(50, y, name),))


def names(items: list[Group]) -> list[str]:
    return [item.lines[0].text.split()[0] for item in items]


def test_the_left_column_is_read_before_the_right_one() -> None:
    items = [paragraph("B", 330, 100), paragraph("A", 50, 100), paragraph("C", 330, 200)]
    assert names(in_reading_order(items)) == ["A", "B", "C"]
    assert [names(held) for held in columns(items)] == [[], ["A"], ["B", "C"]]


def test_what_crosses_the_gutter_parts_the_page_into_sections() -> None:
    items = [
        paragraph("D", 330, 300),
        bar("Second part of the paper", 280),
        paragraph("B", 330, 100),
        bar("First part of the paper", 80),
        paragraph("C", 50, 300),
        paragraph("A", 50, 100),
    ]
    assert names(in_reading_order(items)) == ["First", "A", "B", "Second", "C", "D"]


def test_items_are_not_compared_with_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups are equal if all of their lines are: for each pair of a page that takes long."""

    def compared(one: Group, other: object) -> bool:
        raise AssertionError(one, other)

    monkeypatch.setattr(Group, "__eq__", compared)
    items = [paragraph(f"P{x}-{y}", x, y) for y in range(60, 700, 60) for x in (330, 50)]
    items.append(bar("Across the page", 40))
    read = in_reading_order(items)
    assert names(read)[:3] == ["Across", "P50-60", "P50-120"]
    assert sum(len(held) for held in columns(items)) == len(items)


def test_three_columns_of_lines_that_stand_far_apart_are_read_one_after_the_other() -> None:
    items = [
        Group(one.box, (one,))
        for row in range(5)
        for column, name in enumerate("ABC")
        for one in (line(40 + 180 * column, 100 + 22 * row, f"{name}{row} goes on and on and on"),)
    ]
    assert names(in_reading_order(items)) == [f"{name}{row}" for name in "ABC" for row in range(5)]
