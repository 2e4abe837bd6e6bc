"""What the tools take and give, and the JSON schemas that clients see of it.

The schemas stand in the context of every conversation, so they have no titles and few words; what
a tool gives is cut where it may be long.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta

LONGEST_QUOTE = 500
"""Characters of a change's words that are given; the rest is in the document."""

Handle: TypeAlias = Annotated[str, Meta(description="id from open")]
Wait: TypeAlias = Annotated[float, Meta(ge=0, le=45)]


class Arguments(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a tool takes."""


class OpenFile(Arguments):
    """Of `open` over local files."""

    path: str
    author: Annotated[str, Meta(description="of tracked changes", max_length=100)] = ""
    tracked: bool = True


class OpenStored(Arguments):
    """Of `open` over the documents of a service."""

    document: Annotated[str, Meta(description="id or name; empty lists what there is")] = ""


class Read(Arguments):
    """Of `read`."""

    document: Handle
    start: Annotated[str, Meta(description="block id; the header's next")] = ""
    limit: Annotated[int, Meta(ge=1, le=400)] = 60
    view: Literal["final", "original", "markup"] = "final"


class Search(Arguments):
    """Of `search`."""

    document: Handle
    text: Annotated[str, Meta(min_length=1, max_length=1000)]
    regex: bool = False
    limit: Annotated[int, Meta(ge=1, le=50)] = 20
    start: Annotated[str, Meta(description="block id")] = ""


class Edit(Arguments):
    """Of `edit`; an instruction, operations or a playbook, one of them."""

    document: Handle
    instruction: Annotated[str, Meta(max_length=20_000)] = ""
    operations: Annotated[list[dict[str, Any]], Meta(max_length=1000)] = []
    lookup: Annotated[str, Meta(description="excerpt that says where", max_length=20_000)] = ""
    edit_uid: Annotated[str, Meta(description="UUID; the same call again is done once")] = ""
    base_version: Annotated[int, Meta(ge=0, description="version that was read")] | None = None
    dry_run: bool = False
    playbook: Annotated[str, Meta(description="rules", max_length=400_000)] = ""
    comment_only: Annotated[bool, Meta(description="playbook: only propose")] = False
    wait: Wait = 45


class Changes(Arguments):
    """Of `changes`."""

    document: Handle
    author: str = ""
    start: Annotated[int, Meta(ge=0)] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class Comments(Arguments):
    """Of `comments`."""

    document: Handle
    start: Annotated[int, Meta(ge=0)] = 0


class Resolve(Arguments):
    """Of `resolve`."""

    document: Handle
    action: Literal["accept", "reject"]
    ids: Annotated[list[str], Meta(max_length=1000)] = []
    author: str = ""
    edit_uid: str = ""
    all: bool = False


class Undo(Arguments):
    """Of `undo`."""

    document: Handle
    redo: bool = False


class Save(Arguments):
    """Of `save`."""

    document: Handle
    path: str
    view: Literal["redline", "clean", "original"] = "redline"
    overwrite: bool = False


class Link(Arguments):
    """Of `link`."""

    document: Handle = ""
    view: Literal["redline", "clean", "original"] = "redline"
    seconds: Annotated[int, Meta(ge=60, le=86_400)] = 3600
    upload: bool = False


class Opened(msgspec.Struct):
    """A document that can be worked on."""

    document: str
    name: str
    format: str
    version: int
    blocks: int
    tokens: Annotated[int, Meta(description="rough size of the whole text")]
    changes: int
    outline: str
    notices: list[str]
    expires_at: str


class Hit(msgspec.Struct):
    """A place where a text stands."""

    block: str
    text: str


class Found(msgspec.Struct):
    """Where a text stands; `next` is the block to search on from."""

    version: int
    hits: list[Hit]
    total: int
    next: str | None


class Change(msgspec.Struct):
    """A tracked change; `before` and `after` are cut where they are long."""

    id: str
    kind: str
    author: str
    date: str
    where: str
    before: str
    after: str
    edit_uid: str | None


class Fault(msgspec.Struct):
    """What is wrong with an operation (`index` from 0), or a place that may be meant."""

    index: int
    code: str
    message: str


class Settled(msgspec.Struct):
    """What became of a decision or an undo."""

    state: Literal["applied", "unchanged", "failed"]
    version: int
    summary: str


class Edited(msgspec.Struct):
    """What became of an edit."""

    state: Literal["applied", "unchanged", "running", "failed"]
    edit_uid: str
    version: int
    summary: str
    changes: list[Change]
    total: int
    warnings: list[str]
    faults: list[Fault]
    replayed: bool


class Listed(msgspec.Struct):
    """A window of the tracked changes; `next` is the `start` of the following one."""

    version: int
    changes: list[Change]
    total: int
    next: int | None


class Remark(msgspec.Struct):
    """A comment; `parent` is the id of the one it answers."""

    id: str
    author: str
    date: str
    block: str
    words: str
    text: str
    resolved: bool
    parent: str | None


class Remarks(msgspec.Struct):
    """A window of the comments; `next` is the `start` of the following one."""

    version: int
    comments: list[Remark]
    total: int
    next: int | None


class Saved(msgspec.Struct):
    """A file that was written."""

    path: str
    bytes: int
    sha256: str


class Linked(msgspec.Struct):
    """An address and what to do with it."""

    url: str
    seconds: int
    use: str


def schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Returns the JSON schema of a shape, whole and without what only people would read."""
    [reference], components = msgspec.json.schema_components([kind])
    is_closed = issubclass(kind, Arguments)
    shape = _resolved(reference, components)
    return {**shape, "additionalProperties": False} if is_closed else shape


def _resolved(node: Any, components: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_resolved(item, components) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    fields = cast("dict[str, Any]", node)
    if "$ref" in fields:
        shape = components[fields["$ref"].rpartition("/")[2]]
        properties = {
            name: _resolved(value, components) for name, value in shape["properties"].items()
        }
        return {"type": "object", "properties": properties, "required": shape.get("required", [])}
    # An empty default says no more than that the field is not required.
    return {
        key: _resolved(value, components)
        for key, value in fields.items()
        if not (key == "default" and value in ("", None, [], False))
    }


def shortened(text: str, most: int = LONGEST_QUOTE) -> str:
    """Cuts a text in its middle to a number of characters."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return f"{text[:half]}…{text[-half:]}"
