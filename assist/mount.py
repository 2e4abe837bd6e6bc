"""`/mcp` on the service: the tools over the documents of a key, behind the same gate.

`link` gives addresses below `/mcp/files/` that need no key: one to fetch a copy from, or one to
send a file to, once. They are signed as download links are, so that they outlive a restart and any
process of a service answers them; a key that is closed closes them.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import quote, urlsplit
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
from redraft.api.errors import BadLinkError, FileTooLargeError, ServiceError, refusal
from redraft.api.http_server.middleware import caller_of
from redraft.api.requests import filenames
from redraft.api.schemas import encode
from redraft.api.service import LARGEST_UPLOAD, Upload
from redraft.api.settings import LOOPBACK
from redraft.assist import shapes
from redraft.assist.calls import Calls, Parts
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
FILES = f"{MOUNTED}/files/"
SENT = f"{FILES}new/"


class _Documents:
    """The tools over the documents of a service, and the addresses that `link` gives."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.parts = Parts(application.service, application.downloads, application.broadcaster)

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
        assert isinstance(call.calls, _HttpCalls)
        caller = call.calls.caller
        seconds = UPLOAD_SECONDS if given.upload else given.seconds
        if caller.ends is not None:
            seconds = max(0, min(seconds, int(caller.ends - self._application.clock.now())))
        if given.upload:
            path = f"{SENT}{uuid4()}/{quote(caller.owner, safe='')}"
        else:
            stored = await self.parts.service.watched(caller.owner, given.document)
            path = f"{FILES}{stored.id}/{given.view}"
        signed = await self._application.presigner.signed(path, seconds, caller.key)
        url = f"{call.calls.base(self._application)}{signed.path}?{signed.query}"
        use = (
            f"curl -sS -T FILE.docx '{url}' once; the answer has docId, which open takes"
            if given.upload
            else f"curl -sS -o FILE '{url}'"
        )
        return shapes.Linked(url, seconds, use)

    async def fetch(self, request: Request) -> Response:
        """Answers an address to fetch a copy from."""
        try:
            key = await self._verified(request)
            document, view = request.path_params["document"], request.path_params["view"]
            owner = await self._application.downloads.owner_of(document)
            calls = Calls(self.parts, await self._open(owner, key))
            name, data = await calls.file(document, view)
            headers = {"Content-Disposition": filenames.disposition(name)}
            return Response(data, headers=headers, media_type="application/octet-stream")
        except ServiceError as error:
            return _refused(error)

    async def receive(self, request: Request) -> Response:
        """Answers an address to send a file to: once, or the same file again."""
        try:
            return await self._received(request)
        except ServiceError as error:
            return _refused(error)

    async def _verified(self, request: Request) -> str:
        """Returns the id of the key that an address was made with.

        Raises:
            BadLinkError: It is not genuine, or over.
        """
        # The query may also name what is sent.
        query = [pair for pair in request.query_params.multi_items() if pair[0] != "name"]
        return await self._application.presigner.verified(request.url.path, query)

    async def _open(self, owner: str, key: str) -> Caller:
        """Returns who a key speaks for that made an address.

        Raises:
            BadLinkError: It is closed.
        """
        caller = Caller(owner, key)
        if not owner or not await self._application.authenticator.still_opens(caller):
            raise BadLinkError
        return caller

    async def _received(self, request: Request) -> Response:
        key = await self._verified(request)
        caller = await self._open(request.path_params["owner"], key)
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
            uid=request.path_params["uid"],
        )
        uploaded = await self.parts.service.upload(caller.owner, upload)
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


def _refused(error: ServiceError) -> Response:
    answer = refusal(error)
    return Response(answer.body, answer.status, media_type="application/json")


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
            Route(f"{SENT}{{uid}}/{{owner}}", documents.receive, methods=["PUT"]),
            Route(f"{FILES}{{document}}/{{view}}", documents.fetch, methods=["GET"]),
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
