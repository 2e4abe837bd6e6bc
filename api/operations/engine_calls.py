"""What planning asks of the engine on one version of a document, run in workers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from redraft.api.operations.protocols import Engine
from redraft.api.sandbox.workers import Workers
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.report import ModelView


@dataclass(frozen=True, slots=True)
class EngineCalls:
    """The engine's calls on one file."""

    workers: Workers
    engine: Engine
    source: Path
    state: bytes
    seconds: float
    tracked: bool = False
    owner: str = ""

    async def interpret(
        self, instruction: str, lookup: str | None, places: tuple[str, ...] = ()
    ) -> EditPlan:
        """Plans without a model."""
        return await self.workers.call(
            self.engine.interpret,
            self.source,
            instruction,
            lookup,
            self.state,
            places,
            seconds=self.seconds,
            owner=self.owner,
        )

    async def show(self, instruction: str, lookup: str | None, nonce: str) -> ModelView:
        """Renders what a model is shown."""
        return await self.workers.call(
            self.engine.show,
            self.source,
            instruction,
            lookup,
            nonce,
            self.state,
            seconds=self.seconds,
            owner=self.owner,
        )

    async def faults(self, plan: EditPlan) -> tuple[Fault, ...]:
        """Validates a plan, each fault with the true text of its block."""
        return await self.workers.call(
            self.engine.faults,
            self.source,
            plan,
            self.state,
            self.tracked,
            seconds=self.seconds,
            owner=self.owner,
        )

    async def check(self, plan: EditPlan) -> tuple[Fault, ...]:
        """Validates a plan."""
        return await self.workers.call(
            self.engine.check,
            self.source,
            plan,
            self.state,
            self.tracked,
            seconds=self.seconds,
            owner=self.owner,
        )
