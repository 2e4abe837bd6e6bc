"""Revision ids: which are taken in a file, and free ones for our marks.

Every `w:id` of every part with text counts as taken, whatever it belongs to (bookmarks, comments
and revisions number themselves independently in Word, but not in all programs). All below 2^31.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from redraft.engine.docx.names import W_DEL, W_ID, W_INS, W_RPR, W_TR_PR, Element, W

_AUTHOR: Final = W("author")
_MOVES: Final = frozenset(map(W, ("moveFrom", "moveTo", "moveFromRangeStart", "moveToRangeStart")))
# They have an author, and a numbering of their own.
_UNMARKED: Final = frozenset({W("comment")})
_MARK_HOLDERS: Final = frozenset({W_RPR, W_TR_PR})
LIMIT: Final = 2**31 - 1
_ANY_ID: Final = re.compile(rb"[\s:]id\s*=\s*[\"'](\d{1,10})[\"']")


def taken(parts: Iterable[bytes]) -> set[int]:
    """Returns all ids that occur in the bytes of some parts."""
    return {int(number) for data in parts for number in _ANY_ID.findall(data)}


def by_author(roots: Iterable[Element], author: str) -> set[int]:
    """Returns the ids of an author's marks that can be taken for ours, for a file without a map.

    Marks that share their id with another author's, moves, and what one author inserted and deleted
    again are left out: we never write these.
    """
    own: set[str] = set()
    others: set[str] = set()
    for root in roots:
        for mark in root.iter("*"):
            name = mark.get(_AUTHOR)
            identifier = mark.get(W_ID, "")
            if name is not None and mark.tag not in _UNMARKED:
                is_own = name == author and mark.tag not in _MOVES and not _is_doubled(mark)
                (own if is_own else others).add(identifier)
    return {int(number) for number in own - others if number.isdecimal()}


def _is_doubled(mark: Element) -> bool:
    """Returns whether the same author both inserted and deleted what a mark is about."""
    other = {W_INS: W_DEL, W_DEL: W_INS}.get(str(mark.tag))
    if other is None:
        return False
    near = [*mark.iterancestors(other), *mark.iter(other)]
    parent = mark.getparent()
    near += parent.findall(other) if parent is not None and parent.tag in _MARK_HOLDERS else []
    return any(neighbour.get(_AUTHOR) == mark.get(_AUTHOR) for neighbour in near)


class Ids:
    """Hands out free revision ids and remembers which edit each of ours belongs to."""

    def __init__(self, used: set[int], ours: Mapping[int, str], formatted: frozenset[int]) -> None:
        self.ours: dict[int, str] = dict(ours)
        self.formatted: set[int] = set(formatted)
        # Of moves that are taken apart the ranges are not in the file, and get their ids again.
        self._used = used | ours.keys()
        self._next = self._numbers()

    def fresh(self) -> int:
        """Returns a free id for a mark that is not ours.

        Half of another author's split insertion.
        """
        return next(self._next)

    def ours_for(self, edit: str, *, formatted: bool = False) -> int:
        """Returns a free id for a mark that an edit writes."""
        identifier = next(self._next)
        self.ours[identifier] = edit
        if formatted:
            self.formatted.add(identifier)
        return identifier

    def _numbers(self) -> Iterator[int]:
        top = max((used for used in self._used if used < LIMIT // 2), default=0)
        for number in range(top + 1, LIMIT):
            if number not in self._used:
                self._used.add(number)
                yield number
