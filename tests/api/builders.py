"""Values and stand-ins for the tests of the service's parts."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from redraft.api.clock import Clock
from redraft.api.metadata.protocol import Document, OperationKind, Submission, Version


class HeldClock:
    """A clock that stands still until it is moved; sleepers wake when their time has come."""

    def __init__(self, wall: float = 1_800_000_000.0) -> None:
        self.wall = wall
        self.steady = 1000.0
        self._moved = asyncio.Event()
        self._sleepers = 0

    def now(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady

    async def sleep(self, seconds: float) -> None:
        end = self.steady + seconds
        self._sleepers += 1
        try:
            while self.steady < end:
                await self._moved.wait()
        finally:
            self._sleepers -= 1

    async def slept_on(self) -> None:
        """Wait until somebody sleeps; a clock that is moved before wakes nobody."""
        async with asyncio.timeout(60):
            while not self._sleepers:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.001)

    def advance(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()


def document(clock: Clock, owner: str = "ann", ttl: int = 300) -> Document:
    return Document(
        id=str(uuid4()),
        owner=owner,
        name="a.docx",
        format="docx",
        media_type="application/test",
        size=3,
        tracked=True,
        author="Ann",
        images=(),
        ttl_seconds=ttl,
        created_at=clock.now(),
        updated_at=clock.now(),
        expires_at=clock.now() + ttl,
    )


def version(number: int = 0, back: int | None = None) -> Version:
    return Version(number, f"{number}-blob", 3, "", b"state", back)


def submission(
    stored: Document, kind: OperationKind = "edit", uid: str = "", digest: str = "d"
) -> Submission:
    return Submission(
        id=uuid4().hex,
        owner=stored.owner,
        document=stored.id,
        kind=kind,
        uid=uid or str(uuid4()),
        request=b"{}",
        digest=digest,
    )
