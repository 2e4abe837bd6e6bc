from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from redraft.engine.errors import (
    AmbiguousError,
    EditError,
    ModelError,
    NotFoundError,
    NotUnderstoodError,
    PlanError,
    RefusedError,
)
from redraft.engine.instruct import NO_LARGE_MODEL, Instruction, Planned, instruct
from redraft.engine.plan import EditPlan, Fault, ReplaceText
from redraft.engine.planner.model import Limits, Models, Usage
from redraft.engine.planner.providers import ChatCompletions
from tests.engine.planner.standins import TreeCalls, replace_text, reply
from tests.model_server import Fault as ServerFault
from tests.model_server import ModelServer, Says, Script

FREE = "Give them ninety days to stop"
NINETY = replace_text("p11", "60 days", "90 days")
PLAN = EditPlan("edit", "r", (ReplaceText("p11", "60 days", "90 days"),))


def models(server: ModelServer, *, large: bool = False, plain_first: bool = True) -> Models:
    ordinary = ChatCompletions("small", server.address, "k", first_wait=0.01)
    big = ChatCompletions("big", server.address, "k", first_wait=0.01) if large else None
    return Models(ordinary, big, plain_first)


async def run(
    calls: TreeCalls,
    found: Models,
    instruction: str = FREE,
    lookup: str | None = None,
    *,
    large: bool = False,
    seconds: float = 300,
) -> Planned:
    deadline = asyncio.get_running_loop().time() + seconds
    return await instruct(calls, found, Instruction(instruction, lookup, deadline, "N0", large))


async def with_script(
    script: Script, calls: TreeCalls | None = None, instruction: str = FREE
) -> tuple[Planned | EditError, ModelServer]:
    with ModelServer(script) as server:
        try:
            return await run(calls or TreeCalls(), models(server), instruction), server
        except EditError as error:
            return error, server


async def test_without_a_model_the_interpreter_plans() -> None:
    planned = await run(TreeCalls(), Models(), 'change "60 days" to "90 days"')
    assert planned.plan.operations == PLAN.operations
    assert (planned.model, planned.usage, planned.warnings) == (None, None, ())


async def test_without_a_model_free_words_are_not_understood() -> None:
    with pytest.raises(NotUnderstoodError, match="REDRAFT_MODEL"):
        await run(TreeCalls(), Models())


async def test_what_the_interpreter_understands_costs_no_model() -> None:
    planned, server = await with_script([], instruction='change "60 days" to "90 days"')
    assert isinstance(planned, Planned)
    assert planned.plan.operations == PLAN.operations
    assert server.requests == []


async def test_free_words_are_planned_by_the_model() -> None:
    planned, server = await with_script([reply(NINETY)])
    assert isinstance(planned, Planned)
    assert (planned.plan, planned.warnings, planned.model) == (PLAN, (), "small")
    assert planned.usage == Usage(1, 100, 40, 10)
    assert [said.role for said in planned.transcript] == ["system", "user", "user", "assistant"]
    system, view, said = server.requests[0]["messages"]
    assert system["role"] == "system"
    assert view["content"].startswith('<document blocks="24" nonce="N0">')
    assert "[p11] Force majeure ends it." in view["content"]
    assert said["content"] == f"Instruction: {FREE}"


async def test_lookup_goes_along_with_the_instruction() -> None:
    with ModelServer([reply(NINETY)]) as server:
        await run(TreeCalls(), models(server), lookup="A party may stop")
        assert server.said().endswith("reads about like this:\nA party may stop")


@pytest.mark.parametrize(
    "instruction",
    [
        'change "Delaware" to "Texas"',
        'replace "Horse" with "Zebra"',
    ],
)
async def test_what_is_unclear_to_the_interpreter_goes_to_the_model(instruction: str) -> None:
    planned, server = await with_script([reply(NINETY)], instruction=instruction)
    assert isinstance(planned, Planned)
    assert planned.model == "small"
    assert len(server.requests) == 1


async def test_a_literal_plan_with_faults_goes_to_the_model() -> None:
    def checker(plan: EditPlan) -> Sequence[Fault]:
        return [] if plan.reason == "r" else [Fault(0, "crosses_placeholder", "no")]

    planned, _ = await with_script(
        [reply(NINETY)], TreeCalls(checker=checker), 'change "60 days" to "90 days"'
    )
    assert isinstance(planned, Planned)
    assert planned.model == "small"


async def test_the_interpreter_stands_back_when_told_to() -> None:
    calls = TreeCalls()
    with ModelServer([reply(NINETY)]) as server:
        await run(calls, models(server, plain_first=False), 'change "60 days" to "90 days"')
        assert calls.interpreted == 0
        assert len(server.requests) == 1


async def test_faults_go_back_in_one_line_each_and_the_plan_comes_whole() -> None:
    def checker(plan: EditPlan) -> Sequence[Fault]:
        wrong = [op for op in plan.operations if isinstance(op, ReplaceText) and op.block == "p99"]
        return [Fault(0, "unknown_block", "there is no p99"), Fault(1, "x", "y")] if wrong else []

    calls = TreeCalls(checker=checker)
    bad = reply(replace_text("p99", "60 days", "90 days"), NINETY)
    planned, server = await with_script([bad, reply(NINETY)], calls)
    assert isinstance(planned, Planned)
    assert planned.plan == PLAN
    assert planned.usage == Usage(2, 200, 80, 20)
    asked = server.said()
    assert "- operation 1: unknown_block: there is no p99\n- operation 2: x: y\n" in asked
    assert "whole plan again" in asked
    assert server.requests[1]["messages"][3] == {"role": "assistant", "content": bad}
    assert len(calls.checked) == 2


async def test_many_faults_are_not_all_told() -> None:
    def checker(plan: EditPlan) -> Sequence[Fault]:
        wrong = len(plan.operations) > 1
        return [Fault(n, "unknown_block", f"no p{n}") for n in range(60)] if wrong else []

    calls = TreeCalls(checker=checker)
    _, server = await with_script([reply(NINETY, NINETY), reply(NINETY)], calls)
    asked = server.said()
    assert "- operation 20: unknown_block: no p19\n- and 40 more of that kind\n" in asked
    assert "operation 21" not in asked


async def test_two_repairs_and_no_more() -> None:
    calls = TreeCalls(checker=lambda plan: [Fault(0, "text_not_found", "it says 30 days")])
    error, server = await with_script([reply(NINETY)], calls)
    assert isinstance(error, PlanError)
    assert "does not fit the document: it says 30 days" in str(error)
    assert len(server.requests) == 3


async def test_an_unreadable_answer_is_asked_for_again_in_a_plainer_way() -> None:
    planned, server = await with_script(["Sure, I will!", reply(NINETY)])
    assert isinstance(planned, Planned)
    assert "could not be read: there is no complete JSON object" in server.said()
    assert "response_format" in server.requests[0]
    assert "tools" in server.requests[1]


async def test_an_edit_without_operations_is_a_fault() -> None:
    planned, server = await with_script([reply(), reply(NINETY)])
    assert isinstance(planned, Planned)
    assert "no_operations" in server.said()


async def test_no_change_is_a_plan_and_costs_one_question() -> None:
    planned, server = await with_script([reply(decision="no_change", reason="It says so already")])
    assert isinstance(planned, Planned)
    assert planned.plan == EditPlan("no_change", "It says so already")
    assert len(server.requests) == 1


async def test_a_refusal_carries_the_models_reason() -> None:
    error, _ = await with_script([reply(decision="refuse", reason="Two clauses fit: 2 and 7")])
    assert isinstance(error, RefusedError)
    assert str(error) == "Two clauses fit: 2 and 7"


async def test_not_found_has_the_contracts_words_and_keeps_the_reason() -> None:
    error, _ = await with_script([reply(decision="not_found", reason="There is no such clause")])
    assert isinstance(error, NotFoundError)
    assert str(error) == "Unable to locate the specified text"
    assert error.reason == "There is no such clause"


async def test_a_model_that_wants_to_read_what_it_has_read_is_told_to_decide() -> None:
    more = reply(decision="need_more", read=["p1-p9"])
    planned, server = await with_script([more, reply(NINETY)])
    assert isinstance(planned, Planned)
    assert "You have read the whole document" in server.said()
    error, _ = await with_script([more])
    assert isinstance(error, PlanError)


async def test_the_larger_model_answers_when_asked_for_and_has_one_repair_more() -> None:
    calls = TreeCalls(checker=lambda plan: [Fault(0, "x", "y")])
    with ModelServer([reply(NINETY)]) as server:
        with pytest.raises(PlanError):
            await run(calls, models(server, large=True), large=True)
        assert [request["model"] for request in server.requests] == ["big"] * 4


async def test_without_a_larger_model_the_ordinary_one_answers_with_a_warning() -> None:
    with ModelServer([reply(NINETY)]) as server:
        planned = await run(TreeCalls(), models(server), large=True)
    assert planned.model == "small"
    assert planned.warnings == (NO_LARGE_MODEL,)
    plain = await run(TreeCalls(), Models(), 'change "60 days" to "90 days"', large=True)
    assert plain.warnings == (NO_LARGE_MODEL,)


async def test_no_repair_is_begun_without_time_for_it() -> None:
    calls = TreeCalls(checker=lambda plan: [Fault(0, "x", "y")])
    with ModelServer([reply(NINETY)]) as server:
        with pytest.raises(PlanError):
            await run(calls, models(server), seconds=30)
        assert len(server.requests) == 1


async def test_an_edit_has_a_most_it_may_cost() -> None:
    calls = TreeCalls(checker=lambda plan: [Fault(0, "x", "y")])
    greedy = Says(reply(NINETY), usage={"prompt_tokens": 5_000, "completion_tokens": 1})
    with ModelServer([greedy]) as server:
        small = Models(models(server).ordinary, limits=Limits(edit=4_000))
        with pytest.raises(ModelError, match="more of the language model than one edit may use"):
            await run(calls, small)
        assert len(server.requests) == 1


async def test_a_models_failure_is_told_as_it_is() -> None:
    error, _ = await with_script([ServerFault(401)])
    assert isinstance(error, ModelError)
    assert "refused OPENAI_API_KEY" in str(error)


async def test_an_interpreters_refusal_stands_when_there_is_no_model() -> None:
    with pytest.raises(AmbiguousError):
        await run(TreeCalls(), Models(), 'change "Delaware" to "Texas"')
