"""Breaking runs into lines of a width in terminal cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from redraft.tui.text.runs import Line, Run

# Letters and punctuation of Western text outside ASCII: one cell each, on every terminal.
NARROW = re.compile(
    "[ -~\xa1-\xac\xae-\u02ff\u0370-\u0377\u0391-\u03ff\u0400-\u0482\u2010-\u2027\u20ac]*"
)


def wrap(
    runs: Sequence[Run], cells: int, first: Line = (), rest: Line = (), *, indent: int = 0
) -> list[Line]:
    """Break runs at spaces, greedily, so that no line is wider than `cells`.

    Args:
        runs: The text; a newline in it ends a line.
        cells: The room for text, without the prefixes.
        first: What stands before the first line.
        rest: What stands before the others.
        indent: Spaces before every line but the first, a part of `cells`.
    """
    lines: list[Line] = []
    for paragraph in _split_at_newlines(runs):
        spans = _spans("".join(run.text for run in paragraph), max(1, cells), indent)
        for piece in _slices(paragraph, spans):
            lead = rest if lines else first
            if lines and indent:
                lead = (*lead, Run(" " * indent))
            lines.append((*lead, *piece))
    return lines


def _split_at_newlines(runs: Sequence[Run]) -> Iterable[Sequence[Run]]:
    if not any("\n" in run.text for run in runs):
        return (runs,)
    paragraphs: list[list[Run]] = [[]]
    for run in runs:
        head, *others = run.text.split("\n")
        paragraphs[-1].append(run._replace(text=head))
        paragraphs.extend([run._replace(text=other)] for other in others)
    return paragraphs


def _spans(text: str, cells: int, indent: int) -> list[tuple[int, int]]:
    """Return the half-open character ranges of the lines."""
    if text.isascii() or NARROW.fullmatch(text):
        return _narrow_spans(text, cells, indent)
    return _wide_spans(text, cells, indent)


def _narrow_spans(text: str, cells: int, indent: int) -> list[tuple[int, int]]:
    """Break where every character takes one cell."""
    spans: list[tuple[int, int]] = []
    start, length, room = 0, len(text), cells
    while length - start > room:
        end = text.rfind(" ", start, start + room + 1)
        if end <= start:
            end = start + room
            spans.append((start, end))
            start = end
        else:
            spans.append((start, end))
            start = end + 1
            while start < length and text[start] == " ":
                start += 1
        room = max(1, cells - indent)
    if start < length or not spans:
        spans.append((start, length))
    return spans


def _wide_spans(text: str, cells: int, indent: int) -> list[tuple[int, int]]:
    """Break where characters take none, one or two cells."""
    spans: list[tuple[int, int]] = []
    start, taken, space, room = 0, 0, -1, cells
    position = 0
    while position < len(text):
        character = text[position]
        size = cell_len(character)
        if taken + size > room and position > start and size:
            end = space if space > start and character != " " else position
            spans.append((start, end))
            start = end
            while start < len(text) and text[start] == " ":
                start += 1
            position = max(start, end)
            taken, space, room = 0, -1, max(1, cells - indent)
            continue
        if character == " ":
            space = position
        taken += size
        position += 1
    if start < len(text) or not spans:
        spans.append((start, len(text)))
    return spans


def _slices(runs: Sequence[Run], spans: Sequence[tuple[int, int]]) -> list[Line]:
    """Cut the runs at the spans, which are ordered and do not overlap."""
    if len(spans) == 1 and spans[0] == (0, sum(len(run.text) for run in runs)):
        return [tuple(run for run in runs if run.text)]
    lines: list[Line] = []
    index, base = 0, 0
    for start, end in spans:
        while index < len(runs) and base + len(runs[index].text) <= start:
            base += len(runs[index].text)
            index += 1
        piece: list[Run] = []
        walk, offset = index, base
        while walk < len(runs) and offset < end:
            run = runs[walk]
            text = run.text[max(0, start - offset) : end - offset]
            if text:
                piece.append(Run(text, run.role, run.flags))
            offset += len(run.text)
            walk += 1
        lines.append(tuple(piece))
    return lines
