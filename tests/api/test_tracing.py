"""Traces, figures and readiness: what an operator watches, without a word of a document."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from redraft.api.app import Application, Externals, running
from redraft.api.clock import SystemClock
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.tracing import NO_TRACES, Tracing
from tests.api import fake_planner
from tests.api.fake_engine import FakeEngine, docx

CANARY = "canaryword"


class Workers(InProcess):
    is_confined = True


@asynccontextmanager
async def service(
    data: Path, workers: InProcess, tracing: Tracing = NO_TRACES, **options: Any
) -> AsyncGenerator[tuple[Application, httpx.AsyncClient]]:
    externals = Externals(FakeEngine(workers), fake_planner.plan, SystemClock(), tracing=tracing)
    settings = Settings(data_dir=data, api_keys=("one",), **options)
    async with running(settings, externals) as application:
        transport = httpx.ASGITransport(application.asgi)  # pyright: ignore[reportArgumentType] - the scope has another name
        headers = {"Authorization": "Bearer one"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://here", headers=headers
        ) as client:
            yield application, client


def told(span: ReadableSpan) -> str:
    return f"{span.to_json()} {span.events} {span.status.description}"


async def test_each_stage_is_a_span_and_none_has_a_text(tmp_path: Path) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing = Tracing(provider.get_tracer("test"))
    async with service(tmp_path, Workers(), tracing) as (_, client):
        files = {"file": (f"{CANARY}.docx", docx(CANARY))}
        name = (await client.post("/v1/documents/", files=files)).json()["docId"]
        exporter.clear()
        for text in (f"replace {CANARY} with b", f"replace {CANARY} with c"):
            body = {"editUid": str(uuid4()), "editInstructions": text}
            await client.post(f"/v1/documents/{name}/edits", json=body)
    spans = exporter.get_finished_spans()
    assert CANARY not in " ".join(map(told, spans))
    stages = [span.name for span in spans]
    of_worker = ["worker interpret", "planning", "worker edit", "storing"]
    assert stages[:6] == [*of_worker, "operation edit", "request"]
    by_name = {span.name: span for span in spans[:6]}
    operation = by_name["operation edit"]
    assert operation.context is not None
    for inner in ("planning", "worker edit", "storing"):
        parent = by_name[inner].parent
        assert parent is not None
        assert parent.span_id == operation.context.span_id
    attributes = by_name["request"].attributes
    assert attributes is not None
    assert attributes["redraft.route"] == "/v1/documents/{doc_id}/edits"
    assert attributes["redraft.status"] == 200
    attributes = dict(operation.attributes or {})
    assert attributes["redraft.document"] == name
    assert 0 <= float(str(attributes["redraft.queue_seconds"])) < 60


async def test_figures_tell_of_sweeps_disk_and_confinement(tmp_path: Path) -> None:
    async with service(tmp_path, Workers()) as (application, client):
        await application.sweep()
        lines = (await client.get("/metrics")).text.splitlines()
        figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        assert float(figures["redraft_free_bytes"]) > 0
        assert float(figures["redraft_workers_confined"]) == 1
        assert float(figures['redraft_sweeps_total{outcome="done"}']) >= 2
        assert float(figures["redraft_last_sweep_timestamp_seconds"]) > 1_700_000_000
        shutil.rmtree(tmp_path / "documents")
        lines = (await client.get("/metrics")).text.splitlines()
        assert "redraft_free_bytes -1.0" in lines


async def test_readiness_names_what_is_missing(tmp_path: Path) -> None:
    async with service(tmp_path, InProcess()) as (_, client):
        checks = (await client.get("/ready")).json()["checks"]
        assert checks["confinement"].startswith("missing")
    workers = Workers()
    async with service(tmp_path, workers, confinement="require") as (_, client):
        assert (await client.get("/ready")).json()["checks"]["confinement"] == "ok"
        workers.is_confined = False
        answer = await client.get("/ready")
        assert (answer.status_code, "confinement: missing" in answer.text) == (503, True)
    async with service(tmp_path, Workers()) as (_, client):
        shutil.rmtree(tmp_path / "documents")
        answer = await client.get("/ready")
        assert (answer.status_code, "storage: a folder" in answer.text) == (503, True)
