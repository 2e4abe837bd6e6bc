"""How many requests a key may make in a minute, counted in fixed windows."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.api.clock import Clock
from redraft.api.errors import OverloadedError

WINDOW = 60.0
MOST_CALLERS = 10_000


@dataclass(slots=True)
class _Window:
    started: float
    used: int = 0


class RequestLimiter:
    """Counts requests.

    Args:
        clock: When it is.
        limit: Requests per minute and caller; 0 for no limit.
    """

    def __init__(self, clock: Clock, limit: int) -> None:
        self._clock = clock
        self._limit = limit
        self._windows: dict[str, _Window] = {}

    def count(self, caller: str) -> tuple[tuple[str, str], ...]:
        """Counts a request, and returns the headers that tell the caller where it stands.

        Raises:
            OverloadedError: it is one too many.
        """
        if not self._limit:
            return ()
        now = self._clock.monotonic()
        window = self._windows.get(caller)
        if window is None or now - window.started >= WINDOW:
            self._forget_old(now)
            window = self._windows[caller] = _Window(now)
        window.used += 1
        seconds_left = max(1, round(window.started + WINDOW - now))
        if window.used > self._limit:
            message = "Too many requests; try again later"
            raise OverloadedError(message, retry_after=seconds_left)
        return (
            ("RateLimit-Limit", str(self._limit)),
            ("RateLimit-Remaining", str(self._limit - window.used)),
            ("RateLimit-Reset", str(seconds_left)),
        )

    def _forget_old(self, now: float) -> None:
        if len(self._windows) >= MOST_CALLERS:
            self._windows = {
                caller: window
                for caller, window in self._windows.items()
                if now - window.started < WINDOW
            }
