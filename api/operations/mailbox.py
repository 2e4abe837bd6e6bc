"""The mailbox of each document: accept, take turns, run, commit; deadlines, replays, shutdown.

An operation is received when the transaction that gives it its number commits; that is one order
per document. A runner task per document takes the oldest unfinished one, so that a caller who
hangs up changes nothing. It runs under a hold, which one process has at a time and which another
takes over when it is not renewed. An operation ends exactly once, by a compare-and-set in the
database; whoever loses that race throws its work away. The answers of callers follow the database,
which is asked for those that another process gives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextvars import Context
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias
from uuid import uuid4

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
    DEADLINE_SECONDS,
    Accepted,
    Change,
    Hold,
    Limits,
    MetadataError,
    Operation,
    OperationKind,
    Operations,
    OperationState,
    Outcome,
    Replayed,
    Submission,
    Taken,
)
from redraft.engine.errors import EngineError, NotFoundError

MOST_ATTEMPTS = 2
LEASE_SECONDS = 15.0
"""How long a hold lasts that is not renewed."""
RENEWALS = 3
"""How often a hold is renewed in that time."""
POLL_SECONDS = 1.0
"""How often the database is asked for what other processes did, and for what nobody does."""
RETRY_SECONDS = 0.5
"""How long after a commit that broke off the next one is tried."""
MOST_RUNNERS = 256
"""Documents that this process works on at once."""
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


@dataclass(slots=True)
class Troubles:
    """What went wrong between this process and the database, so far."""

    leases_lost: int = 0
    commits_refused: int = 0
    database_retries: int = 0


class Execute(Protocol):
    """Does the work of one operation; `remaining` is how many seconds it has."""

    def __call__(self, operation: Operation, remaining: float) -> Awaitable[Work]:
        """Runs it; what it raises becomes the answer."""
        ...


@dataclass(slots=True)
class _Waiting:
    document: str
    answer: asyncio.Future[Answer | None]
    """None: it was answered elsewhere, and the answer was not kept."""
    received: float
    is_accepted: bool = False
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
        clock: When it is.
        execute: Does the work.
        announce: Told what happens; must not wait.
        limits: How much may wait.
        lease_seconds: How long a hold lasts that is not renewed.
    """

    def __init__(
        self,
        operations: Operations,
        clock: Clock,
        execute: Execute,
        announce: Callable[[Event], None],
        limits: Limits,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._operations = operations
        self._clock = clock
        self._execute = execute
        self._announce = announce
        self._limits = limits
        self._lease_seconds = lease_seconds
        self.troubles = Troubles()
        self._waiting: dict[str, _Waiting] = {}
        self._running: dict[str, tuple[Taken, asyncio.Task[Work]]] = {}
        self._runners: dict[str, asyncio.Task[None]] = {}
        self._wanted: set[str] = set()
        self._renewed = clock.monotonic()
        self._nudged = asyncio.Event()
        self._is_told = False
        self._finishing: set[str] = set()
        self._is_draining = False

    @property
    def is_draining(self) -> bool:
        """Whether no more work is taken."""
        return self._is_draining

    @property
    def is_busy(self) -> bool:
        """Whether this process works on any document."""
        return bool(self._runners)

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
            else:
                self._forget(submission.id)
            if isinstance(accepted, Replayed):
                return Answer(accepted.status, accepted.body, is_replay=True)
            if accepted.joined:
                waiting = self._joined(accepted.operation)
            waiting.is_accepted = True
            self._watch(accepted.operation)
            self._wake(submission.document)
            answer = await asyncio.shield(waiting.answer)
            if answer is not None:
                return answer
            # Another process read for somebody else, and kept nothing: a read is done again.
            submission = replace(submission, id=uuid4().hex)

    async def cancel(self, document: str, uid: str, outcome: Outcome) -> Operation | None:
        """Cancels an edit that waits or runs; returns it as it was before, None if unknown."""
        operation = await self._operations.find(document, "edit", uid)
        if operation is not None and operation.state in ("queued", "running"):
            await self._conclude(operation, outcome)
        return operation

    async def recover(self) -> None:
        """Takes up again what a process that ended has left."""
        await self._operations.recover()
        await self.sweep()

    async def run(self) -> None:
        """Sweeps for ever: at once when something was heard, else every second."""
        seconds = min(POLL_SECONDS, self._lease_seconds / RENEWALS)
        while True:
            nudge = asyncio.ensure_future(self._nudged.wait())
            pause = asyncio.ensure_future(self._clock.sleep(seconds))
            try:
                await asyncio.wait((nudge, pause), return_when=asyncio.FIRST_COMPLETED)
            finally:
                nudge.cancel()
                pause.cancel()
            self._nudged.clear()
            try:
                await self.sweep()
            except MetadataError as error:
                log.error("the database failed", origin=error_origin(error))  # noqa: TRY400, RUF100 - a traceback may quote a document

    def hear(self, document: str) -> None:
        """Looks at once what another process did to a document, if anybody here waits for it."""
        if document in self._runners or any(
            waiting.document == document for waiting in self._waiting.values()
        ):
            self._is_told = True
            self._nudged.set()

    async def sweep(self) -> None:
        """Keeps holds, gives the answers of other processes, and takes up what nobody works on."""
        try:
            await self._renew()
        finally:
            if self._clock.monotonic() - self._renewed > 0.8 * self._lease_seconds:
                self._stop(self._running)  # another process may take over what runs here
        await self._collect()
        now = self._clock.now()
        for operation in await self._operations.overdue(now):
            await self._conclude(
                operation, refused(timed_out(task_of(operation.kind)), "timed_out")
            )
        room = MOST_RUNNERS - len(self._runners)
        if not self._is_draining and room > 0:
            for document in await self._operations.due(room, now):
                self._wake(document)

    def vanish(self, document: str) -> None:
        """Answers whoever waits on a document that is no more."""
        self._fail(document, MissingDocumentError())

    async def drain(self, seconds: float) -> None:
        """Takes no more work, gives what runs some time, and leaves the rest to whoever is next.

        That is the next start, or another process: then callers wait for its answers meanwhile.
        """
        self._is_draining = True
        if not self._operations.is_shared:
            self._turn_away()
        if self._runners:
            await asyncio.wait(tuple(self._runners.values()), timeout=seconds)
        for taken, task in tuple(self._running.values()):
            await self._let_go(taken.hold)
            task.cancel()
            self._raise(taken.operation.id, ShuttingDownError())
        if self._runners:
            await asyncio.wait(tuple(self._runners.values()))
        self._turn_away()

    def _turn_away(self) -> None:
        """Tells those to come again whose operations do not run here."""
        for identifier in tuple(self._waiting):
            if identifier not in self._running:
                self._raise(identifier, ShuttingDownError())

    async def _let_go(self, hold: Hold) -> None:
        try:
            await self._operations.release(hold)
        except MetadataError as error:  # whoever is next takes it up as after a kill
            log.error("an operation could not be returned to the queue", origin=error_origin(error))  # noqa: TRY400, RUF100 - a traceback may quote a document

    async def _renew(self) -> None:
        """Keeps the holds of what runs, and stops what was ended or taken over meanwhile."""
        now = self._clock.monotonic()
        running = dict(self._running)
        is_early = now - self._renewed < self._lease_seconds / RENEWALS
        if running and is_early and not self._is_told:
            return
        self._is_told = False
        if running:
            kept = await self._operations.renew(
                [taken for taken, _ in running.values()], self._clock.now()
            )
            self.troubles.leases_lost += len(running.keys() - kept)
            self._stop(running.keys() - kept)
        self._renewed = now

    def _stop(self, identifiers: Iterable[str]) -> None:
        for identifier in tuple(identifiers):
            running = self._running.get(identifier)
            if running is not None:
                running[1].cancel()

    async def _collect(self) -> None:
        """Gives callers the answers that other processes have written down."""
        elsewhere = {
            identifier: waiting
            for identifier, waiting in self._waiting.items()
            if waiting.is_accepted
            and identifier not in self._running
            and identifier not in self._finishing
        }
        if not elsewhere:
            return
        answers = await self._operations.answers(elsewhere)
        for identifier, waiting in elsewhere.items():
            if identifier not in answers:
                self._raise(identifier, MissingDocumentError())
                continue
            answered = answers[identifier]
            if answered is None or self._forget(identifier) is None or waiting.answer.done():
                continue
            if answered.body is None:
                waiting.answer.set_result(None)
            else:
                spent = self._clock.monotonic() - waiting.received
                waiting.answer.set_result(Answer(answered.status, answered.body, queued=spent))

    def _joined(self, operation: Operation) -> _Waiting:
        """Waits with whoever asked for an operation before, perhaps of another process."""
        waiting = self._waiting.get(operation.id)
        if waiting is None:
            remaining = operation.deadline - self._clock.now()
            waiting = self._expect(operation.id, operation.document, remaining)
        return waiting

    def _expect(self, identifier: str, document: str, remaining: float) -> _Waiting:
        future: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        received = self._clock.monotonic() - (DEADLINE_SECONDS - remaining)
        waiting = _Waiting(document, future, received)
        self._waiting[identifier] = waiting
        return waiting

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
            self._stop((operation.id,))
            self._resolve(operation, outcome)

    def _wake(self, document: str) -> None:
        self._wanted.add(document)
        if document not in self._runners:
            # In a context of its own: it works for other requests than the one that woke it.
            self._runners[document] = asyncio.create_task(self._work(document), context=Context())

    async def _work(self, document: str) -> None:
        try:
            while document in self._wanted and not self._is_draining:
                self._wanted.discard(document)
                await self._empty(document)
        except MetadataError as error:
            log.error("the database failed", document=document, origin=error_origin(error))  # noqa: TRY400, RUF100 - a traceback may quote a document
            self._fail(document, storage_error(error))
        finally:
            self._runners.pop(document, None)
            self._wanted.discard(document)

    async def _empty(self, document: str) -> None:
        hold: Hold | None = None
        while not self._is_draining:
            taken = await self._operations.take(document, hold, self._clock.now())
            if taken is None:
                return
            hold = taken.hold
            if taken.operation.state == "running":
                await self._perform(taken)
            else:  # the document's time is over
                gone = refused(refusal(MissingDocumentError()))
                await self._operations.abandon(document, gone, self._clock.now())
                self.vanish(document)
        if hold is not None:
            await self._let_go(hold)

    async def _perform(self, taken: Taken) -> None:
        operation = taken.operation
        waiting = self._waiting.get(operation.id)
        if waiting is not None:
            waiting.started = self._clock.monotonic()
        if operation.attempt > MOST_ATTEMPTS:
            outcome = refused(interrupted(task_of(operation.kind)))
            await self._finish(taken, Work(outcome))
            return
        if taken.remaining <= 0:  # its time ran out while it waited: it must never begin
            await self._conclude(
                operation, refused(timed_out(task_of(operation.kind)), "timed_out")
            )
            return
        self._tell("started", operation)
        task = asyncio.ensure_future(self._execute(operation, taken.remaining))
        if not self._running:
            self._renewed = self._clock.monotonic()
        self._running[operation.id] = (taken, task)
        try:
            await asyncio.wait((task,))
        finally:
            task.cancel()
            self._running.pop(operation.id, None)
        if not task.cancelled():
            await self._finish(taken, self._work_of(operation, task))

    def _work_of(self, operation: Operation, task: asyncio.Task[Work]) -> Work:
        error = task.exception()
        if error is None:
            return task.result()
        if not isinstance(error, (ServiceError, EngineError)):
            log.error("unexpected error", operation=operation.uid, origin=error_origin(error))
        return Work(failure(error, task_of(operation.kind)))

    async def _finish(self, taken: Taken, work: Work) -> None:
        operation = taken.operation
        self._finishing.add(operation.id)
        try:
            try:
                committed = await self._commit(taken, work)
            except OverloadedError as error:  # the owner's quota; nothing was changed
                work = Work(failure(error, task_of(operation.kind)))
                committed = await self._commit(taken, work)
            if committed:
                self._resolve(operation, work.outcome)
        finally:
            self._finishing.discard(operation.id)
        self.troubles.commits_refused += not committed
        if committed and work.change.is_deletion:
            self._announce(Event("deleted", operation.document))
            self.vanish(operation.document)

    async def _commit(self, taken: Taken, work: Work) -> bool:
        """Commits; tries again as long as the hold may last, where another process may be asked.

        Whether a commit that broke off has happened is not known. If so, the next one is refused,
        and the caller gets the answer that was committed as from another process.
        """
        outcome = work.outcome
        if taken.operation.kind == "read" and taken.operation.id in self._waiting:
            outcome = replace(outcome, body=b"")  # it is long, and given from here
        began = self._clock.monotonic()
        while True:
            try:
                return await self._operations.commit(
                    taken, outcome, work.change, work.base, self._clock.now()
                )
            except MetadataError:
                is_late = self._clock.monotonic() - began > self._lease_seconds
                if is_late or not self._operations.is_shared:
                    raise
            self.troubles.database_retries += 1
            await self._clock.sleep(RETRY_SECONDS)

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
