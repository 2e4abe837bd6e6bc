"""Traces of stages for OpenTelemetry: names, kinds, ids and times, never a text.

A request, an operation with the time that it waited, its planning, each call of a worker and each
file that is stored are spans. Where they are sent is
said by the variables of OpenTelemetry itself (OTEL_EXPORTER_OTLP_ENDPOINT and so on). Nothing is
taken from requests: a client does not choose what is traced.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

from redraft.api.files.protocol import FileStore, StoredObject
from redraft.api.metadata.protocol import DEADLINE_SECONDS, Operation
from redraft.api.operations.mailbox import Execute, Work
from redraft.api.operations.metering import Meter
from redraft.api.operations.planner import Planner
from redraft.api.sandbox.workers import Workers
from redraft.api.settings import SettingError, variable
from redraft.engine.instruct import Calls, Instruction, Planned

EXPORTERS = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
T = TypeVar("T")


class Span(Protocol):
    """A stage that goes on."""

    def set_attribute(self, key: str, value: str | int | float) -> object:  # noqa: PYI041, RUF100 - its own signature
        """Says something about it."""
        ...


class Tracer(Protocol):
    """What makes spans: a tracer of OpenTelemetry."""

    def start_as_current_span(
        self, name: str, *, record_exception: bool, set_status_on_exception: bool
    ) -> Any:
        """Begins a stage within the one that goes on."""
        ...


class _NoSpan:
    def set_attribute(self, key: str, value: str | float) -> None:
        """Says it to nobody."""


class Tracing:
    """Makes spans.

    Args:
        tracer: What makes them; None for none.
        close: Sends what was not sent yet.
    """

    def __init__(
        self, tracer: Tracer | None = None, close: Callable[[], None] = lambda: None
    ) -> None:
        self._tracer = tracer
        self.close = close

    @contextmanager
    def span(self, name: str, told: Mapping[str, str | float] | None = None) -> Generator[Span]:
        """Traces a stage as long as the block lasts."""
        if self._tracer is None:
            yield _NoSpan()
            return
        # What an exception says may quote a document.
        with self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        ) as span:
            for key, value in (told or {}).items():
                span.set_attribute(f"redraft.{key}", value)
            yield span

    def executing(self, execute: Execute) -> Execute:
        """Traces operations."""
        if self._tracer is None:
            return execute

        async def traced(operation: Operation, remaining: float) -> Work:
            waited = DEADLINE_SECONDS - remaining
            told = {
                "document": operation.document,
                "operation": operation.uid,
                "queue_seconds": round(waited, 6),
            }
            with self.span(f"operation {operation.kind}", told) as span:
                work = await execute(operation, remaining)
                span.set_attribute("redraft.outcome", work.outcome.state)
                return work

        return traced

    def planning(self, planner: Planner) -> Planner:
        """Traces planning."""
        if self._tracer is None:
            return planner

        async def traced(calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
            with self.span("planning") as span:
                planned = await planner(calls, instruction, meter)
                span.set_attribute(
                    "redraft.by", "interpreter" if planned.model is None else "model"
                )
                return planned

        return traced

    def files(self, files: FileStore) -> FileStore:
        """Traces what is stored."""
        return files if self._tracer is None else _TracedFiles(files, self)

    def workers(self, workers: Workers) -> Workers:
        """Traces calls of workers."""
        return workers if self._tracer is None else _TracedWorkers(workers, self)


class _TracedWorkers:
    def __init__(self, workers: Workers, tracing: Tracing) -> None:
        self._workers = workers
        self._tracing = tracing
        self.start, self.stop, self.stops = workers.start, workers.stop, workers.stops

    @property
    def is_confined(self) -> bool:
        return self._workers.is_confined

    async def call(
        self, function: Callable[..., T], *arguments: Any, seconds: float, owner: str = ""
    ) -> T:
        with self._tracing.span(f"worker {function.__name__}"):
            return await self._workers.call(function, *arguments, seconds=seconds, owner=owner)


class _TracedFiles:
    def __init__(self, files: FileStore, tracing: Tracing) -> None:
        self._files = files
        self._tracing = tracing
        self.prepare, self.scratch, self.at_hand = files.prepare, files.scratch, files.at_hand
        self.load, self.verify, self.size, self.read = (
            files.load,
            files.verify,
            files.size,
            files.read,
        )
        self.discard, self.clear = files.discard, files.clear
        self.documents, self.free = files.documents, files.free

    async def keep(self, scratch: Path, key: str) -> StoredObject:
        with self._tracing.span("storing"):
            return await self._files.keep(scratch, key)

    async def put(self, data: bytes, key: str) -> StoredObject:
        with self._tracing.span("storing"):
            return await self._files.put(data, key)


NO_TRACES = Tracing()


def open_traces() -> Tracing:
    """Sends traces to where the variables of OpenTelemetry say.

    Raises:
        SettingError: what it needs is not installed.
    """
    try:
        exporters = import_module(EXPORTERS)
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        message = f"{variable('traces')}=on needs the extra `otel`: pip install 'redraft[otel]'"
        raise SettingError(message) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "redraft"}))
    provider.add_span_processor(BatchSpanProcessor(exporters.OTLPSpanExporter()))
    return Tracing(provider.get_tracer("redraft"), provider.shutdown)
