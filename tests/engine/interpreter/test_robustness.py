"""Whatever is said, there is a plan or a sentence why not, soon."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from redraft.engine.errors import EditError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.interpreter.vocabulary import LANGUAGES
from redraft.engine.quotes import lift
from tests.counting import calls
from tests.engine.interpreter.agreement import AGREEMENT, MANY

KNOWN = sorted({word for language in LANGUAGES for phrase in language.phrases for word in phrase})
VALUES = ['"ACME Corp"', '"fee"', '"Scope"', "“Berlin”", "'x'", "Berlin", "30", "$5", "\x000\x00"]
WORDS = st.one_of(
    st.sampled_from(KNOWN), st.sampled_from(VALUES), st.sampled_from([";", "\n", ".", "and", "zzz"])
)


def outcome(instruction: str, lookup: str | None = None) -> str:
    """The decision with its operations counted, or the sentence why not."""
    try:
        plan = interpret(AGREEMENT, instruction, lookup)
    except EditError as error:
        return str(error)
    return f"{plan.decision} {len(plan.operations)}"


@pytest.mark.thorough
@settings(deadline=None)
@given(st.lists(WORDS, max_size=14).map(" ".join))
@example("Change the ACME Corp to the Vendor and Berlin to Bonn in the Q4 table")
@example('Move the first section table before the heading "Scope" font')
def test_any_words_are_a_plan_or_an_edit_error(instruction: str) -> None:
    assert outcome(instruction) not in ("", "edit 0")


@given(st.text(max_size=60))
def test_any_characters_are_a_plan_or_an_edit_error(instruction: str) -> None:
    assert outcome(instruction, "\x00" + instruction) not in ("", "edit 0")


@given(st.text(alphabet="a \"'“”„‚‘’«»`\\", max_size=30))  # noqa: RUF001 - quotes of all kinds
def test_lifting_loses_no_letter(text: str) -> None:
    lifted = lift(text)
    kept = lifted.text.count("a") + sum(value.count("a") for value in lifted.values)
    assert kept == text.count("a")


def test_a_long_free_request_is_turned_down_at_once() -> None:
    request = (
        "Please rewrite the payment clause so that the Customer has sixty days from the date of the"
        " invoice to pay and the Supplier may charge interest at 4 percent above the base rate of"
        " the Bank of England in force"
    )
    outcome(request)  # the grammar is made at the first sentence
    assert "no language model" in outcome(request)
    assert calls(lambda: outcome(request)) < MANY
