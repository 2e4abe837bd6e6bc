"""Bold and italic of new words that a plan writes with Markdown emphasis."""

from __future__ import annotations

from redraft.engine.inline_pieces import Words
from redraft.engine.model import Mark
from redraft.engine.tokens import parse, visible

Span = tuple[int, int, Mark]
"""Characters [start, end) of the words without emphasis marks, and their faces."""


def spans(text: str) -> list[Span]:
    """Returns the stretches of a text that are written in a face."""
    if "*" not in text:
        return []
    parsed = parse(text, ())
    listed: list[Span] = []
    at = 0
    for piece in () if parsed.faults else parsed.pieces:
        length = len(visible((piece,)))
        if isinstance(piece, Words) and piece.marks & (Mark.BOLD | Mark.ITALIC):
            listed.append((at, at + length, piece.marks))
        at += length
    return listed
