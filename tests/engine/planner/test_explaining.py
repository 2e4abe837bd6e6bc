from __future__ import annotations

import pytest

from redraft.engine.plan import (
    AddComment,
    EditPlan,
    Fault,
    FindReplace,
    InsertFootnote,
    Operation,
    ReplaceText,
)
from redraft.engine.planner.explaining import explained
from redraft.engine.planner.retrieval import entries
from redraft.engine.planner.view import render
from tests.engine.interpreter.agreement import AGREEMENT

DOCUMENT = entries(render(AGREEMENT, "x", None, "N0").text)
NOT_THERE = "Unable to locate the specified text"


async def said(operation: Operation, code: str, message: str = NOT_THERE) -> str:
    async def check(plan: EditPlan) -> list[Fault]:
        return [Fault(0, code, message)]

    (fault,) = await explained(check, DOCUMENT)(EditPlan("edit", "r", (operation,)))
    assert (fault.index, fault.code) == (0, code)
    return fault.message


@pytest.mark.parametrize(
    ("operation", "code", "more"),
    [
        (
            ReplaceText("p7", "Emma Weber", "x"),
            "text_not_found",
            "; [p7] says: Emma Davis; “Emma Weber” stands nowhere",
        ),
        (
            ReplaceText("p7", "Weber", "x"),
            "text_not_found",
            "; [p7] says: Emma Davis; “Weber” stands in p11",
        ),
        (
            AddComment("p7", "ACME Corp", "x"),
            "text_not_found",
            "; [p7] says: Emma Davis; “ACME Corp” stands in p3, p9, h1.p1",
        ),
        (
            InsertFootnote("p7", "Net 30", "x"),
            "not_found",
            "; [p7] says: Emma Davis; “Net 30” stands in p9",
        ),
        (ReplaceText("t2.r2.c2.p1", "Bonn", "x"), "ambiguous", "; [t2.r2] says: | City | Berlin |"),
        (ReplaceText("p99", "Weber", "x"), "text_not_found", "; “Weber” stands in p11"),
        (FindReplace("Zebra", "x"), "text_not_found", "; “Zebra” stands nowhere"),
        (ReplaceText("p7", "Weber", "x"), "overlap", ""),
    ],
)
async def test_a_fault_says_what_stands_where(operation: Operation, code: str, more: str) -> None:
    assert await said(operation, code) == NOT_THERE + more


async def test_what_a_fault_says_already_is_not_said_twice() -> None:
    message = "not found; the closest passage is: Emma Davis"
    found = await said(ReplaceText("p7", "Emma Weber", "x"), "not_found", message)
    assert found == f"{message}; “Emma Weber” stands nowhere"


async def test_long_blocks_are_cut() -> None:
    found = await said(ReplaceText("p3", "x" * 900, "y"), "text_not_found")
    assert len(found) < 1_000
