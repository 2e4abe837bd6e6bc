"""Counts what an edit asks of language models, so that an edit without a plan is paid for, too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from api.seams import Planned
from engine.errors import EngineError
from engine.planner.model import Answer, LanguageModel, Models, Question, Usage


class PaidError(Exception):
    """There is no plan, and a model was asked for one.

    Args:
        error: Why there is none.
        model: Which model was asked.
        usage: What it answered with.
    """

    def __init__(self, error: EngineError, model: str, usage: Usage) -> None:
        super().__init__(str(error))
        self.error = error
        self.model = model
        self.usage = usage


class _Metered:
    """A model that counts what it is asked."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.usage = Usage()

    @property
    def name(self) -> str:
        return self._model.name

    async def answer(self, question: Question, deadline: float) -> Answer:
        answer = await self._model.answer(question, deadline)
        self.usage += answer.usage
        return answer

    def misread(self) -> None:
        self._model.misread()


async def metered(models: Models, planning: Callable[[Models], Awaitable[Planned]]) -> Planned:
    """Plan with models that are counted.

    Raises:
        PaidError: there is no plan, and a model had answered.
        EngineError: there is no plan, and none had.
    """
    ordinary = None if models.ordinary is None else _Metered(models.ordinary)
    large = None if models.large is None else _Metered(models.large)
    try:
        return await planning(replace(models, ordinary=ordinary, large=large))
    except EngineError as error:
        for model in (large, ordinary):
            if model is not None and model.usage.requests:
                raise PaidError(error, model.name, model.usage) from error
        raise
