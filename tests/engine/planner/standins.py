"""The engine's calls on a tree, and replies of a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Document
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.planner.view import render
from redraft.engine.report import ModelView
from tests.engine.interpreter.agreement import AGREEMENT

Checker = Callable[[EditPlan], Sequence[Fault]]


def no_faults(plan: EditPlan) -> Sequence[Fault]:
    return ()


@dataclass
class TreeCalls:
    """The engine's calls on a tree; `checker` decides what is wrong with a plan."""

    document: Document = AGREEMENT
    checker: Checker = no_faults
    interpreted: int = 0
    checked: list[EditPlan] = field(default_factory=lambda: list[EditPlan]())

    async def interpret(
        self, instruction: str, lookup: str | None, places: tuple[str, ...] = ()
    ) -> EditPlan:
        self.interpreted += 1
        return interpret(self.document, instruction, lookup, (), places)

    async def show(self, instruction: str, lookup: str | None, nonce: str) -> ModelView:
        return render(self.document, instruction, lookup, nonce)

    async def check(self, plan: EditPlan) -> tuple[Fault, ...]:
        self.checked.append(plan)
        return tuple(self.checker(plan))


def reply(
    *operations: Mapping[str, object],
    decision: str = "edit",
    reason: str = "r",
    read: Sequence[str] = (),
) -> str:
    return json.dumps(
        {"reason": reason, "decision": decision, "read": list(read), "operations": operations}
    )


def replace_text(block: str, find: str, by: str) -> dict[str, object]:
    return {"op": "replace_text", "block": block, "find": find, "replace": by, "occurrence": None}


def delete(first: str, last: str) -> dict[str, object]:
    return {"op": "delete_blocks", "first": first, "last": last}
