"""A real service process whose clock is a file and whose engine and planner are the fake ones.

`python -m tests.interface.staged_server CLOCK [--real-engine] [--without MEASURE]`; settings come
from REDRAFT_*. The file holds two numbers: seconds added to wall time, and to the monotonic clock.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from redraft.api.app import Externals
from redraft.api.logs import start_logging
from redraft.api.serve import serve_with, shipped
from redraft.api.settings import load
from tests.api import fake_planner
from tests.api.fake_engine import FakeEngine

TICK = 0.02


class FileClock:
    """The machine's clock, moved by what the file says."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def now(self) -> float:
        return time.time() + self._moved()[0]

    def monotonic(self) -> float:
        return time.monotonic() + self._moved()[1]

    async def sleep(self, seconds: float) -> None:
        end = self.monotonic() + seconds
        while self.monotonic() < end:  # noqa: ASYNC110 - nobody tells when the file changes
            await asyncio.sleep(min(TICK, max(0.0, seconds)))

    def _moved(self) -> tuple[float, float]:
        wall, monotonic = self._file.read_text().split()
        return float(wall), float(monotonic)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("clock", type=Path)
    parser.add_argument("--real-engine", action="store_true")
    parser.add_argument("--without", default="")
    given = parser.parse_args()
    if given.without:
        # It brings all of the service and the engine, which few of these processes need at once.
        from tests.interface.measures import take_out

        take_out(given.without)
    settings = load(os.environ, {})
    start_logging(settings.log_format, settings.log_level)

    def externals() -> Externals:
        mount = None
        if settings.mcp == "on":  # it brings a library that few of these processes need
            from redraft.assist.mount import mounted as mount
        made = replace(shipped(settings, os.environ), clock=FileClock(given.clock), mount=mount)
        if given.real_engine:
            return made
        return replace(made, workers=FakeEngine(made.workers), planner=fake_planner.plan)

    return serve_with(settings, externals)


if __name__ == "__main__":
    sys.exit(main())
