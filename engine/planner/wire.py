"""What a model answers in JSON, its schema, and how it becomes a plan.

The schema is the strict kind: every object closed, every property required, what may be left out is
`null`. Decoding is lenient where it costs nothing: a server that ignores the schema may leave nulls
out, add fields, or write an id with its brackets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, TypeAlias, cast

import msgspec

from engine.plan import (
    BlockKind,
    DeleteBlocks,
    EditPlan,
    FindReplace,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)

Decision: TypeAlias = Literal["edit", "need_more", "no_change", "not_found", "refuse"]


class ReplaceTextShape(msgspec.Struct, tag_field="op", tag="replace_text"):
    """Replace a quote in one block."""

    block: str
    find: str
    replace: str
    occurrence: int | None = None


class RewriteBlockShape(msgspec.Struct, tag_field="op", tag="rewrite_block"):
    """Give one block new text."""

    block: str
    text: str


class FindReplaceShape(msgspec.Struct, tag_field="op", tag="find_replace"):
    """Replace a text everywhere in a scope."""

    find: str
    replace: str
    scope: str = "all"
    match_case: bool = True
    whole_word: bool = False


class NewBlockShape(msgspec.Struct):
    """A block to insert."""

    kind: BlockKind
    text: str


class InsertBlocksShape(msgspec.Struct, tag_field="op", tag="insert_blocks"):
    """Insert blocks beside one."""

    block: str
    where: Literal["before", "after"]
    blocks: list[NewBlockShape]


class DeleteBlocksShape(msgspec.Struct, tag_field="op", tag="delete_blocks"):
    """Delete a stretch of blocks."""

    first: str
    last: str


Shape: TypeAlias = (
    ReplaceTextShape | RewriteBlockShape | FindReplaceShape | InsertBlocksShape | DeleteBlocksShape
)


class Reply(msgspec.Struct):
    """A whole answer; the reason comes first, so that a model thinks before it decides."""

    reason: str
    decision: Decision
    read: list[str] = msgspec.field(default_factory=lambda: cast("list[str]", []))
    operations: list[Shape] = msgspec.field(default_factory=lambda: cast("list[Shape]", []))


SCHEMA_NAME = "edit_plan"


@cache
def schema() -> Mapping[str, object]:
    """The JSON schema of a reply in the strict style."""
    _, components = msgspec.json.schema_components((Reply,), ref_template="#/$defs/{name}")
    shapes = {name: _strict(shape) for name, shape in components.items()}
    return {**shapes.pop("Reply"), "$defs": shapes}


def _strict(node: Any) -> Any:
    """Close objects, require everything, and drop what strict mode does not know."""
    if isinstance(node, list):
        return [_strict(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    dropped = ("title", "description", "default", "discriminator")
    fields = cast("dict[str, Any]", node)
    strict = {key: _strict(value) for key, value in fields.items() if key not in dropped}
    if "enum" in strict:
        strict["type"] = "string"
    if "properties" in strict:
        strict["properties"] = {
            name: _strict(value) for name, value in fields["properties"].items()
        }
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


class UnreadableReplyError(ValueError):
    """An answer that is no reply; the message says where it goes wrong."""


def decode(text: str) -> Reply:
    """Read a reply out of what a model wrote: thoughts, fences and chat around it are passed over.

    Raises:
        UnreadableReplyError: There is no JSON object in it, or none of this schema.
    """
    thoughtless = re.sub(r"<think(?:ing)?>.*?</think(?:ing)?>", "", text, flags=re.DOTALL)
    problem = "there is no complete JSON object in it"
    position = thoughtless.find("{")
    while position >= 0:
        candidate = _balanced(thoughtless, position)
        if candidate is not None:
            try:
                return msgspec.json.decode(candidate, type=Reply)
            except msgspec.DecodeError as error:
                problem = str(error)
        position = thoughtless.find("{", position + len(candidate or "{"))
    raise UnreadableReplyError(problem)


def _balanced(text: str, start: int) -> str | None:
    """The text from one brace to its partner, braces in strings not counted."""
    depth, in_string, is_escaped = 0, False, False
    for index in range(start, len(text)):
        char = text[index]
        if in_string:
            in_string = is_escaped or char != '"'
            is_escaped = char == "\\" and not is_escaped
        elif char == '"':
            in_string = True
        elif char in "{}":
            depth += 1 if char == "{" else -1
            if not depth:
                return text[start : index + 1]
    return None


def plan_of(reply: Reply) -> EditPlan:
    """Turn a reply into a plan; `need_more` and `not_found` are the caller's to see to first."""
    decision: Literal["edit", "no_change", "refuse"]
    match reply.decision:
        case "edit" | "no_change" | "refuse":
            decision = reply.decision
        case "not_found" | "need_more":
            decision = "refuse"
    operations = tuple(_operation(shape) for shape in reply.operations)
    return EditPlan(decision, reply.reason, operations if decision == "edit" else ())


def _operation(shape: Shape) -> Operation:
    match shape:
        case ReplaceTextShape():
            block = anchor(shape.block)
            return ReplaceText(block, shape.find, shape.replace, shape.occurrence)
        case RewriteBlockShape():
            return RewriteBlock(anchor(shape.block), shape.text)
        case FindReplaceShape():
            return FindReplace(
                shape.find, shape.replace, _scope(shape.scope), shape.match_case, shape.whole_word
            )
        case InsertBlocksShape():
            blocks = tuple(NewBlock(block.kind, block.text) for block in shape.blocks)
            return InsertBlocks(anchor(shape.block), shape.where, blocks)
        case DeleteBlocksShape():
            return DeleteBlocks(anchor(shape.first), anchor(shape.last))


def anchor(written: str) -> str:
    """Read an id as models write it: with brackets or its label; a cell means its paragraph."""
    words = written.strip().strip("[]").split()
    bare = words[0].rstrip("]") if words else ""
    return f"{bare}.p1" if re.search(r"\.c\d+$", bare) else bare


def _scope(written: str) -> str:
    kind, colon, place = written.strip().partition(":")
    return f"{kind}:{place.strip().strip('[]')}" if colon else kind
