"""How many requests a key may make in a minute, counted in fixed windows, here or by all together.

Processes that share a database take requests out of the window of a key in shares, so that not
every request has to be written down: first a twentieth of the limit, and less the less is left. So
the limit is never exceeded, and a twentieth of it at most lies unused at another process.
"""

from __future__ import annotations

from dataclasses import dataclass

from redraft.api.clock import Clock
from redraft.api.errors import OverloadedError
from redraft.api.metadata.keys import Keys

WINDOW = 60.0
MOST_CALLERS = 10_000
SHARES = 20


@dataclass(slots=True)
class _Window:
    ends: float
    granted: int
    """Requests of the limit that this process may let through."""
    left: int = 0
    """Requests of the limit that no process has taken, when it was last asked."""
    used: int = 0


class RequestLimiter:
    """Counts requests.

    Args:
        clock: When it is; that of the database where it is shared.
        limit: Requests per minute and caller; 0 for no limit.
        shared: Where all processes count together; None where there is one.
    """

    def __init__(self, clock: Clock, limit: int, shared: Keys | None = None) -> None:
        self._clock = clock
        self._limit = limit
        self._shared = shared
        self._windows: dict[str, _Window] = {}

    async def count(self, caller: str) -> tuple[tuple[str, str], ...]:
        """Counts a request, and returns the headers that tell the caller where it stands.

        Raises:
            OverloadedError: it is one too many.
            MetadataError: the database that counts cannot be asked.
        """
        if not self._limit:
            return ()
        now = self._clock.now() if self._shared else self._clock.monotonic()
        window = self._windows.get(caller)
        if window is None or now >= window.ends:
            self._forget_old(now)
            window = self._windows[caller] = self._begun(now)
        if self._shared is not None and window.left and window.used >= window.granted:
            await self._take(self._shared, caller, window)
        window.used += 1
        seconds_left = max(1, round(window.ends - now))
        if window.used > window.granted:
            message = "Too many requests; try again later"
            raise OverloadedError(message, retry_after=seconds_left)
        return (
            ("RateLimit-Limit", str(self._limit)),
            ("RateLimit-Remaining", str(window.left + window.granted - window.used)),
            ("RateLimit-Reset", str(seconds_left)),
        )

    def _begun(self, now: float) -> _Window:
        if self._shared is None:
            return _Window(now + WINDOW, self._limit)
        return _Window(now - now % WINDOW + WINDOW, 0, self._limit)

    async def _take(self, shared: Keys, caller: str, window: _Window) -> None:
        share = max(1, window.left // SHARES)
        taken = await shared.take_requests(caller, int(window.ends // WINDOW), share)
        window.granted += max(0, min(share, self._limit - taken + share))
        window.left = max(0, self._limit - taken)

    def _forget_old(self, now: float) -> None:
        if len(self._windows) >= MOST_CALLERS:
            self._windows = {
                caller: window for caller, window in self._windows.items() if now < window.ends
            }
