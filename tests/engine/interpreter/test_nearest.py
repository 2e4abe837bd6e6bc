"""What a refusal says: the nearest passage with its difference, the nearest sentence that works."""

from __future__ import annotations

import pytest

from redraft.engine.errors import NotFoundError, NotUnderstoodError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.interpreter.nearest import marked, nearest
from tests.engine.interpreter.contract import CONTRACT


@pytest.mark.parametrize(
    ("passage", "quote", "shown"),
    [
        ("Fees are due in 30 days.", "due in 45 days", "Fees are due in ⟪30⟫ days."),
        (
            "On each of the first ten days of a month the Client shall pay the fee in euros.",
            "the Customer shall pay the fee",
            "…days of a month the ⟪Client⟫ shall pay the fee in euros.",
        ),
        ("The fee is fixed.", "the fee is fixed", "The fee is fixed."),
    ],
)
def test_the_difference_of_the_nearest_passage_is_marked(
    passage: str, quote: str, shown: str
) -> None:
    assert marked(passage, quote) == shown


def test_a_word_spelled_otherwise_is_near() -> None:
    assert nearest(["It is terminated.", "It ends."], "termnated") == (
        "It is terminated.",
        "Closest passage: It is ⟪terminated⟫.",
    )
    assert nearest(["It ends."], "zebra") == ("", "")


def test_words_that_are_not_there_are_answered_with_the_nearest() -> None:
    with pytest.raises(NotFoundError) as caught:
        interpret(CONTRACT, 'replace "bears interest at 6%" with "bears no interest"', None)
    assert "bears interest at ⟪5%⟫" in caught.value.more or "⟪5⟫%" in caught.value.more


@pytest.mark.parametrize(
    ("instruction", "sentence"),
    [
        ("please make the words monthly prettier", 'write: make "monthly" bold.'),
        ("delete the boring liability is capped bit", 'delete "liability is capped"'),
    ],
)
def test_the_nearest_sentence_that_works_is_offered(instruction: str, sentence: str) -> None:
    with pytest.raises(NotUnderstoodError) as caught:
        interpret(CONTRACT, instruction, None)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 400
