"""A pgbouncer of the tests' own, which hands out connections by transaction."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tests.cluster.postgres_server import free_port

SETTINGS = """
[databases]
* = host=127.0.0.1 port={server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 200
server_tls_sslmode = disable
logfile = {folder}/log
pidfile = {folder}/pid
"""


class Pgbouncer:
    def __init__(self, binary: Path, server: int) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="redraft-pgbouncer-"))
        self.port = free_port()
        settings = self._folder / "settings.ini"
        written = SETTINGS.format(server=server, port=self.port, folder=self._folder)
        settings.write_text(written.replace("* = host", "* = user=redraft host"))
        command = [str(binary), str(settings)]
        if os.geteuid() == 0:
            for path in (self._folder, settings):
                shutil.chown(path, "postgres")
            command = ["runuser", "-u", "postgres", "--", *command]
        self._process = subprocess.Popen(
            command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    def url(self, of: str) -> str:
        """The same database through the pool."""
        return f"postgresql://redraft@127.0.0.1:{self.port}/{of.rpartition('/')[2]}"

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(20)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait(self) -> None:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        message = "pgbouncer does not start"
        raise RuntimeError(message)
