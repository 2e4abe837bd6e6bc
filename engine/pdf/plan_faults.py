"""Is a plan possible on this PDF? Asked before an edit, so that a planner may mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from redraft.engine.errors import AmbiguousError, EditError, NotFoundError, PlanError, RefusedError
from redraft.engine.pdf import discussion, document_info, form_fields
from redraft.engine.pdf.edit.execute import rehearse
from redraft.engine.pdf.edit.field_words import as_fields
from redraft.engine.pdf.edit.resolution import resolve
from redraft.engine.pdf.glyphs.target_blocks import Target, editable_in
from redraft.engine.pdf.page_operations import execute_steps
from redraft.engine.pdf.page_operations.execute_steps import of_pages
from redraft.engine.pdf.resolved_edits import Edits
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.protection import refuse_protected
from redraft.engine.pdf.tracked.traceability import refuse_untraceable
from redraft.engine.pdf.typeset.typesetter import NoRoomError
from redraft.engine.plan import EditPlan, Fault, SetField

_CODES: tuple[tuple[type[EditError], str], ...] = (
    (NotFoundError, "not_found"),
    (AmbiguousError, "ambiguous"),
    (PlanError, "invalid"),
    (NoRoomError, "no_room"),
    (EditError, "unsupported_for_pdf"),
)


def faults(
    data: bytes, plan: EditPlan, *, tracked: bool = False, breaks_signature: bool = False
) -> tuple[Fault, ...]:
    """Validates every operation by itself, then all of them together, and sets them in rehearsal.

    Args:
        data: the PDF.
        plan: what is to be done to it.
        tracked: whether it is to be shown as tracked changes, which not everything can be.
        breaks_signature: whether a signed PDF may be edited.
    """
    try:
        with objects.opened(data) as document:
            is_form = all(isinstance(plan_alone, SetField) for plan_alone in plan.operations)
            refuse_protected(document, breaks_signature=breaks_signature, is_form=is_form)
    except RefusedError as error:
        return (_fault(0, error),)
    is_of_blocks = len(of_pages(plan.operations)) < len(plan.operations)
    try:
        known = editable_in(data) if is_of_blocks else []
    except RefusedError as error:
        return (_fault(0, error),)
    alone = [replace(plan, operations=(operation,)) for operation in plan.operations]
    listed: list[Fault] = []
    for index, plan_alone in enumerate(alone):
        try:
            if discussion.split(plan_alone)[0]:
                discussion.check(data, *discussion.split(plan_alone)[0])
                continue
            if tracked:
                refuse_untraceable(plan_alone)
            edits = resolve(plan_alone, known)
            as_fields(data, edits, known)
            document_info.check(edits.properties)
            if edits.fields:
                form_fields.check(data, edits.fields)
            execute_steps.check(data, of_pages(plan_alone.operations))
        except EditError as error:
            listed.append(_fault(index, error))
    if listed:
        return tuple(listed)
    try:
        _rehearse(data, plan, known)
    except EditError as error:
        return (_of_one(data, alone, known) or _fault(len(alone) - 1, error),)
    return ()


def _rehearse(data: bytes, plan: EditPlan, known: Sequence[Target]) -> None:
    plan = discussion.split(plan)[1]
    edits: Edits = resolve(plan, known)
    as_fields(data, edits, known)
    if edits.touched():
        rehearse(data, edits, known, breaks_signature=True)
    execute_steps.check(data, of_pages(plan.operations))


def _of_one(data: bytes, plans: Sequence[EditPlan], known: Sequence[Target]) -> Fault | None:
    """Finds the operation that cannot be carried out even by itself."""
    for index, plan_before in enumerate(plans):
        try:
            _rehearse(data, plan_before, known)
        except EditError as error:
            return _fault(index, error)
    return None


def _fault(index: int, error: EditError) -> Fault:
    code = next(code for kind, code in _CODES if isinstance(error, kind))
    message = str(error)
    if isinstance(error, NotFoundError) and error.closest:
        message = f"{message}; the closest passage is: {error.closest}"
    return Fault(index, code, message)
