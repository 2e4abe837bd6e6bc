"""Plans as JSON: read as people, programs and models write them, and written to be applied again.

Ids may be written as a view shows them, with brackets or a label (`[p12 h2]`, `⟦im1:A duck⟧`); a
plan has the bare id, a cell's paragraph where a paragraph is meant, a row where a row is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, cast

import msgspec
from msgspec import structs

from redraft.engine.errors import PlanError
from redraft.engine.plan import (
    DOCUMENT_PROPERTIES,
    OPERATIONS,
    DeleteColumn,
    DeleteComment,
    DeleteNote,
    DeleteRow,
    DeleteTable,
    EditNote,
    EditPlan,
    Fault,
    InsertColumn,
    InsertRow,
    Operation,
    ReplyComment,
    ResolveComment,
    SetCell,
    SetParagraph,
    name_of,
)

# What `without_texts` keeps: fields with a few values only, and fields that hold an id.
_CHOICES = frozenset({"op", "where", "kind", "property", "action"})
_ID_FIELDS = frozenset({"block", "first", "last", "to", "target", "control", "scope", "change"})
_ID = re.compile(
    r"(?:(?:section|table|row|block):)?(?:[a-z]{1,2}\d+(?:\.[a-z]\d+)*|\d+)"
    r"|all|body|headers?|footers?|notes"
)
# A control or picture as a view shows it, with what is said of it.
_CONTROL = re.compile(r"⟦((?:cc|im)[0-9]+) [^⟦⟧]*⟧")
_BRACKETS = "[]\u27e6\u27e7"


def bare_id(written: str) -> str:
    """Returns an id without the brackets or the label it was written with."""
    words = written.strip().strip(_BRACKETS).split()
    return re.split(r"[\]\u27e7:]", words[0])[0] if words else ""


def block_id(written: str) -> str:
    """Returns the id of a block; a cell means its first paragraph."""
    name = bare_id(written)
    return f"{name}.p1" if re.search(r"\.c\d+$", name) else name


def change_id(written: str) -> str:
    """Returns the id of a tracked change: `chg12` of a view is `12` in the list of changes."""
    return bare_id(written).removeprefix("chg")


def _note_id(written: str) -> str:
    return bare_id(written).partition(".")[0]


def _comment_id(written: str) -> str:
    """Returns `c2` of a Word document, or `p2.a3`, an annotation of a page."""
    name = bare_id(written)
    return name if re.fullmatch(r"p\d+\.a\d+", name) else name.partition(".")[0]


def _cell_id(written: str) -> str:
    return re.sub(r"\.p1$", "", bare_id(written))


def _row_id(written: str) -> str:
    """Returns the row of a cell or of a paragraph in one."""
    return re.sub(r"(\.r\d+)\.c\d+(\.p\d+)?$", r"\1", bare_id(written))


def _table_id(written: str) -> str:
    return re.sub(r"\.r\d+$", "", _row_id(written))


def _column_id(written: str) -> str:
    """Returns the cell that names a column; `t1.c2` is the first row's."""
    cell = re.sub(r"\.p\d+$", "", bare_id(written))
    return re.sub(r"^((?:\w+\.)?t\d+)\.(c\d+)", r"\1.r1.\2", cell)


def _scope(written: str) -> str:
    kind, colon, place = written.strip().partition(":")
    return f"{kind}:{place.strip().strip('[]')}" if colon else kind


def _control(written: str) -> str:
    """Returns the id of a control or the name of a PDF's field, which may have blanks."""
    name = written.strip().strip(_BRACKETS)
    return _CONTROL.sub(r"\1", f"⟦{name}⟧").strip(_BRACKETS)


_Normal = Callable[[str], str]
_FIELDS: Mapping[str, _Normal] = {
    "block": block_id,
    "first": block_id,
    "last": block_id,
    "to": block_id,
    "target": bare_id,
    "change": change_id,
    "control": _control,
    "scope": _scope,
    "url": str.strip,
    "style": str.strip,
}
_FIELDS_OF: Mapping[type[Operation], Mapping[str, _Normal]] = {
    SetCell: {"target": _cell_id},
    InsertRow: {"target": _row_id},
    DeleteRow: {"target": _row_id},
    InsertColumn: {"target": _column_id},
    DeleteColumn: {"target": _column_id},
    DeleteTable: {"target": _table_id},
    EditNote: {"target": _note_id},
    DeleteNote: {"target": _note_id},
    ReplyComment: {"target": _comment_id},
    ResolveComment: {"target": _comment_id},
    DeleteComment: {"target": _comment_id},
    SetParagraph: {"value": str.strip},
}


def normal(operation: Operation) -> Operation:
    """Returns an operation with its ids as the engine knows them."""
    rules = {**_FIELDS, **_FIELDS_OF.get(type(operation), {})}
    written = structs.asdict(operation)
    values = {
        name: rules[name](value)
        for name, value in written.items()
        if name in rules and isinstance(value, str)
    }
    text = written.get("text")
    if isinstance(text, str):
        values["text"] = _CONTROL.sub(r"⟦\1⟧", text)
    return structs.replace(operation, **values)


class MalformedPlanError(PlanError):
    """A plan is not made of operations as they are defined; `faults` names every one that is not.

    Args:
        faults: Why the operations cannot be read, by their indices from 0.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(tuple(faults))
        self.faults = tuple(faults)

    def __str__(self) -> str:
        first = self.faults[0]
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        return f"Operation {first.index + 1} cannot be read: {first.message}{more}"


def read_operations(written: Sequence[object]) -> tuple[Operation, ...]:
    """Returns the operations of decoded JSON.

    Raises:
        MalformedPlanError: Some of them are no operations; all of these are named.
    """
    operations: list[Operation] = []
    faults: list[Fault] = []
    for index, fields in enumerate(written):
        try:
            operations.append(normal(msgspec.convert(fields, Operation)))
        except msgspec.ValidationError as error:
            faults.append(Fault(index, "malformed", _explained(fields, str(error))))
    if faults:
        raise MalformedPlanError(faults)
    return tuple(operations)


def _explained(written: object, problem: str) -> str:
    """Returns what is wrong with an operation, with the names that it could have used."""
    if not isinstance(written, dict):
        return "an operation is a JSON object with the field `op`"
    fields = cast("Mapping[str, object]", written)
    kinds = {name_of(kind): kind for kind in OPERATIONS}
    kind = kinds.get(str(fields.get("op", "")))
    if kind is None:
        return f"`op` is one of {', '.join(kinds)}"
    known = f"{name_of(kind)} has the fields {', '.join(kind.__struct_fields__)}"
    return f"{problem}; {known}"


def read_plan(data: bytes | str) -> EditPlan:
    """Returns the plan of a JSON file: an object as `write_plan` makes it, or a list of operations.

    Raises:
        PlanError: It is no JSON, or no plan; a MalformedPlanError when operations are at fault.
    """
    try:
        written: Any = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        message = f"The plan is not valid JSON: {error}"
        raise PlanError(message) from None
    fields: dict[str, Any] = {}
    if isinstance(written, dict):
        fields = cast("dict[str, Any]", written)
    elif isinstance(written, list):
        fields = {"operations": cast("list[object]", written)}
    operations: object = fields.get("operations")
    if not isinstance(operations, list):
        message = "The plan is neither a list of operations nor an object with `operations`"
        raise PlanError(message)
    try:
        frame = msgspec.convert({**fields, "operations": []}, _Frame)
    except msgspec.ValidationError as error:
        message = f"The plan cannot be read: {error}"
        raise PlanError(message) from None
    plan = exact_plan(cast("list[object]", operations))
    reason = frame.reason or plan.reason
    return EditPlan(frame.decision, reason, plan.operations, frame.snapshot)


def exact_plan(written: Sequence[object]) -> EditPlan:
    """Returns the plan of operations that somebody wrote; its reason says what kinds there are.

    Raises:
        MalformedPlanError: Some of them cannot be read; it names every one.
    """
    operations = read_operations(written)
    names = Counter(name_of(type(operation)).replace("_", " ") for operation in operations)
    kinds = [f"{name} ({count})" if count > 1 else name for name, count in names.items()]
    word = "operation" if len(operations) == 1 else "operations"
    reason = f"{len(operations)} {word}: {', '.join(kinds)}" if operations else ""
    return EditPlan("edit", reason, operations)


class _Frame(msgspec.Struct, forbid_unknown_fields=True):
    """What a plan's JSON has beside its operations."""

    operations: list[Any]
    decision: Literal["edit", "no_change", "refuse"] = "edit"
    reason: str = ""
    snapshot: str = ""


def write_plan(plan: EditPlan) -> str:
    """Returns a plan as indented JSON that `read_plan` reads."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=2).decode()


def without_texts(plan: EditPlan) -> str:
    """Returns the operations of a plan as JSON with the length of each text in its place.

    Ids, kinds, places and numbers stay, so that what an edit did can be looked for again on the
    same file; nothing that stands in the document or was asked for does.
    """
    operations = cast("list[dict[str, object]]", msgspec.to_builtins(plan.operations))
    return msgspec.json.encode([_without_texts("", each) for each in operations]).decode()


def _without_texts(name: str, value: object) -> object:
    match value:
        case dict():
            pairs = cast("dict[str, object]", value).items()
            return {key: _without_texts(key, inner) for key, inner in pairs}
        case list() | tuple():
            return [_without_texts(name, inner) for inner in cast("Sequence[object]", value)]
        case None | int() | float():
            return value
        case _:
            text = str(value)
            is_id = name in _ID_FIELDS and _ID.fullmatch(text)
            is_property = name == "name" and text.lower() in DOCUMENT_PROPERTIES
            return text if name in _CHOICES or is_id or is_property else len(text)


def plan_schema() -> Mapping[str, Any]:
    """Returns the JSON schema of a plan as `read_plan` takes it, with descriptions."""
    (frame,), shapes = msgspec.json.schema_components((_Frame,), ref_template="#/$defs/{name}")
    (operation,), kinds = msgspec.json.schema_components(
        (Operation,), ref_template="#/$defs/{name}"
    )
    whole = dict(shapes[str(frame["$ref"]).rsplit("/", 1)[-1]])
    operations = {"type": "array", "items": operation}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **whole,
        "title": "Plan",
        "description": "Exact edits of one document",
        "properties": {**whole["properties"], "operations": operations},
        "$defs": kinds,
    }
