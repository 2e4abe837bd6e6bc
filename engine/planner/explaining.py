"""Faults in words a model can act on: what the block really says, and where the quote stands.

A repair round is only as good as what it says. Whoever quoted wrongly is shown the true text of
the block, and the blocks that have the quote.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from redraft.engine.locate import find
from redraft.engine.plan import EditPlan, Fault, Operation
from redraft.engine.planner.planner import Check
from redraft.engine.planner.retrieval import Entry

_ABOUT_WORDS = frozenset({"text_not_found", "not_found", "ambiguous", "crosses_placeholder"})
_SHOWN = 400
_MOST_PLACES = 3


def explained(check: Check, document: Sequence[Entry]) -> Check:
    """Check a plan, and say of each fault about words what stands where."""

    async def checked(plan: EditPlan) -> Sequence[Fault]:
        faults = await check(plan)
        # Looking for quotes in a long document takes a while, and others share this loop.
        return await asyncio.to_thread(explained_faults, faults, plan, document)

    return checked


def explained_faults(
    faults: Sequence[Fault], plan: EditPlan, document: Sequence[Entry]
) -> list[Fault]:
    """Returns the faults, those about words with what the block really says."""
    return [_explained(fault, plan, document) for fault in faults]


def _explained(fault: Fault, plan: EditPlan, document: Sequence[Entry]) -> Fault:
    if fault.code not in _ABOUT_WORDS or not 0 <= fault.index < len(plan.operations):
        return fault
    operation = plan.operations[fault.index]
    entry = _entry(operation, document)
    addition = ""
    if entry is not None and entry.text[:_SHOWN] not in fault.message:
        addition = f"; [{entry.anchor}] says: {_cut(entry.text)}"
    if fault.code in ("text_not_found", "not_found"):
        addition += _elsewhere(operation, entry, document)
    return replace(fault, message=fault.message + addition)


def _entry(operation: Operation, document: Sequence[Entry]) -> Entry | None:
    anchor = str(getattr(operation, "block", ""))
    row = anchor.split(".c")[0]
    return next((entry for entry in document if entry.anchor in (anchor, row) and anchor), None)


def _elsewhere(operation: Operation, entry: Entry | None, document: Sequence[Entry]) -> str:
    """Other blocks that have the quote."""
    quote = str(getattr(operation, "find", "") or getattr(operation, "after_text", ""))
    if not quote.strip():
        return ""
    others = [one for one in document if one is not entry and find(one.text, quote)]
    if not others:
        return f"; “{_cut(quote)}” stands nowhere"
    names = ", ".join(one.anchor for one in others[:_MOST_PLACES])
    more = f" and {len(others) - _MOST_PLACES} more" if len(others) > _MOST_PLACES else ""
    return f"; “{_cut(quote)}” stands in {names}{more}"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
