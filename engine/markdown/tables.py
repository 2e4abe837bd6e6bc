"""Tables as pipe tables: one a table, as many cells in every row, the first row the header."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from redraft.engine.model import Block, Cell, Row, Table


def write_table(
    table: Table, write_cell: Callable[[Cell], str], write_row: Callable[[Row, str], str]
) -> str:
    """Returns a table as a pipe table; empty when it has no cell.

    Args:
        table: Cells that span columns have their text once and blanks behind; merged ones are
            blank.
        write_cell: A cell as one line in which no pipe is bare.
        write_row: Puts the mark of a tracked row around its first cell's text.
    """
    if not table.columns:
        return ""
    rows = [row for row in table.rows if not row.is_repeated]
    lines = [_line(row, table.columns, write_cell, write_row) for row in rows]
    lines.insert(1, "|" + " --- |" * table.columns)
    return "\n".join(lines)


def _line(
    row: Row, columns: int, write_cell: Callable[[Cell], str], write_row: Callable[[Row, str], str]
) -> str:
    texts = [""] * columns
    for cell in row.cells:
        if not cell.continues:
            texts[cell.column] = write_cell(cell)
    if row.change is not None:
        texts = [write_row(row, text) if text else "" for text in texts]
    return "| " + " | ".join(texts) + " |"


def is_wrapper(table: Table) -> bool:
    """Returns whether a table is only a frame around its one cell, and none that came or went."""
    return len(table.rows) == 1 and len(table.rows[0].cells) == 1 and table.rows[0].change is None


def wrapped(table: Table) -> tuple[Block, ...]:
    """Returns the blocks in a frame."""
    return table.rows[0].cells[0].blocks


def flat(rows: Iterable[Iterable[str]]) -> str:
    """Returns a table inside a cell, where no table can stand: `a, b; c, d`."""
    lines = (", ".join(text for text in row if text) for row in rows)
    return "; ".join(line for line in lines if line)
