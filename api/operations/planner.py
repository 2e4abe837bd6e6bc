"""Who turns an instruction into a plan, as the service sees it, so that tests can put others in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from redraft.api.operations.metering import Meter
from redraft.engine.instruct import Calls, Instruction, Planned

Planner: TypeAlias = Callable[[Calls, Instruction, Meter], Awaitable[Planned]]
"""Plans an edit and counts what models took; raises EditError subclasses."""
