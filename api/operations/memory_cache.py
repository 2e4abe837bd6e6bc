"""Answers kept in memory for documents that are asked for again and again, and only so many.

What was asked for longest ago goes first, a document at a time; all of a document goes with it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class MemoryCache(Generic[T]):
    """Values by document and name.

    Args:
        capacity: How much they may weigh together (bytes).
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._taken = 0
        self._documents: OrderedDict[str, dict[str, tuple[T, int]]] = OrderedDict()

    @property
    def weight(self) -> int:
        """What all values weigh."""
        return self._taken

    def get(self, document: str, name: str) -> T | None:
        """Returns a value if it is here."""
        values = self._documents.get(document)
        if values is None or name not in values:
            return None
        self._documents.move_to_end(document)
        return values[name][0]

    def put(self, document: str, name: str, value: T, weight: int) -> None:
        """Keeps a value of that weight; one that is too heavy for the cache is not kept."""
        if weight > self._capacity:
            return
        values = self._documents.setdefault(document, {})
        self._taken += weight - (values[name][1] if name in values else 0)
        values[name] = (value, weight)
        self._documents.move_to_end(document)
        while self._taken > self._capacity:
            self.forget(next(iter(self._documents)))

    def forget(self, document: str) -> None:
        """Drops all values of a document."""
        values = self._documents.pop(document, {})
        self._taken -= sum(weight for _, weight in values.values())
