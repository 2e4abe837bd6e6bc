"""Where the changes of the list stand in the text of the preview.

The list comes from the service, the text is its Markdown with changes marked. Both are in document
order, so the first change with certain words is the first marked place with them, the second the
second, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.tui.text.markdown_blocks import Block
from redraft.tui.text.runs import REVERSE, Run
from redraft.tui.transport.wire import Change


@dataclass(frozen=True, slots=True)
class Place:
    """A marked place: its block, which of the block's places it is from 0, and the words."""

    block: int
    number: int
    before: str
    after: str


def places(blocks: Sequence[Block]) -> list[Place]:
    """Return every marked place in order; a deletion and the insertion after it are one."""
    marked_places: list[Place] = []
    for index, block in enumerate(blocks):
        if block.is_changed:
            number = 0
            for runs in _texts(block):
                for before, after in _marked(runs):
                    marked_places.append(Place(index, number, before, after))
                    number += 1
    return marked_places


def _texts(block: Block) -> Iterator[Sequence[Run]]:
    if block.rows:
        for row in block.rows:
            yield from row
    else:
        yield block.runs


def _marked(runs: Sequence[Run]) -> Iterator[tuple[str, str]]:
    """Yield (struck, inserted) of each stretch of changed runs."""
    before = after = ""
    for run in runs:
        if run.role == "del":
            if after:
                yield before, after
                before = after = ""
            before += run.text
        elif run.role == "ins":
            after += run.text
        elif before or after:
            yield before, after
            before = after = ""
    if before or after:
        yield before, after


def emphasised(block: Block, number: int) -> Block:
    """Return a block with one of its marked places in reverse video."""
    taken = 0

    def drawn(runs: Sequence[Run]) -> tuple[Run, ...]:
        nonlocal taken
        first = taken
        taken += sum(1 for _ in _marked(runs))
        if not first <= number < taken:
            return tuple(runs)
        return _reversed(runs, number - first)

    if block.rows:
        rows = tuple(tuple(drawn(cell) for cell in row) for row in block.rows)
        return replace(block, rows=rows)
    return replace(block, runs=drawn(block.runs))


def _reversed(runs: Sequence[Run], number: int) -> tuple[Run, ...]:
    """Reverse the runs of one marked place; they are parted as in `_marked`."""
    result: list[Run] = []
    at, previous = -1, ""
    for run in runs:
        if run.role in ("ins", "del"):
            if previous not in ("ins", "del") or (previous == "ins" and run.role == "del"):
                at += 1
            flags = run.flags | REVERSE if at == number else run.flags
            result.append(run._replace(flags=flags))
        else:
            result.append(run)
        previous = run.role
    return tuple(result)


def locate(changes: Sequence[Change], available: Sequence[Place]) -> list[Place | None]:
    """Return the place of each change; None where the text does not show it.

    That is so for changes of format, and in headers, footers and notes that are not in the text.
    """
    pairs = _Finder([(_plain(place.before), _plain(place.after)) for place in available])
    olds = _Finder([_plain(place.before) for place in available])
    news = _Finder([_plain(place.after) for place in available])
    located: list[Place | None] = []
    for change in changes:
        before, after = _plain(change.before), _plain(change.after)
        at: int | None = None
        if (before or after) and not change.formatting:
            at = pairs.take((before, after))
            if at is None and after:
                at = news.take(after)
            if at is None and before:
                at = olds.take(before)
        located.append(None if at is None else available[at])
    return located


class _Finder:
    """Hands out the positions of a key in order, each once."""

    def __init__(self, keys: Sequence[object]) -> None:
        self._at: dict[object, list[int]] = {}
        for position in range(len(keys) - 1, -1, -1):
            self._at.setdefault(keys[position], []).append(position)

    def take(self, key: object) -> int | None:
        """Return the next position of a key; the last one is handed out again."""
        positions = self._at.get(key)
        if not positions:
            return None
        return positions.pop() if len(positions) > 1 else positions[0]


def _plain(text: str) -> str:
    return " ".join(text.split())
