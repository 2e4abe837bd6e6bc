from __future__ import annotations

from typing import Any, cast

import pytest

from engine.plan import (
    DeleteBlocks,
    EditPlan,
    FindReplace,
    InsertBlocks,
    NewBlock,
    ReplaceText,
    RewriteBlock,
)
from engine.planner.wire import UnreadableReplyError, anchor, decode, plan_of, schema


def objects(node: Any, depth: int = 0) -> list[tuple[int, dict[str, Any]]]:
    """All objects of a schema with their depth, references followed."""
    definitions = cast("dict[str, Any]", schema()["$defs"])
    if isinstance(node, list):
        return [found for item in cast("list[Any]", node) for found in objects(item, depth)]
    if not isinstance(node, dict):
        return []
    fields = cast("dict[str, Any]", node)
    if "$ref" in fields:
        return objects(definitions[str(fields["$ref"]).rsplit("/", 1)[-1]], depth)
    inner = [v for key, v in fields.items() if key not in ("$defs", "properties")]
    if fields.get("type") == "object":
        below = objects(list(fields["properties"].values()), depth + 1)
        return [(depth + 1, fields), *below]
    return objects(inner, depth)


def test_the_schema_is_strict() -> None:
    found = objects(schema())
    assert len(found) > 5
    for _, fields in found:
        assert fields["additionalProperties"] is False
        assert fields["required"] == list(fields["properties"])
    assert max(depth for depth, _ in found) <= 5
    every = {id(fields): len(fields["properties"]) for _, fields in found}
    assert sum(every.values()) <= 100


def test_the_schema_says_nothing_that_strict_mode_refuses() -> None:
    allowed = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "$ref"}
    allowed |= {"enum", "$defs"}

    def walk(node: Any) -> None:
        if isinstance(node, list):
            for item in cast("list[Any]", node):
                walk(item)
        elif isinstance(node, dict):
            fields = cast("dict[str, Any]", node)
            assert set(fields) <= allowed
            for key, value in fields.items():
                if key in ("properties", "$defs"):
                    for inner in value.values():
                        walk(inner)
                elif key not in ("required", "enum"):
                    walk(value)
            if "enum" in fields:
                assert fields["type"] == "string"

    walk(schema())


def test_a_model_thinks_before_it_decides() -> None:
    assert next(iter(cast("dict[str, Any]", schema()["properties"]))) == "reason"


WHOLE = """{"reason": "r", "decision": "edit", "read": [], "operations": [
 {"op": "replace_text", "block": "[p1]", "find": "a", "replace": "b", "occurrence": null},
 {"op": "rewrite_block", "block": "t1.r2.c3", "text": "x"},
 {"op": "find_replace", "find": "a", "replace": "b", "scope": "section:[p9]", "match_case": false,
  "whole_word": true},
 {"op": "insert_blocks", "block": "p2 h1", "where": "before",
  "blocks": [{"kind": "heading2", "text": "H"}]},
 {"op": "delete_blocks", "first": "p3", "last": "p4"}]}"""


def test_every_operation_is_decoded() -> None:
    assert plan_of(decode(WHOLE)) == EditPlan(
        "edit",
        "r",
        (
            ReplaceText("p1", "a", "b"),
            RewriteBlock("t1.r2.c3.p1", "x"),
            FindReplace("a", "b", "section:p9", match_case=False, whole_word=True),
            InsertBlocks("p2", "before", (NewBlock("heading2", "H"),)),
            DeleteBlocks("p3", "p4"),
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "r", "decision": "no_change"}',
        '```json\n{"reason": "r", "decision": "no_change", "operations": []}\n```',
        '<think>{"reason": "draft", "decision": "edit"}</think>{"reason": "r", "decision":'
        ' "no_change"}',
        'Sure! Here is {the} plan: {"reason": "r", "decision": "no_change", "read": []} Enjoy.',
        '{"reason": "r", "decision": "no_change", "author": "Mallory", "confidence": 1}',
    ],
)
def test_a_reply_is_found_in_what_was_written_around_it(text: str) -> None:
    assert plan_of(decode(text)) == EditPlan("no_change", "r")


def test_braces_and_quotes_in_strings_are_letters() -> None:
    reply = decode('x {"reason": "a } \\" { b \\\\", "decision": "refuse"} y')
    assert reply.reason == 'a } " { b \\'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I cannot do that.", "no complete JSON object"),
        ('{"reason": "r", "decision": "edit", "operations": [', "no complete JSON object"),
        ('{"decision": "edit"}', "missing required field `reason`"),
        ('{"reason": "r", "decision": "maybe"}', "decision"),
        ('{"reason": "r", "decision": "edit", "operations": [{"op": "run"}]}', "op"),
    ],
)
def test_what_is_no_reply_says_where_it_goes_wrong(text: str, problem: str) -> None:
    with pytest.raises(UnreadableReplyError, match=problem):
        decode(text)


def test_a_plan_that_is_no_edit_carries_no_operations() -> None:
    reply = decode(WHOLE.replace('"edit"', '"refuse"'))
    assert plan_of(reply).operations == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [("p12", "p12"), (" [p12 h2] ", "p12"), ("t2.r1.c3", "t2.r1.c3.p1"), ("h1.p1", "h1.p1")],
)
def test_an_id_is_read_as_models_write_it(written: str, meant: str) -> None:
    assert anchor(written) == meant
