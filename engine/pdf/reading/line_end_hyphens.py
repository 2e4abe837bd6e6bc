"""Does a hyphen at the end of a line belong to its word, or did it only break one?

No line says so by itself. The document does: by the words it writes within lines, and by whether
it ever breaks a word where that would have filled a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from redraft.engine.pdf.reading.layout import Line

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BREAK = re.compile(r"[^\W\d_][-\u2010]$")
_LONG = re.compile(r"[^\W\d_A-Z]{8}")
_FILLING = 6  # letters: room for so many was left where a long word could have been broken
_FEW = 2
_SHORTEST = 4
_WIDEST = 0.3  # of the lines together; what is left free beyond was left free on purpose
_SPACED = 2.0


@dataclass(slots=True)
class LineEndHyphens:
    """What a document writes within its lines, and how it breaks them.

    `words` are those within lines; `first` and `last` the parts of those with hyphens.
    """

    words: set[str] = field(default_factory=set[str])
    first: set[str] = field(default_factory=set[str])
    last: set[str] = field(default_factory=set[str])
    _broken: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _unbroken: int = 0
    _is_breaking: bool = False
    _is_clear: bool = False

    @staticmethod
    def of(groups: Iterable[Sequence[Line]]) -> LineEndHyphens:
        """Learns from the lines of a document, as its pages keep them together."""
        made = LineEndHyphens()
        for lines in groups:
            made._add(lines)
        compounds = [word.split("-") for word in made.words if "-" in word]
        made.first = {parts[0] for parts in compounds}
        made.last = {parts[-1] for parts in compounds}
        breaks = [pair for pair in made._broken if "-".join(pair) not in made.words]
        made._is_breaking = not made._unbroken or len(breaks) > made._unbroken
        made._is_clear = len(breaks) > _FEW or any("".join(pair) in made.words for pair in breaks)
        return made

    def _add(self, lines: Sequence[Line]) -> None:
        text = "\n".join([line.text for line in lines]) + "\n"
        if "-\n" not in text and "\u2010\n" not in text and "- \n" not in text:
            words = _WORD.findall(text.lower())
            # What goes on from another column may begin with a part of a word.
            self.words.update(words[1:] if text.lstrip()[:1].islower() else words)
        else:
            self._add_broken([line.text.strip().lower() for line in lines])
        right = max((line.box.x1 for line in lines), default=0.0)
        width = right - min((line.box.x0 for line in lines), default=0.0)
        for before, after in pairwise(lines):
            room = right - before.box.x1
            if before.size < room < _WIDEST * width and _is_next(before, after):
                letters = after.box.width / max(1, len(after.text.strip()))
                is_long = _LONG.match(after.text.lstrip()) is not None
                self._unbroken += is_long and room > _FILLING * letters

    def _add_broken(self, texts: Sequence[str]) -> None:
        """Adds the words of lines, but for those that a line end cuts."""
        cut: str | None = None
        for text, after in zip(texts, (*texts[1:], ""), strict=True):
            words = _WORD.findall(text)
            if cut is not None and words:
                self._broken.append((cut, words.pop(0)))
            is_cut = _BREAK.search(text) and (not after or after[0].isalpha())
            cut = words.pop() if words and is_cut else None
            self.words.update(words)

    def stays(self, before: str, after: str) -> bool:
        """Whether the hyphen at the end of `before` is part of a word that goes on in `after`."""
        heads = _WORD.findall(before[:-1].rpartition(" ")[2].lower())
        tails = _WORD.match(after.lower())
        head, tail = heads[-1] if heads else "", tails[0] if tails else ""
        if head + tail in self.words:
            return False
        if f"{head}-{tail}" in self.words or not self._is_breaking:
            return True
        is_known = (
            len(head) >= _SHORTEST and head in self.words,
            len(tail) >= _SHORTEST and tail in self.words,
        )
        if not self._is_clear and (any(is_known) or head in self.first):
            return True
        is_long = min(len(head), len(tail)) >= _SHORTEST
        is_alike = (head in self.first and is_known[1]) or (tail in self.last and is_known[0])
        return is_long and is_alike


def _is_next(before: Line, after: Line) -> bool:
    """Whether a line stands right below another, in the same size and at the same left edge."""
    if abs(before.size - after.size) > 0.6 or abs(before.box.x0 - after.box.x0) > 2:
        return False
    return 0 < after.box.y0 - before.box.y0 < _SPACED * before.size and not before.has_tab
