"""What comes before any request: what is not HTTP, and one connection too many."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from tests.interface.requests import Background, Gate, new, post_edit
from tests.interface.server_process import ServerProcess, wait_for

Launch = Callable[..., ServerProcess]


def connected(server: ServerProcess) -> socket.socket:
    address = urlsplit(server.url)
    assert address.hostname is not None
    return socket.create_connection((address.hostname, address.port or 0), 30)


def answered(server: ServerProcess, request: bytes) -> tuple[bytes, dict[str, str], bytes]:
    """Send bytes as they are; return status line, headers and body of all that comes back."""
    with connected(server) as line:
        line.sendall(request)
        answer = b""
        while piece := line.recv(65536):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.split(b"\r\n")
    headers = (each.decode().partition(": ") for each in lines)
    return status, {name.lower(): value for name, _, value in headers}, body


@pytest.mark.parametrize(
    "request_",
    [
        b"GARBAGE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        b"POST /v1/documents/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    ],
    ids=["garbage", "TLS", "no host", "no header", "no length", "another coding"],
)
def test_what_is_not_http_is_400_in_the_form_of_every_error(
    staged: ServerProcess, request_: bytes
) -> None:
    status, headers, body = answered(staged, request_)
    assert status.startswith(b"HTTP/1.1 400 ")
    assert headers["content-type"] == "application/json"
    assert headers["cache-control"] == "no-store"
    assert int(headers["content-length"]) == len(body)
    assert json.loads(body) == {"detail": "The request is not valid HTTP"}


def test_what_is_not_http_after_the_answer_ends_the_connection_and_is_no_fault(
    staged: ServerProcess,
) -> None:
    begun = b"POST /v1/documents/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(staged) as line:
        line.sendall(begun)
        answer = b""
        while b"}" not in answer:
            answer += line.recv(65536)
        assert answer.startswith(b"HTTP/1.1 401 ")
        line.sendall(b"no length\r\n")
        assert line.recv(65536) == b""
    assert httpx.get(f"{staged.url}/health").status_code == 200
    assert "Traceback" not in staged.log


def test_a_header_that_never_ends_is_cut_off_and_the_others_are_served(
    staged: ServerProcess,
) -> None:
    endless = b"GET /health HTTP/1.1\r\nX: " + b"a" * (64 << 20)
    with connected(staged) as line, pytest.raises(OSError, match=r"reset|[Bb]roken"):
        line.sendall(endless)
    assert httpx.get(f"{staged.url}/health").status_code == 200


def test_connections_that_nobody_uses_keep_nobody_out(launch: Launch) -> None:
    server = launch(connection_limit=8, header_seconds=120)
    idle = [connected(server) for _ in range(60)]
    for _ in range(5):  # answered long before an idle connection is given up
        assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200
    for line in idle:
        line.close()


@pytest.mark.parametrize(
    "request_",
    [b"", b"GET /health HTTP/1.1\r\nHost: x\r\n", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET"],
    ids=["nothing", "half a head", "half of a second one"],
)
def test_a_head_that_does_not_arrive_in_time_ends_the_connection(
    launch: Launch, request_: bytes
) -> None:
    server = launch(header_seconds=0.5)
    with connected(server) as line:
        line.sendall(request_)
        line.settimeout(60)
        started = time.monotonic()
        while line.recv(65536):
            pass
        assert time.monotonic() - started < 9  # seconds, by default 10


def test_one_connection_too_many_is_503_in_the_form_of_every_error(
    launch: Launch, gate: Gate
) -> None:
    server = launch(connection_limit=1)
    with server.client() as client:
        document = new(client)
        instruction = gate.before("replace hello with bye")
        edit = Background(lambda: post_edit(client, document, str(uuid4()), instruction))
        wait_for(lambda: httpx.get(f"{server.url}/health").status_code == 503)
        refused = httpx.get(f"{server.url}/health")
        assert list(refused.json()) == ["detail"]
        assert refused.headers["content-type"] == "application/json"
        assert int(refused.headers["retry-after"]) > 0
        gate.open()
        assert edit.answer().status_code == 200
    wait_for(lambda: httpx.get(f"{server.url}/health").status_code == 200)


def test_a_length_that_is_told_in_two_ways_is_refused_and_ends_the_connection(
    staged: ServerProcess,
) -> None:
    status, headers, body = answered(
        staged,
        b"POST /v1/documents/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    )
    assert status.startswith(b"HTTP/1.1 400 ")
    assert headers["connection"] == "close"
    assert json.loads(body) == {
        "detail": "The request has both Content-Length and Transfer-Encoding"
    }


def test_methods_that_nobody_knows_are_one_label_and_no_text_of_the_log(
    staged: ServerProcess, client: httpx.Client
) -> None:
    for number in range(50):
        answered(
            staged, b"CANARY%d /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % number
        )
    assert "CANARY" not in client.get("/metrics").text
    assert "CANARY" not in staged.log
