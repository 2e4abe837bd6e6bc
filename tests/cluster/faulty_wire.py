"""Between a service and a server: passes everything on until it is told to do otherwise."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal

Mode = Literal["pass", "gone", "no puts", "slow"]
ERROR = (
    b"<Error><Code>InternalError</Code><Message>We encountered an internal error</Message></Error>"
)
REFUSAL = (
    b"HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/xml\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(ERROR), ERROR)
)
SLOW_SECONDS = 1.5


class FaultyWire:
    """A port of this machine that leads to another one.

    Attributes:
        port: Where it listens.
        mode: What it does with connections: `gone` ends them, `no puts` answers HTTP PUT with 500,
            `slow` lets every connection wait.
        cut_after: What a client sends for the last time: it is passed on, and nothing comes back.
        cut: Whether that has happened.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.mode: Mode = "pass"
        self.cut_after = b""
        self.cut = asyncio.Event()

    def become(self, mode: Mode) -> None:
        """Do so with what connects from now on; what is connected is ended."""
        self.mode = mode
        for writer in self._writers:
            writer.close()

    async def serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await self._connect(client, back)
        back.close()

    async def _connect(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        if self.mode == "gone":
            return
        head = b""
        if self.mode == "no puts":  # one request a connection
            head = await client.readuntil(b"\r\n\r\n")
            if head.startswith(b"PUT"):
                back.write(REFUSAL)
                await back.drain()
                return
            head = head[:-2] + b"Connection: close\r\n\r\n"
        if self.mode == "slow":
            await asyncio.sleep(SLOW_SECONDS)
        server, forth = await asyncio.open_connection("127.0.0.1", self._target)
        forth.write(head)
        self._writers |= {back, forth}
        try:
            ways = {
                asyncio.create_task(self._pump(client, forth, back)),
                asyncio.create_task(self._pump(server, back, None)),
            }
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        finally:
            forth.close()
            self._writers -= {back, forth}

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        answers: asyncio.StreamWriter | None,
    ) -> None:
        while data := await reader.read(65_536):
            is_last = answers is not None and self.cut_after and self.cut_after in data
            if is_last and answers is not None:
                answers.transport.abort()
                self.cut_after = b""
                self.cut.set()
            writer.write(data)
            await writer.drain()
            if is_last:
                return


@asynccontextmanager
async def wire_to(target: int) -> AsyncGenerator[FaultyWire]:
    """Open a port that leads to another one."""
    wire = FaultyWire(target)
    listener = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
    wire.port = listener.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        wire.become("gone")
        listener.close()
