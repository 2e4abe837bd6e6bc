"""Work in counts, the same on every machine however busy; seconds are what `make bench` is for.

A count grows with the size of what is worked on, so that a quadratic step shows as a ratio.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines(act: Callable[[], object]) -> int:
    """How many lines of Python an act goes through: every turn of every loop. Slow."""
    count = 0

    def seen(_frame: FrameType, event: str, _given: object) -> Any:
        nonlocal count
        if event == "line":
            count += 1
        return seen

    before = sys.gettrace()
    sys.settrace(seen)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def calls(act: Callable[[], object]) -> int:
    """How many calls, in Python and in C, an act makes."""
    count = 0

    def seen(_frame: FrameType, event: str, _given: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count
