"""A request that is sent again with its Idempotency-Key is done once."""

from __future__ import annotations

from uuid import uuid4

import httpx

from tests.api.fake_engine import docx
from tests.interface.requests import document_info, markdown, new, post_edit


def test_an_undo_that_is_sent_twice_undoes_one_change(client: httpx.Client) -> None:
    document = new(client, "one")
    for old, word in (("one", "two"), ("two", "three")):
        assert post_edit(client, document, str(uuid4()), f"replace {old} with {word}").is_success
    key = {"Idempotency-Key": str(uuid4())}
    first = client.post(f"/v1/documents/{document}/undo", headers=key)
    again = client.post(f"/v1/documents/{document}/undo", headers=key)
    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert markdown(client, document) == "two"
    assert client.post(f"/v1/documents/{document}/undo").is_success
    assert markdown(client, document) == "one"


def test_accepting_and_redoing_twice_is_done_once(client: httpx.Client) -> None:
    document = new(client, "one", tracked_changes="true")
    post_edit(client, document, str(uuid4()), "replace one with two")
    key = {"Idempotency-Key": str(uuid4())}
    body = {"action": "accept", "all": True}
    answers = [
        client.post(f"/v1/documents/{document}/changes", json=body, headers=key) for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert document_info(client, document)["version"] == answers[0].json()["version"]
    client.post(f"/v1/documents/{document}/undo")
    redone = [client.post(f"/v1/documents/{document}/redo", headers=key) for _ in range(2)]
    assert redone[0].json() == redone[1].json()
    assert redone[0].json()["applied"]


def test_an_upload_that_is_sent_twice_is_one_document(
    client: httpx.Client, other_client: httpx.Client
) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    files = {"file": ("a.docx", docx("one"))}
    first = client.post("/v1/documents/", files=files, headers=key)
    again = client.post("/v1/documents/", files=files, headers=key)
    assert first.json()["docId"] == again.json()["docId"]
    other = client.post("/v1/documents/", files={"file": ("a.docx", docx("two"))}, headers=key)
    assert other.status_code == 422
    assert other.json()["detail"] == "Idempotency-Key was already used for a different upload"
    theirs = other_client.post("/v1/documents/", files=files, headers=key)
    assert theirs.json()["docId"] != first.json()["docId"]
    assert client.post("/v1/documents/", files=files).json()["docId"] != first.json()["docId"]


def test_a_key_that_is_no_uuid_is_refused(client: httpx.Client) -> None:
    answer = client.post(f"/v1/documents/{new(client)}/undo", headers={"Idempotency-Key": "again"})
    assert (answer.status_code, answer.json()) == (
        422,
        {"detail": "Idempotency-Key: must be a UUID"},
    )
