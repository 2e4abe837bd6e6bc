"""A document is given the changes that make it another one, by its id or as a file."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.interface.server_process import read, uid, upload
from tests.interface.situation_documents import word

pytestmark = pytest.mark.process

FIRST = word("The term is thirty days.", "Either party may end it.")
SECOND = word("The term is sixty days.", "A new clause.", "Either party may end it.")


@pytest.fixture
def document(real_client: httpx.Client) -> str:
    return upload(real_client, FIRST)["docId"]


def compared(client: httpx.Client, document: str, other: str, **fields: Any) -> httpx.Response:
    body = {"editUid": uid(), "documentId": other, **fields}
    return client.post(f"/v1/documents/{document}/compare", json=body)


def changes(answer: httpx.Response) -> list[tuple[str, str]]:
    assert answer.status_code == 200, answer.text
    return [(c["before"], c["after"].strip()) for c in answer.json()["revisions"]]


def test_another_document_is_compared_and_the_changes_can_be_decided(
    real_client: httpx.Client, document: str
) -> None:
    other = upload(real_client, SECOND)["docId"]
    edit_uid = uid()
    first, again = (compared(real_client, document, other, editUid=edit_uid) for _ in range(2))
    assert changes(first) == [("thirty", "sixty"), ("", "A new clause.")]
    assert first.json()["version"] == 1
    assert again.headers["Idempotent-Replayed"] == "true"
    (entry,) = real_client.get(f"/v1/documents/{document}/edits").json()["edits"]
    assert entry["instruction"] == "compared"
    url = f"/v1/documents/{document}/changes"
    rejected = real_client.post(url, json={"action": "reject", "editUid": edit_uid})
    assert rejected.json()["resolved"] == 2, rejected.text
    assert "thirty days" in read(real_client, document).json()["markdown"]


def test_a_file_is_compared_and_stays_a_document(real_client: httpx.Client, document: str) -> None:
    url = f"/v1/documents/{document}/compare"
    key = uid()
    answers = [
        real_client.post(
            url, files={"file": ("theirs.docx", SECOND)}, headers={"Idempotency-Key": key}
        )
        for _ in range(2)
    ]
    assert changes(answers[0]) == [("thirty", "sixty"), ("", "A new clause.")]
    assert answers[0].json()["editUid"] == key
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    names = [d["name"] for d in real_client.get("/v1/documents/").json()["documents"]]
    assert names.count("theirs.docx") >= 1


def test_an_edit_before_stays_and_is_no_part_of_the_comparison(
    real_client: httpx.Client, document: str
) -> None:
    edit = {"op": "replace_text", "block": "p2", "find": "Either", "replace": "Any"}
    url = f"/v1/documents/{document}/edits"
    assert real_client.post(url, json={"editUid": uid(), "operations": [edit]}).status_code == 200
    other = upload(real_client, word("The term is thirty days.", "Any party may end it now."))
    assert changes(compared(real_client, document, other["docId"])) == [("", "now")]


def test_a_trial_keeps_the_version(real_client: httpx.Client, document: str) -> None:
    other = upload(real_client, SECOND)["docId"]
    trial = compared(real_client, document, other, dryRun=True)
    assert (len(changes(trial)), trial.json()["editApplied"]) == (2, False)
    assert "thirty" in read(real_client, document).json()["markdown"]


def test_what_is_equal_is_no_edit(real_client: httpx.Client, document: str) -> None:
    other = upload(real_client, FIRST)["docId"]
    answer = compared(real_client, document, other)
    assert (changes(answer), answer.json()["editApplied"]) == ([], False)


def test_a_document_that_is_not_there_is_said(real_client: httpx.Client, document: str) -> None:
    assert compared(real_client, document, uid()).status_code == 404
    assert compared(real_client, uid(), document).status_code == 404
    url = f"/v1/documents/{uid()}/compare"
    assert real_client.post(url, files={"file": ("a.docx", SECOND)}).status_code == 404
    wrong = real_client.post(f"/v1/documents/{document}/compare", json={"editUid": uid()})
    assert (wrong.status_code, wrong.json()["detail"]) == (
        422,
        "documentId: missing required field",
    )
