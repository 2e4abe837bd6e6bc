"""What an edit must not do beside what it is asked: leave a bullet, take a box, join or widen."""

from __future__ import annotations

import pytest

from redraft.engine.errors import AmbiguousError, EditError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Block, Document, Story, Table
from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetList,
)
from tests.engine.interpreter.agreement import bullet, heading, paragraph, row

LEASE: tuple[Block, ...] = (
    heading("p1", 1, "Mietvertrag"),
    paragraph("p2", "Vermietet wird die Wohnung.  Sie hat drei Zimmer.  Sie ist hell."),
    paragraph("p3", "• Balkon mit Markise"),
    paragraph("p4", "(b) Keller im Hof"),
    bullet("p5", "Garage für ein Rad"),
    heading("p6", 1, "§ 3 Miete"),
    paragraph("p7", "(1) Die Grundmiete beträgt 780 Euro monatlich."),
    paragraph("p8", "Nächster Termin: 4. Mai, 10 Uhr."),
    heading("p9", 1, "§ 4 Gericht"),
    paragraph("p10", "4.1 Es gilt das Recht am Ort."),
    Table("t1", (row("t1.r1", "Grundmiete", "780,00 €"), row("t1.r2", "Strom", "90,00 €")), 2),
)
DOCUMENT = Document(
    "docx",
    (
        Story("body", "", LEASE),
        Story("textbox", "tb1", (paragraph("tb1.p1", "Notruf 112"),), host="p5"),
    ),
)

DONE: list[tuple[str, tuple[Operation, ...]]] = [
    ('lösche "Balkon mit Markise"', (DeleteBlocks("p3", "p3"),)),
    ('delete "Keller im Hof"', (DeleteBlocks("p4", "p4"),)),
    (
        'delete the bullet containing "Garage"',
        (ReplaceText("p5", "Garage für ein Rad", ""), SetList("p5", "p5", "none")),
    ),
    (
        'delete the sentence "Sie hat drei Zimmer."',
        (ReplaceText("p2", "Sie hat drei Zimmer.  ", ""),),
    ),
    (
        'above "Nächster Termin" put the line: Bitte läuten.',
        (InsertBlocks("p8", "before", (NewBlock("like_anchor", "Bitte läuten."),)),),
    ),
    (
        "füge nach „Nächster Termin“ die Zeile „Bitte läuten.“ ein",
        (InsertBlocks("p8", "after", (NewBlock("like_anchor", "Bitte läuten."),)),),
    ),
    (
        "insert after 4.1 a new paragraph: 4.2 Das Gericht ist in Bonn.",
        (InsertBlocks("p10", "after", (NewBlock("like_anchor", "4.2 Das Gericht ist in Bonn."),)),),
    ),
    ("Der Strom soll 95 Euro betragen", (ReplaceText("t1.r2.c2.p1", "90,00 €", "95 Euro"),)),
]


@pytest.mark.parametrize(("instruction", "meant"), DONE, ids=[one for one, _ in DONE])
def test_nothing_is_done_beside_what_is_asked(
    instruction: str, meant: tuple[Operation, ...]
) -> None:
    assert interpret(DOCUMENT, instruction, None).operations == meant


def test_a_value_that_a_form_and_the_text_both_give_is_asked_for() -> None:
    with pytest.raises(AmbiguousError) as caught:
        interpret(DOCUMENT, "Die Grundmiete soll 820 Euro betragen", None)
    assert {one.anchor for one in caught.value.candidates} == {"p7", "t1.r1.c2.p1"}


@pytest.mark.parametrize(
    "instruction",
    [
        "change the price in position 7 to £100.00",
        "Preis in Position 7 auf 100,00 € ändern",
        "change the number in position 7 to 9",
    ],
)
def test_a_number_that_says_which_one_is_meant_is_not_what_changes(instruction: str) -> None:
    offer = Document(
        "docx",
        (
            Story(
                "body",
                "",
                (
                    paragraph("p1", "Muster GmbH, Gartenstraße 7, 80333 München"),
                    Table("t1", (row("t1.r1", "Pos.", "Price"), row("t1.r2", "1", "£450.00")), 2),
                ),
            ),
        ),
    )
    with pytest.raises(EditError):
        interpret(offer, instruction, None)
