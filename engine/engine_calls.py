"""The engine's part of planning an edit of one version of a document, wherever it is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from redraft.engine import editor
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.report import ModelView, StoredVersion

T = TypeVar("T")


class Run(Protocol):
    """Runs a function of `engine.editor`: here, or in a worker process."""

    async def __call__(self, function: Callable[..., T], /, *arguments: Any) -> T:
        """Returns what the function returns; raises what it raises."""
        ...


async def in_place(function: Callable[..., T], /, *arguments: Any) -> T:
    """Runs a function in this process: for the command line and for Python."""
    return function(*arguments)


@dataclass(frozen=True, slots=True)
class EngineCalls:
    """The calls of `engine.instruct.Calls` on one version of a document.

    Attributes:
        version: What is planned about.
        tracked: Whether it will be edited with tracked changes.
        run: Where the engine works.
    """

    version: StoredVersion
    tracked: bool
    run: Run = in_place

    async def interpret(
        self, instruction: str, lookup: str | None, places: tuple[str, ...] = ()
    ) -> EditPlan:
        """Plans without a model."""
        return await self.run(editor.interpret, self.version, instruction, lookup, places)

    async def show(self, instruction: str, lookup: str | None, nonce: str) -> ModelView:
        """Renders what a model is shown."""
        return await self.run(editor.show, self.version, instruction, lookup, nonce)

    async def check(self, plan: EditPlan) -> tuple[Fault, ...]:
        """Returns what is wrong with a plan."""
        return await self.run(editor.check, self.version, plan, self.tracked)
