"""The clock of the service: what the wall says, unless it jumps."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from redraft.api.app import Application, Externals, running
from redraft.api.auth.api_keys import new_key
from redraft.api.clock import SteadyClock
from redraft.api.errors import BadLinkError, NotReadyError
from redraft.api.metadata.protocol import Document
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE
from tests.api import fake_planner
from tests.api.builders import HeldClock, document, version
from tests.api.fake_engine import FakeEngine

MONTH = 30 * 86_400.0


@asynccontextmanager
async def served(folder: Path, clock: HeldClock) -> AsyncGenerator[Application]:
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, clock)
    async with running(Settings(data_dir=folder, api_keys=("key",)), externals) as application:
        yield application


def test_time_goes_on_while_the_wall_clock_is_set_back(clock: HeldClock) -> None:
    steady = SteadyClock(clock)
    start = steady.now()
    clock.wall -= 3600
    clock.advance(10)
    assert steady.now() == start + 10
    assert steady.behind == 3600


def test_a_jump_ahead_is_not_followed_and_is_told(clock: HeldClock) -> None:
    steady = SteadyClock(clock)
    start = steady.now()
    clock.wall += MONTH
    clock.advance(10)
    assert steady.now() == start + 10
    assert steady.fault == "ahead of the time that has passed by 30 days"
    clock.wall -= MONTH
    assert steady.now() == start + 10
    assert steady.fault == ""


def test_a_small_step_ahead_is_followed(clock: HeldClock) -> None:
    steady = SteadyClock(clock)
    clock.wall += 400
    assert steady.now() == clock.wall
    assert steady.fault == ""


async def kept(folder: Path, clock: HeldClock, ttl: int) -> Document:
    metadata = await SqliteMetadata.open(folder / DATABASE)
    stored = document(clock, ttl=ttl)
    await metadata.documents.add(stored, version())
    await metadata.keys.mark(clock.now())
    await metadata.close()
    return stored


async def expiry(folder: Path, identifier: str) -> float | None:
    metadata = await SqliteMetadata.open(folder / DATABASE)
    found = await metadata.documents.get(identifier)
    await metadata.close()
    return None if found is None else found.expires_at


async def test_a_jump_that_was_there_at_a_start_is_forgotten_once_it_is_set_right(
    tmp_path: Path, clock: HeldClock
) -> None:
    right = clock.now()
    clock.wall += MONTH
    stored = await kept(tmp_path, clock, ttl=300)
    async with served(tmp_path, clock) as application:
        link = await application.presigner.link(stored.id, 0, 1, "key")
    clock.wall = right
    async with served(tmp_path, clock) as application:
        assert await expiry(tmp_path, stored.id) == right + 300
        query = [tuple(pair.split("=", 1)) for pair in link.query.split("&")]
        with pytest.raises(BadLinkError):
            await application.presigner.verified(link.path, [(a, b) for a, b in query])
        made = new_key("day", right, right + 86_400)
        assert made.key.is_valid(application.clock.now())
        clock.advance(301)
        await application.sweep()
    assert await expiry(tmp_path, stored.id) is None


async def test_a_clock_that_is_set_back_while_it_runs_is_followed_by_the_next_sweep(
    tmp_path: Path, clock: HeldClock
) -> None:
    stored = await kept(tmp_path, clock, ttl=600)
    async with served(tmp_path, clock) as application:
        clock.wall -= MONTH
        clock.advance(100)
        await application.sweep()
        assert application.clock.now() == clock.now()
        assert await expiry(tmp_path, stored.id) == clock.now() + 500
        clock.advance(501)
        await application.sweep()
        assert await expiry(tmp_path, stored.id) is None


async def test_a_clock_that_jumps_ahead_while_it_runs_deletes_nothing_and_is_not_ready(
    tmp_path: Path, clock: HeldClock
) -> None:
    stored = await kept(tmp_path, clock, ttl=300)
    async with served(tmp_path, clock) as application:
        clock.wall += MONTH
        await application.sweep()
        assert await expiry(tmp_path, stored.id) == replace(stored).expires_at
        with pytest.raises(NotReadyError, match="clock: ahead of the time that has passed by 30"):
            await application.service.readiness()
        clock.wall -= MONTH
        assert (await application.service.readiness()).checks["clock"] == "ok"
