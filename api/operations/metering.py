"""Counts what an edit asks of language models, whatever becomes of the edit."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from redraft.engine.planner.model import Answer, LanguageModel, Models, Question, SpentError, Usage


class Meter:
    """What one edit has asked so far: of which model, and what that took; None for nothing."""

    def __init__(self) -> None:
        self.model: str | None = None
        self.usage: Usage | None = None

    def count(self, model: str, usage: Usage) -> None:
        """Adds what a model took; an edit asks one model, or the last is named."""
        if usage.requests:
            self.model = model
            self.usage = usage if self.usage is None else self.usage + usage


class _Metered:
    """A model that counts what it is asked."""

    def __init__(self, model: LanguageModel, meter: Meter) -> None:
        self._model = model
        self._meter = meter

    @property
    def name(self) -> str:
        return self._model.name

    async def answer(self, question: Question, deadline: float) -> Answer:
        try:
            answer = await self._model.answer(question, deadline)
        except SpentError as error:
            self._meter.count(self.name, error.usage)
            raise
        except asyncio.CancelledError:
            # It works on, and is paid, whether anybody waits for its answer or not.
            self._meter.count(self.name, question.unanswered())
            raise
        self._meter.count(self.name, answer.usage)
        return answer

    def misread(self) -> None:
        self._model.misread()


def metered(models: Models, meter: Meter) -> Models:
    """Returns the same models, counted."""
    ordinary = None if models.ordinary is None else _Metered(models.ordinary, meter)
    large = None if models.large is None else _Metered(models.large, meter)
    return replace(models, ordinary=ordinary, large=large)
