"""Which deleted blocks of a region are which of the written ones (`regions`)."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.diff import Token, hunks, tokens
from redraft.engine.docx.accept_reject import note_references
from redraft.engine.docx.editing.block_values import Content, Item
from redraft.engine.docx.names import W_ID, W_PPR, Element, W
from redraft.engine.docx.redline.line import Line, Standing, Unit

KEPT_SHARE: Final = 0.4
# More pairs than these are not compared word by word.
_MOST_PAIRS: Final = 400
_PROOF: Final = W("proofErr")


@dataclass(slots=True)
class Block:
    """A block of a region: its end or, for a table, all of it stands so; both sides of it."""

    element: Element
    standing: Standing
    line: Line | None
    old: Content
    new: Content

    @property
    def is_struck(self) -> bool:
        """Whether nothing of it is left in the final view."""
        return self.standing is Standing.STRUCK and not self.new.items

    @property
    def is_written(self) -> bool:
        """Whether nothing of it is in the baseline."""
        return self.standing is Standing.WRITTEN and not self.old.items and self._is_bare()

    def _is_bare(self) -> bool:
        return self.line is None or all(
            isinstance(entry, Unit) or entry.element.tag in (W_PPR, _PROOF)
            for entry in self.line.root.entries
        )


def joined(blocks: Sequence[Block], side: Standing) -> list[Content]:
    """The blocks of one side: what has no mark there goes on in the next paragraph."""
    contents: list[Content] = []
    pending: list[Item] = []
    for block in blocks:
        content = block.old if side is Standing.STRUCK else block.new
        if block.line is None:
            if content.items:
                contents += [*([Content((), pending)] if pending else ()), content]
                pending = []
            continue
        pending = pending + content.items
        is_emptied = not pending and bool(block.old.items)
        if block.standing in (Standing.KEPT, side) and not is_emptied:
            contents.append(Content(content.look, pending))
            pending = []
    return [*contents, Content((), pending)] if pending else contents


def references(blocks: Iterable[Block], side: Standing) -> list[str]:
    """The names of the references to notes on one side of blocks, in order."""
    return [
        f"{note_references.REFERENCES[str(unit.node.tag)]}Reference{unit.node.get(W_ID, '')}"
        for block in blocks
        if block.line is not None
        for unit in block.line.units
        if unit.node.tag in note_references.REFERENCES and unit.standing in (Standing.KEPT, side)
    ]


def runs(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Adjacent blocks that are struck or written whole, where there are both."""
    for _, group in itertools.groupby(blocks, lambda b: b.is_struck or b.is_written):
        run = list(group)
        if any(b.is_struck for b in run) and any(b.is_written for b in run):
            yield run


def found_again(run: Sequence[Block]) -> Iterator[tuple[int, int, bool]]:
    """Which struck block is which written one, in order, and whether they are equal."""
    struck = [at for at, block in enumerate(run) if block.is_struck]
    written = [at for at, block in enumerate(run) if not block.is_struck]
    done = (0, 0)
    for old, new in [*_equal(run, struck, written), (len(struck), len(written))]:
        for pair in _similar(run, struck[done[0] : old], written[done[1] : new]):
            yield *pair, False
        if old < len(struck):
            yield struck[old], written[new], True
        done = old + 1, new + 1


def _equal(
    run: Sequence[Block], struck: Sequence[int], written: Sequence[int]
) -> list[tuple[int, int]]:
    """The longest row of equal blocks that stand in the same order, as places in both lists."""
    known: dict[object, list[int]] = {}
    for place, at in reversed(list(enumerate(struck))):
        known.setdefault(run[at].old.key, []).append(place)
    ends: list[int] = []
    chains: list[tuple[int, int, int]] = []
    tails: list[int] = []
    for place, at in enumerate(written):
        places = known.get(run[at].new.key)
        if not places or not run[at].new.says(run[struck[places[-1]]].old):
            continue
        old = places.pop()
        size = bisect_left(ends, old)
        chains.append((old, place, tails[size - 1] if size else -1))
        ends[size : size + 1] = [old]
        tails[size : size + 1] = [len(chains) - 1]
    pairs: list[tuple[int, int]] = []
    link = tails[-1] if tails else -1
    while link >= 0:
        old, new, link = chains[link]
        pairs.append((old, new))
    return pairs[::-1]


def _similar(
    run: Sequence[Block], struck: Sequence[int], written: Sequence[int]
) -> list[tuple[int, int]]:
    """The pairs in order, of which together the largest shares of words stay."""
    if not struck or not written or len(struck) * len(written) > _MOST_PAIRS:
        return []
    best: list[list[tuple[float, list[tuple[int, int]]]]] = [
        [(0.0, [])] * (len(written) + 1) for _ in range(len(struck) + 1)
    ]
    for i, old in enumerate(struck, start=1):
        for j, new in enumerate(written, start=1):
            choice = max(best[i - 1][j], best[i][j - 1], key=lambda candidate: candidate[0])
            share = _share(run[old], run[new])
            before = best[i - 1][j - 1]
            if share >= KEPT_SHARE and before[0] + share > choice[0]:
                choice = before[0] + share, [*before[1], (old, new)]
            best[i][j] = choice
    return best[-1][-1][1]


def _share(old: Block, new: Block) -> float:
    """How many of the words stay, of the longer one's, if one became the other; 0: it cannot."""
    if not _is_plain(old) or not _is_plain(new) or old.old.look != new.new.look:
        return 0.0
    if {look for _, look in new.new.items} - {None, *(look for _, look in old.old.items)}:
        return 0.0
    before, after = (
        [Token(word) for word in tokens("".join([words for words, _ in content.items]))]
        for content in (old.old, new.new)
    )
    common = sum(not token.text.isspace() for token in before)
    most = max(common, sum(not token.text.isspace() for token in after))
    for hunk in hunks(before, after):
        common -= sum(not token.text.isspace() for token in before[hunk.start : hunk.end])
    return common / most if most else 0.0


def _is_plain(block: Block) -> bool:
    """Whether it is a paragraph of nothing but text, in no link or control."""
    if block.line is None or len(block.line.boxes) > 1:
        return False
    return all(not token.startswith("\0") for token, _ in (*block.old.items, *block.new.items))
