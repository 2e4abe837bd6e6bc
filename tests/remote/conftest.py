"""A service with five keys, people with SSH keys of their own, and a server with its own clock."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from redraft.remote.sessions import Limits
from redraft.remote.ssh.server import Host, Settings
from tests.interface.server_process import ServerProcess

NAMES = ("alice", "bob", "carol", "dave", "erin")
MARKER = (sys.executable, str(Path(__file__).with_name("in_a_session.py")))
PATIENCE = 60.0


class HandClock:
    """Time that only a test moves."""

    zone = UTC

    def __init__(self) -> None:
        self.seconds = 1_795_271_460.0

    def now(self) -> float:
        return self.seconds

    def steady(self) -> float:
        return self.seconds


def key_of(name: str) -> str:
    """The API key of a person."""
    return f"key-of-{name}-0123456789"


def admit(folder: Path, *names: str, options: str = "") -> dict[str, asyncssh.SSHKey]:
    """Write a list of people into a folder; return the private halves of their SSH keys."""
    (folder / "keys").mkdir(mode=0o700, parents=True, exist_ok=True)
    made: dict[str, asyncssh.SSHKey] = {}
    lines = ["# who may come in", ""]
    for name in names:
        made[name] = asyncssh.generate_private_key("ssh-ed25519", f"{name}@laptop")  # pyright: ignore[reportUnknownMemberType]
        secret = folder / "keys" / name
        secret.write_text(f"{key_of(name)}\n")
        secret.chmod(0o600)
        public = made[name].export_public_key("openssh").decode().strip()
        lines.append(f'key="{name}",author="{name.title()} Lee"{options} {public}')
    path = folder / "authorized_keys"
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o600)
    return made


@dataclass
class Running:
    """A server in this process, and ways to it."""

    host: Host
    port: int
    folder: Path
    clock: HandClock
    keys: dict[str, asyncssh.SSHKey]
    connections: list[asyncssh.SSHClientConnection] = field(
        default_factory=list[asyncssh.SSHClientConnection]
    )

    async def connect(
        self, name: str = "alice", keys: list[asyncssh.SSHKey] | None = None, **options: Any
    ) -> asyncssh.SSHClientConnection:
        """Log in; raises what asyncssh raises."""
        connection = await asyncssh.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            "127.0.0.1",
            self.port,
            username="anybody",
            client_keys=[self.keys[name]] if keys is None else keys,
            known_hosts=None,
            config=None,
            agent_path=None,
            **options,
        )
        self.connections.append(connection)
        return connection

    async def terminal(
        self, connection: asyncssh.SSHClientConnection, size: tuple[int, int] = (80, 24)
    ) -> Shown:
        """Open a session with a terminal."""
        process: asyncssh.SSHClientProcess[bytes] = await connection.create_process(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            term_type="xterm-256color", term_size=size, encoding=None
        )
        return Shown(process)


@dataclass
class Shown:
    """What a session has shown so far."""

    process: asyncssh.SSHClientProcess[bytes]
    seen: bytes = b""

    async def wait_for(self, wanted: bytes) -> bytes:
        """Read until these bytes have come; return what came up to then."""
        async with asyncio.timeout(PATIENCE):
            while wanted not in self.seen:
                data = await self.process.stdout.read(1 << 16)
                if not data:
                    break
                self.seen += data
        assert wanted in self.seen, self.seen[-2000:]
        return self.seen

    async def end(self) -> tuple[int | None, str]:
        """Read to the end; return the exit code and the last words."""
        async with asyncio.timeout(PATIENCE):
            while data := await self.process.stdout.read(1 << 16):
                self.seen += data
            words = await self.process.stderr.read()
            await self.process.wait_closed()
        return self.process.exit_status, words.decode()

    def pid(self) -> int:
        """The process id that the marker program said."""
        return int(self.seen.partition(b"pid=")[2].split()[0])


Serve = Callable[..., contextlib.AbstractAsyncContextManager[Running]]


@pytest.fixture
def serving(tmp_path: Path) -> Serve:
    """Start a server in this process, with the marker program, or the real one (`command=()`)."""

    @asynccontextmanager
    async def serve(
        *,
        authorized_keys: tuple[str, ...] = ("alice", "bob"),
        limits: Limits | None = None,
        server: str = "http://127.0.0.1:9",
        command: tuple[str, ...] = MARKER,
    ) -> AsyncGenerator[Running]:
        folder = tmp_path / "ssh"
        keys = admit(folder, *authorized_keys)
        clock = HandClock()
        chosen = limits or Limits()
        settings = Settings(folder, server, port=0, limits=chosen, command=command)
        host = Host(settings, clock)
        running = Running(host, await host.open(), folder, clock, keys)
        try:
            yield running
        finally:
            for connection in running.connections:
                connection.close()
                await connection.wait_closed()
            await host.close()

    return serve


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    """A real service that knows the keys of five people."""
    variables = {"REDRAFT_API_KEYS": ",".join(key_of(name) for name in NAMES)}
    folder = tmp_path_factory.mktemp("service")
    process = ServerProcess(folder, staged=False, variables=variables).start()
    yield process
    process.stop()
