"""What an operator of several services runs: the doctor."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest

from redraft.api.admin.doctor import examine
from redraft.api.settings import Settings
from tests.cluster.pgbouncer import Pgbouncer
from tests.cluster.test_several_processes import pool

__all__ = ["pool"]


@pytest.mark.parametrize("is_pooled", [False, True])
async def test_the_doctor_asks_the_database_and_the_bucket(
    url: str, bucket_url: str, pool: Pgbouncer, tmp_path: Path, *, is_pooled: bool
) -> None:
    output = io.StringIO()
    settings = Settings(
        data_dir=tmp_path,
        workers=0,
        database_url=pool.url(url) if is_pooled else url,
        files_url=bucket_url,
    )
    assert await asyncio.to_thread(examine, settings, {}, output) == 0
    told = dict(line[6:].split(": ", 1) for line in output.getvalue().splitlines())
    assert "PostgreSQL 1" in told["database"]
    assert "off this one" in told["database"]
    events = (
        "events of other services come late" if is_pooled else "events of other services are heard"
    )
    assert events in told["database"]
    assert "overwrites none" in told["files"]
