"""Edits given as exact operations, edits that are only tried, and the blocks that both speak of."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from redraft.api.app import Externals, running
from redraft.api.operations.metering import Meter
from redraft.api.operations.planner import Planner
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.command_line import main
from redraft.engine.instruct import Calls, Instruction, Planned
from tests.api import fake_planner
from tests.api.builders import HeldClock
from tests.interface.server_process import edit, read, uid, upload
from tests.interface.situation_documents import text_pdf, word

pytestmark = pytest.mark.process

SAMPLE = Path(__file__).parents[2] / "tui" / "sample" / "services-agreement.docx"
UPLOAD = SAMPLE.read_bytes()
KEY = "k" * 40
MOMENT = 1_790_000_000.0
RIGHT = {"op": "replace_text", "block": "p1", "find": "thirty", "replace": "sixty"}
FEE = 'Change "£48,000" to "£52,500"'


def sent(client: httpx.Client, document: str, **fields: Any) -> httpx.Response:
    body = {"editUid": uid(), **fields}
    return client.post(f"/v1/documents/{document}/edits", json=body)


@pytest.fixture
def document(real_client: httpx.Client) -> str:
    data = word("The term is thirty days.", "Either party may end it.")
    return upload(real_client, data, tracked_changes=True)["docId"]


def info(client: httpx.Client, document: str) -> dict[str, Any]:
    return client.get(f"/v1/documents/{document}/exists").json()["document"]


def test_operations_are_carried_out_queued_and_replayed_as_an_instruction_is(
    real_client: httpx.Client, document: str
) -> None:
    edit_uid = uid()
    first, second = (
        sent(real_client, document, editUid=edit_uid, operations=[RIGHT], baseVersion=0)
        for _ in range(2)
    )
    assert first.status_code == 200, first.text
    (revision,) = first.json()["revisions"]
    assert (revision["before"], revision["after"]) == ("thirty", "sixty")
    assert first.json()["version"] == 1
    assert second.headers["Idempotent-Replayed"] == "true"
    assert second.content == first.content
    other = sent(real_client, document, editUid=edit_uid, operations=[{**RIGHT, "find": "days"}])
    assert other.status_code == 422
    (entry,) = real_client.get(f"/v1/documents/{document}/edits").json()["edits"]
    assert (entry["editUid"], entry["instruction"]) == (edit_uid, "1 operation")


def test_every_operation_that_does_not_fit_is_told_with_the_true_text(
    real_client: httpx.Client, document: str
) -> None:
    wrong = [{**RIGHT, "find": "forty"}, RIGHT, {"op": "delete_table", "target": "t7"}]
    answer = sent(real_client, document, operations=wrong)
    assert answer.status_code == 500
    told = answer.json()
    assert set(told) == {"detail", "faults"}
    assert told["detail"] == (
        "Edit operation failed: Operation 1 cannot be carried out: text_not_found (and 1 more)"
    )
    text, place = told["faults"]
    assert (text["index"], text["code"]) == (0, "text_not_found")
    assert "[p1] says: The term is thirty days." in text["message"]
    assert (place["index"], place["code"]) == (2, "unknown_block")
    assert info(real_client, document)["version"] == 0


def test_operations_that_cannot_be_read_are_each_named(
    real_client: httpx.Client, document: str
) -> None:
    wrong = [{"op": "explode"}, RIGHT, {"op": "replace_text", "block": "p1"}]
    answer = sent(real_client, document, operations=wrong)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("operations: Operation 1 cannot be read: `op` is one")
    assert [fault["index"] for fault in answer.json()["faults"]] == [0, 2]
    assert "replace_text has the fields" in answer.json()["faults"][1]["message"]


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({}, "editInstructions: missing required field"),
        ({"operations": []}, "operations: must be a list of 1 to 1000 operations"),
        ({"operations": "x"}, "operations: must be a list of 1 to 1000 operations"),
        ({"operations": [RIGHT] * 1001}, "operations: must be a list of 1 to 1000 operations"),
        (
            {"operations": [RIGHT], "editInstructions": FEE},
            "operations: give either editInstructions or operations",
        ),
        (
            {"operations": [RIGHT], "baseVersion": -1},
            "baseVersion: must be a whole number from 0",
        ),
        ({"operations": [RIGHT], "dryRun": "yes"}, "dryRun: must be true or false"),
        (
            {"playbook": "- x", "editInstructions": FEE},
            "playbook: give either editInstructions, operations or playbook",
        ),
        (
            {"playbook": "Be kind."},
            "playbook: The playbook has no rules: write each as an item of a list, or as [[rules]]",
        ),
    ],
)
def test_a_request_that_says_too_little_or_too_much_is_refused(
    real_client: httpx.Client, document: str, fields: dict[str, Any], detail: str
) -> None:
    answer = sent(real_client, document, **fields)
    assert (answer.status_code, answer.json()) == (422, {"detail": detail})


def test_operations_written_for_another_version_are_a_conflict(
    real_client: httpx.Client, document: str
) -> None:
    assert edit(real_client, document, 'replace "party" with "side"').status_code == 200
    answer = sent(real_client, document, operations=[RIGHT], baseVersion=0)
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("The document is at version 1, and the request")
    assert sent(real_client, document, operations=[RIGHT], baseVersion=1).status_code == 200


def test_a_playbook_is_one_edit_and_says_of_each_rule_what_it_found(
    real_client: httpx.Client, document: str
) -> None:
    rules = '- Replace "thirty" with "sixty"\n- "Either" must appear\n- Be kind'
    tried = sent(real_client, document, playbook=rules, dryRun=True).json()
    assert (tried["dryRun"], tried["version"]) == (True, 0)
    proposed = sent(real_client, document, playbook=rules, commentOnly=True, dryRun=True).json()
    assert proposed["review"]["findings"][0]["outcome"] == "commented"
    edit_uid = uid()
    first, second = (
        sent(real_client, document, editUid=edit_uid, playbook=rules) for _ in range(2)
    )
    assert first.status_code == 200, first.text
    assert second.content == first.content
    answer = first.json()
    assert (answer["editApplied"], answer["version"]) == (True, 1)
    assert answer["review"]["summary"] == "3 rules: 1 holds, 1 changed, 1 undecided"
    assert answer["review"]["report"].startswith("# Review of ")
    changed, holds, _ = answer["review"]["findings"]
    assert changed["citations"] == [{"block": "p1", "words": "thirty"}]
    assert holds["citations"] == [{"block": "p2", "words": "Either"}]
    assert sent(real_client, document, editUid=edit_uid, playbook="- Be rude").status_code == 422
    (entry,) = real_client.get(f"/v1/documents/{document}/edits").json()["edits"]
    assert entry["instruction"] == "reviewed by a playbook"
    kept = sent(real_client, document, playbook='- "Either" must appear').json()
    assert (kept["editApplied"], kept["review"]["findings"][0]["outcome"]) == (False, "holds")


def test_blocks_come_in_windows(real_client: httpx.Client, document: str) -> None:
    first = real_client.get(f"/v1/documents/{document}/blocks?limit=1").json()
    assert (first["version"], first["totalCount"], first["next"]) == (0, 2, "p2")
    assert first["blocks"] == [{"id": "p1", "kind": "", "text": "The term is thirty days."}]
    rest = real_client.get(f"/v1/documents/{document}/blocks?start=p2").json()
    assert [block["id"] for block in rest["blocks"]] == ["p2"]
    assert rest["next"] is None
    gone = real_client.get(f"/v1/documents/{document}/blocks?start=p9")
    assert (gone.status_code, gone.json()) == (404, {"detail": "There is no block p9"})
    wrong = real_client.get(f"/v1/documents/{document}/blocks?limit=501")
    assert wrong.status_code == 422


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "untracked"])
def test_a_dry_run_says_what_would_be_done_and_does_nothing(
    real_client: httpx.Client, tracked: bool
) -> None:
    document = upload(real_client, word("The term is thirty days."), tracked_changes=tracked)
    identifier = document["docId"]
    before = info(real_client, identifier)
    edit_uid = uid()
    answers = [
        sent(
            real_client,
            identifier,
            editUid=edit_uid,
            dryRun=True,
            editInstructions='replace "thirty" with "sixty"',
        )
        for _ in range(2)
    ]
    for answer in answers:
        told = answer.json()
        assert (answer.status_code, told["dryRun"], told["editApplied"]) == (200, True, False)
        (revision,) = told["revisions"]
        assert (revision["before"], revision["after"]) == ("thirty", "sixty")
        assert told["summary"]
        assert "Idempotent-Replayed" not in answer.headers
    assert info(real_client, identifier) == before
    assert real_client.get(f"/v1/documents/{identifier}/edits").json()["edits"] == []
    assert "thirty" in read(real_client, identifier).json()["markdown"]
    done = sent(
        real_client,
        identifier,
        editUid=edit_uid,
        editInstructions='replace "thirty" with "sixty"',
    )
    assert (done.status_code, done.json()["editApplied"]) == (200, True)
    assert "dryRun" not in done.json()


def test_a_dry_run_of_a_pdf_lists_its_changes(real_client: httpx.Client) -> None:
    document = upload(real_client, text_pdf("Hello portable world"), "a.pdf")["docId"]
    told = sent(
        real_client, document, dryRun=True, editInstructions='replace "portable" with "paper"'
    ).json()
    assert [revision["after"] for revision in told["revisions"]] == ["paper"]


def test_a_dry_run_fails_as_the_edit_would_and_may_be_repeated(
    real_client: httpx.Client, document: str
) -> None:
    edit_uid = uid()
    for _ in range(2):
        answer = sent(
            real_client,
            document,
            editUid=edit_uid,
            dryRun=True,
            operations=[{**RIGHT, "find": "x"}],
        )
        assert answer.status_code == 500
        assert len(answer.json()["faults"]) == 1
        assert "Idempotent-Replayed" not in answer.headers


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "untracked"])
def test_an_edit_that_asks_first_is_made_when_it_changes_one_place_and_else_only_shown(
    real_client: httpx.Client, tracked: bool
) -> None:
    data = word("The term is thirty days.", "Notice is thirty days too.")
    identifier = upload(real_client, data, tracked_changes=tracked)["docId"]
    made = sent(
        real_client, identifier, askFirst=True, editInstructions='replace "The term" with "It"'
    ).json()
    assert (made["editApplied"], "dryRun" in made, made["version"]) == (True, False, 1)
    for words, count in (
        ('replace "thirty" with "sixty" everywhere', 2),
        ('delete the paragraph containing "Notice"', 1),
    ):
        shown = sent(real_client, identifier, askFirst=True, editInstructions=words).json()
        assert (shown["editApplied"], shown["dryRun"], shown["version"]) == (False, True, 1)
        assert len(shown["revisions"]) == count
    history = real_client.get(f"/v1/documents/{identifier}/edits").json()["edits"]
    assert [item["state"] for item in history] == ["applied"]
    done = sent(real_client, identifier, baseVersion=1, editInstructions=words).json()
    assert (done["editApplied"], done["version"]) == (True, 2)
    stale = sent(real_client, identifier, baseVersion=1, editInstructions=words)
    assert stale.status_code == 409


async def test_what_was_shown_is_made_without_asking_the_model_again(tmp_path: Path) -> None:
    asked: list[str] = []

    async def planner(calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
        asked.append(instruction.text)
        return await fake_planner.plan(calls, instruction, meter)

    async with in_process(tmp_path, planner) as client:
        address = await uploaded_sample(client)
        words = {"editInstructions": 'Delete the section "Governing law"'}
        shown = await client.post(
            f"{address}/edits", json={"editUid": uid(), "askFirst": True, **words}
        )
        assert shown.json()["dryRun"], shown.text
        confirmed = {"editUid": uid(), "baseVersion": shown.json()["version"], **words}
        made = await client.post(f"{address}/edits", json=confirmed)
        assert made.json()["editApplied"]
        drawn = [
            [(one["before"], one["after"]) for one in answer.json()["revisions"]]
            for answer in (shown, made)
        ]
        assert drawn[0] == drawn[1]
        assert len(asked) == 1


@asynccontextmanager
async def in_process(tmp_path: Path, planner: Planner) -> AsyncGenerator[httpx.AsyncClient]:
    settings = Settings(data_dir=tmp_path / "data", api_keys=(KEY,), workers=0, drain_seconds=0)
    externals = Externals(InProcess(), planner, HeldClock(MOMENT))
    async with running(settings, externals) as application:
        transport = httpx.ASGITransport(app=application.asgi)  # pyright: ignore[reportArgumentType] - Litestar's types of ASGI
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://test", headers=headers
        ) as client:
            yield client


async def uploaded_sample(client: httpx.AsyncClient) -> str:
    form = {"tracked_changes": "true", "author_name": "Ann"}
    files = {"file": ("contract.docx", UPLOAD)}
    made = await client.post("/v1/documents/", files=files, data=form)
    return f"/v1/documents/{made.json()['docId']}"


async def test_a_printed_plan_gives_the_same_bytes_over_http_and_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(MOMENT)))
    source = Path(shutil.copy(SAMPLE, tmp_path / "contract.docx"))
    assert await asyncio.to_thread(main, ["edit", str(source), FEE, "--plan"]) == 0
    printed = capsys.readouterr().out
    plan = tmp_path / "plan.json"
    plan.write_text(printed)
    by_command = tmp_path / "by-command.docx"
    words = ["apply", str(source), str(plan), "-o", str(by_command), "--author", "Ann"]
    assert await asyncio.to_thread(main, words) == 0

    async with in_process(tmp_path, fake_planner.plan) as client:
        address = await uploaded_sample(client)
        body = {"editUid": uid(), "operations": json.loads(printed)["operations"]}
        assert (await client.post(f"{address}/edits", json=body)).status_code == 200
        by_service = (await client.get(f"{address}/download")).content
    assert by_service == await asyncio.to_thread(by_command.read_bytes) != UPLOAD


def test_comments_are_listed_and_answered_by_operations(
    real_client: httpx.Client, document: str
) -> None:
    path = f"/v1/documents/{document}"
    add = {"op": "add_comment", "block": "p1", "find": "thirty days", "text": "Too long?"}
    for operation in (add, {"op": "reply_comment", "target": "c1", "text": "No."}):
        body = {"editUid": uid(), "operations": [operation]}
        assert real_client.post(f"{path}/edits", json=body).status_code == 200
    listed = real_client.get(f"{path}/comments").json()
    assert (listed["version"], listed["totalCount"]) == (2, 2)
    assert [(one["id"], one["words"], one["parent"]) for one in listed["comments"]] == [
        ("c1", "thirty days", None),
        ("c2", "thirty days", "c1"),
    ]
