from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from redraft.engine.errors import EditError, ModelError, PlanError
from redraft.engine.instruct import Instruction, Planned, instruct
from redraft.engine.model import Block, Document, Mark, Paragraph, Story, Text
from redraft.engine.plan import EditPlan, FindReplace, RewriteBlock
from redraft.engine.plan import Fault as EditFault
from redraft.engine.planner.model import Limits, Models
from redraft.engine.planner.providers import ChatCompletions
from redraft.engine.planner.ranking import ranked, terms
from redraft.engine.planner.retrieval import chosen, entries, folded, outline, wanted
from redraft.engine.planner.view import render, tokens
from redraft.engine.planner.windows import windows
from tests.counting import lines
from tests.engine.interpreter.agreement import heading, paragraph
from tests.engine.planner.standins import TreeCalls, replace_text, reply
from tests.model_server import Fault, ModelServer, Script, Step

pytestmark = pytest.mark.thorough

SENTENCE = "party shall deliver the goods and services described in the schedule without delay"
WORDS = SENTENCE.split()


def _long(sections: int = 60, size: int = 20) -> Document:
    blocks: list[Block] = []
    for section in range(sections):
        anchor = f"p{len(blocks) + 1}"
        blocks.append(heading(anchor, 1, f"Article {section} on topic{section:03}"))
        for number in range(size):
            turned = " ".join(WORDS[number % 7 :] + WORDS)
            text = f"In {section}.{number} each {turned}."
            blocks.append(paragraph(f"p{len(blocks) + 1}", text))
    return Document("docx", (Story("body", "", tuple(blocks)),))


LONG = _long()
NEEDLE = "p1100"


def _with_needle(words: str) -> Document:
    blocks = [
        paragraph(NEEDLE, words) if block.anchor == NEEDLE else block for block in LONG.body.blocks
    ]
    return Document("docx", (Story("body", "", tuple(blocks)),))


FEES = _with_needle("The royalty for the zeppelin licence is EUR 40.")
VIEW = render(FEES, "x", None, "N0")


async def run(
    script: Script,
    instruction: str,
    lookup: str | None = None,
    limit: int = 6_000,
    calls: TreeCalls | None = None,
) -> tuple[Planned | EditError, ModelServer]:
    with ModelServer(script) as server:
        model = ChatCompletions("small", server.address, "k", first_wait=0.01)
        found = Models(model, limits=Limits(limit))
        deadline = asyncio.get_running_loop().time() + 300
        try:
            planned = await instruct(
                calls or TreeCalls(FEES),
                found,
                Instruction(instruction, lookup, deadline, "N0"),
            )
        except EditError as error:
            return error, server
        return planned, server


def shown(server: ModelServer, index: int = 0) -> str:
    return str(server.requests[index]["messages"][1]["content"])


def test_the_document_is_long() -> None:
    assert VIEW.tokens > 40_000
    assert len(entries(VIEW.text)) == len(FEES.body.blocks)


@pytest.mark.parametrize(
    ("instruction", "lookup"),
    [
        ("Raise the zeppelin royalty to fifty", None),
        ("Raise the amount to fifty", "royalty for the zeppelin licence"),
        ("Where it says 'zeppelin licence', double the amount", None),
        ("Double what is paid in Article 52 on topic052", None),
    ],
)
async def test_the_block_that_is_meant_is_shown_with_its_heading(
    instruction: str, lookup: str | None
) -> None:
    planned, server = await run(
        [reply(replace_text(NEEDLE, "EUR 40", "EUR 50"))], instruction, lookup
    )
    assert isinstance(planned, Planned)
    view = shown(server)
    assert f"\n[{NEEDLE}] The royalty" in view
    assert "[p1093 h1] Article 52" in view
    assert tokens(view) <= 6_600
    assert view.startswith('<document blocks="')
    assert f'excerpt="of {len(FEES.body.blocks)} blocks" nonce="N0">\n# outline: p' in view
    assert "p1240 h1 Article 59 on topic059" in view
    assert "blocks not shown" in view
    assert "need_more" in server.said()


async def test_a_model_reads_on_where_it_asks_to() -> None:
    steps = [
        reply(decision="need_more", read=["p800-p803", "find:zeppelin licence"]),
        reply(replace_text(NEEDLE, "EUR 40", "EUR 50")),
    ]
    planned, server = await run(steps, "Do what the board decided about airships")
    assert isinstance(planned, Planned)
    assert NEEDLE not in shown(server).split("# outline")[0]
    assert "[p801] In 38.1" not in shown(server)
    assert "[p801] In 38.1" in server.said()
    assert f"[{NEEDLE}] The royalty" in server.said()


async def test_after_three_readings_it_must_decide() -> None:
    error, server = await run(
        [reply(decision="need_more", read=["p7", "nonsense"])], "Do what the board decided"
    )
    assert isinstance(error, PlanError)
    assert "could not find what the instruction is about" in str(error)
    assert len(server.requests) == 4
    assert "decide now" in server.said()


def _translator(request: dict[str, Any]) -> Step:
    """Wants all of it, then rewrites every paragraph of its part."""
    part = str(request["messages"][1]["content"])
    said = str(request["messages"][-1]["content"])
    if "worked through in" not in said:
        return reply(decision="need_more", read=["all"])
    blocks = re.findall(r"^\[(p\d+)\] ", part, re.MULTILINE)
    rewritten = [{"op": "rewrite_block", "block": block, "text": "neu"} for block in blocks[1:]]
    first = {"op": "find_replace", "find": "each", "replace": "jede", "scope": f"block:{blocks[0]}"}
    return reply(first, *rewritten, reason="party is Partei")


async def test_work_on_the_whole_is_done_in_parts_and_is_one_plan() -> None:
    planned, server = await run(_translator, "Ins Deutsche übersetzen")
    assert isinstance(planned, Planned)
    done = planned.plan.operations
    rewritten = [op.block for op in done if isinstance(op, RewriteBlock)]
    rewritten += [op.scope.removeprefix("block:") for op in done if isinstance(op, FindReplace)]
    plain = [block.anchor for block in FEES.body.blocks if hasattr(block, "style")]
    paragraphs = [anchor for anchor in plain if (int(anchor[1:]) - 1) % 21]
    assert sorted(rewritten) == sorted(paragraphs)
    parts = [r for r in server.requests if "worked through in" in r["messages"][-1]["content"]]
    assert len(parts) == len(windows(entries(VIEW.text)))
    glossary = "keep to its words: party is Partei; “each” → “jede”"
    assert glossary in parts[-1]["messages"][-1]["content"]
    assert "keep to its words" not in parts[0]["messages"][-1]["content"]
    assert planned.usage is not None
    assert planned.usage.requests == len(server.requests)


@pytest.mark.parametrize(
    ("operation", "outside"),
    [
        ({"op": "rewrite_block", "block": "p1", "text": "x"}, "p1"),
        ({"op": "find_replace", "find": "each", "replace": "x", "scope": "all"}, "all"),
        ({"op": "delete_blocks", "first": "p1", "last": "p2"}, "p1"),
        ({"op": "set_cell", "target": "t9.r1.c1", "text": "x"}, "t9.r1.c1"),
        ({"op": "delete_note", "target": "fn9"}, "fn9"),
    ],
)
async def test_a_part_may_not_reach_out_of_itself(operation: dict[str, str], outside: str) -> None:
    def script(request: dict[str, Any]) -> Step:
        said = str(request["messages"][2]["content"])
        if "worked through in" not in said:
            return reply(decision="need_more", read=["all"])
        return reply(decision="no_change") if "this is part 1." in said else reply(operation)

    error, server = await run(script, "Translate")
    assert isinstance(error, PlanError)
    assert f"{outside} is not in this part" in str(error)
    assert any("unknown_block" in r["messages"][-1]["content"] for r in server.requests)


async def test_parts_that_do_not_fit_together_are_no_plan() -> None:
    def checker(plan: EditPlan) -> list[EditFault]:
        return [EditFault(0, "overlap", "p1 twice")] if len(plan.operations) > 200 else []

    error, _ = await run(_translator, "Translate", calls=TreeCalls(FEES, checker))
    assert isinstance(error, PlanError)
    assert "do not fit together: p1 twice" in str(error)


async def test_one_part_that_fails_fails_the_edit() -> None:
    def script(request: dict[str, Any]) -> Step:
        said = str(request["messages"][-1]["content"])
        return Fault(401) if "this is part 3" in said else _translator(request)

    error, _ = await run(script, "Translate")
    assert isinstance(error, ModelError)


def test_windows_cover_everything_once_and_begin_at_headings() -> None:
    document = entries(VIEW.text)
    cut = windows(document)
    assert [index for window in cut for index in window] == list(range(len(document)))
    assert sum(document[window.start].level == 1 for window in cut) > len(cut) * 0.6
    for window in cut:
        assert sum(tokens(document[i].line) + 1 for i in window) <= 6_000


def test_a_document_without_headings_has_an_outline_of_samples() -> None:
    blocks = tuple(paragraph(f"p{i}", f"Thought {i} of many") for i in range(1, 401))
    document = entries(render(Document("docx", (Story("body", "", blocks),)), "", None, "N").text)
    text = outline(document, 10_000)
    assert text.count("·") == 19
    assert "p21 Thought 21 of many" in text


def test_choosing_stays_within_its_budget() -> None:
    document = entries(VIEW.text)
    taken = chosen(document, "the party shall deliver goods", None, 2_000)
    assert 0 < sum(tokens(document[i].line) + 1 for i in taken) <= 2_000


def test_a_headings_id_asks_for_its_section() -> None:
    document = entries(VIEW.text)
    assert sorted(wanted(document, ["p1"], set(), 9_000)) == list(range(21))
    assert wanted(document, ["p9999", "find:"], set(), 9_000) == set()
    assert sorted(wanted(document, ["p2-p5"], {2, 3}, 9_000)) == [0, 1, 4]


def test_ranking_prefers_rare_words_and_knows_scripts_without_blanks() -> None:
    texts = ["the fee is due", "the zeppelin fee", "the end", "飛行船の料金"]
    assert ranked(texts, "zeppelins and the fee")[0] == 1
    assert ranked(texts, "料金を上げる") == [3]
    assert ranked(texts, "unrelated") == []
    assert terms("Payments") == terms("payment")


@pytest.mark.parametrize("sections", [0, 20])
def test_what_is_shown_of_a_long_document_is_chosen_in_proportion_to_its_length(
    sections: int,
) -> None:
    def work(blocks: int) -> int:
        plain = [
            heading(f"p{n}", 1, f"Article {n}")
            if sections and n % (blocks // sections) == 1
            else paragraph(f"p{n}", f"{' '.join(WORDS[n % 7 :])} on topic {n}")
            for n in range(1, blocks + 1)
        ]
        view = render(Document("docx", (Story("body", "", tuple(plain)),)), "x", None, "N0")
        document = entries(view.text)

        def choose() -> None:
            taken = chosen(document, "Raise the goods and services", "each party", 10**9)
            assert len(taken) > 20
            outline(document, 10_000)
            wanted(document, [f"p{blocks // 2}-p{blocks}"], set(), 10**9)

        return lines(choose)

    assert work(1600) < 5 * work(400)


def test_empty_headings_are_left_out_and_bold_lines_stand_in() -> None:
    blocks = (
        heading("p1", 1, ""),
        Paragraph("p2", (Text("1. Spam", Mark.BOLD),)),
        *(paragraph(f"p{i}", "words") for i in range(3, 30)),
    )
    document = entries(render(Document("docx", (Story("body", "", blocks),)), "", None, "N").text)
    assert outline(document, 10_000) == "# outline: p2 **1. Spam**"


def test_a_quote_is_found_in_its_order_and_shown_with_its_neighbours() -> None:
    blocks = [paragraph(f"p{i}", "alpha beta gamma") for i in range(1, 301)]
    blocks[199] = paragraph("p200", "gamma beta alpha")
    document = entries(
        render(Document("docx", (Story("body", "", tuple(blocks)),)), "", None, "N").text
    )
    assert sorted(chosen(document, 'Say more after "beta alpha"', None, 90)) == list(
        range(196, 203)
    )
    assert len(chosen(document, "Say more", "gamma beta alpha", 190)) == 17


@pytest.mark.parametrize(
    ("instruction", "title"),
    [
        ("Verlängere die Kündigungsfrist", "12. Termination"),
        ("Allonge le délai de résiliation", "Termination and Expiry"),
        ("Make the termination stricter", "§ 9 Kündigung"),
        ("Streiche die Haftung", "Limitation of Liability"),
        ("Change the governing law", "Anwendbares Recht"),
    ],
)
def test_a_section_is_found_by_the_word_for_it_in_another_language(
    instruction: str, title: str
) -> None:
    blocks = list(LONG.body.blocks)
    at = next(i for i, block in enumerate(blocks) if block.anchor == "p610")
    blocks[at : at + 2] = [heading("p610", 1, title), paragraph("p611", "Zyx wvu tsr.")]
    view = render(Document("docx", (Story("body", "", tuple(blocks)),)), "x", None, "N0")
    found = entries(view.text)
    taken = {found[index].anchor for index in chosen(found, instruction, None, 2_000)}
    assert {"p610", "p611"} <= taken


def test_words_that_stand_in_a_heading_mean_that_heading_alone() -> None:
    blocks = list(LONG.body.blocks)
    blocks[40:42] = [heading("p41", 1, "Termination"), paragraph("p42", "Zyx.")]
    blocks[840:842] = [heading("p841", 1, "Kündigung"), paragraph("p842", "Wvu.")]
    view = render(Document("docx", (Story("body", "", tuple(blocks)),)), "x", None, "N0")
    found = entries(view.text)
    taken = {found[index].anchor for index in chosen(found, "Shorten the termination", None, 2_000)}
    assert "p42" in taken
    assert "p842" not in taken


async def test_two_words_in_a_long_document_cost_little() -> None:
    planned, server = await run(
        [reply(replace_text(NEEDLE, "EUR 40", "EUR 50"))],
        'make the royalty for the "zeppelin licence" EUR 50',
        limit=Limits().view,
    )
    assert isinstance(planned, Planned)
    question = server.requests[0]
    said = "".join(str(message["content"]) for message in question["messages"])
    assert tokens(said) + tokens(json.dumps(question["response_format"])) < 8_000
    assert f"[{NEEDLE}] The royalty" in shown(server)


async def test_what_bears_on_the_whole_document_is_shown_as_much_as_may_be() -> None:
    planned, server = await run(
        [reply(decision="no_change")], "check the tone of the whole text", limit=Limits().view
    )
    assert isinstance(planned, Planned)
    assert tokens(shown(server)) > 10_000


def test_an_outline_leaves_out_what_is_shown_and_keeps_to_its_share() -> None:
    document = entries(VIEW.text)
    assert "p1 h1" in outline(document, 6_000)
    assert "p1 h1" not in outline(document, 6_000, {0})
    assert tokens(outline(document, 600)) <= 600 * 0.3


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ("[p1] a|[p2] |[p3] |[p4] |[p5] b", "[p1] a|[p2-p4 blank]|[p5] b"),
        ("[p1] a|[p2] |[p3] b", "[p1] a|[p2] |[p3] b"),
        ("[p1] |[p3] |</document>", "[p1] |[p3] |</document>"),
        ("[p1 h1] |[p2] |[p3 sect] ", "[p1 h1] |[p2] |[p3 sect] "),
        ("[t1.r1.c1.p1] |[t1.r1.c1.p2] |x", "[t1.r1.c1.p1-t1.r1.c1.p2 blank]|x"),
        ("[h1.p1] |[f1.p2] |x", "[h1.p1] |[f1.p2] |x"),
    ],
)
def test_blank_paragraphs_in_a_row_are_one_line(lines: str, shown: str) -> None:
    assert folded(lines.replace("|", "\n")).replace("\n", "|") == shown


def test_words_in_a_row_are_found_without_quotes() -> None:
    blocks = [
        paragraph(block.anchor, f"The royalty {block.anchor} of a licence stands.")
        for block in FEES.body.blocks
    ]
    place = next(index for index, block in enumerate(blocks) if block.anchor == NEEDLE)
    blocks[place] = paragraph(NEEDLE, f"A royalty licence stands. {SENTENCE}")
    document = entries(
        render(Document("docx", (Story("body", "", tuple(blocks)),)), "x", None, "N0").text
    )
    assert place in chosen(document, "the royalty licence should be free", None, 200)
    assert place not in chosen(document, "the licence royalty should be free", None, 200)
