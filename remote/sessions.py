"""Who is here: limits on sessions, the end of those that idle, and the end of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Reason = Literal["idle", "stopping"]
End = Callable[[Reason], None]
Ticks = Callable[[], float]
"""A time in seconds that never jumps."""


class FullError(Exception):
    """No further session; the message is for the person."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is let in; times in seconds, `idle` and `failures` 0 for no end."""

    sessions: int = 20
    sessions_per_key: int = 5
    idle: float = 1800.0
    login: float = 30.0
    tries: int = 6
    unauthenticated: int = 10
    unauthenticated_per_address: int = 5
    failures: int = 20


class Session:
    """Somebody who is here; `touch` says that they did something, `close` that they left."""

    def __init__(self, sessions: Sessions, owner: str, end: End, *, is_counted: bool) -> None:
        self._sessions = sessions
        self._end = end
        self._seen = sessions.now()
        self.owner = owner
        self.is_counted = is_counted

    def touch(self) -> None:
        """Notes that the person did something."""
        self._seen = self._sessions.now()

    def close(self) -> None:
        """Leaves; more than once does no harm."""
        self._sessions.leave(self)

    def idle(self) -> float:
        """Returns the seconds since the person did something."""
        return self._sessions.now() - self._seen

    def end(self, reason: Reason) -> None:
        """Asks whoever holds the session to end it."""
        self._end(reason)


class Sessions:
    """All sessions of one door."""

    def __init__(self, limits: Limits, now: Ticks) -> None:
        self.limits = limits
        self.now = now
        self.is_stopping = False
        self._here: dict[Session, None] = {}

    def __len__(self) -> int:
        """Returns how many are counted."""
        return sum(session.is_counted for session in self._here)

    def enter(self, owner: str, end: End) -> Session:
        """Lets somebody in.

        Raises:
            FullError: there are too many, of this key or in all, or the door is closing.
        """
        if self.is_stopping:
            message = "this server is stopping; try again in a minute"
            raise FullError(message)
        if len(self) >= self.limits.sessions:
            message = "too many sessions are open; try again later"
            raise FullError(message)
        mine = sum(session.is_counted and session.owner == owner for session in self._here)
        if mine >= self.limits.sessions_per_key:
            message = f"your key has {mine} open sessions, the most it may have; close one"
            raise FullError(message)
        return self._add(Session(self, owner, end, is_counted=True))

    def watch(self, owner: str, end: End) -> Session:
        """Lets a connection in that is not a session yet: it ends when it idles."""
        return self._add(Session(self, owner, end, is_counted=False))

    def _add(self, session: Session) -> Session:
        self._here[session] = None
        return session

    def leave(self, session: Session) -> None:
        """Forgets somebody who left."""
        self._here.pop(session, None)

    def end_idle(self) -> int:
        """Ends the sessions in which nothing was done for too long; returns their number."""
        if not self.limits.idle:
            return 0
        idle = [session for session in self._here if session.idle() >= self.limits.idle]
        for session in idle:
            session.end("idle")
        return len(idle)

    def stop(self) -> None:
        """Lets nobody in any more and asks all to end."""
        self.is_stopping = True
        for session in list(self._here):
            session.end("stopping")
