"""Edits, reads, and tracked changes of a document."""

from __future__ import annotations

from litestar import delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from redraft.api.requests.bodies import edit_request, read_request, resolve_request, text_request
from redraft.api.requests.fields import form_number, text
from redraft.api.routes.answers import (
    Dependencies,
    HttpRequest,
    body_of,
    idempotency_key,
    operation_answer,
    owner_of,
    value_answer,
)

LARGEST_BODY = 1024 * 1024
LARGEST_TEXT = 16 * 1024 * 1024
LARGEST_WINDOW = 500
LONGEST_ID = 100


@post("/v1/documents/{doc_id:str}/edits", request_max_body_size=LARGEST_BODY, status_code=200)
async def edit(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Edits a document by saying what should change."""
    edit_body = edit_request(await body_of(request, dependencies.settings.body_seconds))
    return operation_answer(await dependencies.service.edit(owner_of(request), doc_id, edit_body))


@delete("/v1/documents/{doc_id:str}/edits/{edit_uid:str}", status_code=200)
async def cancel(
    request: HttpRequest,
    dependencies: NamedDependency[Dependencies],
    doc_id: FromPath[str],
    edit_uid: FromPath[str],
) -> ASGIResponse:
    """Cancels an edit that waits or runs."""
    return value_answer(await dependencies.service.cancel(owner_of(request), doc_id, edit_uid))


@post("/v1/documents/{doc_id:str}/markdown", request_max_body_size=LARGEST_BODY, status_code=200)
async def read(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Reads a document as Markdown."""
    read_body = read_request(await body_of(request, dependencies.settings.body_seconds))
    return operation_answer(await dependencies.service.read(owner_of(request), doc_id, read_body))


@get("/v1/documents/{doc_id:str}/markdown")
async def text_of(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Returns a document as text to be edited."""
    return value_answer(await dependencies.service.text(owner_of(request), doc_id))


@put("/v1/documents/{doc_id:str}/markdown", request_max_body_size=LARGEST_TEXT, status_code=200)
async def write_text(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Edits a document as text."""
    text_body = text_request(await body_of(request, dependencies.settings.body_seconds))
    return operation_answer(await dependencies.service.edit(owner_of(request), doc_id, text_body))


@get("/v1/documents/{doc_id:str}/blocks")
async def blocks(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Lists blocks of a document with the ids that operations name."""
    start = text(request.query_params, "start", longest=LONGEST_ID) or ""
    limit = form_number(request.query_params, "limit", 100, 1, LARGEST_WINDOW)
    found = await dependencies.service.blocks(owner_of(request), doc_id, start, limit)
    return value_answer(found)


@get("/v1/documents/{doc_id:str}/comments")
async def comments(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Lists the comments of a document."""
    return value_answer(await dependencies.service.comments(owner_of(request), doc_id))


@get("/v1/documents/{doc_id:str}/changes")
async def changes(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Lists the tracked changes of a document."""
    return value_answer(await dependencies.service.changes(owner_of(request), doc_id))


@post("/v1/documents/{doc_id:str}/changes", request_max_body_size=LARGEST_BODY, status_code=200)
async def resolve(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Accepts or rejects tracked changes."""
    resolve_body = resolve_request(await body_of(request, dependencies.settings.body_seconds))
    return operation_answer(
        await dependencies.service.resolve(
            owner_of(request), doc_id, resolve_body, idempotency_key(request)
        )
    )
