"""The program under test: driven by keys, waited for by state and never by time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from redraft.tui.app import RedraftApp
from redraft.tui.main_screen import MainScreen
from redraft.tui.panes.line_view import LineView
from redraft.tui.text.runs import text_of
from tests.tui.standin import Service

LIMIT = 60.0  # seconds to come to rest, on a machine that has much else to do


class Program:
    """A program on the stand-in service."""

    def __init__(self, service: Service, folder: Path, **values: Any) -> None:
        self.service = service
        self.app = RedraftApp(service.options(folder, **values))
        self.pilot: Pilot[int] | None = None
        self.is_waiting = False  # the service is not to be reached

    @property
    def main(self) -> MainScreen:
        return self.app.main

    @asynccontextmanager
    async def running(self, size: tuple[int, int] = (120, 36)) -> AsyncGenerator[Program]:
        async with self.app.run_test(size=size) as pilot:
            self.pilot = pilot
            await self.settle()
            yield self

    async def settle(self) -> None:
        """Wait until nothing is going on but edits that the service holds back."""
        quiet = 0
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            assert self.pilot is not None
            await self.pilot.pause()
            busy = [
                worker
                for worker in self.app.workers
                if worker.is_running and not self._is_held(worker.group)
            ]
            quiet = 0 if busy or self.main.is_dirty else quiet + 1
            if quiet >= 3:
                return
            await asyncio.sleep(0)
        groups = [worker.group for worker in self.app.workers if worker.is_running]
        message = f"the program does not come to rest: {groups}"
        raise AssertionError(message)

    def _is_held(self, group: str) -> bool:
        if group == "upload":
            return self.service.is_holding_uploads
        if group == "watch":
            return True
        if group == "connect":
            return self.is_waiting
        return group == "edits" and (self.service.is_holding or self.service.down)

    async def press(self, *keys: str) -> None:
        assert self.pilot is not None
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Put text into what has the focus, as a fast typist would."""
        assert self.pilot is not None
        for character in text:
            await self.pilot.press("space" if character == " " else character)
        await self.settle()

    async def send(self, text: str) -> None:
        """Send an instruction."""
        self.main.prompt.focus()
        self.main.prompt.load_text(text)
        await self.press("enter")

    async def wait(self, seconds: float) -> None:
        """Let time go by; the program looks at the clock once."""
        self.service.clock.forward(seconds)
        self.main.on_tick()
        await self.settle()

    @property
    def status(self) -> str:
        return self.main.status[0]

    def text(self, selector: str) -> str:
        """What a pane shows, without colours."""
        view = self.app.screen.query_one(selector, LineView)
        lines = (text_of(view.line(number)).rstrip() for number in range(view.line_count()))
        return "\n".join(lines)

    def screen(self) -> list[str]:
        """The lines of the whole screen, without colours and spaces at their ends."""
        strips = self.app.screen._compositor.render_strips()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def words(self, selector: str) -> str:
        """What a pane shows, with one space for spaces, line ends and gutter marks."""
        return " ".join(self.text(selector).replace("▎", " ").split())
