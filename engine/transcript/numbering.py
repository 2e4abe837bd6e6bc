"""List and heading labels as Word numbering, so that what a reader saw is counted the same.

[x] decimal, letters, Roman numerals between fixed characters (`(a)`, `1.`, `2.1`)  [x] bullets
[-] anything else, and a label that does not follow the one before: a list of its own
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from xml.sax.saxutils import escape, quoteattr

DEEPEST: Final = 8
INDENT: Final = 360
"""Twips by which a level stands in."""

_BULLETS: Final = "\u2022\u25e6\u25aa"
_LABEL = re.compile(r"^(.*?)(\d+|[A-Za-z]+)([^\dA-Za-z]*)$", re.DOTALL)
_ROMAN = re.compile(r"^m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$")
_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


@dataclass(frozen=True, slots=True)
class Number:
    """A label taken apart: what stands before and behind its last number, its form and value."""

    before: str
    after: str
    form: str
    value: int


@dataclass(slots=True)
class Numbering:
    """Collects the definitions that a document needs; `of` gives the id of a label's list."""

    definitions: list[str] = field(default_factory=list[str])
    last: dict[tuple[str, int], tuple[int, Number]] = field(
        default_factory=dict[tuple[str, int], tuple[int, Number]]
    )
    bullets: int = 0

    def of_bullet(self) -> int:
        """Returns the id of the list of all bullets."""
        if not self.bullets:
            levels = "".join(
                _level(depth, "bullet", _BULLETS[depth % len(_BULLETS)], 1, INDENT * (depth + 1))
                for depth in range(DEEPEST + 1)
            )
            self.definitions.append(levels)
            self.bullets = len(self.definitions)
        return self.bullets

    def of(self, label: str, depth: int, kind: str) -> int:
        """Returns the id of the list in which a label is the next one; `kind` keeps lists apart."""
        list_id = self._next(label, depth, kind)
        if list_id is not None:
            return list_id
        # Both readings of a letter that is a Roman numeral too are possible; the first is taken.
        number = readings(label)[0]
        text = f"{number.before}%1{number.after}" if number.form != "none" else number.before
        hanging = INDENT * (depth + 1) if kind == "item" else 0
        self.definitions.append(_level(0, number.form, text, number.value, hanging))
        made = len(self.definitions)
        self.last[kind, depth] = made, number
        return made

    def _next(self, label: str, depth: int, kind: str) -> int | None:
        last = self.last.get((kind, depth))
        if last is None:
            return None
        made, before = last
        wanted = (before.before, before.after, before.form, before.value + 1)
        for number in readings(label):
            if (number.before, number.after, number.form, number.value) == wanted:
                self.last[kind, depth] = made, number
                return made
        return None

    def end(self) -> None:
        """Says that other text follows; the next label may begin again."""
        self.last = {key: last for key, last in self.last.items() if key[0] == "heading"}


def readings(label: str) -> list[Number]:
    """Returns what a label may be, the likeliest first."""
    match = _LABEL.match(label)
    if match is None:
        return [Number(label, "", "none", 1)]
    before, core, after = match[1], match[2], match[3]
    if core.isdecimal() and core.isascii() and str(int(core)) == core:
        return [Number(before, after, "decimal", int(core))]
    case = "lower" if core == core.lower() else "upper" if core == core.upper() else ""
    numbers: list[Number] = []
    small = core.lower()
    if case and _ROMAN.match(small):
        numbers.append(Number(before, after, f"{case}Roman", _roman(small)))
    if case and len(core) == 1:
        letter = Number(before, after, f"{case}Letter", ord(small) - ord("a") + 1)
        numbers.insert(0 if small != "i" else len(numbers), letter)
    return numbers or [Number(label, "", "none", 1)]


def _roman(text: str) -> int:
    values = [_VALUES[char] for char in text]
    following = [*values[1:], 0]
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))


def _level(depth: int, form: str, text: str, start: int, hanging: int) -> str:
    """Writes a level (ECMA-376 Part 1, 17.9.6); a heading's number stands at the margin."""
    indent = f'<w:pPr><w:ind w:left="{hanging}" w:hanging="{INDENT}"/></w:pPr>' if hanging else ""
    suffix = "" if hanging else '<w:suff w:val="space"/>'
    return (
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{suffix}'
        f'<w:lvlText w:val={quoteattr(escaped(text))}/><w:lvlJc w:val="left"/>{indent}</w:lvl>'
    )


def escaped(text: str) -> str:
    """Leaves out what XML 1.0 cannot hold."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff"))


def written(text: str) -> str:
    """Writes characters as XML text."""
    return escape(escaped(text))
