"""Which part of the judge applies an operation on whole blocks, rows or columns."""

from __future__ import annotations

from redraft.engine.judge import expected_blocks, expected_tables
from redraft.engine.judge.addresses import Addresses
from redraft.engine.judge.content import Shape
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    InsertBlocks,
    InsertBreak,
    InsertColumn,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    Operation,
)


def carry_out(at: Addresses, operation: Operation, shapes: dict[str, Shape]) -> None:
    """Applies an operation on blocks, rows or columns; others are left to who applies words.

    Args:
        at: Where things stand.
        operation: Any operation of a plan; those that split paragraphs are carried out before.
        shapes: What new blocks take over from the block they stand beside.
    """
    match operation:
        case InsertBlocks():
            expected_blocks.insert(at, operation, shapes)
        case DeleteBlocks() | DeleteTable():
            expected_blocks.delete(at, operation)
        case MoveBlocks():
            expected_blocks.move(at, operation)
        case MergeBlocks():
            expected_blocks.merge(at, operation)
        case InsertBreak():
            expected_blocks.insert_break(at, operation)
        case _:
            _in_tables(at, operation)


def _in_tables(at: Addresses, operation: Operation) -> None:
    match operation:
        case InsertTable():
            expected_tables.insert_table(at, operation)
        case InsertRow():
            expected_tables.insert_row(at, operation)
        case DeleteRow():
            expected_tables.delete_row(at, operation)
        case InsertColumn():
            expected_tables.insert_column(at, operation)
        case DeleteColumn():
            expected_tables.delete_column(at, operation)
        case _:
            pass
