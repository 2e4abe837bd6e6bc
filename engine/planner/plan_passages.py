"""What a plan would take out and bring in, in a few words: for whoever confirms it.

Of the document only the first words of a block are shown, letters and digits alone: enough to tell
what goes, too little for a document to argue with whoever confirms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from redraft.engine.plan import (
    DeleteBlocks,
    DeleteRow,
    DeleteTable,
    EditPlan,
    FindReplace,
    InsertBlocks,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetLink,
)
from redraft.engine.planner.retrieval import Entry

_MOST_LINES, _MOST_WORDS = 16, 6
_TOKEN = re.compile(r"\u27e6[^\u27e7]*\u27e7")


def passages(plan: EditPlan, document: Sequence[Entry]) -> list[str]:
    """Returns a line for what goes (`- …`) and for what comes (`+ …`), the first of them."""
    places = {entry.anchor: index for index, entry in enumerate(document)}
    lines = [line for operation in plan.operations for line in _lines(operation, document, places)]
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"… and {more} more"] if more > 1 else lines


def _lines(
    operation: Operation, document: Sequence[Entry], places: Mapping[str, int]
) -> Iterator[str]:
    match operation:
        case DeleteBlocks():
            start = places.get(operation.first, 0)
            for entry in document[start : places.get(operation.last, start) + 1]:
                yield from _signed("-", entry.text)
        case DeleteTable() | DeleteRow():
            inner = f"{operation.target}."
            rows = (one for one in document if f"{one.anchor}.".startswith(inner))
            for entry in rows:
                yield from _signed("-", entry.text)
        case ReplaceText() | FindReplace():
            yield from _signed("-", operation.find)
            yield from _signed("+", operation.replace)
        case RewriteBlock():
            index = places.get(operation.block)
            yield from _signed("-", "" if index is None else document[index].text)
            yield from _signed("+", operation.text)
        case InsertBlocks():
            for block in operation.blocks:
                yield from _signed("+", block.text)
        case SetLink():
            yield from _signed("+", f"{operation.find} {operation.url}")
        case _:
            pass


def _signed(sign: str, text: str) -> Iterator[str]:
    words = re.findall(r"\w+", _TOKEN.sub(" ", text))
    if words:
        yield f"{sign} {' '.join(words[:_MOST_WORDS])}{' …' if len(words) > _MOST_WORDS else ''}"
