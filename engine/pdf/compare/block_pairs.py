"""Which block of a version of a PDF is which one of another, and the words that differ."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat, starmap, zip_longest
from typing import Final

from redraft.engine.diff import Token, hunks
from redraft.engine.diff import tokens as words_of
from redraft.engine.pdf.compare.character_looks import kept_places
from redraft.engine.pdf.compare.regrouping import ties
from redraft.engine.pdf.glyphs.edited_words import Change, slid
from redraft.engine.pdf.glyphs.target_blocks import Target

ALIKE: Final = 0.5
"""How much of two blocks is the same, at least, where one is taken for the other."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A block before and after; one of them is None where it went or is new, below `beside`.

    `changes` are those of the words of the old block. One that is read in other groups afterwards
    has no new block, and its changes are not all of its words.
    """

    old: Target | None
    new: Target | None
    beside: Target | None
    changes: tuple[Change, ...] = ()

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left of the old block."""
        if self.old is None or self.new is not None:
            return False
        gone = sum(change.end - change.start for change in self.changes)
        return gone == len(self.old.text) and not any(change.text for change in self.changes)

    @property
    def places(self) -> list[int | None]:
        """Where each character of the old block is in the new one."""
        if self.old is None or self.new is None:
            return []
        return kept_places(len(self.old.text), self.changes)


def paired(old: Sequence[Target], new: Sequence[Target]) -> list[Pair]:
    """Pairs the blocks of two versions, those with the same text first."""
    return _rejoined(list(_pairs(old, new)))


def _pairs(old: Sequence[Target], new: Sequence[Target]) -> Iterator[Pair]:
    """Pairs the blocks of two versions: those with the same text, and between them the likest."""
    head, tail = _same_ends([block.text for block in old], [block.text for block in new])
    first, second = old[head : len(old) - tail], new[head : len(new) - tail]
    yield from map(Pair, old[:head], new[:head], repeat(None))
    beside = old[head - 1] if head else None
    for pair in _by_words(list(_by_texts(first, second)), first, second):
        yield replace(pair, beside=beside)
        beside = pair.old or beside
    yield from map(Pair, old[len(old) - tail :], new[len(new) - tail :], repeat(None))


def _by_texts(old: Sequence[Target], new: Sequence[Target]) -> Iterator[Pair]:
    matcher = difflib.SequenceMatcher(
        None, [block.text for block in old], [block.text for block in new], autojunk=False
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield from map(Pair, old[a:b], new[c:d], repeat(None))
        else:
            plain = [_pair(one, two) for one, two in _nearest(old[a:b], new[c:d])]
            yield from _by_words(plain, old[a:b], new[c:d])


def _by_words(
    plain: Sequence[Pair], old: Sequence[Target], new: Sequence[Target]
) -> Sequence[Pair]:
    """Pairs blocks by their words instead where fewer of them move from one to another so."""
    moved = _moved(plain)
    if not moved:
        return plain
    tied = list(_tied(old, new))
    return tied if tied and _moved(tied) < moved else plain


def _pair(old: Target | None, new: Target | None) -> Pair:
    changes = () if old is None or (new and new.text == old.text) else word_changes(old, new)
    return Pair(old, new, None, tuple(changes))


def _tied(old: Sequence[Target], new: Sequence[Target]) -> Iterator[Pair]:
    for tie in ties(old, new):
        one, two = old[tie.first : tie.end], new[tie.new_first : tie.new_end]
        if not tie.texts:
            yield from starmap(_pair, zip_longest(one, two))
        for target, text in zip(one, tie.texts, strict=False):
            yield Pair(target, None, None, tuple(word_changes(target, replace(target, text=text))))


def _moved(pairs: Sequence[Pair]) -> int:
    """Counts the words that go in one place and come in another."""
    gone, come = Counter[str](), Counter[str]()
    for pair in pairs:
        if pair.old is None:
            come.update(pair.new.text.split() if pair.new is not None else ())
        for change in pair.changes:
            gone.update(pair.old.text[change.start : change.end].split() if pair.old else ())
            come.update(change.text.split())
    return (gone & come).total()


def _rejoined(pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs the blocks that are read in another order but stand on their page as they did.

    A header is one because other pages have it too; where those change it is a paragraph.
    """
    lost: dict[tuple[int, str], list[int]] = {}
    for number, pair in enumerate(pairs):
        if pair.old is not None and pair.is_gone:
            lost.setdefault((pair.old.page, pair.old.text), []).append(number)
    rejoined: list[Pair | None] = list(pairs)
    for number, pair in enumerate(pairs):
        if lost and pair.old is None and pair.new is not None:
            numbers = lost.get((pair.new.page, pair.new.text))
            if numbers:
                first = numbers.pop(0)
                rejoined[first] = Pair(pairs[first].old, pair.new, None)
                rejoined[number] = None
    return [item for item in rejoined if item is not None]


def _same_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Counts what is the same at the beginning and at the end."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[len(old) - 1 - tail] == new[len(new) - 1 - tail]:
        tail += 1
    return head, tail


def _nearest(
    old: Sequence[Target], new: Sequence[Target]
) -> Iterator[tuple[Target | None, Target | None]]:
    """Pairs blocks in order: with the one most like it, with nothing where it went or is new."""
    if len(old) == len(new):
        yield from zip(old, new, strict=True)
        return
    at = 0
    for number, target in enumerate(old):
        # What is left over on the longer side is as much as a partner may be away.
        reach = max(1, len(new) - at - (len(old) - number) + 1)
        candidates = new[at : at + reach]
        ratios = [
            difflib.SequenceMatcher(None, target.text, other.text, autojunk=False).ratio()
            for other in candidates
        ]
        best = max(range(len(ratios)), key=ratios.__getitem__, default=0)
        if ratios and ratios[best] >= ALIKE:
            yield from ((None, other) for other in candidates[:best])
            yield target, candidates[best]
            at += best + 1
        else:
            yield target, None
    yield from ((None, other) for other in new[at:])


def word_changes(old: Target, new: Target | None) -> list[Change]:
    """Returns the smallest changes of words, or of marks of notes, that make one block another."""
    before = [Token(token) for token in _words(old)]
    after = [] if new is None else [Token(token) for token in _words(new)]
    starts = [0]
    for word in before:
        starts.append(starts[-1] + len(word.text))
    changes = [
        slid(
            old.text,
            Change(
                starts[hunk.start],
                starts[hunk.end],
                "".join(word.text for word in after[hunk.new_start : hunk.new_end]),
            ),
        )
        for hunk in hunks(before, after)
    ]
    # A mark may be part of a word in one of the versions only.
    return [token for token in changes if old.text[token.start : token.end] != token.text]


def _words(target: Target) -> Iterator[str]:
    """Yields the words of a block; the mark of a note is one by itself."""
    at = 0
    for mark in target.marks:
        yield from words_of(target.text[at : mark.start])
        yield target.text[mark.start : mark.end]
        at = mark.end
    yield from words_of(target.text[at:])
