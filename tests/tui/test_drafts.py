"""What is written and sent survives a program that is killed."""

from __future__ import annotations

from collections.abc import Callable

from tests.tui.program import Program
from tests.tui.standin import MemoryStore, Service


async def test_what_is_written_is_saved_within_a_second(
    service: Service, program: Callable[..., Program]
) -> None:
    document = service.add()
    store = MemoryStore()
    async with program(store=store).running() as redraft:
        await redraft.type("replace 30 d")
        assert dict(store.session.drafts) == {}
        await redraft.wait(1)
        assert dict(store.session.drafts) == {document.id: "replace 30 d"}
        await redraft.press("ctrl+u")
        await redraft.wait(1)
        assert dict(store.session.drafts) == {}


async def test_a_session_that_did_not_change_is_not_written_again(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    store = MemoryStore()
    async with program(store=store).running() as redraft:
        await redraft.type("replace")
        await redraft.wait(1)
        saved = store.session
        await redraft.wait(1)
        assert store.session is saved


async def test_a_sent_instruction_is_remembered_before_it_is_answered(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    store = MemoryStore()
    service.is_holding = True
    async with program(store=store).running() as redraft:
        await redraft.send("Make the parties' names bold")
        assert store.session.past[-1] == "Make the parties' names bold"
        service.release()
        await redraft.settle()
