"""Parts of a document as plain text: windows with block ids, and where a text stands.

A block is one line that begins with its id in brackets. Whatever ends a line elsewhere is a blank
in it, so that no text of a document can begin a line of its own and pass for another block.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from redraft.assist.shapes import Found, Hit
from redraft.engine.errors import NotFoundError
from redraft.engine.planner.view import tokens
from redraft.engine.report import BlockLine

MOST_TOKENS = 8000
"""What a window may hold."""
OUTLINE_TOKENS = 800
LONGEST_HIT = 300
PATTERN_SECONDS = 2.0
LINE_ENDS = dict.fromkeys((*range(32), 127, 133, 8232, 8233), " ")


class PatternError(Exception):
    """A search pattern that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Window:
    """Blocks from the index `first` (0-based) on as lines; `next` is where to read on."""

    lines: tuple[str, ...]
    first: int
    count: int
    next: str


def line_of(block: BlockLine) -> str:
    """Writes a block as a line."""
    head = f"[{block.id} {block.kind}]" if block.kind else f"[{block.id}]"
    return f"{head} {block.text.translate(LINE_ENDS)}"


def window(blocks: Sequence[BlockLine], start: str, limit: int) -> Window:
    """Cuts a window of at most `MOST_TOKENS` out of a document.

    Args:
        blocks: All of them.
        start: The id of the first block, with `+` and a number of characters to go on inside a
            block that is longer than a window; empty for the beginning.
        limit: How many blocks at most.

    Raises:
        NotFoundError: There is no such block.
    """
    identifier, _, written = start.partition("+")
    first = _index(blocks, identifier)
    offset = int(written) if written.isdecimal() else 0
    lines: list[str] = []
    room = MOST_TOKENS
    for index, block in enumerate(blocks[first : first + limit], first):
        line = line_of(block)
        if offset and index == first:
            line = f"[{block.id}+{offset}] {block.text.translate(LINE_ENDS)[offset:]}"
        size = tokens(line)
        if size > room and lines:
            return Window(tuple(lines), first, len(lines), block.id)
        if size > room:
            return _piece(block, offset, line, first)
        lines.append(line)
        room -= size
    end = first + len(lines)
    return Window(tuple(lines), first, len(lines), blocks[end].id if end < len(blocks) else "")


def _piece(block: BlockLine, offset: int, line: str, first: int) -> Window:
    """Cuts a block that is longer than a window."""
    most = MOST_TOKENS  # a token is at least one character, also where each sign is one
    head = line.index("]") + 2
    piece = line[: head + most]
    return Window((piece,), first, 1, f"{block.id}+{offset + most}")


def _index(blocks: Sequence[BlockLine], identifier: str) -> int:
    if not identifier:
        return 0
    bare = identifier.strip("[]").partition(" ")[0]
    for index, block in enumerate(blocks):
        if block.id == bare:
            return index
    message = f"There is no block {identifier}"
    raise NotFoundError(message)


def paragraphs(markdown: str) -> tuple[BlockLine, ...]:
    """Takes Markdown apart where blank lines stand; the parts are numbered from 1."""
    parts = [part for part in markdown.split("\n\n") if part.strip()]
    return tuple(BlockLine(str(number), "", part) for number, part in enumerate(parts, 1))


def outline(blocks: Iterable[BlockLine]) -> str:
    """Lists the headings with their ids, as many as fit; the first lines where there is none."""
    blocks = tuple(blocks)
    headings = [block for block in blocks if regex.match(r"h[1-9]\b", block.kind)] or blocks[:10]
    lines: list[str] = []
    room = OUTLINE_TOKENS
    for block in headings:
        line = line_of(block)[:160]
        room -= tokens(line) + 1
        if room < 0:
            lines.append(f"… {len(headings) - len(lines)} more; read from {block.id}")
            break
        lines.append(line)
    return "\n".join(lines)


async def search(
    blocks: Sequence[BlockLine], version: int, text: str, *, is_regex: bool, limit: int, start: str
) -> Found:
    """Finds the blocks that hold a text or match a pattern; case does not count.

    Raises:
        NotFoundError: There is no block `start`.
        PatternError: The pattern is wrong, or takes too long.
    """
    first = _index(blocks, start)
    source = text if is_regex else r"\s+".join(map(regex.escape, text.split())) or r"\s"
    try:
        pattern = regex.compile(source, regex.IGNORECASE | regex.VERSION0)
    except regex.error as error:
        message = f"The pattern cannot be read: {error}"
        raise PatternError(message) from error
    try:
        # Off the event loop: other calls go on while a hard pattern runs into its time.
        hits = await asyncio.to_thread(_hits, blocks[first:], pattern)
    except TimeoutError as error:
        message = "The pattern takes too long; use a simpler one"
        raise PatternError(message) from error
    following = hits[limit].block if len(hits) > limit else None
    return Found(version, hits[:limit], len(hits), following)


def _hits(blocks: Sequence[BlockLine], pattern: regex.Pattern[str]) -> list[Hit]:
    hits: list[Hit] = []
    budget = PATTERN_SECONDS
    for block in blocks:
        match = pattern.search(block.text, timeout=budget)
        if match is not None:
            hits.append(Hit(block.id, _around(block.text, match.start(), match.end())))
    return hits


def _around(text: str, start: int, end: int) -> str:
    """Returns a hit with the words around it, at most `LONGEST_HIT` characters."""
    room = max(0, LONGEST_HIT - (end - start))
    first = max(0, start - room // 2)
    last = min(len(text), max(end, first + LONGEST_HIT))
    words = text[first:last][:LONGEST_HIT]
    before, after = "…" if first else "", "…" if first + len(words) < len(text) else ""
    return f"{before}{words}{after}".translate(LINE_ENDS)
