"""What every request passes before anything of it is read: id, key, rate, and the access log.

It stands outside the routing, so that a wrong key gets its 401 for any path, before a body of ten
megabytes has been sent.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import Any, cast
from uuid import uuid4

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from redraft.api.auth import roles
from redraft.api.auth.api_keys import Authenticator, Caller
from redraft.api.errors import MalformedError, ServiceError, refusal
from redraft.api.http_server.rate_limits import RequestLimiter
from redraft.api.logs import error_origin, logger_for
from redraft.api.metadata.protocol import MetadataError
from redraft.api.metrics import UNROUTED, Metrics
from redraft.api.operations.mailbox import storage_error
from redraft.api.tracing import NO_TRACES, Tracing

OPEN_PATHS = ("/health", "/ready", "/schema", "/schema/openapi.json")
OPEN_FOLDERS = ("/storage/", "/mcp/files/")
"""Below these an address itself says who may use it."""
REQUEST_ID = re.compile(rb"[A-Za-z0-9-]{1,64}")
CALLER = "redraft.caller"
TYPED = re.compile(r"{(\w+):\w+}")
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
TWO_LENGTHS = "The request has both Content-Length and Transfer-Encoding"
log = logger_for("redraft.access")


class Middleware:
    """Wraps the application.

    Args:
        app: What is behind the gate.
        authenticator: Finds who is asking.
        limiter: Counts requests.
        metrics: Told how each ended.
        tracing: Traces each.
        has_preflights: Whether pages of other origins may ask at all.
    """

    def __init__(
        self,
        app: ASGIApp,
        authenticator: Authenticator,
        limiter: RequestLimiter,
        metrics: Metrics,
        tracing: Tracing = NO_TRACES,
        *,
        has_preflights: bool,
    ) -> None:
        self._app = app
        self._authenticator = authenticator
        self._limiter = limiter
        self._metrics = metrics
        self._tracing = tracing
        self._has_preflights = has_preflights

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it here."""
        if scope["type"] == "http":
            with self._tracing.span("request") as span:
                status = await self._pass(scope, receive, send)
                for name, value in (("route", _route(scope)), ("status", status)):
                    span.set_attribute(f"redraft.{name}", value)
        else:
            await self._app(scope, receive, send)

    async def _pass(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        identifier = _identifier(scope)
        bind_contextvars(request=identifier)
        started = time.perf_counter()
        extra: list[tuple[str, str]] = [("X-Request-Id", identifier)]
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_encoded(extra)]
            await send(message)

        caller: Caller | None = None
        try:
            if _has_two_lengths(scope):
                extra.append(("Connection", "close"))
                raise MalformedError(TWO_LENGTHS)
            if not self._is_open(scope):
                caller = await self._authenticator.caller(_header(scope, b"authorization"))
                extra.extend(await self._limiter.count(caller.key))
                roles.check(caller.role, scope["method"], scope["path"])
                cast(dict[str, Any], scope)[CALLER] = caller
            await self._app(scope, receive, send_with_headers)
        except ServiceError as error:
            await _refuse(error, send_with_headers)
        except MetadataError as error:
            log.error("the database failed", origin=error_origin(error))  # noqa: TRY400, RUF100 - a traceback may quote a document
            await _refuse(storage_error(error), send_with_headers)
        finally:
            self._note(scope, caller, status, time.perf_counter() - started)
        return status

    def _is_open(self, scope: HTTPScope) -> bool:
        path = scope["path"]
        if (path.rstrip("/") or "/") in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
            return True
        # A browser asks without credentials whether it may ask with them.
        is_preflight = self._has_preflights and scope["method"] == "OPTIONS"
        return is_preflight and _header(scope, b"access-control-request-method") is not None

    def _note(self, scope: HTTPScope, caller: Caller | None, status: int, seconds: float) -> None:
        route = _route(scope)
        # A client may write any word there, and a label that never repeats fills the memory.
        method = scope["method"] if scope["method"] in METHODS else UNROUTED
        self._metrics.request(method, route, status, seconds)
        key = "-" if caller is None else caller.key
        log.info("request", method=method, route=route, status=status, seconds=seconds, key=key)


def caller_of(scope: Scope) -> Caller:
    """Returns who a request that passed the gate speaks for."""
    return cast(dict[str, Any], scope)[CALLER]


def _route(scope: HTTPScope) -> str:
    """Returns the template of the path: few values, and none that a caller made up."""
    template = cast(dict[str, Any], scope).get("path_template", "")
    return TYPED.sub(r"{\1}", template) or UNROUTED


def _has_two_lengths(scope: HTTPScope) -> bool:
    """Whether a request names its length in both ways, as in smuggling (RFC 9112, 6.1)."""
    names = {name.lower() for name, _ in scope["headers"]}
    return {b"content-length", b"transfer-encoding"} <= names


def _identifier(scope: HTTPScope) -> str:
    request_id = (_header(scope, b"x-request-id") or "").encode("latin-1")
    return request_id.decode() if REQUEST_ID.fullmatch(request_id) else uuid4().hex


def _header(scope: HTTPScope, name: bytes) -> str | None:
    for key, value in scope["headers"]:
        if key.lower() == name:
            return value.decode("latin-1")
    return None


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    fixed = (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))
    return [(name.lower().encode(), value.encode()) for name, value in (*headers, *fixed)]


async def _refuse(error: ServiceError, send: Send) -> None:
    answer = refusal(error)
    body = answer.body
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in answer.headers),
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
