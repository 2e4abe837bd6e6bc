"""A text that must go, looked for however it is written: cut by lines, spaced, in other quotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from redraft.engine.errors import PlanError
from redraft.engine.plan import Redact

SHORTEST: Final = 2
_FOLDED: Final = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2033": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
    }
)  # fmt: skip
# What may stand between two letters of a word, and between two words; a line ends with \n. Only
# a long word is looked for over the end of a line without a hyphen: others would be found in
# what two lines end and begin with.
_UNSEEN: Final = "[\u00ad\u200b\u200c\u200d\u2060]*"
_LONG: Final = 5
_BETWEEN: Final = "[\\s\u00ad\u200b]*"


def folded(text: str) -> str:
    """Returns a text in the form in which it is looked for; it may be longer than what it was."""
    return unicodedata.normalize("NFKC", text).translate(_FOLDED)


def _letters(word: str) -> str:
    hyphen = "-?" if len(word) >= _LONG else "-"
    return f"{_UNSEEN}(?:{hyphen}\n)?{_UNSEEN}".join(re.escape(char) for char in word)


@dataclass(frozen=True)
class Wanted:
    """What is to be redacted."""

    operation: Redact

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The expression that finds it in a folded text."""
        words = folded(self.operation.find).split()
        body = _BETWEEN.join(_letters(word) for word in words)
        if self.operation.whole_word:
            body = rf"(?<!\w){body}(?!\w)"
        flags = re.NOFLAG if self.operation.match_case else re.IGNORECASE
        return re.compile(body, flags)

    def check(self) -> None:
        """Says nothing where it can be looked for.

        Raises:
            PlanError: it has less than two characters.
        """
        if len("".join(folded(self.operation.find).split())) < SHORTEST:
            raise PlanError("find: name at least two characters to be redacted")

    def stands_in(self, text: str) -> bool:
        """Whether it stands in a text."""
        return self.pattern.search(folded(text)) is not None

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yields where it stands, as characters [start, end) of the text as it is."""
        pieces = [folded(char) for char in text]
        owners = [number for number, piece in enumerate(pieces) for _ in piece]
        for hit in self.pattern.finditer("".join(pieces)):
            yield owners[hit.start()], owners[hit.end() - 1] + 1

    def without(self, text: str) -> str:
        """Returns a text with blocks in its place."""
        parts: list[str] = []
        at = 0
        for start, end in self.spans(text):
            parts += [text[at:start], "\u2588" * (end - start)]
            at = end
        return "".join((*parts, text[at:]))
