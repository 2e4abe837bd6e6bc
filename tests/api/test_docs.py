"""The pages about the service name everything there is, and nothing that is not."""

from __future__ import annotations

import re
from pathlib import Path

from api.endpoints import ENDPOINTS
from api.errors import ServiceError
from api.operations import EventKind
from api.settings import NAMES, Settings, load, variable

DOCS = Path(__file__).resolve().parents[2] / "docs"
ELSEWHERE = {"REDRAFT_MODEL", "REDRAFT_LARGE_MODEL", "REDRAFT_PROTECTED"}


def test_every_endpoint_is_on_the_page_and_marked_when_it_is_an_addition() -> None:
    page = (DOCS / "api.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+) (\S+)`( \+)? \|", page, re.MULTILINE)
    told = {(method, path, bool(mark)) for method, path, mark in rows}
    assert told == {
        (e.method, e.path, e.is_extension and not e.path.startswith("/storage")) for e in ENDPOINTS
    }


def _all(kind: type[ServiceError]) -> list[type[ServiceError]]:
    return [kind, *(each for sub in kind.__subclasses__() for each in _all(sub))]


def test_every_status_of_an_error_is_on_the_page() -> None:
    page = (DOCS / "api.md").read_text("utf-8")
    for status in {kind.status for kind in _all(ServiceError)}:
        assert f"| {status} |" in page


def test_every_event_is_on_the_page() -> None:
    page = (DOCS / "api.md").read_text("utf-8")
    for kind in EventKind.__args__:
        assert f"`{kind}`" in page


def test_every_setting_is_on_the_page_with_its_default() -> None:
    page = (DOCS / "settings.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(REDRAFT_\w+)` \| ([^|]+) \|", page, re.MULTILINE))
    assert set(rows) == {variable(name) for name in NAMES}
    defaults = load({}, {})
    for name in NAMES:
        told = rows[variable(name)].strip()
        if told.startswith("`"):
            assert told.strip("`") == f"{getattr(defaults, name):}", name
        else:
            assert told in ("none", "as asked", "number of cores", "the user's data folder")


def test_the_page_names_no_setting_that_is_not_there() -> None:
    page = (DOCS / "settings.md").read_text("utf-8")
    named = set(re.findall(r"REDRAFT_[A-Z_]+[A-Z]", page))
    assert named - {variable(name) for name in Settings.__struct_fields__} == ELSEWHERE
