"""Whole blocks: moved, joined, parted, begun on a new page."""

from __future__ import annotations

import itertools

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.command_targets import outer, paragraphs_of, spot, stretch
from redraft.engine.interpreter.commands import Merge, Move, NewPage, Split, Swap, Unit, Value
from redraft.engine.interpreter.lines import Line, Lines
from redraft.engine.interpreter.replacing import scoped
from redraft.engine.interpreter.search import hits, the_one
from redraft.engine.interpreter.word_questions import number_of
from redraft.engine.model import Heading
from redraft.engine.plan import InsertBreak, MergeBlocks, MoveBlocks, Operation, SplitBlock


def move(lines: Lines, command: Move, lookup: str | None) -> list[Operation]:
    """Put a section, paragraph or table elsewhere."""
    if isinstance(command.what, Unit) and command.what.kind in ("row", "column", "cell"):
        message = f"The built-in editor cannot move a {command.what.kind}; delete and insert it"
        raise RefusedError(message)
    first, last = stretch(lines, command.what, command.options, lookup)
    is_section = isinstance(first.block, Heading) and (
        first is not last or not isinstance(command.what, Unit) or command.what.kind == "section"
    )
    to, where = spot(lines, command.place, command.options, lookup, sections=is_section)
    start, end = outer(first), outer(last)
    anchors = [block.anchor for block in first.story.blocks]
    if to in anchors[anchors.index(start) : anchors.index(end) + 1]:
        raise RefusedError("What should be moved and the place it should go to are the same")
    return [MoveBlocks(start, end, to, where)]


def swap(lines: Lines, command: Swap, lookup: str | None) -> list[Operation]:
    """Let two places of one story change places: the later one goes before the earlier one."""
    places = [stretch(lines, one, command.options, lookup) for one in (command.one, command.other)]
    blocks = [block.anchor for block in places[0][0].story.blocks]
    spans = sorted(
        (blocks.index(outer(first)), blocks.index(outer(last))) for first, last in places
    )
    (start, end), (other, last) = spans
    if end >= other:
        raise RefusedError("One of the two places stands in the other")
    moves: list[Operation] = [MoveBlocks(blocks[other], blocks[last], blocks[start], "before")]
    if other > end + 1:
        moves.append(MoveBlocks(blocks[start], blocks[end], blocks[other - 1], "after"))
    return moves


def merge(lines: Lines, command: Merge, lookup: str | None) -> list[Operation]:
    """Make one paragraph of two that follow each other."""
    first = _paragraph(lines, command.one, command, lookup)
    following = {
        before.anchor: after.anchor for before, after in itertools.pairwise(first.story.blocks)
    }
    if command.other is None:
        last = following.get(first.anchor, "")
    else:
        last = _paragraph(lines, command.other, command, lookup).anchor
        if following.get(last) == first.anchor:
            return [MergeBlocks(last, first.anchor)]
    if not last or following.get(first.anchor) != last:
        message = "Only paragraphs that follow each other can be joined, outside of tables"
        raise RefusedError(message)
    return [MergeBlocks(first.anchor, last)]


def _paragraph(lines: Lines, target: Value | Unit, command: Merge, lookup: str | None) -> Line:
    return paragraphs_of(lines, target, command.options, lookup)[0]


def split(lines: Lines, command: Split, lookup: str | None) -> list[Operation]:
    """Begin a new paragraph where words stand."""
    inside, _ = scoped(lines, command.options, lookup)
    places = hits(inside, command.at.text, command.options)
    hit = the_one(lines, places, command.at.text, command.options, lookup)
    if not hit.line.text[: hit.start].strip():
        raise RefusedError("A paragraph begins there already")
    return [SplitBlock(hit.line.anchor, hit.text, number_of(hit))]


def new_page(lines: Lines, command: NewPage, lookup: str | None) -> list[Operation]:
    """Break the page before or after a block."""
    anchor, where = spot(lines, command.place, command.options, lookup)
    return [InsertBreak(anchor, where, "page")]
