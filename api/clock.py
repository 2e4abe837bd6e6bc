"""Time, handed in as a value so that tests own it.

Wall time is seconds since the epoch (UTC). Deadlines use `monotonic`, lifetimes use `now`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Protocol

JUMP_SECONDS = 3600.0
"""A larger step ahead of the wall clock is not believed while the service runs."""
SET_BACK_SECONDS = 60.0
"""A larger step back is followed, and what is kept is moved with it."""


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

    _BOOT = getattr(time, "CLOCK_BOOTTIME", None)

    def now(self) -> float:
        """Wall time in seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds on a clock that is never set, and goes on while the machine sleeps (Linux)."""
        return time.monotonic() if self._BOOT is None else time.clock_gettime(self._BOOT)

    async def sleep(self, seconds: float) -> None:
        """Returns once that many seconds have passed."""
        await asyncio.sleep(max(0.0, seconds))


class SteadyClock:
    """The wall clock, kept from jumping while the service runs.

    Time goes on as fast as a clock that is never set. A small step ahead is followed at once, since
    that is how a clock is set right. A larger one is not, since documents would be deleted for it;
    `fault` says so until it is taken back or the service is started again. A step back is not
    followed either, as what has expired would come back, until `follow` is called.

    Args:
        clock: The clock underneath.
        latest: The latest time that was seen before a restart.
    """

    def __init__(self, clock: Clock, latest: float = 0.0) -> None:
        self._clock = clock
        self._moment = max(latest, clock.now())
        self._steady = clock.monotonic()
        self._wall = clock.now()

    def now(self) -> float:
        """Wall time in seconds since the epoch, without jumps."""
        steady, self._wall = self._clock.monotonic(), self._clock.now()
        expected = self._moment + steady - self._steady
        is_jump = self._wall - expected > JUMP_SECONDS
        self._moment = expected if is_jump else max(self._wall, expected)
        self._steady = steady
        return self._moment

    @property
    def behind(self) -> float:
        """Seconds that the wall clock was set back by."""
        return max(0.0, self.now() - self._wall)

    @property
    def fault(self) -> str:
        """What is wrong with the wall clock; empty when nothing is."""
        moment = self.now()
        ahead = self._wall - moment
        if ahead <= JUMP_SECONDS:
            return ""
        days, hours = divmod(round(ahead / 3600), 24)
        size = f"{days} days" if days else f"{hours} hours"
        return f"ahead of the time that has passed by {size}"

    def follow(self) -> None:
        """Takes the time of the wall clock, whatever it was before."""
        self._moment, self._steady = self._clock.now(), self._clock.monotonic()

    def monotonic(self) -> float:
        """Seconds on a clock that is never set."""
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Returns once that many seconds have passed on the clock underneath."""
        await self._clock.sleep(seconds)


class DatabaseClock:
    """The time of a database that several processes share, however their own clocks are set.

    Between two questions it goes on as fast as a clock that is never set.

    Args:
        clock: The clock of this machine.
        ask: Returns the time of the database.
    """

    def __init__(self, clock: Clock, ask: Callable[[], Awaitable[float]]) -> None:
        self._clock = clock
        self._ask = ask
        self._ahead = clock.now() - clock.monotonic()

    async def follow(self) -> None:
        """Asks the database for its time; raises what that raises."""
        before = self._clock.monotonic()
        moment = await self._ask()
        self._ahead = moment - (before + self._clock.monotonic()) / 2

    def now(self) -> float:
        """Wall time in seconds since the epoch, as the database has it."""
        return self._clock.monotonic() + self._ahead

    def monotonic(self) -> float:
        """Seconds on a clock that is never set."""
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Returns once that many seconds have passed."""
        await self._clock.sleep(seconds)


def iso(moment: float) -> str:
    """Writes wall time as ISO 8601 in UTC, with milliseconds and `Z`."""
    written = datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
    return written.replace("+00:00", "Z")


def iso_seconds(moment: float) -> str:
    """Writes wall time as ISO 8601 in UTC without fractions, as `w:date` wants it."""
    written = datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
    return written.replace("+00:00", "Z")
