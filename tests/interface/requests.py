"""Requests on their way in other threads, and what is known of an operation meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from tests.api.fake_engine import docx
from tests.interface.server_process import read, upload


class Gate:
    """Holds edits until the test lets them go on, so that no test has to be quick enough."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def before(self, instruction: str) -> str:
        """An instruction that waits at the gate before anything is done."""
        return f"hold {self._file} {instruction}"

    def open(self) -> None:
        self._file.touch()


class Background:
    """A request on its way in another thread."""

    def __init__(self, call: Callable[[], httpx.Response]) -> None:
        self._answers: list[httpx.Response] = []
        self._thread = threading.Thread(target=lambda: self._answers.append(call()), daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    def answer(self, seconds: float = 60) -> httpx.Response:
        self._thread.join(seconds)
        assert self._answers, "no answer"
        return self._answers[0]


def new(client: httpx.Client, text: str = "hello world", **fields: Any) -> str:
    return upload(client, docx(text), **fields)["docId"]


def markdown(client: httpx.Client, document: str) -> str:
    return read(client, document).json()["markdown"]


def document_info(client: httpx.Client, document: str) -> dict[str, Any]:
    return client.get(f"/v1/documents/{document}/exists").json()["document"]


def post_edit(client: httpx.Client, document: str, edit_uid: str, text: str) -> httpx.Response:
    body = {"editUid": edit_uid, "editInstructions": text}
    return client.post(f"/v1/documents/{document}/edits", json=body)


def history(client: httpx.Client, document: str) -> list[dict[str, Any]]:
    return client.get(f"/v1/documents/{document}/edits").json()["edits"]


def state_of(client: httpx.Client, document: str, edit_uid: str) -> str | None:
    edits = history(client, document)
    return next((entry["state"] for entry in edits if entry["editUid"] == edit_uid), None)
