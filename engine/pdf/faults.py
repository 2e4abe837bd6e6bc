"""Is a plan possible on this PDF? Asked before an edit, so that a planner may mend it."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import AmbiguousError, EditError, NotFoundError, PlanError
from engine.pdf import reader
from engine.pdf.content.targets import resolve, targets
from engine.plan import EditPlan, Fault

_CODES: tuple[tuple[type[EditError], str], ...] = (
    (NotFoundError, "not_found"),
    (AmbiguousError, "ambiguous"),
    (PlanError, "invalid"),
    (EditError, "unsupported_for_pdf"),
)


def faults(data: bytes, plan: EditPlan) -> tuple[Fault, ...]:
    """Validate every operation by itself, and then all of them together.

    Whether new text has room on its page is known only when the edit is made.
    """
    known = targets(reader.read(data))
    found: list[Fault] = []
    for index, operation in enumerate(plan.operations):
        try:
            resolve(replace(plan, operations=(operation,)), known)
        except EditError as error:
            found.append(_fault(index, error))
    if not found:
        try:
            resolve(plan, known)
        except EditError as error:
            found.append(_fault(len(plan.operations) - 1, error))
    return tuple(found)


def _fault(index: int, error: EditError) -> Fault:
    code = next(code for kind, code in _CODES if isinstance(error, kind))
    message = str(error)
    if isinstance(error, NotFoundError) and error.closest:
        message = f"{message}; the closest passage is: {error.closest}"
    return Fault(index, code, message)
