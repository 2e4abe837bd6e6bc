"""Bodies that do harm: the largest JSON is checked on the event loop, so none may take long.

Counted in CPU time, which does not depend on what else the machine does.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from redraft.api.app import Externals, running
from redraft.api.clock import SystemClock
from redraft.api.errors import ServiceError
from redraft.api.requests.bodies import edit_request, read_request, resolve_request
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from tests.api import fake_planner
from tests.api.fake_engine import FakeEngine

NAME = "11111111-1111-4111-8111-111111111111"
LARGEST = 1024 * 1024
"""Bytes of a body that the service reads."""
LONGEST = 0.2
"""Seconds of CPU time for which other clients may wait."""
UID = b'"editUid":"00000000-0000-0000-0000-000000000000",'


def filled(start: bytes, piece: bytes, end: bytes) -> bytes:
    """The piece repeated, without its last comma, up to the largest size."""
    count = (LARGEST - len(start) - len(end)) // len(piece)
    return start + (piece * count).rstrip(b",") + end


OPERATION = b'{"op":"replace_text","find":"a","replace":"b"},'
HOSTILE = {
    "nesting": filled(b'{"editInstructions":', b"[", b"}"),
    "nested objects": filled(b"", b'{"a":', b""),
    "many names": filled(b"{", b'"a":1,', b"}"),
    "one long number": filled(b'{"ttlSeconds":', b"9", b"}"),
    "a long instruction": filled(b"{" + UID + b'"editInstructions":"', b"a", b'"}'),
    "escapes": filled(b"{" + UID + b'"editInstructions":"', b"\\ud83d\\ude00", b'"}'),
    "half pairs": filled(b'{"editInstructions":"', b"\\ud83d", b'"}'),
    "operations": filled(b"{" + UID + b'"operations":[', OPERATION, b"]}"),
    "operations with long texts": b"{"
    + UID
    + b'"operations":['
    + b",".join([b'{"op":"replace_text","find":"' + b"a" * 990 + b'","replace":"b"}'] * 1000)
    + b"]}",
    "a thousand wrong operations": b"{" + UID + b'"operations":[' + b"{}," * 999 + b"{}]}",
    "operations that are none": filled(b"{" + UID + b'"operations":[', b"{},", b"]}"),
    "places": filled(b"{" + UID + b'"editInstructions":"a","places":[', b'"1:a",', b"]}"),
    "a long place": filled(b"{" + UID + b'"editInstructions":"a","places":["1:', b"1:", b'"]}'),
    "changes": filled(b'{"action":"accept","changes":[', b'"c1",', b"]}"),
    "no JSON": b"\xff" * LARGEST,
    "zeros": bytes(LARGEST),
}


@pytest.mark.parametrize("reader", [edit_request, read_request, resolve_request])
@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_no_json_body_keeps_the_event_loop_busy(
    body: bytes, reader: Callable[[bytes], object]
) -> None:
    started = time.process_time()
    with contextlib.suppress(ServiceError):
        reader(body)
    assert time.process_time() - started < LONGEST


@pytest.mark.parametrize("path", ["/v1/documents/", f"/v1/documents/{NAME}/edits"])
async def test_a_client_that_hangs_up_in_the_middle_of_a_body_is_no_fault_of_the_service(
    path: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {
        "authorization": "Bearer one",
        "content-type": "multipart/form-data; boundary=b",
        "content-length": "1000",
    }
    scope: Any = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": ("here", 80),
        "scheme": "http",
    }
    said: Any = [{"type": "http.request", "body": b"--b", "more_body": True}]
    answered: list[Any] = []

    async def receive() -> Any:
        return said.pop() if said else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        answered.append(message.get("status"))

    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, SystemClock())
    settings = Settings(data_dir=tmp_path / "data", api_keys=("one",))
    with caplog.at_level(logging.ERROR):
        async with running(settings, externals) as application:
            await application.asgi(scope, receive, send)
    assert answered[0] == 400
    assert "unexpected error" not in caplog.text
