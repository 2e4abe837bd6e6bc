"""Which blocks of a new state of a document stand for those of the old one."""

from __future__ import annotations

from redraft.tui.text.markdown_blocks import Block


def _ends(before: tuple[Block, ...], after: tuple[Block, ...]) -> tuple[int, int]:
    """Count the equal blocks at the beginning and at the end."""
    shortest = min(len(before), len(after))
    head = 0
    while head < shortest and before[head].key == after[head].key:
        head += 1
    tail = 0
    while tail < shortest - head and before[-1 - tail].key == after[-1 - tail].key:
        tail += 1
    return head, tail


def new_blocks(before: tuple[Block, ...], after: tuple[Block, ...]) -> frozenset[int]:
    """Return the blocks of the new state that the old one did not have."""
    head, tail = _ends(before, after)
    known = {block.key for block in before[head : len(before) - tail]}
    return frozenset(
        index for index in range(head, len(after) - tail) if after[index].key not in known
    )


def counterpart(before: tuple[Block, ...], after: tuple[Block, ...], index: int) -> int:
    """Return the block of the new state that stands for a block of the old one."""
    head, tail = _ends(before, after)
    if index < head:
        return index
    if index >= len(before) - tail:
        return len(after) - (len(before) - index)
    key = before[index].key
    for candidate in range(head, len(after) - tail):
        if after[candidate].key == key:
            return candidate
    return min(index, len(after) - 1)
