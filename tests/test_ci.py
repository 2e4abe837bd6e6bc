"""`.ci/run` names modules that there are: it is what decides, and the last to be read."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

RUN = Path(__file__).parents[1] / ".ci" / "run"


def test_the_modules_that_are_imported_under_newer_releases_exist() -> None:
    [line] = re.findall(r'-c "import (redraft[^"]*)"', RUN.read_text("utf-8"))
    names = line.split(", ")
    assert len(names) == 6
    assert [name for name in names if importlib.util.find_spec(name) is None] == []
