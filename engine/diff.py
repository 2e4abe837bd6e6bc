"""The smallest change a reader accepts: a diff by words, cleaned of crumbs.

Texts are cut into tokens (words, single blanks, single marks of punctuation; one character each
for scripts without blanks). The raw diff is Myers' (diff-match-patch, a character per token). Then

- short words and marks kept between two longer changes are given up, so that no crumbs remain,
- a change that can slide between equal tokens goes where a reader would put it: to a word's start,
- a sentence of which more than 60 % of the words change is struck and written whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, cast

from diff_match_patch import diff_match_patch  # pyright: ignore[reportMissingTypeStubs]

SENTENCE_SHARE: Final = 0.6
SENTENCE_WORDS: Final = 6
MOST_TOKENS: Final = 1600
MOST_SLIDES: Final = 64

_ASCII = re.compile(r"[A-Za-z0-9_]+(?:['.,][A-Za-z0-9_]+)*|.", re.DOTALL)
_INNER = frozenset("'\u2019.,")
_STOPS_CJK = frozenset("\u3002\uff01\uff1f")
_CLOSERS = frozenset(")\"'\u201d\u2019\u00bb")
_JOINERS = frozenset("\u200c\u200d")
# Scripts written without blanks between words: Thai to Khmer, kana, Han, compatibility Han.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3040, 0x31FF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


class Token(NamedTuple):
    """A symbol of a diff: its characters, and what else must be equal (formatting, identity)."""

    text: str
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Hunk:
    """Old tokens [start, end) become new tokens [new_start, new_end); one side may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


def tokens(text: str) -> list[str]:
    """Cuts a text into words, single blanks and single marks of punctuation.

    Nothing is lost: joined, they are the text. A number with its separators is one word, and so is
    one with an apostrophe inside; a letter takes its combining marks and joiners along.
    """
    if text.isascii():
        return [word for run in _ASCII.findall(text) for word in _numeric(run)]
    return list(_scan(text))


def _numeric(word: str) -> tuple[str, ...] | list[str]:
    """Keeps separators only inside numbers, apostrophes only inside words."""
    if len(word) == 1 or ("." not in word and "," not in word):
        return (word,)
    parts = re.split(r"([.,])", word)
    numbers = [parts[0]]
    for mark, part in zip(parts[1::2], parts[2::2], strict=True):
        if numbers[-1][-1:].isdigit() and part[:1].isdigit():
            numbers[-1] += mark + part
        else:
            numbers += [mark, part]
    return numbers


@lru_cache(maxsize=8192)
def _kind(char: str) -> str:
    """What a character is: `w` word, `m` joins what stands before it, `i` alone, ` ` blank, `p`."""
    if (
        unicodedata.category(char)[0] == "M"
        or char in _JOINERS
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    ):
        return "m"
    if char.isspace():
        return " "
    point = ord(char)
    if any(low <= point <= high for low, high in _UNSPACED):
        return "i"
    return "w" if char.isalnum() or char == "_" else "p"


def _scan(text: str) -> Iterator[str]:
    start, end = 0, len(text)
    while start < end:
        kind = _kind(text[start])
        at = start + 1
        while at < end:
            follows = _kind(text[at])
            joined = text[at - 1] == "\u200d" and follows == "p"
            inside = (
                kind == "w"
                and text[at] in _INNER
                and at + 1 < end
                and _is_inner(text[at - 1], text[at], text[at + 1])
            )
            if follows == "m" or joined or (kind == follows == "w") or inside:
                at += 1
            else:
                break
        yield text[start:at]
        start = at


def _is_inner(before: str, mark: str, after: str) -> bool:
    if mark in ".,":
        return before.isdigit() and after.isdigit()
    return _kind(after) == "w"


def is_word(text: str) -> bool:
    """Returns whether a token is a word: it begins with a letter, a digit or an ideograph."""
    return _kind(text[0]) in "wi" if text else False


def hunks(old: Sequence[Token], new: Sequence[Token], *, sentences: bool = True) -> list[Hunk]:
    """Returns the changes that turn `old` into `new`, in order, each between tokens that are kept.

    With `sentences` a sentence is struck whole when most of its words change.
    """
    changes = _without_crumbs(old, new, _raw(old, new))
    for index in range(len(changes)):
        changes[index] = _slid(old, new, changes, index)
    return _whole_sentences(old, changes) if sentences else changes


def _raw(old: Sequence[Token], new: Sequence[Token]) -> list[Hunk]:
    """Myers' diff of the middle, after shared ends were trimmed."""
    head = 0
    shorter = min(len(old), len(new))
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if not a and not b:
        return []
    if not a or not b:
        return [Hunk(head, head + len(a), head, head + len(b))]
    if len(a) + len(b) > MOST_TOKENS:
        return list(_by_sentences(a, b, head))
    return list(_myers(a, b, head, head))


def _myers(
    a: Sequence[Hashable], b: Sequence[Hashable], start: int, new_start: int
) -> Iterator[Hunk]:
    symbols: dict[Hashable, str] = {}
    first, second = (
        "".join([symbols.setdefault(item, chr(len(symbols) + 1)) for item in side])
        for side in (a, b)
    )
    engine = diff_match_patch()
    engine.Diff_Timeout = 0
    pieces = cast(
        "list[tuple[int, str]]",
        engine.diff_main(first, second, False),  # pyright: ignore[reportUnknownMemberType]
    )
    at, new_at = start, new_start
    struck = written = 0
    for kind, piece in pieces:
        if kind < 0:
            struck += len(piece)
        elif kind > 0:
            written += len(piece)
        else:
            if struck or written:
                yield Hunk(at, at + struck, new_at, new_at + written)
            at += struck + len(piece)
            new_at += written + len(piece)
            struck = written = 0
    if struck or written:
        yield Hunk(at, at + struck, new_at, new_at + written)


def _by_sentences(a: Sequence[Token], b: Sequence[Token], head: int) -> Iterator[Hunk]:
    """For long texts: whole sentences first, then words where few sentences differ."""
    first, second = _cut(a), _cut(b)
    if len(first) + len(second) > MOST_TOKENS:
        yield Hunk(head, head + len(a), head, head + len(b))
        return
    texts = ([tuple(a[s:e]) for s, e in first], [tuple(b[s:e]) for s, e in second])
    for hunk in _myers(texts[0], texts[1], 0, 0):
        at = first[hunk.start][0] if hunk.start < len(first) else len(a)
        end = first[hunk.end - 1][1] if hunk.end > hunk.start else at
        new_at = second[hunk.new_start][0] if hunk.new_start < len(second) else len(b)
        new_end = second[hunk.new_end - 1][1] if hunk.new_end > hunk.new_start else new_at
        if end - at + new_end - new_at > MOST_TOKENS or at == end or new_at == new_end:
            yield Hunk(head + at, head + end, head + new_at, head + new_end)
        else:
            yield from _myers(a[at:end], b[new_at:new_end], head + at, head + new_at)


def _cut(line: Sequence[Token]) -> list[tuple[int, int]]:
    """Spans of sentences that together cover the line, blanks with the sentence before them."""
    starts = [0]
    for index in range(1, len(line)):
        if _begins_sentence(line, index):
            starts.append(index)
    return list(zip(starts, [*starts[1:], len(line)], strict=True))


def _begins_sentence(line: Sequence[Token], index: int) -> bool:
    before = line[index - 1].text
    if before == "\n" or before in _STOPS_CJK:
        return True
    if not before.isspace() or line[index].text.isspace():
        return False
    back = index - 1
    while back >= 0 and (line[back].text.isspace() or line[back].text in _CLOSERS):
        back -= 1
    return back >= 0 and line[back].text in ".!?"


def _size(line: Sequence[Token], start: int, end: int) -> int:
    return sum(len(line[index].text) or 1 for index in range(start, end))


def _without_crumbs(old: Sequence[Token], new: Sequence[Token], changes: list[Hunk]) -> list[Hunk]:
    """Joins changes over kept blanks and punctuation no longer than the change on either side.

    Kept words must be at most half as long: a reader would rather see a word stand than find it
    struck and written again.
    """
    joined: list[tuple[Hunk, int]] = []

    def weight(hunk: Hunk) -> int:
        return max(_size(old, hunk.start, hunk.end), _size(new, hunk.new_start, hunk.new_end))

    for hunk in changes:
        current, size = hunk, weight(hunk)
        while joined:
            before, before_size = joined[-1]
            kept = range(before.end, current.start)
            gap = _size(old, kept.start, kept.stop)
            if any(is_word(old[index].text) for index in kept):
                gap *= 2
            if gap > min(before_size, size):
                break
            joined.pop()
            current = Hunk(before.start, current.end, before.new_start, current.new_end)
            size = weight(current)
        joined.append((current, size))
    return [_trimmed(old, new, hunk) for hunk, _ in joined]


def _trimmed(old: Sequence[Token], new: Sequence[Token], hunk: Hunk) -> Hunk:
    start, end, new_start, new_end = hunk.start, hunk.end, hunk.new_start, hunk.new_end
    while start < end and new_start < new_end and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
        end, new_end = end - 1, new_end - 1
    return Hunk(start, end, new_start, new_end)


def _slid(old: Sequence[Token], new: Sequence[Token], changes: list[Hunk], index: int) -> Hunk:
    """Moves a pure insertion or deletion between equal tokens to where a word begins."""
    hunk = changes[index]
    inserted = hunk.start == hunk.end
    if not inserted and hunk.new_start != hunk.new_end:
        return hunk
    line = new if inserted else old
    start, end = (hunk.new_start, hunk.new_end) if inserted else (hunk.start, hunk.end)
    left_wall = changes[index - 1].end + 1 if index else 0
    right_wall = changes[index + 1].start - 1 if index + 1 < len(changes) else len(old)
    lowest = max(left_wall - hunk.start, -MOST_SLIDES)
    highest = min(right_wall - hunk.end, MOST_SLIDES)
    left = 0
    while left > lowest and line[start + left - 1] == line[end + left - 1]:
        left -= 1
    right = 0
    while right < highest and line[start + right] == line[end + right]:
        right += 1
    best = max(range(left, right + 1), key=lambda by: (_ease(line, start + by, end + by), -abs(by)))
    return Hunk(hunk.start + best, hunk.end + best, hunk.new_start + best, hunk.new_end + best)


def _ease(line: Sequence[Token], start: int, end: int) -> int:
    """Returns how naturally line[start:end] reads as one change."""
    score = 0
    if start == 0 or line[start - 1].text.isspace():
        score += 1
        if start == 0 or _begins_sentence(line, start):
            score += 1
    if line[end - 1].text.isspace() or end == len(line) or not is_word(line[end].text):
        score += 1
    return score - line[start].text.isspace()


def _whole_sentences(old: Sequence[Token], changes: list[Hunk]) -> list[Hunk]:
    """Strikes a sentence whole when more than 60 % of its words are struck.

    A change may cross the end of a sentence. It counts for both sentences with the words that it
    strikes in each, and a sentence that is struck whole takes it along: the hunks stay in order,
    disjoint, and apart by at least one kept token.
    """
    whole: list[Hunk] = []
    waiting = list(reversed(changes))
    for start, end in _cut(old):
        stop = end
        while stop > start and old[stop - 1].text.isspace():
            stop -= 1
        touching: list[Hunk] = []
        if whole and whole[-1].end > start:  # it began in a sentence before this one
            touching.append(whole.pop())
        while waiting and waiting[-1].start < max(stop, start + 1):
            touching.append(waiting.pop())
        for hunk in _sentence(old, touching, start, stop):
            _append(whole, hunk)
    for hunk in reversed(waiting):
        _append(whole, hunk)
    return whole


def _sentence(old: Sequence[Token], touching: list[Hunk], start: int, stop: int) -> list[Hunk]:
    """Joins the changes that touch old[start:stop] when they strike most of its words."""
    words = sum(is_word(old[index].text) for index in range(start, stop))
    if len(touching) < 2 or words < SENTENCE_WORDS:
        return touching
    struck = sum(
        is_word(old[index].text)
        for hunk in touching
        for index in range(max(hunk.start, start), min(hunk.end, stop))
    )
    if struck <= SENTENCE_SHARE * words:
        return touching
    first, last = touching[0], touching[-1]
    start, stop = min(start, first.start), max(stop, last.end)
    return [
        Hunk(
            start,
            stop,
            first.new_start - (first.start - start),
            last.new_end + (stop - last.end),
        )
    ]


def _append(changes: list[Hunk], hunk: Hunk) -> None:
    """Appends a change, as one with the last where nothing is kept between them."""
    if changes and changes[-1].end == hunk.start:
        last = changes.pop()
        hunk = Hunk(last.start, hunk.end, last.new_start, hunk.new_end)
    changes.append(hunk)
