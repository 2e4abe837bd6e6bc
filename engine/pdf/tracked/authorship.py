"""Which edit a tracked change of a PDF came from.

The log keeps the offsets of each edit in the text of its time. They are carried back through the
edits before to offsets in the baseline, where the changes are counted; so of two edits of the same
word in one paragraph each keeps its own. Where blocks were renumbered in between, or the baseline
has moved, the words of the change decide.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.pdf.compare.comparison import Difference
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.resolved_edits import Edits
from redraft.engine.pdf.tracked.change_log import Entry, Log

NOBODY: Final = Entry("", "Anonymous", "1970-01-01T00:00:00Z")
_BLOCK: Final = re.compile(r"(p\d+\.)b(\d+)")
_ENDLESS: Final = 1 << 40
_BLANK: Final = 1
"""The smallest difference of two texts may put a blank before new words or behind them."""


@dataclass(frozen=True, slots=True)
class Touch:
    """Characters [start, end) of a block of the baseline that an edit changed."""

    entry: Entry
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """`length` characters of a block as it is now, for [start, end) of the baseline."""

    start: int
    end: int
    length: int
    is_new: bool = False


def touches(log: Log) -> Mapping[str, Sequence[Touch]]:
    """Returns what each edit changed, by the anchors of the baseline, the first edit first.

    Blocks that an edit may have renumbered are left out.
    """
    if log.accepted or len(log.made) != len(log.entries):
        return {}
    traced: dict[str, list[Touch]] = {}
    pieces: dict[str, list[_Piece]] = {}
    named = {anchor for step in log.made for anchor in step.changes}
    lost: set[str] = set()
    for entry, step in zip(log.entries, log.made, strict=True):
        if step.pages:
            return {}
        for anchor, changes in step.changes.items():
            block = pieces.setdefault(anchor, [_Piece(0, _ENDLESS, _ENDLESS)])
            for change in sorted(changes, key=lambda hunk: -hunk.start):
                start, end = _replace(block, change)
                traced.setdefault(anchor, []).append(Touch(entry, start, end))
        lost |= {anchor for anchor in named if _is_renumbered(anchor, step)}
    return {anchor: listed for anchor, listed in traced.items() if anchor not in lost}


def author_of(change: Difference, log: Log, traced: Mapping[str, Sequence[Touch]]) -> Entry:
    """Returns the edit that changed just these characters, else one with the same words.

    Args:
        change: The change, in characters of the baseline.
        log: All edits.
        traced: What `touches` returns of them.
    """
    best, most = None, -_BLANK
    is_counted = change.formatting is None and not change.is_block and not change.target.marks
    for touch in traced.get(change.target.anchor, ()) if is_counted else ():
        shared = min(change.end, touch.end) - max(change.start, touch.start)
        if shared >= most:
            best, most = touch.entry, shared
    return best or _author_of_look(change, log) or _author_of_words(change, log)


def _replace(pieces: list[_Piece], change: Change) -> tuple[int, int]:
    """Carries out a change on a block; returns the characters of the baseline that it touches."""
    before, rest = _cut(pieces, change.start)
    gone, after = _cut(rest, change.end - change.start)
    start = gone[0].start if gone else before[-1].end if before else 0
    end = gone[-1].end if gone else start
    new = [_Piece(start, end, len(change.text), is_new=True)] if change.text or gone else []
    pieces[:] = [*before, *new, *after]
    return start, end


def _cut(pieces: Sequence[_Piece], at: int) -> tuple[list[_Piece], list[_Piece]]:
    """Parts the pieces of a block at a place; new words on both sides stand for the same."""
    head: list[_Piece] = []
    for number, piece in enumerate(pieces):
        if at <= 0:
            return head, list(pieces[number:])
        if piece.length > at:
            rest = piece.length - at
            if piece.is_new:
                parts = (
                    _Piece(piece.start, piece.end, at, is_new=True),
                    _Piece(piece.start, piece.end, rest, is_new=True),
                )
            else:
                middle = piece.start + at
                parts = (_Piece(piece.start, middle, at), _Piece(middle, piece.end, rest))
            return [*head, parts[0]], [parts[1], *pieces[number + 1 :]]
        head.append(piece)
        at -= piece.length
    return head, []


def _is_renumbered(anchor: str, step: Edits) -> bool:
    """Whether a block may have another number after a step that brings or takes blocks."""
    match = _BLOCK.fullmatch(anchor)
    for other in (*step.deleted, *(insertion.anchor for insertion in step.inserted)):
        page = other.split(".", 1)[0] + "."
        if not anchor.startswith(page):
            continue
        beside = _BLOCK.fullmatch(other)
        if match is None or beside is None:
            return True
        is_deleted = other in step.deleted
        if int(match[2]) > int(beside[2]) or (is_deleted and anchor == other):
            return True
    return False


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


def _author_of_words(change: Difference, log: Log) -> Entry:
    """Returns the last edit that did just this, else one that brought or took some of its words."""
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
