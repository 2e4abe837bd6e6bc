"""Sentences people type: read as they are meant, or refused; never read as something else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from redraft.engine.errors import (
    AmbiguousError,
    EditError,
    NotFoundError,
    NotUnderstoodError,
    RefusedError,
)
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.plan import (
    AddComment,
    DeleteBlocks,
    DeleteColumn,
    DeleteRow,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetField,
    SetLink,
)
from tests.engine.interpreter.agreement import CHANGES, LINKED


def operations(instruction: str) -> list[Operation]:
    plan = interpret(LINKED, instruction, None, CHANGES)
    assert plan.decision == "edit"
    return list(plan.operations)


THIRTY = ReplaceText("p9", "30", "45", 2)
SIXTY = ReplaceText("p11", "60", "90")
FORCE = "Force majeure ends it. A party may stop within 60 days. It tells Dr. Weber so."
FIRST = (
    "ACME Corp supplies the Services to the Vendor. In no event is the Vendor late."
    " The meeting is at 2:00 PM on 1 May 2026."
)
INVOICES = (
    "Invoices are due Net 30. Payment takes 30 days from receipt by ACME Corp's bank;"
    " the word recieve is wrong."
)


def hello(anchor: str, kind: str = "like_anchor", text: str = "Hello.") -> InsertBlocks:
    return InsertBlocks(anchor, "after", (NewBlock(kind, text),))  # pyright: ignore[reportArgumentType]


READ: Sequence[tuple[str, Sequence[Operation]]] = [
    # a quoted number, its unit outside of the quotes
    ('change "30" days to "45"', [THIRTY]),
    ('Change "30" days to "45" days', [THIRTY]),
    ('Change "30" to "45" days', [THIRTY]),
    ('Change "30" days to 45', [THIRTY]),
    ('change the notice period from "60" days to "90" days', [SIXTY]),
    ('Change "60" days in the Termination section to "90"', [SIXTY]),
    ('replace "60" days with "90" days', [SIXTY]),
    ('replace "60" days with "2" months', [ReplaceText("p11", "60 days", "2 months")]),
    ('replace "60" days with "90 days"', [ReplaceText("p11", "60 days", "90 days")]),
    ('change "60" days to "ninety (90)"', [ReplaceText("p11", "60", "ninety (90)")]),
    # the same without quotes: what a number counts stays where the new one says nothing about it
    ("change 60 days to 90", [SIXTY]),
    ("change 30 days to 45", [THIRTY]),
    ("change 60 to 90 days", [SIXTY]),
    ("change $1,200 to 1,500", [ReplaceText("p5", "1,200", "1,500")]),
    ("change 1,200 to $1,500", [ReplaceText("p5", "1,200", "1,500")]),
    ("change 2:00 PM to 3:00", [ReplaceText("p3", "2:00", "3:00")]),
    ("change Net 30 to 45", [ReplaceText("p9", "30", "45", 1)]),
    ("change Room 1 to 2", [ReplaceText("p13", "1", "2")]),
    ("change the fee of $1,200 to $1,500", [ReplaceText("p5", "$1,200", "$1,500")]),
    ("change 30 days to 45 working days", [ReplaceText("p9", "30 days", "45 working days")]),
    ("change 30 days to 45 weeks", [ReplaceText("p9", "30 days", "45 weeks")]),
    # counted paragraphs: a title is none
    ("Delete the first paragraph", [DeleteBlocks("p3", "p3")]),
    ("Delete the last paragraph", [DeleteBlocks("p15", "p15")]),
    ('Replace the first paragraph with "New start."', [ReplaceText("p3", FIRST, "New start.")]),
    ('Add "Hello." after the second paragraph', [hello("p5")]),
    (
        'Insert "Hello." at the beginning of the first paragraph',
        [ReplaceText("p3", FIRST, f"Hello. {FIRST}")],
    ),
    (
        'Change "Services" to "Works" in the first paragraph',
        [ReplaceText("p3", "Services", "Works")],
    ),
    ("Move the first paragraph to the end", [MoveBlocks("p3", "p3", "p15", "after")]),
    ('Change bullet 2 to "Fred"', [ReplaceText("p7", "Emma Davis", "Fred")]),
    # places
    (
        'Change "Delaware" to "New York" in the Governing Law row',
        [ReplaceText("t1.r2.c2.p1", "Delaware", "New York")],
    ),
    (
        'In row 2 of table 1, change "Delaware" to "Texas"',
        [ReplaceText("t1.r2.c2.p1", "Delaware", "Texas")],
    ),
    ("Delete the Revenue row", [DeleteRow("t1.r3")]),
    ("Delete the Notes column", [DeleteColumn("t1.r1.c3")]),
    (
        'In section 2, change "Net 30" to "Net 45"',
        [ReplaceText("p9", "Net 30", "Net 45")],
    ),
    (
        'Change "may" to "shall" throughout the agreement',
        [FindReplace("may", "shall", whole_word=True)],
    ),
    (
        'Change "Mr Smith" to "Ms Jones" in both places',
        [FindReplace("Mr Smith", "Ms Jones", match_case=True, whole_word=True)],
    ),
    (
        'Replace all instances of "ACME Corp" with "Globex" in the document body',
        [FindReplace("ACME Corp", "Globex", "body", match_case=True, whole_word=True)],
    ),
    (
        'Replace "Berlin" with "Bonn" only in table 2',
        [FindReplace("Berlin", "Bonn", "table:t2", match_case=True, whole_word=True)],
    ),
    (
        'Change "very good" to "fair" in section "Scope" only',
        [FindReplace("very good", "fair", "section:p4", whole_word=True)],
    ),
    ('Remove "(draft)" from section "Scope"', [ReplaceText("p5", "(draft) ", "")]),
    ('Remove "very" from the document', [ReplaceText("p5", "very ", "")]),
    ("Delete row 2 from table 1", [DeleteRow("t1.r2")]),
    (
        "Correct the date from 1 May 2026 to 2 May 2026",
        [ReplaceText("p3", "1 May 2026", "2 May 2026")],
    ),
    ('Remove "very" from the second paragraph', [ReplaceText("p5", "very ", "")]),
    (
        'Replace "fee" by "charge" (first occurrence only)',
        [ReplaceText("p5", "fee", "charge", 1)],
    ),
    # what stands behind or beside its name
    ('Set City to "Bonn"', [ReplaceText("t2.r2.c2.p1", "Berlin", "Bonn")]),
    ("change Location to Room 2", [ReplaceText("p13", "Room 1", "Room 2")]),
    # several at once
    (
        'Replace "Berlin" and "City" with "x"',
        [
            FindReplace("Berlin", "x", match_case=True, whole_word=True),
            FindReplace("City", "x", match_case=True, whole_word=True),
        ],
    ),
    (
        'Make "Net 30" and "60 days" bold',
        [FormatText("p9", "Net 30", "bold", "on"), FormatText("p11", "60 days", "bold", "on")],
    ),
    (
        'Add "Inc." after "Mr Smith" everywhere',
        [
            ReplaceText("p14", "Mr Smith", "Mr Smith Inc.", 1),
            ReplaceText("p14", "Mr Smith", "Mr Smith Inc.", 2),
        ],
    ),
    # new words
    ('Add a new paragraph after "Location: Room 1" saying "Hello."', [hello("p13")]),
    ('Insert "Hello." as a new paragraph after "Location: Room 1"', [hello("p13")]),
    ('Add a footnote to "Net 30": "Hello."', [InsertFootnote("p9", "Net 30", "Hello.")]),
    ('Leave a comment on "Net 30" saying "Hello."', [AddComment("p9", "Net 30", "Hello.")]),
    (
        'Append "(Draft)" to the title',
        [ReplaceText("p1", "Service Agreement", "Service Agreement (Draft)")],
    ),
    (
        'Prepend "Draft:" to the title',
        [ReplaceText("p1", "Service Agreement", "Draft: Service Agreement")],
    ),
    ('Add "(old)" to the heading "Scope"', [ReplaceText("p4", "Scope", "Scope (old)")]),
    ('Put "Confidential" in the header', [hello("h1.p1", text="Confidential")]),
    ('Insert a row above "Revenue"', [InsertRow("t1.r3", "before", ())]),
    ("Add a row to table 2", [InsertRow("t2.r2", "after", ())]),
    ('Insert a column before "Notes"', [InsertColumn("t1.r1.c3", "before", ())]),
    # other words for it
    (
        'Rewrite the sentence "A party may stop within 60 days." as "Nobody may stop."',
        [ReplaceText("p11", "A party may stop within 60 days.", "Nobody may stop.")],
    ),
    (
        'Instead of "Net 30" it should say "Net 45"',
        [FindReplace("Net 30", "Net 45", match_case=True, whole_word=True)],
    ),
    (
        'Make it say "Net 45" instead of "Net 30"',
        [FindReplace("Net 30", "Net 45", match_case=True, whole_word=True)],
    ),
    ('Fix the typo "recieve" -> "receive"', [FindReplace("recieve", "receive", whole_word=True)]),
    ('Replace "very" with nothing', [ReplaceText("p5", "very ", "")]),
    ("Uppercase the title", [ReplaceText("p1", "Service Agreement", "SERVICE AGREEMENT")]),
    ('Change "Net 30" to bold', [FormatText("p9", "Net 30", "bold", "on")]),
    ('Clear the cell "Week 3"', [ReplaceText("t1.r3.c3.p1", "Week 3", "")]),
    ('Merge the paragraphs "Pay for overtime" and "Emma Davis"', [MergeBlocks("p6", "p7")]),
    (
        'Combine "Pay for overtime" and "Emma Davis" into one paragraph',
        [MergeBlocks("p6", "p7")],
    ),
    (
        'Link "Net 30" to https://example.com/terms',
        [SetLink("p9", "Net 30", "https://example.com/terms")],
    ),
    ('Enter "Ann" in the field "Client"', [SetField("Client", "Ann")]),
    (
        'Set the value in row "Revenue", column "Q4" to "Texas"',
        [ReplaceText("t1.r3.c2.p1", "Delaware", "Texas")],
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), READ, ids=[said for said, _ in READ])
def test_an_everyday_sentence_is_read_as_it_is_meant(
    instruction: str, meant: Sequence[Operation]
) -> None:
    assert operations(instruction) == list(meant)


REFUSED: Sequence[tuple[str, type[EditError], str]] = [
    # a number that would lose or double what it counts
    ('change "60" days to "immediately"', RefusedError, "“days”"),
    ('change "60" to "90 days"', RefusedError, "“days”"),
    ('change "60" weeks to "90"', NotFoundError, ""),
    ('change "fee" amounts to "5"', NotUnderstoodError, ""),
    ("change 60 to 90 calendar days", RefusedError, "“calendar days”"),
    ("change 1 May 2026 to 2 June", RefusedError, "year"),
    ('Use "Contract" as the title', NotUnderstoodError, ""),
    # list items stand between: whether they count, nobody said
    ("Delete the third paragraph", RefusedError, "list items"),
    ('In paragraph 3, change "very good" to "fair"', AmbiguousError, "Section 3"),
    # what is said about the new words is not the new words
    ('Change "$1,200" to euros', NotUnderstoodError, ""),
    ('Change "2:00 PM" to 24-hour format', NotUnderstoodError, ""),
    ('Change "Purpose" to Sentence case', NotUnderstoodError, ""),
    ('Replace "Mr Smith" with placeholder', NotUnderstoodError, ""),
    ('Replace "very" with blank', NotUnderstoodError, ""),
    ('Replace "colour" with synonyms', NotUnderstoodError, ""),
    ('Change "colour" to American spelling everywhere', NotUnderstoodError, ""),
    ('Change "Net 30" to Arial', NotUnderstoodError, ""),
    ('Change "Net 30" to 12pt Arial', NotUnderstoodError, ""),
    ('Change "Net 30" to red', NotUnderstoodError, ""),
    ('Replace "Net 30" with bold', NotUnderstoodError, ""),
    ('Replace "Net 30" with Net 45 and make it bold', NotUnderstoodError, ""),
    # the label of a cell, or what stands beside it
    ('Set "Name" to "Ann"', RefusedError, "“Name”"),
    # not there: what follows a full stop is no text behind a list number
    ('Replace "2.0" with "2.1" everywhere', NotFoundError, ""),
    ('Replace "e.g." with "such as"', NotFoundError, ""),
    # several of them, and one is meant
    ('Change "Delaware" to "Texas" in the table', AmbiguousError, "2 tables"),
    ('Replace "very" and "good" with "x" and "y"', NotUnderstoodError, ""),
]


@pytest.mark.parametrize(
    ("instruction", "kind", "said"), REFUSED, ids=[instruction for instruction, _, _ in REFUSED]
)
def test_what_could_be_read_wrongly_is_refused(
    instruction: str, kind: type[EditError], said: str
) -> None:
    with pytest.raises(kind) as caught:
        interpret(LINKED, instruction, None, CHANGES)
    assert type(caught.value) is kind
    assert said in str(caught.value)
