"""Numbers and what they count: `change "30" days to "45"`, `change 30 days to 45`.

Where only one side says what is counted, it stays as it stands in the document. A number that would
lose it, or say it twice, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.commands import Value
from redraft.engine.interpreter.lines import folded
from redraft.engine.interpreter.search import Hit

_AMOUNT = re.compile(
    r"(?P<sign>(?:[^\W\d_]+ ){0,3}[$€£¥]?\s?)(?P<number>\d+(?:[.,:]\d+)*)"
    r"(?P<unit>\s?%|\s?[$€£¥]|(?:[ -][^\W\d_]+){0,3})"
)
_NUMBER = re.compile(
    r"[$€£¥]?\s?\d+(?:[.,:]\d+)*\s?%?|[^\W\d_]+(?:[ -][^\W\d_]+)* \(\d+(?:[.,]\d+)*\)"
)
_YEAR = re.compile(r"[^\W\d_]\w*\.?,? (?:19|20)\d\d$")
_WORD = re.compile(r"[^\W\d_]+")
# How far behind a number its unit may stand: 30 calendar days.
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with the sign before it and the unit behind it, blanks included."""

    sign: str
    number: str
    unit: str

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.sign}{self.number}{self.unit}"

    @property
    def is_bare(self) -> bool:
        """Whether it does not say what it counts."""
        return not self.sign and not self.unit


def is_number(text: str) -> bool:
    """Whether words are a number and nothing else: `30`, `$1,200`, `thirty (30)`."""
    return _NUMBER.fullmatch(text) is not None


def measure(value: Value) -> Measure | None:
    """Part a number from what it counts; None for other words, and for all that is in quotes."""
    if value.unit:
        return Measure("", value.text, value.unit)
    amount = None if value.is_quoted else _AMOUNT.fullmatch(value.text)
    return Measure(amount["sign"], amount["number"], amount["unit"]) if amount else None


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is looked for, and how a hit of it and its new words are put together."""

    quote: str
    narrowed: Callable[[Hit], tuple[Hit, str]]
    # Of several hits those are meant which already count the same.
    preferred: Callable[[Hit], bool]


def exchange(find: Value, by: Value) -> Exchange | None:
    """Read a number for a number; None where the words are taken as they are.

    Raises:
        RefusedError: What the number counts would be lost.
    """
    old, new = measure(find), measure(by)
    if not find.is_quoted and _YEAR.search(find.text) and not _YEAR.search(by.text) and by.text:
        message = (
            f"It is not clear whether the year of “{find.text}” stays; write both dates in quotes"
        )
        raise RefusedError(message)
    if old is not None and not old.is_bare:
        return _kept(find, old, by, new)
    if new is not None and not new.is_bare and is_number(find.text):
        return _said_anew(find.text, new)
    if by.is_quoted and is_number(find.text):
        return _checked(find.text, by.text)
    return None


def _kept(find: Value, old: Measure, by: Value, new: Measure | None) -> Exchange | None:
    """The old number says what it counts; the new one need not."""
    is_outside = bool(find.unit or by.unit)
    if new is not None:
        if _is_part(new, old) and (is_outside or new != Measure(old.sign, new.number, old.unit)):
            return _numbers(old, new.number)
        return _whole(old.text, new.text) if is_outside else None
    if is_number(by.text):
        return _numbers(old, by.text)
    if not is_outside:
        return None
    if _says(by.text, old.unit):
        return _whole(old.text, by.text)
    unit = old.unit.strip()
    message = (
        f"It is not clear whether “{unit}” stays; write all the words in quotes, as: change"
        f' "{old.text}" to "{by.text}", or: change "{old.text}" to "{by.text} {unit}"'
    )
    raise RefusedError(message)


def _is_part(new: Measure, old: Measure) -> bool:
    """Whether what stands around a number is a part of what stands around the old one."""
    sign, unit = folded(new.sign), folded(new.unit)
    return folded(old.sign).endswith(sign) and unit in ("", folded(old.unit))


def _numbers(old: Measure, number: str) -> Exchange:
    """Only the number changes."""

    def narrowed(hit: Hit) -> tuple[Hit, str]:
        at = hit.text.find(old.number)
        if at < 0:
            return hit, f"{old.sign}{number}{old.unit}"
        return Hit(hit.line, hit.start + at, hit.start + at + len(old.number)), number

    return Exchange(old.text, narrowed, lambda hit: True)


def _says(text: str, unit: str) -> bool:
    words = [folded(word) for word in _WORD.findall(text)]
    return bool(_WORD.search(unit)) and folded(_WORD.findall(unit)[-1]) in words


def _whole(quote: str, by: str) -> Exchange:
    return Exchange(quote, lambda hit: (hit, by), lambda hit: True)


def _said_anew(quote: str, new: Measure) -> Exchange:
    """The new number alone says what it counts: where that stands already, it is not doubled."""

    def narrowed(hit: Hit) -> tuple[Hit, str]:
        before = hit.line.text[: hit.start].rstrip()
        if (new.unit and _follows(hit, new.unit)) or (
            new.sign and before.endswith(new.sign.strip())
        ):
            return hit, new.number
        _refuse_near(hit, new.unit)
        if _WORD.search(new.unit):
            if set(_WORD.findall(folded(new.unit))) <= set(_WORD.findall(folded(before))):
                return hit, new.number
            raise _not_counted(hit, new)
        return hit, new.text

    return Exchange(quote, narrowed, lambda hit: bool(new.unit) and _follows(hit, new.unit))


def _not_counted(hit: Hit, new: Measure) -> RefusedError:
    message = (
        f"“{new.unit.strip()}” does not stand behind “{hit.text}”; put all the words that change in"
        f' quotes, as: change "{hit.text}" to "{new.text}"'
    )
    return RefusedError(message)


def _checked(quote: str, by: str) -> Exchange | None:
    """Words in quotes are meant as they are; yet nobody means `90 days days`."""
    amount = _AMOUNT.fullmatch(by)
    unit = amount["unit"] if amount else ""
    if not unit.strip():
        return None

    def narrowed(hit: Hit) -> tuple[Hit, str]:
        if _follows(hit, unit):
            raise _doubled(hit, unit)
        _refuse_near(hit, unit)
        return hit, by

    return Exchange(quote, narrowed, lambda hit: True)


def _follows(hit: Hit, unit: str) -> bool:
    """Whether a unit stands right behind a number, however the blank between them is written."""
    after = folded(hit.line.text[hit.end :].lstrip().lstrip("-"))
    wanted = folded(unit.strip().lstrip("-"))
    return after.startswith(wanted) and not after[len(wanted) : len(wanted) + 1].isalpha()


def _refuse_near(hit: Hit, unit: str) -> None:
    words = [folded(word) for word in _WORD.findall(hit.line.text[hit.end : hit.end + 60])]
    if _WORD.search(unit) and folded(_WORD.findall(unit)[-1]) in words[:_NEAR]:
        raise _doubled(hit, unit)


def _doubled(hit: Hit, unit: str) -> RefusedError:
    behind = hit.line.text[hit.end : hit.end + 40].split()
    words = [word.strip(".,;:") for word in behind[:_NEAR]]
    last = folded(unit.strip()).split()[-1]
    near = next((i for i, word in enumerate(words) if folded(word) == last), 0)
    there = " ".join([hit.text, *words[: near + 1]])
    message = (
        f"“{unit.strip()}” would stand there twice; put all the words that change in quotes, as:"
        f' change "{there}" to …'
    )
    return RefusedError(message)


def exchanged(exchange: Exchange, places: Sequence[Hit]) -> list[Hit]:
    """The hits that may be meant: those that count the same already, else all."""
    return [hit for hit in places if exchange.preferred(hit)] or list(places)
