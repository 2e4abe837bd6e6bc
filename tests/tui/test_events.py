"""Events of the service: what they spare and what they bring, and that nothing needs them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from functools import partial
from pathlib import Path

import pytest

from redraft.tui.app import RedraftApp
from redraft.tui.clock import SystemClock
from redraft.tui.launch_options import LaunchOptions
from redraft.tui.session.service_updates import Dependencies
from redraft.tui.transport.client import Client
from redraft.tui.transport.local_server import Address, LocalServer
from redraft.tui.transport.requests import Edit, Upload
from tests.tui.program import Program
from tests.tui.standin import MemoryStore, Service

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
Make = Callable[..., Program]


def polls(service: Service) -> int:
    return service.requests.count("GET /v1/documents/")


async def test_a_change_made_elsewhere_appears_at_once(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        assert redraft.main.session.updates.watching == held.id
        held.text = held.text.replace("three years", "nine years")
        held.version += 1
        service.announce(held.id, "applied", "somebody-elses-edit")
        await redraft.settle()
        assert "nine years" in redraft.words("#preview")


async def test_the_state_and_the_step_of_an_edit_are_those_of_the_service(
    service: Service, program: Make
) -> None:
    held = service.add()
    service.is_holding = True
    async with program().running() as redraft:
        await redraft.send('Replace "30 days" with "45 days"')
        uid = redraft.main.session.store.jobs[0].uid
        service.announce(held.id, "queued", uid)
        await redraft.settle()
        assert redraft.main.session.store.jobs[0].state == "waiting"
        service.announce(held.id, "started", uid)
        service.announce(held.id, "progress", uid, "planning")
        await redraft.settle()
        assert redraft.main.session.store.jobs[0].state == "running"
        assert "planning 00:00 of 05:00" in redraft.words("#prompt-title")
        service.release()
        await redraft.settle()


async def test_with_events_the_list_is_asked_for_seldom(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        before = len(service.requests)
        for _ in range(60):
            await redraft.wait(1)
        assert 2 <= len(service.requests) - before <= 4


async def test_without_events_polling_goes_on_as_ever(service: Service, program: Make) -> None:
    held = service.add()
    service.has_events = False
    async with program().running() as redraft:
        assert redraft.main.session.updates.watching == ""
        held.text = held.text.replace("three years", "nine years")
        held.version += 1
        await redraft.wait(6)
        assert "nine years" in redraft.words("#preview")


async def test_a_broken_stream_is_opened_again_and_polling_bridges_the_gap(
    service: Service, program: Make
) -> None:
    held = service.add()
    async with program().running() as redraft:
        service.has_events = False
        service.break_streams()
        await redraft.settle()
        assert redraft.main.session.updates.watching == ""
        before = polls(service)
        for _ in range(30):
            await redraft.wait(1)
        assert 5 <= polls(service) - before <= 8
        service.has_events = True
        for _ in range(31):
            await redraft.wait(1)
        assert redraft.main.session.updates.watching == held.id


async def test_the_document_that_is_open_is_the_one_that_is_followed(
    service: Service, program: Make
) -> None:
    first, second = service.add("a.docx"), service.add("b.docx")
    async with program().running() as redraft:
        assert redraft.main.session.updates.watching == second.id
        redraft.main.open_document(first.id)
        await redraft.settle()
        assert redraft.main.session.updates.watching == first.id


async def test_odd_data_in_the_stream_is_passed_over(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        service.streams[-1].queue.put_nowait("data: {nonsense")
        service.streams[-1].queue.put_nowait("data: []\nid: 7\nodd")
        service.announce(held.id, "expired")
        await redraft.settle()
        assert redraft.main.session.updates.watching == held.id


# The real service


@pytest.fixture
async def address(tmp_path: Path) -> AsyncGenerator[Address]:
    local = LocalServer(tmp_path / "local")
    try:
        yield await local.open()
    finally:
        await asyncio.to_thread(partial(local.close, wait=True))


@pytest.mark.process
async def test_the_real_service_tells_what_another_client_does(
    address: Address, tmp_path: Path
) -> None:
    clock = SystemClock()
    other = Client(address.url, address.key, clock)
    try:
        await _followed(address, other, tmp_path)
    finally:
        await other.close()


async def _followed(address: Address, other: Client, folder: Path) -> None:
    clock = SystemClock()
    sent = await other.upload(
        Upload("contract.docx", SAMPLE.read_bytes(), 3600, True, "Dana"), lambda _: None
    )

    async def connect() -> Client:
        return Client(address.url, address.key, clock)

    uids = (f"e0e00000-0000-4000-8000-{number:012}" for number in range(1, 99))
    options = LaunchOptions(
        connect, Dependencies(clock, lambda: next(uids)), folder, store=MemoryStore(), ticks=False
    )
    app = RedraftApp(options)
    async with app.run_test(size=(120, 36)):
        await _until(lambda: app.main.session.updates.watching == sent.doc_id)
        uid = "a0a00000-0000-4000-8000-000000000001"
        await other.edit(
            sent.doc_id, Edit(uid, 'Replace "Harbour Lane" with "Quay Street" everywhere')
        )
        await _until(lambda: len(app.main.changes.changes) > 0)
        await other.delete(sent.doc_id)
        await _until(lambda: app.main.session.store.documents[sent.doc_id].is_expired)
        await _until(lambda: app.main.session.updates.watching == "")


async def _until(holds: Callable[[], bool], seconds: float = 90.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
