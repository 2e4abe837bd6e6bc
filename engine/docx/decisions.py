"""Decisions of a plan on tracked changes: the last round, when all else is written.

A decision on a change of ours moves the baseline or leaves it, one on another author's moves the
baseline and the working copy alike (`engine.docx.changes.resolve`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine.docx.changes.resolve import resolve
from engine.errors import PlanError
from engine.plan import SettleChange
from engine.report import Selection
from engine.state import State, decode, encode


def decide(data: bytes, state: State, operations: Iterable[SettleChange]) -> tuple[bytes, State]:
    """Accept and reject the changes that a plan names by their ids in the list of changes.

    Raises:
        NotFoundError: there is no such change.
        PlanError: a change is to be accepted and rejected.
    """
    ids: dict[Literal["accept", "reject"], list[str]] = {"accept": [], "reject": []}
    for operation in operations:
        ids[operation.action].append(operation.change)
    for change in set(ids["accept"]) & set(ids["reject"]):
        message = f"The change {change} is to be accepted and rejected; say which"
        raise PlanError(message)
    if all(ids.values()) and any("." in change for each in ids.values() for change in each):
        message = "The file uses ids of changes twice; accept in one edit and reject in another"
        raise PlanError(message)
    known = encode(state)
    for action, chosen in ids.items():
        if chosen:
            data, done = resolve(data, known, action, Selection(ids=tuple(chosen)))
            known = done.state
    return data, decode(known)
