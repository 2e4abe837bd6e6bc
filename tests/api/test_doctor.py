from __future__ import annotations

import io
from pathlib import Path

import pytest

import redraft.api.sandbox.workers
from redraft.api.admin.doctor import examine
from redraft.api.sandbox.landlock import landlock_version
from redraft.api.serve import take_folder
from redraft.api.settings import load
from tests.api.test_workers import is_filtered, unconfined

pytestmark = pytest.mark.process


def told(folder: Path, workers: int = 0, **environment: str) -> tuple[int, str]:
    output = io.StringIO()
    settings = load({"REDRAFT_DATA_DIR": str(folder), "REDRAFT_WORKERS": str(workers)}, {})
    return examine(settings, environment, output), output.getvalue()


def test_a_set_up_that_works_is_said_to_be_in_order(tmp_path: Path) -> None:
    code, text = told(tmp_path / "data")
    assert code == 0
    assert [line.split()[0] for line in text.splitlines()] == ["ok"] * 6
    assert "the built-in interpreter answers" in text


def test_it_says_whether_a_worker_reaches_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, text = told(tmp_path)
    assert (
        "is the service itself, with its network and files; set REDRAFT_WORKERS to 1 or more"
        in text
    )
    if is_filtered():
        _, text = told(tmp_path, workers=1)
        assert "and reaches no network" in text
    if landlock_version() > 0:
        assert "and reads no files but those of its document" in text
    monkeypatch.setattr(redraft.api.sandbox.workers, "confine", unconfined)
    _, text = told(tmp_path, workers=1)
    assert "and can reach the network; Linux on x86-64 or ARM64 refuses that" in text
    assert "and can read all files of this user; Linux 5.13" in text


def test_a_model_is_named_with_its_server(tmp_path: Path) -> None:
    address = "http://127.0.0.1:1/v1"
    _, text = told(
        tmp_path, OPENAI_BASE_URL=address, REDRAFT_MODEL="small", OPENAI_API_KEY="canary"
    )
    assert f"small at {address}" in text
    assert "canary" not in text


@pytest.mark.parametrize("content", [b"no database" * 400])
def test_a_broken_database_is_a_fault(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "redraft.sqlite").write_bytes(content)
    code, text = told(tmp_path)
    assert code == 1
    assert "fault database: it is damaged or not a database; restore a backup" in text


def test_a_server_that_was_killed_is_not_said_to_run(tmp_path: Path) -> None:
    (tmp_path / "server.lock").write_text('{"pid":1,"url":"http://127.0.0.1:1"}')
    assert "ok    server: not running" in told(tmp_path)[1]
    with take_folder(tmp_path):
        assert "ok    server: runs at http://127.0.0.1:1 (pid 1)" in told(tmp_path)[1]


def test_a_file_in_the_place_of_the_folder_is_a_fault_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    code, text = told(tmp_path / "data")
    assert code == 1
    assert text.startswith(f"fault data folder: the data folder {tmp_path / 'data'} cannot be used")
    assert "move away the file that stands where a folder belongs" in text
