"""Shares worker processes fairly between keys, so that one key's work never keeps another waiting.

There are `count` ordinary slots and one in reserve. A key never holds more than the ordinary slots;
the reserve is for a key that has nothing running. Waiting keys take turns, and a key may have only
so many calls waiting.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class CrowdedError(Exception):
    """Too many calls of one key are waiting."""


class FairSlots:
    """Slots for calls, handed out in turn to the keys that wait.

    Args:
        count: Ordinary slots.
        most_waiting: Calls of one key that may wait; one more raises CrowdedError.
    """

    def __init__(self, count: int, most_waiting: int) -> None:
        self._count = count
        self._most_waiting = most_waiting
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def slot(self, owner: str) -> AsyncGenerator[None]:
        """Waits for a slot and holds it.

        Raises:
            CrowdedError: too many calls of this key wait already.
        """
        await self._enter(owner)
        try:
            yield
        finally:
            self._leave(owner)

    async def _enter(self, owner: str) -> None:
        if owner not in self._waiting and self._is_free_for(owner):
            self._running[owner] += 1
            return
        queue = self._waiting.setdefault(owner, deque())
        if len(queue) >= self._most_waiting:
            raise CrowdedError
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came in the same instant
                self._leave(owner)
            else:
                queue.remove(turn)
                self._forget(owner)
            raise

    def _leave(self, owner: str) -> None:
        self._running[owner] -= 1
        if not self._running[owner]:
            del self._running[owner]
        self._hand_out()

    def _hand_out(self) -> None:
        for owner in tuple(self._waiting):
            while self._waiting.get(owner) and self._is_free_for(owner):
                self._running[owner] += 1
                self._waiting[owner].popleft().set_result(None)
                self._waiting.move_to_end(owner)
                self._forget(owner)
                break  # the next slot is somebody else's, if anybody waits

    def _forget(self, owner: str) -> None:
        if not self._waiting.get(owner):
            self._waiting.pop(owner, None)

    def _is_free_for(self, owner: str) -> bool:
        total = self._running.total()
        return total < self._count or (total == self._count and not self._running[owner])
