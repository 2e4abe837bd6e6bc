"""Blocks of a PDF that stand as they did and are read in other groups: one as three cells, say.

A longer word in one line can make those below it read as a table. Paired block by block, their
words would be deleted here and inserted there, which nobody did. So where the same words come on
both sides of such a list, the blocks of that stretch are tied by their words instead: every word
that is kept stays in its block of the first version, whichever block it is read in afterwards.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from redraft.engine.diff import Token, hunks
from redraft.engine.pdf.glyphs.target_blocks import Target

SHARE: Final = 0.5
"""How many words of the shorter of two blocks are those of the other, at least, to tie them."""
_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Tie:
    """Blocks [first, end) of one version hold what blocks [new_first, new_end) of another do.

    `texts` are those of the blocks of the first version with the words of the other; there are none
    where one side is empty, or both are a single block.
    """

    first: int
    end: int
    new_first: int
    new_end: int
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    block: int
    start: int
    end: int


def ties(old: Sequence[Target], new: Sequence[Target]) -> list[Tie]:
    """Ties the blocks of two versions by their words; in order, each block in one tie.

    Marks of notes are no words: there are no ties where blocks have some.
    """
    if any(target.marks for target in (*old, *new)):
        return []
    first, second = list(_words(old)), list(_words(new))
    matches = _kept(first, second)
    blocks = [target.block for target in second]
    regrouped: list[Tie] = []
    for tie in _intervals(first, second, matches, len(old), len(new)):
        olds, news = tie.end - tie.first, tie.new_end - tie.new_first
        if olds and news and olds + news > 2:
            own = range(bisect_left(blocks, tie.new_first), bisect_left(blocks, tie.new_end))
            owners = _owners(tie, own, first, second, matches)
            regrouped.append(
                replace(tie, texts=tuple(_texts(tie, old, first, second, matches, owners)))
            )
        else:
            regrouped.append(tie)
    return regrouped


def _words(targets: Sequence[Target]) -> Iterator[_Word]:
    for number, target in enumerate(targets):
        for match in _WORD.finditer(target.text):
            yield _Word(match[0], number, match.start(), match.end())


def _kept(old: Sequence[_Word], new: Sequence[_Word]) -> dict[int, int]:
    """Says which word of the second version is which of the first, by number."""
    changes = hunks(
        [Token(word.text) for word in old], [Token(word.text) for word in new], sentences=False
    )
    matches: dict[int, int] = {}
    at, now = 0, 0
    for hunk in changes:
        matches |= zip(range(now, hunk.new_start), range(at, hunk.start), strict=True)
        at, now = hunk.end, hunk.new_end
    return matches | dict(zip(range(now, len(new)), range(at, len(old)), strict=True))


def _intervals(
    old: Sequence[_Word], new: Sequence[_Word], matches: dict[int, int], olds: int, news: int
) -> Iterator[Tie]:
    """Parts two versions where what is before is tied to nothing behind; words keep their order."""
    links = sorted(_linked(old, new, matches))
    at = now = 0
    open_tie: Tie | None = None
    for one, two in links:
        if open_tie is not None and (one < open_tie.end or two < open_tie.new_end):
            end, new_end = max(open_tie.end, one + 1), max(open_tie.new_end, two + 1)
            open_tie = replace(open_tie, end=end, new_end=new_end)
            continue
        if open_tie is not None:
            yield open_tie
            at, now = open_tie.end, open_tie.new_end
        yield from _alone(at, one, now, two)
        open_tie = Tie(one, one + 1, two, two + 1)
    if open_tie is not None:
        yield open_tie
        at, now = open_tie.end, open_tie.new_end
    yield from _alone(at, olds, now, news)


def _linked(
    old: Sequence[_Word], new: Sequence[_Word], matches: dict[int, int]
) -> set[tuple[int, int]]:
    """Returns the blocks that share most of their words, or some next to a changed boundary."""
    sizes = [Counter(word.block for word in words) for words in (old, new)]
    shared = Counter((old[one].block, new[two].block) for two, one in matches.items())
    linked = {
        (one, two)
        for (one, two), count in shared.items()
        if count >= SHARE * min(sizes[0][one], sizes[1][two])
    }
    for two, one in matches.items():
        if matches.get(two + 1) == one + 1:
            here = old[one].block, new[two].block
            there = old[one + 1].block, new[two + 1].block
            if (here[0] == there[0]) != (here[1] == there[1]):
                linked |= {here, there}
    return linked


def _alone(at: int, end: int, now: int, new_end: int) -> Iterator[Tie]:
    """Yields blocks that went, and blocks that are new, one by one."""
    yield from (Tie(number, number + 1, now, now) for number in range(at, end))
    yield from (Tie(end, end, number, number + 1) for number in range(now, new_end))


def _texts(
    tie: Tie,
    old: Sequence[Target],
    first: Sequence[_Word],
    second: Sequence[_Word],
    matches: dict[int, int],
    owners: dict[int, int],
) -> Iterator[str]:
    """Yields the blocks of the first version with the words of the second."""
    numbers: dict[int, list[int]] = {}
    for number in sorted(owners):
        numbers.setdefault(owners[number], []).append(number)
    for block in range(tie.first, tie.end):
        parts: list[str] = []
        end: int | None = None
        for number in numbers.get(block, ()):
            origin = matches.get(number)
            is_next = origin is not None and end is not None and origin == end + 1
            if parts:
                parts.append(_gap(old[block].text, first, origin or 0) if is_next else " ")
            parts.append(second[number].text)
            end = origin
        yield "".join(parts)


def _gap(text: str, words: Sequence[_Word], number: int) -> str:
    """Returns what stands between a word and the one before it."""
    return text[words[number - 1].end : words[number].start]


def _owners(
    tie: Tie,
    numbers: Sequence[int],
    first: Sequence[_Word],
    second: Sequence[_Word],
    matches: dict[int, int],
) -> dict[int, int]:
    """Says in which block of the first version each word is: a new one stays with its neighbour."""
    owners = {n: first[matches[n]].block for n in numbers if n in matches}
    owners = {n: block for n, block in owners.items() if tie.first <= block < tie.end}
    for n in numbers:
        before = n - 1 in owners and second[n - 1].block == second[n].block
        if n not in owners and before:
            owners[n] = owners[n - 1]
    for n in reversed(numbers):
        if n not in owners:
            owners[n] = owners.get(n + 1, owners.get(n - 1, tie.first))
    return owners
