"""Finding text in blocks, and showing the hits in wrapped lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from redraft.tui.text.runs import Line, Run, text_of

TOGETHER, APART, BROKEN = range(3)  # how a character stands to the one before it


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: words, or what fits a regular expression."""

    text: str = ""
    is_pattern: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a query stands: the block, which of the block's hits it is, from 0, and the words."""

    block: int
    number: int
    words: str


def spaced(text: str) -> str:
    """Return a text as it is searched: every stretch of white space is one space."""
    return " ".join(text.split())


def find(texts: Sequence[str], query: str) -> tuple[Hit, ...]:
    """Return every hit in order, without regard to case; any white space equals any other."""
    wanted = spaced(query.casefold())
    if not wanted:
        return ()
    hits: list[Hit] = []
    for index, text in enumerate(texts):
        folded = text.casefold()
        if not folded.isascii() or any(space in folded for space in ("\n", "\t", "  ")):
            folded = spaced(folded)
        count = folded.count(wanted)
        hits.extend(Hit(index, number, wanted) for number in range(count))
    return tuple(hits)


class Marked:
    """The hits of one block in its wrapped lines.

    Lines were broken, at spaces or in long words, and got prefixes. So hits are looked for in the
    characters without white space, and then it is seen whether spaces stand where they should.
    """

    def __init__(self, wrapped: Sequence[Line], words: Sequence[str], current: int) -> None:
        """Find the hits.

        Args:
            wrapped: All lines of the block.
            words: The words of each hit, in order.
            current: Which of them is the one the person stands on; -1 for none.
        """
        texts = [text_of(line) for line in wrapped]
        self._starts = [0, *accumulate(len(_dense(text)) for text in texts)]
        self._roles: dict[int, str] = {}
        for number, (start, end) in enumerate(_places(texts, words)):
            role = "current" if number == current else "match"
            self._roles.update(dict.fromkeys(range(start, end), role))

    def coloured(self, line: Line, offset: int) -> Line:
        """Return a line of the block, given its number, with its hits in their colour."""
        start, end = self._starts[offset], self._starts[offset + 1]
        if not any(at in self._roles for at in range(start, end)):
            return line
        return _coloured(line, self._roles, start)


def _places(texts: Sequence[str], words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where hits begin and end; one that is not to be seen is nowhere."""
    gaps = list(_gaps(texts))
    whole = "".join(_dense(text) for text in texts)
    after = 0
    for hit in words:
        dense = _dense(hit)
        apart = [gap == APART for gap in _gaps([hit])]
        start = _place(whole, gaps, dense, apart, after)
        if start < 0:  # the lines of a table's cells stand beside each other
            start = _place(whole, gaps, dense, apart, 0)
        if start >= 0:
            after = start + len(dense)
        yield (start, start + len(dense)) if start >= 0 else (0, 0)


def _place(whole: str, gaps: list[int], dense: str, apart: list[bool], after: int) -> int:
    start = whole.find(dense, after)
    while start >= 0:
        between = zip(gaps[start + 1 : start + len(dense)], apart[1:], strict=True)
        if all(gap == BROKEN or (gap == APART) == is_apart for gap, is_apart in between):
            return start
        start = whole.find(dense, start + 1)
    return -1


def _gaps(texts: Sequence[str]) -> Iterator[int]:
    """Yield for each character that is no space how it stands to the one before it."""
    for text in texts:
        gap = BROKEN
        for character in text:
            if character.isspace():
                gap = gap or APART
                continue
            yield gap
            for _ in range(len(_dense(character)) - 1):
                yield TOGETHER
            gap = TOGETHER


def _dense(text: str) -> str:
    return "".join(text.casefold().split())


def _coloured(line: Line, roles: dict[int, str], position: int) -> Line:
    """Split runs where a hit begins or ends; `roles` counts characters without white space."""
    drawn: list[Run] = []
    last = ""
    for run in line:
        for character in run.text:
            size = len(_dense(character))
            role = roles.get(position, "") if size else last
            shown = role or run.role
            if drawn and drawn[-1].role == shown and drawn[-1].flags == run.flags:
                drawn[-1] = drawn[-1]._replace(text=drawn[-1].text + character)
            else:
                drawn.append(Run(character, shown, run.flags))
            last = role if roles.get(position + size, "") else ""
            position += size
    return tuple(drawn)
