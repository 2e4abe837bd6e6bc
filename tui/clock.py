"""Time, as an argument: what the program shows depends on a clock that tests can set."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Protocol


class Clock(Protocol):
    """Wall time in seconds since the epoch, and a steady time in seconds."""

    @property
    def zone(self) -> tzinfo | None:
        """The zone in which people read times; None: the machine's."""
        ...

    def now(self) -> float:
        """Return the wall time."""
        ...

    def steady(self) -> float:
        """Return a time that never jumps."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's clock; `zone` None is the local zone."""

    zone: tzinfo | None = None

    def now(self) -> float:
        """Return the wall time."""
        return time.time()

    def steady(self) -> float:
        """Return a time that never jumps."""
        return time.monotonic()


def hour_minute(moment: float, zone: tzinfo | None) -> str:
    """Write a wall time as `14:31`."""
    return datetime.fromtimestamp(moment, UTC).astimezone(zone).strftime("%H:%M")


def shown_date(iso: str, zone: tzinfo | None) -> str:
    """Write an ISO date as `2026-11-21 14:31`; what is no date comes back as it is."""
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    if moment.tzinfo is None:
        return moment.strftime("%Y-%m-%d %H:%M")
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def elapsed(seconds: float) -> str:
    """Write a duration as `00:07`, or `1:02:03`."""
    whole = max(0, int(seconds))
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours}:{minutes:02}:{whole % 60:02}"
    return f"{minutes:02}:{whole % 60:02}"
