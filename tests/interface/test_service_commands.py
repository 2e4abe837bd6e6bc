"""`redraft config` and `redraft gc`, as an operator types them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.fake_engine import docx
from tests.interface.server_process import ROOT, ServerProcess, edit, read, upload, wait_for

pytestmark = pytest.mark.process

Launch = Callable[..., ServerProcess]


def redraft(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "redraft", *arguments],
        cwd=ROOT,
        env={"HOME": str(folder), "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_config_show_tells_each_setting_and_its_origin_and_no_secret(tmp_path: Path) -> None:
    done = redraft(
        tmp_path, "config", "show", "--port", "9000", REDRAFT_API_KEYS="canary", REDRAFT_WORKERS="3"
    )
    assert done.returncode == 0
    assert "REDRAFT_PORT=9000\t--port\n" in done.stdout
    assert "REDRAFT_WORKERS=3\tREDRAFT_WORKERS\n" in done.stdout
    assert "REDRAFT_HOST=127.0.0.1\tdefault\n" in done.stdout
    assert "canary" not in done.stdout + done.stderr


def test_config_show_of_a_wrong_setting_is_a_sentence_and_2(tmp_path: Path) -> None:
    done = redraft(tmp_path, "config", "show", REDRAFT_PORT="many")
    assert (done.returncode, done.stdout) == (2, "")
    assert "REDRAFT_PORT is wrong" in done.stderr


def litter(server: ServerProcess) -> set[str]:
    found = {path.name for path in (server.data / "documents").iterdir()}
    found |= {path.name for path in (server.data / "scratch").iterdir()}
    return found | {path.name for path in server.data.glob("*.before-*")}


def test_gc_deletes_what_nobody_needs_and_a_dry_run_only_says_so(launch: Launch) -> None:
    server = launch(sweep_seconds=3600)
    with server.client() as client:
        dead = upload(client, docx("canary-dead"), ttl_seconds=300)["docId"]
        alive = upload(client, docx("hello world"), ttl_seconds=21600)["docId"]
        edit(client, alive, "replace hello with goodbye")
    server.advance(1000)
    with server.client() as client:
        read(client, alive)
    assert server.stop() == 0
    # What is found dead here expired by the machine's clock.
    _age(server.data / "redraft.sqlite", dead)
    (server.data / "documents" / "unknown").mkdir()
    (server.data / "documents" / "unknown" / "0-a").write_text("123")
    (server.data / "scratch" / "left").write_text("12345")
    (server.data / "at-hand" / "forgotten").write_text("1234567")
    (server.data / "redraft.sqlite.before-1").write_text("canary-copy")
    before = litter(server)
    told = redraft(server.folder, "gc", "--dry-run", "--data-dir", str(server.data))
    assert told.returncode == 0, told.stderr
    assert litter(server) == before
    assert f"expired document\t{dead}\n" in told.stdout
    assert "unknown\t3 bytes\n" in told.stdout
    assert "left\t5 bytes\n" in told.stdout
    assert "forgotten\t7 bytes\n" in told.stdout
    assert alive not in told.stdout
    done = redraft(server.folder, "gc", "--data-dir", str(server.data))
    assert done.returncode == 0, done.stderr
    assert done.stdout == told.stdout
    assert "5 deleted" in done.stderr
    assert litter(server) == {alive}
    again = redraft(server.folder, "gc", "--data-dir", str(server.data))
    assert again.stdout == ""
    server.start()
    with server.client() as client:
        assert read(client, alive).json()["markdown"] == "goodbye world"


def _age(database: Path, document: str) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("UPDATE documents SET expires_at = 1 WHERE id = ?", (document,))
    connection.close()


def test_gc_leaves_the_folder_of_a_running_service_alone(launch: Launch) -> None:
    server = launch()
    done = redraft(server.folder, "gc", "--data-dir", str(server.data))
    assert done.returncode == 2
    assert f"in use by pid {server.pid}" in done.stderr


def test_gc_of_a_folder_that_is_none_makes_nothing(tmp_path: Path) -> None:
    done = redraft(tmp_path, "gc", "--data-dir", str(tmp_path / "absent"))
    assert done.returncode == 2
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("words", ["gc", "gc --dry-run", "keys list", "keys create", "doctor"])
def test_a_database_that_is_none_is_told_by_every_command_and_stays_as_it_is(
    tmp_path: Path, words: str
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "redraft.sqlite").write_text("somebody else's")
    done = redraft(tmp_path, *words.split(), "--data-dir", str(data))
    assert done.returncode == 1
    told = done.stdout + done.stderr
    assert "it is damaged or not a database; restore a backup, move the file away, or" in told
    assert "Traceback" not in told
    assert (data / "redraft.sqlite").read_text() == "somebody else's"


def test_a_copy_from_an_upgrade_goes_after_a_day(launch: Launch) -> None:
    server = launch(sweep_seconds=0.2)
    young, old = (server.data / f"redraft.sqlite.before-{number}" for number in (8, 9))
    for copy in (young, old):
        copy.write_text("canary")
    os.utime(old, (time.time() - 90_000, time.time() - 90_000))
    wait_for(lambda: not old.exists())
    assert young.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["create", "--days", "0"], "argument --days: must be a whole number from 1 to 36500"),
        (["create", "--days", "-1"], "argument --days: must be a whole number from 1 to 36500"),
        (["create", "--days", "9" * 14], "argument --days: must be a whole number from 1 to 36500"),
        (["create", "--days", "soon"], "argument --days: must be a whole number from 1 to 36500"),
        (["rotate", "x", "--hours", "-5"], "argument --hours: must be a whole number from 0 to"),
        (["create", "--name", "a\tb"], "argument --name: must not hold control characters"),
        (["create", "--name", "\x1b[31m"], "argument --name: must not hold control characters"),
    ],
)
def test_a_key_that_could_not_be_used_or_listed_is_not_made(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = redraft(tmp_path, "keys", *words, "--data-dir", str(tmp_path / "data"))
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert not (tmp_path / "data").exists()
