from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from redraft.api.metadata.sqlite import SqliteMetadata
from tests.api.builders import HeldClock


@pytest.fixture
async def metadata(tmp_path: Path) -> AsyncGenerator[SqliteMetadata]:
    opened = await SqliteMetadata.open(tmp_path / "test.sqlite")
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()
