"""A service in memory to test the terminal against; its clock and identifiers stand still."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any, cast

import httpx

from redraft.tui.launch_options import LaunchOptions
from redraft.tui.session.service_updates import Dependencies
from redraft.tui.session.session_file import SavedSession
from redraft.tui.transport.client import Client

START = 1_795_271_460.0  # 2026-11-21 14:31:00 UTC
KEY = "test-key-a1b2"
CONTRACT = """# Master Services Agreement

This Agreement is made between **Acme Corporation** and the *Client* named in the order form[^1].

## 1. Services

- 1.1 The Supplier provides the services set out in [Annex A](https://example.org/annex).
- 1.2 The Supplier shall use reasonable skill and care:
    - (a) in accordance with good industry practice;
    - (b) with suitably qualified staff.

## 4. Payment

The Supplier shall invoice the Client monthly. Payment is due within 30 days after receipt of the
invoice.

| Item | Qty | Price |
|---|--:|--:|
| Licences | 25 | 12,500 |
| Support | 1 | 3,000 |

> Late payment bears interest.

## 7. Term

This Agreement remains in force for three years.

[^1]: See the cover page.
"""


class FrozenClock:
    """Time that only a test moves."""

    zone = UTC

    def __init__(self) -> None:
        self.wall = START
        self.ticks = 1000.0

    def now(self) -> float:
        return self.wall

    def steady(self) -> float:
        return self.ticks

    def forward(self, seconds: float) -> None:
        self.wall += seconds
        self.ticks += seconds


def counter(prefix: str) -> Callable[[], str]:
    numbers = iter(range(1, 10_000))
    return lambda: f"{prefix}-0000-4000-8000-{next(numbers):012}"


@dataclass
class Held:
    """A document of the stand-in."""

    id: str
    name: str
    text: str
    expires_at: float
    tracked: bool = True
    author: str = "Alice Lee"
    ttl: int = 3600
    size: int = 186_400
    version: int = 0
    pending: int = 0
    changes: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    comments: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    edits: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    views: dict[str, str] = field(default_factory=dict[str, str])
    past: list[tuple[str, list[dict[str, Any]]]] = field(
        default_factory=list[tuple[str, list[dict[str, Any]]]]
    )


class Stream(httpx.AsyncByteStream):
    """An answer that goes on: server-sent events of one document, until it is broken."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        yield b"retry: 2000\n\n: still here\n\n"
        while True:
            said = await self.queue.get()
            if said is None:
                message = "Server disconnected"
                raise httpx.RemoteProtocolError(message)
            yield f"{said}\n\n".encode()


class Service:
    """The stand-in.

    `fail` maps a kind of request to an answer, `closest` is what the history says of a word that is
    not there, `is_holding` keeps edits back, `down` is a broken line.
    """

    def __init__(self) -> None:
        self.clock = FrozenClock()
        self.ahead = 0.0
        self.documents: dict[str, Held] = {}
        self.down = False
        self.lose_answers = 0
        self.fail: dict[str, tuple[int, str]] = {}
        self.closest = ""
        self.is_holding = False
        self.candidates: list[dict[str, str]] = []  # what an instruction without places may mean
        self._held: dict[str, asyncio.Event] = {}
        self.requests: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.resolved: list[dict[str, Any]] = []
        self.done: dict[str, tuple[int, dict[str, Any]]] = {}
        self.cancelled: set[str] = set()
        self._new_id = counter("d0c00000")
        self.has_events = True
        self.is_holding_uploads = False
        self.streams: list[Stream] = []
        self.warnings: list[str] = []
        self.models: list[str] | None = None
        self.nothing = "the document says so already"

    # Arranging

    def add(self, name: str = "contract.docx", text: str = CONTRACT, left: float = 3540.0) -> Held:
        held = Held(self._new_id(), name, text, self.clock.wall + self.ahead + left)
        self.documents[held.id] = held
        return held

    def client(self, key: str = KEY) -> Client:
        return Client(
            "http://redraft.test", key, self.clock, transport=httpx.MockTransport(self.answer)
        )

    def options(self, folder: Path, **values: Any) -> LaunchOptions:
        async def connect() -> Client:
            return self.client()

        given: dict[str, Any] = {
            "connect": connect,
            "dependencies": Dependencies(self.clock, counter("e0e00000"), _no_sleep),
            "folder": folder,
            "server": "http://127.0.0.1:8765",
            "author": "Alice Lee",
            "ticks": False,
        }
        return LaunchOptions(**{**given, **values})

    def release(self) -> None:
        """Let the edits go on that were held back."""
        self.is_holding = False
        for event in self._held.values():
            event.set()

    # Answering

    async def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.requests.append(f"{request.method} {path}")
        if self.down:
            message = "All connection attempts failed"
            raise httpx.ConnectError(message, request=request)
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return self._json(401, {"detail": "Invalid or missing API key"})
        if path.endswith("/events"):
            return self._events(path.split("/")[3])
        if self.is_holding_uploads and request.method == "POST" and path == "/v1/documents/":
            await asyncio.Event().wait()
        status, body = await self._routed(request, path)
        if self.lose_answers and request.method == "POST" and path.endswith("/edits"):
            self.lose_answers -= 1
            message = "Server disconnected"
            raise httpx.RemoteProtocolError(message, request=request)
        if isinstance(body, bytes):
            return httpx.Response(status, content=body, headers=self._date())
        return self._json(status, body)

    def _events(self, document: str) -> httpx.Response:
        if not self.has_events or document not in self.documents:
            return self._json(404, {"detail": "Document not found or has expired"})
        stream = Stream(document)
        self.streams.append(stream)
        return httpx.Response(200, stream=stream, headers=self._date())

    def announce(self, document: str, event: str, uid: str | None = None, note: str = "") -> None:
        """Tell those who watch a document."""
        said = {"documentId": document, "event": event, "kind": "edit", "editUid": uid}
        for stream in self.streams:
            if stream.document == document:
                data = json.dumps({**said, "note": note})
                stream.queue.put_nowait(f"event: {event}\ndata: {data}")

    def break_streams(self) -> None:
        """Break every stream of events."""
        for stream in self.streams:
            stream.queue.put_nowait(None)
        self.streams = []

    def _date(self) -> dict[str, str]:
        there = datetime.fromtimestamp(self.clock.wall + self.ahead, UTC)
        return {"date": format_datetime(there, usegmt=True)}

    def _json(self, status: int, body: object) -> httpx.Response:
        return httpx.Response(status, json=body, headers=self._date())

    async def _routed(
        self, request: httpx.Request, path: str
    ) -> tuple[int, dict[str, Any] | bytes]:
        parts = path.strip("/").split("/")[2:]
        kind = parts[1] if len(parts) > 1 else ("document" if parts else "documents")
        failure = self.fail.get(f"{request.method} {kind}")
        if failure is not None:
            return failure[0], {"detail": failure[1]}
        if not parts:
            return self._upload(request) if request.method == "POST" else (200, self._list())
        held = self.documents.get(parts[0])
        if held is None or held.expires_at <= self.clock.wall + self.ahead:
            return 404, {"detail": "Document not found or has expired"}
        if len(parts) == 1:
            return self._document(request, held)
        return await self._of_document(request, held, parts[1:])

    def _list(self) -> dict[str, Any]:
        now = self.clock.wall + self.ahead
        alive = [held for held in self.documents.values() if held.expires_at > now]
        listed = {"documents": [self._info(held) for held in alive], "totalCount": len(alive)}
        return listed if self.models is None else {**listed, "models": self.models}

    def _info(self, held: Held) -> dict[str, Any]:
        return {
            "docId": held.id,
            "name": held.name,
            "size": held.size,
            "createdAt": _iso(self.clock.wall),
            "contentType": "application/pdf" if held.name.endswith(".pdf") else "",
            "ttlSeconds": held.ttl,
            "expiresAt": _iso(held.expires_at),
            "trackedChanges": held.tracked,
            "authorName": held.author,
            "version": held.version,
            "pending": held.pending,
        }

    def _upload(self, request: httpx.Request) -> tuple[int, dict[str, Any]]:
        body = request.content.decode("latin-1")
        name = re.search(r'filename="([^"]*)"', body)
        author = re.search(r'name="author_name"\r\n\r\n(.*?)\r\n', body)
        held = self.add(name.group(1) if name else "upload.docx")
        held.tracked = 'name="tracked_changes"\r\n\r\ntrue' in body
        held.author = author.group(1) if author else ""
        return 200, {"docId": held.id, "name": held.name, "warnings": []}

    def _document(self, request: httpx.Request, held: Held) -> tuple[int, dict[str, Any]]:
        if request.method == "DELETE":
            del self.documents[held.id]
            return 200, {"documentId": held.id, "deleted": True}
        url = f"http://redraft.test/storage/{held.id}?sig=abc"
        return 200, {
            "docId": held.id,
            "downloadUrl": url,
            "expiresIn": 3600,
            "filename": held.name,
        }

    async def _of_document(
        self, request: httpx.Request, held: Held, rest: list[str]
    ) -> tuple[int, dict[str, Any] | bytes]:
        kind, method = rest[0], request.method
        body = _body(request)
        if kind == "markdown":
            return 200, {"markdown": _marked(held, str(body["view"])), "version": held.version}
        if kind == "download":
            asked = request.url.params
            kind_of_file = f" as {asked['format']}" if "format" in asked else ""
            return 200, f"{asked['view']} of {held.name}{kind_of_file}".encode()
        if kind == "changes":
            return self._changes(held, body) if method == "POST" else (200, self._change_list(held))
        if kind == "comments":
            return 200, {"comments": held.comments}
        if kind == "edits" and method == "GET":
            return 200, {"edits": held.edits}
        if kind == "edits" and method == "DELETE":
            self.cancelled.add(rest[1])
            if rest[1] in self._held:
                self._held[rest[1]].set()
            return 200, {"editUid": rest[1], "cancelled": True, "state": "cancelled"}
        if kind == "edits":
            return await self._edit(held, body)
        return self._move(held, kind)

    def _change_list(self, held: Held) -> dict[str, Any]:
        return {"changes": held.changes, "version": held.version}

    def _changes(self, held: Held, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.resolved.append(body)
        before = len(held.changes)
        held.past.append((held.text, held.changes))
        uid = body.get("editUid")
        wanted = [change for change in held.changes if uid is None or uid in change["editUids"]]
        ids = cast("list[str]", body.get("ids") or [change["id"] for change in wanted])
        if body["action"] == "reject":
            for change in held.changes:
                if change["id"] in ids:
                    held.text = held.text.replace(change["after"], change["before"])
        held.changes = [change for change in held.changes if change["id"] not in ids]
        held.version += 1
        return 200, {"resolved": before - len(held.changes)}

    async def _edit(self, held: Held, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        uid = str(body["editUid"])
        self.bodies.append(body)
        if uid in self.done:
            return self.done[uid]
        if self.is_holding:
            self._held[uid] = asyncio.Event()
            await self._held[uid].wait()
        if uid in self.cancelled:
            return 500, {"detail": "Edit operation failed: cancelled"}
        if self.candidates and not body.get("places"):
            detail = "Edit operation failed: The instruction fits 2 places"
            self._record(held, uid, str(body["editInstructions"]), "failed", detail)
            self.done[uid] = 500, {"detail": detail, "candidates": self.candidates}
            return self.done[uid]
        if "operations" in body:
            return 200, self._commented(held, uid, body["operations"][0])
        instruction = str(body["editInstructions"])
        if body.get("baseVersion", held.version) != held.version:
            return 409, {"detail": "The document is at another version"}
        if body.get("askFirst") and instruction.startswith("Delete"):
            return 200, self._shown(held, uid, instruction)
        self.done[uid] = self._apply(held, uid, instruction)
        return self.done[uid]

    def _commented(self, held: Held, uid: str, operation: dict[str, Any]) -> dict[str, Any]:
        """Adds, answers or resolves a comment."""
        nothing: dict[str, Any] = {}
        named = (one for one in held.comments if one["id"] == operation.get("target"))
        target = next(named, nothing)
        if operation["op"] == "add_comment":
            new = {"id": "c8", "author": held.author, "words": operation["find"]}
            held.comments = [*held.comments, {**new, "text": operation["text"]}]
        elif operation["op"] == "reply_comment":
            answer = {"id": "c9", "author": held.author, "parent": target["id"]}
            held.comments = [*held.comments, {**answer, "text": operation["text"]}]
        else:
            target["resolved"] = operation["resolved"]
        held.version += 1
        told = {"editUid": uid, "editApplied": True, "timeToEdit": 0.1}
        return {**told, "summary": "1 comment changed", "version": held.version}

    def _shown(self, held: Held, uid: str, instruction: str) -> dict[str, Any]:
        """What an edit would do."""
        kept = (held.text, held.changes, held.version, held.expires_at, held.edits, held.past)
        held.edits, held.past = list(held.edits), list(held.past)
        _, body = self._apply(held, uid, instruction)
        held.text, held.changes, held.version, held.expires_at, held.edits, held.past = kept
        return {**body, "editApplied": False, "dryRun": True, "version": held.version}

    def _apply(self, held: Held, uid: str, instruction: str) -> tuple[int, dict[str, Any]]:
        found = re.search(r'"(.+?)" with "(.*?)"', instruction)
        found = found or re.search(r'Delete "(.+?)"()', instruction)
        if found is None or found.group(1) not in held.text:
            detail = "Edit operation failed: Unable to locate the specified text"
            self._record(held, uid, instruction, "failed", self.closest or detail)
            return 500, {"detail": detail}
        old, new = found.groups()
        applied = old != new
        at = held.text.index(old)
        change = {
            "id": f"{len(held.changes) + 1}",
            "kind": "replacement",
            "author": held.author,
            "date": _iso(self.clock.wall),
            "editUids": [uid],
            "where": "4. Payment",
            "anchor": "p12",
            "story": "body",
            "before": old,
            "after": new,
            "lead": held.text[max(0, at - 40) : at].split("\n")[-1],
            "trail": held.text[at + len(old) : at + len(old) + 40].split("\n")[0],
            "formatting": [],
        }
        summary = self.nothing
        if applied:
            held.past.append((held.text, held.changes))
            held.text = held.text.replace(old, new, 1)
            held.changes = [*held.changes, change]
            held.version += 1
            held.expires_at = self.clock.wall + self.ahead + held.ttl
            summary = "1 insertion, 1 deletion"
        self._record(held, uid, instruction, "applied" if applied else "unchanged", summary)
        return 200, {
            "editUid": uid,
            "editApplied": applied,
            "timeToEdit": 3.4,
            "documentName": held.name,
            "documentId": held.id,
            "summary": summary,
            "warnings": self.warnings,
            "revisions": [change] if applied else [],
        }

    def _record(self, held: Held, uid: str, instruction: str, state: str, summary: str) -> None:
        held.edits.append(
            {
                "editUid": uid,
                "kind": "edit",
                "instruction": instruction,
                "state": state,
                "queuedAt": _iso(self.clock.wall),
                "startedAt": _iso(self.clock.wall),
                "finishedAt": _iso(self.clock.wall),
                "summary": summary,
                "warnings": [],
            }
        )

    def _move(self, held: Held, direction: str) -> tuple[int, dict[str, Any]]:
        if direction == "redo" or not held.past:
            return 200, {"applied": False, "summary": f"there is nothing to {direction}"}
        held.text, held.changes = held.past.pop()
        held.version += 1
        return 200, {"applied": True, "summary": ""}


def _marked(held: Held, view: str) -> str:
    """The text with the latest change of each place in CriticMarkup, unless views are given."""
    if held.views:
        return held.views[view]
    text = held.text
    for change in held.changes:
        old, new = change["before"], change["after"]
        if view == "markup" and new:
            shown = f"{{--{old}--}}{{++{new}++}}" if old else f"{{++{new}++}}"
            text = text.replace(new, shown, 1)
        elif view == "original" and new:
            text = text.replace(new, old, 1)
    return text


def _body(request: httpx.Request) -> dict[str, Any]:
    if not request.content or "json" not in request.headers.get("content-type", ""):
        return {}
    return cast("dict[str, Any]", json.loads(request.content))


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")


async def _no_sleep(_seconds: float) -> None:
    await asyncio.sleep(0)


class MemoryStore:
    """A session kept in memory."""

    def __init__(self, session: SavedSession | None = None) -> None:
        self.session = session or SavedSession()

    def load(self) -> SavedSession:
        return self.session

    def save(self, session: SavedSession) -> str:
        self.session = session
        return ""
