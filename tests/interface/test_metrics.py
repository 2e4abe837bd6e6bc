"""The figures for Prometheus, against a real server process."""

from __future__ import annotations

from collections.abc import Callable, Generator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.api.fake_engine import docx
from tests.interface.requests import Background, Gate
from tests.interface.server_process import ServerProcess, edit, read, uid, upload, wait_for

pytestmark = pytest.mark.process

Launch = Callable[..., ServerProcess]
Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


def figures(client: httpx.Client) -> Figures:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def figure(found: Figures, name: str, **labels: str) -> float:
    return found.get((name, frozenset(labels.items())), 0.0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> ServerProcess:
    return ServerProcess(tmp_path_factory.mktemp("metrics"), staged=True, edit_seconds=0.5)


@pytest.fixture(scope="module", autouse=True)
def running(server: ServerProcess) -> Generator[ServerProcess]:
    yield server.start()
    server.close()


@pytest.fixture(scope="module")
def found(server: ServerProcess) -> Figures:
    """What stands there after a little of everything."""
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        edit(client, document, "replace hello with goodbye")
        edit(client, document, "ask replace goodbye with hello")
        edit(client, document, "replace absent with b")
        edit(client, document, "change nothing")
        edit(client, document, "model down")
        edit(client, document, "die")
        edit(client, document, "spin 3600")
        read(client, document)
        client.get(f"/v1/documents/{uid()}")
        client.get("/nowhere")
        return figures(client)


def test_metrics_need_a_key(server: ServerProcess) -> None:
    with server.client(None) as nobody:
        assert nobody.get("/metrics").status_code == 401


@pytest.mark.parametrize(
    ("method", "route", "status", "count"),
    [
        ("POST", "/v1/documents", "200", 1),
        ("POST", "/v1/documents/{doc_id}/edits", "200", 3),
        ("POST", "/v1/documents/{doc_id}/edits", "500", 4),
        ("POST", "/v1/documents/{doc_id}/markdown", "200", 1),
        ("GET", "/v1/documents/{doc_id}", "404", 1),
        ("GET", "other", "404", 1),
    ],
)
def test_requests_are_counted_by_method_route_and_status(
    found: Figures, method: str, route: str, status: str, count: int
) -> None:
    labels = {"method": method, "route": route, "status": status}
    assert figure(found, "redraft_request_seconds_count", **labels) == count
    assert figure(found, "redraft_request_seconds_sum", **labels) > 0


@pytest.mark.parametrize(
    ("kind", "outcome", "count"),
    [("edit", "applied", 2), ("edit", "unchanged", 1), ("edit", "failed", 4), ("read", "done", 1)],
)
def test_operations_are_timed_by_kind_and_outcome(
    found: Figures, kind: str, outcome: str, count: int
) -> None:
    labels = {"kind": kind, "outcome": outcome}
    assert figure(found, "redraft_operation_seconds_count", **labels) == count
    assert figure(found, "redraft_operation_seconds_sum", **labels) > 0
    waited = figure(found, "redraft_queue_seconds_count", kind=kind)
    assert waited >= count


def test_the_use_of_models_is_counted(found: Figures) -> None:
    model = "fake-model"
    assert figure(found, "redraft_model_requests_total", model=model) == 1
    tokens = {
        direction: figure(found, "redraft_model_tokens_total", model=model, direction=direction)
        for direction in ("input", "cached", "output")
    }
    assert tokens == {"input": 100, "cached": 40, "output": 7}
    assert figure(found, "redraft_planning_seconds_count", by="model") == 1
    assert figure(found, "redraft_planning_seconds_count", by="model_failed") == 1


def test_workers_that_were_stopped_are_counted_by_reason(found: Figures) -> None:
    assert figure(found, "redraft_worker_stops_total", reason="died") == 1
    assert figure(found, "redraft_worker_stops_total", reason="timed out") == 1


def test_what_is_there_and_what_waits_are_told(found: Figures) -> None:
    assert figure(found, "redraft_documents") == 1
    assert figure(found, "redraft_stored_bytes") > 3 * len(docx("hello"))
    assert figure(found, "redraft_operations_pending") == 0
    assert figure(found, "redraft_events_total", event="applied") == 2


def test_what_waits_and_what_expires_is_told(launch: Launch, gate: Gate) -> None:
    server = launch(sweep_seconds=0.2)
    with server.client() as client:
        document = upload(client, docx("hello world"), ttl_seconds=300)["docId"]

        def pending() -> float:
            return figure(figures(client), "redraft_operations_pending")

        held = gate.before("change nothing")
        waiting = [Background(lambda: edit(client, document, held)) for _ in range(2)]
        wait_for(lambda: pending() == 2)
        gate.open()
        assert {each.answer().status_code for each in waiting} == {200}
        assert pending() == 0
        server.advance(301)
        wait_for(lambda: figure(figures(client), "redraft_events_total", event="expired") == 1)
        assert figure(figures(client), "redraft_documents") == 0
