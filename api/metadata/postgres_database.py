"""Connections to one PostgreSQL database, and the steps to today's schema.

Every piece of work is one transaction, so that a connection pool that hands out its connections by
transaction may stand in between. A transaction whose process was paused in the middle is ended by
the server, or its locks would stop everybody else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from redraft.api.metadata.postgres_schema import OLDEST_RELEASE, STEPS
from redraft.api.metadata.protocol import MetadataError

Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
NOW = "extract(epoch FROM clock_timestamp())::float8"
"""The clock that all moments are compared with: that of the database."""
BEGIN = """
    BEGIN;
    SET LOCAL idle_in_transaction_session_timeout = '3s';
    SET LOCAL statement_timeout = '10s';
"""
BEGIN_LIGHTLY = BEGIN + "SET LOCAL synchronous_commit = off;"
"""For what may be lost in a crash of the server without a trace."""
APPLICATION = "redraft"
ANSWER_SECONDS = 15.0
CONNECT_SECONDS = 5.0
CACHED_STATEMENTS = 100
UPGRADE_LOCK = 7_263_771
FAULTS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that the server ended while nothing was asked
    OSError,
    TimeoutError,
)
OLD = "the schema of the database is older than this release; run `redraft db upgrade`"
NEW = "the database was upgraded by a newer release of redraft; upgrade redraft"


class PostgresDatabase:
    """A pool of connections."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], *, is_pooled: bool) -> None:
        self._pool = pool
        self.is_pooled = is_pooled
        """Whether another pool stands in between, which hands out connections by transaction."""

    @asynccontextmanager
    async def transaction(self, begin: str = BEGIN) -> AsyncGenerator[Connection]:
        """Runs what is done in the block in one transaction; when it raises, nothing has happened.

        Raises:
            MetadataError: the database refused, or cannot be reached. Where it failed at the end,
                nobody knows whether the transaction has happened.
        """
        try:
            async with self._pool.acquire(timeout=CONNECT_SECONDS) as connection:
                await connection.execute(begin)
                try:
                    yield connection
                    await connection.execute("COMMIT")
                except BaseException:
                    if not connection.is_closed():
                        await asyncio.shield(_rolled_back(connection))
                    raise
        except FAULTS as error:
            is_full = isinstance(error, asyncpg.DiskFullError)
            message = f"PostgreSQL: {type(error).__name__}"
            raise MetadataError(message, full=is_full) from error

    async def close(self) -> None:
        """Closes all connections."""
        try:
            await asyncio.wait_for(self._pool.close(), CONNECT_SECONDS)
        except TimeoutError:
            self._pool.terminate()


async def _rolled_back(connection: Connection) -> None:
    try:
        await connection.execute("ROLLBACK")
    except FAULTS:
        connection.terminate()


async def open_postgres(url: str, most: int, name: str = APPLICATION) -> PostgresDatabase:
    """Connects to a database whose schema this release can work on.

    Args:
        url: `postgresql://user:password@host:port/database`.
        most: Connections that are open at once.
        name: What the server is told about who connects.

    Raises:
        MetadataError: it cannot be reached, or its schema is another one.
    """
    is_pooled = await _checked(url)
    try:
        pool = await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=most,
            timeout=CONNECT_SECONDS,
            command_timeout=ANSWER_SECONDS,
            server_settings={"application_name": name},
            # A statement that was prepared in one transaction is unknown in the next one's server.
            statement_cache_size=0 if is_pooled else CACHED_STATEMENTS,
        )
    except FAULTS as error:
        raise unreachable(error) from error
    return PostgresDatabase(pool, is_pooled=is_pooled)


def unreachable(error: Exception) -> MetadataError:
    """Says why there is no connection, without the address, which holds a password."""
    message = f"PostgreSQL cannot be reached ({type(error).__name__}): {error}"
    return MetadataError(message)


async def _checked(url: str) -> bool:
    """Looks at the schema; returns whether a pool stands in between."""
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, statement_cache_size=0)
        try:
            async with connection.transaction():
                steps, oldest = await _schema(connection)
                pid = await connection.fetchval("SELECT pg_backend_pid()")
        finally:
            await connection.close()
    except (*FAULTS, ValueError) as error:
        raise unreachable(error) from error
    if steps < len(STEPS):
        raise MetadataError(OLD)
    if oldest > len(STEPS):
        raise MetadataError(NEW)
    return pid != connection.get_server_pid()


@dataclass(frozen=True, slots=True)
class Probed:
    """What a database is like: release, steps of its schema, clock, and whether hints arrive."""

    release: str
    steps: int
    now: float
    is_direct: bool
    hears: bool


async def probe(url: str) -> Probed:
    """Asks a database what several services have to know of it.

    Raises:
        MetadataError: it cannot be reached.
    """
    heard = asyncio.Event()

    def hear(_connection: object, _pid: int, _channel: str, _payload: object) -> None:
        heard.set()

    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, statement_cache_size=0)
        try:
            async with connection.transaction():
                pid = await connection.fetchval("SELECT pg_backend_pid()")
                release = await connection.fetchval("SHOW server_version")
                now = await connection.fetchval(f"SELECT {NOW}")
                steps, _ = await _schema(connection)
            is_direct = pid == connection.get_server_pid()
            if is_direct:
                await connection.add_listener("redraft_probe", hear)
                await connection.execute("NOTIFY redraft_probe")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(heard.wait(), CONNECT_SECONDS)
        finally:
            await connection.close()
    except (*FAULTS, ValueError) as error:
        raise unreachable(error) from error
    return Probed(release.split()[0], steps, now, is_direct, heard.is_set())


async def _schema(connection: asyncpg.Connection[asyncpg.Record]) -> tuple[int, int]:
    """Returns how many steps were taken, and how many a program must know; 0 for an empty one."""
    if await connection.fetchval("SELECT to_regclass('schema_version')") is None:
        return 0, 0
    row = await connection.fetchrow("SELECT version, oldest_release FROM schema_version")
    return (0, 0) if row is None else (row["version"], row["oldest_release"])


async def upgrade(url: str, steps: tuple[str, ...] = STEPS, oldest: int = OLDEST_RELEASE) -> int:
    """Takes the steps that are missing, all of them or none; returns how many there were.

    Two that do so at once wait for one another.

    Raises:
        MetadataError: it cannot be reached, or a newer release has upgraded it.
    """
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, statement_cache_size=0)
    except (*FAULTS, ValueError) as error:
        raise unreachable(error) from error
    try:
        async with connection.transaction():
            await connection.execute(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
            await connection.execute(
                "CREATE TABLE IF NOT EXISTS schema_version"
                " (version integer NOT NULL, oldest_release integer NOT NULL)"
            )
            taken, least = await _schema(connection)
            if least > len(steps):
                raise MetadataError(NEW)
            for step in steps[taken:]:
                await connection.execute(step)
            if taken < len(steps):
                await connection.execute("DELETE FROM schema_version")
                await connection.execute(
                    "INSERT INTO schema_version VALUES ($1, $2)", len(steps), oldest
                )
            return max(0, len(steps) - taken)
    except FAULTS as error:
        raise unreachable(error) from error
    finally:
        await connection.close()
