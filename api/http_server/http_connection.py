"""Answers what never becomes a request, in the form of every other error: JSON with one string.

The server writes plain text where a client does not speak HTTP, and where it has as many clients
as it may.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from litestar.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from redraft.api.errors import MalformedError, error_body

RETRY_SECONDS = 5
NOT_HTTP = "The request is not valid HTTP"
FULL = "The service has too many connections; try again shortly"
FIXED = (
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
)


class HttpConnection(H11Protocol):
    """One connection of a client."""

    def __init__(self, *positional: Any, **named: Any) -> None:
        super().__init__(*positional, **named)
        # Counted here, since what the server answers to one too many is no JSON.
        self._most, self.limit_concurrency = self.limit_concurrency, None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - as the base class has it
        """Hears of a connection; one too many is told so, whatever it asks."""
        super().connection_made(transport)
        if self._most is not None and len(self.connections) >= self._most:
            self.app = _full

    def send_400_response(self, msg: str) -> None:
        """Answers 400 to what is not HTTP unless an answer has begun, and closes the connection."""
        del msg
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = error_body(NOT_HTTP)
            headers = [*FIXED, (b"content-length", str(len(body)).encode())]
            for event in (
                h11.Response(
                    status_code=MalformedError.status, headers=headers, reason=b"Bad Request"
                ),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


async def _full(_scope: Scope, _receive: Receive, send: Send) -> None:
    body = error_body(FULL)
    headers = [
        *FIXED,
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_SECONDS).encode()),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
