"""The bodies of requests, checked, and as they are kept in the mailbox."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, cast

import msgspec

from redraft.api.errors import FieldError, OperationsError
from redraft.api.requests.fields import (
    LONGEST_TEXT,
    choice,
    flag,
    json_object,
    number,
    required_text,
    required_uuid,
    text,
    texts,
    uuid,
)
from redraft.engine.model import View
from redraft.engine.plan_json import MalformedPlanError, read_operations
from redraft.engine.playbook.playbooks import PlaybookError, read_playbook

ADDED = (
    *("places", "operations", "markdown", "other", "base_version", "dry_run", "ask_first"),
    *("playbook", "comment_only"),
)
LONGEST_DOCUMENT = 4_000_000
LONGEST_PLAYBOOK = 400_000
MOST_OPERATIONS = MOST_PLACES = 1000
VIEWS = ("final", "original", "markup")
ACTIONS = ("accept", "reject")
Action: TypeAlias = Literal["accept", "reject"]


class Body(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """A JSON object with camelCase names."""


Uuid: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"format": "uuid"})]
Words: TypeAlias = Annotated[
    str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": LONGEST_TEXT})
]
PlaceName: TypeAlias = Annotated[
    str, msgspec.Meta(extra_json_schema={"pattern": "^[0-9]{1,9}:.+$"})
]


class EditRequest(Body):
    """An edit: what should change, and words that help to find where.

    Exactly one of `edit_instructions`, `operations` and `playbook` is given.
    """

    edit_uid: Uuid
    edit_instructions: Words = ""
    lookup_text: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)] | None = None
    use_large_model: bool = False
    places: Annotated[
        tuple[PlaceName, ...], msgspec.Meta(extra_json_schema={"maxItems": MOST_PLACES})
    ] = ()
    """Which of the candidates of an earlier answer are meant, by their `place`."""
    operations: Annotated[
        tuple[dict[str, Any], ...], msgspec.Meta(extra_json_schema={"maxItems": MOST_OPERATIONS})
    ] = ()
    """What is to be done exactly, as docs/operations.md describes it."""
    base_version: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The version that the operations were written for; on another one they are refused."""
    dry_run: bool = False
    """Whether only to say what would be done."""
    ask_first: bool = False
    """Whether a deletion, or a change in more than one place, is only tried as by `dry_run`."""
    playbook: Annotated[
        str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": LONGEST_PLAYBOOK})
    ] = ""
    """Rules to review the document by, in Markdown or TOML, as docs/playbooks.md describes them."""
    comment_only: bool = False
    """Whether what the rules ask for is only proposed, in comments."""


class TextRequest(Body):
    """A document as it shall read, as docs/text.md describes it."""

    edit_uid: Uuid
    markdown: Annotated[
        str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": LONGEST_DOCUMENT})
    ]
    base_version: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The version whose text was edited; on another one it is refused."""
    dry_run: bool = False
    """Whether only to say what would be done."""


class CompareRequest(Body):
    """Another version, which the document's changes shall lead to, as docs/compare.md says."""

    edit_uid: Uuid
    document_id: Uuid
    """The document that is the other version."""
    base_version: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The version that is compared; on another one it is refused."""
    dry_run: bool = False
    """Whether only to say what would be done."""


class AnyEdit(EditRequest):
    """An edit of any kind as it is kept.

    One as text has `markdown` and no instruction, a comparison the id of the `other` document.
    """

    markdown: str = ""
    other: str = ""


class ReadRequest(Body):
    """A read, of one view."""

    read_uid: Uuid
    view: View = "final"


class ResolveRequest(Body):
    """Which changes are to be accepted or rejected; exactly one of the four is said."""

    action: Action
    ids: tuple[str, ...] = ()
    author: str | None = None
    edit_uid: Uuid | None = None
    all: bool = False


def edit_request(body: bytes) -> EditRequest:
    """Reads the body of an edit.

    Raises:
        MalformedError, FieldError.
    """
    fields = json_object(body)
    operations = _operations(fields)
    if operations and fields.get("editInstructions") is not None:
        raise FieldError("operations", "give either editInstructions or operations")
    playbook = _playbook(fields)
    if playbook and (operations or fields.get("editInstructions") is not None):
        raise FieldError("playbook", "give either editInstructions, operations or playbook")
    is_worded = not (operations or playbook)
    return EditRequest(
        edit_uid=required_uuid(fields, "editUid"),
        edit_instructions=required_text(fields, "editInstructions") if is_worded else "",
        lookup_text=text(fields, "lookupText") or None,
        use_large_model=flag(fields, "useLargeModel"),
        places=_places(fields),
        operations=operations,
        base_version=number(fields, "baseVersion"),
        dry_run=flag(fields, "dryRun"),
        ask_first=flag(fields, "askFirst"),
        playbook=playbook,
        comment_only=flag(fields, "commentOnly"),
    )


def text_request(body: bytes) -> AnyEdit:
    """Reads the body of an edit as text.

    Raises:
        MalformedError, FieldError.
    """
    fields = json_object(body)
    return AnyEdit(
        edit_uid=required_uuid(fields, "editUid"),
        markdown=required_text(fields, "markdown", longest=LONGEST_DOCUMENT),
        base_version=number(fields, "baseVersion"),
        dry_run=flag(fields, "dryRun"),
    )


def compare_request(body: bytes) -> AnyEdit:
    """Reads the body of a comparison with another document.

    Raises:
        MalformedError, FieldError.
    """
    fields = json_object(body)
    return AnyEdit(
        edit_uid=required_uuid(fields, "editUid"),
        other=required_uuid(fields, "documentId").lower(),
        base_version=number(fields, "baseVersion"),
        dry_run=flag(fields, "dryRun"),
    )


def _operations(fields: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Reads exact operations; empty when absent.

    Raises:
        FieldError: they are no list of operations.
        OperationsError: some of them cannot be read; it names every one.
    """
    written = fields.get("operations")
    if written is None:
        return ()
    if not isinstance(written, list) or not 0 < len(cast("list[Any]", written)) <= MOST_OPERATIONS:
        raise FieldError("operations", f"must be a list of 1 to {MOST_OPERATIONS} operations")
    try:
        read_operations(cast("list[object]", written))
    except MalformedPlanError as error:
        raise OperationsError(str(error), error.faults) from error
    return tuple(cast("list[dict[str, Any]]", written))


def _playbook(fields: Mapping[str, Any]) -> str:
    """Reads a playbook; empty when absent.

    Raises:
        FieldError: it is too long, or cannot be read as one.
    """
    if fields.get("playbook") is None:
        return ""
    playbook = required_text(fields, "playbook", longest=LONGEST_PLAYBOOK)
    try:
        read_playbook(playbook)
    except PlaybookError as error:
        raise FieldError("playbook", str(error)) from error
    return playbook


def _places(fields: Mapping[str, Any]) -> tuple[str, ...]:
    places = texts(fields, "places")
    if len(places) > MOST_PLACES:
        raise FieldError("places", f"must not be more than {MOST_PLACES}")
    for place in places:
        version, _, name = place.partition(":")
        if not (re.fullmatch("[0-9]{1,9}", version) and name):
            raise FieldError("places", "must be a list of the `place` of candidates")
    return places


def read_request(body: bytes) -> ReadRequest:
    """Reads the body of a read.

    Raises:
        MalformedError, FieldError.
    """
    fields = json_object(body)
    uid = required_uuid(fields, "readUid")
    return ReadRequest(read_uid=uid, view=cast(View, choice(fields, "view", VIEWS, "final")))


def resolve_request(body: bytes) -> ResolveRequest:
    """Reads which changes are to be accepted or rejected.

    Raises:
        MalformedError, FieldError.
    """
    fields = json_object(body)
    action = choice(fields, "action", ACTIONS, "")
    if not action:
        raise FieldError("action", "must be one of " + ", ".join(ACTIONS))
    edit_uid = uuid(fields, "editUid")
    request = ResolveRequest(
        action=cast(Action, action),
        ids=texts(fields, "ids"),
        author=text(fields, "author"),
        edit_uid=None if edit_uid is None else edit_uid.lower(),
        all=flag(fields, "all"),
    )
    criteria = (
        bool(request.ids),
        request.author is not None,
        request.edit_uid is not None,
        request.all,
    )
    if sum(criteria) != 1:
        raise FieldError("ids", "give exactly one of ids, author, editUid or all")
    return request


def digest(request: msgspec.Struct) -> str:
    """Tells request bodies apart, uids aside."""
    fields = {
        name: value
        for name, value in msgspec.structs.asdict(request).items()
        # Without what is not said, so that requests made before a field was added stay the same.
        if name not in ("edit_uid", "read_uid") and not (name in ADDED and not value)
    }
    return hashlib.sha256(msgspec.json.encode(fields, order="sorted")).hexdigest()
