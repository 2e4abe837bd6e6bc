"""How values become HTTP answers, and how requests are read, for all routes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import uuid4

import msgspec
from litestar import Request
from litestar.exceptions import HTTPException
from litestar.response.base import ASGIResponse

from redraft.api.administration import Administration
from redraft.api.auth.api_keys import Authenticator
from redraft.api.downloads import Downloads
from redraft.api.errors import BodyTooLargeError, MalformedError, SlowBodyError
from redraft.api.events import Broadcaster
from redraft.api.http_server.middleware import caller_of
from redraft.api.metrics import Metrics
from redraft.api.operations.mailbox import Answer
from redraft.api.requests.fields import uuid
from redraft.api.sandbox.fair_slots import FairSlots
from redraft.api.schemas import encode
from redraft.api.service import Service
from redraft.api.settings import Settings

HttpRequest: TypeAlias = Request[Any, Any, Any]
JSON = "application/json"
TOO_LARGE = 413
CUT_OFF = "The request ended before its body"


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What stands behind the routes."""

    service: Service
    downloads: Downloads
    settings: Settings
    broadcaster: Broadcaster
    authenticator: Authenticator
    metrics: Metrics
    uploads: FairSlots
    """Uploads that are read at once, each held in memory."""
    administration: Administration


def owner_of(request: HttpRequest) -> str:
    """Returns whose documents a request is about."""
    return caller_of(request.scope).owner


def idempotency_key(request: HttpRequest) -> str:
    """Returns the Idempotency-Key header, a UUID; a new one where there is none.

    A request that is sent again with the same one is done once, and answered as the first was.

    Raises:
        FieldError: it is no UUID.
    """
    return uuid(request.headers, "Idempotency-Key") or str(uuid4())


def value_answer(value: msgspec.Struct) -> ASGIResponse:
    """Answers 200 with a value as JSON."""
    return ASGIResponse(body=encode(value), media_type=JSON)


def operation_answer(answer: Answer) -> ASGIResponse:
    """Answers what an operation came to, with the time it waited and ran in a header."""
    headers = {
        "Server-Timing": f"queue;dur={answer.queued * 1000:.1f}, run;dur={answer.ran * 1000:.1f}"
    }
    if answer.is_replay:
        headers = {"Idempotent-Replayed": "true"}
    return ASGIResponse(
        body=answer.body, status_code=answer.status, media_type=JSON, headers=headers
    )


async def body_of(request: HttpRequest, seconds: float) -> bytes:
    """Reads the body of a request.

    Raises:
        BodyTooLargeError, SlowBodyError, MalformedError.
    """
    try:
        async with asyncio.timeout(seconds):
            return await request.body()
    except TimeoutError as error:
        raise SlowBodyError from error
    except HTTPException as error:
        if error.status_code == TOO_LARGE:
            raise BodyTooLargeError from error
        raise MalformedError(CUT_OFF) from error  # the client has gone; nobody reads the answer
