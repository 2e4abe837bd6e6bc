"""Exact edits by programs: the blocks with their ids, and everything that is wrong with a plan.

A program reads the blocks in windows, writes operations (`engine.plan`) that name their ids, and
hands them over with the snapshot it read. What cannot be carried out comes back as data, every
operation at once, with the true text of the block.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from redraft.engine import editor
from redraft.engine.errors import NotFoundError
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.planner.explaining import explained_faults
from redraft.engine.planner.retrieval import Entry, entries

LARGEST_WINDOW = 500


@dataclass(frozen=True, slots=True)
class BlockLine:
    """One block as a model is shown it.

    `kind` is what stands behind the id (`h2 num="2."`, `li1`, `table 3x2`, nothing for a plain
    paragraph), `text` the final view in the syntax of `engine.tokens`; a row is one block.
    """

    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class BlockWindow:
    """Blocks in document order; `next` is the id of the first one after them, None at the end.

    `snapshot` goes into a plan that is made of them, so that it is carried out on these bytes only.
    """

    snapshot: str
    total: int
    blocks: tuple[BlockLine, ...]
    next: str | None


def blocks(source: Path, start: str = "", limit: int = 100, state: bytes = b"") -> BlockWindow:
    """Returns a window of the blocks of all stories.

    Args:
        source: The version to read.
        start: The id of the first block; empty for the beginning.
        limit: How many blocks at most, from 1 to `LARGEST_WINDOW`; others are cut to that.
        state: That of `source`.

    Raises:
        NotFoundError: There is no block of that id.
        RefusedError: A PDF of scanned pages.
    """
    snapshot, document = _document(source, state)
    first = 0
    if start:
        places = [index for index, entry in enumerate(document) if entry.anchor == start]
        if not places:
            message = f"There is no block {start}"
            raise NotFoundError(message)
        first = places[0]
    end = first + min(max(1, limit), LARGEST_WINDOW)
    lines = tuple(BlockLine(entry.anchor, entry.kind, entry.text) for entry in document[first:end])
    following = document[end].anchor if end < len(document) else None
    return BlockWindow(snapshot, len(document), lines, following)


def faults(
    source: Path, plan: EditPlan, state: bytes = b"", tracked: bool = False
) -> tuple[Fault, ...]:
    """Returns why operations of a plan cannot be carried out, each with its block's true text."""
    wrong = editor.check(source, plan, state, tracked)
    if not wrong:
        return ()
    _, document = _document(source, state)
    return tuple(explained_faults(wrong, plan, document))


def _document(source: Path, state: bytes) -> tuple[str, list[Entry]]:
    view = editor.show(source, "", None, "", state)
    return view.snapshot, entries(view.text)
