"""The program and the documents over SSH as people use them: OpenSSH, tmux-sized windows, files."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import program
from tests.interface.server_process import ServerProcess, upload, wait_for
from tests.model_server import ModelServer, Step
from tests.remote.conftest import NAMES, admit, key_of
from tests.remote.test_program import is_running
from tests.tui.terminal import Terminal

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
pytestmark = [
    pytest.mark.program,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]
SETTINGS = (
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
    "IdentitiesOnly=yes",
    "BatchMode=yes",
)
OPTIONS = ("-F", "none", *(word for setting in SETTINGS for word in ("-o", setting)))
START_SECONDS = 60.0


class SshServer:
    """`redraft ssh-serve` as a process, and people with SSH keys in files."""

    def __init__(self, folder: Path, url: str, *options: str) -> None:
        program("ssh")
        program("sftp")
        self.folder = folder
        self.ssh = folder / "ssh"
        for name, key in admit(self.ssh, *NAMES).items():
            path = folder / name
            path.write_bytes(key.export_private_key("openssh"))
            path.chmod(0o600)
        command = [sys.executable, "-m", "redraft", "ssh-serve", "--server", url, "--port", "0"]
        command += ["--folder", str(self.ssh), *options]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
        )
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        wait_for(lambda: self._port() or self.process.poll() is not None, START_SECONDS)
        assert self._port(), "".join(self.log)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)

    def _port(self) -> str:
        found = re.search(r"listening on ssh://127\.0\.0\.1:(\d+)", "".join(self.log))
        return found.group(1) if found else ""

    def login(self, name: str, *options: str) -> list[str]:
        """The command line of a login."""
        key = ("-i", str(self.folder / name))
        return ["ssh", *OPTIONS, *key, "-p", self._port(), *options, "anybody@127.0.0.1"]

    def run(self, tool: str, name: str, *words: str, text: str = "") -> tuple[int, str, str]:
        """Run sftp or scp; HOST: in its words is this server."""
        there = [word.replace("HOST", "anybody@127.0.0.1") for word in words]
        command = [tool, *OPTIONS, "-i", str(self.folder / name), "-P", self._port(), *there]
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=False, cwd=self.folder
        )
        return done.returncode, done.stdout, done.stderr

    def terminal(
        self,
        name: str,
        *options: str,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
    ) -> Terminal:
        """Log in from a terminal."""
        command = self.login(name, *options)
        return Terminal(self.folder, size=size, command=command, **(environment or {}))

    def programs(self) -> list[int]:
        """The programs that run for people."""
        found: list[int] = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                environment = (place / "environ").read_bytes()
                words = (place / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if str(self.ssh / "homes").encode() in environment and b"--reach" in words:
                found.append(int(place.name))
        return [pid for pid in found if is_running(pid)]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End the server; return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(60)
        self._reader.join(10)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code


@pytest.fixture
def ssh(documents: ServerProcess, tmp_path: Path) -> Generator[SshServer]:
    server = SshServer(tmp_path, documents.url)
    yield server
    server.stop()


def leave(terminal: Terminal) -> None:
    terminal.__exit__(None, None, None)


def put_for(documents: ServerProcess, name: str, document: str) -> None:
    """Give a person a document and take the others away."""
    with documents.client(key_of(name)) as client:
        for held in client.get("/v1/documents/").json()["documents"]:
            client.delete(f"/v1/documents/{held['docId']}")
        upload(client, SAMPLE.read_bytes(), document, tracked_changes=True)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_it_is_drawn_resized_edited_in_and_left(
    ssh: SshServer, documents: ServerProcess, size: tuple[int, int]
) -> None:
    put_for(documents, "alice", "contract.docx")
    terminal = ssh.terminal("alice", size=size)
    try:
        terminal.wait_for(b"contract.docx")
        terminal.wait_for(b"Services Agreement")
        assert b"\x1b[?1003h" not in terminal.seen
        terminal.resize(50, 12, b"redraft needs 60x15, have 50x12")
        terminal.resize(*size, b"Northwind")
        terminal.send(b'Replace "Harbour Lane" with "Quay Street" everywhere\r', b"Not done yet")
        terminal.send(b"\r", b"applied in")
        terminal.send(b"\x11", b"leave without saving")
        terminal.send(b"\r")
        assert terminal.end() == 0
        assert b"\x1b[?1049l" in terminal.seen
        assert b"\x1b[?25h" in terminal.seen
    finally:
        leave(terminal)


def test_five_people_work_beside_each_other_and_a_crash_is_one_persons(
    ssh: SshServer, documents: ServerProcess
) -> None:
    sizes = [(80 + 10 * number, 24 + number) for number in range(len(NAMES))]
    for name in NAMES:
        put_for(documents, name, f"of-{name}.docx")
    terminals = {
        name: ssh.terminal(name, size=size) for name, size in zip(NAMES, sizes, strict=True)
    }
    try:
        for name, terminal in terminals.items():
            terminal.wait_for(f"of-{name}.docx".encode())
            others = [other for other in NAMES if other != name]
            assert not [other for other in others if f"of-{other}".encode() in terminal.seen]
        running = ssh.programs()
        assert len(running) == len(NAMES)
        victim = next(pid for pid in running if b"key-of-alice" in _environment(pid))
        os.kill(victim, signal.SIGKILL)
        assert terminals["alice"].end() == 128 + signal.SIGKILL
        assert b"\x1b[?1049l" in terminals["alice"].seen
        for name in NAMES[1:]:
            mark = len(terminals[name].seen)
            terminals[name].type(f"still {name}".encode())
            terminals[name].wait_for(f"still {name}".encode(), after=mark)
    finally:
        for terminal in terminals.values():
            leave(terminal)
    wait_for(lambda: not ssh.programs())


def _environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def test_files_and_programs_of_the_server_are_out_of_reach(
    ssh: SshServer, documents: ServerProcess
) -> None:
    put_for(documents, "bob", "contract.docx")
    terminal = ssh.terminal("bob", size=(120, 36))
    try:
        terminal.wait_for(b"contract.docx")
        terminal.settle()
        terminal.send(b"\x05")
        terminal.wait_for(b"no other program is started here")
        terminal.send(b"\x1b")
        for key, words in (
            (b"u", b"files are not reached from here"),
            (b"s", b"nothing is saved here"),
            (b"\x1a", b"there is no shell"),
            (b"c", b"the service was fixed at start"),
        ):
            terminal.send(key)
            terminal.wait_for(words)
        (pid,) = ssh.programs()
        assert not Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    finally:
        leave(terminal)


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
    ssh: SshServer,
    documents: ServerProcess,
    environment: dict[str, str],
    send: bool,
    wanted: bytes,
    absent: bytes | None,
) -> None:
    put_for(documents, "carol", "contract.docx")
    options = ("-o", "SendEnv=COLORTERM") if send else ()
    terminal = ssh.terminal("carol", *options, environment=environment)
    try:
        terminal.wait_for(b"contract.docx")
        terminal.settle()
        assert wanted in terminal.seen
        assert absent is None or absent not in terminal.seen
    finally:
        leave(terminal)


@pytest.mark.parametrize(
    ("options", "command", "term", "words"),
    [
        (("-T",), (), "xterm", "needs a terminal"),
        (("-t",), (), "dumb", "cannot be drawn on"),
        (("-T",), ("cat", "/etc/passwd"), "xterm", "commands cannot be run here"),
    ],
    ids=["no terminal", "dumb", "command"],
)
def test_without_the_program_there_is_one_line_and_2(
    ssh: SshServer, options: tuple[str, ...], command: tuple[str, ...], term: str, words: str
) -> None:
    terminal = Terminal(ssh.folder, command=[*ssh.login("dave", *options), *command], TERM=term)
    try:
        assert terminal.end() == 2
        (line,) = terminal.seen.decode().strip().splitlines()
        assert line.startswith("redraft: ")
        assert words in line
    finally:
        leave(terminal)


def test_a_stranger_is_refused(ssh: SshServer) -> None:
    stranger = ssh.folder / "stranger"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", stranger], check=True)
    done = subprocess.run(ssh.login("stranger"), capture_output=True, text=True, check=False)
    assert done.returncode == 255
    assert "Permission denied (publickey)" in done.stderr


def test_sftp_and_scp_put_and_get_documents(ssh: SshServer, documents: ServerProcess) -> None:
    put_for(documents, "erin", "kept.docx")
    (ssh.folder / "mine.docx").write_bytes(SAMPLE.read_bytes())
    code, _, said = ssh.run("scp", "erin", "mine.docx", "HOST:")
    assert (code, "mine.docx: uploaded" in said) == (0, True)
    batch = "put mine.docx again.docx\nls -1 clean\nget original/again.docx back.docx\n"
    code, out, said = ssh.run("sftp", "erin", "-b", "-", "HOST", text=batch)
    assert code == 0, said
    listed = [line.split("/")[-1] for line in out.splitlines() if not line.startswith("sftp>")]
    assert sorted(listed) == ["again.docx", "kept.docx", "mine.docx"]
    assert (ssh.folder / "back.docx").read_bytes() == SAMPLE.read_bytes()
    code, _, _ = ssh.run("scp", "erin", "HOST:redline/mine.docx", "got.docx")
    assert (code, (ssh.folder / "got.docx").read_bytes()) == (0, SAMPLE.read_bytes())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("erin", "HOST:"), "File type not supported"),
        (("HOST:/etc/passwd", "."), "not found|No such file"),
        (("HOST:../../../etc/passwd", "."), "not found|No such file"),
        (("bad.docx", "HOST:"), "bad.docx: File type not supported"),
    ],
    ids=["kind", "passwd", "up", "content"],
)
def test_scp_fails_with_a_sentence(ssh: SshServer, words: tuple[str, ...], said: str) -> None:
    (ssh.folder / "bad.docx").write_text("not a document")
    code, _, heard = ssh.run("scp", "erin", *words)
    assert code == 1
    assert re.search(said, heard), heard
    assert not (ssh.folder / "passwd").exists()


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


def test_an_edit_outlives_a_dropped_line_and_is_there_at_the_next_login(tmp_path: Path) -> None:
    model = SlowModel()
    with ModelServer(model) as server:
        variables = {
            "REDRAFT_API_KEYS": key_of("alice"),
            "OPENAI_BASE_URL": server.address,
            "OPENAI_API_KEY": "k",
            "REDRAFT_MODEL": "vendor/clerk:7b",
        }
        (tmp_path / "service").mkdir()
        service = ServerProcess(tmp_path / "service", staged=False, variables=variables).start()
        (tmp_path / "door").mkdir()
        ssh = SshServer(tmp_path / "door", service.url)
        try:
            put_for(service, "alice", "contract.docx")
            _drop_while_editing(ssh, model)
            model.may_answer.set()
            again = ssh.terminal("alice")
            try:
                again.wait_for(b"Treaty")
            finally:
                leave(again)
        finally:
            model.may_answer.set()
            ssh.stop()
            service.stop()


def _drop_while_editing(ssh: SshServer, model: SlowModel) -> None:
    terminal = ssh.terminal("alice")
    try:
        terminal.wait_for(b"Services Agreement")
        terminal.type(b"Make the name of this paper sound grander, please\r")
        assert model.asked.wait(60)
        terminal.process.kill()
        wait_for(lambda: not ssh.programs())
    finally:
        leave(terminal)


def test_sigterm_tells_people_keeps_their_drafts_and_leaves_nothing_running(
    documents: ServerProcess, tmp_path: Path
) -> None:
    put_for(documents, "alice", "contract.docx")
    ssh = SshServer(tmp_path, documents.url)
    terminal = ssh.terminal("alice")
    try:
        terminal.wait_for(b"Northwind")
        terminal.settle()
        terminal.type(b"half a draft")
        terminal.wait_for(b"half a draft")
        assert ssh.stop() == 0
        assert terminal.end() == 129
        assert b"this server is stopping" in terminal.seen
        assert b"\x1b[?1049l" in terminal.seen
        assert not ssh.programs()
    finally:
        leave(terminal)
    (session,) = (ssh.ssh / "homes").glob("alice-*/state/redraft/session.json")
    assert "half a draft" in session.read_text()


def test_a_server_that_is_killed_leaves_nothing_running(
    documents: ServerProcess, tmp_path: Path
) -> None:
    put_for(documents, "alice", "contract.docx")
    ssh = SshServer(tmp_path, documents.url)
    terminal = ssh.terminal("alice")
    try:
        terminal.wait_for(b"Northwind")
        assert ssh.programs()
        assert ssh.stop(signal.SIGKILL) == -signal.SIGKILL
        wait_for(lambda: not ssh.programs())
    finally:
        leave(terminal)


def test_what_the_server_says_names_people_and_no_secret(
    ssh: SshServer, documents: ServerProcess
) -> None:
    put_for(documents, "alice", "canary-name.docx")
    (ssh.folder / "mine.docx").write_bytes(SAMPLE.read_bytes())
    ssh.run("scp", "alice", "mine.docx", "HOST:")
    wait_for(lambda: any("alice logged in from 127.0.0.1" in line for line in ssh.log))
    said = "".join(ssh.log)
    for secret in (key_of("alice"), "canary-name", "mine.docx", "anybody"):
        assert secret not in said
