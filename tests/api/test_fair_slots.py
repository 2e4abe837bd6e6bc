"""Keys take turns at the workers."""

from __future__ import annotations

import asyncio

import pytest

from redraft.api.sandbox.fair_slots import CrowdedError, FairSlots


class Users:
    def __init__(self, slots: FairSlots) -> None:
        self.slots = slots
        self.order: list[str] = []
        self.ends: list[asyncio.Event] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def come(self, owner: str) -> asyncio.Event:
        end = asyncio.Event()

        async def use() -> None:
            async with self.slots.slot(owner):
                self.order.append(owner)
                await end.wait()

        self.tasks.append(asyncio.create_task(use()))
        self.ends.append(end)
        await asyncio.sleep(0)
        return end

    async def leave(self, end: asyncio.Event) -> None:
        end.set()
        for _ in range(5):
            await asyncio.sleep(0)


async def test_a_key_that_holds_every_slot_does_not_keep_another_waiting() -> None:
    users = Users(FairSlots(2, 10))
    for _ in range(3):
        await users.come("greedy")
    assert users.order == ["greedy", "greedy"]
    await users.come("quiet")
    assert users.order[2:] == ["quiet"]


async def test_waiting_keys_take_turns() -> None:
    users = Users(FairSlots(1, 10))
    first = await users.come("a")
    reserve = await users.come("b")
    for owner in ("a", "a", "c", "b"):
        await users.come(owner)
    await users.leave(first)
    await users.leave(reserve)
    assert users.order == ["a", "b", "a", "c"]


async def test_one_key_may_have_only_so_many_waiting() -> None:
    users = Users(FairSlots(1, 1))
    await users.come("a")
    await users.come("a")
    with pytest.raises(CrowdedError):
        async with users.slots.slot("a"):
            pass
    await users.come("b")
    assert users.order == ["a", "b"]


async def test_one_that_stops_waiting_leaves_no_trace() -> None:
    users = Users(FairSlots(1, 1))
    first = await users.come("a")
    await users.come("a")
    users.tasks[1].cancel()
    await asyncio.sleep(0)
    await users.come("a")
    await users.leave(first)
    assert users.order == ["a", "a"]
    await users.leave(users.ends[2])
    await users.come("a")
    assert users.order == ["a", "a", "a"]
