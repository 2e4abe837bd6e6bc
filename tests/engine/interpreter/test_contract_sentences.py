"""Sentences typed in earnest that once failed, on a contract; each does what it says, or asks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redraft.engine.errors import AmbiguousError, EditError, NotFoundError, RefusedError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Table
from redraft.engine.plan import (
    AddComment,
    DeleteBlocks,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertRow,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetParagraph,
)
from tests.engine.interpreter.agreement import heading, paragraph, row
from tests.engine.interpreter.contract import CONTRACT, item

CLIENT = FindReplace("Client", "Customer", match_case=True, whole_word=True)
NINETY = ReplaceText("p20", "sixty (60) days", "ninety (90) days")
FIRST = "The Client pays $5,000 a month. Invoices are sent by email."
HEADINGS = ("p3", "p8", "p10", "p13", "p19", "p21", "p23", "p25")

DONE: list[tuple[str, tuple[Operation, ...]]] = [
    (
        "change the governing law to New York",
        (ReplaceText("p24", "Delaware", "New York"),),
    ),
    (
        "change thirty (30) days to forty-five (45) days in 3.2",
        (ReplaceText("p12", "thirty (30) days", "forty-five (45) days"),),
    ),
    ("change sixty (60) days to ninety (90) days", (NINETY,)),
    ("sixty (60) days -> ninety (90) days", (NINETY,)),
    ("Client should be called Customer", (CLIENT,)),
    ("rename Client to Customer", (CLIENT,)),
    ('make all "shall" into "must"', (FindReplace("shall", "must", whole_word=True),)),
    (
        "change shall to will in section 2 only",
        (FindReplace("shall", "will", "section:p8", whole_word=True),),
    ),
    (
        "pls chnage the date to 1 March 2027",
        (ReplaceText("p2", "5 January 2026", "1 March 2027"),),
    ),
    (
        "make the title bold and centered",
        (FormatText("p1", "", "bold", "on"), SetParagraph("p1", "p1", "alignment", "center")),
    ),
    ("bold the title", (FormatText("p1", "", "bold", "on"),)),
    (
        "put all headings in dark blue",
        tuple(FormatText(anchor, "", "color", "darkblue") for anchor in HEADINGS),
    ),
    (
        'add a new section 9 called "Insurance" with the text "It insures."',
        (
            InsertBlocks(
                "p26",
                "after",
                (NewBlock("heading1", "Insurance"), NewBlock("paragraph", "It insures.")),
            ),
        ),
    ),
    (
        "add a sentence at the end of 3.1: Invoices are final.",
        (ReplaceText("p11", FIRST, f"{FIRST} Invoices are final."),),
    ),
    ("add a comment to section 6: check this", (AddComment("p21", "Liability", "check this"),)),
    ("add a row to the signature table", (InsertRow("t1.r2", "after", ()),)),
    (
        "change the header to Draft",
        (ReplaceText("h1.p1", "Consulting Agreement — Final", "Draft"),),
    ),
    ("delete the title", (DeleteBlocks("p1", "p1"),)),
    ("delete the signature block", (DeleteBlocks("t1", "t1"),)),
    (
        'In Clause 5 change "written notice" to\n"confirmed notice"',
        (ReplaceText("p20", "written notice", "confirmed notice"),),
    ),
    (
        "Change the termination notice period to ninety (90) days.",
        (NINETY,),
    ),
    (
        "replace section 3.1 with: The Client pays $6,000 a month.",
        (ReplaceText("p11", FIRST, "The Client pays $6,000 a month."),),
    ),
    (
        "make 3.1 and 3.2 italic",
        (FormatText("p11", "", "italic", "on"), FormatText("p12", "", "italic", "on")),
    ),
    ("put section 7 before section 6", (MoveBlocks("p23", "p24", "p21", "before"),)),
    ("in Termination, change sixty (60) days to ninety (90) days", (NINETY,)),
    ("delete Section 6 (Liability)", (DeleteBlocks("p21", "p22"),)),
    (
        "replace the date with 1 March 2027",
        (ReplaceText("p2", "5 January 2026", "1 March 2027"),),
    ),
    ('leave a comment at section 6 saying "check"', (AddComment("p21", "Liability", "check"),)),
    (
        "delete points (a) and (c) of section 4",
        (DeleteBlocks("p15", "p15"), DeleteBlocks("p17", "p17")),
    ),
    ("section 5: ninety (90) days instead of sixty (60) days", (NINETY,)),
    ("the notice should be ninety (90) days instead of sixty (60) days", (NINETY,)),
    ("raise the fee to $6,000", (ReplaceText("p11", "$5,000", "$6,000"),)),
    ("change the period in section 5 to ninety (90) days", (NINETY,)),
    (
        "in 3.2, delete the last sentence",
        (ReplaceText("p12", " The Client may withhold disputed amounts.", ""),),
    ),
    (
        "in the last sentence of 3.2 change disputed to contested",
        (ReplaceText("p12", "disputed", "contested"),),
    ),
    ("delete 3.1 and 3.2", (DeleteBlocks("p11", "p11"), DeleteBlocks("p12", "p12"))),
    ("clause 4(c) should be deleted", (DeleteBlocks("p17", "p17"),)),
    ("swap section 6 and section 7", (MoveBlocks("p23", "p24", "p21", "before"),)),
    ('every "Client" should be replaced by "Customer"', (CLIENT,)),
    ("replace everywhere Client with Customer", (CLIENT,)),
    (
        'italicize the sentence "Notice is given by email."',
        (FormatText("p20", "Notice is given by email.", "italic", "on"),),
    ),
    (
        "delete the last two sentences of 3.2",
        (
            ReplaceText(
                "p12",
                " Late payment bears interest at 5%. The Client may withhold disputed amounts.",
                "",
            ),
        ),
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), DONE, ids=[case[0] for case in DONE])
def test_a_sentence_typed_in_earnest_is_done(
    instruction: str, meant: tuple[Operation, ...]
) -> None:
    assert interpret(CONTRACT, instruction, None).operations == meant


DELIVERY = "The Seller delivers within 21 days. The courts of Leeds decide."
SMALL = (
    heading("p1", 1, "Supply", "1."),
    paragraph("p2", DELIVERY),
    heading("p3", 1, "Crew", "2."),
    paragraph("p4", "Number of volunteers: 25"),
    paragraph("p5", "(A) The Buyer; Rosa Lee signs."),
)


def _small(instruction: str) -> tuple[Operation, ...]:
    contract = replace(CONTRACT, stories=(replace(CONTRACT.body, blocks=SMALL),))
    return interpret(contract, instruction, None).operations


@pytest.mark.parametrize(
    ("instruction", "meant"),
    [
        ("section 1: 14 days instead of 21", ReplaceText("p2", "21", "14")),
        ("Abschnitt 1: 14 statt 21", ReplaceText("p2", "21", "14")),
        ("section 1 : 14 au lieu de 21", ReplaceText("p2", "21", "14")),
        ("sección 1: 14 en lugar de 21", ReplaceText("p2", "21", "14")),
        ("courts of Sheffield instead of Leeds", ReplaceText("p2", "Leeds", "Sheffield")),
        ("30 volunteers instead of 25", ReplaceText("p4", "25", "30")),
        (
            "write Rosa Lee-Pike instead of Rosa Lee",
            FindReplace("Rosa Lee", "Rosa Lee-Pike", match_case=True, whole_word=True),
        ),
        (
            "add at the end of section 1: It is final.",
            ReplaceText("p2", DELIVERY, f"{DELIVERY} It is final."),
        ),
    ],
)
def test_new_words_are_only_what_is_to_be_written(instruction: str, meant: Operation) -> None:
    assert _small(instruction) == (meant,)


@pytest.mark.parametrize(
    "instruction",
    [
        "change 21 days to 45 days, or maybe 60",
        "ersetze Leeds durch Köln oder Bonn",
        "remplacez Leeds par Paris ou Lyon",
        "reemplace Leeds por Madrid o Toledo",
        "change Leeds to York and round the prices sensibly",
        "ersetze Leeds durch Köln im ganzen Vertrag bitte sofort",
        "remplacez Leeds par Paris dans toute affaire",
        "reemplace Leeds por Madrid en toda carta breve",
        "30 helpers instead of 25",
        "delete item (a)",
        "delete the fifth item of Supply",
        "den fünften Punkt von Supply streichen",
    ],
)
def test_new_words_that_say_more_and_labels_like_others_are_refused(instruction: str) -> None:
    with pytest.raises(EditError):
        _small(instruction)


CODED = (
    paragraph("p1", "REQ-013 The pump shall start."),
    paragraph("p2", "REQ-014: The valve shall close."),
    paragraph("p3", "Table 2: Costs"),
    Table("t1", (row("t1.r1", "Item", "Cost", is_header=True), row("t1.r2", "Pump", "40")), 2),
    paragraph("p4", "It costs 30 days."),
)


def _coded(instruction: str) -> tuple[Operation, ...]:
    sheet = replace(CONTRACT, stories=(replace(CONTRACT.body, blocks=CODED),))
    return interpret(sheet, instruction, None).operations


@pytest.mark.parametrize(
    ("instruction", "meant"),
    [
        ("delete REQ-014", DeleteBlocks("p2", "p2")),
        ("REQ-014 löschen", DeleteBlocks("p2", "p2")),
        ("supprimez REQ-014", DeleteBlocks("p2", "p2")),
        ("elimina REQ-014", DeleteBlocks("p2", "p2")),
        ("delete table 2", DeleteBlocks("t1", "t1")),
        ("add to the Costs table: Valve, 50", InsertRow("t1.r2", "after", ("Valve", "50"))),
        ("45 days, not 30", ReplaceText("p4", "30", "45")),
        ("45 days, nicht 30", ReplaceText("p4", "30", "45")),
    ],
)
def test_codes_captions_and_rows_are_what_they_name(instruction: str, meant: Operation) -> None:
    assert _coded(instruction) == (meant,)


@pytest.mark.parametrize(
    "instruction",
    [
        "delete REQ-015",
        "delete table 3",
        "add to the Costs table: Valve, 50, 60",
        "do not change 30",
        "Ann is Chair, not REQ-013",
        "Ann is Chair instead of Pump",
        "change 30 days, not 40",
    ],
)
def test_codes_captions_and_rows_that_do_not_fit_are_refused(instruction: str) -> None:
    with pytest.raises(EditError):
        _coded(instruction)


@pytest.mark.parametrize(
    "instruction",
    ["change the font to Arial", "set line spacing to 1.5", "set the font size to 12"],
)
def test_a_look_without_a_place_is_of_the_whole_document(instruction: str) -> None:
    count = len([line for line in CONTRACT.body.blocks if line.anchor.startswith("p")])
    assert len(interpret(CONTRACT, instruction, None).operations) > count


def test_a_value_is_replaced_to_the_end_of_its_last_word() -> None:
    blocks = (paragraph("p1", "Das Honorar beträgt 3.500 Euro. Es ist bald zu zahlen."),)
    german = replace(CONTRACT, stories=(replace(CONTRACT.body, blocks=blocks),))
    plan = interpret(german, "Das Honorar soll 4.000 Euro betragen", None)
    assert plan.operations == (ReplaceText("p1", "3.500 Euro", "4.000 Euro"),)


def test_words_that_say_where_are_no_name_of_a_place() -> None:
    clause = item("p2", "1.", "The rent is payable on the first day of each month.")
    blocks = (paragraph("p1", "The Client pays."), clause, paragraph("p3", "The Client moves."))
    lease = replace(CONTRACT, stories=(replace(CONTRACT.body, blocks=blocks),))
    plan = interpret(lease, "replace Client with Tenant except in the first paragraph", None)
    assert plan.operations == (ReplaceText("p3", "Client", "Tenant"),)
    assert plan.reason.endswith("except in the first paragraph")


def test_a_table_of_signatures_is_of_no_section() -> None:
    table = CONTRACT.body.blocks[-1]
    blocks = (heading("p1", 1, "Law", "1."), paragraph("p2", "It is Dutch."), table)
    signed = replace(CONTRACT, stories=(replace(CONTRACT.body, blocks=blocks),))
    assert interpret(signed, "delete section 1", None).operations == (DeleteBlocks("p1", "p2"),)


def test_except_leaves_a_place_as_it_is() -> None:
    instruction = "change Client to Customer everywhere except in the first paragraph"
    operations = interpret(CONTRACT, instruction, None).operations
    assert "p2" not in {getattr(operation, "block", "") for operation in operations}
    assert len(operations) == 5


@pytest.mark.parametrize(
    ("instruction", "kind"),
    [
        ("delete the table of contents", NotFoundError),
        ("the payment term should be 45 days", NotFoundError),
        ("delete paragraph 3", AmbiguousError),
        ("replace (c) with (d)", EditError),
        ("undo", RefusedError),
        ("add page numbers", RefusedError),
        ("remove the third bullet", EditError),
        ("change Client to Acme", AmbiguousError),
        ("change the Client to Acme Inc", EditError),
        ("change Client to Customer and Consultant to", EditError),
        ("delete section 4 except item (b)", EditError),
        ("delete everything except section 3", EditError),
        ("replace shall with must unless it is in section 2", EditError),
        ("delete section 4 but keep (b)", EditError),
        ("make the heading bold", EditError),
        ("increase the fee by $500", EditError),
        ("delete Termination", RefusedError),
        ("change 3.1 to 3.3", EditError),
        ("delete the last clause", EditError),
        ("delete every second sentence of 3.2", EditError),
        ("delete the text of section 4", EditError),
        ("delete section 4, (b)", EditError),
        ("bold the first word of 3.2", EditError),
        ("change 30 to 45", RefusedError),
        ("delete Section 6 (Fees)", EditError),
        ("change the fee by $500", EditError),
        ("change the liability cap from $5,000 to $6,000", NotFoundError),
        ("the liability cap should be $6,000 instead of $5,000", NotFoundError),
        ("delete 3.1 and 3.7", EditError),
        ("swap section 3 and 3.1", EditError),
        ("section 9 should be deleted", NotFoundError),
    ],
)
def test_what_is_unclear_or_not_there_is_refused(instruction: str, kind: type[EditError]) -> None:
    with pytest.raises(kind):
        interpret(CONTRACT, instruction, None)


def test_the_places_that_fit_are_shown_with_the_words_around_them() -> None:
    with pytest.raises(AmbiguousError) as caught:
        interpret(CONTRACT, 'change "email" to "post"', None)
    words = [(one.anchor, one.words) for one in caught.value.candidates]
    assert words == [
        ("p11", "…$5,000 a month. Invoices are sent by ⟪email⟫."),
        ("p20", "…written notice. Notice is given by ⟪email⟫."),
    ]
