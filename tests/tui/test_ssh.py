"""The program over a real SSH connection on loopback."""

from __future__ import annotations

import getpass
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from redraft.tui.transport.local_server import LocalServer
from tests.conftest import program
from tests.model_server import ModelServer, Step
from tests.tui.terminal import LIMIT, Terminal

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
pytestmark = [
    pytest.mark.process,
    pytest.mark.program,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]
CONFIG = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/client.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
AcceptEnv COLORTERM
"""


def daemon_path() -> Path:
    """Find sshd, which is not on everybody's PATH."""
    place = Path("/usr/sbin/sshd")
    return place if place.exists() else program("sshd")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Host:
    """An sshd of its own, and the way to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        for name in ("host", "client"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True
            )
        settings = folder / "sshd_config"
        settings.write_text(CONFIG.format(port=self.port, folder=folder))
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # where it gives its rights up
        command = [daemon_path(), "-D", "-e", "-f", settings]
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(command, stderr=log)
        deadline = time.monotonic() + LIMIT
        while not self._listens():
            assert time.monotonic() < deadline, (folder / "log").read_text()
            assert self.process.poll() is None, (folder / "log").read_text()
            time.sleep(0.05)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def ssh(self, *options: str, remote: str) -> list[str]:
        """Return the command that runs something there."""
        known = ("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null")
        key = ("-i", str(self.folder / "client"), "-o", "LogLevel=ERROR", "-F", "none")
        where = ("-p", str(self.port), f"{getpass.getuser()}@127.0.0.1")
        return ["ssh", *known, *key, *options, *where, remote]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(LIMIT)


@pytest.fixture
def host(tmp_path: Path) -> Generator[Host]:
    daemon_path()
    program("ssh")
    started = Host(tmp_path)
    yield started
    started.stop()


def standin(folder: Path, *options: str) -> str:
    """The command line of the program on the stand-in service."""
    words = " ".join(options)
    return f"cd {ROOT} && exec {sys.executable} -m tests.tui.in_a_terminal {folder} {words}"


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_it_is_drawn_resized_and_left_over_ssh(
    host: Host, tmp_path: Path, size: tuple[int, int]
) -> None:
    command = host.ssh("-t", remote=standin(tmp_path, "slow"))
    with Terminal(tmp_path, size=size, command=command) as terminal:
        assert b"\x1b[?1003h" not in terminal.seen
        terminal.resize(50, 12, b"redraft needs 60x15, have 50x12")
        terminal.resize(*size, b"Master Services Agreement")
        terminal.send(b"\x11")
        assert terminal.end() == 0
        assert b"\x1b[?1049l" in terminal.seen
        assert b"\x1b[?25h" in terminal.seen


@pytest.mark.parametrize(
    ("options", "environment"), [((), "xterm-256color"), (("-t",), "dumb")], ids=["-t", "dumb"]
)
def test_without_a_terminal_that_can_be_drawn_on_it_ends_with_one_line(
    host: Host, tmp_path: Path, options: tuple[str, ...], environment: str
) -> None:
    remote = f"cd {ROOT} && exec {sys.executable} -m redraft"
    terminal = Terminal(tmp_path, command=host.ssh(*options, remote=remote), TERM=environment)
    try:
        assert terminal.end() == 2
        (line,) = terminal.seen.decode().strip().splitlines()
        assert line.startswith("redraft: ")
    finally:
        terminal.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("environment", "send", "wanted", "absent"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, True, b"\x1b[38;2;", None),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, False, b"38;5;", b"38;2;"),
        ({"TERM": "linux"}, False, b"\x1b[", b"38;5;"),
    ],
    ids=["truecolor", "256", "16"],
)
def test_colours_are_those_that_the_far_terminal_has(
    host: Host,
    tmp_path: Path,
    environment: dict[str, Any],
    send: bool,
    wanted: bytes,
    absent: bytes | None,
) -> None:
    options = ("-t", "-o", "SendEnv=COLORTERM") if send else ("-t",)
    command = host.ssh(*options, remote=standin(tmp_path, "slow", "fitting"))
    with Terminal(tmp_path, command=command, **environment) as terminal:
        assert wanted in terminal.seen
        assert absent is None or absent not in terminal.seen
        terminal.send(b"\x11")
        assert terminal.end() == 0


def real(folder: Path, url: str, key: str) -> str:
    """The command line of the program as it is, on a service."""
    places = " ".join(f"XDG_{name}_HOME={folder}" for name in ("STATE", "CONFIG", "DATA"))
    return (
        f"cd {ROOT} && {places} REDRAFT_KEY={key} exec {sys.executable} -m redraft --server {url}"
    )


async def test_an_edit_goes_round_over_ssh_and_outlives_a_killed_client(
    host: Host, tmp_path: Path
) -> None:
    local = LocalServer(tmp_path / "local")
    address = await local.open()
    try:
        _edit_and_vanish(host, tmp_path, real(tmp_path, address.url, address.key))
    finally:
        local.close(wait=True)


class SlowModel:
    """A model that answers when it is told to, with one replacement in the first heading."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.may_answer = threading.Event()

    def __call__(self, request: dict[str, Any]) -> Step:
        self.asked.set()
        self.may_answer.wait(120)
        shown = "\n".join(str(message["content"]) for message in request["messages"])
        block = re.search(r"\[(p\d+)[^\]]*\] Services Agreement$", shown, re.MULTILINE)
        operation = {
            "op": "replace_text",
            "block": block.group(1) if block else "",
            "find": "Services Agreement",
            "replace": "Treaty of Services",
            "occurrence": None,
        }
        plan = {"reason": "r", "decision": "edit", "read": [], "operations": [operation]}
        return json.dumps(plan)


async def test_a_running_edit_outlives_a_killed_client_and_is_shown_at_the_next_login(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = SlowModel()
    with ModelServer(model) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("REDRAFT_MODEL", "vendor/clerk:7b")
        local = LocalServer(tmp_path / "local")
        address = await local.open()
        try:
            _vanish_while_editing(host, tmp_path, real(tmp_path, address.url, address.key), model)
        finally:
            model.may_answer.set()
            local.close(wait=True)


def _vanish_while_editing(host: Host, folder: Path, remote: str, model: SlowModel) -> None:
    terminal = Terminal(
        folder, command=host.ssh("-t", remote=f"{remote} {shutil.copy(SAMPLE, folder)}")
    )
    try:
        terminal.wait_for(b"uploaded")
        terminal.wait_for(b"model vendor/clerk:7b")
        terminal.send(b"Make the name of this paper sound grander, please\r")
        assert model.asked.wait(60)
        terminal.process.kill()
        deadline = time.monotonic() + LIMIT
        while _processes(folder):
            assert time.monotonic() < deadline, "the program outlives its terminal"
            time.sleep(0.05)
    finally:
        terminal.__exit__(None, None, None)
    model.may_answer.set()
    again = Terminal(folder, command=host.ssh("-t", remote=remote))
    try:
        again.wait_for(b"Treaty of Services")
        again.send(b"\x11")
        assert again.end() == 0
    finally:
        again.__exit__(None, None, None)


def _edit_and_vanish(host: Host, folder: Path, remote: str) -> None:
    terminal = Terminal(
        folder, command=host.ssh("-t", remote=f"{remote} {shutil.copy(SAMPLE, folder)}")
    )
    try:
        terminal.wait_for(b"uploaded")
        terminal.wait_for(b"no language model (ctrl+t): simple instructions only")
        terminal.send(b'Replace "Harbour Lane" with "Quay Street" everywhere\r')
        terminal.wait_for(b"Not done yet")
        terminal.send(b"\r")
        terminal.wait_for(b"applied in")
        terminal.paste(b"half a draft")
        running = _processes(folder)
        assert len(running) == 1
        terminal.process.kill()
        deadline = time.monotonic() + LIMIT
        while _processes(folder):
            assert time.monotonic() < deadline, "the program outlives its terminal"
            time.sleep(0.05)
    finally:
        terminal.__exit__(None, None, None)
    again = Terminal(folder, command=host.ssh("-t", remote=remote))
    try:
        again.wait_for(b"Quay Street")
        again.wait_for(b"half a draft")
        again.send(b"\x11")
        assert again.end() == 0
    finally:
        again.__exit__(None, None, None)


def _processes(folder: Path) -> list[str]:
    """The programs, not the service, that were started with this folder."""
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().decode().split("\0")
            environment = (place / "environ").read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if "--server" in words and str(folder) in environment and words[0] == sys.executable:
            found.append(place.name)
    return found
