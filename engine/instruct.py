"""From an instruction to a plan: the built-in interpreter first, then a language model.

The service and the command line both come here. The engine's calls are made by whoever calls, in
worker processes or in place; the model is asked from this process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from redraft.engine.errors import EditError
from redraft.engine.plan import EditPlan, Fault, FindReplace
from redraft.engine.planner.model import LanguageModel, Limits, Message, Models, Usage
from redraft.engine.planner.planner import REPAIRS
from redraft.engine.planner.planning import Task
from redraft.engine.planner.planning import plan as plan_with
from redraft.engine.playbook.findings import Finding
from redraft.engine.playbook.reviewing import Playbook, review
from redraft.engine.report import EditReport, ModelView

NO_LARGE_MODEL = "No larger language model is configured; this edit was made without one"


class Calls(Protocol):
    """The engine's part of planning, on one document, however it is run."""

    async def interpret(
        self, instruction: str, lookup: str | None, places: tuple[str, ...] = ()
    ) -> EditPlan:
        """Plan without a model; `places` are the chosen candidates of an AmbiguousError."""
        ...

    async def show(self, instruction: str, lookup: str | None, nonce: str) -> ModelView:
        """Render what a model is shown."""
        ...

    async def check(self, plan: EditPlan) -> tuple[Fault, ...]:
        """Validate a plan."""
        ...


@dataclass(frozen=True, slots=True)
class Instruction:
    """What is asked of an edit, in a person's words.

    Attributes:
        text: What should change.
        lookup: An excerpt that says where.
        deadline: A moment of the running loop's clock, in seconds.
        nonce: A word that stands in no document.
        large: Whether the larger model is wanted.
        places: Which candidates of an AmbiguousError are meant; then no model is asked.
    """

    text: str
    lookup: str | None
    deadline: float
    nonce: str
    large: bool = False
    places: tuple[str, ...] = ()
    playbook: Playbook | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan; `model` and `usage` say who made it at what cost, None for the interpreter.

    `transcript` is what was said to the model and what it answered; `findings` is what was found of
    each rule of a playbook.
    """

    plan: EditPlan
    warnings: tuple[str, ...] = ()
    model: str | None = None
    usage: Usage | None = None
    transcript: tuple[Message, ...] = ()
    findings: tuple[Finding, ...] = ()


async def instruct(calls: Calls, models: Models, instruction: Instruction) -> Planned:
    """Plan an edit.

    Args:
        calls: The engine on the document in question.
        models: The models there are.
        instruction: What should change.

    Raises:
        EditError: There is no plan; the subclass and its sentence say why.
    """
    text, lookup = instruction.text, instruction.lookup
    model, limits, warnings = _chosen(models, large=instruction.large)
    if instruction.playbook is not None:
        deadline, nonce = instruction.deadline, instruction.nonce
        found, usage = await review(
            calls, model, limits, instruction.playbook, deadline=deadline, nonce=nonce
        )
        name = model.name if model is not None and usage.requests else None
        return Planned(found.plan, warnings, name, usage if name else None, findings=found.findings)
    if model is None or instruction.places:
        return Planned(await calls.interpret(text, lookup, instruction.places), warnings)
    if models.plain_first:
        plan = await _plainly(calls, text, lookup)
        if plan is not None:
            return Planned(plan, warnings)
    view = await calls.show(text, lookup, instruction.nonce)
    repairs = REPAIRS + (1 if model is models.large else 0)
    task = Task(text, lookup, instruction.nonce, model, limits, repairs, instruction.deadline)
    outcome = await plan_with(task, view, calls.check)
    plan = replace(outcome.plan, snapshot=view.snapshot)
    return Planned(plan, warnings, model.name, outcome.usage, outcome.transcript)


def _chosen(models: Models, *, large: bool) -> tuple[LanguageModel | None, Limits, tuple[str, ...]]:
    """The model to ask; a warning when it is not the one that was wanted."""
    if large and models.large is not None:
        return models.large, models.large_limits, ()
    warnings = (NO_LARGE_MODEL,) if large else ()
    if models.ordinary is not None:
        return models.ordinary, models.limits, warnings
    return None, models.limits, warnings


async def _plainly(calls: Calls, instruction: str, lookup: str | None) -> EditPlan | None:
    """What the interpreter makes of it; None when it is better left to the model."""
    try:
        plan = await calls.interpret(instruction, lookup)
    except EditError:
        # What is not there, or there too often, for a literal reading may be clear to a reader.
        return None
    if plan.decision == "edit" and await calls.check(plan):
        return None
    return plan


def wants_asking(plan: EditPlan, report: EditReport) -> bool:
    """Whether a person is asked before an edit is made: a deletion, or more than one place."""
    takes_out = any(one.before and not one.after for one in report.revisions)
    is_one = len(plan.operations) == 1 and len({one.anchor for one in report.revisions}) < 2
    is_everywhere = any(isinstance(one, FindReplace) for one in plan.operations)
    is_only_hit = len(report.revisions) == 1
    return takes_out or not is_one or (is_everywhere and not is_only_hit)
