"""A tracked PDF as it is read with its changes: what came and what went, and by whom.

The document is the edited file as it is read; words that went stand in it where they stood, and
whole blocks behind the block that was before them. Words that are read in other groups than in the
upload are left as they are, and a notice says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.engine.model import (
    Block,
    Break,
    Change,
    CodeBlock,
    Document,
    Notice,
    Story,
    Table,
)
from redraft.engine.pdf import reader
from redraft.engine.pdf.compare.block_pairs import Pair
from redraft.engine.pdf.compare.comparison import compare
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.tracked.change_log import Log, decode
from redraft.engine.pdf.tracked.change_marks import MarkedRange, with_marks
from redraft.engine.pdf.tracked.open_changes import Tracked, listed
from redraft.engine.pdf.tracked.page_changes import Shaped, shaped
from redraft.engine.pdf.tracked.redline import baseline

UNMARKED: Final = (
    "Some changes are not marked in the text, which is read in other paragraphs than in the upload;"
    " the list of changes has them all"
)


@dataclass(slots=True)
class _Marks:
    """What is to be marked: spots by block, and blocks that went by the one before, "" for none."""

    spots: dict[str, list[MarkedRange]] = field(default_factory=dict[str, list[MarkedRange]])
    gone: dict[str, list[Block]] = field(default_factory=dict[str, list[Block]])
    is_whole: bool = True


def marked(original: bytes, working: bytes, state: bytes) -> Document:
    """Reads a tracked PDF with the changes since its upload.

    Raises:
        UnreadableError: the PDF has no text layer.
        EditError: what was accepted cannot be carried out on the upload.
    """
    log = decode(state)
    base = baseline(original, log)
    now = shaped(base, log.shapings, is_verified=False)
    marks = _marks(base, now, working, log)
    document = reader.read(working)
    stories = tuple(_story(story, marks) for story in document.stories)
    notices = document.notices
    if not marks.is_whole:
        notices = (*notices, Notice("unmarked-changes", UNMARKED))
    return replace(document, stories=stories, notices=notices, view="markup")


def _marks(base: bytes, now: Shaped, working: bytes, log: Log) -> _Marks:
    comparison = compare(now.data, working, log.asked)
    makers = {
        _key(tracked_change): tracked_change
        for tracked_change in listed(base, now, working, comparison, log)
        if tracked_change.parts
    }
    marks = _Marks()
    before = ""
    for pair in comparison.pairs:
        if pair.new is not None:
            before = pair.new.anchor
            marks.spots[before] = list(_spots(pair, pair.new, makers))
        elif pair.old is not None and pair.is_gone:
            marks.gone.setdefault(before, []).append(_struck(pair.old, makers))
        elif pair.changes:
            marks.is_whole = False
    return marks


def _key(change: Tracked) -> tuple[str, int, int, str]:
    part = change.parts[0]
    return (*part.place, part.after)


def _spots(
    pair: Pair, new: Target, makers: dict[tuple[str, int, int, str], Tracked]
) -> Iterator[MarkedRange]:
    """Yields the changes of a block, in its characters as it is now.

    The label of a note is none.
    """
    head = new.marks[0].end if new.marks and not new.marks[0].anchor else 0
    if pair.old is None:
        host = pair.beside
        end = len(host.text) if host is not None else 0
        place = (host.anchor if host is not None else "", end, end, new.text)
        yield _spot(0, len(new.text) - head, "", makers.get(place))
        return
    shift = -head
    for change in pair.changes:
        start = change.start + shift
        made = makers.get((pair.old.anchor, change.start, change.end, change.text))
        yield _spot(start, start + len(change.text), pair.old.text[change.start : change.end], made)
        shift += len(change.text) - (change.end - change.start)


def _spot(start: int, end: int, gone: str, made: Tracked | None) -> MarkedRange:
    author, name = (made.entry.author, made.id) if made is not None else ("", "")
    come, went = Change("insertion", author, name), Change("deletion", author, name)
    return MarkedRange(start, end, gone, come, went)


def _struck(old: Target, makers: dict[tuple[str, int, int, str], Tracked]) -> Block:
    """Returns a block that went, its words struck."""
    made = makers.get((old.anchor, 0, len(old.text), ""))
    spot = _spot(0, 0, old.text, made)
    return _with(old.block, (spot,), is_new=True)


def _with(block: Block, spots: Sequence[MarkedRange], *, is_new: bool = False) -> Block:
    if isinstance(block, Table | CodeBlock | Break):
        return block
    content = () if is_new else block.content
    return replace(block, content=with_marks(content, spots))


def _story(story: Story, marks: _Marks) -> Story:
    first = marks.gone.get("", []) if story.kind == "body" else []
    return replace(story, blocks=(*first, *_blocks(story.blocks, marks)))


def _blocks(blocks: Sequence[Block], marks: _Marks) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Table):
            rows = tuple(
                replace(
                    row,
                    cells=tuple(
                        replace(cell, blocks=tuple(_blocks(cell.blocks, marks)))
                        for cell in row.cells
                    ),
                )
                for row in block.rows
            )
            yield replace(block, rows=rows)
            continue
        yield _with(block, marks.spots.get(block.anchor, ()))
        yield from marks.gone.get(block.anchor, ())
