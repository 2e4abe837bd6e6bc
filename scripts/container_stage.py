"""The containers of `scripts.container`: service and proxy of deploy/compose.yaml, and a model."""

from __future__ import annotations

import io
import json
import os
import secrets
import shlex
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import docx
import httpx
import yaml

PLACE = Path(__file__).resolve().parent.parent
PATIENCE = 60.0
THINKING = 6
"""Seconds that the model takes: long enough to be stopped in the middle of an edit."""
PLAN = {
    "reason": "asked for",
    "decision": "edit",
    "read": [],
    "operations": [
        {
            "op": "replace_text",
            "block": "p1",
            "find": "forty",
            "replace": "sixty",
            "occurrence": None,
        }
    ],
}
MODEL = """
import http.server, json, sys, time
class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        print("asked", flush=True)
        time.sleep(float(sys.argv[1]))
        body = sys.argv[2].encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(("", 9000), Model).serve_forever()
"""
ANSWER = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "slow",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": json.dumps(PLAN)},
        }
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


class Engine:
    """podman or docker, whose command lines are the same here."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.is_podman = Path(program).name == "podman"

    def output(
        self, *words: str, variables: Mapping[str, str] | None = None, place: Path | None = None
    ) -> str:
        """Runs it, and returns what it printed.

        Raises:
            RuntimeError: it failed; with its last lines.
        """
        done = subprocess.run(
            [self.program, *words],
            cwd=place,
            env={**os.environ, **(variables or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            last = " ".join((done.stderr or done.stdout).splitlines()[-3:])
            message = f"{Path(self.program).name} {words[0]}: {last}"
            raise RuntimeError(message)
        return done.stdout.strip()


def engine(wanted: str | None) -> Engine | None:
    """Finds the engine that is wanted, or any; None when there is none."""
    for name in (wanted,) if wanted else ("podman", "docker"):
        program = shutil.which(name)
        if program is not None:
            return Engine(program)
    return None


def document() -> bytes:
    """Returns a document of one sentence."""
    made = docx.Document()
    made.add_paragraph("The fee is forty pounds.")
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


class Stage:
    """The containers, with the flags that deploy/compose.yaml stands for; removed at the end."""

    def __init__(self, engine: Engine, image: str) -> None:
        self.engine = engine
        self.key = f"proof-{secrets.token_hex(16)}"
        self._image = image
        self._prefix = f"redraft-proof-{os.getpid()}"
        self._services: dict[str, Any] = yaml.safe_load(
            (PLACE / "deploy" / "compose.yaml").read_text("utf-8")
        )["services"]
        self._url = ""

    def name(self, part: str) -> str:
        """Returns what the engine calls a part."""
        return f"{self._prefix}-{part}"

    def start(self) -> None:
        """Starts everything, and waits until the service takes work."""
        network = self.name("network")
        self.engine.output("network", "create", network)
        model = ("python", "-c", MODEL, str(THINKING), json.dumps(ANSWER))
        self._run("model", {}, self._image, model, "--network-alias", "model")
        service = self._services["redraft"]
        variables = {
            **dict.fromkeys(service["environment"], ""),
            "REDRAFT_DRAIN_SECONDS": service["environment"]["REDRAFT_DRAIN_SECONDS"],
            "REDRAFT_PUBLIC_URL": "http://127.0.0.1:8080",
            "REDRAFT_API_KEYS": self.key,
            "REDRAFT_MODEL": "slow",
            "OPENAI_API_KEY": "proof",
            "OPENAI_BASE_URL": "http://model:9000/v1",
        }
        data = ("--network-alias", "redraft", "--volume", f"{self.name('data')}:/data")
        self._run("service", variables, self._image, (), *data, *flags(service))
        proxy = self._services["proxy"]
        file = f"{PLACE / 'deploy' / 'Caddyfile'}:/etc/caddy/Caddyfile:ro"
        shown = ("--publish", "127.0.0.1::8080", "--volume", file)
        self._run("proxy", {}, proxy["image"], (), *shown, *flags(proxy))
        port = self.engine.output("port", self.name("proxy"), "8080/tcp").splitlines()[0]
        self._url = f"http://{port}"
        self.await_ready()

    def await_ready(self) -> None:
        """Waits until the service takes work, as the proxy sees it.

        Raises:
            RuntimeError: it does not; with the last lines of its log.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if httpx.get(f"{self._url}/ready", timeout=5).is_success:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        log_lines = self.engine.output("logs", "--tail", "5", self.name("service"))
        message = f"the service is not ready after {PATIENCE:g} s: {log_lines}"
        raise RuntimeError(message)

    def is_healthy(self) -> bool:
        """Returns what the health check of the image says."""
        if self.engine.is_podman:
            # Where no systemd runs, podman asks only when it is told to.
            self.engine.output("healthcheck", "run", self.name("service"))
        form = "{{.State.Health.Status}}"
        return self.engine.output("inspect", self.name("service"), "--format", form) == "healthy"

    def memory(self) -> str:
        """Returns what the service and its workers have now, as the engine counts it."""
        form = "{{.MemUsage}}"
        return self.engine.output("stats", "--no-stream", "--format", form, self.name("service"))

    def inside(self, *command: str) -> str:
        """Runs a command in the container of the service."""
        return self.engine.output("exec", self.name("service"), *command)

    def shell(self, line: str) -> str:
        """Runs a line of shell there, whatever it ends with."""
        return self.inside("sh", "-c", f"{line}; true")

    def stop(self) -> None:
        """Sends the signal of the image and waits as long as the compose file does."""
        grace = self._services["redraft"]["stop_grace_period"].removesuffix("s")
        self.engine.output("stop", "-t", grace, self.name("service"))

    def client(self) -> httpx.Client:
        """Returns a client of the service, through the proxy."""
        headers = {"Authorization": f"Bearer {self.key}"}
        return httpx.Client(base_url=self._url, headers=headers, timeout=120)

    def uid(self) -> str:
        """Returns a new name for an edit."""
        return str(uuid4())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for words in (
            *(
                ("rm", "--force", "--volumes", self.name(part))
                for part in ("proxy", "service", "model")
            ),
            ("volume", "rm", self.name("data")),
            ("network", "rm", self.name("network")),
        ):
            subprocess.run([self.engine.program, *words], capture_output=True, check=False)

    def _run(
        self,
        part: str,
        variables: Mapping[str, str],
        image: str,
        command: tuple[str, ...],
        *options: str,
    ) -> None:
        # Their values are in no command line, where anybody on the machine could read them.
        named = [word for name in variables for word in ("--env", name)]
        where = ("--name", self.name(part), "--network", self.name("network"))
        self.engine.output(
            "run", "--detach", *where, *options, *named, image, *command, variables=variables
        )


def flags(service: Mapping[str, Any]) -> list[str]:
    """Writes the limits of a service of a compose file as an engine's options."""
    words: list[str] = ["--read-only"] if service.get("read_only") else []
    for field in ("tmpfs", "cap_drop", "cap_add", "security_opt"):
        for value in service.get(field, ()):
            words += [f"--{field.replace('_', '-')}", str(value)]
    health = service.get("healthcheck", {})
    if health:
        words += ["--health-cmd", shlex.join(health["test"][1:])]
        for field in ("interval", "timeout", "start_period"):
            words += [f"--health-{field.replace('_', '-')}", health[field]]
    for field, option in (("mem_limit", "--memory"), ("pids_limit", "--pids-limit")):
        if field in service:
            words += [option, str(service[field])]
    return words
