"""An ambiguous instruction answers its candidates, and the next request chooses one of them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.interface.server_process import edit, read, uid, upload
from tests.interface.situation_documents import word

pytestmark = pytest.mark.process

SENTENCE = 'change "fee" to "price"'


def ambiguous(client: httpx.Client) -> tuple[str, list[dict[str, Any]]]:
    document = upload(client, word("The fee is due, and the fee is final."))["docId"]
    answer = edit(client, document, SENTENCE)
    assert answer.status_code == 500
    told = answer.json()
    assert set(told) == {"detail", "candidates"}
    assert told["detail"].startswith("Edit operation failed: The instruction matches 2 places")
    return document, told["candidates"]


def chosen(client: httpx.Client, document: str, *places: str) -> httpx.Response:
    body = {"editUid": uid(), "editInstructions": SENTENCE, "places": places}
    return client.post(f"/v1/documents/{document}/edits", json=body)


def test_the_place_that_is_chosen_is_edited_and_no_other(real_client: httpx.Client) -> None:
    document, candidates = ambiguous(real_client)
    assert [one["words"] for one in candidates] == [
        "The ⟪fee⟫ is due, and the fee is final.",
        "The fee is due, and the ⟪fee⟫ is final.",
    ]
    assert [(one["anchor"], one["label"]) for one in candidates] == [("p1", ""), ("p1", "")]
    assert chosen(real_client, document, candidates[1]["place"]).status_code == 200
    text = read(real_client, document).json()["markdown"]
    assert text.strip() == "The fee is due, and the price is final."


def test_of_several_places_that_are_chosen_each_is_edited_and_no_other(
    real_client: httpx.Client,
) -> None:
    text = "The fee is due. A fee is final. No fee is paid back."
    document = upload(real_client, word(text))["docId"]
    candidates = edit(real_client, document, SENTENCE).json()["candidates"]
    assert len(candidates) == 3
    wanted = [candidates[at]["place"] for at in (0, 2)]
    assert chosen(real_client, document, *wanted).status_code == 200
    text = read(real_client, document).json()["markdown"]
    assert text.strip() == "The price is due. A fee is final. No price is paid back."


def test_a_place_of_an_older_version_is_a_conflict(real_client: httpx.Client) -> None:
    document, candidates = ambiguous(real_client)
    assert edit(real_client, document, 'replace "final" with "last"').status_code == 200
    answer = chosen(real_client, document, candidates[0]["place"])
    assert answer.status_code == 409
    assert answer.json() == {
        "detail": "The document is at version 1, and the request speaks of version 0; read it "
        "again and send a new request"
    }


@pytest.mark.parametrize("places", ["p1", [1], ["p1"], ["x:p1"], ["0:"]])
def test_places_that_no_answer_named_are_refused(real_client: httpx.Client, places: Any) -> None:
    document = upload(real_client, word("The fee."))["docId"]
    body = {"editUid": uid(), "editInstructions": SENTENCE, "places": places}
    answer = real_client.post(f"/v1/documents/{document}/edits", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("places: must be a list")


def test_a_repeated_ambiguous_request_gets_the_same_candidates(real_client: httpx.Client) -> None:
    document = upload(real_client, word("A fee, a fee."))["docId"]
    body = {"editUid": uid(), "editInstructions": SENTENCE}
    first, second = (
        real_client.post(f"/v1/documents/{document}/edits", json=body) for _ in range(2)
    )
    assert second.headers["Idempotent-Replayed"] == "true"
    assert second.json() == first.json()
    assert len(first.json()["candidates"]) == 2
