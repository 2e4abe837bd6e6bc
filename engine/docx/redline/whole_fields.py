"""Which fields a deletion takes as a whole: plumbing, instruction and result.

A computed field is deleted only when all that it shows is, and replaced only together with words
around it; half of one would leave Word with a field that never ends (ECMA-376 Part 1, 17.16.18).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.engine.docx.reading.controls import control_properties
from redraft.engine.docx.redline.insertion_point import COMPUTED, LOCKED, MOVED
from redraft.engine.docx.redline.line import Box, Line, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame
from redraft.engine.errors import RefusedError

_LINK: Final = "HYPERLINK"
_OBJECTS: Final = frozenset({"fn", "en", "im", "eq"})


def whole_fields(line: Line, struck: Sequence[Unit], *, is_replaced: bool) -> list[Unit]:
    """Returns the units to be struck, with all of the fields that nothing is left of, in order.

    Args:
        line: The paragraph.
        struck: Units that a change strikes.
        is_replaced: Whether something is written for them: then a link of which all words are
            struck stays, for the new ones.

    Raises:
        RefusedError: part of a computed field, or locked text, is among them.
    """
    frames = {frame for unit in struck for frame in _around(unit)}
    if not frames:
        _check(struck, frozenset(), is_replaced=is_replaced)
        return list(struck)
    chosen = set(struck)
    members_of_fields: set[Unit] = set()
    for frame in frames:
        if frame.is_editable and (is_replaced or not _is_link(frame)):
            continue
        members = [u for u in line.units if u.standing != Standing.STRUCK and frame in _around(u)]
        if (
            frame.is_closed
            and not frame.is_carried
            and all(unit in chosen for unit in members if _is_shown(unit))
        ):
            members_of_fields.update(members)
    _check(struck, members_of_fields, is_replaced=is_replaced)
    chosen |= members_of_fields
    return [unit for unit in line.units if unit in chosen]


def _check(
    struck: Sequence[Unit], whole: set[Unit] | frozenset[Unit], *, is_replaced: bool
) -> None:
    for unit in struck:
        if unit.lock == "control" and unit.standing is Standing.WRITTEN:
            if is_replaced and len(struck) == 1:
                raise RefusedError(MOVED)
            continue
        if unit.lock == "control" or (unit.lock == "field" and _is_in_locked(unit.box)):
            raise RefusedError(LOCKED)
        if unit.lock == "field" and unit not in whole:
            raise RefusedError(COMPUTED)
    is_only_computed = all(unit.lock == "field" for unit in struck)
    if is_replaced and struck and is_only_computed:
        raise RefusedError(COMPUTED)


def _around(unit: Unit) -> Iterator[Frame]:
    frame = unit.frame
    while frame is not None:
        yield frame
        frame = frame.parent


def _is_shown(unit: Unit) -> bool:
    """Returns whether a reader sees it: text, a picture, or the reference to a note."""
    return unit.is_visible or unit.token in _OBJECTS


def _is_link(frame: Frame) -> bool:
    return frame.instruction.split(None, 1)[:1] == [_LINK]


def _is_in_locked(box: Box) -> bool:
    at: Box | None = box
    while at is not None:
        if at.kind == "control" and at.outer is not None and control_properties(at.outer).is_locked:
            return True
        at = at.parent
    return False
