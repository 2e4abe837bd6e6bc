"""Is a plan possible on this PDF? Asked before an edit, so that a planner may mend it."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import AmbiguousError, EditError, NotFoundError, PlanError
from engine.pdf.content import forms, properties
from engine.pdf.content.resolution import resolve
from engine.pdf.content.targets import known_in
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
    known = known_in(data)
    found: list[Fault] = []
    for index, operation in enumerate(plan.operations):
        try:
            edits = resolve(replace(plan, operations=(operation,)), known)
            properties.check(edits.properties)
            if edits.fields:
                forms.check(data, edits.fields)
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
