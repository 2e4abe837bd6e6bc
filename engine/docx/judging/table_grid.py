"""The grid of a table on one side of our marks: the judge's own eyes.

A column is gone when only cells stood over it that are gone. It shares no code with the grid that
the writer uses (`engine.docx.grid`), and must not.

[x] gridSpan, and the wider one of a pending change  [x] gridBefore  [x] rows and cells in controls
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from redraft.engine.docx.names import W_TC, W_TR, Element, W

_AROUND: Final = frozenset(map(W, ("sdt", "sdtContent", "customXml")))
_CHANGE: Final = W("tblGridChange")
_COLUMN: Final = W("gridCol")
_SPAN: Final = W("gridSpan")
_FORMER: Final = f"{W('tcPrChange')}/{W('tcPr')}"
_MOST: Final = 1000


def columns(
    grid: Element,
    table: Element,
    is_ours: Callable[[Element | None], bool],
    gone: tuple[str, str],
    *,
    is_final: bool,
) -> list[Element]:
    """What is left of the grid of a table: columns, and another author's record of it.

    Args:
        grid: The `w:tblGrid`.
        table: Its table as it stands in the file.
        is_ours: Whether a mark, if there is one, is ours.
        gone: The marks by which rows and by which cells are not there on this side.
        is_final: The side on which ours are accepted.
    """
    change = grid.find(_CHANGE)
    elements = list(grid)
    if change is not None and is_ours(change):
        elements.remove(change)
        if not is_final:
            elements = change.findall(f"{W('tblGrid')}/{_COLUMN}")
    lost = _lost(table, is_ours, *gone)
    standing = [column for column in elements if column.tag == _COLUMN]
    taken = {column for index, column in enumerate(standing) if index in lost}
    return [column for column in elements if column not in taken]


def _lost(
    table: Element, is_ours: Callable[[Element | None], bool], row_gone: str, cell_gone: str
) -> set[int]:
    """The columns, counted from 0, that go with their cells."""
    lost: set[int] = set()
    kept: set[int] = set()
    for row in _flat(table, W_TR):
        properties = row.find(W("trPr"))
        if properties is not None and is_ours(properties.find(row_gone)):
            continue
        at = _whole(properties, W("gridBefore"), 0)
        for cell in _flat(row, W_TC):
            own = cell.find(W("tcPr"))
            former = None if own is None else own.find(_FORMER)
            now = _whole(own, _SPAN, 1)
            was = now if former is None else _whole(former, _SPAN, 1)
            here = range(at, at + max(now, was))
            at = here.stop
            if own is not None and is_ours(own.find(cell_gone)):
                lost.update(here)
            elif now == was:
                kept.update(here)
    return lost - kept


def _flat(element: Element, tag: str) -> list[Element]:
    """The rows of a table or the cells of a row, through the wrappers around them."""
    elements: list[Element] = []
    for child in element:
        if child.tag == tag:
            elements.append(child)
        elif child.tag in _AROUND:
            elements += _flat(child, tag)
    return elements


def _whole(properties: Element | None, tag: str, least: int) -> int:
    child = None if properties is None else properties.find(tag)
    said = "" if child is None else child.get(W("val"), "")
    return min(max(int(said), least), _MOST) if said.isdecimal() else least
