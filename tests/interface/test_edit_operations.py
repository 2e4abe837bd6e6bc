"""Each row of the table of situations (operations), against a real server process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx
import pytest

from tests.interface.requests import (
    Background,
    Gate,
    document_info,
    markdown,
    new,
    post_edit,
    state_of,
)
from tests.interface.server_process import ServerProcess, edit, read, uid, wait_for

Launch = Callable[..., ServerProcess]
LATER = "Edit operation timed out after 5 minutes"
GONE = {"detail": "Document not found or has expired"}


def test_an_edit_that_succeeds_answers_the_five_fields_and_makes_a_version(
    client: httpx.Client,
) -> None:
    document = new(client)
    body = {"editUid": uid(), "editInstructions": "replace hello with goodbye"}
    answer = client.post(f"/v1/documents/{document}/edits", json=body)
    assert answer.status_code == 200
    told = answer.json()
    assert told["editUid"] == body["editUid"]
    assert told["editApplied"] is True
    assert isinstance(told["timeToEdit"], float)
    assert told["documentName"] == "contract.docx"
    assert told["documentId"] == document
    assert told["version"] == 1
    assert markdown(client, document) == "goodbye world"


def test_a_successful_edit_refreshes_the_ttl(staged: ServerProcess, client: httpx.Client) -> None:
    document = new(client, ttl_seconds=300)
    before = document_info(client, document)["expiresAt"]
    staged.advance(200)
    assert edit(client, document, "replace hello with goodbye").status_code == 200
    after = document_info(client, document)["expiresAt"]
    assert after > before
    staged.advance(200)
    assert markdown(client, document) == "goodbye world"


def test_an_edit_that_changes_nothing_says_why_and_leaves_the_ttl(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client)
    before = document_info(client, document)
    staged.advance(5)
    told = edit(client, document, "change nothing").json()
    assert told["editApplied"] is False
    assert told["summary"] == "It says so already"
    assert document_info(client, document)["expiresAt"] == before["expiresAt"]
    assert document_info(client, document)["version"] == 0


def test_a_text_that_is_not_found_is_the_500_of_the_contract_and_final(
    client: httpx.Client,
) -> None:
    document = new(client)
    edit_uid = uid()
    answer = post_edit(client, document, edit_uid, "replace absent with present")
    assert answer.status_code == 500
    assert answer.json() == {"detail": "Edit operation failed: Unable to locate the specified text"}
    again = post_edit(client, document, edit_uid, "replace absent with present")
    assert again.status_code == 500
    assert again.headers["idempotent-replayed"] == "true"
    assert document_info(client, document)["version"] == 0


def test_the_history_names_the_closest_passage_and_the_status_text_does_not(
    client: httpx.Client,
) -> None:
    document = new(client)
    edit(client, document, "replace absent with present")
    history = client.get(f"/v1/documents/{document}/edits").json()
    assert history["edits"][0]["summary"] == "Closest passage: something like it"
    assert history["edits"][0]["instruction"] == "replace absent with present"
    assert history["edits"][0]["state"] == "failed"


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("die", "The document could not be processed: the worker that handled it stopped"),
        ("allocate", "The document needs more memory than a worker may use"),
        ("break", "The document could not be processed (ZeroDivisionError)"),
        ("model down", "The language model cannot be reached"),
    ],
    ids=["worker dies", "memory runs out", "worker fails", "model unreachable"],
)
def test_an_edit_that_fails_by_accident_is_not_final(
    client: httpx.Client, instruction: str, reason: str
) -> None:
    document = new(client)
    edit_uid = uid()
    answer = post_edit(client, document, edit_uid, instruction)
    assert answer.status_code == 500
    assert answer.json() == {"detail": f"Edit operation failed: {reason}"}
    again = post_edit(client, document, edit_uid, instruction)
    assert again.status_code == 500
    assert "idempotent-replayed" not in again.headers
    assert markdown(client, document) == "hello world"


def test_300_seconds_in_the_queue_is_408_and_the_edit_never_runs(
    staged: ServerProcess, client: httpx.Client, gate: Gate
) -> None:
    document = new(client)
    first, second = uid(), uid()
    held = gate.before("replace a with b")
    running = Background(lambda: post_edit(client, document, first, held))
    wait_for(lambda: state_of(client, document, first) == "running")
    queued = Background(lambda: post_edit(client, document, second, "replace hello with goodbye"))
    wait_for(lambda: state_of(client, document, second) == "queued")
    staged.advance(299)
    assert not queued.is_done
    staged.advance(2)
    assert (queued.answer().status_code, queued.answer().json()) == (408, {"detail": LATER})
    assert (running.answer().status_code, running.answer().json()) == (408, {"detail": LATER})
    assert markdown(client, document) == "hello world"
    assert state_of(client, document, second) == "timed_out"


def test_300_seconds_while_running_is_408_and_stops_the_worker(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client)
    edit_uid = uid()
    running = Background(lambda: post_edit(client, document, edit_uid, "sleep 3600"))
    wait_for(lambda: state_of(client, document, edit_uid) == "running")
    staged.advance(301)
    answer = running.answer()
    assert (answer.status_code, answer.json()) == (408, {"detail": LATER})
    # The only worker is free again: it was stopped, not waited for.
    assert edit(client, document, "replace hello with goodbye").json()["editApplied"] is True


def test_a_read_of_300_seconds_is_the_408_of_the_contract(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client, "on read: sleep 3600")
    running = Background(lambda: read(client, document))
    wait_for(lambda: document_info(client, document)["pending"] == 1)
    staged.advance(301)
    answer = running.answer()
    assert answer.status_code == 408
    assert answer.json() == {"detail": "Markdown read operation timed out after 5 minutes"}


def test_a_408_may_be_tried_again_with_the_same_uid(
    staged: ServerProcess, client: httpx.Client, gate: Gate
) -> None:
    document = new(client)
    edit_uid = uid()
    text = gate.before("replace hello with goodbye")
    running = Background(lambda: post_edit(client, document, edit_uid, text))
    wait_for(lambda: state_of(client, document, edit_uid) == "running")
    staged.advance(301)
    assert running.answer().status_code == 408
    gate.open()
    again = post_edit(client, document, edit_uid, text)
    assert again.json()["editApplied"] is True
    assert "idempotent-replayed" not in again.headers


async def test_a_client_that_hangs_up_changes_nothing(staged: ServerProcess, gate: Gate) -> None:
    edit_uid = uid()
    with staged.client() as client:
        document = new(client)
        held = gate.before("replace hello with goodbye")
        body = {"editUid": edit_uid, "editInstructions": held}
        async with staged.async_client() as hurried:
            with pytest.raises(httpx.TimeoutException):
                await hurried.post(f"/v1/documents/{document}/edits", json=body, timeout=0.5)
        gate.open()
        replay = client.post(f"/v1/documents/{document}/edits", json=body)
        assert replay.json()["editApplied"] is True
        assert markdown(client, document) == "goodbye world"
        assert document_info(client, document)["version"] == 1


def test_a_replay_of_a_finished_edit_answers_the_same_and_does_nothing(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client)
    edit_uid = uid()
    first = post_edit(client, document, edit_uid, "replace hello with goodbye")
    expires = document_info(client, document)["expiresAt"]
    staged.advance(5)
    again = post_edit(client, document, edit_uid, "replace hello with goodbye")
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert document_info(client, document)["version"] == 1
    assert document_info(client, document)["expiresAt"] == expires


def test_a_replay_of_an_edit_that_changed_nothing_answers_the_same(client: httpx.Client) -> None:
    document = new(client)
    edit_uid = uid()
    first = post_edit(client, document, edit_uid, "change nothing")
    assert post_edit(client, document, edit_uid, "change nothing").content == first.content


def test_a_replay_takes_no_place_in_the_queue(client: httpx.Client, gate: Gate) -> None:
    document = new(client)
    done = uid()
    post_edit(client, document, done, "replace hello with goodbye")
    slow = uid()
    held = gate.before("change nothing")
    running = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    again = post_edit(client, document, done, "replace hello with goodbye")
    assert again.headers["idempotent-replayed"] == "true"
    assert not running.is_done
    gate.open()
    running.answer()


async def test_a_replay_of_a_running_edit_joins_it(staged: ServerProcess, gate: Gate) -> None:
    with staged.client() as client:
        document = new(client)
    held = gate.before("replace hello with goodbye hello")
    body = {"editUid": uid(), "editInstructions": held}
    async with staged.async_client() as many:
        asking = asyncio.gather(
            *(many.post(f"/v1/documents/{document}/edits", json=body) for _ in range(5))
        )
        await asyncio.sleep(0.3)
        gate.open()
        answers = await asking
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    with staged.client() as client:
        assert markdown(client, document) == "goodbye hello world"


@pytest.mark.parametrize(
    "change",
    [
        {"editInstructions": "replace hello with farewell"},
        {"lookupText": "elsewhere"},
        {"useLargeModel": True},
    ],
    ids=["editInstructions", "lookupText", "useLargeModel"],
)
def test_the_same_uid_with_another_body_is_422(
    client: httpx.Client, change: dict[str, object]
) -> None:
    document = new(client)
    body: dict[str, object] = {
        "editUid": uid(),
        "editInstructions": "replace hello with goodbye",
    }
    path = f"/v1/documents/{document}/edits"
    assert client.post(path, json=body).status_code == 200
    answer = client.post(path, json={**body, **change})
    assert answer.status_code == 422
    assert answer.json() == {"detail": "editUid was already used for a different edit"}


def test_a_uid_is_told_apart_by_document_and_kind(client: httpx.Client) -> None:
    one, other = new(client), new(client, "hello there")
    shared = uid()
    assert post_edit(client, one, shared, "replace hello with goodbye").status_code == 200
    assert post_edit(client, other, shared, "replace hello with farewell").status_code == 200
    assert read(client, one, readUid=shared).json()["markdown"] == "goodbye world"
    assert markdown(client, other) == "farewell there"


def test_a_repeated_read_reads_again_and_shows_later_edits(client: httpx.Client) -> None:
    document = new(client)
    read_uid = uid()
    assert read(client, document, readUid=read_uid).json()["markdown"] == "hello world"
    edit(client, document, "replace hello with goodbye")
    assert read(client, document, readUid=read_uid).json()["markdown"] == "goodbye world"


def test_reads_wait_for_the_edits_before_them(client: httpx.Client, gate: Gate) -> None:
    document = new(client)
    slow = uid()
    held = gate.before("replace hello with goodbye")
    running = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    waiting = Background(lambda: read(client, document))
    wait_for(lambda: document_info(client, document)["pending"] == 2)
    assert not waiting.is_done
    gate.open()
    assert waiting.answer().json()["markdown"] == "goodbye world"
    assert running.answer().status_code == 200


async def test_operations_of_one_document_run_in_the_order_received(
    staged: ServerProcess, gate: Gate
) -> None:
    with staged.client() as client:
        document = new(client, "0")
    path = f"/v1/documents/{document}/exists"
    async with staged.async_client() as many:
        tasks: list[asyncio.Task[httpx.Response]] = []
        for number in range(12):
            body = {
                "editUid": uid(),
                "editInstructions": gate.before(f"replace {number} with {number + 1}"),
            }
            tasks.append(
                asyncio.create_task(many.post(f"/v1/documents/{document}/edits", json=body))
            )
            # The next one is sent when this one has been received.
            for _ in range(6000):
                if (await many.get(path)).json()["document"]["pending"] > number:
                    break
                await asyncio.sleep(0.01)
        gate.open()
        answers = [await task for task in tasks]
    assert [answer.json()["editApplied"] for answer in answers] == [True] * 12
    with staged.client() as client:
        assert markdown(client, document) == "12"


async def test_documents_do_not_wait_for_each_other(staged: ServerProcess, gate: Gate) -> None:
    with staged.client() as client:
        slow, quick = new(client), new(client)
        edit_uid = uid()
        held = gate.before("replace hello with goodbye")
        running = Background(lambda: post_edit(client, slow, edit_uid, held))
        wait_for(lambda: state_of(client, slow, edit_uid) == "running")
        assert edit(client, quick, "replace hello with goodbye").status_code == 200
        assert not running.is_done
        gate.open()
        assert running.answer().status_code == 200


def test_after_its_end_a_document_is_404_everywhere_and_its_replays_too(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client, ttl_seconds=300)
    edit_uid = uid()
    post_edit(client, document, edit_uid, "change nothing")
    staged.advance(301)
    replay = post_edit(client, document, edit_uid, "change nothing")
    assert (replay.status_code, replay.json()) == (404, GONE)
    assert (read(client, document).status_code, read(client, document).json()) == (404, GONE)
    link = client.get(f"/v1/documents/{document}")
    assert (link.status_code, link.json()) == (404, GONE)
    download = client.get(f"/v1/documents/{document}/download")
    assert (download.status_code, download.json()) == (404, {"detail": "File not found"})
    assert client.get(f"/v1/documents/{document}/exists").json()["exists"] is False
    assert client.get(f"/v1/documents/{document}/changes").json() == GONE
    listed = client.get("/v1/documents/").json()["documents"]
    assert document not in [entry["docId"] for entry in listed]


def test_a_document_lives_until_the_edit_that_runs_on_it_ends(
    staged: ServerProcess, client: httpx.Client, gate: Gate
) -> None:
    document = new(client, ttl_seconds=300)
    staged.advance(290)
    edit_uid = uid()
    held = gate.before("replace hello with goodbye")
    running = Background(lambda: post_edit(client, document, edit_uid, held))
    wait_for(lambda: state_of(client, document, edit_uid) == "running")
    staged.advance(20)
    assert client.get(f"/v1/documents/{document}/exists").json()["exists"] is True
    gate.open()
    assert running.answer().json()["editApplied"] is True
    assert markdown(client, document) == "goodbye world"


def test_a_document_ends_when_the_edit_that_outlived_it_fails_and_the_queue_gets_404(
    staged: ServerProcess, client: httpx.Client, gate: Gate
) -> None:
    document = new(client, ttl_seconds=300)
    staged.advance(290)
    edit_uid, second = uid(), uid()
    held = gate.before("replace absent with b")
    running = Background(lambda: post_edit(client, document, edit_uid, held))
    wait_for(lambda: state_of(client, document, edit_uid) == "running")
    queued = Background(lambda: post_edit(client, document, second, "change nothing"))
    wait_for(lambda: state_of(client, document, second) == "queued")
    staged.advance(20)
    gate.open()
    assert running.answer().status_code == 500
    assert (queued.answer().status_code, queued.answer().json()) == (404, GONE)
    assert client.get(f"/v1/documents/{document}/exists").json()["exists"] is False


def test_expired_files_and_rows_are_gone_after_a_sweep(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client, ttl_seconds=300)
    folder = staged.data / "documents" / document
    assert folder.is_dir()
    staged.advance(301)
    wait_for(lambda: not folder.exists())


def test_a_clock_that_jumps_back_revives_nothing(
    staged: ServerProcess, client: httpx.Client
) -> None:
    document = new(client, ttl_seconds=300)
    wall, monotonic = (float(part) for part in staged.clock.read_text().split())
    staged.move_clock(wall + 400, monotonic)
    assert read(client, document).status_code == 404
    staged.move_clock(wall - 3600, monotonic)
    assert read(client, document).status_code == 404
    assert read(client, new(client)).status_code == 200
    staged.move_clock(wall + 400, monotonic + 400)


def test_deleting_waits_its_turn_and_is_404_afterwards(client: httpx.Client, gate: Gate) -> None:
    document = new(client)
    link = client.get(f"/v1/documents/{document}").json()["downloadUrl"]
    slow = uid()
    held = gate.before("change nothing")
    running = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    deleting = Background(lambda: client.delete(f"/v1/documents/{document}"))
    wait_for(lambda: document_info(client, document)["pending"] == 2)
    gate.open()
    deleted = deleting.answer()
    assert deleted.status_code == 200
    assert deleted.json() == {"documentId": document, "deleted": True}
    assert running.answer().status_code == 200
    assert client.delete(f"/v1/documents/{document}").json() == GONE
    assert httpx.get(link).status_code == 404


def test_an_upload_that_is_repeated_is_a_new_document(client: httpx.Client) -> None:
    assert new(client) != new(client)


def test_a_queue_longer_than_64_is_429_with_retry_after(launch: Launch, gate: Gate) -> None:
    server = launch(queue_limit=2)
    with server.client() as client:
        document = new(client)
        slow = uid()
        held = gate.before("change nothing")
        waiting = [Background(lambda: post_edit(client, document, slow, held))]
        wait_for(lambda: state_of(client, document, slow) == "running")
        for _ in range(2):
            waiting.append(Background(lambda: edit(client, document, "change nothing")))
        wait_for(lambda: document_info(client, document)["pending"] == 3)
        answer = edit(client, document, "change nothing")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert "detail" in answer.json()
        gate.open()
        assert {entry.answer().status_code for entry in waiting} == {200}


def test_time_in_the_queue_is_told_apart_from_time_of_work(
    staged: ServerProcess, client: httpx.Client, gate: Gate
) -> None:
    document = new(client)
    slow = uid()
    held = gate.before("change nothing")
    first = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    second = Background(lambda: edit(client, document, "change nothing"))
    wait_for(lambda: document_info(client, document)["pending"] == 2)
    staged.advance(200)  # on the clock of the service, which nothing else moves that far
    gate.open()
    assert first.answer().json()["timeToEdit"] >= 200
    answer = second.answer()
    assert answer.json()["timeToEdit"] < 100
    queued, ran = (
        float(part.split("dur=")[1]) for part in answer.headers["server-timing"].split(",")
    )
    assert queued >= 200_000 > ran


def test_a_queued_edit_that_is_cancelled_never_runs(client: httpx.Client, gate: Gate) -> None:
    document = new(client)
    slow, unwanted = uid(), uid()
    held = gate.before("change nothing")
    running = Background(lambda: post_edit(client, document, slow, held))
    wait_for(lambda: state_of(client, document, slow) == "running")
    queued = Background(lambda: post_edit(client, document, unwanted, "replace hello with goodbye"))
    wait_for(lambda: state_of(client, document, unwanted) == "queued")
    told = client.delete(f"/v1/documents/{document}/edits/{unwanted}")
    assert told.json() == {"editUid": unwanted, "cancelled": True, "state": "cancelled"}
    assert queued.answer().json() == {"detail": "Edit operation failed: The edit was cancelled"}
    assert not running.is_done
    gate.open()
    running.answer()
    assert markdown(client, document) == "hello world"


def test_a_running_edit_that_is_cancelled_stops_and_leaves_no_trace(client: httpx.Client) -> None:
    document = new(client)
    unwanted = uid()
    running = Background(lambda: post_edit(client, document, unwanted, "sleep 3600"))
    wait_for(lambda: state_of(client, document, unwanted) == "running")
    assert client.delete(f"/v1/documents/{document}/edits/{unwanted}").json()["cancelled"] is True
    assert running.answer().status_code == 500
    # The only worker is free again: it was stopped, not waited for.
    assert edit(client, document, "replace hello with goodbye").status_code == 200


def test_cancelling_what_is_finished_or_unknown_says_so(client: httpx.Client) -> None:
    document = new(client)
    edit_uid = uid()
    post_edit(client, document, edit_uid, "replace hello with goodbye")
    told = client.delete(f"/v1/documents/{document}/edits/{edit_uid}").json()
    assert told == {"editUid": edit_uid, "cancelled": False, "state": "applied"}
    unknown = client.delete(f"/v1/documents/{document}/edits/{uid()}")
    assert (unknown.status_code, unknown.json()) == (404, {"detail": "Edit not found"})


def test_undo_and_redo_go_back_and_forth_through_versions(client: httpx.Client) -> None:
    document = new(client, tracked_changes=True)
    edit(client, document, "replace hello with goodbye")
    edit(client, document, "replace world with moon")

    def move(direction: str) -> bool:
        answer = client.post(f"/v1/documents/{document}/{direction}")
        assert answer.status_code == 200
        return answer.json()["applied"]

    def changes() -> int:
        return client.get(f"/v1/documents/{document}/changes").json()["totalCount"]

    assert markdown(client, document) == "goodbye moon"
    assert (move("undo"), markdown(client, document), changes()) == (True, "goodbye world", 1)
    assert (move("undo"), markdown(client, document), changes()) == (True, "hello world", 0)
    assert move("undo") is False
    assert (move("redo"), markdown(client, document), changes()) == (True, "goodbye world", 1)
    assert (move("redo"), markdown(client, document), changes()) == (True, "goodbye moon", 2)
    assert move("redo") is False
    assert (move("undo"), markdown(client, document)) == (True, "goodbye world")
    edit(client, document, "replace goodbye with farewell")
    assert move("redo") is False
    assert markdown(client, document) == "farewell world"


def test_changes_are_accepted_and_rejected_in_the_queue(client: httpx.Client) -> None:
    document = new(client, tracked_changes=True)
    edit(client, document, "replace hello with goodbye")
    edit(client, document, "replace world with moon")
    path = f"/v1/documents/{document}/changes"
    first, second = client.get(path).json()["changes"]
    told = client.post(path, json={"action": "accept", "ids": [first["id"]]}).json()
    assert (told["resolved"], told["version"]) == (1, 3)
    assert client.post(path, json={"action": "reject", "ids": [second["id"]]}).status_code == 200
    assert markdown(client, document) == "goodbye world"
    missing = client.post(path, json={"action": "accept", "ids": ["77"]})
    assert (missing.status_code, missing.json()) == (404, {"detail": "There is no such change"})
    nothing = client.post(path, json={"action": "accept", "all": True}).json()
    assert (nothing["resolved"], nothing["version"]) == (0, 4)


def test_planning_knows_which_pending_changes_are_ours(client: httpx.Client) -> None:
    document = new(client, tracked_changes=True)
    edit(client, document, "replace hello with goodbye")
    for instruction in ("count our changes", "ask count our changes"):
        assert edit(client, document, instruction).json()["summary"] == "1 are ours"
