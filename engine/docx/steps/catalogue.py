"""Which function resolves which operation to a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine.docx.finding import Finder, OperationError
from engine.docx.step import Step
from engine.errors import RefusedError
from engine.plan import Operation

Resolve: TypeAlias = Callable[[Finder, Any], Step]

_RESOLVERS: Final[Mapping[type, Resolve]] = {}


def step_of(finder: Finder, operation: Operation) -> Step:
    """Resolve an operation against the file as it is.

    Raises:
        OperationError: it cannot be carried out.
    """
    resolve = _RESOLVERS.get(type(operation))
    if resolve is None:
        message = "This cannot be done in a Word document yet; the document is unchanged"
        raise OperationError("unsupported", RefusedError(message))
    return resolve(finder, operation)
