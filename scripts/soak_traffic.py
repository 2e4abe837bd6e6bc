"""Soak: everything at once for some minutes against `redraft serve`.

What should be zero afterwards: files of no document, operations that never ended, edits that were
acknowledged and are not there, answers that should not have been, and what the process has grown.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx

from scripts import bench_documents, serving
from scripts.counted import Count

CLIENTS = 6
PARAGRAPHS = 60
FIRST = 10
"""From here on no number begins another one."""
WARM_SECONDS = 3.0
MEBIBYTE = 1024 * 1024
ALLOWED_GROWTH = 20
"""MiB that the process may have grown; the caches of Python and SQLite take a few."""


@dataclass(slots=True)
class Tally:
    """What went wrong, and how much was done."""

    requests: int = 0
    strange: list[str] = field(default_factory=list[str])
    lost: int = 0
    stuck: int = 0
    files: int = 0
    descriptors: int = 0
    memory: int = 0

    def counts(self) -> list[Count]:
        """Returns the result."""
        return [
            Count("requests", self.requests, is_fault=False),
            Count("leaked files", self.files),
            Count("stuck operations", self.stuck),
            Count("lost edits", self.lost),
            Count(
                "unexpected answers", len(self.strange), note=" ".join(sorted(set(self.strange)))
            ),
            Count("leaked descriptors", max(0, self.descriptors)),
            Count(
                f"growth in MiB beyond {ALLOWED_GROWTH}",
                max(0, self.memory - ALLOWED_GROWTH),
                note=f"grown by {self.memory} MiB",
            ),
        ]


class Guest:
    """One client with documents of its own, which remembers what it was told."""

    def __init__(self, client: httpx.AsyncClient, tally: Tally, seed: int) -> None:
        self._client = client
        self._tally = tally
        self._chance = random.Random(seed)  # noqa: S311 - a mix of work, no secret
        self._data = bench_documents.paragraphs(PARAGRAPHS)

    async def stay(self, until: float) -> None:
        """Works on one document after another."""
        while time.monotonic() < until:
            await self._visit(min(until, time.monotonic() + 5))

    async def _visit(self, until: float) -> None:
        document = (await self._upload()).json()["docId"]
        applied: list[int] = []
        number = FIRST
        while time.monotonic() < until and number < PARAGRAPHS - 1:
            number += 1
            match self._chance.randrange(8):
                case 0:
                    await self._ask("POST", f"{document}/markdown", {"readUid": str(uuid4())})
                case 1:
                    await self._ask("GET", f"{document}/download?view=clean")
                case 2 if applied:
                    await self._ask("POST", f"{document}/undo")
                    await self._ask("POST", f"{document}/redo")
                case 3:
                    await self._hang_up(document, number)
                    applied.append(number)
                case _:
                    answer = await self._edit(document, number)
                    if answer.status_code == 200:
                        applied.append(number)
        await self._leave(document, applied)

    async def _leave(self, document: str, applied: list[int]) -> None:
        read = await self._ask("POST", f"{document}/markdown", {"readUid": str(uuid4())})
        text = read.json().get("markdown", "")
        self._tally.lost += sum(f"Section {number}" not in text for number in applied)
        history = (await self._ask("GET", f"{document}/edits")).json()["edits"]
        self._tally.stuck += sum(entry["state"] in ("queued", "running") for entry in history)
        await self._ask("DELETE", document)

    async def _upload(self) -> httpx.Response:
        files = {"file": ("soak.docx", self._data)}
        self._tally.requests += 1
        return await self._client.post("", files=files, data={"tracked_changes": "true"})

    async def _edit(self, document: str, number: int) -> httpx.Response:
        body = {
            "editUid": str(uuid4()),
            "editInstructions": f'Replace "Paragraph {number}" with "Section {number}"',
        }
        return await self._ask("POST", f"{document}/edits", body)

    async def _hang_up(self, document: str, number: int) -> None:
        """Sends an edit and goes away; its replay waits for it and tells how it ended."""
        body = {
            "editUid": str(uuid4()),
            "editInstructions": f'Replace "Paragraph {number}" with "Section {number}"',
        }
        with contextlib.suppress(httpx.TimeoutException):
            await self._client.post(f"{document}/edits", json=body, timeout=0.01)
        await self._ask("POST", f"{document}/edits", body)

    async def _ask(
        self, method: str, path: str, body: dict[str, str] | None = None
    ) -> httpx.Response:
        self._tally.requests += 1
        answer = await self._client.request(method, path, json=body)
        if answer.status_code != 200:
            self._tally.strange.append(f"{method}:{answer.status_code}")
        return answer


def run(seconds: float) -> list[Count]:
    """Runs everything at once for so many seconds, and counts what went wrong."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving.Serving(serving.settings(Path(folder))) as service,
    ):
        tally = asyncio.run(_soak(service.url, service.pid, Path(folder), seconds))
    return tally.counts()


async def _soak(url: str, pid: int, folder: Path, seconds: float) -> Tally:
    await _round(url, Tally(), WARM_SECONDS, seed=0)
    await asyncio.sleep(1)  # the connections of the warm-up go
    before = serving.descriptors(pid), serving.memory(pid)
    tally = Tally()
    await _round(url, tally, seconds, seed=1)
    tally.files = await serving.settled(lambda: serving.files_left(folder))
    tally.descriptors = await serving.settled(lambda: max(0, serving.descriptors(pid) - before[0]))
    tally.memory = (serving.memory(pid) - before[1]) // MEBIBYTE
    return tally


async def _round(url: str, tally: Tally, seconds: float, *, seed: int) -> None:
    headers = {"Authorization": f"Bearer {serving.KEY}"}
    async with httpx.AsyncClient(
        base_url=f"{url}/v1/documents/", headers=headers, timeout=120
    ) as client:
        until = time.monotonic() + seconds
        guests = (Guest(client, tally, seed * CLIENTS + number) for number in range(CLIENTS))
        await asyncio.gather(*(guest.stay(until) for guest in guests))
