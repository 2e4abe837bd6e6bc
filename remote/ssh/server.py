"""The SSH server: listens, ends sessions that idle, and stops without losing work."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import asyncssh

from redraft.remote.address import unheard
from redraft.remote.program import ENDING, command_line
from redraft.remote.sessions import Limits, Sessions
from redraft.remote.ssh.authorized_keys import AuthorizedKeysError
from redraft.remote.ssh.connection import SshConnection
from redraft.remote.ssh.host_key import HostKeyError, host_key
from redraft.remote.ssh.login_limits import LoginLimits
from redraft.remote.ssh.server_context import ServerContext
from redraft.remote.ssh.session import UPLOADING
from redraft.tui.clock import Clock, SystemClock

DONE, WRONG_USE = 0, 2
SWEEP = 5.0  # seconds between looks at who idles
ASKING = 30.0  # seconds between questions whether a silent client is there
SILENT = 4  # questions without an answer
KEEPING = 3.0  # seconds for the last words to go out
log = logging.getLogger("redraft.ssh")


class StartError(Exception):
    """The server cannot start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server is run; `command` is the program, for tests."""

    folder: Path
    server: str
    host: str = "127.0.0.1"
    port: int = 8022
    limits: Limits = field(default_factory=Limits)
    command: Sequence[str] = ()


class Host:
    """The server."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        words = ("--server", settings.server, "--reach", "service")
        self.context = ServerContext(
            folder=settings.folder,
            server=settings.server,
            command=settings.command or command_line(*words),
            environment=os.environ,
            sessions=Sessions(settings.limits, clock.steady),
            clock=clock,
            login_limits=LoginLimits(settings.limits, clock.steady),
        )
        self._listener: asyncssh.SSHAcceptor | None = None

    async def open(self) -> int:
        """Listens; returns the port.

        Raises:
            StartError: the list of people, the host key or the address cannot be used.
        """
        settings = self._settings
        try:
            key = host_key(settings.folder)
            authorized_keys = self.context.authorized_keys()
        except (HostKeyError, AuthorizedKeysError) as error:
            raise StartError(str(error)) from error
        try:
            self._listener = await asyncssh.create_server(  # pyright: ignore[reportUnknownMemberType]
                lambda: SshConnection(self.context),
                settings.host,
                settings.port,
                server_host_keys=[key],
                server_version="redraft",
                config=None,
                gss_host=None,
                gss_kex=False,
                gss_auth=False,
                x509_trusted_certs=None,
                password_auth=False,
                kbdint_auth=False,
                host_based_auth=False,
                agent_forwarding=False,
                x11_forwarding=False,
                line_editor=False,
                encoding=None,
                login_timeout=settings.limits.login,
                keepalive_interval=ASKING,
                keepalive_count_max=SILENT,
            )
        except OSError as error:
            message = (
                f"{settings.host}:{settings.port} cannot be opened for listening: "
                f"{unheard(error)}; set --host or --port, or --port 0 for any free port"
            )
            raise StartError(message) from error
        log.info("%d keys may log in, host key %s", len(authorized_keys), key.get_fingerprint())
        return self._listener.get_port()

    def sweep(self) -> int:
        """Ends the sessions that idle; returns their number."""
        ended = self.context.sessions.end_idle()
        if ended:
            log.info("%d idle sessions ended", ended)
        return ended

    async def close(self) -> None:
        """Lets nobody in, ends every session in order, and waits until documents have arrived."""
        if self._listener is not None:
            self._listener.close()
        self.context.sessions.stop()
        late = await self.context.finish(max(UPLOADING, ENDING) + KEEPING)
        if late:
            log.warning("%d sessions did not end in time", late)
        if self._listener is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._listener.wait_closed(), KEEPING)


def serve(settings: Settings) -> int:
    """Runs the server until SIGTERM or Ctrl+C; a second signal ends it at once."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("redraft: %(message)s"))
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False
    asyncssh.set_log_level(logging.CRITICAL)  # it names keys and paths, and strangers fill it
    try:
        asyncio.run(_serve(settings))
    except StartError as error:
        sys.stderr.write(f"redraft: {error}\n")
        return WRONG_USE
    return DONE


async def _serve(settings: Settings) -> None:
    host = Host(settings, SystemClock())
    port = await host.open()
    stopping = asyncio.Event()
    _listen_to_signals(stopping)
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    sys.stderr.write(f"redraft: listening on ssh://{shown}:{port}\n")
    sys.stderr.flush()
    while not stopping.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), SWEEP)
        host.sweep()
    log.info("stopping; sessions are closed and logins refused")
    await host.close()


def _listen_to_signals(stopping: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if stopping.is_set():
            os._exit(1)  # programs end with their terminals
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
