"""Soak: `kill -9` at a random moment, again and again, under clients that replay until answered.

Every edit writes a word of its own before the last word of a document. An answer of 200 says that
the word is there; at the end it must be there exactly once, and the version must be the number of
edits that were acknowledged. Half of the documents track their changes.
"""

from __future__ import annotations

import asyncio
import io
import random
import tempfile
import time
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx

from scripts import bench_documents, serving
from scripts.counted import Count

CLIENTS = 6
PAGES = 4
WORDS_A_PAGE = 60
LONGEST_LIFE = 1.5
FIRST_ANSWER = 30.0
"""Seconds that every second service is given for its first answer, however slow the machine is."""
"""Seconds from the moment the service listens to the latest kill."""
OPEN = ("queued", "running")


@dataclass(slots=True)
class Page:
    """A document, the words that were sent to it, and those that were acknowledged."""

    document: str
    sent: int = 0
    acknowledged: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Tally:
    """What happened."""

    edits: int = 0
    cut: int = 0
    replayed: int = 0
    again: int = 0
    strange: list[str] = field(default_factory=list[str])
    starts: list[float] = field(default_factory=list[float])


class Story:
    """The documents of one run, and what was told about them."""

    def __init__(self, client: httpx.AsyncClient, seed: int) -> None:
        self.tally = Tally()
        self.pages: list[Page] = []
        self.is_over = False
        self._client = client
        self._chance = random.Random(seed)  # noqa: S311 - a mix of work, no secret
        self._number = 0

    async def begin(self) -> None:
        """Uploads the first documents."""
        for _ in range(PAGES):
            await self._turn()

    async def write(self) -> None:
        """Edits one document after another until the story is over."""
        while not self.is_over:
            page = self._chance.choice(self.pages[-PAGES:])
            page.sent += 1
            if page.sent == WORDS_A_PAGE:
                await self._turn()
            await self._write(page)

    async def goes_on(self, seconds: float) -> None:
        """Waits until one more edit is acknowledged, or that long."""
        before, end = self.tally.edits, time.monotonic() + seconds
        while self.tally.edits == before and time.monotonic() < end:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)

    async def ask(self, method: str, path: str, **request: object) -> httpx.Response:
        """Asks until somebody answers who is not stopping."""
        while True:
            try:
                answer = await self._client.request(method, path, **request)  # pyright: ignore[reportArgumentType] - passed on
            except httpx.TransportError:
                self.tally.cut += 1
                await asyncio.sleep(0.02)
                continue
            if answer.status_code != 503:
                return answer

    async def _write(self, page: Page) -> None:
        self._number += 1
        word = f"w{self._number}"
        body = {
            "editUid": str(uuid4()),
            "editInstructions": f'Replace "END" with "{word} END"',
        }
        while True:
            answer = await self.ask("POST", f"{page.document}/edits", json=body)
            if answer.status_code == 200 and answer.json()["editApplied"]:
                self.tally.edits += 1
                self.tally.replayed += "idempotent-replayed" in answer.headers
                page.acknowledged.append(word)
                return
            if "interrupted" not in answer.text:
                self.tally.strange.append(f"{answer.status_code} {answer.text}"[:200])
                return
            self.tally.again += 1

    async def _turn(self) -> None:
        """Uploads another document; one that the kill cut off stays with its row or without."""
        form = {"tracked_changes": str(len(self.pages) % 2 == 0), "ttl_seconds": "21600"}
        files = {"file": ("kill.docx", bench_documents.paragraph("The END"))}
        answer = await self.ask("POST", "", files=files, data=form)
        self.pages.append(Page(answer.json()["docId"]))


def run(rounds: int, seed: int = 11, clients: int = CLIENTS) -> list[Count]:
    """Kills the service so many times, and counts what was lost, doubled or broken."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_run(rounds, Path(folder), seed, clients))


async def _run(rounds: int, folder: Path, seed: int, clients: int) -> list[Count]:
    port = serving.free_port()
    chance = random.Random(seed)  # noqa: S311 - a spread of moments, no secret
    service = serving.Serving(serving.settings(folder, port))
    headers = {"Authorization": f"Bearer {serving.KEY}"}
    base = f"http://127.0.0.1:{port}/v1/documents/"
    orphans: set[serving.Mark] = set()
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=330) as client:
        story = Story(client, seed)
        await asyncio.to_thread(service.start)
        try:
            await story.begin()
            writers = [asyncio.create_task(story.write()) for _ in range(clients)]
            for number in range(rounds):
                if number % 2:
                    await story.goes_on(FIRST_ANSWER)
                await asyncio.sleep(chance.uniform(0.0, LONGEST_LIFE))
                orphans.update(map(serving.mark, serving.descendants(service.pid)))
                await asyncio.to_thread(service.kill)
                started = time.perf_counter()
                await asyncio.to_thread(service.start)
                story.tally.starts.append(time.perf_counter() - started)
            story.is_over = True
            await asyncio.gather(*writers)
            figures = await _judged(story, folder)
        finally:
            await asyncio.to_thread(service.stop)
    left = await serving.settled(lambda: sum(map(serving.is_alive, orphans)))
    return [
        Count("kills", rounds, is_fault=False),
        *figures,
        Count("workers left behind", left),
    ]


async def _judged(story: Story, folder: Path) -> list[Count]:
    lost = doubled = unasked = corrupt = open_still = versions = 0
    for page in story.pages:
        read = await story.ask("POST", f"{page.document}/markdown", json={"readUid": str(uuid4())})
        words = Counter[str](str(read.json().get("markdown", "")).split())
        told = set(page.acknowledged)
        lost += sum(words[word] == 0 for word in told)
        doubled += sum(words[word] > 1 for word in told)
        unasked += len(words.keys() - told - {"The", "END"})
        corrupt += not _is_whole((await story.ask("GET", f"{page.document}/download")).content)
        entries = (await story.ask("GET", f"{page.document}/edits")).json()["edits"]
        open_still += sum(entry["state"] in OPEN for entry in entries)
        about = (await story.ask("GET", f"{page.document}/exists")).json()["document"]
        versions += abs(about["version"] - len(told))
    listed = (await story.ask("GET", "")).json()["documents"]
    for about in listed:
        await story.ask("DELETE", about["docId"])
    tally = story.tally
    slowest = max(tally.starts, default=0.0)
    middle = sorted(tally.starts)[len(tally.starts) // 2] if tally.starts else 0.0
    return [
        Count("edits acknowledged", tally.edits, is_fault=False),
        Count("requests cut off", tally.cut, is_fault=False),
        Count("answers that were replays", tally.replayed, is_fault=False),
        Count("edits given up after two cuts, and asked again", tally.again, is_fault=False),
        Count(
            "restarts",
            len(tally.starts),
            is_fault=False,
            note=f"median {middle:.2f} s, longest {slowest:.2f} s",
        ),
        Count("acknowledged edits lost", lost),
        Count("edits applied twice", doubled + versions),
        Count("words nobody was told of", unasked),
        Count("broken files", corrupt),
        Count("stuck operations", open_still),
        Count("unexpected answers", len(tally.strange), note=" | ".join(tally.strange[:3])),
        Count("leaked files", await serving.settled(lambda: serving.files_left(folder))),
    ]


def _is_whole(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.testzip() is None
    except zipfile.BadZipFile:
        return False
