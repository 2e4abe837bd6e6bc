"""An S3 server of the tests' own: SeaweedFS, on free ports of this machine."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cluster.postgres_server import free_port

IDENTITY = {
    "name": "tests",
    "credentials": [{"accessKey": "key", "secretKey": "secret"}],
    "actions": ["Admin", "Read", "Write", "List"],
}
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
TRIES, START_SECONDS = 3, 30.0
LATEST_PORT = 50_000
"""Its own calls go to a port that is 10,000 higher."""


def server_program() -> Path | None:
    """The program, beside the Python that runs the tests; None where it is not installed."""
    found = shutil.which("weed", path=str(Path(sys.executable).parent))
    return Path(found) if found else None


class S3Server:
    def __init__(self, program: Path) -> None:
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="redraft-s3-"))
        (self._folder / "identities.json").write_text(json.dumps({"identities": [IDENTITY]}))
        self._ports = [_low_port() for _ in range(4)]
        for _ in range(TRIES - 1):
            try:
                self.start()
            except RuntimeError:  # somebody took a port meanwhile, or one that is 10,000 higher
                self._ports = [_low_port() for _ in range(4)]
            else:
                return
        self.start()

    @property
    def port(self) -> int:
        return self._ports[0]

    def url(self, prefix: str) -> str:
        return f"s3://redraft/{prefix}?endpoint=http://127.0.0.1:{self.port}"

    def start(self) -> None:
        s3, master, volume, filer = self._ports
        self._process = subprocess.Popen(
            [
                str(self._program),
                "server",
                f"-dir={self._folder}",
                "-ip=127.0.0.1",
                "-ip.bind=127.0.0.1",
                "-master.telemetry=false",
                f"-master.port={master}",
                "-master.volumeSizeLimitMB=64",
                "-volume.max=200",
                f"-volume.port={volume}",
                "-volume.preStopSeconds=1",
                "-filer",
                f"-filer.port={filer}",
                "-s3",
                f"-s3.port={s3}",
                "-s3.port.iceberg=0",
                "-s3.port.lance=0",
                f"-s3.config={self._folder / 'identities.json'}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if time.monotonic() > end or self._process.poll() is not None:
                self.kill()
                message = "SeaweedFS does not start"
                raise RuntimeError(message)
            time.sleep(0.1)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self._ports[0], timeout=2)
        try:
            connection.request("GET", "/")
            connection.getresponse().read()
        except OSError:
            return False
        else:
            return True
        finally:
            connection.close()


def _low_port() -> int:
    while (port := free_port()) > LATEST_PORT:
        pass
    return port
