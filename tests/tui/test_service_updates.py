"""Updates from a service, where the answers of another one are still on their way."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from redraft.tui.session.service_updates import Dependencies, ServiceUpdates
from redraft.tui.session.store import Store
from redraft.tui.transport import wire
from redraft.tui.transport.client import Client
from redraft.tui.transport.failures import UnreachableError
from tests.tui.standin import FrozenClock, Service


class Slow:
    """A client whose answer comes when it is told to."""

    def __init__(self, answer: wire.DocumentList | UnreachableError) -> None:
        self.answer = answer
        self.asked, self.told = asyncio.Event(), asyncio.Event()

    async def documents(self) -> wire.DocumentList:
        self.asked.set()
        await self.told.wait()
        if isinstance(self.answer, UnreachableError):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("is_lost", [False, True])
async def test_what_a_service_says_that_was_left_in_the_meantime_is_not_heard(
    is_lost: bool, is_late: bool
) -> None:
    there, here = Service(), Service()
    there.add("theirs.docx")
    here.add("ours.docx")
    answer = UnreachableError("gone") if is_lost else await there.client().documents()
    slow = Slow(answer)
    clock = FrozenClock()
    store = Store(clock, lambda: None)
    updates = ServiceUpdates(Dependencies(clock, lambda: "uid"), store)
    updates.connect(cast(Client, slow))
    asking = asyncio.create_task(updates.refresh())
    await slow.asked.wait()
    updates.disconnect()
    updates.connect(here.client())
    if is_late:
        await updates.refresh()
    slow.told.set()
    await asking
    assert is_late or (store.documents == {} and store.link.state == "starting")
    await updates.refresh()
    assert [document.info.name for document in store.documents.values()] == ["ours.docx"]
    assert store.link.state == "online"
