"""Cells named by their row and column in one breath: "Q4 revenue", "revenue for Q4"."""

from __future__ import annotations

from collections.abc import Collection

from engine.interpreter.lines import Line, Lines, folded
from engine.model import Table

_FILLERS = frozenset({"of", "for", "in", "the", "'s"})


def crossing(anchors: Collection[str], lines: Lines, name: str) -> list[list[Line]]:
    """The cells whose row's and column's heads are together the words of a name.

    Args:
        anchors: The lines that count.
        lines: The document.
        name: Words in either order.

    Returns:
        The lines of each such cell.
    """
    texts = {line.anchor: line for line in lines.lines}
    wanted = sorted(word for word in folded(name).split() if word not in _FILLERS)
    found: list[list[Line]] = []
    for table in lines.tables:
        by_cell: dict[str, list[Line]] = {}
        for line in texts.values():
            if line.table == table.anchor:
                by_cell.setdefault(line.cell, []).append(line)
        for cell in _meeting(table, by_cell, wanted):
            if all(line.anchor in anchors for line in by_cell.get(cell, ())) and cell in by_cell:
                found.append(by_cell[cell])
    return found


def _meeting(table: Table, by_cell: dict[str, list[Line]], wanted: list[str]) -> list[str]:
    def words(cell: str) -> list[str]:
        text = " ".join(line.text for line in by_cell.get(cell, ()))
        return [word for word in folded(text).split() if word not in _FILLERS]

    heads = {cell.column: words(cell.anchor) for cell in table.rows[0].cells}
    return [
        cell.anchor
        for row in table.rows[1:]
        for cell in row.cells[1:]
        if heads.get(cell.column)
        and sorted(words(row.cells[0].anchor) + heads[cell.column]) == wanted
    ]
