"""Sentences understood by their frame: an old value, a new one, a place, in any order."""

from __future__ import annotations

import pytest

from redraft.engine.errors import AmbiguousError, EditError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.interpreter.quantities import like, variants
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteRow,
    FindReplace,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
)
from tests.engine.interpreter.contract import CONTRACT

SIXTY = ReplaceText("p20", "sixty (60) days", "ninety (90) days")

FEES = "The Client pays $5,000 a month. Invoices are sent by email."

VALUES: list[tuple[str, Operation]] = [
    ("the interest is 6%, not 5%", ReplaceText("p12", "5%", "6%")),
    ("it should be 6% rather than 5% in 3.2", ReplaceText("p12", "5%", "6%")),
    ("instead of 5% make it 6%", ReplaceText("p12", "5%", "6%")),
    ("interest: 5% -> 6%", ReplaceText("p12", "5%", "6%")),
    ("the interest goes up from 5% to 6%", ReplaceText("p12", "5%", "6%")),
    ("60 days -> 90 days", SIXTY),
    ("notice in section 5 should be 90 days instead of 60 days", SIXTY),
    ("sixty days in section 5 becomes ninety (90) days", SIXTY),
    ("change 2 years to 3 years in 4(b)", ReplaceText("p16", "two years", "three years")),
    ("the state should be Texas and not Delaware", ReplaceText("p24", "Delaware", "Texas")),
    ("Client becomes Customer everywhere", FindReplace("Client", "Customer", "all", True, True)),
    ("Governing law should be New Jersey", ReplaceText("p24", "Delaware", "New Jersey")),
    ("§ 5: bitte sixty (60) days in ninety (90) days ändern", SIXTY),
    ("statt Delaware soll es Texas heißen", ReplaceText("p24", "Delaware", "Texas")),
    ("le taux est de 6% et non de 5%", ReplaceText("p12", "5%", "6%")),
    ("Final in the header must become Draft", ReplaceText("h1.p1", "Final", "Draft")),
    ("Hello! Please change 5% to 6%. Thanks a lot", ReplaceText("p12", "5%", "6%")),
    ("notice period in section 5 should be 90 days instead of 60 days", SIXTY),
    ("Late payment interest 6%", ReplaceText("p12", "5%", "6%")),
]


@pytest.mark.parametrize(("instruction", "meant"), VALUES, ids=[one for one, _ in VALUES])
def test_a_value_is_changed_in_whatever_order_it_is_said(
    instruction: str, meant: Operation
) -> None:
    assert interpret(CONTRACT, instruction, None).operations == (meant,)


THINGS: list[tuple[str, Operation]] = [
    ("clause 4(c) out", DeleteBlocks("p17", "p17")),
    ("4(c) kann raus", DeleteBlocks("p17", "p17")),
    ('in 3.1 make the words "a month" bold', FormatText("p11", "a month", "bold", "on")),
    ("Mettez « monthly » en gras, svp", FormatText("p9", "monthly", "bold", "on")),
    (
        'at the end of clause 8: "It is final."',
        ReplaceText(
            "p26",
            "This is the entire agreement of the Client and the Consultant.",
            "This is the entire agreement of the Client and the Consultant. It is final.",
        ),
    ),
    (
        'after 3.1 add a new paragraph saying "It is final."',
        InsertBlocks("p11", "after", (NewBlock("like_anchor", "It is final."),)),
    ),
    (
        "after 3.2 add a new clause 3.3: Fees are net.",
        InsertBlocks("p12", "after", (NewBlock("like_anchor", "Fees are net."),)),
    ),
    (
        "at the end of 3.1: Invoices are final.",
        ReplaceText("p11", FEES, f"{FEES} Invoices are final."),
    ),
    ("Lösche die Zeile Client aus der Tabelle", DeleteRow("t1.r1")),
    (
        "In 3.2 bitte den zweiten Satz streichen",
        ReplaceText("p12", "Late payment bears interest at 5%. ", ""),
    ),
    (
        'delete the last sentence of the "Termination" section',
        ReplaceText("p20", " Notice is given by email.", ""),
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), THINGS, ids=[one for one, _ in THINGS])
def test_a_thing_is_named_in_whatever_order_it_is_said(instruction: str, meant: Operation) -> None:
    assert interpret(CONTRACT, instruction, None).operations == (meant,)


REFUSED = [
    "the interest is 6%, not 4%",
    "the cancellation interest goes up from 5% to 6%",
    "should we change 5% to 6%?",
    "is the interest 5%?",
    "if they agree, change 5% to 6%",
    "change 5% to 6% or 7%",
    "5% -> 6% (unless they object)",
    "Delaware -> Texas (the governing law)",
    "sort the invoices by email",
    "turn the services into bullets",
    "change Delaware to Texas and tidy the rest",
    "do not change 5% to 6%",
    "30 days -> 45 days in section 5",
    "Delaware should be something else",
    "comment out section 5",
    "clause 9(c) out",
    "clause 4(c) or 4(d) out",
    "bold the fee in section 3",
    "delete the row about Bob from the table",
    "make the header of the table bold",
    "at the end of 3.1: delete the last sentence",
    "at the end of 3.1: 5% -> 6%",
    "after 3.1 add a new clause 3.3: Fees are net.",
    "is the liability cap $60,000?",
    "liability cap up 5%",
    "the uptime in section 3 should be 99%",
    "delete the row Services",
    "delete the Services line",
    'delete the column "By: ______"',
]


@pytest.mark.parametrize("instruction", REFUSED)
def test_a_word_without_a_place_in_the_frame_is_refused(instruction: str) -> None:
    with pytest.raises(EditError):
        interpret(CONTRACT, instruction, None)


def test_a_verb_said_once_serves_two_changes_without_quotes() -> None:
    plan = interpret(CONTRACT, "change 5% to 6% in 3.2 and 60 days to 90 days in section 5", None)
    assert plan.operations == (ReplaceText("p12", "5%", "6%"), SIXTY)


def test_a_number_is_found_however_it_is_written() -> None:
    assert "sixty (60) days" in list(variants("60 days"))
    assert "60 days" in list(variants("sixty days"))
    assert list(variants("9:00 to 17:00")) == []
    assert list(variants("no number")) == []


@pytest.mark.parametrize(
    ("new", "old", "written"),
    [
        ("90 days", "sixty (60) days", "ninety (90) days"),
        ("5 years", "three years", "five years"),
        ("90 days", "60 days", "90 days"),
        ("5%", "sixty (60) days", "5%"),
        ("120 days", "Ninety (90) days", "One hundred twenty (120) days"),
        ("4 Monate", "drei Monate", "vier Monate"),
    ],
)
def test_a_new_number_is_written_as_the_old_one_stands(new: str, old: str, written: str) -> None:
    assert like(new, old) == written


@pytest.mark.parametrize(
    "instruction",
    [
        'replace "Client" with "Customer"',
        "replace Client with Customer",
        'use "Customer" instead of "Client"',
        "Client -> Customer",
    ],
)
def test_words_of_several_places_are_replaced_only_where_the_sentence_says_so(
    instruction: str,
) -> None:
    with pytest.raises(AmbiguousError, match="everywhere"):
        interpret(CONTRACT, instruction, None)
    plan = interpret(CONTRACT, f"{instruction} everywhere", None)
    assert isinstance(plan.operations[0], FindReplace)
