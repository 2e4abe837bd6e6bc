"""The examples in deploy/ name what is there, and agree with the settings and with each other."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from api.settings import NAMES, load, variable

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
MODEL_VARIABLES = {"REDRAFT_MODEL", "REDRAFT_LARGE_MODEL"}
PORT = load({}, {}).port


def unit() -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # pyright: ignore[reportAttributeAccessIssue] - as its manual says
    parser.read(DEPLOY / "redraft.service", "utf-8")
    return parser


def services() -> dict[str, Any]:
    return cast("dict[str, Any]", yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8")))


@pytest.mark.parametrize("file", ["Containerfile", "compose.yaml", "redraft.service"])
def test_every_variable_of_an_example_is_a_setting(file: str) -> None:
    named = set(re.findall(r"REDRAFT_[A-Z_]+[A-Z]", (DEPLOY / file).read_text("utf-8")))
    assert named
    assert named <= {variable(name) for name in NAMES} | MODEL_VARIABLES


def test_the_container_copies_what_there_is_and_runs_as_nobody_special() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    steps = [line.split() for line in text.splitlines() if line and line[0].isupper()]
    copied = [word for step in steps if step[0] == "COPY" for word in step[1:-1]]
    for source in copied:
        if not source.startswith(("--", "/")):
            assert (ROOT / source).exists(), source
    assert {"engine", "api", "tui", "remote", "redraft.py", "requirements.lock"} <= set(copied)
    assert ["USER", "redraft"] in steps
    assert ["EXPOSE", str(PORT)] in steps
    assert f"127.0.0.1:{PORT}/ready" in text
    assert "--require-hashes" in text


def test_the_composition_is_read_only_without_privileges_and_stops_after_the_drain() -> None:
    redraft = services()["services"]["redraft"]
    assert redraft["read_only"] is True
    assert redraft["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in redraft["security_opt"]
    assert "ports" not in redraft
    assert "/tmp" in redraft["tmpfs"]  # noqa: S108 - the one place beside the data that is written
    assert {"mem_limit", "pids_limit", "restart"} <= redraft.keys()
    assert redraft["volumes"] == ["data:/data"]
    assert "data" in services()["volumes"]
    drain = int(redraft["environment"]["REDRAFT_DRAIN_SECONDS"])
    assert int(redraft["stop_grace_period"].removesuffix("s")) > drain
    assert (DEPLOY / redraft["build"]["context"] / redraft["build"]["dockerfile"]).is_file()
    proxy = services()["services"]["proxy"]
    assert all(port.startswith("127.0.0.1:") for port in proxy["ports"])
    assert proxy["read_only"] is True
    assert proxy["depends_on"]["redraft"]["condition"] == "service_healthy"
    (mount,) = proxy["volumes"]
    assert (DEPLOY / mount.split(":")[0]).is_file()
    assert proxy["networks"] == redraft["networks"]


def test_the_container_takes_its_packages_by_version_and_says_when_it_is_healthy() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    images = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert images
    assert all(re.search(r":\d", image) for image in images)
    assert re.search(r"^HEALTHCHECK .*--interval=\d+s", text, re.MULTILINE)
    assert re.search(r"^STOPSIGNAL SIGTERM$", text, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", text, re.MULTILINE)
    # The last USER stands: what starts is not root.
    assert re.findall(r"^USER (\S+)", text, re.MULTILINE) == ["redraft"]
    assert "REDRAFT_DATA_DIR=/data" in text


def test_the_proxy_cuts_off_slow_headers_and_waits_for_edits() -> None:
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert text.count("{") == text.count("}")
    assert int(re.findall(r"read_header (\d+)s", text)[0]) <= 15
    for name in ("write", "response_header_timeout"):
        assert int(re.findall(rf"{name} (\d+)s", text)[0]) >= 330
    assert f"reverse_proxy redraft:{PORT}" in text


def test_the_unit_stops_after_the_drain_and_gives_nothing_away() -> None:
    service = unit()["Service"]
    drain = int(
        re.findall(r"REDRAFT_DRAIN_SECONDS=(\d+)", (DEPLOY / "redraft.service").read_text())[0]
    )
    assert int(service["TimeoutStopSec"]) > drain
    assert service["DynamicUser"] == service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["ExecStart"].endswith("redraft serve")


@pytest.mark.program
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_understands_the_unit() -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", str(DEPLOY / "redraft.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    faults = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert faults == []
