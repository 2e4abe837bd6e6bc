"""What may go wrong between several processes and one database, each case with real ones."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.cluster.harness import Cluster
from tests.cluster.pgbouncer import Pgbouncer
from tests.cluster.postgres_server import PostgresServer, programs
from tests.conftest import missing, program, programs_are_required

OPERATIONS = 144
DOCUMENTS = int(os.environ.get("REDRAFT_CLUSTER_DOCUMENTS", "12"))
KILLS = int(os.environ.get("REDRAFT_CLUSTER_KILLS", "3"))
NODES = int(os.environ.get("REDRAFT_CLUSTER_NODES", "3"))
LEASE = 2.0


@asynccontextmanager
async def running(url: str, through: str = "") -> AsyncGenerator[Cluster]:
    cluster = await Cluster.start(url, NODES, documents=DOCUMENTS, lease=LEASE, through=through)
    try:
        yield cluster
    finally:
        await cluster.stop()
    sys.stdout.write(
        f"{len(cluster.history)} operations, {cluster.retries} tried again, "
        f"longest wait {cluster.longest_wait:.1f} s\n"
    )


async def test_processes_that_are_killed_lose_and_double_nothing(
    url: str, postgres: PostgresServer
) -> None:
    """Every tenth round pauses a process beyond its lease, or stops the database, instead."""
    async with running(url) as cluster:
        enough = asyncio.Event()
        working = asyncio.create_task(cluster.run(OPERATIONS, callers=24, enough=enough))
        for number in range(1, KILLS + 1):
            await asyncio.sleep(0.3 + random.random())  # noqa: S311 - no secret
            node = random.choice(cluster.nodes)  # noqa: S311 - no secret
            if number % 20 == 0:
                await asyncio.to_thread(postgres.stop, "immediate" if number % 40 else "fast")
                await asyncio.to_thread(postgres.start)
            elif number % 10 == 0:
                await node.pause(LEASE * 1.6)
            else:
                await node.kill()
                await node.start()
        enough.set()
        await working
        assert await cluster.replayed_otherwise() == []
        assert await cluster.violations() == []
        assert len(cluster.history) >= OPERATIONS


async def test_a_process_that_was_paused_commits_nothing_late(url: str) -> None:
    async with running(url) as cluster:
        working = asyncio.create_task(cluster.run(OPERATIONS, callers=24))
        for node in cluster.nodes[:2]:
            await asyncio.sleep(0.3)
            await node.pause(LEASE * 1.6)
        await working
        assert await cluster.violations() == []


@pytest.mark.parametrize("how", ["fast", "immediate"])
async def test_a_database_that_goes_away_and_comes_back_delays_and_harms_nothing(
    url: str, postgres: PostgresServer, how: str
) -> None:
    async with running(url) as cluster:
        working = asyncio.create_task(cluster.run(OPERATIONS, callers=24))
        await asyncio.sleep(0.5)
        await asyncio.to_thread(postgres.stop, how)
        await asyncio.sleep(2)
        await asyncio.to_thread(postgres.start)
        await working
        assert await cluster.violations() == []


@pytest.mark.program
async def test_a_server_that_takes_the_place_of_a_lost_one_has_lost_nothing() -> None:
    """The address of the database names both, and asks for the one that can be written."""
    binaries = programs()
    if binaries is None:
        missing("PostgreSQL", is_required=programs_are_required())
        return
    first = await asyncio.to_thread(PostgresServer, binaries)
    second = await asyncio.to_thread(first.standby)
    try:
        name = (await asyncio.to_thread(first.database)).rpartition("/")[2]
        hosts = f"127.0.0.1:{first.port},127.0.0.1:{second.port}"
        url = f"postgresql://redraft@{hosts}/{name}?target_session_attrs=read-write"
        async with running(url) as cluster:
            working = asyncio.create_task(cluster.run(OPERATIONS, callers=24))
            await asyncio.sleep(0.5)
            await asyncio.to_thread(first.stop, "immediate")
            await asyncio.to_thread(second.promote)
            await working
            assert await cluster.violations() == []
    finally:
        await asyncio.to_thread(first.close)
        await asyncio.to_thread(second.close)


async def test_a_process_that_is_told_to_stop_hands_over_what_waits(url: str) -> None:
    async with running(url) as cluster:
        working = asyncio.create_task(cluster.run(OPERATIONS, callers=24))
        for node in cluster.nodes:
            await asyncio.sleep(0.4)
            await node.stop()
            await node.start()
        await working
        assert await cluster.violations() == []


@pytest.fixture
def pool(postgres: PostgresServer, tmp_path: Path) -> Generator[Pgbouncer]:
    """A connection pool that hands out connections by transaction."""
    found = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    bouncer = Pgbouncer(Path(found) if found else program("pgbouncer"), postgres.port)
    yield bouncer
    bouncer.close()


async def test_a_pool_by_transaction_in_between_changes_nothing(url: str, pool: Pgbouncer) -> None:
    async with running(url, through=pool.url(url)) as cluster:
        working = asyncio.create_task(cluster.run(OPERATIONS, callers=24))
        await asyncio.sleep(0.8)
        await cluster.nodes[0].kill()
        await cluster.nodes[0].start()
        await working
        assert await cluster.violations() == []
