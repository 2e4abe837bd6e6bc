"""Figures about the service for Prometheus: counts and times, never a name, an id or a text.

Labels take few values each: a route is its template, an outcome the state of an operation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from structlog.contextvars import bind_contextvars

from redraft.api.clock import Clock
from redraft.api.logs import logger_for
from redraft.api.metadata.protocol import Operation, Spending
from redraft.api.operations.execution import UnverifiedEdit
from redraft.api.operations.mailbox import Event, Execute, Troubles, Work
from redraft.api.operations.metering import Meter
from redraft.api.operations.planner import Planner
from redraft.api.operations.prices import Prices
from redraft.engine.errors import EngineError, ModelError
from redraft.engine.instruct import Calls, Instruction, Planned

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
UNROUTED = "other"
log = logger_for("redraft.operations")


@dataclass(frozen=True, slots=True)
class Totals:
    """How things stand at the moment they are asked for."""

    documents: int
    stored: int
    pending: int
    free: int | None = None
    """Bytes that are free where files and work are kept; None where nothing can be written."""
    is_confined: bool = False
    waiting: int = 0
    oldest: float = 0.0
    """For how many seconds the operation has waited that waits longest."""


@dataclass(frozen=True, slots=True)
class Sweeps:
    """What sweeps of this process came to: how many ended, failed, and documents that expired.

    `last_at` is the moment at which the last one began, 0 before there was one, and `last_seconds`
    how long it took.
    """

    count: int = 0
    failed: int = 0
    expired: int = 0
    last_at: float = 0.0
    last_seconds: float = 0.0


class Metrics:
    """Counts what happens.

    Args:
        clock: Times operations.
        stops: How many calls of workers were stopped so far, by reason.
        prices: What models cost.
    """

    def __init__(
        self,
        clock: Clock,
        stops: Callable[[], Mapping[str, int]],
        prices: Prices,
        troubles: Callable[[], Troubles] = Troubles,
    ) -> None:
        self._clock = clock
        self._prices = prices
        self._registry = CollectorRegistry()
        self._standing = _CurrentTotals(stops, troubles)
        self._registry.register(self._standing)
        self._requests = self._histogram(
            "redraft_request_seconds", "Requests answered", ("method", "route", "status"), QUICK
        )
        self._operations = self._histogram(
            "redraft_operation_seconds", "Operations that ran", ("kind", "outcome"), SLOW
        )
        self._queue = self._histogram(
            "redraft_queue_seconds", "Time that operations waited", ("kind",), QUICK
        )
        self._planning = self._histogram(
            "redraft_planning_seconds", "Planning of edits, by who planned", ("by",), SLOW
        )
        self._events = self._counter(
            "redraft_events", "What happened to documents and operations", ("event",)
        )
        self._asked = self._counter(
            "redraft_model_requests", "Requests that the model answered", ("model",)
        )
        self._tokens = self._counter(
            "redraft_model_tokens",
            "Tokens the model read, took from its cache, and wrote",
            ("model", "direction"),
        )
        self._unverified = self._counter(
            "redraft_unverified_edits",
            "Edits that did not pass the checks of the engine and were thrown away",
            ("format",),
        )
        self._cost = self._counter(
            "redraft_model_cost", "What models cost, where prices are set", ("model",)
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts a request."""
        self._requests.labels(method, route, str(status)).observe(seconds)

    def announce(self, event: Event) -> None:
        """Counts an event."""
        self._events.labels(event.kind).inc()

    def unverified(self, edit: UnverifiedEdit) -> None:
        """Counts an edit that broke a law, and logs what is needed to look for the fault."""
        self._unverified.labels(edit.format).inc()
        log.error(
            "an edit did not pass its checks",
            kind=edit.format,
            check=edit.check,
            file=edit.digest,
            plan=edit.plan,
        )

    def executing(self, execute: Execute) -> Execute:
        """Times operations, and logs each under its own ids."""

        async def timed(operation: Operation, remaining: float) -> Work:
            bind_contextvars(document=operation.document, operation=operation.uid)
            started = self._clock.monotonic()
            queued = max(0.0, self._clock.now() - operation.received_at)
            outcome = "stopped"
            try:
                work = await execute(operation, remaining)
                outcome = work.outcome.state
            except Exception:
                outcome = "failed"
                raise
            finally:
                ran = self._clock.monotonic() - started
                self._queue.labels(operation.kind).observe(queued)
                self._operations.labels(operation.kind, outcome).observe(ran)
                log.info(
                    "operation", kind=operation.kind, outcome=outcome, queued=queued, seconds=ran
                )
            return work

        return timed

    def planning(self, planner: Planner) -> Planner:
        """Times planning, and counts what models cost."""

        async def timed(calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
            return await self._planned(planner(calls, instruction, meter), meter)

        return timed

    def swept(self, sweeps: Sweeps) -> None:
        """Notes what sweeps came to."""
        self._standing.sweeps = sweeps

    def exposed(self, standing: Totals) -> bytes:
        """Writes all figures in the text format of Prometheus."""
        self._standing.now = standing
        return generate_latest(self._registry)

    async def _planned(self, planning: Awaitable[Planned], meter: Meter) -> Planned:
        started = self._clock.monotonic()
        by = "stopped"
        try:
            planned = await planning
            by = "interpreter" if planned.model is None else "model"
        except ModelError:
            by = "model_failed"
            raise
        except EngineError:
            by = "refused"
            raise
        finally:
            self._planning.labels(by).observe(self._clock.monotonic() - started)
            self._count(self._prices.spending(meter))
        return planned

    def _count(self, spending: Spending | None) -> None:
        if spending is None:
            return
        model = spending.model
        self._asked.labels(model).inc(spending.requests)
        for direction, tokens in (
            ("input", spending.input),
            ("cached", spending.cached),
            ("output", spending.output),
        ):
            self._tokens.labels(model, direction).inc(tokens)
        if spending.cost is not None:
            self._cost.labels(model).inc(spending.cost)
        log.info(
            "planned",
            model=model,
            requests=spending.requests,
            input=spending.input,
            cached=spending.cached,
            output=spending.output,
            cost=spending.cost,
        )

    def _histogram(
        self, name: str, meaning: str, labels: tuple[str, ...], buckets: tuple[float, ...]
    ) -> Histogram:
        return Histogram(name, meaning, labels, buckets=buckets, registry=self._registry)

    def _counter(self, name: str, meaning: str, labels: tuple[str, ...]) -> Counter:
        return Counter(name, meaning, labels, registry=self._registry)


class _CurrentTotals(Collector):
    """What is looked up when it is asked for."""

    def __init__(
        self, stops: Callable[[], Mapping[str, int]], troubles: Callable[[], Troubles]
    ) -> None:
        self.now = Totals(0, 0, 0)
        self.sweeps = Sweeps()
        self._stops = stops
        self._troubles = troubles

    def collect(self) -> Iterator[Metric]:
        now = self.now
        free = -1 if now.free is None else now.free
        for name, meaning, value in (
            ("redraft_documents", "Documents that are kept", now.documents),
            ("redraft_stored_bytes", "Bytes of all versions of all documents", now.stored),
            ("redraft_operations_pending", "Operations that wait or run", now.pending),
            ("redraft_free_bytes", "Bytes that are free; -1 if none can be written", free),
            ("redraft_workers_confined", "1 if workers are confined", now.is_confined),
            ("redraft_last_sweep_timestamp_seconds", "When it began", self.sweeps.last_at),
            ("redraft_last_sweep_seconds", "How long it took", self.sweeps.last_seconds),
            ("redraft_queue_depth", "Operations that wait", now.waiting),
            ("redraft_queue_oldest_seconds", "How long the oldest has waited", now.oldest),
        ):
            yield GaugeMetricFamily(name, meaning, value)
        sweeps = CounterMetricFamily("redraft_sweeps", "Sweeps", labels=("outcome",))
        sweeps.add_metric(("done",), self.sweeps.count)
        sweeps.add_metric(("failed",), self.sweeps.failed)
        yield sweeps
        troubles = self._troubles()
        for name, meaning, count in (
            (
                "redraft_leases_lost",
                "Operations stopped as ended or taken over",
                troubles.leases_lost,
            ),
            ("redraft_commits_refused", "Commits that came too late", troubles.commits_refused),
            ("redraft_database_retries", "Commits tried again", troubles.database_retries),
        ):
            yield CounterMetricFamily(name, meaning, count)
        stops = CounterMetricFamily(
            "redraft_worker_stops", "Worker processes that were ended in a call", labels=("reason",)
        )
        for reason, count in self._stops().items():
            stops.add_metric((reason,), count)
        yield stops
