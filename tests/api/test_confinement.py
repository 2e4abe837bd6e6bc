"""Where workers are not confined, a service that requires it does not start."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.api.app import Externals, running
from redraft.api.clock import SystemClock
from redraft.api.errors import WorkerError
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from tests.api import fake_planner
from tests.api.fake_engine import FakeEngine


class Confined(InProcess):
    """Workers that say that they reach nothing."""

    is_confined = True


def externals(workers: InProcess) -> Externals:
    return Externals(FakeEngine(workers), fake_planner.plan, SystemClock())


async def test_a_service_that_requires_confinement_does_not_start_without(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, confinement="require")
    with pytest.raises(WorkerError, match="REDRAFT_CONFINEMENT is `require`; `redraft doctor`"):
        async with running(settings, externals(InProcess())):
            pass


async def test_it_starts_where_workers_are_confined_or_need_not_be(tmp_path: Path) -> None:
    async with running(Settings(data_dir=tmp_path, confinement="require"), externals(Confined())):
        pass
    async with running(Settings(data_dir=tmp_path), externals(InProcess())):
        pass
