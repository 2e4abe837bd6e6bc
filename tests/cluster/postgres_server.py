"""A PostgreSQL server of the tests' own, on a free port of this machine."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import asyncpg

from redraft.api.metadata.postgres_database import upgrade

DEBIAN = "/usr/lib/postgresql"
TEMPLATE = "redraft_template"


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`; None where PostgreSQL is not installed."""
    places = sorted(Path(DEBIAN).glob("*/bin"), reverse=True)
    found = shutil.which("pg_ctl")
    places += [Path(found).parent] if found else []
    return next((place for place in places if (place / "pg_ctl").exists()), None)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class PostgresServer:
    """Started in a folder of its own, as a user that is not root."""

    def __init__(self, binaries: Path, follows: int = 0) -> None:
        self._binaries = binaries
        # The folders of pytest are closed to other users.
        self._folder = Path(tempfile.mkdtemp(prefix="redraft-postgres-"))
        self._data = self._folder / "data"
        self.port = free_port()
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_user:
            shutil.chown(self._folder, "postgres")
        if follows:
            source = f"host=127.0.0.1 port={follows} user=redraft application_name=standby"
            self._run("pg_basebackup", "-D", self._data, "-R", "-c", "fast", "-d", source)
        else:
            self._run("initdb", "-D", self._data, "-U", "redraft", "-A", "trust", "-E", "UTF8")
        self.start()
        if not follows:
            asyncio.run(self._prepare())

    def url(self, database: str, port: int = 0) -> str:
        return f"postgresql://redraft@127.0.0.1:{port or self.port}/{database}"

    def standby(self) -> PostgresServer:
        """Start a server that follows this one, and without which this one commits nothing."""
        made = PostgresServer(self._binaries, self.port)
        asyncio.run(self._execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'"))
        asyncio.run(self._execute("SELECT pg_reload_conf()"))
        return made

    def promote(self) -> None:
        """Make a server that follows another one take its place."""
        self._run("pg_ctl", "-D", self._data, "-w", "promote")

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' "
        options += "-c fsync=off -c max_connections=200"
        log = self._data / "log"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", log, "-o", options, "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it in an orderly way (`fast`), or as by a crash (`immediate`)."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", how, "stop")

    def close(self) -> None:
        if (self._data / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self._folder)

    def database(self) -> str:
        """Make a database with today's schema; returns its URL."""
        name = f"t{secrets.token_hex(6)}"
        asyncio.run(self._execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}"))
        return self.url(name)

    def empty(self) -> str:
        """Make a database without any schema; returns its URL."""
        name = f"t{secrets.token_hex(6)}"
        asyncio.run(self._execute(f"CREATE DATABASE {name}"))
        return self.url(name)

    async def _prepare(self) -> None:
        await self._execute(f"CREATE DATABASE {TEMPLATE}")
        await upgrade(self.url(TEMPLATE))

    async def _execute(self, sql: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    def _run(self, name: str, *arguments: object) -> None:
        command = [*self._as_user, str(self._binaries / name), *map(str, arguments)]
        subprocess.run(
            command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
