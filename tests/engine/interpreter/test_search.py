"""How often a line is gone through to find what an instruction quotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redraft.engine.interpreter import search
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.locate import occurrences
from redraft.engine.plan import EditPlan, FindReplace, Operation, ReplaceText
from tests.engine.interpreter.agreement import AGREEMENT, paragraph


def test_a_line_is_not_searched_again_for_every_hit_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    def counted(text: str, quote: str, *, match_case: bool, whole_word: bool) -> object:
        searched.append(text)
        return occurrences(text, quote, match_case=match_case, whole_word=whole_word)

    monkeypatch.setattr(search, "occurrences", counted)
    blocks = (paragraph("p1", "A fee is a fee. " * 50),)
    long = replace(AGREEMENT, stories=(replace(AGREEMENT.body, blocks=blocks),))
    plan = interpret(long, 'replace "fee" with "price" everywhere', None)
    assert plan.operations == (FindReplace("fee", "price", "all", False, whole_word=True),)
    assert 0 < len(searched) <= 6


CORP = ("ACME shall. ACME Corp may, ACME CORP must.", "ACME", "ACME Corp")
ALREADY = ("ACME Corp may. The ACME Corp\u2019s day", "An ACME Corp's")


def planned(instruction: str, texts: tuple[str, ...], lookup: str | None = None) -> EditPlan:
    blocks = tuple(paragraph(f"p{number}", text) for number, text in enumerate(texts, 1))
    document = replace(AGREEMENT, stories=(replace(AGREEMENT.body, blocks=blocks),))
    return interpret(document, instruction, lookup)


EVERY = FindReplace("ACME", "ACME Corp", match_case=True, whole_word=True)


@pytest.mark.parametrize(
    ("instruction", "texts", "lookup", "expected"),
    [
        ('replace "ACME" with "ACME Corp" everywhere', CORP, None, [EVERY]),
        (
            'change "ACME" to "ACME Corp"',
            (CORP[0], CORP[2]),
            None,
            [ReplaceText("p1", "ACME", "ACME Corp", 1)],
        ),
        (
            'replace "ACME" with "ACME Corp"',
            CORP,
            CORP[0],
            [ReplaceText("p1", "ACME", "ACME Corp", 1)],
        ),
        ('replace "ACME" with "ACME Corp"', CORP, "ACME Corp may", []),
        ('replace "ACME" with "ACME Corp"', ALREADY, None, []),
        ('change "ACME" to "ACME Corp"', ALREADY, None, []),
        (
            'change "acme" to "ACME Corp"',
            ("The acme corp.",),
            None,
            [ReplaceText("p1", "acme corp", "ACME Corp")],
        ),
        # who counts means what is counted, and who inserts wants it twice
        (
            'replace the second "ACME" with "ACME Corp"',
            CORP,
            None,
            [ReplaceText("p1", "ACME", "ACME Corp", 2)],
        ),
        (
            'change the last "ACME" to "ACME Corp"',
            CORP,
            None,
            [ReplaceText("p3", "ACME", "ACME Corp", 1)],
        ),
        (
            'insert the words "Corp" after "An ACME"',
            ALREADY,
            None,
            [ReplaceText("p2", "An ACME", "An ACME Corp", 1)],
        ),
        # the surroundings are other ones
        (
            'change "ACME" to "ACME Corp"',
            ("ACME Corporation",),
            None,
            [ReplaceText("p1", "ACME", "ACME Corp")],
        ),
        (
            'change "ACME Corp" to "ACME Corp Inc"',
            ("ACME Corp",),
            None,
            [ReplaceText("p1", "ACME Corp", "ACME Corp Inc")],
        ),
    ],
)
def test_a_place_that_says_so_already_is_not_meant(
    instruction: str, texts: tuple[str, ...], lookup: str | None, expected: list[Operation]
) -> None:
    plan = planned(instruction, texts, lookup)
    assert list(plan.operations) == expected
    assert (plan.decision == "no_change") == (not expected)


@pytest.mark.parametrize(
    ("texts", "lookup", "said"),
    [
        (ALREADY, None, "The document already says so"),
        (("ACME", ALREADY[0]), None, "with “ACME Corp”; 2 places say so already"),
        (("ACME or ACME Corp",), None, "with “ACME Corp”; 1 place says so already"),
        (("ACME",), None, "Replace “ACME” with “ACME Corp”"),
    ],
)
def test_the_answer_counts_the_places_that_say_so_already(
    texts: tuple[str, ...], lookup: str | None, said: str
) -> None:
    assert planned('change "ACME" to "ACME Corp"', texts, lookup).reason.endswith(said)
