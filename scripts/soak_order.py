"""Soak: the order of edits on shared documents, checked from the history of what was told.

Clients write words of their own before the last word of shared documents, all at once. Afterwards
each text must be the words in the order of the document's history, every one of them once, and that
order must be possible: what was answered before another edit was sent stands before it.
"""

from __future__ import annotations

import asyncio
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx

from scripts import bench_documents, serving
from scripts.counted import Count


@dataclass(frozen=True, slots=True)
class Told:
    """An edit as its client saw it (moments on the client's clock)."""

    uid: str
    word: str
    sent: float
    answered: float
    status: int


def run(clients: int, documents: int, edits: int) -> list[Count]:
    """Lets so many clients make so many edits each on each of so many documents."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving.Serving(serving.settings(Path(folder))) as service,
    ):
        return asyncio.run(_run(service.url, clients, documents, edits))


async def _run(url: str, clients: int, documents: int, edits: int) -> list[Count]:
    headers = {"Authorization": f"Bearer {serving.KEY}"}
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=f"{url}/v1/documents/", headers=headers, timeout=330, limits=limits
    ) as client:
        names = [await _upload(client) for _ in range(documents)]
        started = time.perf_counter()
        told = await asyncio.gather(
            *(_work(client, name, clients, edits) for name in names),
        )
        spent = time.perf_counter() - started
        faults = [await _judged(client, name, sent) for name, sent in zip(names, told, strict=True)]
    total = sum(len(sent) for sent in told)
    refused = sum(one.status != 200 for sent in told for one in sent)
    return [
        Count("edits", total, is_fault=False, note=f"{total / spent:.0f} a second"),
        Count("unexpected answers", refused),
        Count("texts that are not the edits in their order", sum(text for text, _ in faults)),
        Count("edits before one that was answered earlier", sum(late for _, late in faults)),
    ]


async def _upload(client: httpx.AsyncClient) -> str:
    files = {"file": ("order.docx", bench_documents.paragraph("END"))}
    answer = await client.post("", files=files)
    return answer.raise_for_status().json()["docId"]


async def _work(client: httpx.AsyncClient, name: str, clients: int, edits: int) -> list[Told]:
    async def one(number: int) -> list[Told]:
        return [await _edit(client, name, f"c{number}e{turn}") for turn in range(edits)]

    parts = await asyncio.gather(*(one(number) for number in range(clients)))
    return [edit for part in parts for edit in part]


async def _edit(client: httpx.AsyncClient, name: str, word: str) -> Told:
    uid = str(uuid4())
    body = {"editUid": uid, "editInstructions": f'Replace "END" with "{word} END"'}
    sent = time.perf_counter()
    answer = await client.post(f"{name}/edits", json=body)
    return Told(uid, word, sent, time.perf_counter(), answer.status_code)


async def _judged(client: httpx.AsyncClient, name: str, told: list[Told]) -> tuple[int, int]:
    """Counts 1 for a text that is not the edits in order, and the edits that overtook another."""
    history = (await client.get(f"{name}/edits")).json()["edits"]
    read = await client.post(f"{name}/markdown", json={"readUid": str(uuid4())})
    by_uid = {edit.uid: edit for edit in told}
    ordered = [by_uid[entry["editUid"]] for entry in history]
    expected = [*(edit.word for edit in ordered if edit.status == 200), "END"]
    is_wrong = read.json()["markdown"].split() != expected or len(ordered) != len(told)
    return int(is_wrong), overtaken(ordered)


def overtaken(ordered: list[Told]) -> int:
    """Counts the edits before which a later one had been answered already when they were sent."""
    earliest, count = math.inf, 0
    for edit in reversed(ordered):
        count += earliest < edit.sent
        earliest = min(earliest, edit.answered)
    return count
