"""A planner that asks the engine's interpreter, and can be told to make trouble."""

from __future__ import annotations

import asyncio
from pathlib import Path

from redraft.api.operations.metering import Meter
from redraft.engine.errors import ModelError
from redraft.engine.instruct import Calls, Instruction, Planned, instruct
from redraft.engine.planner.model import Models, Usage


async def plan(calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
    if instruction.playbook is not None:
        return await instruct(calls, Models(), instruction)
    text, lookup = instruction.text, instruction.lookup
    match text.split(maxsplit=2):
        case ["model", "down"]:
            message = "The language model cannot be reached"
            raise ModelError(message)
        case ["model", "broken"]:
            message = "canary-in-a-message"
            raise ZeroDivisionError(message)
        case ["hold", file, rest]:  # until the test makes that file
            while not Path(file).exists():  # noqa: ASYNC110, ASYNC240 - nobody tells when it is made
                await asyncio.sleep(0.005)
            text = rest
        case ["wait", seconds, rest]:
            await asyncio.sleep(float(seconds))
            text = rest
        case _:
            pass
    if text.startswith("ask "):  # as a model would have answered
        meter.count("fake-model", Usage(1, 100, 40, 7))
        if text == "ask for ever":
            await asyncio.sleep(3600)
        plan = await calls.interpret(text.removeprefix("ask "), lookup)
        return Planned(plan, (), "fake-model")
    warnings = ("the ordinary model answered",) if instruction.large else ()
    return Planned(await calls.interpret(text, lookup, instruction.places), warnings)
