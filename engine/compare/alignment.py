"""Aligns two sequences: which item of the one is which item of the other.

Equal items that stand once on either side are fixed first (patience: the longest chain of them
that keeps the order), then equal items at the edges of each gap, then similar ones in what is
left, so that as many words as possible stand. Linear but for gaps, whose size is bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from redraft.engine.diff import is_word, tokens

_MOST_PAIRS: Final = 40_000
_LEAST: Final = 0.3
# What a pair of items without words is worth: less than any word.
_NOTHING: Final = 0.1


@dataclass(frozen=True, slots=True)
class Item:
    """What is aligned.

    Attributes:
        key: Equal where nothing differs.
        text: Equal where only formatting may differ.
        kind: Items of different kinds are never the same.
    """

    key: Hashable
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Pair:
    """An item of the old sequence and one of the new, by index; None for no counterpart."""

    old: int | None
    new: int | None


def align(old: Sequence[Item], new: Sequence[Item]) -> list[Pair]:
    """Returns every item of both sequences once, in an order that keeps both."""
    aligner = _Aligner(old, new)
    aligner.stretch(0, len(old), 0, len(new))
    return _woven(sorted(aligner.matches), len(old), len(new))


def _woven(matches: Sequence[tuple[int, int]], old: int, new: int) -> list[Pair]:
    pairs: list[Pair] = []
    at = new_at = 0
    for index, other in [*matches, (old, new)]:
        pairs += [Pair(i, None) for i in range(at, index)]
        pairs += [Pair(None, j) for j in range(new_at, other)]
        if index < old and other < new:
            pairs.append(Pair(index, other))
        at, new_at = index + 1, other + 1
    return pairs


class _Aligner:
    def __init__(self, old: Sequence[Item], new: Sequence[Item]) -> None:
        self._old = old
        self._new = new
        self._words: dict[str, Counter[str]] = {}
        self.matches: list[tuple[int, int]] = []

    def stretch(self, start: int, end: int, new_start: int, new_end: int) -> None:
        """Aligns old[start:end] with new[new_start:new_end]."""
        faces: tuple[Callable[[Item], Hashable], ...] = (
            lambda item: (item.kind, item.key),
            lambda item: (item.kind, item.text) if item.text.strip() else None,
        )
        gaps = [(start, end, new_start, new_end)]
        for face in faces:
            gaps = [part for gap in gaps for part in self._fixed(gap, face)]
        for gap in gaps:
            self._similar(*gap)

    def _fixed(
        self, gap: tuple[int, int, int, int], face: Callable[[Item], Hashable]
    ) -> list[tuple[int, int, int, int]]:
        """Matches equal items of a gap; returns the gaps that are left."""
        start, end, new_start, new_end = gap
        old, new = self._old, self._new
        while start < end and new_start < new_end and _same(face, old[start], new[new_start]):
            self.matches.append((start, new_start))
            start, new_start = start + 1, new_start + 1
        tail: list[tuple[int, int]] = []
        while start < end and new_start < new_end and _same(face, old[end - 1], new[new_end - 1]):
            end, new_end = end - 1, new_end - 1
            tail.append((end, new_end))
        self.matches += tail
        if start == end or new_start == new_end:
            return [(start, end, new_start, new_end)]
        fixed = chain(
            [face(item) for item in old[start:end]], [face(item) for item in new[new_start:new_end]]
        )
        if not fixed:
            return [(start, end, new_start, new_end)]
        gaps: list[tuple[int, int, int, int]] = []
        at, new_at = start, new_start
        for index, other in fixed:
            self.matches.append((start + index, new_start + other))
            gaps += self._fixed((at, start + index, new_at, new_start + other), face)
            at, new_at = start + index + 1, new_start + other + 1
        return [*gaps, *self._fixed((at, end, new_at, new_end), face)]

    def _similar(self, start: int, end: int, new_start: int, new_end: int) -> None:
        """Matches items of a gap so that most words stand (Needleman and Wunsch)."""
        rows, columns = end - start, new_end - new_start
        if not rows or not columns:
            return
        if rows * columns > _MOST_PAIRS:
            self._halved(start, end, new_start, new_end)
            return
        best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
        worth = [
            [self._worth(self._old[start + i], self._new[new_start + j]) for j in range(columns)]
            for i in range(rows)
        ]
        for i in range(rows - 1, -1, -1):
            for j in range(columns - 1, -1, -1):
                taken = worth[i][j] and best[i + 1][j + 1] + worth[i][j]
                best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
        i = j = 0
        while i < rows and j < columns:
            if worth[i][j] and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
                self.matches.append((start + i, new_start + j))
                i, j = i + 1, j + 1
            elif best[i][j] == best[i + 1][j]:
                i += 1
            else:
                j += 1

    def _halved(self, start: int, end: int, new_start: int, new_end: int) -> None:
        """Cuts a large gap at proportional places, which keeps the work linear."""
        pieces = (end - start) * (new_end - new_start) // _MOST_PAIRS + 1
        cuts = [
            (start + (end - start) * n // pieces, new_start + (new_end - new_start) * n // pieces)
            for n in range(pieces + 1)
        ]
        for (low, new_low), (high, new_high) in pairwise(cuts):
            self._similar(low, high, new_low, new_high)

    def _worth(self, old: Item, new: Item) -> float:
        """Returns how many words stand when two items are the same; 0 where they are not."""
        if old.kind != new.kind:
            return 0.0
        if old.key == new.key:
            return max(self._bag(old.text).total(), _NOTHING) * 1.5
        first, second = self._bag(old.text), self._bag(new.text)
        sizes = first.total(), second.total()
        # Of a table that says something else the frame may stand.
        least = _NOTHING if old.kind == "table" else 0.0
        if not all(sizes):
            return _NOTHING if sizes == (0, 0) else least
        common = (first & second).total()
        return float(common) if 2 * common >= _LEAST * sum(sizes) else least

    def _bag(self, text: str) -> Counter[str]:
        bag = self._words.get(text)
        if bag is None:
            bag = self._words[text] = Counter(word for word in tokens(text) if is_word(word))
        return bag


def _same(face: Callable[[Item], Hashable], old: Item, new: Item) -> bool:
    value = face(old)
    return value is not None and value == face(new)


def chain(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Returns the longest chain of values that stand once on either side, in order on both."""
    counts, others = Counter(old), Counter(new)
    places = {value: index for index, value in enumerate(new)}
    pairs = [
        (index, places[value])
        for index, value in enumerate(old)
        if value is not None and counts[value] == 1 and others.get(value) == 1
    ]
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, other) in enumerate(pairs):
        at = bisect_left(ends, other)
        before.append(last[at - 1] if at else -1)
        if at == len(ends):
            ends.append(other)
            last.append(number)
        else:
            ends[at], last[at] = other, number
    chain: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
