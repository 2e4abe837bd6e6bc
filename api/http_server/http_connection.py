"""Answers what never becomes a request, in the form of every other error: JSON with one string.

The server writes plain text where a client does not speak HTTP, and where it has as many clients
as it may.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import h11
from litestar.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

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
    """One connection of a client, which must say what it wants in time.

    A connection is idle while no request on it is being answered. Its time to send the head of a
    request is limited, and where all places are taken the one that has been idle longest makes room
    for a new one. So connections that nobody uses never keep a client out.
    """

    header_seconds = 10.0
    """Time for the head of a request, from the first byte of it or from the connection on."""

    def __init__(self, *positional: Any, **named: Any) -> None:
        super().__init__(*positional, **named)
        # Counted here, since what the server answers to one too many is no JSON.
        self._most, self.limit_concurrency = self.limit_concurrency, None
        self._head_timer: asyncio.TimerHandle | None = None
        self.idle_since: float = self.loop.time()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being answered on it."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is None or bool(cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - as the base class has it
        """Hears of a connection; one too many displaces an idle one, or is answered 503."""
        super().connection_made(transport)
        self._await_head()
        if self._most is not None and len(self.connections) > self._most:
            others = cast("set[HttpConnection]", self.connections) - {self}
            idle = [other for other in others if other.is_idle]
            if idle:
                min(idle, key=lambda one: one.idle_since).transport.abort()
            else:
                self.app = _full

    def connection_lost(self, exc: Exception | None) -> None:
        """Hears of the end of the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Takes bytes of the client."""
        super().data_received(data)
        if not self.is_idle:
            self._stop_waiting()
        elif self._head_timer is None:
            self._await_head()

    def on_response_complete(self) -> None:
        """Hears that a request was answered."""
        self.idle_since = self.loop.time()
        super().on_response_complete()
        if self.is_idle and self.conn.trailing_data[0]:  # a second request has begun
            self._await_head()

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.header_seconds, self._give_up)

    def _give_up(self) -> None:
        self._head_timer = None
        if self.is_idle and not self.transport.is_closing():
            self.transport.close()

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

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


def timed(seconds: float) -> type[HttpConnection]:
    """Returns the connections of a server that waits so long for the head of a request."""
    return type("TimedConnection", (HttpConnection,), {"header_seconds": seconds})


async def _full(_scope: Scope, _receive: Receive, send: Send) -> None:
    body = error_body(FULL)
    headers = [
        *FIXED,
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_SECONDS).encode()),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
