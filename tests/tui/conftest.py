"""What tests of the terminal share: snapshots as .svg, the stand-in service, a program on it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import textual.app
import textual.pilot
from pytest_textual_snapshot import (  # pyright: ignore[reportMissingTypeStubs]
    SVGImageExtension,
)

from tests.tui.program import Program
from tests.tui.standin import Service

SVGImageExtension.file_extension = "svg"


async def _a_moment(min_sleep: float = 0, max_sleep: float = 0) -> None:
    """Stand in for Textual's wait until the process uses no CPU, 20 ms or more for every key.

    `Program.settle` waits for what is true on the screen instead, which no load changes.
    """
    del min_sleep, max_sleep
    await asyncio.sleep(0.005)


for _module in (textual.app, textual.pilot):
    vars(_module)["wait_for_idle"] = _a_moment


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def program(service: Service, tmp_path: Path) -> Callable[..., Program]:
    def make(**values: Any) -> Program:
        return Program(service, tmp_path, **values)

    return make


Snapshot = Callable[..., bool]


@pytest.fixture
def picture(snap_compare: Snapshot, service: Service, tmp_path: Path) -> Callable[..., bool]:
    """Compare a screen with its stored picture; `act` drives the program first."""

    def compare(
        act: Callable[[Program], Awaitable[None]] | None = None,
        size: tuple[int, int] = (120, 36),
        *,
        is_waiting: bool = False,
        **values: Any,
    ) -> bool:
        program = Program(service, tmp_path, **values)

        async def before(pilot: Any) -> None:
            program.pilot = pilot
            program.is_waiting = is_waiting
            await program.settle()
            if act is not None:
                await act(program)
                await program.settle()

        return snap_compare(program.app, terminal_size=size, run_before=before)

    return compare
