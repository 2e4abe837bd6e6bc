"""Work on the whole of a long document: the same instruction over stretches of it, one plan.

The first stretch goes alone; what it says about its choice of words goes to the others as a
glossary, which run three at a time. Their operations are merged and checked as one plan.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from redraft.engine.errors import PlanError
from redraft.engine.plan import EditPlan, Fault, FindReplace, Operation, ReplaceText
from redraft.engine.planner import prompt
from redraft.engine.planner.model import Message, Usage
from redraft.engine.planner.planner import Check, Conversation, settle
from redraft.engine.planner.retrieval import Entry, excerpt
from redraft.engine.planner.view import tokens
from redraft.engine.planner.wire import Reply

WINDOW = 6_000
AT_ONCE = 3
# A text of at most so many characters is a term; a glossary has at most so many of them.
_TERM = 40
_MOST_TERMS = 40


def windows(document: Sequence[Entry], budget: int = WINDOW) -> list[range]:
    """Cut a document into stretches of about `budget` tokens, before headings where it can be."""
    stretches: list[range] = []
    start, cost = 0, 0
    for index, entry in enumerate(document):
        weight = tokens(entry.line) + 1
        is_full = cost + weight > budget
        is_good_place = entry.level is not None and cost > budget * 0.7
        if index > start and (is_full or is_good_place):
            stretches.append(range(start, index))
            start, cost = index, 0
        cost += weight
    if start < len(document):
        stretches.append(range(start, len(document)))
    return stretches


async def over_windows(
    first: Conversation,
    document: Sequence[Entry],
    instruction: str,
    nonce: str,
    check: Check,
    *,
    repairs: int,
) -> EditPlan:
    """Plan stretch by stretch.

    Raises:
        EditError: As for one question; one stretch that fails fails the edit.
    """
    stretches = windows(document)
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int, glossary: str) -> tuple[EditPlan, Usage]:
        view = excerpt(document, stretches[number], nonce)
        part = _part(instruction, number + 1, len(stretches), glossary)
        messages = [Message("system", prompt.system(first.format)), Message("user", view), part]
        talk = replace(first, messages=messages, usage=Usage())
        async with gate:
            settled = await settle(talk, _within(check, view), repairs=repairs)
        plan = EditPlan("no_change", settled.reason) if isinstance(settled, Reply) else settled
        return plan, talk.usage

    opened = await one(0, "")
    try:
        async with asyncio.TaskGroup() as group:
            known = glossary_of(opened[0])
            rest = [group.create_task(one(i, known)) for i in range(1, len(stretches))]
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    plans = [opened, *(task.result() for task in rest)]
    for _, usage in plans:
        first.usage = first.usage + usage
    operations = tuple(dict.fromkeys(op for plan, _ in plans for op in plan.operations))
    if not operations:
        return EditPlan("no_change", plans[0][0].reason)
    merged = EditPlan("edit", plans[0][0].reason, operations)
    faults = await check(merged)
    if faults:
        message = f"The parts of the language model's plan do not fit together: {faults[0].message}"
        raise PlanError(message)
    return merged


def glossary_of(plan: EditPlan) -> str:
    """What a part chose: its own words on it, and the short texts it gave for others."""
    pairs = dict.fromkeys(
        f"“{operation.find}” → “{operation.replace}”"
        for operation in plan.operations
        if isinstance(operation, FindReplace | ReplaceText)
        if len(operation.find) <= _TERM and 0 < len(operation.replace) <= _TERM
    )
    return "; ".join([plan.reason, *list(pairs)[:_MOST_TERMS]])


def _part(instruction: str, number: int, count: int, glossary: str) -> Message:
    words = (
        f"\nFor the part before, this was chosen; keep to its words: {glossary}" if glossary else ""
    )
    return Message(
        "user",
        f"Instruction: {instruction}\n\nThe document is long and is worked through in {count}"
        f" parts; this is part {number}. Plan for the blocks shown and for no others; decide"
        " `no_change` when nothing of this part is concerned, never `need_more`; use `find_replace`"
        " only in a scope that lies in this part, as `block:p12`. Name in `reason`"
        f" the words you chose that must be the same in all parts.{words}",
    )


def _within(check: Check, view: str) -> Check:
    """Check a part's plan, and that it stays in its part."""

    async def checked(plan: EditPlan) -> Sequence[Fault]:
        outside = [
            Fault(index, "unknown_block", f"{anchor} is not in this part")
            for index, operation in enumerate(plan.operations)
            for anchor in _anchors(operation)
            if not _is_shown(anchor, view)
        ]
        return outside or await check(plan)

    return checked


def _anchors(operation: Operation) -> Sequence[str]:
    if isinstance(operation, FindReplace):
        # What reaches over the part would meet the other parts' work on the same words.
        return (operation.scope.partition(":")[2] or operation.scope,)
    names = ("block", "first", "last", "to", "target")
    anchors = (str(getattr(operation, name, "")) for name in names)
    return [anchor for anchor in anchors if anchor]


def _is_shown(anchor: str, view: str) -> bool:
    row = anchor.split(".c")[0]
    names = (anchor, row, f"{anchor}.p1")
    return any(f"\n[{name}{end}" in view for name in names for end in ("]", " "))
