"""What words mean in the tables of a document: a row, a column, a table, or the words of a cell.

A row is called by all words of one of its cells, by the first cell and what is counted (`instalment
4`), or by some words of a cell; a column by the words at its top; a table by its heading, the line
above it, or a word at the top of one of its columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from redraft.engine.interpreter.commands import Address
from redraft.engine.interpreter.lines import Lines, folded
from redraft.engine.interpreter.outline import stems

Role = Literal["row", "column", "table", "cell"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a table; numbers count from 1, 0 where nothing is said."""

    table: int
    row: int = 0
    column: int = 0

    def joined(self, other: Spot) -> Spot | None:
        """Returns both in one; None where they contradict each other."""
        pairs = ((self.table, other.table), (self.row, other.row), (self.column, other.column))
        if any(a and b and a != b for a, b in pairs):
            return None
        return Spot(*(a or b for a, b in pairs))

    @property
    def address(self) -> Address:
        """The same as an address: the second row of table 1."""
        table = Address("table", (self.table,))
        if self.row and self.column:
            return Address("cell", (self.column,), within=Address("row", (self.row,), within=table))
        if self.row:
            return Address("row", (self.row,), within=table)
        return Address("column", (self.column,), within=table) if self.column else table


@dataclass(frozen=True, slots=True)
class Named:
    """What a stretch of words may mean, all of one role; `is_exact` when they are all it is."""

    role: Role
    spots: frozenset[Spot]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of the body: its number, its cells as names are compared, and what it is called."""

    number: int
    anchor: str
    rows: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]


class Grids:
    """The tables of a document, looked up by words."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    @cached_property
    def all(self) -> tuple[Grid, ...]:
        """The tables of the body in order."""
        tables = [table for table in self._lines.tables if re.match(r"t\d", table.anchor)]
        by_cell: dict[str, list[str]] = {}
        for line in self._lines.lines:
            if line.cell:
                by_cell.setdefault(line.cell, []).append(line.text)
        return tuple(
            Grid(
                number,
                table.anchor,
                tuple(
                    tuple(folded(" ".join(by_cell.get(cell.anchor, ()))) for cell in row.cells)
                    for row in table.rows
                    if not row.is_repeated
                ),
                self._names(table.anchor),
            )
            for number, table in enumerate(tables, 1)
        )

    def _names(self, anchor: str) -> tuple[str, ...]:
        body = self._lines.body
        index = next((at for at, line in enumerate(body) if line.table == anchor), None)
        if index is None:
            return ()
        above = [line for line in body[:index] if line.table or line.text.strip()][-1:]
        names = [line.text for line in above if not line.table and len(line.text) < 120]
        names += [line.text for line in body if line.anchor in body[index].headings[-1:]]
        return tuple(map(folded, names))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all words in tables and their names."""
        texts = [text for grid in self.all for row in grid.rows for text in row]
        texts += [name for grid in self.all for name in grid.names]
        return frozenset(stem for text in texts for stem in stems(text))

    def has(self, text: str) -> bool:
        """Whether each word stands in a table or a name of one."""
        words = stems(folded(text))
        return bool(words) and all(word in self.vocabulary for word in words)

    def cell(self, spot: Spot) -> str:
        """The words of one cell, as names are compared."""
        row = self._grid(spot.table).rows[spot.row - 1]
        return row[spot.column - 1] if spot.column <= len(row) else ""

    def _grid(self, number: int) -> Grid:
        return self.all[number - 1]

    def width(self, number: int) -> int:
        """How many columns the first row of a table has."""
        return len(self._grid(number).rows[0])

    def row_of(self, spot: Spot) -> Sequence[str]:
        """The cells of a row."""
        return self._grid(spot.table).rows[spot.row - 1]

    def height(self, number: int) -> int:
        """How many rows a table has."""
        return len(self._grid(number).rows)

    def named(self, text: str) -> list[Named]:
        """Returns what words may be called, exact names before those that have more words."""
        wanted = folded(text)
        words = frozenset(stems(wanted))
        if not wanted or not self.has(text):
            return []
        exact, partial = self._cells(wanted, words)
        counted = frozenset(self._counted(wanted))
        found: list[Named] = []
        rows = frozenset(Spot(one.table, one.row) for one in exact) | counted
        columns = frozenset(Spot(one.table, 0, one.column) for one in exact if one.row == 1)
        if rows:
            found.append(Named("row", rows, is_exact=True))
            found.append(Named("cell", exact, is_exact=True))
        else:
            found.append(Named("row", frozenset(Spot(p.table, p.row) for p in partial), False))
        if columns:
            found.append(Named("column", columns, is_exact=True))
        else:
            tops = frozenset(Spot(p.table, 0, p.column) for p in partial if p.row == 1)
            found.append(Named("column", tops, is_exact=False))
        found.append(Named("table", self._tables(words), is_exact=False))
        return [one for one in found if one.spots]

    def _cells(self, wanted: str, words: frozenset[str]) -> tuple[frozenset[Spot], frozenset[Spot]]:
        """The cells with exactly these words, and those with these and more."""
        exact: set[Spot] = set()
        partial: set[Spot] = set()
        for grid in self.all:
            for number, row in enumerate(grid.rows, 1):
                for column, text in enumerate(row, 1):
                    if text == wanted:
                        exact.add(Spot(grid.number, number, column))
                    elif words and words <= set(stems(text)):
                        partial.add(Spot(grid.number, number, column))
        return frozenset(exact), frozenset(partial)

    def _counted(self, wanted: str) -> set[Spot]:
        """`instalment 4`: the row whose first cell is the number, in a table that speaks of it."""
        what, _, number = wanted.rpartition(" ")
        if not what or not number.strip(".#").isalnum() or not any(map(str.isdigit, number)):
            return set()
        words = set(stems(what))
        fitting: set[Spot] = set()
        for grid in self.all:
            spoken = {stem for name in (*grid.rows[0], *grid.names) for stem in stems(name)}
            if not words or not words <= spoken:
                continue
            fitting |= {
                Spot(grid.number, at)
                for at, row in enumerate(grid.rows, 1)
                if at > 1 and row and row[0] == number.strip(".#")
            }
        return fitting

    def _tables(self, words: frozenset[str]) -> frozenset[Spot]:
        fitting = [
            grid
            for grid in self.all
            if words and any(words <= set(stems(name)) for name in (*grid.names, *grid.rows[0]))
        ]
        return frozenset(Spot(grid.number) for grid in fitting)
