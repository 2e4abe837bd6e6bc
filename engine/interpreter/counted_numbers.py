"""What a quoted number counts, where that stands outside of the quotes: `"30" days`, `"5"%`."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.engine.interpreter.commands import Address, Value
from redraft.engine.interpreter.measures import is_number
from redraft.engine.interpreter.sentences import Word, longest
from redraft.engine.interpreter.vocabulary import Language

_MOST_WORDS = 3
_GLUED = ("-", "%", "°")


def counted(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> tuple[list[Word], tuple[Value | Address, ...]] | None:
    """Put the words right behind a quoted number to it; None where there are none.

    They end at the next word of the grammar that is no noun: `"30" business days to …`.
    """
    measured: list[Word] = []
    known = list(values)
    position = 0
    while position < len(sentence):
        word = sentence[position]
        position += 1
        unit = ""
        number = values[word.value] if word.value is not None else None
        if isinstance(number, Value) and is_number(number.text):
            size = _size(sentence[position:], language)
            unit = _said(sentence[position : position + size])
            position += size
        if unit and isinstance(number, Value):
            known.append(Value(number.text, unit=unit))
            word = Word("", len(known) - 1)
        measured.append(word)
    return (measured, tuple(known)) if len(known) > len(values) else None


def _size(words: Sequence[Word], language: Language) -> int:
    """How many words may be a unit."""
    size = 0
    for word in words[:_MOST_WORDS]:
        _, meanings = longest(words[size : size + 6], language)
        is_plain = not word.is_lifted and word.text.strip("-%°").isalpha()
        is_sign = word.text in ("%", "°")
        if not (is_plain or is_sign) or (meanings and set(meanings) != {"noun"}):
            break
        size += 1
    return size


def _said(words: Sequence[Word]) -> str:
    text = " ".join(word.text for word in words)
    return text if not text or text.startswith(_GLUED) else f" {text}"
