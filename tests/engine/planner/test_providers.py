from __future__ import annotations

import asyncio
import json
import logging

import pytest

from redraft.engine.errors import ModelError
from redraft.engine.planner.model import Answer, Message, Question, SpentError, Usage
from redraft.engine.planner.providers import ChatCompletions
from redraft.engine.planner.wire import schema
from tests.model_server import Breaks, Fault, ModelServer, Says, Script, Step

KEY = "sk-very-secret"
QUESTION = Question(
    (Message("system", "Plan."), Message("user", "View"), Message("user", "Do.")), "p", schema()
)


async def ask(script: Script, seconds: float = 20.0) -> tuple[Answer, ModelServer]:
    with ModelServer(script) as server:
        model = ChatCompletions("stand-in", server.address, KEY, first_wait=0.01)
        return await answer(model, seconds), server


async def answer(model: ChatCompletions, seconds: float = 20.0) -> Answer:
    return await model.answer(QUESTION, asyncio.get_running_loop().time() + seconds)


async def test_it_asks_for_a_strict_schema_at_temperature_zero() -> None:
    got, server = await ask(['{"a": 1}'])
    assert got == Answer('{"a": 1}', Usage(1, 100, 40, 10))
    (request,) = server.requests
    assert request["response_format"]["json_schema"]["strict"] is True
    assert request["response_format"]["json_schema"]["schema"] == schema()
    assert request["temperature"] == 0
    assert request["model"] == "stand-in"
    assert [said["role"] for said in request["messages"]] == ["system", "user", "user"]
    assert "prompt_cache_key" not in request
    assert server.keys == [f"Bearer {KEY}"]


async def test_a_server_without_schemas_is_asked_in_plainer_ways_and_remembered() -> None:
    def script(request: dict[str, object]) -> Step:
        if "response_format" in request:
            return Fault(400, "response_format json_schema is not supported")
        if "tools" in request:
            return Fault(404, "No endpoint supports tool use")
        return "{}"

    with ModelServer(script) as server:
        model = ChatCompletions("stand-in", server.address, KEY)
        await answer(model)
        strict = [r.get("response_format", {}).get("json_schema", {}) for r in server.requests]
        assert [way.get("strict") for way in strict] == [True, False, None, None]
        assert "tools" in server.requests[2]
        assert (
            json.dumps(schema(), separators=(",", ":"))
            in server.requests[3]["messages"][0]["content"]
        )
        await answer(model)
        assert len(server.requests) == 5


async def test_a_forced_tool_answers_in_its_arguments() -> None:
    got, server = await ask(
        [Fault(422, "strict?"), Fault(422, "schema?"), Says(arguments='{"x": 2}')]
    )
    assert got.text == '{"x": 2}'
    assert server.requests[-1]["tool_choice"]["function"]["name"] == "submit"


async def test_an_answer_that_ignores_the_schema_is_asked_for_as_a_tool_call_next() -> None:
    with ModelServer(["hello"]) as server:
        model = ChatCompletions("stand-in", server.address, KEY)
        await answer(model)
        model.misread()
        await answer(model)
        model.misread()
        await answer(model)
        assert "tools" in server.requests[1]
        assert "tools" not in server.requests[2]


async def test_a_model_without_temperature_is_asked_without() -> None:
    _, server = await ask([Fault(400, "temperature does not support 0"), "{}"])
    assert "temperature" not in server.requests[1]
    assert server.requests[1]["response_format"]["json_schema"]["strict"] is True


@pytest.mark.parametrize(
    "step",
    [
        Fault(429, retry_after="0"),
        Fault(500, retry_after="0"),
        Fault(503, body="<html>", retry_after="0"),
        Breaks("closed"),
        Breaks("cut"),
        Breaks("malformed"),
        Breaks("page"),
        Breaks("empty"),
        Says(""),
    ],
    ids=repr,
)
async def test_what_may_pass_is_tried_again(step: Step) -> None:
    got, server = await ask([step, "{}"])
    assert got.text == "{}"
    assert len(server.requests) == 2


async def test_it_waits_as_long_as_the_server_asks() -> None:
    start = asyncio.get_running_loop().time()
    await ask([Fault(429, retry_after="0.4"), "{}"])
    assert asyncio.get_running_loop().time() - start >= 0.4


@pytest.mark.parametrize(
    ("step", "sentence", "passing"),
    [
        (Fault(429, retry_after="0"), r"not available \(429 after 3 tries\)", True),
        (Fault(429, retry_after="900"), r"not available \(429\); try again later", True),
        (Fault(429, code="insufficient_quota"), "no credit left", False),
        (Fault(401, f"Incorrect API key provided: {KEY}"), "refused OPENAI_API_KEY", False),
        (Fault(403), "refused OPENAI_API_KEY", False),
        (Fault(404, "The model stand-in is not here"), "does not know the model stand-in", False),
        (Fault(400, "maximum context length is 8192"), "too long for the language model", False),
        (Fault(413), "too long for the language model", False),
        (Fault(400, "no idea"), r"did not take the request \(400\)", False),
        (Says(refusal="I will not."), "refused: I will not", False),
        (Says("{}", finish_reason="content_filter"), "content filter stopped", False),
        (Says("{", finish_reason="length"), "too long and was cut off", False),
    ],
    ids=repr,
)
async def test_each_failure_has_its_own_sentence(step: Step, sentence: str, passing: bool) -> None:
    with pytest.raises(ModelError, match=sentence) as caught:
        await ask([step])
    assert caught.value.passing is passing


async def test_silence_ends_at_the_deadline() -> None:
    with pytest.raises(ModelError, match="did not answer within 0 seconds"):
        await ask([Says("{}", delay=5)], seconds=0.3)
    with pytest.raises(ModelError, match="did not answer within"):
        await ask([Breaks("drip")], seconds=0.6)
    with pytest.raises(ModelError, match="no time left"):
        await ask(["{}"], seconds=0)


async def test_nobody_is_kept_waiting_for_a_quarter_of_an_hour() -> None:
    with pytest.raises(ModelError, match="try again later"):
        await ask([Fault(429, retry_after="900")], seconds=3_600)


async def test_a_dead_address_is_named_without_its_path() -> None:
    model = ChatCompletions("stand-in", "http://user:pw@127.0.0.1:9/v1", KEY)
    with pytest.raises(ModelError, match=r"no connection to 127\.0\.0\.1") as caught:
        await answer(model, 2.0)
    assert "pw" not in str(caught.value)


async def test_cancelling_hangs_up() -> None:
    with ModelServer([Says("{}", delay=10)]) as server:
        model = ChatCompletions("stand-in", server.address, KEY)
        task = asyncio.create_task(answer(model))
        await asyncio.to_thread(server.asked.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.hung_up.wait, 5)


async def test_a_server_that_counts_nothing_is_no_trouble() -> None:
    got, _ = await ask([Says("{}", usage=None)])
    assert got.usage == Usage(1)


async def test_the_key_is_in_no_log_and_no_exception(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ModelError) as caught:
        await ask([Fault(401, f"bad key {KEY}")])
    chain: list[BaseException | None] = [caught.value]
    while (last := chain[-1]) is not None:
        chain.append(last.__cause__)
    assert KEY not in repr(chain)
    assert KEY not in repr(ChatCompletions("stand-in", "http://127.0.0.1/v1", KEY))
    assert KEY not in "".join(r.getMessage() for r in caplog.records)


@pytest.mark.parametrize(
    ("script", "usage"),
    [
        ([Says("x", finish_reason="length")], Usage(1, 100, 40, 10)),
        ([Says("x", finish_reason="content_filter")], Usage(1, 100, 40, 10)),
        ([Says(refusal="no")], Usage(1, 100, 40, 10)),
        ([Says("")], Usage(3, 300, 120, 30)),
        ([Says(""), Says("x", finish_reason="length")], Usage(2, 200, 80, 20)),
        ([Breaks("closed")], Usage()),
        ([Fault(500)], Usage()),
    ],
    ids=["cut off", "filtered", "refused", "empty", "empty, then cut off", "no line", "down"],
)
async def test_an_answer_that_is_no_use_says_what_it_took(script: Script, usage: Usage) -> None:
    with pytest.raises(SpentError) as raised:
        await ask(script)
    assert raised.value.usage == usage


async def test_an_empty_answer_before_a_good_one_is_paid_with_it() -> None:
    got, _ = await ask([Says(""), "{}"])
    assert got.usage == Usage(2, 200, 80, 20)


async def test_a_question_without_an_answer_in_time_counts_what_was_sent() -> None:
    with pytest.raises(SpentError) as raised:
        await ask([Says("{}", delay=30)], seconds=0.5)
    letters = sum(len(message.content) for message in QUESTION.messages)
    assert raised.value.usage == Usage(1, letters // 4) != Usage(1)
