"""Soak: the documents of the corpus, good ones and broken ones, under everything a client may do.

A few clients upload, edit with a scripted model and without one, read, resolve, undo, download,
hang up, cancel and delete, while memory, open files, the data folder and the queue are looked at.
Every answer must be one that the interface knows, and nothing may be left when all is deleted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx
import msgspec

from scripts import serving
from scripts.counted import Count
from scripts.soak_script import ScriptedModel

CLIENTS = 2
STEPS = 8
TTL_SECONDS = 300
LOOK_SECONDS = 10.0
HANGS_UP = 0.05
"""Seconds after which a client that is impatient goes away."""
MEBIBYTE = 1024 * 1024
BESIDE = serving.ROOT.parent / "shared" / "corpus"
KNOWN: dict[str, dict[int, str]] = {
    "upload": {400: "", 413: ""},
    "edit": {500: "Edit operation failed: ", 404: "Document not found or has expired"},
    "read": {500: "Failed to generate markdown: ", 404: "Document not found or has expired"},
    "changes": {500: "Operation failed: ", 404: "Document not found or has expired"},
    "resolve": {500: "Operation failed: ", 404: "Document not found or has expired"},
    "move": {500: "Operation failed: ", 404: "Document not found or has expired"},
    "download": {500: "Failed to process direct download", 404: "File not found", 422: ""},
    "history": {404: "Document not found or has expired"},
    "delete": {404: "Document not found or has expired"},
}
"""What may be answered besides 200: how its sentence begins."""
UNFORESEEN = re.compile(r"could not be processed|Internal")


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the service found; memory and the folder in bytes."""

    at: float
    server: int
    workers: int
    largest_worker: int
    descriptors: int
    folder: int
    documents: int
    scratch: int
    temporary: int
    waiting: int

    def __str__(self) -> str:
        """Writes one line of figures, memory in MiB."""
        memory = (self.server, self.workers, self.largest_worker, self.folder)
        whole = " ".join(f"{size // MEBIBYTE:>5}" for size in memory)
        return (
            f"{self.at:>6.0f} s {whole} MiB  fd {self.descriptors:>3}  documents "
            f"{self.documents:>3}  scratch {self.scratch}  temp {self.temporary}  "
            f"waiting {self.waiting}"
        )


@dataclass(slots=True)
class Tally:
    """What was answered, and what should not have been."""

    answers: Counter[str] = field(default_factory=Counter[str])
    strange: list[str] = field(default_factory=list[str])
    unforeseen: list[str] = field(default_factory=list[str])
    looks: list[Look] = field(default_factory=list[Look])


class _Refused(msgspec.Struct, forbid_unknown_fields=True):
    """The body of every error."""

    detail: str


class Guest:
    """One client with one document after another."""

    def __init__(self, client: httpx.AsyncClient, tally: Tally, corpus: Path, seed: int) -> None:
        self._client = client
        self._tally = tally
        self._chance = random.Random(seed)  # noqa: S311 - a mix of work, no secret
        self._good = _files(corpus / "docx", corpus / "pdf")
        self._bad = _files(corpus / "bad")
        self._file = Path()

    async def stay(self, until: float) -> None:
        """Works until the time is over."""
        while time.monotonic() < until:
            await self._visit()

    async def _visit(self) -> None:
        self._file = self._chance.choice(self._bad if self._chance.random() < 0.25 else self._good)
        if self._chance.random() < 0.1:
            await self._hang_up(self._upload())
        answer = await self._upload()
        if answer.status_code != 200:
            return
        document = answer.json()["docId"]
        for _ in range(self._chance.randrange(STEPS)):
            await self._step(document)
        if self._chance.random() < 0.5:
            await self._ask("delete", "DELETE", document)

    async def _upload(self) -> httpx.Response:
        name = self._file.name.split("__", 1)[-1].replace("-renamed", "")
        files = {"file": (name, self._file.read_bytes())}
        data = {
            "ttl_seconds": str(TTL_SECONDS),
            "tracked_changes": self._chance.choice(("true", "false")),
            "return_markdown": self._chance.choice(("true", "false")),
        }
        return self._noted("upload", await self._client.post("", files=files, data=data))

    async def _step(self, document: str) -> None:
        match self._chance.randrange(12):
            case 0 | 1 | 2 | 3:
                await self._ask("edit", "POST", f"{document}/edits", self._edit())
            case 4:
                await self._ask("read", "POST", f"{document}/markdown", {"readUid": str(uuid4())})
            case 5:
                await self._resolve(document)
            case 6:
                await self._ask("move", "POST", f"{document}/undo")
                await self._ask("move", "POST", f"{document}/redo")
            case 7 | 8:
                view = self._chance.choice(("view=clean", "view=original", "", "format=docx"))
                await self._ask("download", "GET", f"{document}/download?{view}")
            case 9:
                await self._cancelled(document)
            case 10:
                asking = self._client.post(f"{document}/edits", json=self._edit())
                await self._hang_up(asking)
            case _:
                await self._ask("history", "GET", f"{document}/edits")

    def _edit(self) -> dict[str, str]:
        asked = self._chance.choice(
            ("Make some word friendlier, please", 'Replace "the" with "this" in the first sentence')
        )
        return {"editUid": str(uuid4()), "editInstructions": asked}

    async def _resolve(self, document: str) -> None:
        listed = await self._ask("changes", "GET", f"{document}/changes")
        if listed.status_code != 200 or not listed.json()["changes"]:
            return
        identifier = self._chance.choice(listed.json()["changes"])["id"]
        action = self._chance.choice(("accept", "reject"))
        body = {"action": action, "ids": [identifier]}
        await self._ask("resolve", "POST", f"{document}/changes", body)

    async def _cancelled(self, document: str) -> None:
        body = self._edit()
        editing = asyncio.create_task(self._ask("edit", "POST", f"{document}/edits", body))
        await asyncio.sleep(self._chance.random() / 2)
        # Before the edit was received there is none to cancel.
        await self._client.delete(f"{document}/edits/{body['editUid']}")
        await editing

    async def _hang_up(self, asking: Awaitable[httpx.Response]) -> None:
        with contextlib.suppress(TimeoutError, httpx.HTTPError):
            async with asyncio.timeout(HANGS_UP):
                await asking
        self._tally.answers["hung up"] += 1

    async def _ask(self, kind: str, method: str, path: str, body: object = None) -> httpx.Response:
        return self._noted(kind, await self._client.request(method, path, json=body))

    def _noted(self, kind: str, answer: httpx.Response) -> httpx.Response:
        self._tally.answers[f"{kind} {answer.status_code}"] += 1
        if answer.status_code == 200:
            return answer
        told = f"{kind} {answer.status_code} {self._file.name}: {answer.text}"[:240]
        if not is_known(kind, answer):
            self._tally.strange.append(told)
        if UNFORESEEN.search(answer.text):
            self._tally.unforeseen.append(told)
        return answer


def is_known(kind: str, answer: httpx.Response) -> bool:
    """Returns whether the interface knows an answer that is not a success."""
    begins = KNOWN[kind].get(answer.status_code)
    try:
        detail = msgspec.json.decode(answer.content, type=_Refused).detail
    except msgspec.DecodeError:
        return False
    return begins is not None and detail.startswith(begins)


def run(seconds: float) -> list[Count]:
    """Runs for so many seconds on the corpus, and counts what went wrong."""
    corpus = Path(os.environ.get("REDRAFT_CORPUS") or BESIDE)
    if not (corpus / "bad").is_dir():
        return [Count("not run: the corpus is not there", 0, is_fault=False)]
    return asyncio.run(_run(corpus, seconds))


async def _run(corpus: Path, seconds: float) -> list[Count]:
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder, temporary = Path(name) / "data", Path(name) / "tmp"
        temporary.mkdir()
        async with ScriptedModel().listening() as address:
            variables = serving.settings(
                folder,
                OPENAI_BASE_URL=address,
                OPENAI_API_KEY="k",
                REDRAFT_MODEL="scripted",
                REDRAFT_LOG_LEVEL="warning",
                REDRAFT_SWEEP_SECONDS="5",
                TMPDIR=str(temporary),
            )
            service = serving.Serving(variables, kept=100_000)
            await asyncio.to_thread(service.start)
            try:
                left = await _load(service, folder, corpus, seconds, tally)
            finally:
                stopped = await asyncio.to_thread(_stopped, service)
        last = await asyncio.to_thread(lambda: len(list(temporary.rglob("*"))))
    return [
        *_counts(tally, left, service.lines()),
        Count("temporary files left", last),
        Count("not stopped in time", int(not stopped)),
    ]


async def _load(
    service: serving.Serving, folder: Path, corpus: Path, seconds: float, tally: Tally
) -> int:
    headers = {"Authorization": f"Bearer {serving.KEY}"}
    async with httpx.AsyncClient(
        base_url=f"{service.url}/v1/documents/", headers=headers, timeout=330
    ) as client:
        began = time.monotonic()
        looking = asyncio.create_task(_watch(service, folder, tally, began))
        guests = (Guest(client, tally, corpus, seed) for seed in range(CLIENTS))
        try:
            await asyncio.gather(*(guest.stay(began + seconds) for guest in guests))
        finally:
            looking.cancel()
        for document in (await client.get("")).json()["documents"]:
            await client.delete(document["docId"])
        left = await serving.settled(lambda: _left(folder))
        tally.looks.append(await _look(service, folder, began))
        print(tally.looks[-1], flush=True)
    return left


async def _watch(service: serving.Serving, folder: Path, tally: Tally, began: float) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        tally.looks.append(await _look(service, folder, began))
        if len(tally.looks) % 6 == 0:
            print(tally.looks[-1], flush=True)


async def _look(service: serving.Serving, folder: Path, began: float) -> Look:
    async with httpx.AsyncClient(base_url=service.url, timeout=60) as client:
        headers = {"Authorization": f"Bearer {serving.KEY}"}
        figures = (await client.get("/metrics", headers=headers)).text
    waiting = re.search(r"^redraft_operations_pending\S* (\d+)", figures, re.MULTILINE)
    waits = int(waiting.group(1)) if waiting else -1
    return await asyncio.to_thread(_looked, service.pid, folder, began, waits)


def _looked(pid: int, folder: Path, began: float, waiting: int) -> Look:
    children = [serving.memory(child) for child in serving.descendants(pid)]
    return Look(
        at=time.monotonic() - began,
        server=serving.memory(pid),
        workers=sum(children),
        largest_worker=max(children, default=0),
        descriptors=serving.descriptors(pid),
        folder=sum(_size(path) for path in folder.rglob("*")),
        documents=len(list((folder / "documents").iterdir())),
        scratch=sum(len(list((folder / name).iterdir())) for name in ("scratch", "at-hand")),
        temporary=len(list((folder.parent / "tmp").rglob("*"))),
        waiting=waiting,
    )


def _stopped(service: serving.Serving) -> bool:
    """Ends the service in order; kills it when it goes on."""
    try:
        service.stop()
    except subprocess.TimeoutExpired:
        service.kill()
        return False
    return True


def _left(folder: Path) -> int:
    """Returns how many files of documents, or on their way, there are."""
    return serving.files_left(folder) + len(list((folder / "at-hand").iterdir()))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except FileNotFoundError:  # it went while we looked
        return 0


def _files(*folders: Path) -> list[Path]:
    return sorted(
        path
        for folder in folders
        for path in folder.iterdir()
        if path.suffix in (".docx", ".pdf", ".docm", ".dotx")
    )


def _counts(tally: Tally, left: int, lines: list[str]) -> list[Count]:
    settled = tally.looks[len(tally.looks) // 4 :]  # the caches are full by then
    growth = (settled[-1].server - settled[0].server) // MEBIBYTE
    errors = [line.strip() for line in lines if "error" in line.lower()]
    return [
        *(Count(kind, number, is_fault=False) for kind, number in sorted(tally.answers.items())),
        Count("most MiB of the server", max(e.server for e in tally.looks) // MEBIBYTE, False),
        Count("MiB that it grew after a quarter", growth, is_fault=False),
        Count(
            "most MiB of a worker", max(e.largest_worker for e in tally.looks) // MEBIBYTE, False
        ),
        Count("most descriptors of the server", max(e.descriptors for e in tally.looks), False),
        Count("descriptors at the end", tally.looks[-1].descriptors, is_fault=False),
        Count("files left", left),
        Count("answers that nobody knows", len(tally.strange), note=_some(tally.strange)),
        Count("faults nobody foresaw", len(tally.unforeseen), note=_some(tally.unforeseen)),
        Count("errors in the log", len(errors), is_fault=False, note=_some(errors)),
    ]


def _some(told: list[str]) -> str:
    return "".join(f"\n      {number} x {line}" for line, number in Counter(told).most_common(20))
