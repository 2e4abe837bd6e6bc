"""The pages about the service name everything there is, and nothing that is not."""

from __future__ import annotations

import re
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from redraft.api.clock import SystemClock
from redraft.api.errors import ServiceError
from redraft.api.metrics import Metrics, Totals
from redraft.api.openapi.document import ENDPOINTS
from redraft.api.operations.mailbox import DEADLINE_SECONDS, EventKind
from redraft.api.operations.prices import Prices
from redraft.api.service import LARGEST_UPLOAD, SPACE_NEEDED
from redraft.api.settings import NAMES, Settings, load, variable

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MEBIBYTE = 1024 * 1024
ELSEWHERE = {
    "REDRAFT_MODEL",
    "REDRAFT_LARGE_MODEL",
    "REDRAFT_VISION_MODEL",
    "REDRAFT_PROTECTED",
    "REDRAFT_SIGNED",
}


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


def test_the_page_about_running_names_the_figures_there_are() -> None:
    page = (DOCS / "running.md").read_text("utf-8")
    metrics = Metrics(SystemClock(), dict, Prices(Settings()))
    text = metrics.exposed(Totals(0, 0, 0)).decode()
    families = {family.name for family in text_string_to_metric_families(text)}
    assert set(re.findall(r"`(redraft_[a-z_]+)`", page)) == families


def test_the_page_about_running_names_settings_and_files_that_are_there() -> None:
    page = (DOCS / "running.md").read_text("utf-8")
    of_clients = {"REDRAFT_KEY"}
    names = {variable(name) for name in NAMES} | of_clients
    assert set(re.findall(r"REDRAFT_[A-Z_]+[A-Z]", page)) <= names
    for file in re.findall(r"`(deploy/\w[\w.]*)`", page):
        assert (ROOT / file).exists(), file
    for page_named in re.findall(r"\]\((\w+\.md)\)", page):
        assert (DOCS / page_named).is_file(), page_named
    assert {name.name for name in (ROOT / "deploy").iterdir()} == set(
        re.findall(r"deploy/(\w[\w.]*)", page)
    )


def test_the_limits_on_the_page_about_running_are_the_defaults() -> None:
    page = (DOCS / "running.md").read_text("utf-8")
    defaults = Settings()
    for told, value in (
        (r"one step in a worker \| (\d+) s", defaults.edit_seconds),
        (r"one step in a worker \| (\d+) s", defaults.read_seconds),
        (r"memory of a worker \| (\d+) MB", defaults.worker_memory_mb),
        (r"waiting on one document \| (\d+),", defaults.queue_limit),
        (r"upload \| (\d+) MiB", LARGEST_UPLOAD / MEBIBYTE),
        (r"below (\d+) MiB free", SPACE_NEEDED / MEBIBYTE),
        (r"included \| (\d+) s", DEADLINE_SECONDS),
    ):
        (found,) = re.findall(told, page)
        assert float(found) == value, told
