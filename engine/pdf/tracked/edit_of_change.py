"""Which edit a tracked change of a PDF came from: the last that did just this, or most of it."""

from __future__ import annotations

from typing import Final

from redraft.engine.pdf.compare.comparison import Difference
from redraft.engine.pdf.tracked.change_log import Entry, Log

NOBODY: Final = Entry("", "Anonymous", "1970-01-01T00:00:00Z")


def author_of(change: Difference, log: Log) -> Entry:
    """Returns the last edit that did just this, else one that brought or took some of its words."""
    dresser = _author_of_look(change, log)
    if dresser is not None:
        return dresser
    best, most = (log.entries[-1] if log.entries else NOBODY), 0
    for entry in reversed(log.entries):
        for place in (logged for logged in entry.places if not logged.formatting):
            score = 0
            if (place.before, place.after) == (change.before, change.after):
                score = 4
            elif _holds(change.after, place.after):
                score = 3
            elif _holds(change.before, place.before):
                score = 2
            score = 2 * score + (place.anchor == change.target.anchor) if score else 0
            if score > most:
                best, most = entry, score
    return best


def _author_of_look(change: Difference, log: Log) -> Entry | None:
    """Returns the last edit that gave some of the words this look or link."""
    if change.formatting is None:
        return None
    name, _, value = change.formatting
    for entry in reversed(log.entries):
        for place in entry.places:
            is_asked = any((f[0], f[2]) == (name, value) for f in place.formatting)
            shared = (place.before in change.before) or (change.before in place.before)
            if is_asked and shared:
                return entry
    return None


def _holds(text: str, words: str) -> bool:
    """Whether words stand in a text as words."""
    bare = f" {' '.join(words.split())} "
    return bool(words.strip()) and bare in f" {' '.join(text.split())} "
