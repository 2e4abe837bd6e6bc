"""What a model is shown over the life of a document, and what asking it cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from typing import Any

import httpx
import pytest

from tests.interface.requests import Background, history, new, post_edit, state_of
from tests.interface.server_process import ServerProcess, edit, uid, upload, wait_for
from tests.interface.situation_documents import word
from tests.interface.test_metrics import figure, figures
from tests.model_server import ModelServer, Says, Step

pytestmark = pytest.mark.process

Launch = Callable[..., ServerProcess]
NAME = "vendor/clerk:7b"
ASK = "Make the fee sound friendlier, please"


class Clerk:
    """A model that replaces one word, and remembers the views it was shown."""

    def __init__(self) -> None:
        self.views: list[str] = []
        self.decision = "edit"
        self.delay = 0.0

    def __call__(self, request: dict[str, Any]) -> Step:
        asked = [str(each["content"]) for each in request["messages"] if each["role"] == "user"]
        self.views += re.findall(r"(?ms)^<document .*?^</document .*?>$", asked[0])
        operation = {
            "op": "replace_text",
            "block": "p1",
            "find": "forty",
            "replace": "some forty",
            "occurrence": None,
        }
        operations = [operation] if self.decision == "edit" else []
        plan = {"reason": "r", "decision": self.decision, "read": [], "operations": operations}
        return Says(json.dumps(plan), delay=self.delay)


@pytest.fixture(scope="module")
def clerk() -> Clerk:
    return Clerk()


@pytest.fixture(scope="module")
def server(clerk: Clerk, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    with ModelServer(clerk) as host:
        variables = {
            "OPENAI_BASE_URL": host.address,
            "OPENAI_API_KEY": "k",
            "REDRAFT_MODEL": NAME,
            "REDRAFT_INPUT_PRICE": f"1,{NAME}=2000",
            "REDRAFT_OUTPUT_PRICE": "30000",
        }
        folder = tmp_path_factory.mktemp("models")
        server = ServerProcess(folder, staged=False, variables=variables)
        yield server.start()
        server.close()


@pytest.fixture
def client(server: ServerProcess, clerk: Clerk) -> Generator[httpx.Client]:
    clerk.views.clear()
    clerk.decision = "edit"
    clerk.delay = 0.0
    with server.client() as opened:
        yield opened


def nonce(view: str) -> str:
    (found,) = set(re.findall(r'nonce="([^"]+)"', view))
    return found


def test_the_view_of_a_document_keeps_its_nonce_and_another_document_has_another(
    client: httpx.Client, clerk: Clerk
) -> None:
    # A provider's cache knows a conversation by how it begins.
    data = word("The fee is forty.")
    first, second = (upload(client, data)["docId"] for _ in range(2))
    for document in (first, first, second):
        assert edit(client, document, ASK).status_code == 200
    one, again, other = (nonce(view) for view in clerk.views)
    assert one == again
    assert other != one
    assert first[:8] not in one


def test_a_pending_change_of_ours_is_not_shown_as_somebody_elses(
    client: httpx.Client, clerk: Clerk
) -> None:
    document = upload(client, word("The fee is forty."), tracked_changes=True)["docId"]
    assert edit(client, document, 'Replace "fee" with "charge"').json()["editApplied"] is True
    assert edit(client, document, ASK).status_code == 200
    assert "[p1] The charge is forty." in clerk.views[-1]


def test_the_history_says_what_the_model_cost(client: httpx.Client) -> None:
    document = upload(client, word("The fee is forty."))["docId"]
    before = figure(figures(client), "redraft_model_cost_total", model=NAME)
    edit(client, document, 'Replace "fee" with "charge"')
    edit(client, document, ASK)
    plain, asked = client.get(f"/v1/documents/{document}/edits").json()["edits"]
    assert plain["usage"] is None
    assert asked["usage"] == {
        "model": NAME,
        "requests": 1,
        "inputTokens": 100,
        "cachedTokens": 40,
        "outputTokens": 10,
        "cost": 0.5,
    }
    after = figure(figures(client), "redraft_model_cost_total", model=NAME)
    assert after - before == pytest.approx(0.5)


@pytest.mark.parametrize(("decision", "state"), [("refuse", "failed"), ("no_change", "unchanged")])
def test_a_plan_that_changes_nothing_has_cost_as_much(
    client: httpx.Client, clerk: Clerk, decision: str, state: str
) -> None:
    document = upload(client, word("The fee is forty."))["docId"]
    clerk.decision = decision
    edit(client, document, ASK)
    (item,) = client.get(f"/v1/documents/{document}/edits").json()["edits"]
    assert item["state"] == state
    assert item["usage"]["outputTokens"] == 10 * item["usage"]["requests"] > 0


def test_an_edit_that_is_cancelled_while_the_model_thinks_has_cost_its_question(
    client: httpx.Client, clerk: Clerk
) -> None:
    document, edit_uid = upload(client, word("The fee is forty."))["docId"], uid()
    before = figures(client)
    clerk.delay = 60.0
    running = Background(lambda: post_edit(client, document, edit_uid, ASK))
    wait_for(lambda: bool(clerk.views))
    assert client.delete(f"/v1/documents/{document}/edits/{edit_uid}").json()["cancelled"] is True
    assert running.answer().status_code == 500
    wait_for(lambda: history(client, document)[0]["usage"] is not None)
    used = history(client, document)[0]["usage"]
    assert (used["model"], used["requests"], used["outputTokens"]) == (NAME, 1, 0)
    assert used["inputTokens"] > 100
    assert used["cost"] == pytest.approx(used["inputTokens"] * 2000 / 1e6)
    after = figures(client)
    for name, grown in (("cost", used["cost"]), ("requests", 1)):
        figure_name = f"redraft_model_{name}_total"
        told = figure(after, figure_name, model=NAME) - figure(before, figure_name, model=NAME)
        assert told == pytest.approx(grown)


def test_an_edit_that_runs_out_of_time_has_cost_what_the_model_took(launch: Launch) -> None:
    server = launch()
    with server.client() as client:
        document, edit_uid = new(client), uid()
        running = Background(lambda: post_edit(client, document, edit_uid, "ask for ever"))
        wait_for(lambda: state_of(client, document, edit_uid) == "running")
        server.advance(301)
        assert running.answer().status_code == 408
        wait_for(lambda: history(client, document)[0]["usage"] is not None)
        (entry,) = history(client, document)
        assert (entry["state"], entry["usage"]["outputTokens"]) == ("timed_out", 7)


def test_attempts_before_and_after_a_stop_are_added_up(launch: Launch) -> None:
    server = launch(drain_seconds=0.1)
    with server.client() as client:
        document, edit_uid = new(client), uid()

        def ask() -> httpx.Response:
            with server.client() as asking:
                return post_edit(asking, document, edit_uid, "ask for ever")

        running = Background(ask)
        wait_for(lambda: state_of(client, document, edit_uid) == "running")
    assert server.stop() == 0
    assert running.answer().status_code == 503
    server.start()
    with server.client() as client:
        wait_for(lambda: state_of(client, document, edit_uid) == "running")
        client.delete(f"/v1/documents/{document}/edits/{edit_uid}")
        wait_for(lambda: history(client, document)[0]["usage"]["requests"] == 2)
