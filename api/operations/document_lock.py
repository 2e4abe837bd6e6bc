"""One operation per document at a time, in the order of arrival."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol


class DocumentLock(Protocol):
    """Lets one holder per document through."""

    def turn(self, document: str) -> AbstractAsyncContextManager[None]:
        """Waits for the document's turn and holds it; waiters are served in order."""
        ...


@dataclass(slots=True)
class _Gate:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class LocalDocumentLock:
    """Turns within one process, which is enough while one process owns the data folder."""

    def __init__(self) -> None:
        self._gates: dict[str, _Gate] = {}

    @asynccontextmanager
    async def turn(self, document: str) -> AsyncGenerator[None]:
        """Waits for the document's turn, and holds it; asyncio.Lock serves in order."""
        gate = self._gates.setdefault(document, _Gate())
        gate.users += 1
        try:
            async with gate.lock:
                yield
        finally:
            gate.users -= 1
            if gate.users == 0:
                del self._gates[document]
