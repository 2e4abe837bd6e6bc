"""A tagged page as the structure tree orders it, and what on it the tree does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from redraft.engine.pdf.reading.layout import Box, Group, Line, Page, Place
from redraft.engine.pdf.reading.ruled_tables import Grid
from redraft.engine.pdf.tagged.table_elements import TaggedGrids

BORDER: Final = 16.0
"""How far from the words of a table, in points, its rules may be."""


def by_tree(page: Page, tables: TaggedGrids) -> tuple[list[Group | Grid], Page]:
    """Parts a page into what the structure tree orders, in that order, and all else.

    A table is there once, on its first page; its rules, and the header that its later pages repeat,
    are nowhere else.

    Args:
        page: The page.
        tables: The tables of all pages.
    """
    grids = tables.grids
    ordered: list[Group | Grid] = []
    others: list[Group] = []
    seen: set[Place] = set()
    for group in page.groups:
        tag = group.lines[0].tag
        table = tag.cells[0][0] if tag is not None and tag.cells else ()
        if tag is None:
            others.append(group)
        elif table not in grids:
            ordered.append(group)
        elif table not in seen:
            seen.add(table)
            ordered += [grids[table]] if grids[table].page == page.number else []
    parts = [part for place in seen for part in _on_page(grids[place], page.number)]
    shown = {picture.id for part in parts for cell in part.cells for picture in cell.pictures}
    return ordered, replace(
        page,
        groups=tuple(piece for group in others for piece in _left(group, ordered, tables.headers)),
        rules=tuple(rule for rule in page.rules if not any(_is_of(rule, part) for part in parts)),
        pictures=tuple(picture for picture in page.pictures if picture.id not in shown),
    )


def _on_page(grid: Grid, number: int) -> Iterator[Grid]:
    return (part for part in (grid, *grid.parts) if part.page == number)


def _is_of(rule: Box, grid: Grid) -> bool:
    return grid.box.distance(*rule.middle) <= BORDER


def _left(group: Group, ordered: Sequence[Group | Grid], read: set[int]) -> Iterator[Group]:
    """Yields what is left of a group.

    Its lines are parted where they stand beside the text, as the numbers of lines do.
    """
    lines: tuple[Line, ...] = tuple(line for line in group.lines if id(line) not in read)
    box = group.box
    if any(
        ordered_block.box.y0 < box.y1 and ordered_block.box.y1 > box.y0 for ordered_block in ordered
    ):
        yield from (replace(group, box=line.box, lines=(line,)) for line in lines)
    elif lines:
        yield replace(group, lines=lines)
