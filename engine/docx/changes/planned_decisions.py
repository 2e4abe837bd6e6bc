"""Decisions of a plan on tracked changes: the last round, when all else is written.

A decision on a change of ours moves the baseline or leaves it, one on another author's moves the
baseline and the working copy alike (`engine.docx.changes.accept_or_reject`). All changes are looked
up before the first decision, since settling one may take others along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from redraft.engine.docx.changes import accept_or_reject
from redraft.engine.errors import PlanError
from redraft.engine.model import Revision
from redraft.engine.plan import SettleChange
from redraft.engine.state import State

Settled: TypeAlias = Mapping[Literal["accept", "reject"], tuple[Revision, ...]]


def decide(
    data: bytes, state: State, operations: Iterable[SettleChange]
) -> tuple[bytes, State, Settled]:
    """Accept and reject the changes that a plan names by their ids in the list of changes.

    Raises:
        NotFoundError: there is no such change.
        PlanError: a change is to be accepted and rejected.
    """
    ids: dict[Literal["accept", "reject"], list[str]] = {"accept": [], "reject": []}
    for operation in operations:
        ids[operation.action].append(operation.change)
    for change in sorted(set(ids["accept"]) & set(ids["reject"])):
        message = f"The change {change} is to be accepted and rejected; say which"
        raise PlanError(message)
    return accept_or_reject.decide(data, state, ids)
