"""What administrators ask for: keys, quotas, documents, holds, sweeps.

The gate has seen to it that the key is an administrator's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from litestar import delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from redraft.api.administration import KeyWish
from redraft.api.errors import FieldError
from redraft.api.http_server.middleware import caller_of
from redraft.api.metadata.keys import ROLES, Quota, Role
from redraft.api.requests.fields import choice, form_number, json_object, number, text
from redraft.api.requests.filenames import is_shown
from redraft.api.routes.answers import (
    Dependencies,
    HttpRequest,
    body_of,
    operation_answer,
    value_answer,
)

LARGEST_BODY = 16 * 1024
LONGEST_NAME = 255
MOST_DAYS = 36_500
LARGEST_WINDOW = 1000


@get("/v1/admin/keys")
async def keys(dependencies: NamedDependency[Dependencies]) -> ASGIResponse:
    """Lists all keys."""
    return value_answer(await dependencies.administration.keys())


@post("/v1/admin/keys", request_max_body_size=LARGEST_BODY, status_code=200)
async def make_key(
    request: HttpRequest, dependencies: NamedDependency[Dependencies]
) -> ASGIResponse:
    """Makes a key."""
    fields = await _fields(request, dependencies)
    name = (text(fields, "name", longest=LONGEST_NAME) or "").strip()
    if not all(map(is_shown, name)):
        raise FieldError("name", "must not hold control characters")
    days = number(fields, "days")
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise FieldError("days", f"must be a whole number from 1 to {MOST_DAYS}")
    role = cast("Role", choice(fields, "role", ROLES, "edit"))
    beside = text(fields, "for", longest=LONGEST_NAME) or ""
    wish = KeyWish(name, role, days, beside)
    return value_answer(await dependencies.administration.make_key(caller_of(request.scope), wish))


@delete("/v1/admin/keys/{key_id:str}", status_code=200)
async def close_key(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], key_id: FromPath[str]
) -> ASGIResponse:
    """Revokes a key."""
    return value_answer(
        await dependencies.administration.close_key(caller_of(request.scope), key_id)
    )


@put("/v1/admin/keys/{key_id:str}/quota", request_max_body_size=LARGEST_BODY, status_code=200)
async def set_quota(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], key_id: FromPath[str]
) -> ASGIResponse:
    """Gives the owner of a key a quota of its own."""
    fields = await _fields(request, dependencies)
    quota = Quota(number(fields, "documents") or 0, number(fields, "bytes") or 0)
    return value_answer(
        await dependencies.administration.set_quota(caller_of(request.scope), key_id, quota)
    )


@delete("/v1/admin/keys/{key_id:str}/quota", status_code=200)
async def drop_quota(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], key_id: FromPath[str]
) -> ASGIResponse:
    """Lets the quota of the settings hold again."""
    return value_answer(
        await dependencies.administration.set_quota(caller_of(request.scope), key_id, None)
    )


@put("/v1/admin/keys/{key_id:str}/hold", status_code=200)
async def hold_of_key(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], key_id: FromPath[str]
) -> ASGIResponse:
    """Begins the legal hold of all that the owner of a key has now."""
    return await _held(request, dependencies, key_id, is_key=True, begins=True)


@delete("/v1/admin/keys/{key_id:str}/hold", status_code=200)
async def release_of_key(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], key_id: FromPath[str]
) -> ASGIResponse:
    """Ends it."""
    return await _held(request, dependencies, key_id, is_key=True, begins=False)


@put("/v1/admin/documents/{doc_id:str}/hold", status_code=200)
async def hold(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Begins the legal hold of a document."""
    return await _held(request, dependencies, doc_id, is_key=False, begins=True)


@delete("/v1/admin/documents/{doc_id:str}/hold", status_code=200)
async def release(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Ends it."""
    return await _held(request, dependencies, doc_id, is_key=False, begins=False)


@get("/v1/admin/documents")
async def documents(
    request: HttpRequest, dependencies: NamedDependency[Dependencies]
) -> ASGIResponse:
    """Lists documents of all owners."""
    after = text(request.query_params, "after", longest=LONGEST_NAME) or ""
    limit = form_number(request.query_params, "limit", 100, 1, LARGEST_WINDOW)
    return value_answer(await dependencies.administration.documents(after, limit))


@delete("/v1/admin/documents/{doc_id:str}", status_code=200)
async def remove(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Deletes a document of any owner."""
    return operation_answer(
        await dependencies.administration.delete(caller_of(request.scope), doc_id)
    )


@get("/v1/admin/sweeps")
async def sweeps(dependencies: NamedDependency[Dependencies]) -> ASGIResponse:
    """Says what sweeps came to."""
    return value_answer(dependencies.administration.sweeps())


@post("/v1/admin/sweeps", status_code=200)
async def sweep(dependencies: NamedDependency[Dependencies]) -> ASGIResponse:
    """Deletes what has expired, now."""
    return value_answer(await dependencies.administration.sweep())


async def _held(
    request: HttpRequest, dependencies: Dependencies, name: str, *, is_key: bool, begins: bool
) -> ASGIResponse:
    return value_answer(
        await dependencies.administration.hold(
            caller_of(request.scope), name, is_key=is_key, begins=begins
        )
    )


async def _fields(request: HttpRequest, dependencies: Dependencies) -> Mapping[str, Any]:
    return json_object(await body_of(request, dependencies.settings.body_seconds) or b"{}")
