"""Tables as a plan leaves them: rows and columns come and go, merged cells grow and shrink."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.engine.judge import new_text
from redraft.engine.judge.addresses import Addresses
from redraft.engine.judge.content import Block, Cell, Paragraph, Row, Table
from redraft.engine.plan import DeleteColumn, DeleteRow, InsertColumn, InsertRow, InsertTable


def insert_table(at: Addresses, operation: InsertTable) -> None:
    """Put a table beside a block; short rows are filled with empty cells."""
    width = max((len(row) for row in operation.rows), default=0)
    rows = [
        Row("", [_cell(text, column) for column, text in enumerate(_padded(row, width))])
        for row in operation.rows
    ]
    block = at.block(operation.block)
    beside = block.before if operation.where == "before" else block.after
    beside.append(Block((), "table", content=Table(rows)))


def _padded(texts: Sequence[str], width: int) -> list[str]:
    return [*texts, *[""] * (width - len(texts))]


def _cell(text: str, column: int = 0, span: int = 1, *, is_covered: bool = False) -> Cell:
    paragraph = Block((), "paragraph", content=Paragraph(new_text.read(text)))
    return Cell("", column, span, is_covered, [paragraph])


def insert_row(at: Addresses, operation: InsertRow) -> None:
    """Put a row beside a row, with its layout; it goes on with merges that reach over its place."""
    table, row = at.row(operation.target)
    index = table.rows.index(row)
    above = index if operation.where == "after" else index - 1
    upper = table.rows[above] if above >= 0 else None
    lower = table.rows[above + 1] if above + 1 < len(table.rows) else None
    covered: list[bool] = []
    for cell in row.cells:
        over, under = _at(upper, cell.column), _at(lower, cell.column)
        is_down = over is not None and bool(_down(over)) and under is not None
        covered.append((is_down and _down(under) == "continue") or _is_beside_merged(cell))
    texts = _in_slots(operation.cells, [not each for each in covered])
    cells = [
        _cell(text, cell.column, cell.span, is_covered=hidden)
        for cell, text, hidden in zip(row.cells, texts, covered, strict=True)
    ]
    (row.before if operation.where == "before" else row.after).append(Row("", cells))


def _at(row: Row | None, column: int) -> Cell | None:
    """The cell of a row that begins at a column."""
    return next((c for c in row.cells if c.column == column), None) if row is not None else None


def _down(cell: Cell | None) -> str:
    """The part of a cell in a vertical merge: `restart`, `continue` or empty."""
    return "" if cell is None else cell.merge.partition(" ")[0]


def _is_beside_merged(cell: Cell) -> bool:
    """Whether a cell is merged into the one before it, in the old way."""
    return cell.merge.partition(" ")[2] == "continue"


def _in_slots(texts: Sequence[str], is_free: Sequence[bool]) -> list[str]:
    """One text a place: place by place where those for merged places are empty, else in order."""
    padded = _padded(texts, len(is_free))
    if len(padded) == len(is_free) and not any(
        text.strip() and not free for text, free in zip(padded, is_free, strict=True)
    ):
        return padded
    rest = iter(texts)
    return [next(rest, "") if free else "" for free in is_free]


def delete_row(at: Addresses, operation: DeleteRow) -> None:
    """Take a row away; the cell below takes over a merge that began in it, with its text."""
    table, row = at.row(operation.target)
    row.is_gone = True
    index = table.rows.index(row)
    lower = next((each for each in table.rows[index + 1 :] if not each.is_gone), None)
    for cell in row.cells:
        below = _at(lower, cell.column)
        if _down(cell) == "restart" and below is not None and _down(below) == "continue":
            below.blocks = [Block((), b.kind, content=b.opened()) for b in cell.blocks]
            for block in below.blocks:
                if isinstance(block.content, Paragraph):
                    block.content.shape = None
            below.merge = f"restart {below.merge.partition(' ')[2]}"
            below.is_covered = False


def insert_column(at: Addresses, operation: InsertColumn) -> None:
    """Put a cell into every row, or let a cell grow that stretches over the place."""
    table, row = at.row(operation.target.rpartition(".")[0])
    cell = at.cell(operation.target)
    is_after = operation.where == "after"
    edge = cell.column
    if is_after:
        following = row.cells[row.cells.index(cell) + 1 :]
        edge = cell.end
        for fresh in following:
            if fresh.anchor:
                break
            edge = fresh.end
    texts = _in_slots(operation.cells, [_takes_text(each, edge) for each in table.rows])
    by_row = dict(zip(map(id, table.rows), texts, strict=True))
    for each in table.standing():
        _grow(each, edge, by_row.get(id(each), ""), is_after=is_after)
        _count_columns(each)


def _takes_text(row: Row, edge: int) -> bool:
    crossing = next((c for c in row.cells if c.column <= edge < c.end), None)
    if crossing is not None and crossing.column < edge:
        return False
    left = next((c for c in row.cells if c.end == edge), None)
    is_covered = left is not None and crossing is not None and _is_beside_merged(crossing)
    return (left is not None or crossing is not None) and not is_covered


def _grow(row: Row, edge: int, text: str, *, is_after: bool) -> None:
    crossing = next((c for c in row.cells if c.column <= edge < c.end), None)
    if crossing is not None and crossing.column < edge:
        crossing.span += 1
        return
    left = next((c for c in row.cells if c.end == edge), None)
    if left is None and crossing is None:
        return
    is_covered = left is not None and crossing is not None and _is_beside_merged(crossing)
    index = 0
    if left is not None and (is_after or crossing is None):
        index = row.cells.index(left) + 1
    elif crossing is not None:
        index = row.cells.index(crossing)
    row.cells.insert(index, _cell(text, is_covered=is_covered))


def delete_column(at: Addresses, operation: DeleteColumn) -> None:
    """Take the cells away that stand over a column; wider ones become narrower."""
    table, own = at.row(operation.target.rpartition(".")[0])
    cell = next((c for c in own.cells if c.anchor == operation.target), None)
    if cell is None:
        return  # another operation has taken the column away
    start, end = cell.column, cell.end
    for row in table.standing():
        kept: list[Cell] = []
        for each in row.cells:
            if (each.column, each.end) == (start, end):
                continue
            if each.column <= start and end <= each.end:
                each.span -= end - start
            kept.append(each)
        row.cells = kept
        _count_columns(row)


def _count_columns(row: Row) -> None:
    """Count the columns of a row's cells anew."""
    at = row.lead
    for cell in row.cells:
        cell.column = at
        at += cell.span
