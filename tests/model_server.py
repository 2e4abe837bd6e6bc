"""A Chat Completions server on loopback for tests: scripted answers, and a memory of requests.

    with ModelServer(["{…}", Fault(429, retry_after=0)]) as server:
        OPENAI_BASE_URL = server.address
        ...
        server.requests[0]["messages"]

The script is a list of steps, used up in order (the last one stays), or a function from the request
to a step. A step is a text (the message's content) or one of the values below.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, cast


@dataclass(frozen=True, slots=True)
class Says:
    """An ordinary answer with anything the wire can carry."""

    content: str | None = None
    refusal: str | None = None
    arguments: str | None = None
    finish_reason: str = "stop"
    usage: Mapping[str, object] | None = field(
        default_factory=lambda: {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "prompt_tokens_details": {"cached_tokens": 40},
        }
    )
    delay: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """An error status; `body` is its JSON or, as text, whatever came instead."""

    status: int
    message: str = "no"
    code: str | None = None
    param: str | None = None
    retry_after: str | None = None
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Breaks:
    """A broken answer: cut in its middle, closed at once, no JSON, no choices, letter by letter."""

    how: Literal["cut", "closed", "malformed", "page", "empty", "drip"]


Step: TypeAlias = str | Says | Fault | Breaks
Script: TypeAlias = Sequence[Step] | Callable[[dict[str, Any]], Step]


class ModelServer:
    """The server; a context manager, listening while it is entered; it lists `models`."""

    def __init__(self, script: Script, models: Sequence[str] = ()) -> None:
        self.models = models
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.asked = threading.Event()
        self.hung_up = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def address(self) -> str:
        """What OPENAI_BASE_URL must be."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def said(self, index: int = -1) -> str:
        """The last message of a request."""
        return str(self.requests[index]["messages"][-1]["content"])

    def step(self, request: dict[str, Any], key: str) -> Step:
        """Take a request down and choose what to answer."""
        with self._lock:
            self.requests.append(request)
            self.keys.append(key)
            self.asked.set()
            if callable(self._script):
                return self._script(request)
            return self._script[min(len(self.requests), len(self._script)) - 1]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                request = cast("dict[str, Any]", json.loads(self.rfile.read(length)))
                step = server.step(request, self.headers.get("authorization", ""))
                try:
                    _answer(self, step, request)
                except (BrokenPipeError, ConnectionResetError):
                    server.hung_up.set()

            def do_GET(self) -> None:
                listed = [{"id": name} for name in server.models]
                _send(self, 200, json.dumps({"object": "list", "data": listed}))

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited
                """Stay silent."""

        return Handler


def _answer(handler: BaseHTTPRequestHandler, step: Step, request: Mapping[str, Any]) -> None:
    match step:
        case str():
            _answer(handler, Says(step), request)
        case Says():
            _wait(handler, step.delay)
            if request.get("stream"):
                _send(handler, 200, _events(step), "text/event-stream")
            else:
                _send(handler, 200, json.dumps(_completion(step)))
        case Fault():
            error = {"message": step.message, "code": step.code, "param": step.param}
            body = json.dumps({"error": error}) if step.body is None else step.body
            extra = {"Retry-After": step.retry_after} if step.retry_after is not None else {}
            _send(handler, step.status, body, "application/json", extra)
        case Breaks():
            _break(handler, step)


def _wait(handler: BaseHTTPRequestHandler, seconds: float) -> None:
    """Think; a caller who hangs up meanwhile is noticed at the next write."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.02)
        handler.connection.settimeout(0.001)
        try:
            if not handler.connection.recv(1):
                raise BrokenPipeError
        except TimeoutError:
            pass
        handler.connection.settimeout(None)


def _completion(step: Says) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.content}
    if step.refusal is not None:
        message["refusal"] = step.refusal
    if step.arguments is not None:
        function = {"name": "submit", "arguments": step.arguments}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": step.finish_reason}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "stand-in",
        "choices": [choice],
        "usage": step.usage,
    }


def _events(step: Says) -> str:
    """The answer as server-sent events, a word each, usage last."""
    words = (step.content or "").split(" ")
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": word if not i else f" {word}"}}]}
        for i, word in enumerate(words)
    ]
    chunks += [{"choices": [], "usage": step.usage}]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def _break(handler: BaseHTTPRequestHandler, step: Breaks) -> None:
    whole = json.dumps(_completion(Says("{}")))
    match step.how:
        case "closed":
            handler.close_connection = True
            handler.connection.close()
        case "cut":
            handler.send_response(200)
            handler.send_header("content-type", "application/json")
            handler.send_header("content-length", str(len(whole)))
            handler.end_headers()
            handler.wfile.write(whole[: len(whole) // 2].encode())
            handler.close_connection = True
        case "drip":
            handler.send_response(200)
            handler.send_header("content-length", str(len(whole)))
            handler.end_headers()
            for letter in whole.encode():
                handler.wfile.write(bytes([letter]))
                handler.wfile.flush()
                time.sleep(0.1)
        case "malformed":
            _send(handler, 200, whole[:-9])
        case "page":
            _send(handler, 200, "<html>Welcome</html>", "text/html")
        case "empty":
            _send(handler, 200, json.dumps({**_completion(Says()), "choices": []}))


def _send(
    handler: BaseHTTPRequestHandler,
    status: int,
    body: str,
    kind: str = "application/json",
    extra: Mapping[str, str] | None = None,
) -> None:
    data = body.encode()
    handler.send_response(status)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(data)))
    for name, value in (extra or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)
