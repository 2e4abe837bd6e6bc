"""Attack: requests whose bytes were changed at random, into the socket of a real service."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from scripts import bench_documents, serving
from scripts.counted import Count

AT_ONCE = 16
ANSWER_SECONDS = 20.0
OTHER = "another key"
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
FORM = (
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\nPK\r\n'
    b'--b\r\nContent-Disposition: form-data; name="ttl_seconds"\r\n\r\n300\r\n--b--\r\n'
)
EDIT = b'{"editUid":"11111111-1111-4111-8111-111111111111","editInstructions":"replace a with b"}'
READ = b'{"readUid":"11111111-1111-4111-8111-111111111111"}'
BYTES = (
    *(b"\r\n", b"\n", b"\x00", b" ", b"\t", b":", b"%00", b"../", b"%2e%2e%2f", b"\xff\xfe"),
    *(b"Transfer-Encoding: chunked\r\n", b"Content-Length: 99999999999999999999\r\n"),
    *(b"Content-Length: -1\r\n", b"Host: a\r\n", b"Expect: 100-continue\r\n", b"0\r\n\r\n"),
    *(
        b"ffffffffffffffff\r\n",
        b"Upgrade: websocket\r\n",
        b"Range: bytes=0-,1-,2-\r\n",
        b"a" * 70_000,
    ),
)
"""What is put in between, beside bytes by chance."""


def requests(document: str, key: str) -> tuple[bytes, ...]:
    """Returns sound requests, one for each kind that the service knows."""
    path = f"/v1/documents/{document}"

    def request(line: str, body: bytes = b"", kind: str = "application/json") -> bytes:
        head = f"{line} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {key}\r\n"
        if body:
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + b"Connection: close\r\n\r\n" + body

    return (
        request("GET /health"),
        request("GET /v1/documents/"),
        request(f"GET {path}"),
        request(f"GET {path}/download"),
        request(f"GET {path}/edits"),
        request(f"GET {path}/changes"),
        request(f"GET {path}/blocks?limit=3"),
        request("GET /metrics"),
        request(f"GET /storage/{document}/0?exp=1&kid=2&sig=3&by=4"),
        request("POST /v1/documents/", FORM, "multipart/form-data; boundary=b"),
        request(f"POST {path}/edits", EDIT),
        request(f"POST {path}/markdown", READ),
        request(f"POST {path}/undo"),
    )


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Changes bytes in one to four places."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 2, 8, 64)))
        match chance.randrange(6):
            case 0:
                data = data[:at] + chance.randbytes(end - at) + data[end:]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:end] + data[at:]
            case 3:
                data = data[:at] + chance.choice(BYTES) + data[at:]
            case 4:
                data = re.sub(rb"\d+", lambda _: chance.choice(NUMBERS), data, count=1)
            case _:
                data = data[:at]
        if not data:
            return b"\x00"
    return data


NUMBERS = (b"-1", b"0", b"99999999999999999999", b"1e999", b"0x10", b"NaN")


def run(count: int, seed: int = 1) -> list[Count]:
    """Sends so many requests and counts what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        variables = serving.settings(
            Path(folder), REDRAFT_API_KEYS=f"{serving.KEY},{OTHER}", REDRAFT_BODY_SECONDS="2"
        )
        with serving.Serving(variables, kept=2_000) as service:
            return asyncio.run(_run(service, count, random.Random(seed)))  # noqa: S311 - no secret


async def _run(service: serving.Serving, count: int, chance: random.Random) -> list[Count]:
    documents: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    for key in (serving.KEY, OTHER):
        with service.client(key) as client:
            file = {"file": ("a.docx", bench_documents.contract(1))}
            documents[key] = client.post("/v1/documents/", files=file).json()["docId"]
            contents[key] = client.get(f"/v1/documents/{documents[key]}/download").content
    sound = requests(documents[serving.KEY], serving.KEY)
    sent = [damaged(chance.choice(sound), chance) for _ in range(count)]
    statuses: Counter[int] = Counter()
    address = urlsplit(service.url)
    gate = asyncio.Semaphore(AT_ONCE)
    silent = 0

    async def send(data: bytes) -> None:
        nonlocal silent
        async with gate:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    answer = await _answer(address.hostname or "", address.port or 0, data)
            except TimeoutError:
                silent += 1
                return
            statuses.update(int(status) for status in STATUS.findall(answer))

    await asyncio.gather(*(send(data) for data in sent))
    with service.client(OTHER) as client:
        healthy = client.get("/health").status_code == 200
        path = f"/v1/documents/{documents[OTHER]}/download"
        is_untouched = client.get(path).content == contents[OTHER]
    faults = [line for line in service.lines() if " error " in line or "Traceback" in line]
    return [
        Count("requests", count, is_fault=False, note=_told(statuses)),
        Count("answers of 500 and more", sum(n for s, n in statuses.items() if s >= 500)),
        Count("connections that stayed open without an answer", silent),
        Count("lines of faults in the log", len(faults), note=faults[0][-400:] if faults else ""),
        Count("service that does not answer", int(not healthy)),
        Count("documents of another key that changed", int(not is_untouched)),
    ]


async def _answer(host: str, port: int, data: bytes) -> bytes:
    """Sends bytes and the end of them, and returns all that comes back."""
    reader, writer = await asyncio.open_connection(host, port)
    answer = b""
    try:
        with contextlib.suppress(ConnectionError):
            writer.write(data)
            writer.write_eof()
            answer = await reader.read()
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
    return answer


def _told(statuses: Counter[int]) -> str:
    return ", ".join(f"{number} x {status}" for status, number in sorted(statuses.items()))
