"""A document as text: taken, changed, and given back."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.interface.server_process import read, uid, upload
from tests.interface.situation_documents import word

pytestmark = pytest.mark.process


@pytest.fixture
def document(real_client: httpx.Client) -> str:
    data = word("The term is thirty days.", "Either party may end it.")
    return upload(real_client, data, tracked_changes=True)["docId"]


def text_of(client: httpx.Client, document: str) -> dict[str, Any]:
    answer = client.get(f"/v1/documents/{document}/markdown")
    assert answer.status_code == 200, answer.text
    return answer.json()


def put(client: httpx.Client, document: str, markdown: str, **fields: Any) -> httpx.Response:
    body = {"editUid": uid(), "markdown": markdown, **fields}
    return client.put(f"/v1/documents/{document}/markdown", json=body)


def test_text_is_taken_changed_and_given_back(real_client: httpx.Client, document: str) -> None:
    text = text_of(real_client, document)
    assert text["version"] == 0
    assert "\n[p1] The term is thirty days.\n" in text["markdown"]
    edited = text["markdown"].replace("thirty", "sixty").replace("[p2]", "A new one.\n\n[p2]")
    edit_uid = uid()
    first, again = (
        put(real_client, document, edited, editUid=edit_uid, baseVersion=0) for _ in range(2)
    )
    assert first.status_code == 200, first.text
    assert first.json()["version"] == 1
    assert [(c["before"], c["after"].strip()) for c in first.json()["revisions"]] == [
        ("thirty", "sixty"),
        ("", "A new one."),
    ]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert put(real_client, document, "Other", editUid=edit_uid).status_code == 422
    (entry,) = real_client.get(f"/v1/documents/{document}/edits").json()["edits"]
    assert entry["instruction"] == "edited as text"


def test_the_markdown_of_a_read_can_be_given_back(real_client: httpx.Client, document: str) -> None:
    markdown = read(real_client, document).json()["markdown"]
    same = put(real_client, document, markdown)
    assert (same.status_code, same.json()["editApplied"]) == (200, False)
    changed = put(real_client, document, markdown.replace("Either party", "Both parties"))
    assert changed.status_code == 200, changed.text
    assert "Both parties may end it." in read(real_client, document).json()["markdown"]


def test_lines_that_cannot_be_carried_out_are_told(
    real_client: httpx.Client, document: str
) -> None:
    text = text_of(real_client, document)["markdown"]
    answer = put(real_client, document, text.replace("it.", "it⟦fn1⟧."))
    assert answer.status_code == 500
    (fault,) = answer.json()["faults"]
    assert text.split("\n")[fault["index"]] == "[p2] Either party may end it."
    number = fault["index"] + 1
    said = f"Edit operation failed: Line {number}: ⟦fn1⟧ is there more often than before"
    assert answer.json()["detail"] == said
    assert text_of(real_client, document)["version"] == 0


def test_the_text_of_another_version_is_refused(real_client: httpx.Client, document: str) -> None:
    text = text_of(real_client, document)["markdown"]
    assert put(real_client, document, text.replace("thirty", "ten")).status_code == 200
    stale = put(real_client, document, text.replace("thirty", "sixty"), baseVersion=0)
    assert stale.status_code == 409
    assert "ten days" in text_of(real_client, document)["markdown"]


def test_what_would_be_done_is_told_and_not_done(real_client: httpx.Client, document: str) -> None:
    text = text_of(real_client, document)["markdown"]
    tried = put(real_client, document, text.replace("thirty", "sixty"), dryRun=True)
    assert (tried.json()["dryRun"], tried.json()["editApplied"]) == (True, False)
    assert len(tried.json()["revisions"]) == 1
    assert text_of(real_client, document)["version"] == 0


@pytest.mark.parametrize("body", [{}, {"editUid": "x"}, {"editUid": uid(), "markdown": " "}])
def test_a_body_without_uid_or_text_is_refused(
    real_client: httpx.Client, document: str, body: dict[str, str]
) -> None:
    answer = real_client.put(f"/v1/documents/{document}/markdown", json=body)
    assert answer.status_code == 422
