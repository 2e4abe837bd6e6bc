"""The engine's part of planning, made in this process: for the command line and for Python."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from redraft.engine import editor
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.report import ModelView


@dataclass(frozen=True, slots=True)
class DirectCalls:
    """The calls of `redraft.engine.instruct.Calls` on one version of a document.

    `state` is that of `source`, by which changes are ours; `tracked` says how it will be edited.
    """

    source: Path
    tracked: bool
    state: bytes = b""

    async def interpret(
        self, instruction: str, lookup: str | None, places: tuple[str, ...] = ()
    ) -> EditPlan:
        """Plans without a model."""
        return editor.interpret(self.source, instruction, lookup, self.state, places)

    async def show(self, instruction: str, lookup: str | None, nonce: str) -> ModelView:
        """Renders what a model is shown."""
        return editor.show(self.source, instruction, lookup, nonce, self.state)

    async def check(self, plan: EditPlan) -> tuple[Fault, ...]:
        """Returns what is wrong with a plan."""
        return editor.check(self.source, plan, self.state, self.tracked)
