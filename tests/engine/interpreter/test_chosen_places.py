"""An ambiguous instruction, and the answer to which place is meant: exactly that one is edited."""

from __future__ import annotations

import pytest

from redraft.engine.errors import AmbiguousError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.plan import DeleteBlocks, Operation, ReplaceText
from tests.engine.interpreter.contract import CONTRACT


def choices(instruction: str, *chosen: str) -> tuple[str, ...]:
    """The places that are asked about."""
    with pytest.raises(AmbiguousError) as caught:
        interpret(CONTRACT, instruction, None, (), chosen)
    return tuple(candidate.place for candidate in caught.value.candidates)


@pytest.mark.parametrize(
    ("instruction", "meant"),
    [
        ("delete item (b)", [DeleteBlocks("p5", "p5"), DeleteBlocks("p16", "p16")]),
        (
            'delete the paragraph containing "email"',
            [DeleteBlocks("p11", "p11"), DeleteBlocks("p20", "p20")],
        ),
        (
            'change "email" to "post"',
            [ReplaceText("p11", "email", "post"), ReplaceText("p20", "email", "post")],
        ),
        (
            "delete the first bullet",
            [DeleteBlocks("p4", "p4"), DeleteBlocks("p11", "p11"), DeleteBlocks("p15", "p15")],
        ),
    ],
)
def test_each_choice_is_carried_out_on_exactly_its_place(
    instruction: str, meant: list[Operation]
) -> None:
    plans = [interpret(CONTRACT, instruction, None, (), (one,)) for one in choices(instruction)]
    assert [plan.operations for plan in plans] == [(operation,) for operation in meant]


def test_two_places_of_one_block_are_told_apart() -> None:
    first, second, *_ = choices('change "the" to "that"')
    assert (first.split("@")[0], second.split("@")[0]) == ("p2", "p2")
    assert interpret(CONTRACT, 'change "the" to "that"', None, (), (second,)).operations == (
        ReplaceText("p2", "the", "that", 2),
    )


def test_a_choice_that_is_none_of_the_places_chooses_nothing() -> None:
    assert choices("delete item (b)", "p17") == ("p5", "p16")


def test_two_choices_for_one_place_choose_nothing() -> None:
    assert choices("delete item (b)", "p5", "p16") == ("p5", "p16")


def test_a_choice_limits_no_command_that_asks_for_everything() -> None:
    instruction = 'change "email" to "post"'
    chosen = choices(instruction)[0]
    everywhere = interpret(CONTRACT, instruction + " everywhere", None)
    assert interpret(CONTRACT, instruction + " everywhere", None, (), (chosen,)) == everywhere


def test_more_places_than_are_shown_are_counted() -> None:
    with pytest.raises(AmbiguousError) as caught:
        interpret(CONTRACT, 'delete "the"', None)
    assert (len(caught.value.candidates), caught.value.count) == (9, 18)
