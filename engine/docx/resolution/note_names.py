"""Keeps the names of notes in a plan true while rounds of it add and drop notes.

A plan names notes as they stood before it (`fn3`); notes are counted by their first references, so
that a new one shifts the names of those behind it. Ids of the file do not shift.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from redraft.engine.docx.anchors import stories
from redraft.engine.docx.names import W_ID
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import DeleteNote, EditPlan, InsertFootnote, Operation

# Anchor of a note -> its kind and id.
Names: TypeAlias = Mapping[str, tuple[str, str]]

_SHIFTING: Final = (InsertFootnote, DeleteNote)
_ANCHORS: Final = frozenset({"anchor", "first", "last", "to", "at", "cell", "note", "scope"})
_ANCHOR: Final = re.compile(r"(?:(?<=:)|^)((?:fn|en)[0-9]+)(?=\.|$)")
_TOKEN: Final = re.compile(r"(?<=\u27e6)((?:fn|en)[0-9]+)(?=\u27e7)")


def shifts(plan: EditPlan) -> bool:
    """Whether a round of a plan adds or drops notes."""
    return any(isinstance(operation, _SHIFTING) for operation in plan.operations)


def names(package: Package) -> Names:
    """What the anchors of notes mean now."""
    return {
        story.anchor: (story.kind, story.container.get(W_ID, ""))
        for story in stories(package)
        if story.kind in ("footnote", "endnote")
    }


def renamed(plan: EditPlan, before: Names, after: Names) -> EditPlan:
    """A plan that names notes as they are counted after a round."""
    now = {note: anchor for anchor, note in after.items()}
    changed = {old: now[note] for old, note in before.items() if now.get(note, old) != old}
    if not changed:
        return plan
    return dataclasses.replace(
        plan, operations=tuple(_renamed(operation, changed) for operation in plan.operations)
    )


def _renamed(operation: Operation, changed: Mapping[str, str]) -> Operation:
    def name(match: re.Match[str]) -> str:
        return changed.get(match[1], match[1])

    values: dict[str, object] = {}
    for parameter in dataclasses.fields(operation):
        value = getattr(operation, parameter.name)
        if isinstance(value, str):
            pattern = _ANCHOR if parameter.name in _ANCHORS else _TOKEN
            values[parameter.name] = pattern.sub(name, value)
    return dataclasses.replace(operation, **values)  # pyright: ignore[reportArgumentType]  # each field keeps its type
