"""Server-sent events of a document."""

from __future__ import annotations

import json
import threading
from typing import Any

import httpx

from tests.api.fake_engine import docx
from tests.interface.server_process import ServerProcess, edit, read, uid, upload, wait_for


class Watcher:
    """Collects the events of a document in another thread until the stream ends."""

    def __init__(self, server: ServerProcess, document: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.is_open = False
        self.ended = False
        self._thread = threading.Thread(target=self._watch, args=(server, document), daemon=True)
        self._thread.start()
        wait_for(lambda: self.is_open)

    @property
    def kinds(self) -> list[str]:
        return [event["event"] for event in self.events]

    def join(self) -> None:
        self._thread.join(20)
        assert self.ended

    def _watch(self, server: ServerProcess, document: str) -> None:
        path = f"/v1/documents/{document}/events"
        with server.client() as client, client.stream("GET", path) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            for line in answer.iter_lines():
                self.is_open = True
                if line.startswith("data: "):
                    self.events.append(json.loads(line.removeprefix("data: ")))
        self.ended = True


def test_an_edit_is_told_from_queue_to_end(staged: ServerProcess, client: httpx.Client) -> None:
    document = upload(client, docx("hello world"))["docId"]
    watcher = Watcher(staged, document)
    edit_uid = uid()
    edit(client, document, "replace hello with goodbye", editUid=edit_uid)
    wait_for(lambda: "applied" in watcher.kinds)
    assert watcher.kinds == ["queued", "started", "progress", "progress", "applied"]
    assert {event["editUid"] for event in watcher.events} == {edit_uid}
    assert {event["documentId"] for event in watcher.events} == {document}
    assert [event["note"] for event in watcher.events[2:4]] == ["planning", "applying"]
    client.delete(f"/v1/documents/{document}")
    watcher.join()
    assert watcher.kinds[-1] == "deleted"


def test_an_edit_that_fails_or_changes_nothing_is_told(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = upload(client, docx("hello world"))["docId"]
    watcher = Watcher(staged, document)
    edit(client, document, "replace absent with b")
    edit(client, document, "change nothing")
    wait_for(lambda: "unchanged" in watcher.kinds)
    assert "failed" in watcher.kinds
    client.delete(f"/v1/documents/{document}")
    watcher.join()


def test_the_end_of_a_document_is_told_and_ends_the_stream(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = upload(client, docx("hello world"), ttl_seconds=300)["docId"]
    other = upload(client, docx("hello world"))["docId"]
    watcher = Watcher(staged, document)
    read(client, other)
    staged.advance(301)
    watcher.join()
    assert watcher.kinds == ["expired"]
