"""Finding what fits a regular expression, which is given a time and no more.

`regex` takes the place of Python's `re`: it can be given a time, and it lets other threads run.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from math import prod

import regex

PATIENCE = 5.0  # seconds
MOST = 10_000  # hits
MOST_REPEATS = 300_000  # the product of all counts in braces: a pattern takes memory for each
COUNTS = re.compile(r"\{(\d*)(?:,(\d*))?\}")


class PatternError(Exception):
    """A pattern that cannot be looked for; the message is for the person."""


async def find(
    texts: Sequence[str], pattern: str, patience: float | None = None
) -> tuple[tuple[str, ...], ...]:
    """Returns the words of every hit in each text, without regard to case, at most `MOST` in all.

    Nothing but white space is no hit.

    Raises:
        PatternError: it is no regular expression, or it takes too long.
    """
    return await asyncio.to_thread(
        _find, texts, pattern, PATIENCE if patience is None else patience
    )


def _find(texts: Sequence[str], pattern: str, patience: float) -> tuple[tuple[str, ...], ...]:
    compiled = _compiled(pattern)
    end, hits_left = time.monotonic() + patience, MOST
    matches: list[tuple[str, ...]] = []
    for text in texts:
        words: list[str] = []
        seconds = max(0.001, end - time.monotonic())
        try:
            for match in compiled.finditer(text, timeout=seconds, concurrent=True):
                if len(words) >= hits_left:
                    break
                if match.group().strip():
                    words.append(match.group())
        except TimeoutError:
            message = (
                f"given up after {patience:g} s: a repeat within a repeat, as in (a|aa)+, "
                "takes too long; write it without"
            )
            raise PatternError(message) from None
        hits_left -= len(words)
        matches.append(tuple(words))
    return tuple(matches)


def _compiled(pattern: str) -> regex.Pattern[str]:
    counts = (int(highest or lowest or 1) for lowest, highest in COUNTS.findall(pattern))
    if prod(max(1, count) for count in counts) > MOST_REPEATS:
        message = "the numbers of repeats in braces are too large together; write smaller ones"
        raise PatternError(message)
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        message = f"not a regular expression: {error}"
        raise PatternError(message) from error
