"""Places that say already what a replacement would make of them: `ACME Corp`, where it is wanted.

They are left as they are, and the person who asked is told. A place that a plan counts
(`occurrence`, `limit`) is meant whatever stands around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redraft.engine import locate, tokens
from redraft.engine.locate import Span

_SHOWN = 3


def unsaid(text: str, hits: Sequence[Span], new: str) -> tuple[list[Span], str, int]:
    """Returns the hits of a quote that are to be replaced, see `engine.locate.unsaid`.

    Args:
        text: The block's text.
        hits: In order; they do not overlap.
        new: New words as a plan brings them. Bold or italic ones are written where they stand.

    Returns:
        The hits, the words that stand already around the others, and in how many places.
    """
    pieces = tokens.parse(new, ()).pieces
    if not all(isinstance(piece, tokens.Words) for piece in pieces):
        return list(hits), "", 0
    words = tokens.visible(pieces)
    is_plain = not any(isinstance(piece, tokens.Words) and piece.marks for piece in pieces)
    left, kept = locate.unsaid(text, hits, words, keeps=is_plain)
    return left, words, kept


def told(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Returns what a person is told of the places that say already what is wanted."""
    if not counts:
        return ()
    words = ", ".join(f"“{words_there}”" for words_there in list(counts)[:_SHOWN])
    more = " and other new words" if len(counts) > _SHOWN else ""
    count = sum(counts.values())
    if count == 1:
        return (f"1 place says {words}{more} already and was left as it is",)
    return (f"{count} places say {words}{more} already and were left as they are",)
