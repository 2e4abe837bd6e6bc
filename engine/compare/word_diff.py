"""What differs between the readings of two documents, word by word, for people to look at.

The readings are Markdown, a passage a line. This is no redline: nothing is written, any two files
that can be read are compared, and formatting counts where Markdown says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from redraft.engine.compare.alignment import Item, align
from redraft.engine.diff import Token, hunks, is_word, tokens

Kind: TypeAlias = Literal["same", "struck", "written"]
_LEFT_OUT: Final = 1


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a passage that both versions have, or only the first, or only the second."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of the readings: its numbers in both, from 1, 0 where it is not, and what it says."""

    old: int
    new: int
    spans: tuple[Span, ...]

    @property
    def is_changed(self) -> bool:
        """Whether anything in it differs."""
        return any(span.kind != "same" for span in self.spans)

    def words(self, kind: Kind) -> int:
        """Returns how many words are struck or written in it."""
        return sum(
            is_word(word) for span in self.spans if span.kind == kind for word in tokens(span.text)
        )


def passages(old: str, new: str) -> tuple[Passage, ...]:
    """Returns the lines of two texts in order, each with what differs in it, without empty lines.

    Args:
        old: The first reading.
        new: The second.
    """
    first, second = _lines(old), _lines(new)
    pairs = align([_item(text) for _, text in first], [_item(text) for _, text in second])
    found: list[Passage] = []
    for pair in pairs:
        number, text = (0, "") if pair.old is None else first[pair.old]
        other, wanted = (0, "") if pair.new is None else second[pair.new]
        found.append(Passage(number, other, tuple(_spans(text, wanted))))
    return tuple(found)


def shown(found: Sequence[Passage], around: int = _LEFT_OUT) -> list[list[Passage]]:
    """Returns the changed passages in groups, each with some unchanged ones around it.

    Args:
        found: All passages.
        around: How many unchanged ones on each side.
    """
    near = {
        at
        for index, passage in enumerate(found)
        if passage.is_changed
        for at in range(index - around, index + around + 1)
    }
    groups: list[list[Passage]] = []
    last = -1
    for index, passage in enumerate(found):
        if index in near:
            if last != index - 1 or not groups:
                groups.append([])
            groups[-1].append(passage)
            last = index
    return groups


def _lines(text: str) -> list[tuple[int, str]]:
    return [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _item(text: str) -> Item:
    return Item(text, text, "line")


def _spans(old: str, new: str) -> list[Span]:
    if old == new:
        return [Span("same", old)]
    before, after = tokens(old), tokens(new)
    spans: list[Span] = []
    at = 0
    for hunk in hunks([Token(word) for word in before], [Token(word) for word in after]):
        spans += [
            Span("same", "".join(before[at : hunk.start])),
            Span("struck", "".join(before[hunk.start : hunk.end])),
            Span("written", "".join(after[hunk.new_start : hunk.new_end])),
        ]
        at = hunk.end
    spans.append(Span("same", "".join(before[at:])))
    return [span for span in spans if span.text]
