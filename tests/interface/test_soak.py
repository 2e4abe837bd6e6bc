from __future__ import annotations

import pytest

from scripts.soak import soak

pytestmark = pytest.mark.xdist_group("soak")
SECONDS = 10


def test_a_short_soak_loses_leaks_and_leaves_nothing() -> None:
    tally = soak(SECONDS)
    assert tally.requests > 20
    assert tally.faults == 0, "\n".join(tally.lines())
