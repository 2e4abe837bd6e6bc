"""The service in `make bench`: requests a second, beside a bare Litestar route in the same run.

Both servers run as processes of their own with one event loop; the client is a few lines over
sockets, so that it costs little of what is measured. Edits are made by the built-in interpreter.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx

from scripts import bench_documents

ROOT = Path(__file__).parent.parent
KEY = "bench"
CONNECTIONS = 8
SECONDS = 2.0
DOCUMENTS = 20
EDITS = 100
LISTENING = "redraft: listening on "
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
class Timing:
    """How many a second, and how long one took (seconds)."""

    rate: float
    times: tuple[float, ...]

    def at(self, share: float) -> float:
        """The time that this share of requests stayed below."""
        return sorted(self.times)[min(len(self.times) - 1, int(len(self.times) * share))]


def rows() -> Iterator[str]:
    """One line an operation: rate, p50, p95, p99, and how much dearer it is than the bare route."""
    yield f"{'operation':<34}{'per s':>8}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'bare x':>8}"
    with tempfile.TemporaryDirectory() as folder, _bare() as peer, _service(folder) as url:
        bare = asyncio.run(_measure(peer, lambda _: _get(peer, "/")))
        yield _row("bare Litestar route", bare, bare)
        with httpx.Client(base_url=url, headers=_bearer(), timeout=120) as client:
            large = _upload(client, bench_documents.contract(20))
            for name, request in _requests(url, large):
                yield _row(name, asyncio.run(_measure(url, request)), bare)
            small = [_upload(client, bench_documents.paragraphs(20)) for _ in range(DOCUMENTS)]
            yield _row(f"edit, over {DOCUMENTS} documents", _edits(url, small), bare)
            yield _row("upload, 20 pages", _uploads(client), bare)


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


def _row(name: str, timing: Timing, bare: Timing) -> str:
    shares = "".join(f"{timing.at(share) * 1000:>9.1f}" for share in (0.5, 0.95, 0.99))
    return f"{name:<34}{timing.rate:>8.0f}{shares}{bare.rate / timing.rate:>7.1f}x"


async def _measure(url: str, request: Callable[[int], bytes]) -> Timing:
    end = time.perf_counter() + SECONDS

    async def connection(number: int) -> list[float]:
        host, port = url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        times: list[float] = []
        while time.perf_counter() < end:
            times.append(await _exchange(reader, writer, request(number)))
        writer.close()
        return times

    return await _together([connection(number) for number in range(CONNECTIONS)])


def _edits(url: str, documents: list[str]) -> Timing:
    async def on(document: str) -> list[float]:
        host, port = url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        times: list[float] = []
        for number in range(EDITS // DOCUMENTS):
            body = (
                f'{{"editUid":"{uuid4()}","editInstructions":'
                f'"Replace \\"Paragraph {number}\\" with \\"Section {number}\\""}}'
            )
            path = f"/v1/documents/{document}/edits"
            times.append(await _exchange(reader, writer, _post(url, path, body)))
        writer.close()
        return times

    return asyncio.run(_together([on(document) for document in documents]))


def _uploads(client: httpx.Client) -> Timing:
    data = bench_documents.contract(20)
    started, times = time.perf_counter(), list[float]()
    while time.perf_counter() - started < SECONDS:
        begun = time.perf_counter()
        _upload(client, data)
        times.append(time.perf_counter() - begun)
    return Timing(len(times) / (time.perf_counter() - started), tuple(times))


async def _together(works: list[Coroutine[None, None, list[float]]]) -> Timing:
    started = time.perf_counter()
    times = [one for part in await asyncio.gather(*works) for one in part]
    return Timing(len(times) / (time.perf_counter() - started), tuple(times))


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


def _bearer() -> dict[str, str]:
    return {"Authorization": f"Bearer {KEY}"}


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


@contextmanager
def _service(folder: str) -> Generator[str]:
    variables = {
        "REDRAFT_DATA_DIR": folder,
        "REDRAFT_PORT": "0",
        "REDRAFT_API_KEYS": KEY,
        "REDRAFT_LOG_LEVEL": "warning",
    }
    with _process([sys.executable, "-m", "redraft", "serve"], variables) as url:
        yield url


@contextmanager
def _bare() -> Generator[str]:
    with _process([sys.executable, "-c", BARE], {}) as url:
        yield url


@contextmanager
def _process(command: list[str], variables: dict[str, str]) -> Generator[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REDRAFT_")}
    process = subprocess.Popen(
        command, cwd=ROOT, env={**kept, **variables}, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line.startswith(LISTENING):
                yield line.removeprefix(LISTENING).strip()
                break
    finally:
        process.terminate()
        process.communicate(timeout=30)
