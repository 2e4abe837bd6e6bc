from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.engine.errors import PlanError
from redraft.engine.plan import OPERATIONS, DeleteRow, EditPlan, ReplaceText, SettleChange, name_of
from redraft.engine.plan_json import (
    MalformedPlanError,
    plan_schema,
    read_operations,
    read_plan,
    write_plan,
)
from scripts.operations_page import EXAMPLES, PAGE, SCHEMA, page, schema_text

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("example", EXAMPLES, ids=[str(one["op"]) for one in EXAMPLES])
def test_every_example_of_the_page_is_read_and_written_as_it_stands(
    example: dict[str, object],
) -> None:
    (operation,) = read_operations([example])
    plan = EditPlan("edit", "r", (operation,), "5n4p")
    written = write_plan(plan)
    assert json.loads(written)["operations"] == [example]
    again = read_plan(written)
    assert (again, again.snapshot) == (plan, "5n4p")


def test_the_examples_show_every_operation() -> None:
    assert [one["op"] for one in EXAMPLES] == [name_of(kind) for kind in OPERATIONS]


def test_the_page_and_the_schema_are_what_the_script_writes() -> None:
    assert PAGE.read_text("utf-8") == page()
    assert SCHEMA.read_text("utf-8") == schema_text()


def test_the_schema_closes_every_operation_and_describes_every_field() -> None:
    shapes = plan_schema()["$defs"]
    assert set(shapes) == {kind.__name__ for kind in OPERATIONS} | {"NewBlock"}
    for shape in shapes.values():
        assert shape["additionalProperties"] is False
        for name, field in shape["properties"].items():
            assert name == "op" or field["description"], name


def test_a_bare_list_of_operations_is_a_plan() -> None:
    plan = read_plan('[{"op": "delete_row", "target": "[t1.r2]"}]')
    assert plan == EditPlan("edit", "1 operation: delete row", (DeleteRow("t1.r2"),))
    assert plan.snapshot == ""


def test_ids_may_be_written_as_a_view_shows_them() -> None:
    operations = read_operations(
        [
            {"op": "replace_text", "block": "[p1 h2]", "find": "a", "replace": "b"},
            {"op": "settle_change", "change": "chg12", "action": "reject"},
        ]
    )
    assert operations == (ReplaceText("p1", "a", "b"), SettleChange("12", "reject"))


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("{", "The plan is not valid JSON"),
        ('"p1"', "neither a list of operations nor an object with `operations`"),
        ('{"operations": {}}', "neither a list of operations nor an object with `operations`"),
        ('{"operations": [], "author": "Mallory"}', "unknown field `author`"),
        ('{"operations": [], "decision": "maybe"}', "Invalid enum value 'maybe'"),
    ],
)
def test_what_is_no_plan_says_why(written: str, says: str) -> None:
    with pytest.raises(PlanError, match=says):
        read_plan(written)


def test_every_malformed_operation_is_named_at_once() -> None:
    written = [
        {"op": "run"},
        {"op": "delete_row", "target": "t1.r2"},
        {"op": "replace_text", "block": "p1", "find": "a", "by": "b"},
        "delete p1",
    ]
    with pytest.raises(
        MalformedPlanError, match=r"Operation 1 cannot be read.*\(and 2 more\)"
    ) as caught:
        read_operations(written)
    assert [(fault.index, fault.code) for fault in caught.value.faults] == [
        (0, "malformed"),
        (2, "malformed"),
        (3, "malformed"),
    ]
    messages = [fault.message for fault in caught.value.faults]
    assert "`op` is one of replace_text" in messages[0]
    assert "has the fields block, find, replace, occurrence" in messages[1]
