"""Places in blocks of a PDF, whose text has the marks of notes as they are drawn, told otherwise.

A mark is one character, `MARK`, whatever it looks like: so texts of the PDF and of the Word
document that is made of it can be held against each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from redraft.engine.locate import find
from redraft.engine.pdf.compare.comparison import Difference
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import Cited, Target
from redraft.engine.transcript.notes import MARK, Folded

_WORD: Final = re.compile(rf"[^\s{MARK}]+")


class Marking:
    """Knows which marks of a document came out as marks of its notes."""

    def __init__(self, base: Folded) -> None:
        self._cited = base.cited
        self._ids = {anchor: number for number, anchor in enumerate(base.cited, start=1)}
        notes = (note for note in base.document.stories if note.anchor in base.count.own)
        self._own = {note.blocks[0].anchor: len(note.label) + 1 for note in notes}

    def marked(self, part: Difference) -> Change:
        """Returns where a change of the text as it is drawn is in the text with its marks."""
        start, end = self._place(part.target, part.start), self._place(part.target, part.end)
        return Change(start, end, part.after)

    def struck(self, part: Difference) -> Iterator[str]:
        """Yields the notes whose marks a change strikes."""
        for mark in self._kept(part.target):
            if part.start <= mark.start and mark.end <= part.end:
                yield mark.anchor

    def name(self, note: str) -> str:
        """Returns the anchor that a note of the PDF has in the Word document."""
        return f"fn{self._ids[note]}"

    def _kept(self, target: Target) -> list[Cited]:
        """Returns the first mark of each note that the block is the first to cite."""
        first_marks: dict[str, Cited] = {}
        for mark in target.marks:
            if mark.anchor and self._cited.get(mark.anchor) == target.anchor:
                first_marks.setdefault(mark.anchor, mark)
        return list(first_marks.values())

    def _place(self, target: Target, at: int) -> int:
        shift = self._own.get(target.anchor, 0)
        for mark in self._kept(target):
            if mark.start < at:
                shift -= min(at, mark.end) - mark.start - 1
        if self._cited:
            for head in (cited for cited in target.marks if not cited.anchor):
                shift -= min(at, head.end)
        return at + shift


def segments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yields the stretches of a place between marks of notes, without empty ones."""
    for match in re.finditer(rf"[^{MARK}]+", text[start:end]):
        yield start + match.start(), start + match.end()


def parted(text: str, changes: Iterable[Change]) -> Iterator[tuple[int, int, list[Change]]]:
    """Groups changes by the stretches between marks, with the first and last place of each.

    What replaces words with marks among them stands before the first mark.
    """
    by_stretch: dict[int, list[Change]] = {}
    for change in changes:
        at, new = change.start, change.text
        for old in text[change.start : change.end].split(MARK):
            if old or new:
                number = text.count(MARK, 0, at)
                by_stretch.setdefault(number, []).append(Change(at, at + len(old), new))
            at, new = at + len(old) + 1, ""
    ends = [-1, *(match.start() for match in re.finditer(MARK, text)), len(text)]
    for number, inside in by_stretch.items():
        yield ends[number] + 1, ends[number + 1], inside


def widened(text: str, bounds: tuple[int, int], start: int, end: int) -> tuple[int, int]:
    """Takes in the whole words at both ends of a place, or the nearest of those beside it.

    They are within bounds, unless no words are there.
    """
    words = [match.span() for match in _WORD.finditer(text, *bounds)]
    taken = [(a, b) for a, b in words if a <= end and start <= b]
    if not taken:
        words = words or [match.span() for match in _WORD.finditer(text)]
        taken = sorted(words, key=lambda span: min(abs(span[0] - end), abs(span[1] - start)))[:1]
    return min([start, *(a for a, _ in taken)]), max([end, *(b for _, b in taken)])


def occurrence(text: str, start: int, end: int) -> int:
    """Counts which of the places with these words is this one, as they are read without marks."""
    plain = text.replace(MARK, "")
    hits = [hit[0] for hit in find(plain, text[start:end].replace(MARK, ""))]
    at = start - text.count(MARK, 0, start)
    return hits.index(at) + 1 if at in hits else 1


def is_whole(text: str, changes: Sequence[Change]) -> bool:
    """Returns whether changes delete all words of a text."""
    left = text
    for change in sorted(changes, key=lambda part: -part.start):
        left = left[: change.start] + change.text + left[change.end :]
    return not left.strip()
