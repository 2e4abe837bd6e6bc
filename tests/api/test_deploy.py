"""The examples in deploy/ name what is there, and agree with the settings and with each other."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from redraft.api.settings import NAMES, load, variable
from scripts.container_stage import flags

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
    assert {"engine", "api", "assist", "tui", "remote", "redraft"} <= set(copied)
    assert set(re.findall(r"-r (\S+)", text)) <= set(copied)
    assert ["USER", "redraft"] in steps
    assert ["EXPOSE", str(PORT)] in steps
    assert f"127.0.0.1:{PORT}/ready" in text
    for options in re.findall(r"pip .*?install (.+?)(?:&&|$)", text, re.MULTILINE):
        assert "--require-hashes" in options or "--no-deps" in options


def entries(lock: Path) -> dict[str, set[str]]:
    """The hashes of each package of a lock file, by its name and version."""
    found: dict[str, set[str]] = {}
    for entry in re.split(r"\n(?=[a-zA-Z])", lock.read_text("utf-8"))[1:]:
        found[entry.split()[0]] = set(re.findall(r"sha256:[0-9a-f]{64}", entry))
    return found


@pytest.mark.parametrize("name", ["image.lock", "build.lock"])
def test_the_image_takes_the_packages_that_are_tested_and_no_others(name: str) -> None:
    tested, taken = entries(ROOT / "requirements.lock"), entries(DEPLOY / name)
    assert taken
    for package, hashes in taken.items():
        assert hashes
        assert tested[package] == hashes
    text = (DEPLOY / name).read_text("utf-8")
    assert not re.search(r"https?://|file:|--index-url|--find-links", text)


def test_the_image_has_what_the_service_needs_and_none_of_the_tools() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    names = {package.split("==")[0] for package in entries(DEPLOY / "image.lock")}

    def plain(requirements: list[Any]) -> set[str]:
        return {
            re.split(r"[<>=\[]", each)[0].lower() for each in requirements if isinstance(each, str)
        }

    assert plain(project["project"]["dependencies"]) <= names
    extras = [
        each for extra in project["project"]["optional-dependencies"].values() for each in extra
    ]
    assert not names & plain(project["dependency-groups"]["dev"]) - plain(extras) - {"pyyaml"}
    assert plain(project["project"]["optional-dependencies"]["cluster"]) <= names
    assert "hatchling" in {each.split("==")[0] for each in entries(DEPLOY / "build.lock")}


def test_the_build_is_shown_what_it_copies_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    shown = {rule[1:] for rule in rules if rule.startswith("!")}
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    copied = {
        word
        for line in re.findall(r"^COPY (?!--)(.+)$", text, re.MULTILINE)
        for word in line.split()[:-1]
    }
    locks = {word for word in copied if word.endswith(".lock")}
    assert shown == (copied - locks) | {"deploy/*.lock"}
    assert {Path(word).parent.name for word in locks} == {"deploy"}


def test_the_composition_is_read_only_without_privileges_and_stops_after_the_drain() -> None:
    redraft = services()["services"]["redraft"]
    assert "ports" not in redraft
    assert "/tmp" in redraft["tmpfs"]  # noqa: S108 - the one place beside the data that is written
    assert redraft["volumes"] == ["data:/data"]
    assert "data" in services()["volumes"]
    drain = int(redraft["environment"]["REDRAFT_DRAIN_SECONDS"])
    assert int(redraft["stop_grace_period"].removesuffix("s")) > drain
    assert (DEPLOY / redraft["build"]["context"] / redraft["build"]["dockerfile"]).is_file()
    proxy = services()["services"]["proxy"]
    assert all(port.startswith("127.0.0.1:") for port in proxy["ports"])
    for service in (redraft, proxy):
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert {"mem_limit", "pids_limit", "restart"} <= service.keys()
    assert "cap_add" not in redraft
    # Without it the kernel does not start the program of the image, which carries it.
    assert proxy["cap_add"] == ["NET_BIND_SERVICE"]
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
    health = services()["services"]["redraft"]["healthcheck"]
    given = re.search(r"^HEALTHCHECK (.+?) CMD\s*(\[.+\])$", text.replace("\\\n", ""), re.MULTILINE)
    assert given is not None
    assert ["CMD", *json.loads(given[2])] == health["test"]
    for field in ("interval", "timeout", "start_period"):
        assert f"--{field.replace('_', '-')}={health[field]}" in given[1].split()
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
    assert f"reverse_proxy {{$REDRAFT_SERVICES:redraft:{PORT}}}" in text


@pytest.mark.program
@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not here")
def test_the_proxy_understands_its_file(tmp_path: Path) -> None:
    done = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")],
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


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


def test_the_proof_runs_a_container_with_the_limits_of_the_composition() -> None:
    words = " ".join(flags(services()["services"]["redraft"]))
    for wanted in (
        "--read-only",
        "--tmpfs /tmp",
        "--cap-drop ALL",
        "--security-opt no-new-privileges:true",
        "--memory 4g",
        "--pids-limit 256",
        "--health-interval 10s",
        "--health-start-period 20s",
    ):
        assert wanted in words
    assert "--cap-add NET_BIND_SERVICE" in " ".join(flags(services()["services"]["proxy"]))


@pytest.mark.process
def test_the_proof_says_so_when_there_is_nothing_that_runs_containers(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.container"],
        cwd=ROOT,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "neither podman nor docker is here: install one of them\n"


@pytest.mark.skipif(
    "REDRAFT_IMAGE" not in os.environ,
    reason="REDRAFT_IMAGE names no image, which takes an engine and a registry to build",
)
def test_the_image_does_what_its_page_says() -> None:
    image = os.environ["REDRAFT_IMAGE"]
    done = subprocess.run(
        [sys.executable, "-m", "scripts.container", "--image", image, "--rest", "0"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
