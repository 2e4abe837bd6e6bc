from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator
from uuid import uuid4

import pytest

from redraft.api.metadata.postgres import PostgresMetadata
from tests.cluster.postgres_server import PostgresServer, programs
from tests.cluster.s3_server import CREDENTIALS, S3Server, server_program
from tests.conftest import missing
from tests.documents import is_full_sweep


@pytest.fixture(scope="package")
def postgres() -> Generator[PostgresServer]:
    """A PostgreSQL server, started for this run."""
    binaries = programs()
    if binaries is None:
        missing("PostgreSQL", is_required=_is_required())
        return
    server = PostgresServer(binaries)
    yield server
    server.close()


def _is_required() -> bool:
    return os.environ.get("REDRAFT_REQUIRE_PROGRAMS") == "1" or is_full_sweep()


@pytest.fixture(scope="package")
def bucket_server() -> Generator[S3Server]:
    """An S3 server, started for this run."""
    program = server_program()
    if program is None:
        missing("SeaweedFS", is_required=_is_required())
        return
    server = S3Server(program)
    yield server
    server.close()


@pytest.fixture
def bucket_url(bucket_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """A prefix of its own in the bucket, which this process may use."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    return bucket_server.url(uuid4().hex)


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.database()


@pytest.fixture
async def metadata(url: str) -> AsyncGenerator[PostgresMetadata]:
    opened = await PostgresMetadata.open(url, 8, 2.0)
    yield opened
    await opened.close()
