"""Operations of a plan of which one gives up what another one changes.

Words may be changed in what another operation deletes, and rows and columns may cross: the words,
and the cells where they meet, are gone then, but for a text that was to stand in such a cell. What
is new may not come into what is deleted with all that is in it, and what is moved is moved as it
stood, so nothing else may happen to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from redraft.engine.docx.editing.step import Step
from redraft.engine.docx.editing.tracked_blocks import is_mark_deleted
from redraft.engine.docx.grid import table_of
from redraft.engine.docx.names import W_P, W_TC, W_TR, Element
from redraft.engine.docx.range_markers import beside
from redraft.engine.errors import PlanError

_OF_TABLE: Final = (W_TR, W_TC)
_GIVEN_UP: Final = (
    "Two operations of the plan touch the same place: one deletes or moves a block, row or cell, "
    "another one changes something in it; ask for one after the other"
)
_BETWEEN: Final = (
    "An operation of the plan joins paragraphs between which another one puts something; ask for "
    "one after the other"
)


def check_conflicts(
    removed: Collection[Element], added: Collection[tuple[Element, str]], steps: Sequence[Step]
) -> None:
    """Sees that no operation writes into what another one deletes or moves.

    Args:
        removed: Paragraphs and tables that are deleted.
        added: The paragraphs and tables before or after which new ones come.
        steps: All other operations.

    Raises:
        PlanError: one does.
    """
    _check_joins([*added, *_added(steps)], steps)
    owners: dict[Element, Step | None] = dict.fromkeys(removed)
    moved: dict[Element, Step | None] = {}
    for step in steps:
        owners.update(dict.fromkeys(step.reach.gone, step))
        if step.reach.added:
            moved.update(dict.fromkeys(step.reach.gone, step))
    for element in removed if moved else ():
        _check([element, *element.iterancestors()], None, moved)
    if not owners:
        return
    for element, _ in added:
        _check(element.iterancestors(), None, owners)
    for step in steps:
        _check_step(step, owners, moved)


def _check_step(
    step: Step, owners: dict[Element, Step | None], moved: dict[Element, Step | None]
) -> None:
    reach = step.reach
    for element in _written(step):
        _check(_held(element), step, owners)
    _check(reach.like, step, owners)
    for addition in reach.added:
        if not addition.is_empty:
            _check(addition.beside.iterancestors(), step, owners)
    for element in reach.gone:
        _check([element, *element.iterancestors()], step, moved)
    if reach.cut or reach.joined:
        _check([place.element for place in step.places], step, owners)


def _check_joins(added: Iterable[tuple[Element, str]], steps: Sequence[Step]) -> None:
    """Sees that nothing comes between paragraphs that are joined."""
    joined = frozenset[Element]().union(*(step.reach.joined for step in steps))
    for element, where in added if joined else ():
        if _end_of_block(element, is_before=where == "before") in joined:
            raise PlanError(_BETWEEN)


def _end_of_block(element: Element, *, is_before: bool) -> Element | None:
    """Returns the paragraph whose mark ends a block, or the one in front of it.

    Markers are passed.
    """
    end = beside(element, forward=False) if is_before else element
    while end is not None and end.tag == W_P and is_mark_deleted(end):
        end = beside(end, forward=not is_before)
    return end


def _added(steps: Iterable[Step]) -> Iterator[tuple[Element, str]]:
    for step in steps:
        yield from ((addition.beside, addition.where) for addition in step.reach.added)


def _check(
    elements: Iterable[Element], step: Step | None, owners: dict[Element, Step | None]
) -> None:
    for element in elements:
        if element in owners and (step is None or owners[element] is not step):
            raise PlanError(_GIVEN_UP)


def _written(step: Step) -> Iterator[Element]:
    """Yields the elements in or beside which a step writes something."""
    yield from (place.element for place in step.places)
    yield from (addition.beside for addition in step.reach.added)
    yield from step.reach.cut
    yield from step.reach.joined


def _held(element: Element) -> Iterator[Element]:
    """Yields what an element stands in.

    Of a row or cell no row of the same table, which it may cross.
    """
    table = table_of(element) if element.tag in _OF_TABLE else None
    for ancestor in element.iterancestors():
        if table is None or ancestor.tag not in _OF_TABLE or table_of(ancestor) is not table:
            yield ancestor
