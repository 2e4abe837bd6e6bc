"""Who is at the door and has not said who they are: how many at once, and how often from where.

A key cannot be guessed, so this guards no secret: it keeps somebody who knocks all day from taking
the places of people who log in, and from filling the log.
"""

from __future__ import annotations

import ipaddress
import logging
from collections import deque

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

    def __len__(self) -> int:
        return len(self._where)

    def enter(self, guest: object, address: str) -> bool:
        """Takes a connection in; False when there are too many, or too many logins failed there."""
        place = place_of(address)
        self._forget()
        refusal = self._refusal(place)
        if refusal and place not in self._told:
            self._told.add(place)
            log.warning("%s: %s", place, refusal)
        if refusal or len(self._where) >= self._limits.unauthenticated:
            return False
        self._where[guest] = place
        return True

    def leave(self, guest: object, *, failed: bool = False) -> None:
        """Lets go of a connection, once; `failed` says that it tried to log in and could not."""
        place = self._where.pop(guest, None)
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
