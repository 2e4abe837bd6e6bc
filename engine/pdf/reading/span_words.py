"""Spans cut into words, where MuPDF says that its words stand.

A span's words are asked for a page at a time and cost what its spans cost; characters cost ten
times that, and nothing here needs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple

from redraft.engine.pdf.mupdf import Corners, MuText, RawSpan, RawWord

_PIECE = re.compile(r"\S*\s|\S+")
_BETWEEN = re.compile("[\x00-\x20\xa0\u202a-\u202e]")  # what MuPDF counts to no word


class Piece(NamedTuple):
    """Characters of a span, where they stand, and where they do without the space after them."""

    text: str
    box: Corners
    ink: Corners


@dataclass(slots=True)
class Words:
    """The words of a page by the block and line they stand in, both counted from 0."""

    text: MuText
    _held: dict[tuple[int, int], list[RawWord]] | None = field(default=None, init=False)

    def of(self, block: int, line: int) -> list[RawWord]:
        """Returns the words of a line in the order of its characters."""
        if self._held is None:
            self._held = {}
            for word in self.text.extractWORDS():
                self._held.setdefault((word[5], word[6]), []).append(word)
        return self._held.get((block, line), [])


def pieces(spans: Sequence[RawSpan], words: Sequence[RawWord]) -> list[list[Piece]]:
    """Cuts the spans of a line behind every white space.

    Returns:
        The pieces of each span; a span whole where the words are not its own.
    """
    inks = [_BETWEEN.sub("", span["text"]) for span in spans]
    if not words or "".join(inks) != "".join([word[4] for word in words]):
        return [[Piece(span["text"], span["bbox"], span["bbox"])] for span in spans]
    places = _Places(words, list(accumulate([len(word[4]) for word in words], initial=0)))
    starts = accumulate([len(ink) for ink in inks], initial=0)
    return [list(_pieces(span, start, places)) for span, start in zip(spans, starts, strict=False)]


@dataclass(slots=True)
class _Places:
    """Words of a line, and at which character of its ink each begins; the end comes last.

    `at` is the word that holds the last character asked for: what is asked for goes from the first
    character to the last.
    """

    words: Sequence[RawWord]
    starts: Sequence[int]
    at: int = 0

    def box(self, start: int, end: int, within: Corners) -> Corners:
        """Returns where characters stand.

        `within` is the box of their span, and more than one word's.

        Of a word that is only in part meant, an end is known as long as the span ends there too.
        """
        starts, at = self.starts, self.at
        while starts[at + 1] <= start:
            at += 1
        x0, y0, x1, y1, *_ = self.words[at]
        while starts[at + 1] < end:
            at += 1
            word = self.words[at]
            x0, y0 = min(x0, word[0]), min(y0, word[1])
            x1, y1 = max(x1, word[2]), max(y1, word[3])
        self.at = at
        left, top, right, bottom = within
        return (
            x0 if x0 > left else left,
            y0 if y0 > top else top,
            x1 if x1 < right else right,
            y1 if y1 < bottom else bottom,
        )


def _inked(text: str) -> int:
    """Counts the characters of a piece that are of a word."""
    if text.isascii() and text.isprintable():
        return len(text) - text.endswith(" ")
    return len(_BETWEEN.sub("", text))


def _pieces(span: RawSpan, start: int, places: _Places) -> Iterator[Piece]:
    texts = _PIECE.findall(span["text"])
    inks: list[Corners | None] = []
    for text in texts:
        length = _inked(text)
        inks.append(places.box(start, start + length, span["bbox"]) if length else None)
        start += length
    left, y0, x1, y1 = span["bbox"]
    inks.append((x1, y0, x1, y1))
    for text, (ink, after) in zip(texts, pairwise(inks), strict=True):
        right = after[0] if after else left
        if ink is None:
            box = left, y0, max(left, right), y1
        elif 0 < right - ink[2] < ink[3] - ink[1]:
            box = ink[0], ink[1], right, ink[3]
        else:
            box = ink
        yield Piece(text, box, ink or box)
        left = box[2]
