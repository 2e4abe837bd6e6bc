from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from redraft.api.expiry import Sweeper
from redraft.api.files.local import LocalFiles
from redraft.api.metadata.protocol import Limits, Operation
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.operations.mailbox import Event, Mailbox, Work
from tests.api.builders import HeldClock, document, version


async def idle(operation: Operation, remaining: float) -> Work:
    raise NotImplementedError


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    made = LocalFiles(tmp_path / "data")
    made.prepare()
    return made


async def test_a_sweep_that_fails_is_followed_by_others(
    metadata: SqliteMetadata, files: LocalFiles, clock: HeldClock, caplog: pytest.LogCaptureFixture
) -> None:
    events: list[Event] = []
    mailbox = Mailbox(metadata.operations, clock, idle, events.append, Limits())
    sweeper = Sweeper(metadata, files, mailbox, events.append, clock, 30)
    sweeping = asyncio.create_task(sweeper.run())
    try:
        await clock.slept_on()
        folders = (files.worker_folders.outputs, files.worker_folders.outputs.with_name("away"))
        folders[0].rename(folders[1])
        clock.advance(30)
        async with asyncio.timeout(60):
            while "a sweep failed" not in caplog.text:  # noqa: ASYNC110 - the log has no event
                await asyncio.sleep(0.005)
        folders[1].rename(folders[0])
        await clock.slept_on()
        stored = document(clock, ttl=20)
        await metadata.documents.add(stored, version())
        clock.advance(30)
        async with asyncio.timeout(60):
            while not events:  # noqa: ASYNC110 - a list has no event
                await asyncio.sleep(0.005)
        assert events == [Event("expired", stored.id)]
    finally:
        sweeping.cancel()
