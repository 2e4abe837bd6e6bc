from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator

import pytest

from redraft.api.metadata.postgres import PostgresMetadata
from tests.cluster.postgres_server import PostgresServer, programs
from tests.conftest import missing
from tests.documents import is_full_sweep


@pytest.fixture(scope="package")
def postgres() -> Generator[PostgresServer]:
    """A PostgreSQL server, started for this run."""
    binaries = programs()
    if binaries is None:
        required = os.environ.get("REDRAFT_REQUIRE_PROGRAMS") == "1"
        missing("PostgreSQL", is_required=required or is_full_sweep())
        return
    server = PostgresServer(binaries)
    yield server
    server.close()


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.database()


@pytest.fixture
async def metadata(url: str) -> AsyncGenerator[PostgresMetadata]:
    opened = await PostgresMetadata.open(url, 8, 2.0)
    yield opened
    await opened.close()
