"""What a model answers in JSON, its schema, and how it becomes a plan.

The schema is the strict kind: every object closed, every property required, what may be left out is
`null`; a file type is offered only what it can do, and operations with the same fields share one
shape, so that a strict server's limit of a hundred properties holds. Decoding is lenient where it
costs nothing: a server that ignores the schema may leave nulls out, add fields, call an id by
another name, or write it with its brackets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeAlias, cast

import msgspec

from redraft.engine.model import Format
from redraft.engine.plan import (
    COMMENT_THREADS,
    OPERATIONS,
    PDF_FIELDS,
    PDF_VALUES,
    EditPlan,
    Operation,
    name_of,
    offered,
)
from redraft.engine.plan_json import normal

Decision: TypeAlias = Literal["edit", "need_more", "no_change", "not_found", "refuse"]

SCHEMA_NAME = "edit_plan"
# What models call the address of an operation when nobody holds them to the schema.
_ADDRESSES = ("target", "block", "change", "control", "cell", "at", "note", "image", "anchor", "id")


class Reply(msgspec.Struct):
    """A whole answer; the reason comes first, so that a model thinks before it decides."""

    reason: str
    decision: Decision
    read: list[str] = msgspec.field(default_factory=lambda: cast("list[str]", []))
    operations: list[Operation] = msgspec.field(default_factory=lambda: cast("list[Operation]", []))


@cache
def schema(kind: Format = "docx", *, is_whole: bool = False) -> Mapping[str, object]:
    """Returns the JSON schema of a reply, strict, with the operations of a file type.

    Args:
        kind: Of the file.
        is_whole: Whether for programs that write exact operations: with the names of all fields.
            For models a note's mark stands behind `find`, which keeps it below a hundred fields.
    """
    _, components = msgspec.json.schema_components((Reply,), ref_template="#/$defs/{name}")
    shapes = {name: _strict(_fitted(shape, kind)) for name, shape in components.items()}
    if not is_whole:
        shapes["InsertFootnote"] = _renamed(shapes["InsertFootnote"], "after_text", "find")
    reply = cast("dict[str, Any]", shapes.pop("Reply"))
    more = map(name_of, COMMENT_THREADS) if is_whole else ()
    used = _shared(shapes, offered(kind).union(more))
    references = [{"$ref": f"#/$defs/{name}"} for name in used]
    reply["properties"]["operations"] = {"type": "array", "items": {"anyOf": references}}
    if any("NewBlock" in json.dumps(shape) for shape in used.values()):
        used["NewBlock"] = shapes["NewBlock"]
    return {**reply, "$defs": used}


def _fitted(shape: dict[str, Any], kind: Format) -> dict[str, Any]:
    """Returns a shape with what a file type can do: fields, and in a PDF the values of some."""
    if "properties" not in shape:
        return shape
    fields = {
        name: value
        for name, value in shape["properties"].items()
        if kind == "pdf" or name not in PDF_FIELDS
    }
    is_narrow = kind == "pdf" and shape.get("title") in ("FormatText", "NewBlock")
    for name in PDF_VALUES if is_narrow else ():
        if name in fields:
            fields[name] = {"enum": list(PDF_VALUES[name])}
    return {**shape, "properties": fields}


def _renamed(shape: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """Returns a shape with a field under another name."""
    fields = {new if name == old else name: one for name, one in shape["properties"].items()}
    return {**shape, "properties": fields, "required": list(fields)}


def _shared(shapes: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Returns one shape for all operations of the same fields, `op` saying which of them it is."""
    merged: dict[str, tuple[str, Any]] = {}
    for name, shape in shapes.items():
        tags = [tag for tag in _tags(shape) if tag in names]
        if not tags:
            continue
        fields = {key: value for key, value in shape["properties"].items() if key != "op"}
        key = json.dumps(fields)
        if key in merged:
            merged[key][1]["properties"]["op"]["enum"] += tags
        else:
            op = {"enum": tags, "type": "string"}
            merged[key] = name, {**shape, "properties": {"op": op, **fields}}
    return dict(merged.values())


def _tags(shape: Any) -> Sequence[str]:
    return shape.get("properties", {}).get("op", {}).get("enum", ())


def _strict(node: Any) -> Any:
    """Closes objects, requires everything, and drops what strict mode does not know."""
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
    problem = "there is no complete JSON object in it"
    for candidate in objects(text):
        try:
            return _reply(candidate)
        except msgspec.DecodeError as error:
            problem = str(error)
    raise UnreadableReplyError(problem)


def objects(text: str) -> Iterator[str]:
    """Yields what may be the JSON object of an answer, thoughts, fences and chat passed over."""
    thoughtless = re.sub(r"<think(?:ing)?>.*?</think(?:ing)?>", "", text, flags=re.DOTALL)
    position = thoughtless.find("{")
    while position >= 0:
        candidate = _balanced(thoughtless, position)
        if candidate is not None:
            yield candidate
        position = thoughtless.find("{", position + len(candidate or "{"))


def _reply(text: str) -> Reply:
    try:
        return msgspec.json.decode(text, type=Reply)
    except msgspec.ValidationError as first:
        try:
            fields = msgspec.json.decode(text, type=dict[str, Any])
            return msgspec.convert(_readdressed(fields), Reply, strict=False)
        except msgspec.ValidationError:
            raise first from None


def _readdressed(fields: dict[str, Any]) -> dict[str, Any]:
    """Returns a reply whose operations have the fields they should have, and no others."""
    operations = fields.get("operations")
    if not isinstance(operations, list):
        return fields
    return {**fields, "operations": [_mended(one) for one in cast("list[Any]", operations)]}


def _mended(operation: Any) -> Any:
    """Returns an operation with its address under the name it should have."""
    if not isinstance(operation, dict):
        return operation
    fields = cast("dict[str, Any]", operation)
    written = {name: value for name, value in fields.items() if value is not None}
    known = _FIELDS.get(str(written.get("op")))
    if known is None:
        return fields
    address = next((written[name] for name in _ADDRESSES if written.get(name)), None)
    first = written.get("first") or address
    fields = dict.fromkeys(_ADDRESSES, address) | {"first": first, "last": first} | written
    fields.setdefault("after_text", written.get("find"))
    return {
        name: value
        for name, value in fields.items()
        if name == "op" or (name in known and value is not None)
    }


_FIELDS: Mapping[str, Sequence[str]] = {
    name_of(kind): kind.__struct_fields__ for kind in OPERATIONS
}


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
    operations = tuple(map(normal, reply.operations)) if decision == "edit" else ()
    return EditPlan(decision, reply.reason, operations)
