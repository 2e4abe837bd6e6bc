"""What can go wrong in the service, and the only place that knows a status code.

ServiceError                     carries the status and the text of the interface
├── MissingDocumentError         404 unknown, expired, or another key's
│   ├── MissingFileError         404 the same, on the direct download
│   └── MissingEditError         404 no edit of that editUid
├── MissingKeyError              404 no such key, for administrators
├── MissingBlockError            404 the document has no block of that id
├── AccessDeniedError            403 another key's document, presigned URL
├── RoleError                    403 a key whose role does not allow it
├── BadLinkError                 403 a presigned URL that is forged, altered or expired
├── UnauthenticatedError         401 no key, or a wrong one
├── UnsupportedFileError         400 neither .docx nor .pdf, or one that cannot be accepted
├── MalformedError               400 a body that is not what its type says
├── FieldError                   422 a field that is missing or wrong
│   └── OperationsError          422 exact operations that cannot be read; each of them is named
├── InexactError                 500 exact operations that do not fit the document
│   └── InexactTextError         500 lines of an edited text that cannot be carried out
├── UidReusedError               422 an editUid that stands for a different edit
├── FileTooLargeError            413 more than 10 MiB
├── BodyTooLargeError            413 any other body over its limit
├── SlowBodyError                408 a body that does not arrive
├── StaleVersionError            409 the document is not at the version that was named any more
├── LegalHoldError               409 the document must not be deleted
├── RangeError                   416 a range outside the file
├── OverloadedError              429 queue full, quota, or too many requests
├── DownloadError                500 the file of a document is missing or unreadable
├── LostFileError                500 the same, for an edit or a read
├── StorageError                 503 the database or the disk does not answer
│   └── StorageFullError         507 no space left
├── ShuttingDownError            503 the service is stopping
├── IssuerError                  503 whoever issues tokens does not answer
├── NotReadyError                503 some part of the service takes no work
└── WorkerError                  500 the worker that handled a file died, or ran out of time
    └── WorkerTimeoutError
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

import msgspec
from litestar.exceptions import HTTPException

from redraft.engine.errors import (
    AmbiguousError,
    Candidate,
    CorruptDocumentError,
    EngineError,
    NotFoundError,
    NotUnderstoodError,
    RefusedError,
    UnreadableError,
    UnsupportedFormatError,
    VerificationError,
)
from redraft.engine.plan import Fault

Task: TypeAlias = Literal["edit", "read", "change", "upload", "download"]

OK = 200
TIMED_OUT = 408
EDIT_TIMED_OUT = "Edit operation timed out after 5 minutes"
READ_TIMED_OUT = "Markdown read operation timed out after 5 minutes"
CHANGE_TIMED_OUT = "Operation timed out after 5 minutes"
INTERRUPTED = "The service was interrupted twice while working on this"


class ServiceError(Exception):
    """Base of everything the service raises on purpose; `detail` is what the caller reads."""

    status: ClassVar[int] = 500
    text: ClassVar[str] = "Internal server error"

    def __init__(self, detail: str | None = None, *, retry_after: int | None = None) -> None:
        self.detail = self.text if detail is None else detail
        self.retry_after = retry_after
        super().__init__(self.detail)


class MissingDocumentError(ServiceError):
    """Unknown, expired, or another key's document: the three look alike."""

    status = 404
    text = "Document not found or has expired"


class MissingFileError(MissingDocumentError):
    """The same on the direct download, with that endpoint's text."""

    text = "File not found"


class MissingEditError(MissingDocumentError):
    """The document has no edit of that editUid."""

    text = "Edit not found"


class MissingBlockError(ServiceError):
    """The document has no block of that id."""

    status = 404


class MissingKeyError(ServiceError):
    """There is no such key that is open."""

    status = 404
    text = "Key not found or closed"


class IssuerError(ServiceError):
    """The keys of the issuer of tokens are not known, and it does not answer."""

    status = 503
    text = "The issuer of tokens cannot be reached; try again later"


class RoleError(ServiceError):
    """The role of a key does not allow what is asked."""

    status = 403


class AccessDeniedError(ServiceError):
    """The document is another key's."""

    status = 403
    text = "Access denied to this document"


class BadLinkError(ServiceError):
    """A presigned URL that is forged, altered or expired; says no more than that."""

    status = 403
    text = "This download link is not valid or has expired"


class UnauthenticatedError(ServiceError):
    """No key, or one that is unknown, expired or revoked."""

    status = 401
    text = "Invalid or missing API key"


class UnsupportedFileError(ServiceError):
    """The upload cannot be accepted."""

    status = 400
    text = "File type not supported. Please upload a .docx or .pdf file"


class MalformedError(ServiceError):
    """A body that is not what its content type says."""

    status = 400
    text = "The request body is not valid JSON"


class FieldError(ServiceError):
    """A field that is missing or wrong.

    Args:
        name: The field as the interface writes it.
        problem: What is wrong with it, and what would be right.
    """

    status = 422

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name


class OperationsError(FieldError):
    """Operations of an exact edit that cannot be read.

    Args:
        problem: What is wrong with the first of them.
        faults: What is wrong with each of them.
    """

    def __init__(self, problem: str, faults: tuple[Fault, ...]) -> None:
        super().__init__("operations", problem)
        self.faults = faults


class InexactError(ServiceError):
    """Operations of an exact edit do not fit the document; `faults` says which, and why."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        first = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"Operation {first.index + 1} cannot be carried out: {first.code}{more}")
        self.faults = faults


class InexactTextError(InexactError):
    """Lines of an edited text cannot be carried out; `index` of a fault counts them from 0."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        first = faults[0]
        super().__init__(faults)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        self.detail = f"Line {first.index + 1}: {first.message}{more}"


class UidReusedError(ServiceError):
    """A uid that already stands for something else."""

    status = 422
    text = "editUid was already used for a different edit"


class FileTooLargeError(ServiceError):
    """The uploaded file is larger than allowed."""

    status = 413
    text = "File size exceeds maximum allowed size of 10MB"


class BodyTooLargeError(ServiceError):
    """A request body over its limit."""

    status = 413
    text = "The request body is too large"


class SlowBodyError(ServiceError):
    """The request body did not arrive in time."""

    status = 408
    text = "The request body was not received in time"


class StaleVersionError(ServiceError):
    """The request speaks of a version that is not the current one any more."""

    status = 409

    def __init__(self, base: int, current: int) -> None:
        super().__init__(
            f"The document is at version {current}, and the request speaks of version {base}; "
            "read it again and send a new request"
        )


class LegalHoldError(ServiceError):
    """A document on legal hold is to be deleted."""

    status = 409
    text = (
        "The document is on legal hold and is not deleted; the operator of the service can end that"
    )


class RangeError(ServiceError):
    """The range that is asked for lies outside the file."""

    status = 416
    text = "The requested range is outside the file"

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size


class OverloadedError(ServiceError):
    """Too much at once: a full queue, a quota, or too many requests."""

    status = 429
    text = "Too many requests"


class DownloadError(ServiceError):
    """The document is known and its file is missing or unreadable."""

    text = "Failed to process direct download"


class LostFileError(ServiceError):
    """The document is known and its file is not there any more."""

    text = "The file of this document is missing"


class StorageError(ServiceError):
    """The database or the disk does not answer."""

    status = 503
    text = "The storage of the service is not available at the moment"


class StorageFullError(StorageError):
    """There is no space left."""

    status = 507
    text = "The service has no storage space left"


class ShuttingDownError(ServiceError):
    """The service is stopping and takes no new work."""

    status = 503
    text = "The service is shutting down; try again shortly"

    def __init__(self) -> None:
        super().__init__(retry_after=10)


class NotReadyError(ServiceError):
    """A part of the service does not take work; says which."""

    status = 503
    text = "Not ready"


class WorkerError(ServiceError):
    """The worker that handled a file died."""

    text = "The document could not be processed: the worker that handled it stopped"


class WorkerTimeoutError(WorkerError):
    """A worker was stopped because it took longer than one call may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The document took longer than {seconds:g} seconds to process; try again later, or "
            "split the document"
        )
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that is not a success: the status, the text, extra headers.

    `final` says that a replay of the same uid gets the same answer without another try.
    `candidates` are the places that an ambiguous instruction may mean, `faults` what is wrong with
    exact operations.
    """

    status: int
    detail: str
    headers: tuple[tuple[str, str], ...] = field(default=())
    final: bool = True
    candidates: tuple[Candidate, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def body(self) -> bytes:
        """The JSON body: `detail`, and beside it only `candidates` or `faults` where there are."""
        fields: dict[str, object] = {"detail": self.detail}
        if self.candidates:
            fields["candidates"] = self.candidates
        if self.faults:
            fields["faults"] = self.faults
        return msgspec.json.encode(fields)


def refusal(error: BaseException, task: Task | None = None) -> Refusal:
    """Turns an exception into what the caller reads.

    Args:
        error: What was raised.
        task: What was being done, for the words before the colon.
    """
    if isinstance(error, WorkerError) and task is not None:
        return _worker_refusal(error, task)
    if isinstance(error, (StorageError, LostFileError)) and task in ("edit", "read", "change"):
        return Refusal(500, _prefixed(error.detail, task), final=False)
    if isinstance(error, InexactError):
        return Refusal(error.status, _prefixed(error.detail, task), faults=error.faults)
    if isinstance(error, ServiceError):
        return _service_refusal(error)
    if isinstance(error, EngineError):
        return _engine_refusal(error, task or "edit")
    if isinstance(error, HTTPException):
        return _http_refusal(error)
    return Refusal(500, _prefixed("Internal error", task), final=False)


def timed_out(task: Task) -> Refusal:
    """The answer after 300 s: not applied, and never will be (interface: 408)."""
    texts = {"edit": EDIT_TIMED_OUT, "read": READ_TIMED_OUT}
    return Refusal(TIMED_OUT, texts.get(task, CHANGE_TIMED_OUT), final=False)


def interrupted(task: Task) -> Refusal:
    """The answer for work that was cut off by the end of the process more than once."""
    return Refusal(500, _prefixed(INTERRUPTED, task), final=False)


def cancelled() -> Refusal:
    """The answer that waits for an edit which somebody cancelled."""
    return Refusal(500, _prefixed("The edit was cancelled", "edit"))


def _prefixed(reason: str, task: Task | None) -> str:
    if task == "edit":
        return f"Edit operation failed: {reason}"
    if task == "read":
        return f"Failed to generate markdown: {reason}"
    if task == "change":
        return f"Operation failed: {reason}"
    if task == "download":
        return DownloadError.text
    return ServiceError.text if task is None else reason


def _service_refusal(error: ServiceError) -> Refusal:
    headers: list[tuple[str, str]] = []
    if error.retry_after is not None:
        headers.append(("Retry-After", str(error.retry_after)))
    if isinstance(error, UnauthenticatedError):
        headers.append(("WWW-Authenticate", "Bearer"))
    if isinstance(error, RangeError):
        headers.append(("Content-Range", f"bytes */{error.size}"))
    faults = error.faults if isinstance(error, OperationsError) else ()
    return Refusal(error.status, error.detail, tuple(headers), final=False, faults=faults)


def _worker_refusal(error: WorkerError, task: Task) -> Refusal:
    if task == "upload":
        # A file that kills or stalls the worker that looks at it is a file that is not accepted.
        return Refusal(400, f"The file cannot be read: {error.detail}")
    if isinstance(error, WorkerTimeoutError) and task == "read":
        detail = f"Markdown read operation timed out after {error.seconds:.0f} seconds"
        return Refusal(TIMED_OUT, detail, final=False)
    return Refusal(500, _prefixed(error.detail, task), final=False)


def _engine_refusal(error: EngineError, task: Task) -> Refusal:
    if task == "upload":
        if isinstance(error, UnsupportedFormatError) and error.is_other:
            return Refusal(400, UnsupportedFileError.text)
        return Refusal(400, str(error))
    if task == "change" and isinstance(error, NotFoundError):
        return Refusal(404, str(error))
    if task == "read" and isinstance(error, UnreadableError):
        return Refusal(500, _prefixed("Unsupported document format", task), final=False)
    if isinstance(error, VerificationError):
        return Refusal(500, _prefixed(error.text, task), final=False)
    certain = (NotFoundError, AmbiguousError, NotUnderstoodError, RefusedError)
    is_final = isinstance(error, (*certain, CorruptDocumentError, UnreadableError))
    text = _prefixed(str(error) or type(error).__name__, task)
    candidates = error.candidates if isinstance(error, AmbiguousError) else ()
    return Refusal(500, text, final=is_final, candidates=candidates)


def _http_refusal(error: HTTPException) -> Refusal:
    headers = tuple((error.headers or {}).items())
    texts = {404: "Not found", 405: "Method not allowed", 413: BodyTooLargeError.text}
    if error.status_code >= 500:
        return Refusal(500, ServiceError.text)
    return Refusal(
        error.status_code, texts.get(error.status_code, error.detail), headers, final=False
    )


def error_body(detail: str) -> bytes:
    """Writes the body of every error: JSON with the single field `detail`."""
    return msgspec.json.encode({"detail": detail})
