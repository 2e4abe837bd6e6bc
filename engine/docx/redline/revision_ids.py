"""Revision ids: which are taken in a file, and free ones for our marks.

Every `w:id` of every part with text counts as taken, whatever it belongs to (bookmarks, comments
and revisions number themselves independently in Word, but not in all programs). All below 2^31.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

LIMIT: Final = 2**31 - 1
_ANY_ID: Final = re.compile(rb"[\s:]id\s*=\s*[\"'](\d{1,10})[\"']")


def taken(parts: Iterable[bytes]) -> set[int]:
    """Returns all ids that occur in the bytes of some parts."""
    return {int(number) for data in parts for number in _ANY_ID.findall(data)}


class Ids:
    """Hands out free revision ids and remembers which edit each of ours belongs to."""

    def __init__(self, used: set[int], ours: Mapping[int, str], formatted: frozenset[int]) -> None:
        self.ours: dict[int, str] = dict(ours)
        self.formatted: set[int] = set(formatted)
        self._used = used
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
