"""Work in counts, which are the same on every machine: calls, turns of the loop, longest stretches.

Seconds are `make bench`'s.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from unittest.mock import patch


class Calls:
    """Counts the calls of functions, in Python and in C, that this thread makes."""

    def __init__(self) -> None:
        self.count = 0

    def _seen(self, _frame: FrameType, event: str, _given: object) -> None:
        if event in ("call", "c_call"):
            self.count += 1

    @contextmanager
    def counted(self) -> Generator[Calls]:
        """Count until the end of the block."""
        before = sys.getprofile()
        sys.setprofile(self._seen)
        try:
            yield self
        finally:
            sys.setprofile(before)


class Loop:
    """Counts what the event loop ran, and the calls of the longest piece that it ran in one go."""

    def __init__(self) -> None:
        self.turns = 0
        self.longest = 0

    @contextmanager
    def watched(self) -> Generator[Loop]:
        """Watch until the end of the block."""
        run = asyncio.Handle._run  # noqa: SLF001 # pyright: ignore[reportPrivateUsage,reportUnknownMemberType,reportUnknownVariableType,reportAttributeAccessIssue]

        def counted(handle: asyncio.Handle) -> None:
            before = calls.count
            self.turns += 1
            run(handle)
            self.longest = max(self.longest, calls.count - before)

        with Calls().counted() as calls, patch.object(asyncio.Handle, "_run", counted):
            yield self
