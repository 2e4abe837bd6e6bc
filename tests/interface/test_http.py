"""Each row of the table of HTTP details, against a real server process."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from redraft.api.openapi.endpoints import ENDPOINTS as DESCRIBED
from tests.api.fake_engine import DOCX, docx, pdf
from tests.interface.requests import Background, Gate, document_info
from tests.interface.server_process import (
    KEY,
    ServerProcess,
    edit,
    read,
    uid,
    upload,
    wait_for,
)

Launch = Callable[..., ServerProcess]
MEGABYTES = 10 * 1024 * 1024
UNKNOWN = "11111111-2222-4333-8444-555555555555"
TOO_LARGE = {"detail": "File size exceeds maximum allowed size of 10MB"}
NO_KEY = {"detail": "Invalid or missing API key"}

ENDPOINTS = [
    ("POST", "/v1/documents/"),
    ("GET", "/v1/documents/"),
    ("GET", f"/v1/documents/{UNKNOWN}"),
    ("DELETE", f"/v1/documents/{UNKNOWN}"),
    ("GET", f"/v1/documents/{UNKNOWN}/exists"),
    ("POST", f"/v1/documents/{UNKNOWN}/edits"),
    ("GET", f"/v1/documents/{UNKNOWN}/edits"),
    ("DELETE", f"/v1/documents/{UNKNOWN}/edits/{UNKNOWN}"),
    ("POST", f"/v1/documents/{UNKNOWN}/markdown"),
    ("GET", f"/v1/documents/{UNKNOWN}/download"),
    ("GET", f"/v1/documents/{UNKNOWN}/changes"),
    ("POST", f"/v1/documents/{UNKNOWN}/changes"),
    ("POST", f"/v1/documents/{UNKNOWN}/undo"),
    ("POST", f"/v1/documents/{UNKNOWN}/redo"),
    ("GET", f"/v1/documents/{UNKNOWN}/events"),
]


@pytest.fixture(scope="module")
def document(staged: ServerProcess) -> str:
    with staged.client() as client:
        return upload(client, docx("hello world"), "résumé — v2.docx")["docId"]


def raw(server: ServerProcess, request: bytes, seconds: float = 30) -> bytes:
    """Send bytes as they are and return the answer, whose body is a JSON object."""
    address = urlsplit(server.url)
    assert address.hostname is not None
    with socket.create_connection((address.hostname, address.port or 0), seconds) as line:
        line.sendall(request)
        answer = line.recv(65536)
        while b"}" not in answer:
            answer += line.recv(65536)
        return answer


def is_detail_only(answer: httpx.Response) -> bool:
    body = answer.json()
    return list(body) == ["detail"] and isinstance(body["detail"], str) and bool(body["detail"])


@pytest.mark.parametrize(("method", "path"), ENDPOINTS, ids=[f"{m} {p}" for m, p in ENDPOINTS])
@pytest.mark.parametrize(
    "authorization",
    [None, "Bearer wrong", "Bearer", "Basic " + KEY, KEY, "Bearer rd_unknown_0000"],
    ids=["no header", "wrong key", "empty key", "other scheme", "no scheme", "unknown key"],
)
def test_every_endpoint_without_a_right_key_is_401(
    staged: ServerProcess, method: str, path: str, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    with staged.client(None) as nobody:
        answer = nobody.request(method, path, headers=headers)
    assert (answer.status_code, answer.json()) == (401, NO_KEY)
    assert answer.headers["www-authenticate"] == "Bearer"


def test_the_401_comes_before_the_body_has_been_sent(staged: ServerProcess) -> None:
    answer = raw(
        staged,
        b"POST /v1/documents/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n"
        b"Content-Type: multipart/form-data; boundary=b\r\nAuthorization: Bearer no\r\n\r\n",
    )
    assert answer.startswith(b"HTTP/1.1 401")


def test_everything_that_succeeds_is_200(client: httpx.Client) -> None:
    answer = client.post("/v1/documents/", files={"file": ("a.docx", docx("hello"))})
    assert answer.status_code == 200
    document = answer.json()["docId"]
    path = f"/v1/documents/{document}"
    for reply in (
        client.get("/v1/documents/"),
        client.get(path),
        client.get(f"{path}/exists"),
        edit(client, document, "replace hello with goodbye"),
        read(client, document),
        client.get(f"{path}/download"),
        client.get(f"{path}/changes"),
        client.post(f"{path}/changes", json={"action": "accept", "all": True}),
        client.get(f"{path}/edits"),
        client.post(f"{path}/undo"),
        client.post(f"{path}/redo"),
        client.delete(f"{path}/edits/{client.get(f'{path}/edits').json()['edits'][0]['editUid']}"),
        client.delete(path),
        client.get("/health"),
        client.get("/ready"),
        client.get("/schema"),
        client.get("/schema/openapi.json"),
    ):
        assert reply.status_code == 200, reply.url


def test_every_error_body_is_detail_and_only_that(client: httpx.Client, document: str) -> None:
    path = f"/v1/documents/{document}"
    answers = [
        client.get("/nowhere"),
        client.put("/v1/documents/"),
        client.get(f"/v1/documents/{UNKNOWN}"),
        client.post(f"{path}/edits", content=b"{"),
        client.post(f"{path}/edits", json={}),
        client.post(f"{path}/edits", content=b"x" * (1024 * 1024 + 1)),
        client.get(f"{path}/download", headers={"Range": "bytes=99999-"}),
        client.get("/storage/a/b"),
        client.post("/v1/documents/", files={"file": ("a.txt", b"text")}),
    ]
    assert [answer.status_code for answer in answers] == [
        404, 405, 404, 400, 422, 413, 416, 403, 400,
    ]  # fmt: skip
    for answer in answers:
        assert is_detail_only(answer), answer.text
        assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "editUid: missing required field"),
        ({"editUid": UNKNOWN}, "editInstructions: missing required field"),
        ({"editUid": "x", "editInstructions": "y"}, "editUid: must be a UUID"),
        ({"editUid": 7, "editInstructions": "y"}, "editUid: must be a UUID"),
        ({"editUid": UNKNOWN, "editInstructions": 7}, "editInstructions: must be a string"),
        ({"editUid": UNKNOWN, "editInstructions": " "}, "editInstructions: must not be empty"),
        (
            {"editUid": UNKNOWN, "editInstructions": "x" * 20_001},
            "editInstructions: must not be longer than 20,000 characters",
        ),
        (
            {"editUid": UNKNOWN, "editInstructions": "x", "lookupText": "y" * 20_001},
            "lookupText: must not be longer than 20,000 characters",
        ),
        (
            {"editUid": UNKNOWN, "editInstructions": "x", "useLargeModel": "yes"},
            "useLargeModel: must be true or false",
        ),
        ([], "body: must be a JSON object"),
    ],
)
def test_a_field_that_is_missing_or_wrong_is_422_and_named(
    client: httpx.Client, document: str, body: Any, detail: str
) -> None:
    answer = client.post(f"/v1/documents/{document}/edits", json=body)
    assert (answer.status_code, answer.json()) == (422, {"detail": detail})


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "action: must be one of accept, reject"),
        ({"action": "keep", "all": True}, "action: must be one of accept, reject"),
        ({"action": "accept"}, "ids: give exactly one of ids, author, editUid or all"),
        ({"action": "accept", "ids": []}, "ids: give exactly one of ids, author, editUid or all"),
        (
            {"action": "accept", "all": True, "author": "Ann"},
            "ids: give exactly one of ids, author, editUid or all",
        ),
        ({"action": "accept", "ids": [1]}, "ids: must be a list of strings"),
        ({"action": "accept", "editUid": ""}, "editUid: must be a UUID"),
        ({"action": "reject", "editUid": "the last one"}, "editUid: must be a UUID"),
        ({"action": "reject", "editUid": 7}, "editUid: must be a UUID"),
    ],
)
def test_what_is_to_be_accepted_or_rejected_must_be_said_in_one_way(
    client: httpx.Client, document: str, body: dict[str, object], detail: str
) -> None:
    answer = client.post(f"/v1/documents/{document}/changes", json=body)
    assert (answer.status_code, answer.json()) == (422, {"detail": detail})


def test_lengths_of_20000_characters_are_accepted(client: httpx.Client, document: str) -> None:
    answer = edit(client, document, "x" * 20_000, lookupText="é" * 20_000)
    assert answer.json()["detail"].startswith("Edit operation failed: ")


@pytest.mark.parametrize(
    ("content", "status", "detail"),
    [
        (b"", 400, "The request body is not valid JSON"),
        (b"\xff\xfe", 400, "The request body is not valid JSON"),
        (b"[" * 100_000, 400, "The request body is not valid JSON"),
        (b'{"editUid": "\\ud800"}', 400, "The request body is not valid JSON"),
        (b"null", 422, "body: must be a JSON object"),
        (b'"text"', 422, "body: must be a JSON object"),
    ],
    ids=["empty", "no text", "deep", "half a pair", "null", "a string"],
)
@pytest.mark.parametrize("suffix", ["edits", "markdown", "changes"])
def test_a_body_that_is_no_json_object_is_told_so(
    client: httpx.Client, document: str, suffix: str, content: bytes, status: int, detail: str
) -> None:
    answer = client.post(f"/v1/documents/{document}/{suffix}", content=content)
    assert (answer.status_code, answer.json()) == (status, {"detail": detail})


def test_the_type_a_body_is_said_to_have_does_not_matter(
    client: httpx.Client, document: str
) -> None:
    body = json.dumps({"editUid": uid(), "editInstructions": "change nothing"})
    path = f"/v1/documents/{document}/edits"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
        assert client.post(path, content=body, headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", "", 422),
        (b"{}", "application/json", 422),
        (b"x", "multipart/form-data", 400),
        (b"garbage", "multipart/form-data; boundary=b", 400),
        (
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\nPK',
            "multipart/form-data; boundary=b",
            400,
        ),
    ],
    ids=["nothing", "json", "no boundary", "no form", "cut off"],
)
def test_an_upload_that_is_no_form_is_told_so(
    client: httpx.Client, content: bytes, kind: str, status: int
) -> None:
    headers = {"Content-Type": kind} if kind else {}
    answer = client.post("/v1/documents/", content=content, headers=headers)
    assert answer.status_code == status
    assert is_detail_only(answer)


def test_unknown_fields_are_ignored(client: httpx.Client, document: str) -> None:
    assert upload(client, docx("x"), unknown="1")["docId"]
    answer = edit(client, document, "change nothing", saveChunksForReview=True, trackedChanges=1)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"ttl_seconds": "299"}, "ttl_seconds: must be a whole number from 300 to 21600"),
        ({"ttl_seconds": "21601"}, "ttl_seconds: must be a whole number from 300 to 21600"),
        ({"ttl_seconds": "soon"}, "ttl_seconds: must be a whole number from 300 to 21600"),
        ({"return_markdown": "maybe"}, "return_markdown: must be true or false"),
        ({"tracked_changes": "2"}, "tracked_changes: must be true or false"),
        ({"author_name": "x" * 256}, "author_name: must not be longer than 255 characters"),
        ({"author_name": "A\x01nn"}, "author_name: must not hold control characters"),
        ({"author_name": "A\ufffenn"}, "author_name: must not hold control characters"),
        ({"author_name": "A\u202enn"}, "author_name: must not hold control characters"),
    ],
)
def test_a_form_field_that_is_wrong_is_422_and_named(
    client: httpx.Client, fields: dict[str, str], detail: str
) -> None:
    answer = client.post("/v1/documents/", files={"file": ("a.docx", docx("x"))}, data=fields)
    assert (answer.status_code, answer.json()) == (422, {"detail": detail})


@pytest.mark.parametrize("seconds", ["300", "21600"])
def test_the_bounds_of_ttl_seconds_are_accepted(client: httpx.Client, seconds: str) -> None:
    told = upload(client, docx("x"), ttl_seconds=seconds)
    assert told["ttlSeconds"] == int(seconds)


@pytest.mark.parametrize("seconds", ["0", "86401", "-5", "1.5", "x"])
def test_expires_in_outside_its_bounds_is_422(
    client: httpx.Client, document: str, seconds: str
) -> None:
    answer = client.get(f"/v1/documents/{document}", params={"expiresIn": seconds})
    detail = "expiresIn: must be a whole number from 1 to 86400"
    assert (answer.status_code, answer.json()) == (422, {"detail": detail})


@pytest.mark.parametrize(
    ("method", "suffix", "detail"),
    [
        ("POST", "/edits", "Document not found or has expired"),
        ("POST", "/markdown", "Document not found or has expired"),
        ("GET", "", "Document not found or has expired"),
        ("GET", "/download", "File not found"),
        ("DELETE", "", "Document not found or has expired"),
        ("GET", "/changes", "Document not found or has expired"),
        ("GET", "/edits", "Document not found or has expired"),
        ("GET", "/events", "Document not found or has expired"),
    ],
)
@pytest.mark.parametrize("identifier", ["not-a-uuid", UNKNOWN, "..%2f..%2fetc%2fpasswd"])
def test_a_malformed_or_unknown_id_is_the_endpoints_own_404(
    client: httpx.Client, method: str, suffix: str, detail: str, identifier: str
) -> None:
    body = {"editUid": uid(), "readUid": uid(), "editInstructions": "x"}
    json_body = body if method == "POST" else None
    answer = client.request(method, f"/v1/documents/{identifier}{suffix}", json=json_body)
    if "%2f" in identifier:
        assert answer.status_code in (404, 405)
    else:
        assert (answer.status_code, answer.json()) == (404, {"detail": detail})


def test_a_missing_file_part_is_422(client: httpx.Client) -> None:
    missing = {"detail": "file: missing required field"}
    answer = client.post("/v1/documents/", files={"other": ("a.docx", b"x")})
    assert (answer.status_code, answer.json()) == (422, missing)
    answer = client.post("/v1/documents/", data={"ttl_seconds": "300"})
    assert (answer.status_code, answer.json()) == (422, missing)
    answer = client.post(
        "/v1/documents/", files={"author_name": (None, "x")}, data={"file": "not a file"}
    )
    assert (answer.status_code, answer.json()) == (422, {"detail": "file: must be a file"})


@pytest.mark.parametrize(
    ("field", "parts"),
    [
        ("file", [("file", ("a.docx", docx("one"))), ("file", ("b.docx", docx("two")))]),
        ("file", [("file", ("a.docx", docx("one"))), ("file", (None, b"two"))]),
        ("ttl_seconds", [("ttl_seconds", (None, b"300")), ("ttl_seconds", (None, b"600"))]),
        ("author_name", [("author_name", (None, b"Ann")), ("author_name", (None, b"Ann"))]),
    ],
    ids=["two files", "a file and a text", "two times", "the same twice"],
)
def test_a_field_of_an_upload_that_comes_twice_is_422_and_nothing_is_kept(
    client: httpx.Client, field: str, parts: list[tuple[str, Any]]
) -> None:
    before = client.get("/v1/documents/").json()["totalCount"]
    file = [] if field == "file" else [("file", ("a.docx", docx("one")))]
    answer = client.post("/v1/documents/", files=[*file, *parts])
    detail = {"detail": f"{field}: must be given once"}
    assert (answer.status_code, answer.json()) == (422, detail)
    assert client.get("/v1/documents/").json()["totalCount"] == before


def test_fields_of_an_upload_that_nobody_reads_may_come_twice(client: httpx.Client) -> None:
    parts = [("tag", (None, b"a")), ("tag", (None, b"b")), ("file", ("a.docx", docx("one")))]
    assert client.post("/v1/documents/", files=parts).status_code == 200


def test_a_file_of_exactly_10_mebibytes_is_accepted_and_one_byte_more_is_413(
    client: httpx.Client,
) -> None:
    data = docx("").ljust(MEGABYTES, b"x")
    assert upload(client, data)["docId"]
    for more in (1, 64 * 1024, 2 * MEGABYTES):
        answer = client.post("/v1/documents/", files={"file": ("a.docx", data + b"x" * more)})
        assert (answer.status_code, answer.json()) == (413, TOO_LARGE), more


def test_a_chunked_upload_is_cut_off_at_the_same_size(client: httpx.Client) -> None:
    head = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\nFAKE DOCX\n'
    )

    def chunks() -> Any:
        yield head
        for _ in range(12):
            yield b"x" * (1024 * 1024)
        yield b"\r\n--b--\r\n"

    answer = client.post(
        "/v1/documents/",
        content=chunks(),
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )
    assert (answer.status_code, answer.json()) == (413, TOO_LARGE)


def test_a_form_of_many_parts_is_refused(client: httpx.Client) -> None:
    parts = [(f"f{number}", (None, b"x")) for number in range(40)]
    answer = client.post("/v1/documents/", files=parts)
    assert answer.status_code in (400, 413)
    assert is_detail_only(answer)


def test_a_body_that_does_not_arrive_is_408(launch: Launch) -> None:
    server = launch(body_seconds=0.3)
    request = (
        f"POST /v1/documents/{UNKNOWN}/edits HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
        f"Authorization: Bearer {KEY}\r\n\r\n{{"
    )
    answer = raw(server, request.encode())
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"The request body was not received in time" in answer


def test_head_answers_like_get_without_a_body(client: httpx.Client, document: str) -> None:
    path = f"/v1/documents/{document}/download"
    got, head = client.get(path), client.head(path)
    assert head.status_code == 200
    assert head.content == b""
    for name in ("content-length", "content-type", "content-disposition", "etag", "accept-ranges"):
        assert head.headers[name] == got.headers[name]
    link = client.get(f"/v1/documents/{document}").json()["downloadUrl"]
    assert httpx.head(link).headers["content-length"] == got.headers["content-length"]
    missing = client.head(f"/v1/documents/{UNKNOWN}/download")
    assert (missing.status_code, missing.content) == (404, b"")


@pytest.mark.parametrize(
    ("asked", "status", "content", "told"),
    [
        ("bytes=" + "9" * 5000 + "-", 416, None, "bytes */21"),
        ("bytes=-" + "9" * 5000, 206, b"FAKE DOCX\nhello world", "bytes 0-20/21"),
        ("bytes=5-" + "0" * 5000 + "7", 206, b"DOC", "bytes 5-7/21"),
        ("bytes=0-3", 206, b"FAKE", "bytes 0-3/21"),
        ("bytes=5-", 206, b"DOCX\nhello world", "bytes 5-20/21"),
        ("bytes=-5", 206, b"world", "bytes 16-20/21"),
        ("bytes=-500", 206, b"FAKE DOCX\nhello world", "bytes 0-20/21"),
        ("bytes=0-999", 206, b"FAKE DOCX\nhello world", "bytes 0-20/21"),
        ("bytes=5-2", 200, b"FAKE DOCX\nhello world", None),
        ("bytes=0-1,4-5", 200, b"FAKE DOCX\nhello world", None),
        ("lines=1-2", 200, b"FAKE DOCX\nhello world", None),
        ("bytes=-", 200, b"FAKE DOCX\nhello world", None),
        ("bytes=21-", 416, None, "bytes */21"),
        ("bytes=-0", 416, None, "bytes */21"),
    ],
)
@pytest.mark.parametrize("through", ["key", "link"])
def test_ranges_of_a_download(
    client: httpx.Client,
    document: str,
    through: str,
    asked: str,
    status: int,
    content: bytes | None,
    told: str | None,
) -> None:
    headers = {"Range": asked}
    if through == "key":
        answer = client.get(f"/v1/documents/{document}/download", headers=headers)
    else:
        link = client.get(f"/v1/documents/{document}").json()["downloadUrl"]
        answer = httpx.get(link, headers=headers)
    assert answer.status_code == status
    assert answer.headers.get("content-range") == told
    if content is not None:
        assert answer.content == content
        assert answer.headers["accept-ranges"] == "bytes"


def test_a_range_of_another_version_gets_the_whole(client: httpx.Client, document: str) -> None:
    path = f"/v1/documents/{document}/download"
    tag = client.get(path).headers["etag"]
    same = client.get(path, headers={"Range": "bytes=0-3", "If-Range": tag})
    other = client.get(path, headers={"Range": "bytes=0-3", "If-Range": '"other"'})
    assert (same.status_code, other.status_code) == (206, 200)


def test_the_etag_changes_with_the_content(client: httpx.Client) -> None:
    document = upload(client, docx("hello"))["docId"]
    path = f"/v1/documents/{document}/download"
    before = client.get(path).headers["etag"]
    edit(client, document, "replace hello with goodbye")
    after = client.get(path).headers["etag"]
    client.post(f"/v1/documents/{document}/undo")
    assert client.get(path).headers["etag"] == before != after


def test_answers_are_not_kept_by_caches(client: httpx.Client, document: str) -> None:
    for path in (f"/v1/documents/{document}/download", f"/v1/documents/{document}", "/nowhere"):
        answer = client.get(path)
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_download_names_the_file_in_both_forms(client: httpx.Client, document: str) -> None:
    told = client.get(f"/v1/documents/{document}/download").headers["content-disposition"]
    assert told == (
        'attachment; filename="resume _ v2.docx"; '
        "filename*=UTF-8''r%C3%A9sum%C3%A9%20%E2%80%94%20v2.docx"
    )


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.docx", "passwd.docx"),
        ("C:\\Users\\ann\\letter.docx", "letter.docx"),
        ("re\u0301sume\u0301.docx", "r\u00e9sum\u00e9.docx"),
        ("evil\u202excod.docx", "evilxcod.docx"),
        ("plain", "plain.docx"),
        ("x" * 300 + ".docx", "x" * 250 + ".docx"),
        ("..", "document.docx"),
    ],
)
def test_file_names_are_kept_for_people_and_made_harmless(
    client: httpx.Client, given: str, kept: str
) -> None:
    assert upload(client, docx("x"), given)["name"] == kept


@pytest.mark.parametrize(
    "name",
    [
        b"a\nX-Evil: 1.docx",
        b"a\rX-Evil: 1.docx",
        b"a%0d%0aX-Evil: 1.docx",
        b'a\\"; filename=evil.exe; x="1.docx',
    ],
    ids=["line feed", "carriage return", "percent signs", "quote"],
)
def test_a_file_name_that_would_be_more_stays_one_header_with_one_name(
    staged: ServerProcess, name: bytes
) -> None:
    head = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="'
        + name
        + b'"\r\n\r\nFAKE DOCX\nx\r\n--b--\r\n'
    )
    with staged.client() as client:
        made = client.post(
            "/v1/documents/",
            content=head,
            headers={"Content-Type": "multipart/form-data; boundary=b"},
        )
        answer = client.get(f"/v1/documents/{made.json()['docId']}/download")
    assert answer.status_code == 200
    assert "x-evil" not in answer.headers
    told = answer.headers["content-disposition"]
    assert told.startswith('attachment; filename="a')
    assert told.count('"') == 2
    assert told.count(";") - told.split('"')[1].count(";") == 2


def test_the_content_type_is_that_of_the_content(client: httpx.Client) -> None:
    for data, name, kind in ((docx("x"), "a.docx", DOCX), (pdf("x"), "a.pdf", "application/pdf")):
        document = upload(client, data, name)["docId"]
        answer = client.get(f"/v1/documents/{document}/download")
        assert answer.headers["content-type"] == kind
        assert answer.content == data


def test_a_request_id_is_taken_over_or_made(staged: ServerProcess) -> None:
    with staged.client() as client:
        given = client.get("/health", headers={"X-Request-Id": "abc-123"})
        assert given.headers["x-request-id"] == "abc-123"
        told = "request=abc-123 key=- method=GET route=/health status=200"
        wait_for(lambda: told in staged.log)
        forged = client.get("/health", headers={"X-Request-Id": "a b\tc"})
        assert forged.headers["x-request-id"] not in ("a b\tc", "")
        assert client.get("/health").headers["x-request-id"] != forged.headers["x-request-id"]


def test_cors_is_off_unless_origins_are_set(client: httpx.Client, launch: Launch) -> None:
    origin = {"Origin": "https://app.example"}
    assert "access-control-allow-origin" not in client.get("/health", headers=origin).headers
    server = launch(cors_origins="https://app.example")
    with server.client() as allowed:
        answer = allowed.get("/v1/documents/", headers=origin)
        assert answer.headers["access-control-allow-origin"] == "https://app.example"
        other = allowed.get("/v1/documents/", headers={"Origin": "https://evil.example"})
        assert other.headers.get("access-control-allow-origin") != "https://evil.example"
        asking = {**origin, "Access-Control-Request-Method": "GET"}
        assert client.request("OPTIONS", "/health", headers=asking).status_code == 204
        closed = httpx.options(f"{client.base_url}/v1/documents/", headers=asking)
        assert (closed.status_code, closed.json()) == (401, NO_KEY)
        preflight = httpx.options(
            f"{server.url}/v1/documents/",
            headers={**origin, "Access-Control-Request-Method": "GET"},
        )
        assert preflight.status_code in (200, 204)


METHODS: dict[str, set[str]] = {}
for endpoint in DESCRIBED:
    METHODS.setdefault(endpoint.path, {"OPTIONS"}).add(endpoint.method)
    if endpoint.has_ranges:
        METHODS[endpoint.path].add("HEAD")


@pytest.mark.parametrize(("path", "methods"), METHODS.items(), ids=list(METHODS))
@pytest.mark.parametrize(("method", "status"), [("OPTIONS", 204), ("PATCH", 405)])
def test_allow_names_every_method_of_the_path(
    client: httpx.Client, method: str, status: int, path: str, methods: set[str]
) -> None:
    answer = client.request(method, re.sub(r"{\w+}", UNKNOWN, path))
    assert answer.status_code == status
    assert set(answer.headers["allow"].split(", ")) == methods
    assert answer.content == b"" if status == 204 else is_detail_only(answer)


def test_the_rate_limit_counts_per_key_and_says_where_it_stands(launch: Launch) -> None:
    server = launch(requests_per_minute=3)
    with server.client() as client, server.client("canary-key-two") as other:
        answers = [client.get("/v1/documents/") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[0].headers["ratelimit-limit"] == "3"
        assert answers[0].headers["ratelimit-remaining"] == "2"
        assert int(answers[3].headers["retry-after"]) > 0
        assert is_detail_only(answers[3])
        assert other.get("/v1/documents/").status_code == 200
        assert client.get("/health").status_code == 200
        server.advance(61)
        assert client.get("/v1/documents/").status_code == 200


def test_quotas_per_key_are_429(launch: Launch, gate: Gate) -> None:
    server = launch(documents_per_key=2, bytes_per_key=400, pending_per_key=1)
    with server.client() as client, server.client("canary-key-two") as other:
        upload(client, docx("one"))
        answer = client.post("/v1/documents/", files={"file": ("a.docx", docx("x" * 400))})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        document = upload(client, docx("two"))["docId"]
        answer = client.post("/v1/documents/", files={"file": ("a.docx", docx("three"))})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        upload(other, docx("three"))
        held = gate.before("change nothing")
        slow = Background(lambda: edit(client, document, held))
        wait_for(lambda: document_info(client, document)["pending"] == 1)
        busy = edit(client, document, "change nothing")
        assert busy.status_code == 429
        assert int(busy.headers["retry-after"]) > 0
        gate.open()
        assert slow.answer().status_code == 200
        assert edit(client, document, "change nothing").status_code == 200


@pytest.mark.parametrize("path", ["/schemata", "/schema/more", "/health/more", "/"])
def test_a_path_beside_an_open_one_needs_a_key(staged: ServerProcess, path: str) -> None:
    with staged.client(None) as nobody:
        assert nobody.get(path).status_code == 401
    with staged.client() as somebody:
        assert somebody.get(path).status_code == 404


def test_health_and_readiness_need_no_key(staged: ServerProcess) -> None:
    with staged.client(None) as nobody:
        assert nobody.get("/health").json() == {"status": "ok"}
        told = nobody.get("/ready").json()
    assert told["status"] == "ready"
    del told["checks"]["confinement"]  # what the machine allows
    assert set(told["checks"].values()) == {"ok"}


def test_the_interface_is_described_for_people_and_programs(client: httpx.Client) -> None:
    described = json.loads(client.get("/schema/openapi.json").content)
    assert described["openapi"].startswith("3.1")
    page = client.get("/schema")
    assert page.headers["content-type"].startswith("text/html")
    assert "/v1/documents/{doc_id}/edits" in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
