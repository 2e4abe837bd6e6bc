"""Attack: documents whose bytes or members were damaged at random, through a real service."""

from __future__ import annotations

import asyncio
import io
import random
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pymupdf

from scripts import bench_documents, serving
from scripts.counted import Count

AT_ONCE = 4
REFUSED = (400, 413, 422, 429)
"""What an upload may be answered with, beside 200."""
UNEXPECTED = "could not be processed ("
"""What an answer says when the engine raised what it should not."""


def samples() -> tuple[tuple[str, bytes], ...]:
    """Returns sound documents, with their names."""
    paper: Any = pymupdf.open()
    for number in range(2):
        page = paper.new_page()
        page.insert_textbox((50, 50, 500, 700), f"Page {number}. The fee is 40 euros. " * 30)
    data: bytes = paper.tobytes()
    return (
        ("a.docx", bench_documents.contract(2)),
        ("b.docx", bench_documents.grid(4, 3)),
        ("c.pdf", data),
    )


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Damages a document: anywhere in its bytes, or in the text of one of its members."""
    if data[:2] != b"PK" or chance.random() < 0.3:
        return _torn(data, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members = {info.filename: package.read(info) for info in package.infolist()}
    for _ in range(chance.randint(1, 2)):
        name = chance.choice(list(members))
        members[name] = _torn(members[name], chance)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, member in members.items():
            package.writestr(name, member)
    return target.getvalue()


def _torn(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 3)):
        if not data:
            return b""
        at = chance.randrange(len(data))
        end = min(len(data), at + chance.choice((1, 4, 32, 512)))
        match chance.randrange(5):
            case 0:
                data = data[:at] + chance.randbytes(end - at) + data[end:]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:end] + data[at:end] * chance.choice((1, 50)) + data[end:]
            case 3:
                other = chance.randrange(len(data))
                data = data[:at] + data[other : other + end - at] + data[end:]
            case _:
                data = data[:at]
    return data


def run(count: int, seed: int = 1) -> list[Count]:
    """Uploads so many damaged documents, reads and edits those that are taken, and counts."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    with (
        tempfile.TemporaryDirectory() as folder,
        serving.Serving(serving.settings(Path(folder)), kept=2_000) as service,
    ):
        return asyncio.run(_run(service, count, chance))


async def _run(service: serving.Serving, count: int, chance: random.Random) -> list[Count]:
    sound = samples()
    files = [(name, damaged(data, chance)) for name, data in chance.choices(sound, k=count)]
    uploads: Counter[int] = Counter()
    strange: list[str] = []
    gate = asyncio.Semaphore(AT_ONCE)
    headers = {"Authorization": f"Bearer {serving.KEY}"}
    async with httpx.AsyncClient(base_url=service.url, headers=headers, timeout=330) as client:

        async def send(name: str, data: bytes) -> None:
            async with gate:
                answer = await client.post("/v1/documents/", files={"file": (name, data)})
                uploads[answer.status_code] += 1
                if answer.status_code == 200:
                    strange.extend(await _used(client, answer.json()["docId"]))
                elif answer.status_code not in REFUSED or UNEXPECTED in answer.text:
                    strange.append(f"upload: {answer.status_code} {answer.text[:200]}")

        await asyncio.gather(*(send(name, data) for name, data in files))
        name, data = sound[0]
        after = await client.post("/v1/documents/", files={"file": (name, data)})
        stops = _stops((await client.get("/metrics")).text)
    faults = [line for line in service.lines() if "a worker failed" in line or "Traceback" in line]
    told = ", ".join(f"{number} x {status}" for status, number in sorted(uploads.items()))
    return [
        Count("damaged documents", count, is_fault=False, note=told),
        Count("answers that nobody expects", len(strange), note=strange[0] if strange else ""),
        Count("lines of faults in the log", len(faults), note=faults[0][:160] if faults else ""),
        Count("workers that died", stops),
        Count("sound documents refused afterwards", int(after.status_code != 200)),
    ]


async def _used(client: httpx.AsyncClient, document: str) -> list[str]:
    """Reads, edits and deletes a document; returns answers that blame the service."""
    path = f"/v1/documents/{document}"
    edit = {"editUid": str(uuid4()), "editInstructions": 'replace "fee" with "price"'}
    answers = (
        await client.post(f"{path}/markdown", json={"readUid": str(uuid4())}),
        await client.post(f"{path}/edits", json=edit),
        await client.get(f"{path}/download"),
        await client.delete(path),
    )
    return [
        f"{answer.request.method}: {answer.status_code} {answer.text[:200]}"
        for answer in answers
        if answer.status_code >= 500 and UNEXPECTED in answer.text
    ]


def _stops(metrics: str) -> int:
    lines = (line for line in metrics.splitlines() if line.startswith("redraft_worker_stops"))
    return int(sum(float(line.rsplit(" ", 1)[1]) for line in lines if 'reason="died"' in line))
