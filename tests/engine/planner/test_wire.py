from __future__ import annotations

import json
from typing import Any, cast, get_args

import pytest

from redraft.engine import plan
from redraft.engine.errors import NotFoundError, PlanError, RefusedError
from redraft.engine.model import Format
from redraft.engine.pdf.discussion import split
from redraft.engine.pdf.edit.resolution import resolve
from redraft.engine.plan import (
    PAGE_OPERATIONS,
    EditPlan,
    Operation,
    RewriteBlock,
    SetField,
    name_of,
    offered,
)
from redraft.engine.plan_json import block_id
from redraft.engine.planner.wire import UnreadableReplyError, decode, plan_of, schema
from tests.engine.planner.standins import reply

DOCX_OPERATIONS, PDF_OPERATIONS = offered("docx"), offered("pdf")


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


def shapes(kind: Format = "docx") -> list[dict[str, Any]]:
    definitions = cast("dict[str, Any]", schema(kind)["$defs"])
    return [one for one in definitions.values() if "op" in one["properties"]]


def test_controls_written_with_their_titles_are_the_controls() -> None:
    text = '⟦cc1 "Fee" empty⟧9⟦/cc1⟧'
    answer = reply(
        {"op": "rewrite_block", "block": "p1", "text": text},
        {"op": "set_field", "control": '⟦cc1 "Fee" empty⟧', "value": "9"},
    )
    assert plan_of(decode(answer)).operations == (
        RewriteBlock("p1", "⟦cc1⟧9⟦/cc1⟧"),
        SetField("cc1", "9"),
    )


def test_the_schema_is_strict() -> None:
    found = objects(schema())
    assert len(found) > 5
    for _, fields in found:
        assert fields["additionalProperties"] is False
        assert fields["required"] == list(fields["properties"])
    assert max(depth for depth, _ in found) <= 5
    every = {id(fields): len(fields["properties"]) for _, fields in found}
    assert sum(every.values()) == 98


def test_operations_of_the_same_fields_share_a_shape() -> None:
    names = [name for shape in shapes() for name in shape["properties"]["op"]["enum"]]
    assert len(shapes()) == 22
    assert sorted(names) == sorted(DOCX_OPERATIONS)
    fields = [tuple(shape["properties"])[1:] for shape in shapes()]
    alike = [one for one in fields if fields.count(one) > 1]
    assert alike == []


def test_a_pdf_is_offered_what_it_can_do() -> None:
    names = {name for shape in shapes("pdf") for name in shape["properties"]["op"]["enum"]}
    assert names == PDF_OPERATIONS
    assert names - DOCX_OPERATIONS == set(map(name_of, PAGE_OPERATIONS))
    assert "close_up" in json.dumps(schema("pdf"))
    assert "close_up" not in json.dumps(schema())
    counts = [len(one["properties"]) for one in shapes("pdf")]
    assert sum(counts) < 100
    looks = next(one for one in shapes("pdf") if "property" in one["properties"])
    assert looks["properties"]["property"]["enum"] == ["bold", "italic", "color"]
    new = cast("Any", schema("pdf")["$defs"])["NewBlock"]["properties"]
    assert new["kind"]["enum"] == ["like_anchor", "paragraph", "bullet"]
    assert "heading1" in json.dumps(schema())


def test_what_a_pdf_is_offered_is_what_the_engine_does_with_one() -> None:
    carried: set[str] = set()
    for written, meant in OPERATIONS:
        _, without_notes = split(EditPlan("edit", "", (meant,)))
        try:
            resolve(without_notes, ())
        except RefusedError:
            continue
        except (NotFoundError, PlanError):
            pass
        carried.add(written.split('"')[3])
    # Its comments stand in no view: programs alone can name them.
    assert carried - set(map(name_of, plan.COMMENT_THREADS)) == PDF_OPERATIONS


def test_enum_values_stay_below_what_servers_take() -> None:
    found = [value for _, one in objects(schema()) for value in one["properties"].values()]
    assert sum(len(value.get("enum", ())) for value in found) < 200


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


OPERATIONS: list[tuple[str, Operation]] = [
    ('{"op": "delete_pages", "first_page": 2, "last_page": -1}', plan.DeletePages(2, -1)),
    (
        '{"op": "move_pages", "first_page": 2, "last_page": 3, "to_page": 5, "where": "after"}',
        plan.MovePages(2, 3, 5, "after"),
    ),
    (
        '{"op": "rotate_pages", "first_page": 1, "last_page": 1, "degrees": 90}',
        plan.RotatePages(1, 1, 90),
    ),
    ('{"op": "insert_page", "page": 1, "where": "before"}', plan.InsertPage(1, "before")),
    (
        '{"op": "redact", "find": "Ann", "match_case": true, "whole_word": null}',
        plan.Redact("Ann", match_case=True),
    ),
    ('{"op": "stamp_pages", "kind": "footer", "text": "x"}', plan.StampPages("footer", "x")),
    (
        '{"op": "replace_text", "block": "[p1]", "find": "a", "replace": "b", "occurrence": null}',
        plan.ReplaceText("p1", "a", "b"),
    ),
    (
        '{"op": "rewrite_block", "block": "t1.r2.c3", "text": "x"}',
        plan.RewriteBlock("t1.r2.c3.p1", "x"),
    ),
    (
        '{"op": "find_replace", "find": "a", "replace": "b", "scope": "section:[p9]",'
        ' "match_case": false, "whole_word": true}',
        plan.FindReplace("a", "b", "section:p9", match_case=False, whole_word=True),
    ),
    (
        '{"op": "insert_blocks", "block": "p2 h1", "where": "before", "blocks": [{"kind":'
        ' "heading2", "text": "H"}]}',
        plan.InsertBlocks("p2", "before", (plan.NewBlock("heading2", "H"),)),
    ),
    ('{"op": "delete_blocks", "first": "p3", "last": "p4"}', plan.DeleteBlocks("p3", "p4")),
    (
        '{"op": "move_blocks", "first": "p3", "last": "p4", "to": "p9", "where": "after"}',
        plan.MoveBlocks("p3", "p4", "p9", "after"),
    ),
    ('{"op": "split_block", "block": "p3", "find": "And"}', plan.SplitBlock("p3", "And")),
    (
        '{"op": "delete_blocks", "first": "p3", "last": "p4", "close_up": true}',
        plan.DeleteBlocks("p3", "p4", close_up=True),
    ),
    ('{"op": "merge_blocks", "first": "p3", "last": "p4"}', plan.MergeBlocks("p3", "p4")),
    (
        '{"op": "set_style", "first": "p3", "last": "p4", "style": "Heading 2 "}',
        plan.SetStyle("p3", "p4", "Heading 2"),
    ),
    (
        '{"op": "set_paragraph", "first": "p3", "last": "p3", "property": "alignment", "value":'
        ' "center"}',
        plan.SetParagraph("p3", "p3", "alignment", "center"),
    ),
    (
        '{"op": "format_text", "block": "p3", "find": "a", "property": "bold", "value": "on",'
        ' "occurrence": 0}',
        plan.FormatText("p3", "a", "bold", "on", 0),
    ),
    (
        '{"op": "set_list", "first": "p3", "last": "p4", "kind": "numbered", "level": null,'
        ' "restart": true}',
        plan.SetList("p3", "p4", "numbered", None, restart=True),
    ),
    ('{"op": "set_cell", "target": "t1.r2.c3.p1", "text": "x"}', plan.SetCell("t1.r2.c3", "x")),
    (
        '{"op": "insert_row", "target": "t1.r2.c1", "where": "after", "cells": ["a", "b"]}',
        plan.InsertRow("t1.r2", "after", ("a", "b")),
    ),
    (
        '{"op": "insert_column", "target": "t1.c2", "where": "before", "cells": ["a"]}',
        plan.InsertColumn("t1.r1.c2", "before", ("a",)),
    ),
    ('{"op": "delete_row", "target": "[t1.r2]"}', plan.DeleteRow("t1.r2")),
    ('{"op": "delete_column", "target": "t1.r2.c3"}', plan.DeleteColumn("t1.r2.c3")),
    ('{"op": "delete_table", "target": "t1.r1"}', plan.DeleteTable("t1")),
    (
        '{"op": "insert_table", "block": "p1", "where": "after", "rows": [["a"], ["b"]],'
        ' "header_row": false}',
        plan.InsertTable("p1", "after", (("a",), ("b",)), header_row=False),
    ),
    (
        '{"op": "set_link", "block": "p1", "find": "here", "url": " https://a.example "}',
        plan.SetLink("p1", "here", "https://a.example"),
    ),
    ('{"op": "remove_link", "block": "p1", "find": "here"}', plan.RemoveLink("p1", "here")),
    ('{"op": "edit_note", "target": "fn1.p1", "text": "x"}', plan.EditNote("fn1", "x")),
    (
        '{"op": "insert_footnote", "block": "p1", "after_text": "here", "text": "x"}',
        plan.InsertFootnote("p1", "here", "x"),
    ),
    (
        '{"op": "insert_footnote", "block": "p1", "find": "here", "text": "x"}',
        plan.InsertFootnote("p1", "here", "x"),
    ),
    ('{"op": "delete_note", "target": "⟦fn1⟧"}', plan.DeleteNote("fn1")),
    ('{"op": "reply_comment", "target": "[c2.p1]", "text": "x"}', plan.ReplyComment("c2", "x")),
    (
        '{"op": "resolve_comment", "target": "c2", "resolved": true}',
        plan.ResolveComment("c2"),
    ),
    ('{"op": "delete_comment", "target": "c2"}', plan.DeleteComment("c2")),
    ('{"op": "set_alt_text", "target": "⟦im1:A duck⟧", "text": "x"}', plan.SetAltText("im1", "x")),
    ('{"op": "delete_image", "target": "im1"}', plan.DeleteImage("im1")),
    (
        '{"op": "add_comment", "block": "p1", "find": "", "text": "Sure?"}',
        plan.AddComment("p1", "", "Sure?"),
    ),
    (
        '{"op": "insert_break", "block": "p1", "where": "before", "kind": "page"}',
        plan.InsertBreak("p1", "before", "page"),
    ),
    ('{"op": "set_field", "control": "cc2", "value": "checked"}', plan.SetField("cc2", "checked")),
    ('{"op": "set_property", "name": "title", "value": "T"}', plan.SetProperty("title", "T")),
    (
        '{"op": "settle_change", "change": "chg12.2", "action": "accept"}',
        plan.SettleChange("12.2", "accept"),
    ),
    (
        '{"op": "settle_change", "change": "[chg12]", "action": "reject"}',
        plan.SettleChange("12", "reject"),
    ),
]
WHOLE = (
    '{"reason": "r", "decision": "edit", "read": [], "operations": ['
    + ",".join(written for written, _ in OPERATIONS)
    + "]}"
)


@pytest.mark.parametrize(("written", "meant"), OPERATIONS)
def test_every_operation_is_decoded(written: str, meant: Operation) -> None:
    reply = decode(f'{{"reason": "r", "decision": "edit", "operations": [{written}]}}')
    assert plan_of(reply) == EditPlan("edit", "r", (meant,))


def test_the_table_knows_every_operation_of_both_sides() -> None:
    assert {written.split('"')[3] for written, _ in OPERATIONS} == DOCX_OPERATIONS | PDF_OPERATIONS
    kinds = set(get_args(plan.Operation))
    assert {type(meant) for _, meant in OPERATIONS} == kinds


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('{"op": "delete_row", "at": "t1.r2"}', plan.DeleteRow("t1.r2")),
        ('{"op": "set_cell", "cell": "t1.r2.c1", "text": "x"}', plan.SetCell("t1.r2.c1", "x")),
        ('{"op": "edit_note", "note": "fn1", "text": "x"}', plan.EditNote("fn1", "x")),
        ('{"op": "rewrite_block", "id": "p1", "text": "x"}', plan.RewriteBlock("p1", "x")),
        ('{"op": "delete_blocks", "block": "p1"}', plan.DeleteBlocks("p1", "p1")),
        ('{"op": "delete_blocks", "first": "p1"}', plan.DeleteBlocks("p1", "p1")),
        (
            '{"op": "replace_text", "block": "p1", "find": "a", "replace": "b", "occurrence": "2"}',
            plan.ReplaceText("p1", "a", "b", 2),
        ),
    ],
)
def test_an_address_may_go_by_another_name(written: str, meant: Operation) -> None:
    reply = decode(f'{{"reason": "r", "decision": "edit", "operations": [{written}]}}')
    assert plan_of(reply).operations == (meant,)


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
    assert block_id(written) == meant
