"""One process of the service without HTTP and engine: a mailbox over PostgreSQL.

It reads one request a line (JSON) and writes one answer a line. An edit adds its uid to the text of
the document, which is the state of its version; a read gives the text.

    python -m tests.cluster.node URL LEASE_SECONDS WORK_SECONDS CLOCK_AHEAD_SECONDS
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from typing import Any
from uuid import uuid4

from redraft.api.clock import Clock, DatabaseClock, SystemClock
from redraft.api.errors import ServiceError
from redraft.api.metadata.postgres import PostgresMetadata
from redraft.api.metadata.protocol import (
    Change,
    Limits,
    MetadataError,
    Operation,
    Outcome,
    Submission,
    Version,
)
from redraft.api.operations.mailbox import Answer, Mailbox, Work


class WrongClock(SystemClock):
    """The clock of a machine that was set wrongly."""

    def __init__(self, ahead: float) -> None:
        self._ahead = ahead

    def now(self) -> float:
        return super().now() + self._ahead


class Node:
    def __init__(self, metadata: PostgresMetadata, clock: Clock, lease: float, work: float) -> None:
        self._metadata = metadata
        self._work_seconds = work
        self._clock = clock
        self.mailbox = Mailbox(
            metadata.operations,
            self._clock,
            self._execute,
            lambda _: None,
            Limits(queued_per_document=0),
            lease,
        )
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        await self.mailbox.recover()
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=1 << 20)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        running = asyncio.create_task(self.mailbox.run())
        _say({"ready": True})
        while line := await reader.readline():
            task = asyncio.create_task(self._answer(json.loads(line)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await self.mailbox.drain(30)
        running.cancel()
        await self._metadata.close()

    async def _answer(self, asked: dict[str, Any]) -> None:
        submission = Submission(
            uuid4().hex, "ann", asked["document"], asked["kind"], asked["uid"], b"{}", "d"
        )
        try:
            answer: Answer = await self.mailbox.submit(submission)
            told = {"status": answer.status, "body": answer.body.decode()}
        except (ServiceError, MetadataError) as error:
            told = {"status": 503, "body": type(error).__name__}
        _say({"id": asked["id"], **told})

    async def _execute(self, operation: Operation, remaining: float) -> Work:
        current = await self._metadata.documents.current(operation.document)
        assert current is not None
        document, version = current
        await asyncio.sleep(random.random() * self._work_seconds)  # noqa: S311 - no secret
        text = version.state.decode()
        if operation.kind == "read":
            return Work(Outcome("done", 200, text.encode(), final=False))
        text += f"{operation.uid} "
        number = document.version + 1
        made = Version(number, f"{number}-{uuid4().hex[:8]}", len(text), "", text.encode())
        body = json.dumps({"seq": operation.seq}).encode()
        expires_at = self._clock.now() + 900
        return Work(
            Outcome("applied", 200, body, final=True), Change(made, expires_at), document.version
        )


def _say(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


async def main() -> None:
    url, (lease, work, ahead) = sys.argv[1], map(float, sys.argv[2:])
    metadata = await PostgresMetadata.open(url, 8, lease)
    clock = DatabaseClock(WrongClock(ahead), metadata.keys.highest)
    await clock.follow()
    await Node(metadata, clock, lease, work).serve()


if __name__ == "__main__":
    asyncio.run(main())
