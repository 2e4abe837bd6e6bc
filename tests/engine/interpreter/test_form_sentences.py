"""Forms, invoices and letters: labels, boxes, cells, lists, and what of a name is a number."""

from __future__ import annotations

import pytest

from redraft.engine.errors import EditError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Block, Document, ListItem, Story, Table, Text
from redraft.engine.plan import (
    DeleteBlocks,
    FindReplace,
    InsertBlocks,
    InsertRow,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
)
from tests.engine.interpreter.agreement import heading, paragraph, row


def bullet(anchor: str, text: str) -> ListItem:
    return ListItem(anchor, 0, (Text(text),), "", ordered=False)


FORM: tuple[Block, ...] = (
    heading("p1", 1, "Order 2026-118"),
    paragraph("p2", "Seller: Harbor Estates Ltd. Buyer: Nimbus Labs GmbH."),
    paragraph("p3", "Bays 14 and 15 are reserved. The Sales Office answers by 9:30."),
    paragraph("p4", "☐ Express"),
    paragraph("p5", "☒ Insured"),
    paragraph("p6", "It includes:"),
    bullet("p7", "water"),
    bullet("p8", "heating"),
    Table(
        "t1",
        (
            row("t1.r1", "Item", "Quantity", "Price"),
            row("t1.r2", "Logo", "1", "900"),
            row("t1.r3", "Cards", "500", "100"),
        ),
        3,
    ),
    Table("t2", (row("t2.r1", "Bank", "Northern Mutual"), row("t2.r2", "Account", "44190023")), 2),
)
ORDER = Document("docx", (Story("body", "", FORM),))

DONE: list[tuple[str, tuple[Operation, ...]]] = [
    ("the order number should be 2026-119", (ReplaceText("p1", "2026-118", "2026-119"),)),
    (
        "change the buyer to Orion Labs GmbH",
        (ReplaceText("p2", "Nimbus Labs GmbH", "Orion Labs GmbH"),),
    ),
    ("Bank: Southern Mutual", (ReplaceText("t2.r1.c2.p1", "Northern Mutual", "Southern Mutual"),)),
    (
        "change the account number to 44190024",
        (ReplaceText("t2.r2.c2.p1", "44190023", "44190024"),),
    ),
    ("change the price in row 2 to 950", (ReplaceText("t1.r2.c3.p1", "900", "950"),)),
    (
        "in the last row of the first table replace 500 with 550",
        (FindReplace("500", "550", "row:t1.r3", whole_word=True),),
    ),
    ("rename the column Quantity to Qty", (ReplaceText("t1.r1.c2.p1", "Quantity", "Qty"),)),
    ("Bays 14 and 15 should be 16 and 17", (ReplaceText("p3", "14 and 15", "16 and 17"),)),
    ("the answer comes by 9:45 instead of 9:30", (ReplaceText("p3", "9:30", "9:45"),)),
    ("fill in Account with 44190024", (ReplaceText("t2.r2.c2.p1", "44190023", "44190024"),)),
    ('in the row "Logo" change the price to 950', (ReplaceText("t1.r2.c3.p1", "900", "950"),)),
    ("tick Express", (ReplaceText("p4", "☐", "☒"),)),
    ('untick "Insured"', (ReplaceText("p5", "☒", "☐"),)),
    (
        "mark Express as checked and untick Insured",
        (ReplaceText("p4", "☐", "☒"), ReplaceText("p5", "☒", "☐")),
    ),
    ("delete the last bullet", (DeleteBlocks("p8", "p8"),)),
    ("remove heating from the list", (DeleteBlocks("p8", "p8"),)),
    ("add gas to the list", (InsertBlocks("p8", "after", (NewBlock("like_anchor", "gas"),)),)),
    (
        'add "gas" to the list after "water"',
        (InsertBlocks("p7", "after", (NewBlock("like_anchor", "gas"),)),),
    ),
    (
        'add a row below "Logo": Icons, 12, 10',
        (InsertRow("t1.r2", "after", ("Icons", "12", "10")),),
    ),
    (
        "add a row at the end of the first table with Icons, 12 and 10",
        (InsertRow("t1.r3", "after", ("Icons", "12", "10")),),
    ),
]

REFUSED = [
    "Item: Poster",  # the first row has heads
    "tick Refrigerated",
    "Account: 44190024, Bank: Southern Mutual",
    "bold the price in the first table",
    "Bays 14 and 15 should be 16",
    "replace Sales Office with the Desk",
    "change Logo to Sign and Cards to Posters and",
    "change the price in row 9 to 950",
    "remove gas from the list",
    "change the seller number to 5",
    "increase the price by 5%",
]


@pytest.mark.parametrize(("instruction", "meant"), DONE, ids=[case[0] for case in DONE])
def test_what_people_type_about_a_form_is_done(
    instruction: str, meant: tuple[Operation, ...]
) -> None:
    assert interpret(ORDER, instruction, None).operations == meant


@pytest.mark.parametrize("instruction", REFUSED)
def test_what_a_form_does_not_say_is_refused(instruction: str) -> None:
    with pytest.raises(EditError):
        interpret(ORDER, instruction, None)


GERMAN = Document(
    "docx",
    (
        Story(
            "body",
            "",
            (
                heading("p1", 2, "§ 1 Frist"),
                paragraph("p2", "Die Frist beträgt vier Wochen. Der Auftraggeber zahlt."),
                heading("p3", 2, "Article 2 Prix"),
                paragraph("p4", "Le prix est de 2 000 euros. Il est payable."),
            ),
        ),
    ),
)


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("Auftraggeber soll Kunde heißen", ReplaceText("p2", "Auftraggeber", "Kunde")),
        ("Ändere die Frist auf sechs Wochen", ReplaceText("p2", "vier Wochen", "sechs Wochen")),
        ("Lösche den Paragraphen 1", DeleteBlocks("p1", "p2")),
        (
            "Ersetze überall Auftraggeber durch Kunde",
            FindReplace("Auftraggeber", "Kunde", match_case=True, whole_word=True),
        ),
        ("Supprime la dernière phrase de l'article 2", ReplaceText("p4", " Il est payable.", "")),
        ("Déplace l'article 2 avant § 1", MoveBlocks("p3", "p4", "p1", "before")),
    ],
)
def test_other_languages_say_it_in_their_own_order(instruction: str, operation: Operation) -> None:
    assert interpret(GERMAN, instruction, None).operations == (operation,)
