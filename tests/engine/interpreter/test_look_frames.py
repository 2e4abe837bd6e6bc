"""Looks of things named in any order: off, aligned, spaced, in a column, by words about them."""

from __future__ import annotations

import pytest

from redraft.engine.errors import EditError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.plan import (
    DeleteBlocks,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    SetParagraph,
)
from tests.engine.interpreter.contract import CONTRACT
from tests.engine.interpreter.test_table_frames import PLAN

LOOKS: list[tuple[str, Operation]] = [
    ('turn off bold for "monthly"', FormatText("p9", "monthly", "bold", "off")),
    ("„monthly“ nicht mehr fett", FormatText("p9", "monthly", "bold", "off")),
    (
        "right-align the paragraph beginning Subject to",
        SetParagraph("p22", "p22", "alignment", "right"),
    ),
    ("justify off: left-align 3.1", SetParagraph("p11", "p11", "alignment", "left")),
    (
        "1.5 line spacing for the paragraph that starts with Subject to",
        SetParagraph("p22", "p22", "line_spacing", "1.5"),
    ),
    ("line spacing of 3.2: 1,15", SetParagraph("p12", "p12", "line_spacing", "1.15")),
    ("space before clause 4(b): 6 pt", SetParagraph("p16", "p16", "space_before", "6")),
    ("Abstand nach 3.1: 12 pt", SetParagraph("p11", "p11", "space_after", "12")),
    ("interligne 2 pour 3.1", SetParagraph("p11", "p11", "line_spacing", "2")),
    (
        'put the reporting sentence "It shall report monthly to the Client." in bold',
        FormatText("p9", "It shall report monthly to the Client.", "bold", "on"),
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), LOOKS, ids=[one for one, _ in LOOKS])
def test_a_look_is_given_to_what_is_named(instruction: str, meant: Operation) -> None:
    assert interpret(CONTRACT, instruction, None).operations == (meant,)


def test_a_column_is_formatted_by_the_words_at_its_top() -> None:
    plan = interpret(PLAN, "center the Places column in the course dates", None)
    assert plan.operations == tuple(
        SetParagraph(f"t1.r{at}.c4.p1", f"t1.r{at}.c4.p1", "alignment", "center")
        for at in (1, 2, 3, 4)
    )
    plan = interpret(PLAN, "the row of Paul Adeyemi in bold", None)
    assert len(plan.operations) == 4


REFUSED = [
    'make "monthly" bold, not italic',
    "line spacing of 3.2",
    "1.5 or 2 line spacing for 3.2",
    "space before clause 9(b): 6 pt",
    'turn off red for "monthly"',
    "center the Price column",
]


@pytest.mark.parametrize("instruction", REFUSED)
def test_a_look_that_is_not_clear_is_refused(instruction: str) -> None:
    with pytest.raises(EditError):
        interpret(CONTRACT, instruction, None)


THINGS: list[tuple[str, Operation]] = [
    ("remove the paragraph on liability", DeleteBlocks("p22", "p22")),
    ("delete the item on notice", DeleteBlocks("p18", "p18")),
    (
        'add the item "it is in writing;" after the one about two years',
        InsertBlocks("p16", "after", (NewBlock("like_anchor", "it is in writing;"),)),
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), THINGS, ids=[one for one, _ in THINGS])
def test_a_thing_is_found_by_what_it_is_about(instruction: str, meant: Operation) -> None:
    assert interpret(CONTRACT, instruction, None).operations == (meant,)
