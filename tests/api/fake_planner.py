"""A planner that asks the engine's interpreter, and can be told to make trouble."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from api.seams import Calls
from engine.errors import ModelError
from engine.plan import EditPlan
from engine.planner.model import Usage


@dataclass(frozen=True, slots=True)
class FakePlanned:
    plan: EditPlan
    warnings: tuple[str, ...]
    model: str | None = None
    usage: Usage | None = None


async def plan(
    calls: Calls,
    instruction: str,
    lookup: str | None,
    *,
    large: bool,
    deadline: float,
    nonce: str,
) -> FakePlanned:
    match instruction.split(maxsplit=2):
        case ["model", "down"]:
            message = "The language model cannot be reached"
            raise ModelError(message)
        case ["model", "broken"]:
            message = "canary-in-a-message"
            raise ZeroDivisionError(message)
        case ["wait", seconds, rest]:
            await asyncio.sleep(float(seconds))
            instruction = rest
        case _:
            pass
    if instruction.startswith("ask "):  # as a model would have answered
        plan = await calls.interpret(instruction.removeprefix("ask "), lookup)
        return FakePlanned(plan, (), "fake-model", Usage(1, 100, 40, 7))
    warnings = ("the ordinary model answered",) if large else ()
    return FakePlanned(await calls.interpret(instruction, lookup), warnings)
