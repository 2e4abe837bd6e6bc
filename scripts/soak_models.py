"""Soak: a language model on a bad line, and what becomes of documents meanwhile.

A stand-in for the model answers late, in pieces, in half, with nothing, with nonsense, with faults,
cuts the line, or never answers until the edit is cancelled. An answer of 200 says that the word is
there once more, anything else that the document has not changed; and once the line is good again,
the next edit succeeds.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx

from scripts import bench_documents, serving
from scripts.completions import completion, head
from scripts.counted import Count

WORD = "more"
ASK = "Make the fee sound friendlier, please"
PATIENCE = 0.5
"""Seconds after which an edit on a model that never answers is cancelled."""
Reply = Callable[[asyncio.StreamWriter, bytes], Awaitable[None]]


def _answer() -> bytes:
    operation = {
        "op": "replace_text",
        "block": "p1",
        "find": "fee",
        "replace": f"fee {WORD}",
        "occurrence": 1,  # a place that is counted is meant although it says it already
    }
    plan = {"reason": "r", "decision": "edit", "read": [], "operations": [operation]}
    return completion(json.dumps(plan), "bad-line")


async def _well(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(head(len(body)) + body)


async def _late(writer: asyncio.StreamWriter, body: bytes) -> None:
    await asyncio.sleep(1)
    await _well(writer, body)


async def _in_pieces(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(head(len(body)))
    for start in range(0, len(body), 20):
        writer.write(body[start : start + 20])
        await writer.drain()
        await asyncio.sleep(0.02)


async def _in_half(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(head(len(body)) + body[: len(body) // 2])


async def _nothing(writer: asyncio.StreamWriter, body: bytes) -> None:
    del writer, body


async def _nonsense(writer: asyncio.StreamWriter, body: bytes) -> None:
    await _well(writer, body[:-9])


async def _fault(writer: asyncio.StreamWriter, body: bytes) -> None:
    del body
    writer.write(head(2, "500 Internal Server Error") + b"{}")


async def _too_many(writer: asyncio.StreamWriter, body: bytes) -> None:
    del body
    writer.write(head(2, "429 Too Many Requests") + b"{}")


async def _cut(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(head(len(body)) + body[:9])
    await writer.drain()
    line: socket.socket = writer.get_extra_info("socket")
    # Closing a line that lingers for no time resets it.
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def _never(writer: asyncio.StreamWriter, body: bytes) -> None:
    del writer, body
    await asyncio.sleep(3600)


TROUBLES: dict[str, Reply] = {
    "late": _late,
    "in pieces": _in_pieces,
    "in half": _in_half,
    "nothing": _nothing,
    "nonsense": _nonsense,
    "a fault": _fault,
    "too many requests": _too_many,
    "a cut line": _cut,
    "never": _never,
}


class BadLine:
    """A stand-in for a model's server; `troubles` are used up, then it answers well."""

    def __init__(self) -> None:
        self.troubles: list[Reply] = []
        self.asked = asyncio.Event()
        self.open = 0

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[str]:
        """Listens; returns the address for OPENAI_BASE_URL."""
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/v1"
        server.close()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            reply = self.troubles.pop(0) if self.troubles else _well
            self.asked.set()
            await self._reply(reply, reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            self.open -= 1
            writer.close()

    async def _reply(
        self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Replies, unless who asked hangs up before."""
        replying = asyncio.ensure_future(reply(writer, _answer()))
        leaving = asyncio.ensure_future(reader.read())
        await asyncio.wait((replying, leaving), return_when=asyncio.FIRST_COMPLETED)
        for task in (replying, leaving):
            task.cancel()
        await asyncio.gather(replying, leaving, return_exceptions=True)
        await writer.drain()


def run(rounds: int) -> list[Count]:
    """Goes through all troubles so many times, with one and with three in a row."""
    return asyncio.run(_run(rounds))


async def _run(rounds: int) -> list[Count]:
    line = BadLine()
    with tempfile.TemporaryDirectory() as folder:
        async with line.listening() as address:
            variables = serving.settings(
                Path(folder), OPENAI_BASE_URL=address, OPENAI_API_KEY="k", REDRAFT_MODEL="bad-line"
            )
            service = serving.Serving(variables)
            await asyncio.to_thread(service.start)
            try:
                headers = {"Authorization": f"Bearer {serving.KEY}"}
                async with httpx.AsyncClient(
                    base_url=f"{service.url}/v1/documents/", headers=headers, timeout=330
                ) as client:
                    patient = Patient(client, line)
                    for number in range(rounds):
                        for trouble in TROUBLES.values():
                            await patient.visit([trouble] * (1 if number % 2 == 0 else 3))
                    open_still = await serving.settled(lambda: line.open)
            finally:
                await asyncio.to_thread(service.stop)
    return [*patient.counts(), Count("lines to the model left open", open_still)]


class Patient:
    """One client on one document at a time."""

    def __init__(self, client: httpx.AsyncClient, line: BadLine) -> None:
        self._client = client
        self._line = line
        self._applied = 0
        self._failed = 0
        self._wrong: list[str] = []
        self._stuck = 0
        self._longest = 0.0

    async def visit(self, troubles: list[Reply]) -> None:
        """Edits a new document with trouble on the line, and once more without."""
        files = {"file": ("model.docx", bench_documents.paragraph("The fee is forty."))}
        document = (await self._client.post("", files=files)).json()["docId"]
        self._line.troubles = list(troubles)
        self._line.asked.clear()
        applied = await self._edit(document, is_endless=_never in troubles)
        await self._check(document, int(applied))
        self._line.troubles = []
        started = time.perf_counter()
        is_well = await self._edit(document, is_endless=False)
        self._longest = max(self._longest, time.perf_counter() - started)
        self._stuck += not is_well
        await self._check(document, applied + is_well)

    async def _edit(self, document: str, *, is_endless: bool) -> bool:
        uid = str(uuid4())
        body = {"editUid": uid, "editInstructions": ASK}
        editing = asyncio.create_task(self._client.post(f"{document}/edits", json=body))
        if is_endless:
            await self._line.asked.wait()
            await asyncio.sleep(PATIENCE)
            await self._client.delete(f"{document}/edits/{uid}")
        answer = await editing
        is_applied = answer.status_code == 200 and answer.json()["editApplied"]
        self._applied += is_applied
        self._failed += not is_applied
        if answer.status_code not in (200, 500) or list(answer.json()) == []:
            self._wrong.append(f"{answer.status_code} {answer.text}"[:200])
        return is_applied

    async def _check(self, document: str, times: int) -> None:
        read = await self._client.post(f"{document}/markdown", json={"readUid": str(uuid4())})
        about = (await self._client.get(f"{document}/exists")).json()["document"]
        if read.json()["markdown"].split().count(WORD) != times or about["version"] != times:
            self._wrong.append(f"{times} times: {read.json()['markdown']}"[:200])

    def counts(self) -> list[Count]:
        """Returns what came of it."""
        return [
            Count("edits applied", self._applied, is_fault=False),
            Count("edits that failed and changed nothing", self._failed, is_fault=False),
            Count(
                "answers that are not what the document says",
                len(self._wrong),
                note=" | ".join(self._wrong[:3]),
            ),
            Count(
                "edits that failed once the line was good again",
                self._stuck,
                note=f"the longest took {self._longest:.2f} s",
            ),
        ]
