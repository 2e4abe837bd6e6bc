"""A planner that asks the engine's interpreter, and can be told to make trouble."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from redraft.api.metering import Meter
from redraft.api.seams import Calls
from redraft.engine.errors import ModelError
from redraft.engine.plan import EditPlan
from redraft.engine.planner.model import Usage


@dataclass(frozen=True, slots=True)
class FakePlanned:
    plan: EditPlan
    warnings: tuple[str, ...]
    model: str | None = None


async def plan(
    calls: Calls,
    instruction: str,
    lookup: str | None,
    *,
    large: bool,
    deadline: float,
    nonce: str,
    meter: Meter,
) -> FakePlanned:
    match instruction.split(maxsplit=2):
        case ["model", "down"]:
            message = "The language model cannot be reached"
            raise ModelError(message)
        case ["model", "broken"]:
            message = "canary-in-a-message"
            raise ZeroDivisionError(message)
        case ["hold", file, rest]:  # until the test makes that file
            while not Path(file).exists():  # noqa: ASYNC110, ASYNC240 - nobody tells when it is made
                await asyncio.sleep(0.005)
            instruction = rest
        case ["wait", seconds, rest]:
            await asyncio.sleep(float(seconds))
            instruction = rest
        case _:
            pass
    if instruction.startswith("ask "):  # as a model would have answered
        meter.count("fake-model", Usage(1, 100, 40, 7))
        if instruction == "ask for ever":
            await asyncio.sleep(3600)
        plan = await calls.interpret(instruction.removeprefix("ask "), lookup)
        return FakePlanned(plan, (), "fake-model")
    warnings = ("the ordinary model answered",) if large else ()
    return FakePlanned(await calls.interpret(instruction, lookup), warnings)
