from __future__ import annotations

from collections.abc import Callable

import pytest

from redraft.tui.panes.line_view import LineView
from tests.tui.program import Program
from tests.tui.standin import Service


async def test_idling_for_a_minute_repaints_next_to_nothing(
    service: Service, program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add(left=3000)
    painted: list[str] = []
    original = LineView.repaint

    def repaint(self: LineView) -> None:
        painted.append(self.id or "")
        original(self)

    async with program().running() as redraft:
        await redraft.wait(1)
        monkeypatch.setattr(LineView, "repaint", repaint)
        for _ in range(60):
            await redraft.wait(1)
    minute = ["details", "documents", "title"]
    assert sorted(set(painted)) == minute
    assert len(painted) <= 2 * len(minute)


async def test_the_service_is_asked_now_and_then(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    service.has_events = False
    async with program().running() as redraft:
        before = service.requests.count("GET /v1/documents/")
        for _ in range(60):
            await redraft.wait(1)
        asked = service.requests.count("GET /v1/documents/") - before
        assert 6 <= asked <= 13
