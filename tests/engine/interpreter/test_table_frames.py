"""Cells, rows and columns named by words of their row, the top of their column and their table."""

from __future__ import annotations

import pytest

from redraft.engine.errors import EditError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Block, Document, Story, Table
from redraft.engine.plan import (
    DeleteColumn,
    DeleteRow,
    InsertColumn,
    InsertRow,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from tests.engine.interpreter.agreement import heading, paragraph, row

BLOCKS: tuple[Block, ...] = (
    heading("p1", 1, "Workshop plan"),
    paragraph("p2", "Rooms and prices follow."),
    heading("p3", 2, "Schedule: Course dates"),
    Table(
        "t1",
        (
            row("t1.r1", "Session", "Day", "Fee", "Places"),
            row("t1.r2", "1", "4 May 2026", "$120", "12"),
            row("t1.r3", "2", "11 May 2026", "$120", "10"),
            row("t1.r4", "3", "18 May 2026", "$95", "12"),
        ),
        4,
    ),
    heading("p4", 2, "Trainers"),
    Table(
        "t2",
        (
            row("t2.r1", "Name", "Topic", "Hall", "Confirmed"),
            row("t2.r2", "Ines Roth", "Safety training", "Hall A", "yes"),
            row("t2.r3", "Paul Adeyemi", "Contract law", "Hall B", "no"),
            row("t2.r4", "Mei Tanaka", "Negotiation", "", "yes"),
        ),
        4,
    ),
    paragraph("p5", "Ines Roth speaks first."),
)
PLAN = Document("docx", (Story("body", "", BLOCKS),))
CELLS = ("4", "25 May 2026", "$95", "8")

DONE: list[tuple[str, Operation]] = [
    ("Places of session 2: 14", ReplaceText("t1.r3.c4.p1", "10", "14")),
    ("session 3 costs $99", ReplaceText("t1.r4.c3.p1", "$95", "$99")),
    (
        "make the day of session 1 5 May 2026",
        ReplaceText("t1.r2.c2.p1", "4 May 2026", "5 May 2026"),
    ),
    (
        "Paul Adeyemi was confirmed: change no to yes in the trainers table",
        ReplaceText("t2.r3.c4.p1", "no", "yes"),
    ),
    (
        'put "Hall C" in the third cell of the last row of table 2',
        RewriteBlock("t2.r4.c3.p1", "Hall C"),
    ),
    (
        '"Mediation" as the topic for Mei Tanaka',
        ReplaceText("t2.r4.c2.p1", "Negotiation", "Mediation"),
    ),
    (
        "setze den Topic von Mei Tanaka auf Mediation",
        ReplaceText("t2.r4.c2.p1", "Negotiation", "Mediation"),
    ),
    ("remove session 2 from the course dates table", DeleteRow("t1.r3")),
    ("delete the row for Ines Roth in the trainers table", DeleteRow("t2.r2")),
    ("lösche die Zeile Ines Roth in der Tabelle Trainers", DeleteRow("t2.r2")),
    ("drop the Places column from the course table", DeleteColumn("t1.r1.c4")),
    ("supprime la colonne Hall du tableau Trainers", DeleteColumn("t2.r1.c3")),
    (
        "add a row to the course dates: 4 | 25 May 2026 | $95 | 8",
        InsertRow("t1.r4", "after", CELLS),
    ),
    (
        "add at the end of the course table: 4 / 25 May 2026 / $95 / 8",
        InsertRow("t1.r4", "after", CELLS),
    ),
    (
        "insert a row between Ines Roth and Paul Adeyemi: Tom Hale | Audit | Hall C | no",
        InsertRow("t2.r3", "before", ("Tom Hale", "Audit", "Hall C", "no")),
    ),
    (
        'new column "Phone" at the end of the trainers table',
        InsertColumn("t2.r1.c4", "after", ("Phone",)),
    ),
    ('add a column "Phone" after Topic', InsertColumn("t2.r1.c2", "after", ("Phone",))),
    ("rename column Places to Seats", ReplaceText("t1.r1.c4.p1", "Places", "Seats")),
    (
        'rename the "Mei Tanaka" row label to "Mei Sato"',
        ReplaceText("t2.r4.c1.p1", "Mei Tanaka", "Mei Sato"),
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), DONE, ids=[one for one, _ in DONE])
def test_a_place_in_a_table_is_found_by_its_words(instruction: str, meant: Operation) -> None:
    assert interpret(PLAN, instruction, None).operations == (meant,)


REFUSED = [
    "Places of session 7: 14",
    "session 3 costs ten",
    "the discount of session 2: $10",
    "remove session 9 from the course dates table",
    "delete the row for Ines Roth in the course dates table",
    "drop the Price column from the course table",
    "add a row to the course dates: 4 | 25 May 2026",
    "insert a row between Ines Roth and Mei Tanaka: Tom Hale | Audit | Hall C | no",
    "rename column Seats to Places",
    "change the fee to $130 in the course table",
    "set session 2 and 3 to $130",
    "Ines Roth or Mei Tanaka: Hall B",
]


@pytest.mark.parametrize("instruction", REFUSED)
def test_what_no_single_place_in_a_table_is_called_is_refused(instruction: str) -> None:
    with pytest.raises(EditError):
        interpret(PLAN, instruction, None)
