"""The service in `make bench`: what a request costs, beside a bare Litestar route in the same run.

Both servers run as processes of their own with one event loop; the client is a few lines over
sockets. Each operation is measured in short turns with the bare route, and what is compared is the
processor time of the servers, so that other work on the machine falls on both sides alike. Edits
are made by the built-in interpreter.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx

from scripts import bench_documents, serving
from scripts.serving import KEY, Serving

CONNECTIONS = 8
TURNS = 6
SECONDS = 0.4
"""How long a turn is."""
DOCUMENTS = 20
EDITS = 100
UPLOADS = 5
MOST = {"presigned URL": 5.0, "download, 20 pages": 5.0, "read again, 20 pages": 5.0}
"""What may cost at most so many times the bare route."""
LEAST_EDITS = 60
"""How many edits a second there should be, on two cores that have nothing else to do."""
BARE = """
import socket, sys, uvicorn
from litestar import Litestar, get
@get("/")
async def bare() -> dict[str, str]:
    return {"detail": "x" * 200}
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listener.bind(("127.0.0.1", 0))
listener.listen()
sys.stderr.write(f"redraft: listening on http://127.0.0.1:{listener.getsockname()[1]}\\n")
sys.stderr.flush()
config = uvicorn.Config(Litestar([bare], openapi_config=None), log_config=None, access_log=False)
uvicorn.Server(config).run(sockets=[listener])
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: how long it took, its requests, and processor time of the server (seconds)."""

    seconds: float
    times: tuple[float, ...]
    cpu: float

    @property
    def cost(self) -> float:
        """Processor time of one request."""
        return self.cpu / len(self.times)


@dataclass(frozen=True, slots=True)
class Measured:
    """The turns of an operation, and what it cost in each beside the bare route."""

    turns: tuple[Turn, ...]
    ratios: tuple[float, ...]

    @property
    def rate(self) -> float:
        """How many a second."""
        return self.count / sum(turn.seconds for turn in self.turns)

    @property
    def count(self) -> int:
        """How many."""
        return sum(len(turn.times) for turn in self.turns)

    @property
    def ratio(self) -> float:
        """How much dearer than the bare route, in the middle of all turns."""
        return statistics.median(self.ratios)

    def at(self, share: float) -> float:
        """Returns the time that this share of requests stayed below."""
        times = sorted(time for turn in self.turns for time in turn.times)
        return times[min(len(times) - 1, int(len(times) * share))]

    def row(self, name: str) -> str:
        """Returns one line of the table."""
        shares = "".join(f"{self.at(share) * 1000:>9.1f}" for share in (0.5, 0.95, 0.99))
        cpu = statistics.median(turn.cost for turn in self.turns) * 1000
        most = MOST.get(name)
        told = "" if most is None else f"  {'at most' if self.ratio <= most else 'NOT'} {most:.0f}x"
        return f"{name:<28}{self.rate:>8.0f}{shares}{cpu:>9.2f}{self.ratio:>7.1f}x{told}"


def rows() -> Iterator[str]:
    """Yields a line per operation: rate, times, processor time and its ratio to the bare route."""
    heads = "".join(f"{head:>9}" for head in ("p50 ms", "p95 ms", "p99 ms", "cpu ms"))
    yield f"{'operation':<28}{'per s':>8}{heads}{'bare':>8}"
    bare = Serving({}, (sys.executable, "-c", BARE))
    with tempfile.TemporaryDirectory() as folder:
        service = Serving(serving.settings(Path(folder), REDRAFT_SWEEP_SECONDS="30"))
        with bare, service, service.client() as client:
            yield from _rows(bare, service, client)


def _rows(bare: Serving, service: Serving, client: httpx.Client) -> Iterator[str]:
    yield _measured(bare, bare, lambda _: _get(bare.url, "/")).row("bare Litestar route")
    large = _upload(client, bench_documents.contract(20))
    client.post(f"/v1/documents/{large}/markdown", json={"readUid": str(uuid4())})
    for name, request in _requests(service.url, large):
        yield _measured(bare, service, request).row(name)
    small = [_upload(client, bench_documents.paragraphs(20)) for _ in range(DOCUMENTS)]
    edits = _edits(bare, service, small)
    yield edits.row(f"edit, over {DOCUMENTS} documents")
    yield _uploads(bare, service, client).row("upload, 20 pages")
    verdict = "yes" if edits.rate >= LEAST_EDITS else "NO, or the machine had other work"
    yield f"{LEAST_EDITS} edits a second: {verdict}"


def _requests(url: str, document: str) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    path = f"/v1/documents/{document}"
    yield "health", lambda _: _get(url, "/health")
    yield "list", lambda _: _get(url, "/v1/documents/")
    yield "presigned URL", lambda _: _get(url, path)
    yield "download, 20 pages", lambda _: _get(url, f"{path}/download")
    yield (
        "read again, 20 pages",
        lambda _: _post(url, f"{path}/markdown", f'{{"readUid":"{uuid4()}"}}'),
    )


def _measured(bare: Serving, service: Serving, request: Callable[[int], bytes]) -> Measured:
    """Measures a request in turns with the bare route, after a short one of each."""
    _turn(service, request, 0.1)
    pairs = [(_bare_turn(bare), _turn(service, request, SECONDS)) for _ in range(TURNS)]
    ratios = tuple(ours.cost / theirs.cost for theirs, ours in pairs)
    return Measured(tuple(ours for _, ours in pairs), ratios)


def _bare_turn(bare: Serving) -> Turn:
    return _turn(bare, lambda _: _get(bare.url, "/"), SECONDS)


def _turn(server: Serving, request: Callable[[int], bytes], seconds: float) -> Turn:
    end = time.perf_counter() + seconds

    async def connection(number: int) -> list[float]:
        reader, writer = await _connected(server)
        times: list[float] = []
        while time.perf_counter() < end:
            times.append(await _exchange(reader, writer, request(number)))
        writer.close()
        return times

    return _together(server, [connection(number) for number in range(CONNECTIONS)])


def _edits(bare: Serving, service: Serving, documents: list[str]) -> Measured:
    """Edits all documents at once, each one edit after another."""
    share = EDITS // DOCUMENTS

    async def on(document: str, first: int) -> list[float]:
        reader, writer = await _connected(service)
        times: list[float] = []
        for number in range(first, first + share):
            body = (
                f'{{"editUid":"{uuid4()}","editInstructions":'
                f'"Replace \\"Paragraph {number}\\" with \\"Section {number}\\""}}'
            )
            path = f"/v1/documents/{document}/edits"
            times.append(await _exchange(reader, writer, _post(service.url, path, body)))
        writer.close()
        return times

    # From 10 on: no number begins another one.
    pairs = [
        (_bare_turn(bare), _together(service, [on(name, first) for name in documents]))
        for first in (10, 10 + share)
    ]
    ratios = tuple(ours.cost / theirs.cost for theirs, ours in pairs)
    return Measured(tuple(ours for _, ours in pairs), ratios)


def _uploads(bare: Serving, service: Serving, client: httpx.Client) -> Measured:
    data = bench_documents.contract(20)
    turns: list[Turn] = []
    ratios: list[float] = []
    for _ in range(TURNS):
        theirs, times = _bare_turn(bare), list[float]()
        started, cpu = time.perf_counter(), service.cpu()
        for _ in range(UPLOADS):
            begun = time.perf_counter()
            _upload(client, data)
            times.append(time.perf_counter() - begun)
        turns.append(Turn(time.perf_counter() - started, tuple(times), service.cpu() - cpu))
        ratios.append(turns[-1].cost / theirs.cost)
    return Measured(tuple(turns), tuple(ratios))


def _together(server: Serving, works: list[Coroutine[None, None, list[float]]]) -> Turn:
    async def gathered() -> list[list[float]]:
        return await asyncio.gather(*works)

    started, cpu = time.perf_counter(), server.cpu()
    times = [one for part in asyncio.run(gathered()) for one in part]
    return Turn(time.perf_counter() - started, tuple(times), server.cpu() - cpu)


async def _connected(server: Serving) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = server.url.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
) -> float:
    started = time.perf_counter()
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if not head.startswith(b"http/1.1 200"):
        message = head.decode()
        raise RuntimeError(message)
    length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
    await reader.readexactly(length)
    return time.perf_counter() - started


def _get(url: str, path: str) -> bytes:
    host = url.removeprefix("http://")
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {KEY}\r\n\r\n".encode()


def _post(url: str, path: str, body: str) -> bytes:
    host = url.removeprefix("http://")
    return (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {KEY}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def _upload(client: httpx.Client, data: bytes) -> str:
    answer = client.post("/v1/documents/", files={"file": ("bench.docx", data)})
    answer.raise_for_status()
    return answer.json()["docId"]
