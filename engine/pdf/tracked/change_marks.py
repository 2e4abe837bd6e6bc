"""Changes as marks within the inlines of a block: what is new there, and what went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from redraft.engine.inline_pieces import plain
from redraft.engine.model import Change, Inline, LineBreak, Link, NoteReference, Text


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """Characters [start, end) of a block came, where `gone` stood; one of them may be empty.

    `come` and `went` are the marks: who made it.
    """

    start: int
    end: int
    gone: str
    come: Change
    went: Change


@dataclass(slots=True)
class _Writer:
    """Writes inlines again, character by character of the text as it is drawn."""

    spots: Sequence[MarkedRange]
    at: int = 0
    told: set[int] = field(default_factory=set[int])

    def inlines(self, content: Sequence[Inline]) -> Iterator[Inline]:
        for inline in content:
            match inline:
                case Text():
                    yield from self._text(inline)
                case Link():
                    yield from self._gone()
                    yield replace(inline, content=tuple(self.inlines(inline.content)))
                case NoteReference():
                    yield from self._gone()
                    yield inline
                    self.at += len(inline.label)
                case LineBreak():
                    yield from self._gone()
                    yield inline
                    self.at += inline.kind == "line"
                case _:
                    yield from self._gone()
                    yield inline
                    self.at += len(plain((inline,)))

    def _text(self, inline: Text) -> Iterator[Text]:
        first, last = self.at, self.at + len(inline.text)
        edges = {edge for spot in self.spots for edge in (spot.start, spot.end)}
        cuts = sorted({first, last, *(edge for edge in edges if first < edge < last)})
        for start, end in pairwise(cuts):
            self.at = start
            yield from self._gone(inline)
            made = next((s for s in self.spots if s.start <= start and end <= s.end), None)
            text = inline.text[start - first : end - first]
            yield replace(inline, text=text, change=made.come if made else inline.change)
        self.at = last

    def _gone(self, beside: Text | None = None) -> Iterator[Text]:
        """Yields the words that went here, in the marks of what stands beside them."""
        for number, spot in enumerate(self.spots):
            if spot.gone and number not in self.told and spot.start <= self.at:
                self.told.add(number)
                like = Text("") if beside is None else beside
                yield replace(like, text=spot.gone, change=spot.went)

    def rest(self) -> Iterator[Text]:
        """Yields the words that went from the end."""
        self.at = max((spot.start for spot in self.spots), default=self.at)
        yield from self._gone()


def with_marks(content: Sequence[Inline], spots: Sequence[MarkedRange]) -> tuple[Inline, ...]:
    """Returns the inlines of a block with its changes, which are in order and do not overlap."""
    writer = _Writer(spots)
    inlines = list(writer.inlines(content))
    return (*inlines, *writer.rest())
