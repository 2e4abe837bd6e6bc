"""Exact edits by programs: the blocks with their ids, and everything that is wrong with a plan.

A program reads the blocks in windows, writes operations (`engine.plan`) that name their ids, and
hands them over with the snapshot it read. What cannot be carried out comes back as data, every
operation at once, with the true text of the block.
"""

from __future__ import annotations

from collections.abc import Sequence

from redraft.engine.errors import NotFoundError
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.planner.explaining import explained_faults
from redraft.engine.planner.retrieval import entries
from redraft.engine.report import BlockLine, BlockWindow, ModelView

LARGEST_WINDOW = 500


def block_lines(view: ModelView) -> tuple[BlockLine, ...]:
    """Returns the blocks of all stories.

    Args:
        view: The document as a model is shown it, whole.
    """
    return tuple(BlockLine(one.anchor, one.kind, one.text) for one in entries(view.text))


def window(view: ModelView, start: str, limit: int | None) -> BlockWindow:
    """Returns a window of the blocks of all stories.

    Args:
        view: The document as a model is shown it, whole.
        start: The id of the first block; empty for the beginning.
        limit: As `part_of` has it; None for all blocks.

    Raises:
        NotFoundError: There is no block of that id.
    """
    lines = block_lines(view)
    whole = BlockWindow(view.snapshot, len(lines), lines, None)
    return part_of(whole, start, limit)


def part_of(whole: BlockWindow, start: str, limit: int | None) -> BlockWindow:
    """Returns a window of all blocks.

    Args:
        whole: All of them.
        start: The id of the first block; empty for the beginning.
        limit: How many blocks at most, from 1 to `LARGEST_WINDOW`; others are cut to that, and
            None stands for all that follow.

    Raises:
        NotFoundError: There is no block of that id.
    """
    lines, first = whole.blocks, 0
    if start:
        places = [index for index, line in enumerate(lines) if line.id == start]
        if not places:
            message = f"There is no block {start}"
            raise NotFoundError(message)
        first = places[0]
    end = len(lines) if limit is None else first + min(max(1, limit), LARGEST_WINDOW)
    following = lines[end].id if end < len(lines) else None
    return BlockWindow(whole.snapshot, len(lines), lines[first:end], following)


def with_true_text(faults: Sequence[Fault], plan: EditPlan, view: ModelView) -> tuple[Fault, ...]:
    """Returns faults of a plan, each with the text that its block really has."""
    return tuple(explained_faults(faults, plan, entries(view.text)))
