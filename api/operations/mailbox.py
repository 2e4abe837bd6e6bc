"""The mailbox of each document: accept, take turns, run, commit; deadlines, replays, shutdown.

An operation is received when the transaction that gives it its number commits; that is one order
per document. A runner task per document takes the oldest unfinished one, so that a caller who
hangs up changes nothing. An operation ends exactly once, by a compare-and-set in the database;
whoever loses that race throws its work away. The answers of callers follow the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from redraft.api.clock import Clock
from redraft.api.errors import (
    MissingDocumentError,
    OverloadedError,
    Refusal,
    ServiceError,
    ShuttingDownError,
    StorageError,
    StorageFullError,
    Task,
    interrupted,
    refusal,
    timed_out,
)
from redraft.api.logs import error_origin, logger_for
from redraft.api.metadata.protocol import (
    Accepted,
    Change,
    Limits,
    MetadataError,
    Operation,
    OperationKind,
    Operations,
    OperationState,
    Outcome,
    Replayed,
    Submission,
)
from redraft.api.operations.document_lock import DocumentLock
from redraft.engine.errors import EngineError, NotFoundError

DEADLINE_SECONDS = 300.0
MOST_ATTEMPTS = 2
EventKind: TypeAlias = Literal[
    "queued", "started", "progress", "applied", "unchanged", "failed", "expired", "deleted"
]
NO_CHANGE = Change()
log = logger_for("redraft.operations")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a document, for whoever watches it."""

    kind: EventKind
    document: str
    operation: OperationKind | None = None
    uid: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a caller gets: status, JSON body, and how long it waited and ran (seconds)."""

    status: int
    body: bytes
    is_replay: bool = False
    queued: float = 0.0
    ran: float = 0.0


@dataclass(frozen=True, slots=True)
class Work:
    """What running an operation came to: its outcome, and the change made from version `base`."""

    outcome: Outcome
    change: Change = NO_CHANGE
    base: int = 0


class Execute(Protocol):
    """Does the work of one operation; `remaining` is how many seconds it has."""

    def __call__(self, operation: Operation, remaining: float) -> Awaitable[Work]:
        """Runs it; what it raises becomes the answer."""
        ...


@dataclass(slots=True)
class _Waiting:
    document: str
    answer: asyncio.Future[Answer]
    received: float
    started: float | None = None
    watch: asyncio.Task[None] | None = None


def task_of(kind: OperationKind) -> Task:
    """Says in which words an operation's failure is told."""
    return "edit" if kind in ("edit", "preview") else "read" if kind == "read" else "change"


def refused(answer: Refusal, state: OperationState = "failed", summary: str = "") -> Outcome:
    """Turns a refusal into the outcome of an operation; the history tells `summary`, or why."""
    shown_summary = summary or answer.detail
    return Outcome(state, answer.status, answer.body, answer.final, shown_summary)


def failure(error: BaseException, task: Task) -> Outcome:
    """Turns what was raised into the outcome of an operation."""
    summary = error.more if isinstance(error, NotFoundError) else ""
    return refused(refusal(error, task), summary=summary)


class Mailbox:
    """All mailboxes of this process.

    Args:
        operations: The numbered entries.
        turnstile: One document at a time.
        clock: When it is.
        execute: Does the work.
        announce: Told what happens; must not wait.
        limits: How much may wait.
    """

    def __init__(
        self,
        operations: Operations,
        document_lock: DocumentLock,
        clock: Clock,
        execute: Execute,
        announce: Callable[[Event], None],
        limits: Limits,
    ) -> None:
        self._operations = operations
        self._document_lock = document_lock
        self._clock = clock
        self._execute = execute
        self._announce = announce
        self._limits = limits
        self._waiting: dict[str, _Waiting] = {}
        self._running: dict[str, tuple[Operation, asyncio.Task[Work]]] = {}
        self._runners: dict[str, asyncio.Task[None]] = {}
        self._wanted: set[str] = set()
        self._is_draining = False

    @property
    def is_draining(self) -> bool:
        """Whether no more work is taken."""
        return self._is_draining

    @property
    def depth(self) -> int:
        """How many operations wait or run."""
        return len(self._waiting)

    async def submit(self, submission: Submission) -> Answer:
        """Accepts an operation and waits for its answer.

        Raises:
            MissingDocumentError, UidReusedError, OverloadedError, ShuttingDownError.
        """
        while True:
            if self._is_draining:
                raise ShuttingDownError
            waiting = self._expect(submission.id, submission.document, DEADLINE_SECONDS)
            try:
                accepted = await self._operations.accept(
                    submission, self._clock.now(), self._limits
                )
            except BaseException:
                self._forget(submission.id)
                raise
            if isinstance(accepted, Accepted) and not accepted.joined:
                self._tell("queued", accepted.operation)
                self._watch(accepted.operation)
                self._wake(submission.document)
                return await asyncio.shield(waiting.answer)
            self._forget(submission.id)
            if isinstance(accepted, Replayed):
                return Answer(accepted.status, accepted.body, is_replay=True)
            answer = await self._join(accepted.operation)
            if answer is not None:
                return answer

    async def cancel(self, document: str, uid: str, outcome: Outcome) -> Operation | None:
        """Cancels an edit that waits or runs; returns it as it was before, None if unknown."""
        operation = await self._operations.find(document, "edit", uid)
        if operation is not None and operation.state in ("queued", "running"):
            await self._conclude(operation, outcome)
        return operation

    async def recover(self) -> None:
        """Takes up again what a process that ended has left."""
        for operation in await self._operations.recover():
            self._expect(operation.id, operation.document, self._remaining(operation))
            self._watch(operation)
            self._wake(operation.document)

    async def sweep(self) -> None:
        """Wakes the runners of documents on which something waits, in case one of them broke."""
        if not self._is_draining:
            for document in await self._operations.waiting():
                self._wake(document)

    def vanish(self, document: str) -> None:
        """Answers whoever waits on a document that is no more."""
        self._fail(document, MissingDocumentError())

    async def drain(self, seconds: float) -> None:
        """Takes no more work, gives what runs some time, and leaves the rest for the next start."""
        self._is_draining = True
        for identifier in tuple(self._waiting):
            if identifier not in self._running:
                self._raise(identifier, ShuttingDownError())
        if self._runners:
            await asyncio.wait(tuple(self._runners.values()), timeout=seconds)
        for operation, task in tuple(self._running.values()):
            try:
                await self._operations.put_back(operation)
            except MetadataError as error:  # the next start takes it up as after a kill
                log.error(
                    "an operation could not be returned to the queue", origin=error_origin(error)
                )  # noqa: TRY400, RUF100 - a traceback may quote a document
            task.cancel()
            self._raise(operation.id, ShuttingDownError())
        if self._runners:
            await asyncio.wait(tuple(self._runners.values()))

    async def _join(self, operation: Operation) -> Answer | None:
        """Waits for an operation that somebody else asked for; None if it has ended meanwhile."""
        waiting = self._waiting.get(operation.id)
        if waiting is not None:
            return await asyncio.shield(waiting.answer)
        if await self._is_open(operation):
            self._wake(operation.document)
            await asyncio.sleep(0.05)
        return None

    async def _is_open(self, operation: Operation) -> bool:
        latest = await self._operations.find(operation.document, operation.kind, operation.uid)
        return latest is not None and latest.state in ("queued", "running")

    def _expect(self, identifier: str, document: str, remaining: float) -> _Waiting:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        received = self._clock.monotonic() - (DEADLINE_SECONDS - remaining)
        waiting = _Waiting(document, future, received)
        self._waiting[identifier] = waiting
        return waiting

    def _remaining(self, operation: Operation) -> float:
        """Says how many seconds are left since an operation was received, in wall time."""
        return DEADLINE_SECONDS - (self._clock.now() - operation.received_at)

    def _watch(self, operation: Operation) -> None:
        waiting = self._waiting.get(operation.id)
        if waiting is not None and waiting.watch is None:
            waiting.watch = asyncio.create_task(self._time_out(operation, waiting.received))

    async def _time_out(self, operation: Operation, received: float) -> None:
        remaining = received + DEADLINE_SECONDS - self._clock.monotonic()
        await self._clock.sleep(max(0.0, remaining))
        outcome = refused(timed_out(task_of(operation.kind)), "timed_out")
        try:
            await self._conclude(operation, outcome)
        except MetadataError as error:
            self._raise(operation.id, storage_error(error))

    async def _conclude(self, operation: Operation, outcome: Outcome) -> None:
        """Ends an operation without effect, and stops it if it runs; the database decides first."""
        if await self._operations.conclude(operation.id, outcome, self._clock.now()):
            running = self._running.get(operation.id)
            if running is not None:
                running[1].cancel()
            self._resolve(operation, outcome)

    def _wake(self, document: str) -> None:
        self._wanted.add(document)
        if document not in self._runners:
            # In a context of its own: it works for other requests than the one that woke it.
            self._runners[document] = asyncio.create_task(self._run(document), context=Context())

    async def _run(self, document: str) -> None:
        try:
            while document in self._wanted and not self._is_draining:
                self._wanted.discard(document)
                async with self._document_lock.turn(document):
                    await self._empty(document)
        except MetadataError as error:
            log.error("the database failed", document=document, origin=error_origin(error))  # noqa: TRY400, RUF100 - a traceback may quote a document
            self._fail(document, storage_error(error))
        finally:
            self._runners.pop(document, None)
            self._wanted.discard(document)

    async def _empty(self, document: str) -> None:
        while not self._is_draining:
            operation = await self._operations.take(document, self._clock.now())
            if operation is None:
                return
            if operation.state == "running":
                await self._perform(operation)
            else:  # the document's time is over
                gone = refused(refusal(MissingDocumentError()))
                await self._operations.abandon(document, gone, self._clock.now())
                self.vanish(document)

    async def _perform(self, operation: Operation) -> None:
        waiting = self._waiting.get(operation.id)
        if waiting is None:  # an answer about the database was given, and this is another try
            waiting = self._expect(operation.id, operation.document, self._remaining(operation))
        self._watch(operation)
        waiting.started = self._clock.monotonic()
        if operation.attempt > MOST_ATTEMPTS:
            outcome = refused(interrupted(task_of(operation.kind)))
            await self._finish(operation, Work(outcome))
            return
        remaining = waiting.received + DEADLINE_SECONDS - waiting.started
        if remaining <= 0:  # its time ran out while it waited: it must never begin
            await self._conclude(
                operation, refused(timed_out(task_of(operation.kind)), "timed_out")
            )
            return
        self._tell("started", operation)
        task = asyncio.ensure_future(self._execute(operation, remaining))
        self._running[operation.id] = (operation, task)
        try:
            await asyncio.wait((task,))
        finally:
            task.cancel()
            self._running.pop(operation.id, None)
        if not task.cancelled():
            await self._finish(operation, self._work_of(operation, task))

    def _work_of(self, operation: Operation, task: asyncio.Task[Work]) -> Work:
        error = task.exception()
        if error is None:
            return task.result()
        if not isinstance(error, (ServiceError, EngineError)):
            log.error("unexpected error", operation=operation.uid, origin=error_origin(error))
        return Work(failure(error, task_of(operation.kind)))

    async def _finish(self, operation: Operation, work: Work) -> None:
        try:
            committed = await self._operations.commit(
                operation, work.outcome, work.change, work.base, self._clock.now()
            )
        except OverloadedError as error:  # the owner's quota; nothing was changed
            work = Work(failure(error, task_of(operation.kind)))
            committed = await self._operations.commit(
                operation, work.outcome, work.change, work.base, self._clock.now()
            )
        if committed:
            self._resolve(operation, work.outcome)
            if work.change.is_deletion:
                self._announce(Event("deleted", operation.document))
                self.vanish(operation.document)

    def _resolve(self, operation: Operation, outcome: Outcome) -> None:
        waiting = self._forget(operation.id)
        if waiting is not None and not waiting.answer.done():
            now = self._clock.monotonic()
            started = now if waiting.started is None else waiting.started
            waiting.answer.set_result(
                Answer(
                    outcome.status,
                    outcome.body,
                    queued=started - waiting.received,
                    ran=now - started,
                )
            )
        kinds: dict[str, EventKind] = {"applied": "applied", "unchanged": "unchanged"}
        if outcome.state != "done":
            self._tell(kinds.get(outcome.state, "failed"), operation, outcome.summary)

    def _fail(self, document: str, error: ServiceError) -> None:
        for identifier, waiting in tuple(self._waiting.items()):
            if waiting.document == document:
                self._raise(identifier, error)

    def _raise(self, identifier: str, error: ServiceError) -> None:
        waiting = self._forget(identifier)
        if waiting is not None and not waiting.answer.done():
            waiting.answer.set_exception(error)
            waiting.answer.exception()  # nobody may be waiting: that is no fault to report

    def _forget(self, identifier: str) -> _Waiting | None:
        waiting = self._waiting.pop(identifier, None)
        watch = None if waiting is None else waiting.watch
        if watch is not None and watch is not asyncio.current_task():
            watch.cancel()
        return waiting

    def _tell(self, kind: EventKind, operation: Operation, note: str = "") -> None:
        self._announce(Event(kind, operation.document, operation.kind, operation.uid, note))


def storage_error(error: MetadataError) -> StorageError:
    """Turns a database fault into what a caller reads."""
    return StorageFullError() if error.full else StorageError(retry_after=5)
