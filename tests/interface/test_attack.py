"""What a review did to a running service, each as a test that failed before its cure."""

from __future__ import annotations

import os
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.fake_engine import docx
from tests.interface.requests import Background, new
from tests.interface.server_process import KEY, ServerProcess, read, upload

Launch = Callable[..., ServerProcess]
LARGE = 300_000
FORM = "multipart/form-data; boundary=b"


def part(headers: str, data: bytes) -> bytes:
    return f"--b\r\n{headers}\r\n\r\n".encode() + data + b"\r\n"


NAMED = 'Content-Disposition: form-data; name="author_name"'
BODIES = {
    "a charset of the client": (
        FORM,
        part(f"{NAMED}\r\nContent-Type: text/plain; charset=punycode", b"a" * LARGE) + b"--b--",
    ),
    "an urlencoded form": ("application/x-www-form-urlencoded", b"a=1&" * 2_500_000),
    "many parts": (FORM, part(NAMED, b"") * 100_000),
    "one endless header": (FORM, b"--b\r\n" + b"x" * 10_000_000),
    "almost delimiters": (
        FORM,
        part('Content-Disposition: form-data; name="file"; filename="a"', b"\r\n--" * 2_000_000),
    ),
    "an unknown charset": (
        FORM,
        part(f"{NAMED}\r\nContent-Type: text/plain; charset=no-such", b"a") + b"--b--",
    ),
}


@pytest.mark.parametrize(("kind", "body"), BODIES.values(), ids=BODIES)
def test_health_answers_beside_every_hostile_body(
    staged: ServerProcess, client: httpx.Client, kind: str, body: bytes
) -> None:
    def send() -> httpx.Response:
        return client.post("/v1/documents/", content=body, headers={"Content-Type": kind})

    sending = Background(send)
    slowest = 0.0
    with staged.client(None) as watcher:
        while not sending.is_done:
            started = time.monotonic()
            assert watcher.get("/health").status_code == 200
            slowest = max(slowest, time.monotonic() - started)
    assert sending.answer().status_code in (400, 422)
    assert slowest < 0.2 * float(os.environ.get("REDRAFT_TEST_PATIENCE", "5"))


def test_a_file_whose_bytes_have_changed_is_not_handed_out(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client)
    (stored,) = [p for p in (staged.data / "documents" / document).iterdir() if "." not in p.name]
    data = bytearray(stored.read_bytes())
    data[-1] ^= 1
    stored.write_bytes(bytes(data))
    assert client.get(f"/v1/documents/{document}/download").status_code == 500
    link = client.get(f"/v1/documents/{document}").json()["downloadUrl"]
    assert httpx.get(link).status_code == 500
    answer = read(client, document)
    assert answer.status_code == 500
    assert answer.json()["detail"].endswith("The file of this document is missing")
    assert "a stored file is damaged" in staged.log


def test_files_without_their_database_are_not_deleted(launch: Launch, tmp_path: Path) -> None:
    server = launch()
    with server.client() as client:
        document = new(client)
    server.stop()
    for file in server.data.glob("redraft.sqlite*"):
        file.unlink()
    with pytest.raises(AssertionError, match="has documents and no database; restore"):
        server.start()
    assert (server.data / "documents" / document).is_dir()


def test_nothing_in_an_open_data_folder_can_be_read_by_others(
    launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "own" / "data").mkdir(parents=True, mode=0o755)
    before = os.umask(0o022)
    try:
        server = launch()
    finally:
        os.umask(before)
    with server.client() as client:
        new(client)
        modes = {
            path.name: stat.S_IMODE(path.stat().st_mode)
            for path in server.data.rglob("*")
            if path.is_file()
        }
    assert {"redraft.sqlite", "redraft.sqlite-wal", "redraft.sqlite-shm"} <= set(modes)
    assert {name: mode for name, mode in modes.items() if mode & 0o077} == {}


def test_a_key_that_could_be_guessed_is_refused_where_others_reach_the_service(
    launch: Launch,
) -> None:
    with pytest.raises(AssertionError, match="a key of less than 16 characters"):
        launch(host="0.0.0.0", api_keys="x")  # noqa: S104 - it must not start there


def test_the_log_tells_nothing_of_a_key(staged: ServerProcess, client: httpx.Client) -> None:
    import hashlib

    new(client)
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    assert digest[:8] not in staged.log
    assert "set-1" in staged.log


def test_a_host_that_a_client_made_up_is_in_no_link(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client)
    answer = client.get(f"/v1/documents/{document}", headers={"Host": "evil.example"})
    assert answer.json()["downloadUrl"].startswith(f"{staged.url}/storage/")


def test_connections_that_say_nothing_do_not_stop_the_service(launch: Launch) -> None:
    server = launch(connection_limit=32)
    address = urlsplit(server.url)
    lines = [
        socket.create_connection((address.hostname or "", address.port or 0)) for _ in range(300)
    ]
    assert httpx.get(f"{server.url}/health", timeout=5).status_code == 200
    for line in lines:
        line.close()


def test_uploads_at_once_stay_within_the_quota(launch: Launch) -> None:
    server = launch(documents_per_key=3)
    with server.client() as client:
        sending = [
            Background(lambda: client.post("/v1/documents/", files={"file": ("a.docx", docx("x"))}))
            for _ in range(15)
        ]
        codes = sorted(one.answer().status_code for one in sending)
        assert codes == [200] * 3 + [429] * 12
        assert client.get("/v1/documents/").json()["totalCount"] == 3


def test_edits_stay_within_the_bytes_of_a_key(launch: Launch) -> None:
    server = launch(bytes_per_key=250)
    with server.client() as client:
        document = upload(client, docx("a" * 100))["docId"]
        answers: list[int] = []
        for number in range(3):
            body = {
                "editUid": f"00000000-0000-0000-0000-00000000000{number}",
                "editInstructions": ("replace a with b", "replace b with c")[number > 0],
            }
            answers.append(client.post(f"/v1/documents/{document}/edits", json=body).status_code)
        assert answers == [200, 429, 429]
