"""`redraft doctor`: does the configured model answer at all?"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from engine.errors import ModelError
from engine.planner.model import LanguageModel, Message, Question, Usage
from engine.planner.wire import UnreadableReplyError, decode, schema

SECONDS = 30.0
_SAY = (
    'Answer with this JSON object and nothing else: {"reason": "ready", "decision": "no_change",'
    ' "read": [], "operations": []}'
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What one tiny call showed."""

    model: str
    seconds: float
    usage: Usage


async def probe(model: LanguageModel, seconds: float = SECONDS) -> Probe:
    """Ask a model for the smallest plan there is.

    Raises:
        ModelError: It did not answer, or not with a plan; the sentence says what to look at.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    question = Question((Message("user", _SAY),), "edit_plan", schema())
    answer = await model.answer(question, started + seconds)
    try:
        decode(answer.text)
    except UnreadableReplyError as error:
        message = f"The language model {model.name} answers, but not with JSON as asked: {error}"
        raise ModelError(message, passing=False) from None
    return Probe(model.name, round(loop.time() - started, 3), answer.usage)
