"""The engine and the planner as the service sees them, so that tests can put others in.

`engine.editor` is an Engine; `engine.instruct.instruct` with its models is a Planner.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from pathlib import Path
from typing import Literal, Protocol

from redraft.api.operations.metering import Meter
from redraft.engine.instruct import Calls, Planned
from redraft.engine.model import Extra, Revision, View
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.report import (
    BlockWindow,
    EditReport,
    Inspection,
    ModelView,
    Reading,
    Resolution,
    Selection,
    Signature,
)


class Engine(Protocol):
    """Functions from paths to values; each runs in a worker and must be importable there."""

    def inspect(self, source: Path, name: str) -> Inspection:
        """Says what a file is and whether it is accepted."""
        ...

    def read(
        self,
        source: Path,
        view: View = "final",
        include: Collection[Extra] = (),
        state: bytes = b"",
        original: Path | None = None,
    ) -> Reading:
        """Reads a document as Markdown; `original` is the upload of a tracked PDF with changes."""
        ...

    def interpret(
        self,
        source: Path,
        instruction: str,
        lookup: str | None,
        state: bytes,
        places: Collection[str] = (),
    ) -> EditPlan:
        """Turns an instruction into a plan without a model; `state` marks our own changes."""
        ...

    def show(
        self, source: Path, instruction: str, lookup: str | None, nonce: str, state: bytes
    ) -> ModelView:
        """Renders what a model is shown."""
        ...

    def check(
        self, source: Path, plan: EditPlan, state: bytes, tracked: bool = False
    ) -> tuple[Fault, ...]:
        """Validates a plan against the document; `tracked`: as tracked changes."""
        ...

    def edit(
        self,
        source: Path,
        target: Path,
        state: bytes,
        plan: EditPlan,
        signature: Signature,
        original: Path | None = None,
    ) -> EditReport:
        """Carries out a plan into `target`; `original` is the upload of a tracked PDF."""
        ...

    def blocks(
        self, source: Path, start: str = "", limit: int = 100, state: bytes = b""
    ) -> BlockWindow:
        """Returns a window of the blocks with their ids."""
        ...

    def faults(
        self, source: Path, plan: EditPlan, state: bytes = b"", tracked: bool = False
    ) -> tuple[Fault, ...]:
        """Validates a plan; each fault with the true text of its block."""
        ...

    def preview(
        self,
        source: Path,
        target: Path,
        state: bytes,
        plan: EditPlan,
        signature: Signature,
        original: Path | None = None,
    ) -> EditReport:
        """Carries out a plan as `edit` does, only to say what it would change."""
        ...

    def changes(
        self, source: Path, state: bytes, original: Path | None = None
    ) -> tuple[Revision, ...]:
        """Lists the tracked changes."""
        ...

    def resolve(
        self,
        source: Path,
        target: Path,
        state: bytes,
        action: Literal["accept", "reject"],
        selection: Selection,
        original: Path | None = None,
    ) -> Resolution:
        """Accepts or reject changes into `target`."""
        ...

    def clean(self, source: Path, target: Path, state: bytes) -> None:
        """Writes the copy in which our changes are accepted."""
        ...

    def redline(self, source: Path, target: Path, state: bytes, original: Path) -> None:
        """Writes the copy of a tracked PDF that shows its changes."""
        ...

    def as_word(self, source: Path, target: Path, state: bytes, original: Path) -> None:
        """Writes a Word document of a PDF, with its changes since `original` tracked."""
        ...


class Planner(Protocol):
    """Turns an instruction into a plan; `deadline` is a moment of the event loop's clock."""

    def __call__(
        self,
        calls: Calls,
        instruction: str,
        lookup: str | None,
        *,
        large: bool,
        deadline: float,
        nonce: str,
        meter: Meter,
        places: tuple[str, ...] = (),
    ) -> Awaitable[Planned]:
        """Plans an edit, and counts what models took; raises EditError subclasses."""
        ...
