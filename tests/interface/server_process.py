"""Starts a service as a process of its own and talks to it over HTTP, as any client would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

ROOT = Path(__file__).resolve().parents[2]
KEY, OTHER_KEY = "canary-key-one", "canary-key-two"
START_SECONDS = 180.0


class ServerProcess:
    """A running service, its data folder, its log, and its clock."""

    def __init__(
        self,
        folder: Path,
        *,
        staged: bool,
        real_engine: bool = False,
        without: str = "",
        variables: Mapping[str, str] | None = None,
        **settings: object,
    ) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.clock = folder / "clock"
        self.staged = staged
        self.without = without
        self._real_engine = real_engine
        self.url = ""
        self._variables = dict(variables or {})
        self._settings = {name.upper(): str(value) for name, value in settings.items()}
        self._lines: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self.move_clock(0, 0)

    @property
    def log(self) -> str:
        return "".join(self._lines)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> ServerProcess:
        self._lines.append("")
        mark = len(self._lines)
        self._process = subprocess.Popen(
            self._command(),
            cwd=ROOT,
            env=self._environment(),
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            for line in self._lines[mark:]:
                if line.startswith("redraft: listening on "):
                    self.url = line.split()[-1]
                    return self
            if self._process.poll() is not None:
                break
            time.sleep(0.02)
        self.kill()
        message = f"the service did not start:\n{self.log}"
        raise AssertionError(message)

    def client(self, key: str | None = KEY, **options: Any) -> httpx.Client:
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=180, **options)

    def async_client(self, key: str = KEY) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {key}"}
        limits = httpx.Limits(max_connections=200)
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=180, limits=limits)

    def move_clock(self, wall: float, monotonic: float) -> None:
        """Say how many seconds both clocks of the service are ahead of the machine's."""
        written = self.clock.with_suffix(".new")
        written.write_text(f"{wall} {monotonic}")
        written.replace(self.clock)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        wall, monotonic = (float(part) for part in self.clock.read_text().split())
        self.move_clock(wall + seconds, monotonic + seconds)

    def signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def wait(self, seconds: float = 120) -> int:
        assert self._process is not None
        code = self._process.wait(seconds)
        if self._reader is not None:
            self._reader.join(5)
        if self._process.stderr is not None:
            self._process.stderr.close()
        return code

    def stop(self, seconds: float = 120) -> int:
        self.signal(signal.SIGTERM)
        return self.wait(seconds)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self.wait()

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
        if self._process is not None:
            self.wait()

    def _command(self) -> list[str]:
        if not self.staged:
            return [sys.executable, "-m", "redraft", "serve", "--port", "0"]
        staged = [sys.executable, "-m", "tests.interface.staged_server", str(self.clock)]
        engine = ["--real-engine"] if self._real_engine else []
        return [*staged, *engine, "--without", self.without]

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return {
            **kept,
            "PYTHONPATH": str(ROOT),
            "REDRAFT_DATA_DIR": str(self.data),
            "REDRAFT_PORT": "0",
            "REDRAFT_WORKERS": "1",
            "REDRAFT_API_KEYS": f"{KEY},{OTHER_KEY}",
            **{f"REDRAFT_{name}": value for name, value in self._settings.items()},
            **self._variables,
        }

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._lines.append(line)


def uid() -> str:
    return str(uuid4())


def upload(
    client: httpx.Client, data: bytes, name: str = "contract.docx", **fields: Any
) -> dict[str, Any]:
    form = {field: str(value) for field, value in fields.items()}
    answer = client.post("/v1/documents/", files={"file": (name, data)}, data=form)
    assert answer.status_code == 200, answer.text
    return answer.json()


def edit(client: httpx.Client, document: str, instruction: str, **fields: object) -> httpx.Response:
    body = {"editUid": uid(), "editInstructions": instruction, **fields}
    return client.post(f"/v1/documents/{document}/edits", json=body)


def read(client: httpx.Client, document: str, **fields: object) -> httpx.Response:
    return client.post(f"/v1/documents/{document}/markdown", json={"readUid": uid(), **fields})


def wait_for(condition: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
