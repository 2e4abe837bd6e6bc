"""The rows of the security list that the service itself answers for, each with its proof."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest

from tests.api.fake_engine import docx
from tests.interface.server_process import (
    KEY,
    OTHER_KEY,
    ROOT,
    ServerProcess,
    edit,
    read,
    uid,
    upload,
    wait_for,
)

Launch = Callable[..., ServerProcess]
BAD_LINK = {"detail": "This download link is not valid or has expired"}
SPINNING = 3600
"""Seconds that a call would go on for if nothing stopped it."""


def link_to(client: httpx.Client, document: str, seconds: int = 3600) -> str:
    answer = client.get(f"/v1/documents/{document}", params={"expiresIn": seconds})
    assert answer.json()["expiresIn"] == seconds
    return answer.json()["downloadUrl"]


@pytest.fixture(scope="module")
def document(staged: ServerProcess) -> str:
    with staged.client() as client:
        return upload(client, docx("hello world"))["docId"]


def test_a_link_works_without_a_key_until_it_expires(
    staged: ServerProcess, client: httpx.Client, document: str
) -> None:
    link = link_to(client, document, 60)
    assert httpx.get(link).content == docx("hello world")
    staged.advance(58)
    assert httpx.get(link).status_code == 200
    staged.advance(3)
    answer = httpx.get(link)
    assert (answer.status_code, answer.json()) == (403, BAD_LINK)


def test_a_link_shows_the_version_it_was_made_for(client: httpx.Client) -> None:
    document = upload(client, docx("hello world"))["docId"]
    before = link_to(client, document)
    edit(client, document, "replace hello with goodbye")
    assert httpx.get(before).content == docx("hello world")
    assert httpx.get(link_to(client, document)).content == docx("goodbye world")


def test_a_link_to_a_document_that_is_gone_is_404(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = upload(client, docx("hello world"), ttl_seconds=300)["docId"]
    link = link_to(client, document, 86400)
    staged.advance(301)
    answer = httpx.get(link)
    assert (answer.status_code, answer.json()) == (404, {"detail": "File not found"})


def _changed(link: str, change: Callable[[list[tuple[str, str]]], None]) -> str:
    parts = urlsplit(link)
    query = parse_qsl(parts.query, keep_blank_values=True)
    change(query)
    return parts._replace(query=urlencode(query)).geturl()


TAMPERINGS: dict[str, Callable[[list[tuple[str, str]]], None]] = {
    "no exp": lambda q: q.pop(0) and None,
    "no kid": lambda q: q.pop(1) and None,
    "no sig": lambda q: q.pop(2) and None,
    "no parameters": lambda q: q.clear(),
    "later exp": lambda q: q.__setitem__(0, ("exp", str(int(q[0][1]) + 1))),
    "exp with sign": lambda q: q.__setitem__(0, ("exp", "+" + q[0][1])),
    "exp is no number": lambda q: q.__setitem__(0, ("exp", "never")),
    "other kid": lambda q: q.__setitem__(1, ("kid", "00000000")),
    "empty kid": lambda q: q.__setitem__(1, ("kid", "")),
    "empty sig": lambda q: q.__setitem__(2, ("sig", "")),
    "shorter sig": lambda q: q.__setitem__(2, ("sig", q[2][1][:-1])),
    "sig in capitals": lambda q: q.__setitem__(2, ("sig", q[2][1].upper())),
    "sig not ascii": lambda q: q.__setitem__(2, ("sig", "é" * 64)),
    "doubled exp": lambda q: q.append(("exp", "99999999999")),
    "doubled sig": lambda q: q.append(("sig", q[2][1])),
    "doubled kid": lambda q: q.append(("kid", q[1][1])),
    "another parameter": lambda q: q.append(("view", "original")),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
@pytest.mark.parametrize("key", [None, KEY], ids=["without key", "with key"])
def test_a_link_that_was_tampered_with_is_403(
    client: httpx.Client, document: str, tampering: str, key: str | None
) -> None:
    link = link_to(client, document)
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    assert httpx.get(link, headers=headers).status_code == 200
    changed = _changed(link, TAMPERINGS[tampering])
    assert changed != link
    answer = httpx.get(changed, headers=headers)
    assert (answer.status_code, answer.json()) == (403, BAD_LINK)


def test_a_signature_opens_no_other_document_version_or_method(client: httpx.Client) -> None:
    document = upload(client, docx("hello world"))["docId"]
    edit(client, document, "replace hello with goodbye")
    link = link_to(client, document)
    other = upload(client, docx("hello world"))["docId"]
    assert httpx.get(link.replace(document, other)).status_code == 403
    assert httpx.get(link.replace(f"{document}/1", f"{document}/0")).status_code == 403
    assert httpx.get(link.replace(f"{document}/1", f"{document}/01")).status_code == 403
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert httpx.request(method, link).status_code == 405


def _redraft_keys(server: ServerProcess, *arguments: str) -> str:
    code = (
        "import sys; from redraft.api.admin.commands import keys; "
        "from tests.interface.measures import take_out; "
        f"take_out({server.without!r}); sys.exit(keys(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments, "--data-dir", str(server.data)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "HOME": str(server.folder)},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stdout.strip()


def test_a_rotated_signing_key_still_verifies_what_it_signed_for_a_day(launch: Launch) -> None:
    server = launch()
    with server.client() as client:
        document = upload(client, docx("hello world"), ttl_seconds=21600)["docId"]
        before = link_to(client, document, 86400)
        _redraft_keys(server, "rotate-presign")
        after = link_to(client, document)
        assert re.findall("kid=([^&]+)", before) != re.findall("kid=([^&]+)", after)
        assert httpx.get(before).status_code == 200
        assert httpx.get(after).status_code == 200
    database = sqlite3.connect(server.data / "redraft.sqlite")
    with database:
        database.execute("DELETE FROM presign_keys WHERE retired_at IS NOT NULL")
    database.close()
    assert httpx.get(before).status_code == 403
    assert httpx.get(after).status_code == 200


def test_keys_are_created_listed_rotated_and_revoked_while_the_service_runs(
    launch: Launch,
) -> None:
    server = launch()
    first = _redraft_keys(server, "create", "--name", "for tests")
    assert re.fullmatch(r"rd_[0-9a-f]{12}_[0-9a-f]{64}", first)
    identifier = first.split("_")[1]
    with server.client(first) as client:
        document = upload(client, docx("hello world"))["docId"]
        second = _redraft_keys(server, "rotate", identifier, "--hours", "1")
        with server.client(second) as successor:
            assert read(successor, document).status_code == 200
        assert read(client, document).status_code == 200
        server.advance(3601)
        assert read(client, document).status_code == 401
    with server.client(second) as client:
        _redraft_keys(server, "revoke", second.split("_")[1])
        assert client.get("/v1/documents/").status_code == 401
    listed = _redraft_keys(server, "list")
    assert "revoked" in listed
    assert "for tests" in listed
    assert first.split("_")[2] not in listed


def test_links_and_event_streams_end_with_the_key_they_were_made_with(launch: Launch) -> None:
    server = launch()
    first = _redraft_keys(server, "create")
    second = _redraft_keys(server, "rotate", first.split("_")[1])
    with server.client(first) as client, server.client(second) as successor:
        document = upload(client, docx("hello world"))["docId"]
        path = f"/v1/documents/{document}"
        links = [each.get(path).json()["downloadUrl"] for each in (client, successor)]
        with client.stream("GET", f"{path}/events") as events:
            lines = events.iter_lines()
            assert next(lines).startswith("retry")
            assert [httpx.get(link).status_code for link in links] == [200, 200]
            _redraft_keys(server, "revoke", first.split("_")[1])
            assert [httpx.get(link).status_code for link in links] == [403, 200]
            edit(successor, document, "replace hello with goodbye")
            assert not [line for line in lines if line.startswith("data:")]


def test_the_emergency_switch_ends_every_key_and_link(launch: Launch) -> None:
    server = launch()
    key = _redraft_keys(server, "create")
    with server.client(key) as client, server.client() as configured:
        links = [
            each.get(f"/v1/documents/{upload(each, docx('hello'))['docId']}").json()["downloadUrl"]
            for each in (client, configured)
        ]
        _redraft_keys(server, "revoke-all")
        assert [httpx.get(link).status_code for link in links] == [403, 403]
        assert client.get("/v1/documents/").status_code == 401
        document = upload(configured, docx("hello"))["docId"]
        link = configured.get(f"/v1/documents/{document}").json()["downloadUrl"]
        assert httpx.get(link).status_code == 200


def test_no_secret_of_a_key_is_in_the_data_folder(launch: Launch) -> None:
    server = launch()
    key = _redraft_keys(server, "create")
    with server.client(key) as client:
        upload(client, docx("hello world"))
    for file in _files(server.data):
        content = file.read_bytes()
        assert key.encode() not in content
        assert key.split("_")[2].encode() not in content
        assert KEY.encode() not in content


def test_another_keys_document_looks_unknown_but_for_the_presigned_url(
    client: httpx.Client, other_client: httpx.Client, document: str
) -> None:
    path = f"/v1/documents/{document}"
    denied = other_client.get(path)
    assert (denied.status_code, denied.json()) == (
        403,
        {"detail": "Access denied to this document"},
    )
    unknown = "/v1/documents/" + uid()
    body = {"editUid": uid(), "readUid": uid(), "editInstructions": "x"}
    for method, suffix in (
        ("POST", "/edits"),
        ("POST", "/markdown"),
        ("POST", "/undo"),
        ("GET", "/edits"),
        ("GET", "/changes"),
        ("GET", "/download"),
        ("GET", "/download?view=original"),
        ("GET", "/exists"),
        ("GET", "/events"),
        ("DELETE", ""),
        ("DELETE", "/edits/" + uid()),
    ):
        given = body if method == "POST" else None
        foreign = other_client.request(method, path + suffix, json=given)
        missing = other_client.request(method, unknown + suffix, json=given)
        assert foreign.content == missing.content, suffix
        assert foreign.status_code == missing.status_code
    assert other_client.get("/v1/documents/").json()["documents"] == []
    assert client.get(path).status_code == 200


CANARIES = ("canary-instruction", "canary-text", "canary-name", "canary-author", "canary-lookup")


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_nothing_of_a_document_or_a_key_is_in_the_log_or_the_metrics(
    launch: Launch, log_format: str
) -> None:
    server = launch(log_format=log_format, log_level="debug")
    with server.client() as client, server.client(OTHER_KEY) as other:
        made = upload(
            client, docx("canary-text hello"), "canary-name.docx", author_name="canary-author"
        )
        document = made["docId"]
        edit_uid = uid()
        for instruction in (
            "replace hello with canary-instruction",
            "canary-instruction",
            "replace canary-instruction-absent with b",
            "break",
            "die",
        ):
            edit(client, document, instruction, lookupText="canary-lookup")
        edit(client, document, "change nothing", editUid=edit_uid)
        read(client, document)
        other.get(f"/v1/documents/{document}")
        link = link_to(client, document)
        httpx.get(link)
        client.post(f"/v1/documents/{document}/edits", content=b'{"canary-instruction": ')
        client.get("/v1/documents/", headers={"Authorization": "Bearer canary-key-wrong"})
        client.get(f"/v1/documents/{document}/download?view=canary-text")
        client.get("/canary-text/canary-name")
        metrics = client.get("/metrics").text
    assert server.stop() == 0
    assert "/v1/documents/{doc_id}/edits" in server.log
    assert edit_uid in server.log
    assert "/v1/documents/{doc_id}/edits" in metrics
    for canary in (*CANARIES, "canary", re.findall("sig=(.+)", link)[0]):
        assert canary not in server.log, canary
        assert canary not in metrics, canary
    assert document not in metrics


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # the service works on its folder while we look
        return b""


def test_expired_text_is_gone_from_every_byte_of_the_data_folder(launch: Launch) -> None:
    server = launch(sweep_seconds=0.3)
    canaries = [b"canary-text", b"canary-edit", b"canary-lookup", b"canary-name", b"canary-author"]

    def found() -> set[bytes]:
        contents = [_bytes(path) for path in _files(server.data)]
        return {canary for canary in canaries if any(canary in content for content in contents)}

    with server.client() as client:
        made = upload(
            client,
            docx("canary-text hello"),
            "canary-name.docx",
            author_name="canary-author",
            tracked_changes=True,
            ttl_seconds=300,
        )
        document = made["docId"]
        for number in range(20):
            edit(
                client,
                document,
                f"replace absent with canary-edit-{number}",
                lookupText="canary-lookup",
            )
        edit(client, document, "replace hello with canary-edit")
        read(client, document)
        client.get(f"/v1/documents/{document}/changes")
        client.get(f"/v1/documents/{document}/download?view=clean")
        assert found() == set(canaries)
        server.advance(301)
        wait_for(lambda: not found())
        deleted = upload(client, docx("canary-text hello"))["docId"]
        edit(client, deleted, "replace hello with canary-edit")
        assert found()
        client.delete(f"/v1/documents/{deleted}")
        wait_for(lambda: not found())


def _descendants(pid: int) -> list[str]:
    found: list[str] = []
    pending = [str(pid)]
    while pending:
        tasks = Path(f"/proc/{pending.pop()}/task")
        children = [c for t in tasks.iterdir() for c in (t / "children").read_text().split()]
        found += children
        pending += children
    return found


def test_a_worker_sees_no_secret_and_has_limits(launch: Launch) -> None:
    server = launch(worker_memory_mb=900)
    workers = _descendants(server.pid)
    assert len(workers) >= 2
    limited = 0
    for pid in workers:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        assert b"canary" not in environment
        limits = Path(f"/proc/{pid}/limits").read_text()
        if re.search(rf"Max address space +{900 << 20} ", limits):
            limited += 1
            assert re.search(r"Max core file size +0 ", limits)
            assert re.search(r"Max open files +64 ", limits)
            assert re.search(rf"Max file size +{256 << 20} ", limits)
            status = Path(f"/proc/{pid}/status").read_text()
            assert re.search(r"NoNewPrivs:\s+1", status)
    assert limited == 1
    assert b"canary" in Path(f"/proc/{server.pid}/environ").read_bytes()


def test_a_worker_that_dies_fails_only_its_call(launch: Launch) -> None:
    server = launch(workers=2)
    with server.client() as client:
        one = upload(client, docx("hello world"))["docId"]
        other = upload(client, docx("hello world"))["docId"]

        async def both() -> list[httpx.Response]:
            async with server.async_client() as many:
                return list(
                    await asyncio.gather(
                        *(
                            many.post(
                                f"/v1/documents/{document}/edits",
                                json={"editUid": uid(), "editInstructions": instruction},
                            )
                            for document, instruction in (
                                (one, "die"),
                                (other, "wait 0.2 replace hello with goodbye"),
                            )
                        )
                    )
                )

        dead, alive = asyncio.run(both())
        assert dead.status_code == 500
        assert alive.json()["editApplied"] is True
        assert edit(client, one, "replace hello with goodbye").json()["editApplied"] is True


def test_a_call_that_spins_is_stopped_at_its_limit(launch: Launch) -> None:
    server = launch(inspect_seconds=0.5, read_seconds=0.5, edit_seconds=0.5)
    with server.client() as client:
        refused = client.post(
            "/v1/documents/", files={"file": ("a.docx", f"spin {SPINNING}".encode())}
        )
        assert refused.status_code == 400
        assert refused.json()["detail"].startswith("The file cannot be read: ")
        document = upload(client, docx(f"on read: spin {SPINNING}"))["docId"]
        answer = read(client, document)
        assert answer.status_code == 408
        assert answer.json()["detail"].startswith("Markdown read operation timed out after ")
        answer = edit(client, document, f"spin {SPINNING}")
        assert answer.status_code == 500
        assert answer.json()["detail"].startswith("Edit operation failed: The document took ")


def test_a_file_that_kills_its_worker_is_refused_with_a_sentence(client: httpx.Client) -> None:
    answer = client.post("/v1/documents/", files={"file": ("a.docx", b"die")})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("The file cannot be read: ")


def test_slow_connections_do_not_hold_up_the_others(launch: Launch) -> None:
    # They are given all the time there is, so that whoever waited for one would wait for ever.
    server = launch(body_seconds=100_000)
    address = urlsplit(server.url)
    assert address.hostname is not None
    held = [socket.create_connection((address.hostname, address.port or 0), 5) for _ in range(200)]
    try:
        for line in held:
            line.sendall(b"POST /v1/documents/ HTTP/1.1\r\nHost: x\r\nX-Half")
        with server.client() as client:
            for _ in range(20):
                assert client.get("/v1/documents/").status_code == 200
    finally:
        for line in held:
            line.close()


def test_a_file_that_is_missing_is_the_500_of_the_contract(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = upload(client, docx("hello world"), tracked_changes=True)["docId"]
    for file in (staged.data / "documents" / document).iterdir():
        file.unlink()
    path = f"/v1/documents/{document}"
    for view in ("", "?view=clean"):
        answer = client.get(f"{path}/download{view}")
        assert answer.status_code == 500
        assert answer.json() == {"detail": "Failed to process direct download"}
    answer = read(client, document)
    lost = "Failed to generate markdown: The file of this document is missing"
    assert (answer.status_code, answer.json()) == (500, {"detail": lost})
    lost = "Edit operation failed: The file of this document is missing"
    assert edit(client, document, "change nothing").json() == {"detail": lost}
    assert client.get(f"{path}/changes").status_code == 500


@pytest.mark.skipif(os.geteuid() != 0, reason="a volume of its own takes root")
def test_a_full_disk_is_507_and_harms_no_document(launch: Launch, tmp_path: Path) -> None:
    volume = tmp_path / "own"
    volume.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(volume)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("this machine does not let us mount a volume")
    server = launch()
    try:
        with server.client() as client:
            document = upload(client, docx("hello world"))["docId"]
            filler = volume / "filler"
            with pytest.raises(OSError, match="No space"):
                filler.write_bytes(b"x" * (40 << 20))
            refused = client.post("/v1/documents/", files={"file": ("a.docx", docx("more"))})
            full = {"detail": "The service has no storage space left"}
            assert (refused.status_code, refused.json()) == (507, full)
            assert client.get("/ready").status_code == 503
            answer = edit(client, document, "replace hello with goodbye")
            assert answer.status_code in (500, 507, 503)
            filler.unlink()
            assert client.get(f"/v1/documents/{document}/download").content == docx("hello world")
            assert edit(client, document, "replace hello with goodbye").status_code == 200
    finally:
        server.close()
        subprocess.run(["umount", str(volume)], check=False)
