"""Who is at the door and has not said who they are: how many at once, and how often from where.

A key cannot be guessed, so this guards no secret: it keeps somebody who knocks all day from taking
the places of people who log in, and from filling the log.
"""

from __future__ import annotations

import ipaddress
import logging
from collections import Counter, deque
from collections.abc import Callable

from redraft.remote.sessions import Limits, Ticks

WINDOW = 600.0  # seconds for which a failed login counts
MOST_PLACES = 4096  # that failures are remembered of
NETWORK = 64  # bits of an address of version 6 that one customer has
log = logging.getLogger("redraft.ssh")


class LoginLimits:
    """Connections between their first byte and their login."""

    def __init__(self, limits: Limits, now: Ticks) -> None:
        self._limits = limits
        self._now = now
        self._where: dict[object, str] = {}
        self._failed: dict[str, deque[float]] = {}
        """When logins failed, by place; the place of the latest comes last."""
        self._told: set[str] = set()
        self._close: dict[object, Callable[[], None]] = {}
        self._is_full = False

    def __len__(self) -> int:
        return len(self._where)

    def enter(self, guest: object, address: str, close: Callable[[], None]) -> bool:
        """Takes a connection in; False when too many are from there, or too many logins failed.

        Where all places are taken, the address with the most connections gives up its oldest one,
        so that a few addresses never keep everybody else out.

        Args:
            guest: The connection.
            address: Where it comes from.
            close: Closes it, to make room for another.
        """
        place = place_of(address)
        self._forget()
        refusal = self._refusal(place)
        if refusal and place not in self._told:
            self._told.add(place)
            log.warning("%s: %s", place, refusal)
        if refusal:
            return False
        if len(self._where) >= self._limits.unauthenticated:
            self._make_room()
        self._where[guest] = place
        self._close[guest] = close
        return True

    def _make_room(self) -> None:
        busiest, count = Counter(self._where.values()).most_common(1)[0]
        oldest = next(guest for guest, place in self._where.items() if place == busiest)
        if not self._is_full:
            log.warning(
                "%d connections have not logged in; the oldest of the %d from %s makes room",
                len(self._where),
                count,
                busiest,
            )
        self._is_full = True
        del self._where[oldest]
        self._close.pop(oldest)()

    def leave(self, guest: object, *, failed: bool = False) -> None:
        """Lets go of a connection, once; `failed` says that it tried to log in and could not."""
        place = self._where.pop(guest, None)
        self._close.pop(guest, None)
        self._is_full = self._is_full and len(self._where) * 2 > self._limits.unauthenticated
        if place is None:
            return
        if failed and self._limits.failures:
            times = self._failed.pop(place, deque[float](maxlen=self._limits.failures))
            times.append(self._now())
            self._failed[place] = times
        elif place not in self._failed and place not in self._where.values():
            self._told.discard(place)
        self._forget()

    def _refusal(self, place: str) -> str:
        failures, limit = self._limits.failures, self._limits.unauthenticated_per_address
        times = self._failed.get(place)
        # Of the last so many the first is within the time.
        if times and len(times) >= failures and self._now() - times[0] < WINDOW:
            minutes = f"{WINDOW / 60:.0f} min"
            return f"{failures} logins failed; connections from there are refused for {minutes}"
        if sum(address_place == place for address_place in self._where.values()) >= limit:
            return f"{limit} connections have not logged in; further ones from there are refused"
        self._told.discard(place)
        return ""

    def _forget(self) -> None:
        while self._failed:
            place, times = next(iter(self._failed.items()))
            if len(self._failed) <= MOST_PLACES and self._now() - times[-1] < WINDOW:
                break
            del self._failed[place]
            self._told.discard(place)


def place_of(address: str) -> str:
    """Says what counts as one place: an address, or of version 6 the network of one customer."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, NETWORK), strict=False))
