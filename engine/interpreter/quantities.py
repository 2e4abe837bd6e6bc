"""Numbers as people write them: `60`, `sixty`, `sixty (60)`; one is found by any of the others.

A contract says `sixty (60) days` and a person types `60 days -> 90 days`: the new number is written
as the old one stands in the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_ONES = tuple(_SMALL.split())
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_OTHERS = {
    "german": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "french": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
    "spanish": "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce",
}
_LARGEST = 999


def _english(number: int) -> str:
    if number < len(_ONES):
        return _ONES[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return _TENS[ten - 2] + (f"-{_ONES[one]}" if one else "")
    hundred, rest = divmod(number, 100)
    return f"{_ONES[hundred]} hundred" + (f" {_english(rest)}" if rest else "")


_WORDS: Mapping[str, tuple[str, ...]] = {
    "english": tuple(_english(number) for number in range(_LARGEST + 1)),
    **{name: tuple(words.split()) for name, words in _OTHERS.items()},
}
_NUMBERS: Mapping[str, int] = {
    word: number for words in _WORDS.values() for number, word in enumerate(words)
}
_SPOKEN = re.compile(
    r"(?<![\w.,/-])(?:(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?) \((?P<inner>\d{1,3})\)"
    r"|(?P<digits>\d{1,3})(?![\w.,:/%-]?\d|[%\w])"
    rf"|(?P<spoken>{'|'.join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))})(?![\w-]))",
    re.IGNORECASE,
)


def is_spoken(word: str) -> bool:
    """Whether a word is a number as people say it."""
    return word.casefold() in _NUMBERS


def variants(text: str) -> Iterator[str]:
    """Yields a text with its only number in the other ways in which it may be written.

    Nothing where there is no number or there are several.
    """
    numbers = list(_SPOKEN.finditer(text))
    if len(numbers) != 1:
        return
    match = numbers[0]
    for written in _written(_value(match)):
        if written.casefold() != match[0].casefold():
            yield text[: match.start()] + written + text[match.end() :]


def like(new: str, old: str) -> str:
    """Returns new words with their only number written in the way of the only one in the old."""
    numbers, standing = list(_SPOKEN.finditer(new)), list(_SPOKEN.finditer(old))
    if len(numbers) != 1 or len(standing) != 1 or numbers[0]["word"]:
        return new
    match, way = numbers[0], standing[0]
    value = _value(match)
    language = _language(way["word"] or way["spoken"] or "")
    spoken = _WORDS[language][value] if language and value < len(_WORDS[language]) else ""
    if not spoken:
        return new
    written = f"{spoken} ({value})" if way["word"] else spoken
    if way[0][:1].isupper():
        written = written[:1].upper() + written[1:]
    return new[: match.start()] + written + new[match.end() :]


def _value(match: re.Match[str]) -> int:
    digits = match["inner"] or match["digits"]
    return int(digits) if digits else _NUMBERS[match["spoken"].casefold()]


def _written(value: int) -> Iterator[str]:
    yield str(value)
    for words in _WORDS.values():
        if value < len(words):
            yield f"{words[value]} ({value})"
            yield words[value]


def _language(word: str) -> str:
    return next((name for name, words in _WORDS.items() if word.casefold() in words), "")
