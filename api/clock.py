"""Time, handed in as a value so that tests own it.

Wall time is seconds since the epoch (UTC). Deadlines use `monotonic`, lifetimes use `now`.
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now(self) -> float:
        """Wall time in seconds since the epoch."""
        ...

    def monotonic(self) -> float:
        """Seconds on a clock that is never set."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Returns once that many seconds have passed on this clock."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Wall time in seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds on a clock that is never set."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Returns once that many seconds have passed."""
        await asyncio.sleep(max(0.0, seconds))


class SteadyClock:
    """A clock whose wall time never goes back, so that an expired document stays expired.

    Args:
        clock: The clock underneath.
        highest: The latest wall time ever seen, from before a restart.
    """

    def __init__(self, clock: Clock, highest: float = 0.0) -> None:
        self._clock = clock
        self._highest = highest

    def now(self) -> float:
        """The later of the wall time and the latest one seen."""
        self._highest = max(self._highest, self._clock.now())
        return self._highest

    def monotonic(self) -> float:
        """Seconds on a clock that is never set."""
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Returns once that many seconds have passed on the clock underneath."""
        await self._clock.sleep(seconds)


def iso(moment: float) -> str:
    """Writes wall time as ISO 8601 in UTC, with milliseconds and `Z`."""
    written = datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
    return written.replace("+00:00", "Z")


def iso_seconds(moment: float) -> str:
    """Writes wall time as ISO 8601 in UTC without fractions, as `w:date` wants it."""
    written = datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
    return written.replace("+00:00", "Z")
