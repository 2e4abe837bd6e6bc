"""The rarer rows of the table of situations: races, lost clients, clocks, halves of things."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.fake_engine import docx
from tests.interface.requests import (
    Background,
    Gate,
    document_info,
    history,
    markdown,
    new,
    post_edit,
    state_of,
)
from tests.interface.server_process import KEY, ServerProcess, edit, read, uid, wait_for

Launch = Callable[..., ServerProcess]
GONE = {"detail": "Document not found or has expired"}
LATER = {"detail": "Edit operation timed out after 5 minutes"}
ROUNDS = 12


def test_a_result_in_the_instant_of_the_deadline_is_one_of_the_two_and_never_both(
    staged: ServerProcess, client: httpx.Client
) -> None:
    chance = random.Random(7)  # noqa: S311 - a spread of moments, no secret
    for _ in range(ROUNDS):
        document, edit_uid = new(client), uid()
        running = Background(
            lambda document=document, edit_uid=edit_uid: post_edit(
                client, document, edit_uid, "wait 0.1 replace hello with goodbye"
            )
        )
        wait_for(lambda d=document, e=edit_uid: state_of(client, d, e) in ("running", "applied"))
        time.sleep(chance.uniform(0.0, 0.12))
        staged.advance(301)
        answer = running.answer()
        state = state_of(client, document, edit_uid)
        version = document_info(client, document)["version"]
        if answer.status_code == 200:
            assert (state, version, markdown(client, document)) == ("applied", 1, "goodbye world")
        else:
            assert (answer.status_code, answer.json()) == (408, LATER)
            assert (state, version, markdown(client, document)) == ("timed_out", 0, "hello world")


def test_a_client_that_hangs_up_while_it_waits_in_the_queue_changes_nothing(
    client: httpx.Client, gate: Gate
) -> None:
    document, slow, lost = new(client), uid(), uid()
    held = gate.before("change nothing")
    running = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    body = {"editUid": lost, "editInstructions": "replace hello with goodbye"}
    path = f"/v1/documents/{document}/edits"
    with pytest.raises(httpx.ReadTimeout):
        client.post(path, json=body, timeout=httpx.Timeout(60, read=0.3))
    wait_for(lambda: state_of(client, document, lost) == "queued")
    assert not running.is_done
    gate.open()
    assert client.post(path, json=body).json()["editApplied"] is True
    assert document_info(client, document)["version"] == 1


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("replace hello with half-way", "The edit did not pass its checks"),
        ("plan badly", "The plan does not fit the document"),
        ("model broken", "Internal error"),
    ],
    ids=["not verified", "invalid plan", "unforeseen"],
)
def test_an_edit_that_fails_half_way_leaves_no_file_and_may_be_tried_again(
    staged: ServerProcess, client: httpx.Client, instruction: str, reason: str
) -> None:
    document, edit_uid = new(client), uid()
    folder = staged.data / "documents" / document
    before = sorted(file.name for file in folder.iterdir())
    answer = post_edit(client, document, edit_uid, instruction)
    assert answer.status_code == 500
    assert answer.json() == {"detail": f"Edit operation failed: {reason}"}
    assert sorted(file.name for file in folder.iterdir()) == before
    assert client.get(f"/v1/documents/{document}/download").content == docx("hello world")
    assert "idempotent-replayed" not in post_edit(client, document, edit_uid, instruction).headers


def test_what_is_tried_again_runs_at_the_end_of_the_queue_and_both_tries_are_in_the_history(
    client: httpx.Client, gate: Gate
) -> None:
    document, again, slow = new(client), uid(), uid()
    assert post_edit(client, document, again, "model down").status_code == 500
    held = gate.before("change nothing")
    running = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    retried = Background(lambda: post_edit(client, document, again, "model down"))
    wait_for(lambda: document_info(client, document)["pending"] == 2)
    assert not retried.is_done
    gate.open()
    assert (running.answer().status_code, retried.answer().status_code) == (200, 500)
    told = [(entry["editUid"], entry["state"]) for entry in history(client, document)]
    assert told == [(again, "failed"), (slow, "unchanged"), (again, "failed")]


def test_the_history_is_in_the_order_received(client: httpx.Client, gate: Gate) -> None:
    document, slow = new(client), uid()
    held = gate.before("change nothing")
    waiting = [Background(lambda: post_edit(client, document, slow, held))]
    wait_for(lambda: state_of(client, document, slow) == "running")
    sent = [slow]
    for number in range(5):
        edit_uid = uid()
        sent.append(edit_uid)
        text = f"replace hello with {number} hello"
        waiting.append(Background(lambda e=edit_uid, t=text: post_edit(client, document, e, t)))
        wait_for(lambda e=edit_uid: state_of(client, document, e) == "queued")
    gate.open()
    assert {each.answer().status_code for each in waiting} == {200}
    entries = history(client, document)
    assert [entry["editUid"] for entry in entries] == sent
    moments = [entry["finishedAt"] for entry in entries]
    assert moments == sorted(moments)
    assert markdown(client, document) == "0 1 2 3 4 hello world"


def test_a_read_in_flight_is_joined(client: httpx.Client, gate: Gate) -> None:
    document, slow, read_uid = new(client), uid(), uid()
    held = gate.before("change nothing")
    running = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    reads = [Background(lambda: read(client, document, readUid=read_uid)) for _ in range(3)]
    wait_for(lambda: document_info(client, document)["pending"] == 2)
    gate.open()
    assert len({each.answer().content for each in reads}) == 1
    assert document_info(client, document)["pending"] == 0
    assert running.answer().status_code == 200


def test_the_markdown_of_a_version_is_kept_beside_its_file_and_shared_by_its_reads(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client)
    assert markdown(client, document) == "hello world"
    (kept,) = (staged.data / "documents" / document).glob("*.final")
    kept.write_text(json.dumps({"markdown": "what is kept", "notices": []}))
    assert markdown(client, document) == "what is kept"
    edit(client, document, "replace hello with goodbye")
    assert markdown(client, document) == "goodbye world"


def test_a_document_is_404_from_the_moment_it_expires_without_any_sweep(launch: Launch) -> None:
    server = launch(sweep_seconds=3600)
    with server.client() as client:
        document = new(client, ttl_seconds=300)
        server.advance(295)
        assert read(client, document).status_code == 200
        server.advance(6)
        assert (read(client, document).status_code, read(client, document).json()) == (404, GONE)
        assert (server.data / "documents" / document).is_dir()


def test_what_waits_when_its_document_expires_is_404_and_never_runs(
    launch: Launch, gate: Gate
) -> None:
    server = launch(drain_seconds=0.2)
    with server.client() as client:
        document, slow, waiting = new(client, ttl_seconds=300), uid(), uid()
        held = gate.before("change nothing")
        running = Background(lambda: _or_cut(server, document, slow, held))
        wait_for(lambda: state_of(client, document, slow) == "running")
        queued = Background(lambda: _or_cut(server, document, waiting, "replace hello with moon"))
        wait_for(lambda: state_of(client, document, waiting) == "queued")
    assert server.stop() == 0
    assert {running.answer().status_code, queued.answer().status_code} == {503}
    server.advance(301)
    server.start()
    with server.client() as client:
        replay = post_edit(client, document, waiting, "replace hello with moon")
        assert (replay.status_code, replay.json()) == (404, GONE)
        assert client.get("/v1/documents/").json()["documents"] == []
    wait_for(lambda: not (server.data / "documents" / document).exists())


def _or_cut(server: ServerProcess, document: str, edit_uid: str, text: str) -> httpx.Response:
    with server.client() as client:
        return post_edit(client, document, edit_uid, text)


def test_a_clock_that_jumps_forward_expires_early_and_is_logged(launch: Launch) -> None:
    server = launch(sweep_seconds=0.2)
    with server.client() as client:
        document = new(client, ttl_seconds=300)
        server.move_clock(59, 0)
        assert read(client, document).status_code == 200
        time.sleep(0.5)
        assert "set forward" not in server.log
        server.move_clock(459, 0)
        assert read(client, document).status_code == 404
        wait_for(lambda: "the clock was set forward; documents expire early" in server.log)


def test_a_clock_that_jumps_back_over_a_restart_revives_nothing(launch: Launch) -> None:
    server = launch()
    with server.client() as client:
        document = new(client, ttl_seconds=300)
        server.advance(200)
        assert read(client, document).status_code == 200
        server.advance(150)
        assert read(client, document).status_code == 404
    server.stop()
    server.move_clock(-3600, 0)
    server.start()
    with server.client() as client:
        assert read(client, document).status_code == 404
        fresh = new(client, ttl_seconds=300)
        assert document_info(client, fresh)["expiresAt"] > document_info(client, fresh)["createdAt"]


def _files(folder: Path) -> set[str]:
    return {path.name for part in ("documents", "scratch") for path in (folder / part).iterdir()}


def _head(length: int) -> bytes:
    return (
        f"POST /v1/documents/ HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n"
        f"Authorization: Bearer {KEY}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n"
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\nFAKE DOCX\n'
    ).encode()


def test_an_upload_that_is_cut_in_mid_body_leaves_nothing(launch: Launch) -> None:
    server = launch()
    address = urlsplit(server.url)
    assert address.hostname is not None
    for sent in (b"", b"x" * 100_000, b"x" * 3_000_000):
        with socket.create_connection((address.hostname, address.port or 0), 5) as line:
            line.sendall(_head(5_000_000) + sent)
    with server.client() as client:
        assert client.get("/v1/documents/").json()["documents"] == []
        assert _files(server.data) == set()
        assert new(client)
    assert "nobody foresaw" not in server.log


@pytest.mark.parametrize(
    ("data", "status"),
    [(b"plain text", 400), (b"FAKE DOCX\n" + b"x" * (10 << 20), 413), (b"die", 400)],
    ids=["bad type", "too large", "kills its worker"],
)
def test_an_upload_that_is_refused_leaves_nothing(launch: Launch, data: bytes, status: int) -> None:
    server = launch()
    with server.client() as client:
        answer = client.post("/v1/documents/", files={"file": ("a.docx", data)})
        assert answer.status_code == status
        assert client.get("/v1/documents/").json()["totalCount"] == 0
    assert _files(server.data) == set()


def test_an_upload_that_is_under_way_when_the_service_is_killed_leaves_nothing(
    launch: Launch,
) -> None:
    server = launch(sweep_seconds=0.2)
    address = urlsplit(server.url)
    assert address.hostname is not None
    with socket.create_connection((address.hostname, address.port or 0), 5) as line:
        line.sendall(_head(5_000_000) + b"x" * 2_000_000)
        time.sleep(0.2)
        server.kill()
    # As it lies there when the process ends between the file and its row.
    stray = server.data / "documents" / uid()
    stray.mkdir()
    (stray / "0-aaaa").write_bytes(b"canary")
    server.start()
    wait_for(lambda: _files(server.data) == set())
