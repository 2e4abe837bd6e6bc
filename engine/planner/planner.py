"""One instruction, one document, one model: a plan that can be carried out, or a reason why not.

The model is asked once for a whole plan. What it answers is decoded, looked at by the guards, and
checked against the document; what is wrong goes back in one line a fault, and the whole plan is
asked for again, a few times. Nothing of a faulty plan is ever carried out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from redraft.engine.errors import ModelError, NotFoundError, PlanError, RefusedError
from redraft.engine.model import Format
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.planner import prompt
from redraft.engine.planner.model import LanguageModel, Message, Question, Usage
from redraft.engine.planner.readable_reason import readable
from redraft.engine.planner.retrieval import Entry
from redraft.engine.planner.wire import (
    SCHEMA_NAME,
    Reply,
    UnreadableReplyError,
    decode,
    plan_of,
    schema,
)

REPAIRS = 2
# Seconds that must be left for another round: to answer, to check, to apply.
_ROUND = 40.0

Check = Callable[[EditPlan], Awaitable[Sequence[Fault]]]


@dataclass(slots=True)
class Conversation:
    """What was said to a model and what it cost.

    `format` decides what the model may answer; `schema` is another form of answer altogether;
    `document` is what its reasons speak of.
    """

    model: LanguageModel
    deadline: float
    messages: list[Message]
    most_tokens: int
    usage: Usage = field(default_factory=Usage)
    format: Format = "docx"
    schema: Mapping[str, object] | None = None
    document: Sequence[Entry] = ()

    async def ask(self) -> str:
        """Ask and take down the answer.

        Raises:
            ModelError: No answer, or the edit has cost what one may cost.
        """
        if self.usage.input + self.usage.output > self.most_tokens:
            message = "The edit needs more of the language model than one edit may use"
            raise ModelError(message, passing=False)
        form = self.schema or schema(self.format)
        question = Question(tuple(self.messages), SCHEMA_NAME, form)
        answer = await self.model.answer(question, self.deadline)
        self.usage = self.usage + answer.usage
        self.messages.append(Message("assistant", answer.text))
        return answer.text

    def may_go_on(self) -> bool:
        """Whether there is time for another round."""
        return self.deadline - asyncio.get_running_loop().time() > _ROUND


async def settle(conversation: Conversation, check: Check, *, repairs: int) -> EditPlan | Reply:
    """Ask until there is a plan without faults.

    Returns:
        The plan; or the reply itself when the model wants to read more.

    Raises:
        NotFoundError, RefusedError: The model says that it cannot be done, and why.
        PlanError: It never came up with a plan that can be carried out.
        ModelError: It did not answer.
    """
    problem = ""
    for _ in range(repairs + 1):
        text = await conversation.ask()
        try:
            reply = decode(text)
        except UnreadableReplyError as error:
            problem = f"The language model's answer could not be read: {error}"
            conversation.model.misread()
            conversation.messages.append(prompt.unreadable(str(error)))
        else:
            if reply.decision == "need_more":
                return reply
            reply.reason = readable(reply.reason, conversation.document)
            plan = _decided(reply)
            faults = [] if plan.decision != "edit" else list(await _faults(plan, check))
            if not faults:
                return plan
            problem = f"The language model's plan does not fit the document: {faults[0].message}"
            conversation.messages.append(prompt.faulty(faults))
        if not conversation.may_go_on():
            break
    raise PlanError(problem)


async def _faults(plan: EditPlan, check: Check) -> Sequence[Fault]:
    if not plan.operations:
        return [Fault(0, "no_operations", "the decision is edit, and there is no operation")]
    return await check(plan)


def _decided(reply: Reply) -> EditPlan:
    """Take the model's decision.

    Raises:
        NotFoundError: It says that what the instruction names is not there.
        RefusedError: It says that it cannot be done.
    """
    if reply.decision == "not_found":
        raise NotFoundError(reason=reply.reason)
    if reply.decision == "refuse":
        raise RefusedError(reply.reason or "The language model refused without a reason")
    return plan_of(reply)
