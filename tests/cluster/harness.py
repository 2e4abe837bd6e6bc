"""Several processes, a crowd of callers, and a history that is held against the rules at the end.

A violation is: a text that is not the edits in the order of their numbers; an edit twice; a gap in
the versions; an answer without an effect; an answer given before another request was sent, and yet
a higher number; a read that lacks an edit that was answered before it was asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import asyncpg

from redraft.api.clock import SystemClock
from redraft.api.metadata.postgres import PostgresMetadata
from tests.api.builders import document, version

STARTED = 30.0
PATIENCE = 90.0
HOUR = 3600.0


class LostError(Exception):
    """The process that was asked died before it answered."""


class NodeProcess:
    """One node, started again after a kill."""

    def __init__(self, url: str, lease: float, work: float, ahead: float) -> None:
        numbers = map(str, (lease, work, ahead))
        self._command = (sys.executable, "-m", "tests.cluster.node", url, *numbers)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(STARTED):
            assert b"ready" in await self._process.stdout.readline()
        self._reading = asyncio.create_task(self._read(self._process))

    async def ask(self, number: int, asked: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        if process is None or process.returncode is not None or process.stdin is None:
            raise LostError
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            process.stdin.write(json.dumps({"id": number, **asked}).encode() + b"\n")
            await process.stdin.drain()
            return await answer
        except OSError as error:
            raise LostError from error
        finally:
            self._waiting.pop(number, None)

    async def kill(self) -> None:
        assert self._process is not None
        assert self._reading is not None
        self._process.kill()
        await self._process.wait()
        await self._reading

    async def pause(self, seconds: float) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)

    async def stop(self) -> None:
        """End it as SIGTERM would: it drains."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._reading is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        await asyncio.wait_for(self._process.wait(), 60)
        await self._reading

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            told = json.loads(line)
            answer = self._waiting.get(told["id"])
            if answer is not None and not answer.done():
                answer.set_result(told)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(LostError())


@dataclass
class Asked:
    """A request with the moments between which it was asked and answered."""

    document: str
    kind: str
    uid: str
    sent: float
    answered: float = 0.0
    body: str = ""


@dataclass
class Cluster:
    """Nodes, documents and what was asked of them."""

    url: str
    nodes: Sequence[NodeProcess]
    documents: list[str] = field(default_factory=list[str])
    history: list[Asked] = field(default_factory=list[Asked])
    retries: int = 0
    _numbers: int = 0

    @classmethod
    async def start(
        cls,
        url: str,
        nodes: int,
        documents: int,
        lease: float = 2.0,
        work: float = 0.02,
        through: str = "",
    ) -> Cluster:
        """Start nodes; the clock of the first is right, that of the others an hour off."""
        skews = (0.0, HOUR, -HOUR, HOUR)
        cluster = cls(
            url, [NodeProcess(through or url, lease, work, skews[n]) for n in range(nodes)]
        )
        metadata = await PostgresMetadata.open(url, 2, lease)
        for _ in range(documents):
            made = document(SystemClock(), ttl=3600)
            first = version()
            await metadata.documents.add(made, type(first)(0, "0-blob", 0, "", b""))
            cluster.documents.append(made.id)
        await metadata.close()
        await asyncio.gather(*(node.start() for node in cluster.nodes))
        return cluster

    async def run(
        self,
        operations: int,
        callers: int,
        reads: float = 0.2,
        enough: asyncio.Event | None = None,
    ) -> None:
        """Let callers ask one operation after the other, each of a random process.

        They ask for so many, and for more until it is enough.
        """
        share = operations // callers
        await asyncio.gather(*(self._caller(share, reads, enough) for _ in range(callers)))

    async def stop(self) -> None:
        for node in self.nodes:
            await node.stop()

    async def _caller(self, operations: int, reads: float, enough: asyncio.Event | None) -> None:
        asked_for = 0
        while asked_for < operations or not (enough is None or enough.is_set()):
            asked_for += 1
            kind = "read" if random.random() < reads else "edit"  # noqa: S311 - no secret
            on = random.choice(self.documents)  # noqa: S311 - no secret
            asked = Asked(on, kind, str(uuid4()), time.monotonic())
            await self._answered(asked)
            self.history.append(asked)

    async def _answered(self, asked: Asked) -> None:
        """Ask until there is an answer that is final, as a client does: with the same uid."""
        request = {"document": asked.document, "kind": asked.kind, "uid": asked.uid}
        async with asyncio.timeout(PATIENCE):
            while True:
                self._numbers += 1
                node = random.choice(self.nodes)  # noqa: S311 - no secret
                try:
                    told = await node.ask(self._numbers, request)
                    if told["status"] == 200:
                        break
                    assert told["status"] in (500, 503), told
                except LostError:
                    pass
                self.retries += 1
                await asyncio.sleep(0.1)
        asked.answered, asked.body = time.monotonic(), told["body"]

    async def replayed_otherwise(self, most: int = 50) -> list[str]:
        """Ask for edits again that were answered; returns those with another answer."""
        edits = [asked for asked in self.history if asked.kind == "edit"][-most:]
        again = [Asked(one.document, one.kind, one.uid, time.monotonic()) for one in edits]
        await asyncio.gather(*map(self._answered, again))
        return [one.uid for one, two in zip(edits, again, strict=True) if one.body != two.body]

    @property
    def longest_wait(self) -> float:
        return max(asked.answered - asked.sent for asked in self.history)

    async def violations(self) -> list[str]:
        """Hold what was answered against what the database says."""
        connection = await asyncpg.connect(self.url)
        found: list[str] = []
        try:
            async with asyncio.timeout(60):
                while await connection.fetchval(  # noqa: ASYNC110 - nobody tells
                    "SELECT count(*) FROM operations WHERE state IN ('queued', 'running')"
                ):
                    await asyncio.sleep(0.2)
            for identifier in self.documents:
                rows = await connection.fetch(
                    "SELECT uid, seq, state FROM operations WHERE document = $1 AND kind = 'edit'"
                    " ORDER BY seq",
                    identifier,
                )
                versions = await connection.fetch(
                    "SELECT number, state FROM versions WHERE document = $1 ORDER BY number",
                    identifier,
                )
                applied = {row["uid"]: row["seq"] for row in rows if row["state"] == "applied"}
                found.extend(self._violations(identifier, applied, versions))
        finally:
            await connection.close()
        return found

    def _violations(
        self, identifier: str, applied: dict[str, int], versions: list[asyncpg.Record]
    ) -> list[str]:
        words = versions[-1]["state"].decode().split()
        mine = [asked for asked in self.history if asked.document == identifier]
        edits = [asked for asked in mine if asked.kind == "edit"]
        reads = [asked for asked in mine if asked.kind == "read"]
        places = {word: number for number, word in enumerate(words)}
        rules = {
            "the text is the edits in their order": words == list(applied),
            "each edit stands once": len(places) == len(words),
            "the versions have no gap": [row["number"] for row in versions]
            == list(range(len(versions))),
            "what was answered has an effect": all(asked.uid in applied for asked in edits),
            "nothing overtakes what was answered before it was sent": all(
                places[later.uid] > before
                for later, before in _after(edits, edits, places)
                if later.uid in places
            ),
            "a read shows a beginning of the text": all(
                read.body.split() == words[: len(read.body.split())] for read in reads
            ),
            "a read shows what was answered before": all(
                len(read.body.split()) > before for read, before in _after(reads, edits, places)
            ),
        }
        return [f"{identifier}: {rule}" for rule, holds in rules.items() if not holds]


def _after(
    later: Sequence[Asked], edits: Sequence[Asked], places: dict[str, int]
) -> Iterator[tuple[Asked, int]]:
    """Give each request and the last place in the text of edits answered before it was sent."""
    answered = sorted(edits, key=lambda asked: asked.answered)
    number, place = 0, -1
    for asked in sorted(later, key=lambda asked: asked.sent):
        while number < len(answered) and answered[number].answered < asked.sent:
            place = max(place, places.get(answered[number].uid, -1))
            number += 1
        yield asked, place
