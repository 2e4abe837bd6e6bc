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


def window(view: ModelView, start: str, limit: int) -> BlockWindow:
    """Returns a window of the blocks of all stories.

    Args:
        view: The document as a model is shown it, whole.
        start: The id of the first block; empty for the beginning.
        limit: How many blocks at most, from 1 to `LARGEST_WINDOW`; others are cut to that.

    Raises:
        NotFoundError: There is no block of that id.
    """
    document = block_lines(view)
    first = 0
    if start:
        places = [index for index, line in enumerate(document) if line.id == start]
        if not places:
            message = f"There is no block {start}"
            raise NotFoundError(message)
        first = places[0]
    end = first + min(max(1, limit), LARGEST_WINDOW)
    following = document[end].id if end < len(document) else None
    return BlockWindow(view.snapshot, len(document), document[first:end], following)


def with_true_text(faults: Sequence[Fault], plan: EditPlan, view: ModelView) -> tuple[Fault, ...]:
    """Returns faults of a plan, each with the text that its block really has."""
    return tuple(explained_faults(faults, plan, entries(view.text)))
