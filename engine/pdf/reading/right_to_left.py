"""Lines that are written from right to left, in the order in which they are read.

MuPDF turns the letters of each run, and leaves the runs in the order in which the page draws them:
as they are read, or from left to right as they stand. Where the letters stand decides; numbers and
words of other scripts are read from left to right among them (Unicode, UAX #9, in the plain case of
one level within another).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from redraft.engine.pdf.mupdf import Corners, RawBlock, RawChar, RawLine, RawSpan

_LEFTWARD = frozenset(("R", "AL"))
_NUMERIC = frozenset(("EN", "AN"))
_WITHIN_NUMBERS = frozenset(("ES", "CS", "ET"))


class _Run(NamedTuple):
    """Characters of one span and one direction: `R`, `L`, or `N` for what takes that beside it."""

    direction: str
    text: str
    box: Corners
    span: RawSpan


def in_reading_order(blocks: Sequence[RawBlock]) -> list[RawBlock]:
    """Returns blocks, whose spans have `chars`, with `text` in their place.

    The runs of lines that are written from right to left stand in the order of reading.
    """
    return [_ordered_block(block) for block in blocks]


def _ordered_block(block: RawBlock) -> RawBlock:
    made = block.copy()
    if "blocks" in block:
        made["blocks"] = in_reading_order(block["blocks"])
    if "lines" in block:
        made["lines"] = [_ordered_line(line) for line in block["lines"]]
    return made


def _ordered_line(line: RawLine) -> RawLine:
    made = line.copy()
    runs = [run for span in line["spans"] for run in _runs(span)]
    letters = "".join(run.text for run in runs if run.direction == "R")
    others = "".join(run.text for run in runs if run.direction == "L" and run.text.isalpha())
    ordered = list(_as_read(runs)) if len(letters) > len(others) else runs
    if [run for run in ordered if run.text.strip()] != [run for run in runs if run.text.strip()]:
        made["spans"] = [_span(run) for run in ordered]
    else:
        made["spans"] = [
            {**span, "text": "".join(char["c"] for char in span.get("chars", ()))}
            for span in line["spans"]
        ]
    return made


def _as_read(runs: Sequence[_Run]) -> Iterator[_Run]:
    """Puts runs from right to left, and those of the other direction among them back."""
    ordered = sorted(runs, key=lambda run: -(run.box[0] + run.box[2]))
    waiting: list[_Run] = []
    for run in ordered:
        if run.direction == "L" or (waiting and run.direction == "N"):
            waiting.append(run)
            continue
        yield from _turned(waiting)
        waiting = []
        yield run
    yield from _turned(waiting)


def _turned(runs: list[_Run]) -> Iterator[_Run]:
    """Turns what is read from left to right; what only takes a direction stays behind it."""
    last = max((number for number, run in enumerate(runs) if run.direction == "L"), default=-1)
    yield from reversed(runs[: last + 1])
    yield from runs[last + 1 :]


def _runs(span: RawSpan) -> Iterator[_Run]:
    """Parts a span by direction; a mark goes with the letter before it."""
    chars = span.get("chars", ())
    kinds = _kinds(chars)
    numbered = groupby(range(len(chars)), key=lambda n: (kinds[n], n if kinds[n] == "N" else -1))
    for (direction, _), numbers in numbered:
        own = [chars[n] for n in numbers]
        corners = list(zip(*[char["bbox"] for char in own], strict=True))
        box = min(corners[0]), min(corners[1]), max(corners[2]), max(corners[3])
        yield _Run(direction, "".join(char["c"] for char in own), box, span)


def _kinds(chars: Sequence[RawChar]) -> list[str]:
    """Returns the direction of each character; blanks within a run from the right are its own."""
    classes = [unicodedata.bidirectional(char["c"]) for char in chars]
    kinds: list[str] = []
    for number, kind in enumerate(classes):
        beside = {*classes[max(0, number - 1) : number], *classes[number + 1 : number + 2]}
        if kind in _LEFTWARD:
            kinds.append("R")
        elif kind == "L" or kind in _NUMERIC or (kind in _WITHIN_NUMBERS and beside <= _NUMERIC):
            kinds.append("L")
        elif kind == "NSM" and kinds:
            kinds.append(kinds[-1])
        else:
            is_within = 0 < number < len(classes) - 1 and beside <= _LEFTWARD
            kinds.append("R" if is_within else "N")
    return kinds


def _span(run: _Run) -> RawSpan:
    return {**run.span, "text": run.text, "bbox": run.box}
