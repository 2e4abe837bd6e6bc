from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from redraft.api.operations.metering import Meter, metered
from redraft.engine.errors import ModelError
from redraft.engine.planner.model import (
    Answer,
    LanguageModel,
    Message,
    Models,
    Question,
    SpentError,
    Usage,
)

QUESTION = Question((Message("system", "x" * 300), Message("user", "y" * 100)), "p", {})


class Scripted:
    """A model that does what the test says."""

    name = "scripted"

    def __init__(self, act: Callable[[], Awaitable[Answer]]) -> None:
        self._act = act
        self.was_misread = False

    async def answer(self, question: Question, deadline: float) -> Answer:
        return await self._act()

    def misread(self) -> None:
        self.was_misread = True


def counted(act: Callable[[], Awaitable[Answer]]) -> tuple[Meter, LanguageModel]:
    meter = Meter()
    model = metered(Models(ordinary=Scripted(act)), meter).ordinary
    assert model is not None
    return meter, model


async def test_answers_are_added_up_under_the_models_name() -> None:
    async def say() -> Answer:
        return Answer("{}", Usage(1, 100, 40, 10))

    meter, model = counted(say)
    assert (meter.model, meter.usage) == (None, None)
    for _ in range(2):
        assert (await model.answer(QUESTION, 0.0)).text == "{}"
    assert (meter.model, meter.usage) == ("scripted", Usage(2, 200, 80, 20))


async def test_a_useless_answer_is_counted_and_a_model_out_of_reach_is_not() -> None:
    async def refuse() -> Answer:
        message = "cut off"
        raise SpentError(message, Usage(1, 100, 0, 10))

    async def fail() -> Answer:
        message = "no connection"
        raise ModelError(message)

    meter, model = counted(refuse)
    with pytest.raises(SpentError):
        await model.answer(QUESTION, 0.0)
    assert meter.usage == Usage(1, 100, 0, 10)
    meter, model = counted(fail)
    with pytest.raises(ModelError):
        await model.answer(QUESTION, 0.0)
    assert meter.usage is None


async def test_a_question_that_nobody_waits_for_any_more_counts_what_was_sent() -> None:
    asked = asyncio.Event()

    async def think() -> Answer:
        asked.set()
        await asyncio.sleep(60)
        raise AssertionError

    meter, model = counted(think)
    task = asyncio.ensure_future(model.answer(QUESTION, 0.0))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (meter.model, meter.usage) == ("scripted", Usage(1, 100, 0, 0))


def test_what_is_not_configured_stays_so_and_the_rest_is_passed_on() -> None:
    async def never() -> Answer:
        raise AssertionError

    model = Scripted(never)
    made = metered(Models(large=model, plain_first=False), Meter())
    assert made.ordinary is None
    assert made.large is not None
    made.large.misread()
    assert (model.was_misread, made.large.name, made.plain_first) == (True, "scripted", False)
