"""A real service process whose clock is a file and whose engine and planner are the fake ones.

`python -m tests.interface.staged_server CLOCK [--real-engine]`; settings come from REDRAFT_*.
The file holds two numbers: seconds added to wall time, and to the monotonic clock.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from api.app import Outside
from api.journal import open_journal
from api.serve import serve_with
from api.settings import load
from api.workers import workers
from tests.api import fake_engine, fake_planner

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
    settings = load(os.environ, {})
    open_journal(settings.log_format, settings.log_level)
    pool = workers(settings.workers, settings.worker_memory_mb * 1024 * 1024)
    clock = FileClock(Path(sys.argv[1]))
    return serve_with(settings, lambda: Outside(pool, fake_engine, fake_planner.plan, clock))


if __name__ == "__main__":
    sys.exit(main())
