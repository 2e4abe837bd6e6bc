"""The table of endpoints: what each takes, answers and refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from redraft.api import errors
from redraft.api.errors import (
    AccessDeniedError,
    BadLinkError,
    BodyTooLargeError,
    DownloadError,
    FileTooLargeError,
    LegalHoldError,
    MalformedError,
    MissingDocumentError,
    MissingEditError,
    MissingFileError,
    NotReadyError,
    OverloadedError,
    RangeError,
    ServiceError,
    ShuttingDownError,
    SlowBodyError,
    StaleVersionError,
    StorageError,
    StorageFullError,
    UidReusedError,
    UnauthenticatedError,
    UnsupportedFileError,
)

Method: TypeAlias = Literal["GET", "HEAD", "POST", "PUT", "DELETE"]


@dataclass(frozen=True, slots=True)
class Fault:
    """An error that an endpoint may answer."""

    status: int
    detail: str
    when: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path or a query."""

    name: str
    place: Literal["path", "query"]
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one path."""

    method: Method
    path: str
    name: str
    summary: str
    tag: str
    response: str | None = None
    response_types: tuple[str, ...] = ()
    request: str | None = None
    request_type: str = "application/json"
    example: Mapping[str, Any] | None = None
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[Fault, ...] = ()
    is_extension: bool = True
    is_open: bool = False
    has_ranges: bool = False
    error_body: str = "ErrorBody"


DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PDF = "application/pdf"
MULTIPART = "multipart/form-data"
UID = "9b2f6c1e-0d5a-4c55-8a52-3f1f3f1f9f10"


def _fault(kind: type[ServiceError], when: str, detail: str | None = None) -> Fault:
    return Fault(kind.status, kind.text if detail is None else detail, when)


def _of(*parts: Fault | tuple[Fault, ...]) -> tuple[Fault, ...]:
    faults: list[Fault] = []
    for part in parts:
        faults.extend((part,) if isinstance(part, Fault) else part)
    return tuple(faults)


DOC_ID = Parameter("doc_id", "path", "The document.", {"type": "string", "format": "uuid"})
VERSION = Parameter("version", "path", "A version of the document.", {"type": "string"})
EDIT_UID = Parameter("edit_uid", "path", "The edit.", {"type": "string", "format": "uuid"})
EXPIRES_IN = Parameter(
    "expiresIn",
    "query",
    "Seconds until the URL expires.",
    {"type": "integer", "minimum": 1, "maximum": 86400, "default": 3600},
)
VIEW = Parameter(
    "view",
    "query",
    "Which file: with our changes tracked (default), with them accepted, or as uploaded.",
    {"type": "string", "enum": ["clean", "redline", "original"]},
)
FORMAT = Parameter(
    "format",
    "query",
    "`docx`: a PDF with tracked changes as a Word document made from what is read of its pages.",
    {"type": "string", "enum": ["docx"]},
)
START = Parameter(
    "start",
    "query",
    "The id of the first block; the first one of the document without it.",
    {"type": "string", "maxLength": 100},
)
LIMIT = Parameter(
    "limit",
    "query",
    "How many blocks.",
    {"type": "integer", "minimum": 1, "maximum": 500, "default": 100},
)
SIGNATURE = tuple(
    Parameter(name, "query", "Part of the signature.", {"type": "string"})
    for name in ("exp", "kid", "sig", "by")
)
UPLOAD_FORM: Mapping[str, Any] = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "string", "format": "binary", "description": ".docx or .pdf, 10MB"},
        "ttl_seconds": {"type": "integer", "minimum": 300, "maximum": 21600, "default": 3600},
        "return_markdown": {"type": "boolean", "default": False},
        "tracked_changes": {"type": "boolean", "default": False},
        "author_name": {"type": "string", "maxLength": 255, "default": "Anonymous"},
    },
}
NO_KEY = _fault(UnauthenticatedError, "The API key is missing or wrong")
GENERAL = (
    NO_KEY,
    _fault(OverloadedError, "Too many requests of this key"),
    _fault(StorageError, "The database or the disk does not answer"),
)
MISSING = _fault(MissingDocumentError, "Unknown document, expired, or another key's")
JSON_BODY = (
    _fault(MalformedError, "The body is not JSON"),
    Fault(422, "editUid: missing required field", "A field is missing or wrong"),
    _fault(BodyTooLargeError, "The body is larger than 1 MiB"),
    _fault(SlowBodyError, "The body does not arrive"),
)
QUEUED = (
    _fault(OverloadedError, "Too many operations wait on the document"),
    _fault(ShuttingDownError, "The service is stopping"),
)
CHANGE_FAULTS = (
    Fault(408, errors.CHANGE_TIMED_OUT, "It took longer than 5 minutes"),
    Fault(500, "Operation failed: The file of this document is missing", "It could not be done"),
)
DOCUMENTS, EDITS, SERVICE = "documents", "edits", "service"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        "/v1/documents/",
        "uploadDocument",
        "Upload a document",
        DOCUMENTS,
        response="Uploaded",
        request="UploadForm",
        request_type=MULTIPART,
        errors=_of(
            _fault(UnsupportedFileError, "The file is neither .docx nor .pdf"),
            Fault(400, "The file is password-protected", "The file cannot be accepted"),
            _fault(
                MalformedError,
                "The form cannot be read",
                "The request body is not valid multipart form data",
            ),
            _fault(FileTooLargeError, "The file is larger than 10MB"),
            Fault(422, "file: missing required field", "A field is missing or wrong"),
            _fault(SlowBodyError, "The body does not arrive"),
            _fault(StorageFullError, "There is no space left"),
            GENERAL,
        ),
        is_extension=False,
    ),
    Endpoint(
        "GET",
        "/v1/documents/",
        "listDocuments",
        "List the documents of the key",
        DOCUMENTS,
        response="DocumentList",
        errors=GENERAL,
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}",
        "presignDownload",
        "Get a presigned download URL",
        DOCUMENTS,
        response="DownloadLink",
        parameters=(DOC_ID, EXPIRES_IN),
        errors=_of(
            _fault(MissingDocumentError, "Unknown document, or expired"),
            _fault(AccessDeniedError, "Another key's document"),
            Fault(422, "expiresIn: must be a whole number from 1 to 86400", "expiresIn is wrong"),
            GENERAL,
        ),
        is_extension=False,
    ),
    Endpoint(
        "DELETE",
        "/v1/documents/{doc_id}",
        "deleteDocument",
        "Delete a document now; it waits its turn in the queue",
        DOCUMENTS,
        response="Deleted",
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            _fault(LegalHoldError, "The document is on legal hold"),
            QUEUED,
            CHANGE_FAULTS,
            GENERAL,
        ),
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/exists",
        "documentExists",
        "Say whether a document exists",
        DOCUMENTS,
        response="Existence",
        parameters=(DOC_ID,),
        errors=GENERAL,
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/download",
        "downloadDocument",
        "Download directly",
        DOCUMENTS,
        response_types=(DOCX, PDF),
        parameters=(DOC_ID, VIEW, FORMAT),
        errors=_of(
            _fault(MissingFileError, "Unknown document, expired, or another key's"),
            _fault(DownloadError, "The file is missing or unreadable"),
            _fault(RangeError, "The range lies outside the file"),
            Fault(422, "view: must be one of clean, redline, original", "view is wrong"),
            Fault(
                422,
                "format: docx is only available for a PDF with tracked changes",
                "format is wrong, or the PDF was uploaded without tracked changes",
            ),
            GENERAL,
        ),
        is_extension=False,
        has_ranges=True,
    ),
    Endpoint(
        "POST",
        "/v1/documents/{doc_id}/edits",
        "editDocument",
        "Edit a document by saying what should change",
        EDITS,
        response="Edited",
        request="EditRequest",
        example={
            "editUid": UID,
            "editInstructions": "Replace 'thirty days' with 'sixty days' everywhere",
        },
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            Fault(408, errors.EDIT_TIMED_OUT, "The edit takes longer than 5 minutes"),
            Fault(
                500,
                "Edit operation failed: Unable to locate the specified text",
                "The target text was not found; other reasons after the colon may occur",
            ),
            Fault(
                409,
                StaleVersionError(3, 4).detail,
                "The request speaks of another version: by `baseVersion`, or by chosen places",
            ),
            JSON_BODY,
            _fault(UidReusedError, "The editUid stands for another edit"),
            QUEUED,
            GENERAL,
        ),
        is_extension=False,
        error_body="EditErrorBody",
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/edits",
        "listEdits",
        "List the edits of a document",
        EDITS,
        response="History",
        parameters=(DOC_ID,),
        errors=_of(MISSING, GENERAL),
    ),
    Endpoint(
        "DELETE",
        "/v1/documents/{doc_id}/edits/{edit_uid}",
        "cancelEdit",
        "Cancel an edit that waits or runs",
        EDITS,
        response="Cancelled",
        parameters=(DOC_ID, EDIT_UID),
        errors=_of(MISSING, _fault(MissingEditError, "Unknown edit"), GENERAL),
    ),
    Endpoint(
        "POST",
        "/v1/documents/{doc_id}/markdown",
        "readDocument",
        "Read as markdown",
        EDITS,
        response="ReadOut",
        request="ReadRequest",
        example={"readUid": UID},
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            Fault(408, errors.READ_TIMED_OUT, "The read takes longer than 5 minutes"),
            Fault(
                500,
                "Failed to generate markdown: Unsupported document format",
                "Markdown cannot be produced for the document",
            ),
            JSON_BODY,
            QUEUED,
            GENERAL,
        ),
        is_extension=False,
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/markdown",
        "textOfDocument",
        "Get the document as text to be edited, with the ids of its blocks",
        EDITS,
        response="DocumentText",
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            Fault(500, "Operation failed: The file of this document is missing", "It failed"),
            GENERAL,
        ),
    ),
    Endpoint(
        "PUT",
        "/v1/documents/{doc_id}/markdown",
        "editAsText",
        "Edit a document by sending it as it shall read",
        EDITS,
        response="Edited",
        request="TextRequest",
        example={"editUid": UID, "markdown": "[p1] # Agreement", "baseVersion": 0},
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            Fault(408, errors.EDIT_TIMED_OUT, "The edit takes longer than 5 minutes"),
            Fault(
                500,
                "Edit operation failed: Line 12: ⟦fn1⟧ is missing; put it back where it belongs",
                "Lines cannot be carried out; `faults` has all of them",
            ),
            Fault(409, StaleVersionError(3, 4).detail, "The text is that of another version"),
            JSON_BODY,
            _fault(UidReusedError, "The editUid stands for another edit"),
            QUEUED,
            GENERAL,
        ),
        error_body="EditErrorBody",
    ),
    Endpoint(
        "POST",
        "/v1/documents/{doc_id}/compare",
        "compareWith",
        "Give a document the tracked changes that make it another one",
        EDITS,
        response="Edited",
        request="CompareRequest",
        example={"editUid": UID, "documentId": UID, "baseVersion": 0},
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            Fault(408, errors.EDIT_TIMED_OUT, "The comparison takes longer than 5 minutes"),
            Fault(
                500,
                "Edit operation failed: A comparison writes its changes into a Word document, and"
                " this one is a PDF; upload the Word document and compare it with the PDF",
                "It cannot be done",
            ),
            Fault(409, StaleVersionError(3, 4).detail, "The document has another version by now"),
            JSON_BODY,
            _fault(UidReusedError, "The editUid stands for another edit"),
            QUEUED,
            GENERAL,
        ),
        error_body="EditErrorBody",
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/blocks",
        "listBlocks",
        "List blocks with the ids that exact operations name",
        EDITS,
        response="BlockList",
        parameters=(DOC_ID, START, LIMIT),
        errors=_of(
            MISSING,
            Fault(404, "There is no block p99", "No block has the id of `start`"),
            Fault(422, "limit: must be a whole number from 1 to 500", "limit is wrong"),
            Fault(500, "Operation failed: The file of this document is missing", "It failed"),
            GENERAL,
        ),
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/comments",
        "listComments",
        "List the comments of a document with their answers",
        EDITS,
        response="CommentList",
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            Fault(500, "Operation failed: The file of this document is missing", "It failed"),
            GENERAL,
        ),
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/changes",
        "listChanges",
        "List the tracked changes of a document",
        EDITS,
        response="ChangeList",
        parameters=(DOC_ID,),
        errors=_of(
            MISSING,
            Fault(500, "Operation failed: The file of this document is missing", "It failed"),
            _fault(StorageFullError, "There is no space left to keep the list"),
            GENERAL,
        ),
    ),
    Endpoint(
        "POST",
        "/v1/documents/{doc_id}/changes",
        "resolveChanges",
        "Accept or reject tracked changes",
        EDITS,
        response="Resolved",
        request="ResolveRequest",
        example={"action": "accept", "all": True},
        parameters=(DOC_ID,),
        errors=_of(MISSING, JSON_BODY, QUEUED, CHANGE_FAULTS, GENERAL),
    ),
    Endpoint(
        "POST",
        "/v1/documents/{doc_id}/undo",
        "undoChange",
        "Undo the last change of a document",
        EDITS,
        response="Moved",
        parameters=(DOC_ID,),
        errors=_of(MISSING, QUEUED, CHANGE_FAULTS, GENERAL),
    ),
    Endpoint(
        "POST",
        "/v1/documents/{doc_id}/redo",
        "redoChange",
        "Redo the change that was undone last",
        EDITS,
        response="Moved",
        parameters=(DOC_ID,),
        errors=_of(MISSING, QUEUED, CHANGE_FAULTS, GENERAL),
    ),
    Endpoint(
        "GET",
        "/v1/documents/{doc_id}/events",
        "watchDocument",
        "Watch a document: queued, started, progress, applied, unchanged, failed, expired, deleted",
        EDITS,
        response_types=("text/event-stream",),
        parameters=(DOC_ID,),
        errors=_of(MISSING, GENERAL),
    ),
    Endpoint(
        "GET",
        "/storage/{doc_id}/{version}",
        "downloadStored",
        "Download through a presigned URL",
        DOCUMENTS,
        response_types=(DOCX, PDF),
        parameters=(DOC_ID, VERSION, *SIGNATURE),
        errors=(
            _fault(BadLinkError, "The link is forged, altered or expired"),
            _fault(MissingFileError, "The document is gone"),
            _fault(RangeError, "The range lies outside the file"),
            _fault(DownloadError, "The file is missing or unreadable"),
        ),
        is_open=True,
        has_ranges=True,
    ),
    Endpoint(
        "GET", "/health", "health", "Say that the process answers", SERVICE, "Health", is_open=True
    ),
    Endpoint(
        "GET",
        "/ready",
        "ready",
        "Say whether the service takes work",
        SERVICE,
        "Readiness",
        errors=(_fault(NotReadyError, "Some part of it does not"),),
        is_open=True,
    ),
    Endpoint(
        "GET",
        "/metrics",
        "metrics",
        "Return the metrics of the service for Prometheus",
        SERVICE,
        response_types=("text/plain",),
        errors=GENERAL,
    ),
    Endpoint(
        "GET",
        "/schema",
        "schemaPage",
        "Show this description to people",
        SERVICE,
        response_types=("text/html",),
        is_open=True,
    ),
    Endpoint(
        "GET",
        "/schema/openapi.json",
        "schema",
        "Describe the interface to programs",
        SERVICE,
        response_types=("application/json",),
        is_open=True,
    ),
)
