"""Documents: upload, list, exists, presigned URL, history, undo, redo, delete, events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse

from redraft.api.errors import (
    FieldError,
    FileTooLargeError,
    MalformedError,
    MissingDocumentError,
    OverloadedError,
    SlowBodyError,
)
from redraft.api.http_server.middleware import caller_of
from redraft.api.requests.bodies import AnyEdit, compare_request
from redraft.api.requests.fields import MISSING, form_flag, form_number, text
from redraft.api.requests.filenames import is_shown
from redraft.api.requests.forms import NOT_A_FORM, Form, read_form
from redraft.api.routes.answers import (
    TOO_LARGE,
    Dependencies,
    HttpRequest,
    body_of,
    idempotency_key,
    operation_answer,
    owner_of,
    value_answer,
)
from redraft.api.sandbox.fair_slots import CrowdedError
from redraft.api.schemas import DownloadLink, Uploaded
from redraft.api.service import LARGEST_UPLOAD, Upload
from redraft.api.settings import LOOPBACK

AROUND_THE_FILE = 64 * 1024
DEFAULT_AUTHOR = "Anonymous"
LONGEST_AUTHOR = 255
FORM_FIELDS = frozenset(
    ("file", "ttl_seconds", "return_markdown", "tracked_changes", "author_name")
)
TTL = (3600, 300, 21600)
LINK_SECONDS = (3600, 1, 86400)


@post("/v1/documents/", request_max_body_size=LARGEST_UPLOAD + AROUND_THE_FILE, status_code=200)
async def upload(request: HttpRequest, dependencies: NamedDependency[Dependencies]) -> ASGIResponse:
    """Uploads a document."""
    return value_answer(await _taken_in(request, dependencies, owner_of(request)))


@post(
    "/v1/documents/{doc_id:str}/compare",
    request_max_body_size=LARGEST_UPLOAD + AROUND_THE_FILE,
    status_code=200,
)
async def compare(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Compares a document with another one, or with a file, which then is a document as well."""
    owner = owner_of(request)
    if request.headers.get("content-type", "").startswith("multipart/"):
        if not (await dependencies.service.existence(owner, doc_id)).exists:
            raise MissingDocumentError
        uid = idempotency_key(request)
        other = await _taken_in(request, dependencies, owner, uid)
        comparison = AnyEdit(edit_uid=uid, other=other.doc_id)
    else:
        comparison = compare_request(await body_of(request, dependencies.settings.body_seconds))
    return operation_answer(await dependencies.service.compare(owner, doc_id, comparison))


async def _taken_in(
    request: HttpRequest, dependencies: Dependencies, owner: str, uid: str | None = None
) -> Uploaded:
    """Takes the file of a form in as a document."""
    async with _upload_slot(dependencies, owner):
        form = await _form(request, dependencies.settings.body_seconds)
        file = form.files.get("file")
        if file is None:
            raise FieldError("file", "must be a file" if "file" in form.fields else MISSING)
        new_upload = Upload(
            name=file.name,
            data=file.data,
            ttl_seconds=form_number(form.fields, "ttl_seconds", *TTL),
            return_markdown=form_flag(form.fields, "return_markdown"),
            tracked=form_flag(form.fields, "tracked_changes"),
            author=_author(form.fields),
            uid=uid or idempotency_key(request),
        )
        return await dependencies.service.upload(owner, new_upload)


@get("/v1/documents/")
async def listed(request: HttpRequest, dependencies: NamedDependency[Dependencies]) -> ASGIResponse:
    """Lists the documents of the key."""
    return value_answer(await dependencies.service.listed(owner_of(request)))


@get("/v1/documents/{doc_id:str}/exists")
async def exists(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Says whether a document exists."""
    return value_answer(await dependencies.service.existence(owner_of(request), doc_id))


@get("/v1/documents/{doc_id:str}")
async def link(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Makes a presigned URL."""
    seconds = form_number(request.query_params, "expiresIn", *LINK_SECONDS)
    document, signed_link = await dependencies.downloads.link(
        caller_of(request.scope), doc_id, seconds
    )
    base = dependencies.settings.public_url.rstrip("/") or _address(request)
    return value_answer(
        DownloadLink(
            doc_id=document.id,
            download_url=f"{base}{signed_link.path}?{signed_link.query}",
            expires_in=seconds,
            filename=document.name,
        )
    )


@get("/v1/documents/{doc_id:str}/edits")
async def history(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Lists what was done to a document."""
    return value_answer(await dependencies.service.history(owner_of(request), doc_id))


@post("/v1/documents/{doc_id:str}/undo", status_code=200)
async def undo(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Takes the last change back."""
    return operation_answer(
        await dependencies.service.move(owner_of(request), doc_id, "undo", idempotency_key(request))
    )


@post("/v1/documents/{doc_id:str}/redo", status_code=200)
async def redo(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Makes the change that was taken back again."""
    return operation_answer(
        await dependencies.service.move(owner_of(request), doc_id, "redo", idempotency_key(request))
    )


@delete("/v1/documents/{doc_id:str}", status_code=200)
async def remove(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Deletes a document now."""
    return operation_answer(await dependencies.service.delete(owner_of(request), doc_id))


@get("/v1/documents/{doc_id:str}/events")
async def events(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIStreamingResponse:
    """Streams what happens to a document."""
    document = await dependencies.service.watched(owner_of(request), doc_id)
    is_open = partial(dependencies.authenticator.still_opens, caller_of(request.scope))
    return ASGIStreamingResponse(
        iterator=dependencies.broadcaster.watch(document.id, is_open),
        media_type="text/event-stream",
    )


def _address(request: HttpRequest) -> str:
    """Returns the address of the service where none is set: of this machine, or as connected to.

    The Host header is whatever a client writes, so it is believed only if it names this machine.
    """
    host, port = request.scope["server"] or ("127.0.0.1", None)
    if request.base_url.hostname in LOOPBACK:
        return str(request.base_url).rstrip("/")
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}" if port else f"http://{shown}"


@asynccontextmanager
async def _upload_slot(dependencies: Dependencies, owner: str) -> AsyncGenerator[None]:
    """Waits for one of the places of uploads, which keys take in turn.

    Raises:
        OverloadedError: too many uploads of this key wait already.
    """
    try:
        async with dependencies.uploads.slot(owner):
            yield
    except CrowdedError as error:
        message = "Too many uploads of this key are waiting; try again later"
        raise OverloadedError(message, retry_after=5) from error


async def _form(request: HttpRequest, seconds: float) -> Form:
    try:
        async with asyncio.timeout(seconds):
            return await read_form(
                request.stream(),
                request.headers.get("content-type", ""),
                FORM_FIELDS,
                LARGEST_UPLOAD,
            )
    except TimeoutError as error:
        raise SlowBodyError from error
    except HTTPException as error:
        if error.status_code == TOO_LARGE:
            raise FileTooLargeError from error
        raise MalformedError(NOT_A_FORM) from error


def _author(form: Mapping[str, Any]) -> str:
    """Reads who tracked changes are attributed to: only what XML can hold."""
    author = (text(form, "author_name", longest=LONGEST_AUTHOR) or "").strip()
    if not all(map(is_shown, author)):
        raise FieldError("author_name", "must not hold control characters")
    return author or DEFAULT_AUTHOR
