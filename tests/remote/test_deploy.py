from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from redraft.remote.program import ENDING
from redraft.remote.ssh.server import KEEPING
from redraft.remote.ssh.session import UPLOADING

UNIT = Path(__file__).parents[2] / "deploy" / "ssh.service"


def service() -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # pyright: ignore[reportAttributeAccessIssue] - as its manual says
    parser.read(UNIT, "utf-8")
    return parser["Service"]


def test_the_unit_names_options_that_there_are_and_its_own_folder(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from redraft.remote import door_commands

    words = shlex.split(service()["ExecStart"])
    assert words[1] == "ssh-serve"
    folder = words[words.index("--folder") + 1]
    assert folder == f"/var/lib/{service()['StateDirectory']}"
    # asyncssh asks for a home when it starts, and a dynamic user may have none.
    assert service()["Environment"] == f"HOME={folder}"
    with pytest.raises(SystemExit):
        door_commands.ssh_serve(["--help"])
    known = capsys.readouterr().out
    assert all(word in known for word in words if word.startswith("--"))


def test_the_unit_waits_longer_than_the_server_and_gives_nothing_away() -> None:
    assert int(service()["TimeoutStopSec"]) > max(UPLOADING, ENDING) + 2 * KEEPING
    assert service()["DynamicUser"] == service()["NoNewPrivileges"] == "yes"
    assert service()["ProtectSystem"] == "strict"


@pytest.mark.program
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_understands_the_unit() -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", str(UNIT)], capture_output=True, text=True, check=False
    )
    faults = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert faults == []
