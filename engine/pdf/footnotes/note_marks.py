"""The marks of notes in running text, told from exponents, ordinals and the like.

[x] raised numbers, signs and letters, several in one (`1,2`, `45`)  [x] a number glued to a word
where nothing says that it is raised, if it is the only one  [-] marks in brackets
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.layout import NOTE, Box, Line, Span

Place: TypeAlias = tuple[str, int, int]
"""A mark: its label, and the characters [start, end) of its line."""
Marks: TypeAlias = dict[int, list[Place]]
"""Marks by the `id` of their line."""

SMALL: Final = 0.85
RISE: Final = 0.15
YEAR: Final = 4

_PART = re.compile(r"[^\s,;]+")
_DRAWN = re.compile(r"[¹²³⁰⁴-⁹]{1,3}|[†‡]{1,3}")
_UNITS = frozenset({"m", "cm", "mm", "km", "dm", "ft", "in", "yd", "mi", "s", "sec", "ha"})
_WORD = re.compile(r"[^\W_][\w.'\u2019-]*$")
# What a number can be glued to: the end of a word, or what follows a word and ends a clause.
_GLUE = r"(?:[^\W\d_]{3}|[^\W\d_]{4}[,;:.!?)\u201d\u00bb])"


def marked(lines: Sequence[Line], labels: Container[str], raised: Collection[str]) -> Marks:
    """Finds the marks that have one of some labels; those of `raised` are raised at their notes.

    A raised number behind a figure counts only where no other has its label and the figure is as
    long as a year: else it is an exponent. One behind a single letter or a unit never counts.
    """
    sure: Marks = {}
    unsure: Marks = {}
    labels_met: set[str] = set()
    for line in lines:
        if not line.is_level:
            continue
        begins, ends = 0, -1
        for label, start, end in _raised(line, labels):
            # Of marks that stand together the first one's place decides.
            if line.text[ends:start].strip(" \t,;") or ends < 0:
                begins = start
            ends = end
            before = line.text[:begins].rstrip()
            if _follows_words(before, label):
                sure.setdefault(id(line), []).append((label, start, end))
                labels_met.add(label)
            elif _follows_year(before):
                unsure.setdefault(id(line), []).append((label, start, end))
    for line, places in unsure.items():
        unmet = [place for place in places if place[0] not in labels_met]
        if unmet:
            sure[line] = sorted([*sure.get(line, ()), *unmet], key=lambda place: place[1])
            labels_met.update(label for label, _, _ in unmet)
    _add_glued(sure, lines, [mark for mark in raised if mark.isdigit() and mark not in labels_met])
    return sure


def _add_glued(marks: Marks, lines: Sequence[Line], labels: Sequence[str]) -> None:
    """Adds the numbers that are glued to a word though nothing says that they are raised.

    Each must be the only one with its label.
    """
    if not labels:
        return
    wanted = re.compile(rf"{_GLUE}(?P<label>{'|'.join(labels)})(?![\w%]|[.,]\d)")
    matches: dict[str, list[tuple[int, Place]]] = {}
    for line in lines:
        for match in wanted.finditer(line.text) if line.is_level else ():
            place = (match["label"], *match.span("label"))
            matches.setdefault(match["label"], []).append((id(line), place))
    for places in matches.values():
        if len(places) == 1:
            ((line, place),) = places
            marks[line] = sorted([*marks.get(line, ()), place], key=lambda match: match[1])


def led(line: Line, places: Sequence[Place], anchors: Mapping[str, str]) -> Line:
    """Makes the marks of a line lead to their notes; each becomes a span of its own."""
    wanted = [
        (start, end, NOTE + anchors[label]) for label, start, end in places if label in anchors
    ]
    if not wanted:
        return line
    spans: list[Span] = []
    at = 0
    for span in line.spans:
        cuts = [
            (s - at, e - at, target)
            for s, e, target in wanted
            if at <= s and e <= at + len(span.text)
        ]
        spans += _cut(span, cuts) if cuts else (span,)
        at += len(span.text)
    return replace(line, spans=tuple(spans))


def _raised(line: Line, labels: Container[str]) -> Iterator[Place]:
    """Yields the raised labels of a line; a line does not begin with the mark of a note."""
    is_drawn = not line.text.isascii() and _DRAWN.search(line.text) is not None
    if len(line.spans) < 2 and not is_drawn:
        return
    at = 0
    before: Span | None = None
    for span in line.spans:
        if span.text.strip():
            if before is not None and _is_raised(before, span):
                is_variable = span.text.strip().isalpha() and Mark.ITALIC in span.marks
                yield from () if is_variable else _labels(span.text, at, labels)
            elif is_drawn:
                yield from _drawn_raised(span.text, at, labels)
            if before is None or span.size >= before.size or not _is_raised(before, span):
                before = span
        at += len(span.text)


def _is_raised(before: Span, span: Span) -> bool:
    if span.marks and Mark.SUPERSCRIPT in span.marks:
        return True
    is_high = before.box.y1 - span.box.y1 > RISE * before.size
    return span.size < SMALL * before.size and is_high


def _labels(text: str, at: int, labels: Container[str]) -> Iterator[Place]:
    """Yields the labels that a raised text is made of; nothing where it is anything else, too."""
    places: list[Place] = []
    for part in _PART.finditer(text):
        label = unicodedata.normalize("NFKC", part[0])
        start = at + part.start()
        if label in labels:
            places.append((label, start, start + len(part[0])))
        elif len(label) == len(part[0]) > 1 and all(digit in labels for digit in label):
            places += [(digit, start + n, start + n + 1) for n, digit in enumerate(label)]
        else:
            return
    yield from places


def _drawn_raised(text: str, at: int, labels: Container[str]) -> Iterator[Place]:
    """Yields the labels that are written in raised figures (`¹`) or signs (`†`) of their own."""
    for part in _DRAWN.finditer(text):
        label = unicodedata.normalize("NFKC", part[0])
        if label in labels:
            yield label, at + part.start(), at + part.end()


def _follows_words(before: str, label: str) -> bool:
    """Whether a mark can stand behind a text: a word of two letters, or what ends one."""
    last = before[-1:]
    if not last or last.isdigit():
        return False
    if not last.isalpha() or unicodedata.category(last) == "Lo":
        return unicodedata.category(last) != "Sm" and last != "^"
    word = _WORD.search(before)
    preceding = word[0] if word else last
    if sum(map(str.isalpha, preceding)) < 2:
        return not label.isalnum()
    return preceding.lower() not in _UNITS or not label.isdigit()


def _follows_year(before: str) -> bool:
    word = _WORD.search(before)
    return word is not None and word[0].isdigit() and len(word[0]) >= YEAR


def _cut(span: Span, cuts: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    """Cuts a span where marks are; every character is taken to be equally wide."""
    at = 0
    for start, end, target in cuts:
        if start > at:
            yield _part(span, at, start)
        yield replace(_part(span, start, end), target=target)
        at = end
    if at < len(span.text):
        yield _part(span, at, len(span.text))


def _part(span: Span, start: int, end: int) -> Span:
    if start == 0 and end == len(span.text):
        return span
    wide = span.box.width / max(1, len(span.text))
    box = Box(span.box.x0 + start * wide, span.box.y0, span.box.x0 + end * wide, span.box.y1)
    return replace(span, text=span.text[start:end], box=box)
