"""What happens at start, at an orderly stop, and after a kill, against real server processes."""

from __future__ import annotations

import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.api.fake_engine import docx
from tests.interface.requests import Gate
from tests.interface.server_process import (
    KEY,
    ROOT,
    ServerProcess,
    edit,
    read,
    uid,
    upload,
    wait_for,
)

pytestmark = pytest.mark.process

Launch = Callable[..., ServerProcess]
SHUTTING_DOWN = {"detail": "The service is shutting down; try again shortly"}


class Asked:
    """An edit on its way in another thread; its answer, or that the line was cut."""

    def __init__(self, server: ServerProcess, document: str, instruction: str) -> None:
        self.uid = uid()
        self.answer: httpx.Response | None = None
        self.was_cut = False
        self._body = {"editUid": self.uid, "editInstructions": instruction}
        self._path = f"/v1/documents/{document}/edits"
        self._thread = threading.Thread(target=self._ask, args=(server,), daemon=True)
        self._thread.start()

    def repeat(self, client: httpx.Client) -> httpx.Response:
        return client.post(self._path, json=self._body)

    def join(self) -> None:
        self._thread.join(40)
        assert not self._thread.is_alive()

    def _ask(self, server: ServerProcess) -> None:
        with server.client() as client:
            try:
                self.answer = self.repeat(client)
            except httpx.TransportError:
                self.was_cut = True


def states(client: httpx.Client, document: str) -> list[str]:
    history = client.get(f"/v1/documents/{document}/edits").json()
    return [entry["state"] for entry in history["edits"]]


def test_an_orderly_stop_lets_the_running_edit_end_and_keeps_the_queue(
    launch: Launch, gate: Gate
) -> None:
    server = launch(drain_seconds=120)
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        running = Asked(server, document, gate.before("replace hello with goodbye"))
        wait_for(lambda: states(client, document) == ["running"])
        queued = Asked(server, document, "replace world with moon")
        wait_for(lambda: states(client, document) == ["running", "queued"])
        server.signal(signal.SIGTERM)
        queued.join()
        assert queued.answer is not None
        assert (queued.answer.status_code, queued.answer.json()) == (503, SHUTTING_DOWN)
        assert int(queued.answer.headers["retry-after"]) > 0
        ready = client.get("/ready")
        assert ready.status_code == 503
        assert ready.json() == {"detail": "Not ready: service: shutting down"}
        refused = edit(client, document, "change nothing")
        assert (refused.status_code, refused.json()) == (503, SHUTTING_DOWN)
        gate.open()
    running.join()
    assert running.answer is not None
    assert running.answer.json()["editApplied"] is True
    assert server.wait() == 0
    server.start()
    with server.client() as client:
        assert queued.repeat(client).json()["editApplied"] is True
        assert read(client, document).json()["markdown"] == "goodbye moon"


def test_an_edit_that_outlasts_the_drain_is_put_back_and_run_at_the_next_start(
    launch: Launch, gate: Gate
) -> None:
    server = launch(drain_seconds=0.3)
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        running = Asked(server, document, gate.before("replace hello with goodbye"))
        wait_for(lambda: states(client, document) == ["running"])
    # It is held for as long as the service lives, so that only the drain's end can stop it.
    assert server.stop() == 0
    running.join()
    assert running.answer is not None
    assert running.answer.status_code == 503
    gate.open()
    server.start()
    with server.client() as client:
        wait_for(lambda: states(client, document) == ["applied"])
        assert running.repeat(client).headers["idempotent-replayed"] == "true"


def test_an_idle_service_stops_although_clients_are_connected(launch: Launch) -> None:
    server = launch(drain_seconds=100_000)
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        stream = client.stream("GET", f"/v1/documents/{document}/events")
        with stream as watching:
            assert watching.status_code == 200
            assert server.stop() == 0


def test_a_second_signal_stops_at_once(launch: Launch, gate: Gate) -> None:
    server = launch(drain_seconds=100_000)
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        running = Asked(server, document, gate.before("change nothing"))
        wait_for(lambda: states(client, document) == ["running"])
        server.signal(signal.SIGTERM)
        wait_for(lambda: client.get("/ready").status_code == 503)
    server.signal(signal.SIGTERM)
    server.wait()
    running.join()


def test_after_kill_9_the_running_edit_is_run_again_and_a_replay_joins_it(
    launch: Launch, gate: Gate
) -> None:
    server = launch()
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        applied = edit(client, document, "replace world with moon")
        assert applied.status_code == 200
        running = Asked(server, document, gate.before("replace hello with goodbye hello"))
        wait_for(lambda: "running" in states(client, document))
        queued = Asked(server, document, "replace moon with sun")
        wait_for(lambda: "queued" in states(client, document))
    server.kill()
    running.join()
    queued.join()
    assert running.was_cut
    assert queued.was_cut
    gate.open()
    server.start()
    with server.client() as client:
        assert running.repeat(client).json()["editApplied"] is True
        assert queued.repeat(client).json()["editApplied"] is True
        assert read(client, document).json()["markdown"] == "goodbye hello sun"
        assert states(client, document) == ["applied"] * 3


def test_an_acknowledged_edit_survives_kill_9_and_is_applied_once(launch: Launch) -> None:
    server = launch()
    with server.client() as client:
        document = upload(client, docx("0"))["docId"]
    for number in range(4):
        with server.client() as client:
            answer = edit(client, document, f"replace {number} with {number + 1}")
            assert answer.json()["editApplied"] is True
        server.kill()
        server.start()
    with server.client() as client:
        assert read(client, document).json()["markdown"] == "4"
        assert client.get(f"/v1/documents/{document}/exists").json()["document"]["version"] == 4


def test_work_that_kills_the_service_is_given_up_after_two_attempts(
    launch: Launch, gate: Gate
) -> None:
    server = launch()
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        running = Asked(server, document, gate.before("change nothing"))
        wait_for(lambda: states(client, document) == ["running"])
    for _ in range(2):
        server.kill()
        server.start()
        with server.client() as client:
            wait_for(lambda: states(client, document) != ["queued"])
    with server.client() as client:
        wait_for(lambda: states(client, document) == ["failed"])
    running.join()


def test_300_seconds_since_receipt_count_across_a_restart(launch: Launch, gate: Gate) -> None:
    server = launch()
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        running = Asked(server, document, gate.before("replace hello with goodbye"))
        wait_for(lambda: states(client, document) == ["running"])
    server.kill()
    running.join()
    server.advance(301)
    server.start()
    with server.client() as client:
        wait_for(lambda: states(client, document) == ["timed_out"])
        assert read(client, document).json()["markdown"] == "hello world"


def test_a_second_process_on_the_same_folder_refuses_to_start(launch: Launch) -> None:
    server = launch()
    second = ServerProcess(server.folder, staged=True)
    with pytest.raises(AssertionError, match=f"the data folder is in use by pid {server.pid}"):
        second.start()
    assert second.wait() == 2
    second.close()


COMMAND = "import sys; from redraft.api.admin.commands import serve; sys.exit(serve(sys.argv[1:]))"
EVERYWHERE = ".".join("0000")


def serve(folder: Path, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    environment = {
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "REDRAFT_DATA_DIR": str(folder / "data"),
        **variables,
    }
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("arguments", "variables", "sentence"),
    [
        (
            ["--host", EVERYWHERE, "--port", "0"],
            {},
            "there is no API key, and 0.0.0.0 is reachable",
        ),
        (["--port", "99999"], {}, "REDRAFT_PORT must be 0 to 65535"),
        (["--port", "http"], {}, "REDRAFT_PORT is wrong"),
        ([], {"REDRAFT_CORS_ORIGINS": "*"}, "REDRAFT_CORS_ORIGINS must list origins"),
        (["--config", "absent.toml"], {}, "absent.toml cannot be read: No such file"),
        (["--data-dir", "/proc/nowhere"], {}, "the data folder /proc/nowhere cannot be used"),
    ],
    ids=["open without key", "port range", "port word", "cors star", "no config", "bad folder"],
)
def test_a_wrong_set_up_is_refused_with_a_sentence_and_exit_code_2(
    tmp_path: Path, arguments: list[str], variables: dict[str, str], sentence: str
) -> None:
    process = serve(tmp_path, *arguments, **variables)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert sentence in told
    assert "Traceback" not in told


def stand(path: Path, *, is_folder: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if is_folder:
        path.mkdir()
    else:
        path.write_text("somebody else's")


@pytest.mark.parametrize(
    ("name", "is_folder", "sentence"),
    [
        ("data", False, "data cannot be used: File exists: "),
        ("data/documents", False, "data cannot be used: File exists: "),
        ("data/scratch", False, "data cannot be used: File exists: "),
        ("data/at-hand", False, "data cannot be used: File exists: "),
        ("data/server.lock", True, "data cannot be used: Is a directory: "),
        ("data/api-key", True, "data cannot be used: Is a directory: "),
        ("data/redraft.sqlite", True, "data cannot be opened: no file can be opened there"),
        ("data/redraft.sqlite", False, "data cannot be opened: it is damaged or not a database"),
    ],
    ids=["all", "documents", "scratch", "at-hand", "lock", "api-key", "database", "no database"],
)
def test_something_else_in_the_place_of_a_file_or_folder_is_refused_with_what_to_do(
    tmp_path: Path, name: str, is_folder: bool, sentence: str
) -> None:
    stand(tmp_path / name, is_folder=is_folder)
    process = serve(tmp_path, "--port", "0")
    _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    last = told.splitlines()[-1]
    assert last.startswith("redraft: the da")
    assert sentence in last
    assert last.endswith("or set REDRAFT_DATA_DIR to another folder")
    assert "Traceback" not in told


def test_a_key_that_cannot_be_written_down_is_not_made(tmp_path: Path) -> None:
    stand(tmp_path / "data" / "api-key", is_folder=True)
    serve(tmp_path, "--port", "0").communicate(timeout=60)
    with sqlite3.connect(tmp_path / "data" / "redraft.sqlite") as database:
        assert database.execute("SELECT count(*) FROM api_keys").fetchone() == (0,)
    database.close()


def test_a_taken_port_is_refused_with_a_sentence(launch: Launch, tmp_path: Path) -> None:
    port = launch().url.rsplit(":", 1)[1]
    process = serve(tmp_path, "--port", port)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert f"127.0.0.1:{port} cannot be opened for listening" in told


def test_the_first_start_makes_a_key_in_a_file_that_only_its_owner_reads(
    launch: Launch,
) -> None:
    server = launch(api_keys="")
    file = server.data / "api-key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.data.stat().st_mode) == 0o700
    key = file.read_text().strip()
    with server.client(key) as client, server.client(KEY) as stranger:
        assert client.get("/v1/documents/").status_code == 200
        assert stranger.get("/v1/documents/").status_code == 401
    assert server.stop() == 0
    server.start()
    assert file.read_text().strip() == key
    with server.client(key) as client:
        assert client.get("/v1/documents/").status_code == 200


def test_nothing_is_left_in_the_scratch_folder(launch: Launch) -> None:
    server = launch()
    with server.client() as client:
        document = upload(client, docx("hello world"))["docId"]
        edit(client, document, "replace hello with goodbye")
        edit(client, document, "replace absent with b")
        client.post("/v1/documents/", files={"file": ("a.txt", b"text")})
    assert list((server.data / "scratch").iterdir()) == []
    (server.data / "scratch" / "left").write_text("by a killed process")
    server.kill()
    server.start()
    assert list((server.data / "scratch").iterdir()) == []
