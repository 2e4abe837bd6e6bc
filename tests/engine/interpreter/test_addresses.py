"""Addresses mean what the structure of the document says, and never words that look like them."""

from __future__ import annotations

import pytest

from redraft.engine.errors import AmbiguousError, EditError, NotFoundError, RefusedError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.plan import DeleteBlocks, Operation, ReplaceText
from tests.engine.interpreter.contract import CONTRACT

RIGHT: list[tuple[str, Operation]] = [
    (
        "delete the first sentence of section 5",
        ReplaceText("p20", "Either party may terminate on sixty (60) days written notice. ", ""),
    ),
    ("delete item (b) in section 4", DeleteBlocks("p16", "p16")),
    ("delete clause 4(c)", DeleteBlocks("p17", "p17")),
    ("delete the third section", DeleteBlocks("p10", "p12")),
    ("delete section 4", DeleteBlocks("p13", "p18")),
    ("delete the section on fees", DeleteBlocks("p10", "p12")),
    (
        "delete the last sentence of 3.2",
        ReplaceText("p12", " The Client may withhold disputed amounts.", ""),
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), RIGHT, ids=[case[0] for case in RIGHT])
def test_an_address_is_looked_up_in_the_structure(instruction: str, meant: Operation) -> None:
    assert interpret(CONTRACT, instruction, None).operations == (meant,)


@pytest.mark.parametrize(
    ("instruction", "kind", "reason"),
    [
        ("delete the table in section 3", NotFoundError, "There is no table in Section 3 “Fees”"),
        ("delete the second table", NotFoundError, "There is only one"),
        ("delete the tenth table", NotFoundError, "There is only one"),
        ("remove the 2 tables", RefusedError, ""),
        (
            "delete clause 15",
            NotFoundError,
            "There is no section numbered 15; the last one is 8",
        ),
        ("delete the sixth row of table 1", NotFoundError, "There are only 2"),
    ],
)
def test_what_is_not_there_is_not_found_elsewhere(
    instruction: str, kind: type[EditError], reason: str
) -> None:
    with pytest.raises(kind) as caught:
        interpret(CONTRACT, instruction, None)
    assert getattr(caught.value, "reason", "") == reason


def test_a_number_of_several_places_is_asked_about() -> None:
    with pytest.raises(AmbiguousError) as caught:
        interpret(CONTRACT, "delete item (b)", None)
    assert [(one.anchor, one.words) for one in caught.value.candidates] == [
        ("p5", "“Services” means the work in Section 2."),
        ("p16", "it lasts for two years;"),
    ]
