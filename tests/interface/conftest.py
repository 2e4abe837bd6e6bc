from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.interface.requests import Gate
from tests.interface.server_process import OTHER_KEY, ServerProcess


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    """A service whose clock the test moves and whose engine does what it is told."""
    server = ServerProcess(tmp_path_factory.mktemp("staged"), staged=True, sweep_seconds=1)
    yield server.start()
    server.close()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    """`redraft serve` as it is shipped."""
    server = ServerProcess(tmp_path_factory.mktemp("real"), staged=False)
    yield server.start()
    server.close()


@pytest.fixture
def launch(tmp_path: Path) -> Generator[Callable[..., ServerProcess]]:
    """Start a staged service of this test's own, with settings."""
    started: list[ServerProcess] = []

    def start(folder: str = "own", **settings: Any) -> ServerProcess:
        (tmp_path / folder).mkdir(exist_ok=True)
        server = ServerProcess(tmp_path / folder, staged=True, variables=None, **settings)
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.close()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    """Where edits of the fake planner are held."""
    return Gate(tmp_path / "gate")


@pytest.fixture
def client(staged: ServerProcess) -> Generator[httpx.Client]:
    with staged.client() as opened:
        yield opened


@pytest.fixture
def other_client(staged: ServerProcess) -> Generator[httpx.Client]:
    with staged.client(OTHER_KEY) as opened:
        yield opened


@pytest.fixture
def real_client(real: ServerProcess) -> Generator[httpx.Client]:
    with real.client() as opened:
        yield opened
