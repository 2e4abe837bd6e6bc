"""A plan for a document of any length: shown whole, in excerpts, or worked through in parts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.engine.errors import PlanError
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.planner import prompt, retrieval
from redraft.engine.planner.edit_scope import bearing
from redraft.engine.planner.explaining import explained
from redraft.engine.planner.model import LanguageModel, Limits, Message, Usage
from redraft.engine.planner.plan_guard import confirmed, extent, unlawful
from redraft.engine.planner.plan_passages import passages
from redraft.engine.planner.planner import Check, Conversation, settle
from redraft.engine.planner.retrieval import Entry, entries, preface
from redraft.engine.planner.windows import over_windows
from redraft.engine.planner.wire import Reply
from redraft.engine.report import ModelView

READS = 3
# Tokens of view for an instruction that names a few places; a document of fewer is shown whole.
_FEW_PLACES = 2_800
_SHORT = 6_000


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of whom, and how far it may go."""

    instruction: str
    lookup: str | None
    nonce: str
    model: LanguageModel
    limits: Limits
    repairs: int
    deadline: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A plan, what it cost, and what was said; of a document done in parts, how it began."""

    plan: EditPlan
    usage: Usage
    transcript: tuple[Message, ...]


async def plan(task: Task, view: ModelView, check: Check) -> Outcome:
    """Ask for a plan until it can be carried out, reading on where the view is an excerpt.

    Raises:
        EditError: There is no plan; the subclass and its sentence say why.
    """
    document = await asyncio.to_thread(entries, view.text)
    check = lawful(explained(check, document))
    conversation = Conversation(
        task.model, task.deadline, [], task.limits.edit, format=view.format, document=document
    )
    budget = await asyncio.to_thread(_budget, task, view, document)
    if view.tokens <= budget:
        text = retrieval.folded(view.text)
        conversation.messages = list(
            prompt.opening(text, task.instruction, task.lookup, kind=view.format)
        )
        edit_plan = await _whole(conversation, check, task)
    else:
        edit_plan = await _reading(conversation, document, preface(view.text), check, task, budget)
    usage = conversation.usage
    what = await asyncio.to_thread(extent, edit_plan, document, task.instruction, task.lookup)
    if what:
        asked = Conversation(task.model, task.deadline, [], task.limits.edit)
        await confirmed(asked, task.instruction, task.lookup, what, passages(edit_plan, document))
        usage = usage + asked.usage
    return Outcome(edit_plan, usage, tuple(conversation.messages))


def _budget(task: Task, view: ModelView, document: Sequence[Entry]) -> int:
    """Returns how many tokens of a document are shown: few where the instruction names places."""
    if view.tokens <= _SHORT or task.limits.view <= _FEW_PLACES:
        return task.limits.view
    is_local = bearing(document, task.instruction, task.lookup).is_local
    return _FEW_PLACES if is_local else task.limits.view


def lawful(check: Check) -> Check:
    """Check a plan, and before that what no document can make right."""

    async def checked(plan: EditPlan) -> Sequence[Fault]:
        return unlawful(plan) or await check(plan)

    return checked


async def _whole(conversation: Conversation, check: Check, task: Task) -> EditPlan:
    for _ in range(2):
        settled = await settle(conversation, check, repairs=task.repairs)
        if isinstance(settled, EditPlan):
            return settled
        conversation.messages.append(prompt.nothing_more())
    raise PlanError("The language model asked to read on in a document it was shown whole")


async def _reading(
    conversation: Conversation,
    document: Sequence[Entry],
    above: Sequence[str],
    check: Check,
    task: Task,
    budget: int,
) -> EditPlan:
    """Shows an outline and the likely blocks, then what the model asks for, a few times."""
    left = round(budget * (1 - retrieval.OUTLINE_SHARE))
    taken = await asyncio.to_thread(retrieval.chosen, document, task.instruction, task.lookup, left)
    outline = await asyncio.to_thread(retrieval.outline, document, budget, taken)
    view = retrieval.excerpt(document, taken, task.nonce, "\n".join((*above, outline)))
    kind = conversation.format
    conversation.messages = list(
        prompt.opening(view, task.instruction, task.lookup, excerpt=True, kind=kind)
    )
    for round_number in range(READS + 1):
        settled = await settle(conversation, check, repairs=task.repairs)
        if isinstance(settled, EditPlan):
            return settled
        if _wants_all(settled):
            return await over_windows(
                conversation, document, task.instruction, task.nonce, check, repairs=task.repairs
            )
        is_last = round_number >= READS - 1
        budget = task.limits.view // 2
        more = await asyncio.to_thread(retrieval.wanted, document, settled.read, taken, budget)
        taken |= more
        view = retrieval.excerpt(document, more, task.nonce) if more else ""
        conversation.messages.append(prompt.more(view, is_last=is_last))
    raise PlanError("The language model could not find what the instruction is about")


def _wants_all(reply: Reply) -> bool:
    return any(request.strip().casefold() in ("all", "everything") for request in reply.read)
