"""`/mcp` on the service: the tools over the documents of a key, behind the same gate.

`link` gives addresses below `/mcp/files/` that need no key: one to fetch a copy from, or one to
send a file to, once. They are known to this process alone and are forgotten when their time ends
or it stops; a key that is closed closes them.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from secrets import token_urlsafe
from urllib.parse import urlsplit
from uuid import uuid4

from litestar.types import ASGIApp
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from redraft.api.app import MOUNTED, Application
from redraft.api.auth.api_keys import Caller
from redraft.api.downloads import DownloadView
from redraft.api.errors import BadLinkError, FileTooLargeError, ServiceError, refusal
from redraft.api.http_server.middleware import caller_of
from redraft.api.requests import filenames
from redraft.api.schemas import encode
from redraft.api.service import LARGEST_UPLOAD, Upload
from redraft.api.settings import LOOPBACK
from redraft.assist import shapes
from redraft.assist.calls import Calls, Parts, RefusedCallError
from redraft.assist.protocol_server import (
    Call,
    Context,
    ProtocolServer,
    ToolEntry,
    shared_entries,
)

LARGEST_BODY = 1024 * 1024
UPLOAD_SECONDS = 600
DOCUMENT_SECONDS = 3600
MOST_GRANTS = 10_000
FILES = f"{MOUNTED}/files/"


@dataclass(frozen=True, slots=True)
class _Grant:
    """What an address allows; without a document it takes an upload."""

    caller: Caller
    ends: float
    document: str
    view: DownloadView


class _Addresses:
    """Addresses that work without a key, for a while."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._grants: dict[str, _Grant] = {}

    def new(self, grant: _Grant) -> str:
        """Makes an address; the path below the service's own."""
        now = self._application.clock.now()
        for token in [token for token, one in self._grants.items() if one.ends < now]:
            del self._grants[token]
        if len(self._grants) >= MOST_GRANTS:
            message = "There are too many open links; wait until some have ended"
            raise RefusedCallError(message)
        token = token_urlsafe(32)
        self._grants[token] = grant
        return f"{FILES}{token}"

    async def opened(self, path: str, *, is_upload: bool) -> _Grant:
        """Returns what an address allows; one for an upload works once.

        Raises:
            BadLinkError: It is unknown, over, or its key is closed.
        """
        token = path.removeprefix(FILES)
        grant = self._grants.get(token)
        if (
            grant is None
            or grant.ends < self._application.clock.now()
            or is_upload == bool(grant.document)
            or not await self._application.authenticator.still_opens(grant.caller)
        ):
            raise BadLinkError
        if is_upload:
            del self._grants[token]
        return grant


class _Documents:
    """The tools over the documents of a service, and the addresses that `link` gives."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.parts = Parts(application.service, application.downloads, application.broadcaster)
        self._addresses = _Addresses(application)

    async def calls_for(self, context: Context) -> Calls:
        """Gives the calls of the key that a request passed the gate with."""
        assert context.request is not None, "over HTTP every message has its request"
        return _HttpCalls(self.parts, context.request)

    async def open(self, call: Call) -> shapes.Opened:
        """Describes a document of the service."""
        document = await call.calls.named(call.given.document)
        return await call.calls.described(document, [])

    async def link(self, call: Call) -> shapes.Linked:
        """Makes an address to fetch a copy from, or to send a file to."""
        given: shapes.Link = call.given
        now = self._application.clock.now()
        seconds = UPLOAD_SECONDS if given.upload else given.seconds
        document = ""
        if not given.upload:
            stored = await self.parts.service.watched(call.calls.caller.owner, given.document)
            document = stored.id
        grant = _Grant(call.calls.caller, now + seconds, document, given.view)
        assert isinstance(call.calls, _HttpCalls)
        url = f"{call.calls.base(self._application)}{self._addresses.new(grant)}"
        use = (
            f"curl -sS -T FILE.docx '{url}' once; the answer has docId, which open takes"
            if given.upload
            else f"curl -sS -o FILE '{url}'"
        )
        return shapes.Linked(url, seconds, use)

    async def fetch(self, request: Request) -> Response:
        """Answers an address."""
        try:
            if request.method == "PUT":
                return await self._received(request)
            grant = await self._addresses.opened(request.url.path, is_upload=False)
            calls = Calls(self.parts, grant.caller)
            name, data = await calls.file(grant.document, grant.view)
            headers = {"Content-Disposition": filenames.disposition(name)}
            return Response(data, headers=headers, media_type="application/octet-stream")
        except ServiceError as error:
            answer = refusal(error)
            return Response(answer.body, answer.status, media_type="application/json")

    async def _received(self, request: Request) -> Response:
        grant = await self._addresses.opened(request.url.path, is_upload=True)
        data = bytearray()
        async for chunk in request.stream():
            data += chunk
            if len(data) > LARGEST_UPLOAD:
                raise FileTooLargeError
        upload = Upload(
            name=request.query_params.get("name") or "document",
            data=bytes(data),
            ttl_seconds=DOCUMENT_SECONDS,
            return_markdown=False,
            tracked=True,
            author="Assistant",
            uid=str(uuid4()),
        )
        uploaded = await self.parts.service.upload(grant.caller.owner, upload)
        return Response(encode(uploaded), media_type="application/json")

    def entries(self, *, has_model: bool) -> list[ToolEntry]:
        """Returns the tools."""
        return [
            ToolEntry(
                "open",
                "A document of this service by id or name. Gives its outline.",
                shapes.OpenStored,
                shapes.Opened,
                self.open,
                reads_only=True,
            ),
            *shared_entries(has_model=has_model, is_cancelled=lambda given: not given.edit_uid),
            ToolEntry(
                "link",
                "An address to fetch a copy from: changes marked (redline), accepted (clean), or "
                "as it was. With `upload`, one to send a new file to.",
                shapes.Link,
                shapes.Linked,
                self.link,
                reads_only=True,
            ),
        ]


class _HttpCalls(Calls):
    """Calls of one request."""

    def __init__(self, parts: Parts, request: Request) -> None:
        super().__init__(parts, caller_of(request.scope))  # pyright: ignore[reportArgumentType] - two libraries' names of one thing
        self._request = request

    def base(self, application: Application) -> str:
        """Returns the address of the service as this client knows it."""
        return application.settings.public_url.rstrip("/") or str(self._request.base_url).rstrip(
            "/"
        )


@asynccontextmanager
async def mounted(application: Application) -> AsyncGenerator[ASGIApp]:
    """Gives what is served below `/mcp` while the service runs."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it quotes what it was sent
    documents = _Documents(application)
    protocol = ProtocolServer(
        documents.entries(has_model=bool(application.models)), documents.calls_for
    )
    app: Starlette = protocol.server.streamable_http_app(
        streamable_http_path=MOUNTED,
        stateless_http=True,
        max_request_body_size=LARGEST_BODY,
        transport_security=_security(application),
        custom_starlette_routes=[
            Route(f"{FILES}{{token}}", documents.fetch, methods=["GET", "PUT"])
        ],
    )

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)

    async with app.router.lifespan_context(app):
        yield served  # pyright: ignore[reportReturnType] - two libraries' names of one thing


def _security(application: Application) -> TransportSecuritySettings:
    """Says which Host and Origin headers are let in, against pages that rebind a name."""
    settings = application.settings
    public = urlsplit(settings.public_url).netloc
    loopback = [f"[{host}]" if ":" in host else host for host in LOOPBACK]
    hosts = [*loopback, *(f"{host}:*" for host in loopback), *([public] if public else [])]
    origins = [f"http://{host}:*" for host in loopback]
    if not settings.is_loopback and not public:
        # Reached by whatever name its machine has; a key is needed in any case.
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[*origins, *settings.cors_origins, settings.public_url]
    )
